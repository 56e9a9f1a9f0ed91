import numpy as np
import pytest

from gata.errors import GataError
from gata.language import vector_files, vectors
from gata.language.vector_files import Table, write_npz
from gata.language.vectors import compositions, word_vectors
from gata.language.vocabulary import PAD, SPECIALS, Vocabulary, default

WORDS = Vocabulary.of(["carrot", "frosted-glass", "12", "west_of", "pantrys", "n't", "xyzzy"], "t")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "vectors"


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


class TestShipped:
    made = word_vectors(default())

    def test_covers_the_vocabulary(self):
        assert self.made.matrix.shape == (len(default()), 100)
        assert self.made.matrix.dtype == np.float32
        # TextWorld's own name, a stammer and an Inform term are all that nobody has a vector for.
        assert set(self.made.random) == {*SPECIALS[1:], "textworld", "a-", "cuttable"}
        parts = (*self.made.found, *self.made.composed, *self.made.random, SPECIALS[PAD])
        assert sorted(parts) == sorted(default().words)

    @pytest.mark.parametrize(
        ("word", "near", "far"),
        [("fridge", "oven", "north"), ("diced", "chopped", "door"), ("north", "south", "salt")],
    )
    def test_related_words_are_near(self, word, near, far):
        row = {w: self.made.matrix[default().id(w)] for w in (word, near, far)}
        assert cosine(row[word], row[near]) > 0.5 > cosine(row[word], row[far])

    def test_padding_is_zero_and_no_other_row_is(self):
        assert not self.made.matrix[PAD].any()
        assert self.made.matrix[1:].any(axis=1).all()

    def test_is_read_only(self):
        with pytest.raises(ValueError, match="read-only"):
            self.made.matrix[0] = 1


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("frosted-glass", ("frosted", "glass")),
        ("west_of", ("west", "of")),
        ("12", ("twelve",)),
        ("47", ("forty", "seven")),
        ("60", ("sixty",)),
        ("n't", ("not",)),
        ("livingrooms", ("livingroom",)),
        ("in-", ("in",)),
        ("...", (".",)),
    ],
)
def test_words_are_made_of_others(word, parts):
    assert parts in compositions(word)


def text_file(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


LINES = ["carrot 1 2 3", "frosted 1 0 0", "glass 0 1 0", "not 4 4 4", "unused 9 9 9", "of 1 1 1"]


class TestAssembling:
    def made(self, tmp_path):
        return word_vectors(WORDS, text_file(tmp_path / "own.vec", LINES))

    def test_found_composed_and_random(self, tmp_path):
        made = self.made(tmp_path)
        assert made.width == 3
        assert made.found == ("carrot",)
        assert made.composed == {"frosted-glass": ("frosted", "glass"), "n't": ("not",)}
        assert made.random == (*SPECIALS[1:], "12", "pantrys", "west_of", "xyzzy")
        assert made.matrix[WORDS.id("carrot")].tolist() == [1, 2, 3]
        assert made.matrix[WORDS.id("frosted-glass")].tolist() == [0.5, 0.5, 0]

    def test_random_rows_depend_on_the_word_alone(self, tmp_path):
        made = self.made(tmp_path)
        other = Vocabulary.of(["carrot", "aardvark", "xyzzy"], "other")
        again = word_vectors(other, text_file(tmp_path / "other.vec", LINES))
        row = made.matrix[WORDS.id("xyzzy")]
        assert np.array_equal(row, again.matrix[other.id("xyzzy")])
        assert 0 < np.abs(row).max() <= 0.1
        assert not np.array_equal(row, made.matrix[WORDS.id("12")])

    def test_a_file_without_any_of_the_words_is_refused(self, tmp_path):
        path = text_file(tmp_path / "own.vec", ["chien 1 2", "chat 3 4"])
        with pytest.raises(GataError, match="has none of the 12 words"):
            word_vectors(WORDS, path)


class TestCache:
    def test_the_second_time_the_file_is_not_read(self, tmp_path, cache, monkeypatch):
        path = text_file(tmp_path / "own.vec", LINES)
        first = word_vectors(WORDS, path)
        monkeypatch.setattr(vectors, "read_vectors", None)
        assert np.array_equal(word_vectors(WORDS, path).matrix, first.matrix)
        assert len(list(cache.iterdir())) == 1

    def test_a_changed_file_is_read_again(self, tmp_path):
        path = text_file(tmp_path / "own.vec", LINES)
        word_vectors(WORDS, path)
        text_file(path, ["carrot 7 7 7 7"])
        assert word_vectors(WORDS, path).matrix[WORDS.id("carrot")].tolist() == [7, 7, 7, 7]

    def test_a_damaged_cache_is_replaced(self, tmp_path, cache):
        path = text_file(tmp_path / "own.vec", LINES)
        first = word_vectors(WORDS, path)
        (cached,) = cache.iterdir()
        cached.write_bytes(cached.read_bytes()[:50])
        assert np.array_equal(word_vectors(WORDS, path).matrix, first.matrix)
        with cached.open("rb") as stream:
            assert vector_files.read_npz(stream, "cache").width == 3

    def test_any_damaged_byte_of_the_cache_is_survived(self, tmp_path, cache):
        path = text_file(tmp_path / "own.vec", LINES)
        first = word_vectors(WORDS, path)
        (cached,) = cache.iterdir()
        whole = cached.read_bytes()
        for place in range(0, len(whole), 3):
            cached.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
            assert np.array_equal(word_vectors(WORDS, path).matrix, first.matrix)

    def test_without_a_cache_folder_the_file_is_used_all_the_same(self, tmp_path, cache, capsys):
        path = text_file(tmp_path / "own.vec", LINES)
        cache.parent.write_text("a file where the folder should be")
        assert word_vectors(WORDS, path).found == ("carrot",)
        assert "own.vec will be read again the next time" in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(GataError, match=r"none\.vec: cannot read the vectors \(No such file"):
        word_vectors(WORDS, tmp_path / "none.vec")


def test_npz_of_ours_round_trips(tmp_path):
    table = Table.of({"carrot": np.ones(5, np.float32), "é": np.zeros(5, np.float32)}, 5)
    write_npz(tmp_path / "own.npz", table)
    assert word_vectors(WORDS, tmp_path / "own.npz").width == 5
