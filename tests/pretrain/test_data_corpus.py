"""Writing and opening a corpus: what is opened is what was saved, or an error says what is not."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gata.errors import GataError
from gata.pretrain.data.corpus import META_FILE, Corpus, Ragged
from tests.pretrain.tiny import numbers, tiny_corpus


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    tiny_corpus().save(tmp_path / "corpus")
    return tmp_path / "corpus"


def edit_meta(folder: Path, **changes: Any) -> None:
    meta = json.loads((folder / META_FILE).read_text())
    (folder / META_FILE).write_text(json.dumps(meta | changes))


def test_opened_is_what_was_saved(saved: Path) -> None:
    corpus, expected = Corpus.open(saved), tiny_corpus()
    for field in fields(Corpus):
        found, wanted = getattr(corpus, field.name), getattr(expected, field.name)
        if isinstance(wanted, Ragged):
            assert len(found) == len(wanted)
            for i in range(len(wanted)):
                np.testing.assert_array_equal(found.row(i), wanted.row(i))
            found, wanted = found.values, wanted.values
        if isinstance(wanted, np.ndarray):
            assert isinstance(found, np.memmap)
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)
        else:
            assert found == wanted
    assert corpus.sizes["records"] == 4
    assert corpus.texts.lengths.tolist() == [3, 5, 1]


def test_nothing_at_all_can_be_saved_and_opened(tmp_path: Path) -> None:
    tiny = tiny_corpus()
    none = {
        field.name: getattr(tiny, field.name)[:0]
        for field in fields(Corpus)
        if field.name.startswith(("record_", "option_", "path_", "choice_"))
    }
    none["choice_offsets"] = np.zeros(1, np.int64)
    replace(tiny, paths=Ragged.of([], np.int32), **none).save(tmp_path)
    assert Corpus.open(tmp_path).sizes["records"] == 0


def test_without_meta_there_is_no_corpus(saved: Path) -> None:
    (saved / META_FILE).unlink()
    with pytest.raises(GataError, match=r"meta\.json.*gata pretrain data"):
        Corpus.open(saved)


def test_a_corpus_further_up_or_down_is_pointed_to(saved: Path) -> None:
    with pytest.raises(GataError, match="is a single corpus, expected a folder of train, valid"):
        Corpus.open(saved / "train")
    with pytest.raises(GataError, match=f"choose one of those in it: {saved.name}"):
        Corpus.open(saved.parent)


def test_saving_again_withdraws_the_old_corpus_first(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk_full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", disk_full)
    with pytest.raises(GataError, match="No space left"):
        tiny_corpus().save(saved)
    with pytest.raises(GataError, match=META_FILE):
        Corpus.open(saved)


@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
def test_damaged_files_are_named(saved: Path, damage: str) -> None:
    path = saved / "graphs.values.npy"
    data = bytearray(path.read_bytes())
    if damage == "remove":
        path.unlink()
    else:
        data[-1] ^= 1
        path.write_bytes(data if damage == "flip" else data[:-4])
    with pytest.raises(GataError, match=r"graphs\.values\.npy"):
        Corpus.open(saved)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "something else"),
        ("version", 99),
        ("vocabulary_version", "0"),
        ("vocabulary_hash", "0" * 64),
        ("graph_hash", "0" * 64),
        ("sizes", {"records": 5}),
        ("request", {"seed": 1}),
        ("games", [1, 2]),
        ("left_out", "none"),
        ("files", None),
    ],
)
def test_a_wrong_field_is_named(saved: Path, field: str, value: Any) -> None:
    edit_meta(saved, **{field: value})
    with pytest.raises(GataError, match=f"meta.json: field '{field}'"):
        Corpus.open(saved)


@pytest.mark.parametrize("text", ["{", "[]", '"x"'])
def test_meta_that_is_no_object(saved: Path, text: str) -> None:
    (saved / META_FILE).write_text(text)
    with pytest.raises(GataError, match=r"meta\.json"):
        Corpus.open(saved)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("record_text", numbers(0, 1, 2, 3), "record_text.npy: holds numbers from 0 to 3"),
        ("record_parent", numbers(-2, 0, 0, 1), "record_parent.npy: holds numbers from -2"),
        ("record_game", numbers(0, 0, 0), "record_parent.npy: has 4 rows"),
        ("record_seen", np.zeros(4, np.int64), "record_seen.npy: has type int64"),
        ("path_new", numbers(4), "path_new.npy: has 1 rows"),
        ("choice_offsets", np.array([0, 1], np.int64), "choice_offsets.npy: expected ascending"),
        ("choice_offsets", np.array([0, 1, 2], np.int64), "choice_offsets.npy: has 3 rows"),
        (
            "texts",
            Ragged(np.array([30_000], np.int16), np.array([0, 0, 0, 1])),
            "texts.values.npy: holds numbers from 30000",
        ),
        (
            "graphs",
            Ragged(numbers(1, 2), np.array([0, 2, 1, 2])),
            "graphs.offsets.npy: expected ascending",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(
    tmp_path: Path, field: str, value: Any, complaint: str
) -> None:
    with pytest.raises(GataError, match=complaint):
        replace(tiny_corpus(), **{field: value}).save(tmp_path)
    assert not list(tmp_path.iterdir())


def test_arrays_replaced_by_others_with_a_matching_hash_are_still_checked(saved: Path) -> None:
    import hashlib

    np.save(saved / "record_text.npy", np.array([0, 1, 2, 7], np.int32))
    files = json.loads((saved / META_FILE).read_text())["files"]
    files["record_text.npy"] = hashlib.sha256((saved / "record_text.npy").read_bytes()).hexdigest()
    edit_meta(saved, files=files)
    with pytest.raises(GataError, match=r"record_text\.npy: holds numbers from 0 to 7"):
        Corpus.open(saved)
