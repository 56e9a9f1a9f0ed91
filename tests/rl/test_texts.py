"""Observations by number."""

import numpy as np
import torch

from gata.rl.texts import TextBook

CPU = torch.device("cpu")


def texts(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Many different texts of up to 30 words."""
    random = np.random.default_rng(seed)
    lengths = random.integers(25, 31, count).astype(np.int32)
    ids = random.integers(1, 700, (count, 30)).astype(np.int32)
    ids[np.arange(30) >= lengths[:, None]] = 0
    return ids, lengths


def test_the_same_text_has_the_same_number_and_its_words() -> None:
    book = TextBook(CPU)
    ids, lengths = texts(50, 1)
    first = book.enter(ids, lengths)
    assert sorted(first) == list(range(50))
    again = book.enter(np.pad(ids[::-1], ((0, 0), (0, 4))), lengths[::-1])
    assert list(again) == list(first[::-1])
    assert len(book) == 50
    words = book.tokens.look_up(first)
    assert np.array_equal(words[:, :30].numpy(), ids)
    assert not words[:, 30:].any()


def test_what_was_captured_stays_good_while_a_usual_training_meets_new_texts() -> None:
    book = TextBook(CPU)
    versions = set()
    for seed in range(40):
        book.enter(*texts(250, seed))
        versions.add(book.tokens.version)
    assert len(book) == 10_000
    assert len(versions) == 1


def test_a_book_grows_beyond_its_room(monkeypatch) -> None:
    monkeypatch.setattr("gata.rl.texts.ROOM_TEXTS", 8)
    monkeypatch.setattr("gata.rl.texts.ROOM_WORDS", 64)
    book = TextBook(CPU)
    batches = [texts(20, seed) for seed in range(3)]
    versions = set()
    for ids, lengths in batches:
        book.enter(ids, lengths)
        versions.add(book.tokens.version)
    assert len(versions) > 1
    for ids, lengths in batches:
        words = book.tokens.look_up(book.enter(ids, lengths), least=30)
        assert np.array_equal(words[:, :30].numpy(), ids)
