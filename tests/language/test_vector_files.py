import struct

import numpy as np
import pytest

from gata.errors import GataError, UsageError
from gata.language.vector_files import read_vectors

WANTED = {"carrot", "egg", "café"}
CARROT, EGG = [0.5, -1.0, 2.25], [1.0, 0.0, -3.0]


def written(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def check(table):
    assert table.words == ("carrot", "egg")
    assert table.vectors.tolist() == [CARROT, EGG]
    assert table.vectors.dtype == np.float32


class TestText:
    @pytest.mark.parametrize(
        "text",
        [
            "3 3\negg 1 0 -3\nthe 1 1 1\ncarrot 0.5 -1 2.25\n",
            "egg 1 0 -3\nthe 1 1 1\ncarrot 0.5 -1 2.25\n",
            "egg 1 0 -3 \ncarrot  0.5 -1 2.25\n\n \n",
            "\ufeffegg 1 0 -3\ncarrot 0.5 -1 2.25\n",
            "\ufeff2 3\negg 1 0 -3\ncarrot 0.5 -1 2.25\n",
            "egg 1e0 0.0 -3\r\ncarrot .5 -1 2.25\r\n",
            "egg 1 0 -3\n. . . 1 1 1\ncarrot cake 8 8 8\ncarrot 0.5 -1 2.25\negg 9 9 9\n",
        ],
        ids=["header", "none", "loose ends", "mark", "mark and header", "windows", "blanks"],
    )
    def test_kinds(self, tmp_path, text):
        check(read_vectors(written(tmp_path / "v.txt", text), WANTED))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "line 1: empty"),
            ("{}\n", "line 1: expected 'WORDS WIDTH' or a word and its vector, found '{}'"),
            ("2 3\negg 1 0 -3\n", "line 2: the file ends after 1 words, its first line promises 2"),
            ("egg 1 0 -3\ncarrot 0.5 -1", "line 2: expected a word and 3 numbers, found 3 fields"),
            ("3 3\nthe 1 1 1\nand 1 1\n", "line 3: expected a word and 3 numbers, found 3 fields"),
            ("the 1 1 1\negg 1 0 -3 4\n", "line 2: expected a word and 3 numbers, found 5 fields"),
            ("the 1 1 1\negg 1 zero -3\n", "line 2: the vector of 'egg': could not convert"),
            ("the 1 1 1\nand 1 1 1 1\n", "line 2: expected a word and 3 numbers, found 5 fields"),
            ("the 1 1 1\nof a 1 1 b\n", "line 2: expected a word and 3 numbers, found 5 fields"),
            ("the 1 1 1\n\negg 1 0 -3\n", "line 2: empty, expected a word and its vector"),
            ("the 1 1 1\negg 1 0 -3", "line 2: the last line has no end; the file may be cut"),
            ("egg 1 0 -3", "line 1: the last line has no end; the file may be cut off"),
            ("1 3\negg 1 0 -3\nthe 1 1 1\n", "line 3: one word more than the 1 that the first"),
            ("egg\t1\t0\t-3\n", "line 1: the fields are separated by tabs, expected blanks"),
            ("the 1 1 1\negg\t1 0 -3\n", "line 2: the fields are separated by tabs"),
            ("the 1 1 1\negg 1 inf -3\n", "line 2: the vector of 'egg' has a number that is not"),
            (
                "the 1 1 1\negg 1 nan -3\n",
                "line 2: the vector of 'egg' has a number that is not finite",
            ),
            ("3 999999999\negg 1\n", "line 1: vectors of width 999999999, expected 1 to 10000"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, tmp_path, text, message):
        with pytest.raises(GataError) as caught:
            read_vectors(written(tmp_path / "v.vec", text), WANTED)
        assert str(tmp_path / "v.vec") in str(caught.value)
        assert message in str(caught.value)


def test_every_cut_of_a_text_file_with_header_is_noticed(tmp_path):
    text = "2 3\negg 1 0 -3\ncarrot 0.5 -1 2.25\n"
    for size in range(len(text)):
        with pytest.raises(GataError, match=r"v\.vec, line \d: "):
            read_vectors(written(tmp_path / "v.vec", text[:size]), WANTED)


def test_the_case_of_a_suffix_does_not_matter(tmp_path):
    path = written(tmp_path / "V.VEC", "egg 1 0 -3\ncarrot 0.5 -1 2.25\n")
    check(read_vectors(path, WANTED))


def word2vec(words, *, newline=b"\n"):
    data = f"{len(words)} 3\n".encode()
    for word, vector in words.items():
        data += word.encode() + b" " + struct.pack("<3f", *vector) + newline
    return data


class TestWord2Vec:
    words = {"the": [1, 1, 1], "carrot": CARROT, "egg": EGG}  # noqa: RUF012

    @pytest.mark.parametrize("newline", [b"", b"\n"])
    def test_reads(self, tmp_path, newline):
        path = written(tmp_path / "v.bin", word2vec(self.words, newline=newline))
        check(read_vectors(path, WANTED))

    def test_every_cut_is_noticed(self, tmp_path):
        data = word2vec(self.words, newline=b"")
        for size in range(len(data)):
            with pytest.raises(GataError, match=r"cut off|neither a fastText|vectors of width"):
                read_vectors(written(tmp_path / "v.bin", data[:size]), WANTED)

    def test_the_first_of_repeated_words_counts(self, tmp_path):
        data = word2vec(self.words, newline=b"") + b"egg " + struct.pack("<3f", 9, 9, 9)
        path = written(tmp_path / "v.bin", data.replace(b"3 3", b"4 3", 1))
        check(read_vectors(path, WANTED))

    def test_where_it_is_cut_off_is_said(self, tmp_path):
        path = written(tmp_path / "v.bin", word2vec(self.words)[:-5])
        with pytest.raises(GataError, match=r"v.bin, byte \d+, word 3 of 3: the file is cut off"):
            read_vectors(path, WANTED)


def fasttext_hash(piece):
    """An independent FNV-1a: fastText sign-extends each byte."""
    value = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in np.frombuffer(piece.encode(), dtype=np.int8):
            value = (value ^ byte.astype(np.int32).astype(np.uint32)) * np.uint32(16777619)
    return int(value)


def fasttext(words, matrix, *, buckets, ngrams=(3, 4), version=12, compressed=False):
    width = matrix.shape[1]
    data = struct.pack("<ii", 793712314, version)
    data += struct.pack("<12id", width, 5, 1, 1, 5, 1, 2, 2, buckets, *ngrams, 100, 1e-4)
    data += struct.pack("<iiiqq", len(words) + 1, len(words), 1, 100, -1)
    for word in words:
        data += word.encode() + b"\0" + struct.pack("<qb", 7, 0)
    data += b"__label__x\0" + struct.pack("<qb", 7, 1)
    data += struct.pack("<?qq", compressed, *matrix.shape)
    return data + matrix.astype("<f4").tobytes()


class TestFastText:
    words = ("the", "egg", "café")
    buckets = 50
    matrix = np.random.default_rng(0).normal(size=(53, 4)).astype(np.float32)

    def test_a_word_is_the_mean_of_itself_and_its_pieces(self, tmp_path):
        path = written(tmp_path / "v.bin", fasttext(self.words, self.matrix, buckets=self.buckets))
        table = read_vectors(path, WANTED)
        assert table.words == ("café", "egg")
        pieces = {
            "egg": ["<eg", "<egg", "egg", "egg>", "gg>"],
            "café": ["<ca", "<caf", "caf", "café", "afé", "afé>", "fé>"],
        }
        for word, parts in pieces.items():
            rows = [self.words.index(word)]
            rows += [len(self.words) + fasttext_hash(part) % self.buckets for part in parts]
            np.testing.assert_allclose(table.vector(word), self.matrix[rows].mean(0), rtol=1e-6)

    def test_without_pieces_a_word_is_its_row(self, tmp_path):
        data = fasttext(self.words, self.matrix[:3], buckets=0, ngrams=(0, 0))
        table = read_vectors(written(tmp_path / "v.bin", data), WANTED)
        np.testing.assert_array_equal(table.vector("egg"), self.matrix[1])

    def test_every_cut_is_noticed(self, tmp_path):
        data = fasttext(self.words, self.matrix, buckets=self.buckets)
        for size in range(len(data)):
            with pytest.raises(GataError, match=r"cut off|neither a fastText"):
                read_vectors(written(tmp_path / "v.bin", data[:size]), WANTED)

    @pytest.mark.parametrize(
        ("change", "message"),
        [({"version": 99}, "version 99, expected 11 or 12"), ({"compressed": True}, "compressed")],
    )
    def test_other_models_are_refused(self, tmp_path, change, message):
        data = fasttext(self.words, self.matrix, buckets=self.buckets, **change)
        with pytest.raises(GataError, match=message):
            read_vectors(written(tmp_path / "v.bin", data), WANTED)

    def test_pieces_without_vectors_are_refused(self, tmp_path):
        data = fasttext(self.words, self.matrix[:3], buckets=0)
        with pytest.raises(GataError, match=r"pieces of up to 4 characters, but 0 vectors"):
            read_vectors(written(tmp_path / "v.bin", data), WANTED)

    def test_the_first_of_repeated_words_counts(self, tmp_path):
        data = fasttext(("the", "egg", "egg"), self.matrix[:3], buckets=0, ngrams=(0, 0))
        table = read_vectors(written(tmp_path / "v.bin", data), WANTED)
        np.testing.assert_array_equal(table.vector("egg"), self.matrix[1])

    def test_wrong_shapes_are_refused(self, tmp_path):
        data = fasttext(self.words, self.matrix[:2], buckets=self.buckets)
        with pytest.raises(GataError, match=r"shape \(2, 4\), expected \(53, 4\)"):
            read_vectors(written(tmp_path / "v.bin", data), WANTED)


class TestNpz:
    def test_the_first_of_repeated_words_counts(self, tmp_path):
        words = ["egg", "carrot", "egg"]
        np.savez(tmp_path / "v.npz", words=words, vectors=[EGG, CARROT, [9, 9, 9]])
        check(read_vectors(tmp_path / "v.npz", WANTED))

    def test_words_as_strings(self, tmp_path):
        np.savez(tmp_path / "v.npz", words=["egg", "the", "carrot"], vectors=[EGG, [1] * 3, CARROT])
        check(read_vectors(tmp_path / "v.npz", WANTED))

    @pytest.mark.parametrize(
        ("arrays", "message"),
        [
            ({"words": ["egg"]}, "has no array 'vectors', only words"),
            ({"words": ["egg"], "vectors": [1.0, 2.0]}, r"shape (2,)"),
            ({"words": ["egg"], "vectors": [[]]}, "vectors of width 0, expected 1 to 10000"),
            ({"words": ["egg"], "vectors": [[1.0], [2.0]]}, "expected (1, width) numbers"),
            ({"words": [1, 2], "vectors": [[1.0], [2.0]]}, "'words' has type int64"),
            ({"words": ["egg"], "vectors": [["a", "b"]]}, "'vectors' has shape (1, 2) and type"),
        ],
    )
    def test_misshapen_files_are_refused(self, tmp_path, arrays, message):
        np.savez(tmp_path / "v.npz", **arrays)
        with pytest.raises(GataError) as caught:
            read_vectors(tmp_path / "v.npz", WANTED)
        assert message in str(caught.value)

    def test_pickles_are_not_loaded(self, tmp_path):
        words = np.array(["egg", {"no": "code"}], dtype=object)
        np.savez(tmp_path / "v.npz", words=words, vectors=[EGG, CARROT])
        with pytest.raises(GataError, match=r"not a sound \.npz file"):
            read_vectors(tmp_path / "v.npz", WANTED)

    def test_files_cut_off_are_refused(self, tmp_path):
        np.savez(tmp_path / "v.npz", words=["egg"], vectors=[EGG])
        data = (tmp_path / "v.npz").read_bytes()
        for size in range(0, len(data), 40):
            with pytest.raises(GataError, match=r"not a sound \.npz file"):
                read_vectors(written(tmp_path / "v.npz", data[:size]), WANTED)


@pytest.mark.parametrize("name", ["v.gz", "v"])
def test_unknown_kinds_are_refused(tmp_path, name):
    with pytest.raises(UsageError, match=r"vectors end in \.vec, \.txt, \.bin, \.npz"):
        read_vectors(written(tmp_path / name, "egg 1 2\n"), WANTED)

    @pytest.mark.parametrize("flip", [0x01, 0x10, 0x80, 0xFF])
    @pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
    def test_damage_is_an_error_that_names_the_file_or_does_no_harm(self, tmp_path, save, flip):
        path = tmp_path / "v.npz"
        save(path, words=["egg", "carrot"], vectors=[EGG, CARROT])
        whole = path.read_bytes()
        errors = []
        for place in range(len(whole)):
            damaged = bytearray(whole)
            damaged[place] ^= flip
            path.write_bytes(damaged)
            try:
                check(read_vectors(path, WANTED))  # a byte that nobody reads, such as a date
            except GataError as error:
                errors.append(str(error))
        assert len(errors) > len(whole) / 4
        assert all(str(path) in error for error in errors)
