"""Texts to be written, and how they are scored."""

import pytest
import torch

from gata.language.vocabulary import BOS, EOS, PAD, SEP
from gata.pretrain.marks import teacher_forcing, text_loss
from gata.pretrain.scores import bag_f1, set_f1
from gata.pretrain.tasks.cg import true_commands, written_commands
from gata.pretrain.tasks.og import words_of


def test_a_decoder_reads_from_the_begin_mark_and_says_up_to_the_end_mark() -> None:
    read, said = teacher_forcing(torch.tensor([[7, 8, 9], [7, PAD, PAD], [PAD, PAD, PAD]]))
    assert read.tolist() == [[BOS, 7, 8, 9], [BOS, 7, PAD, PAD], [BOS, PAD, PAD, PAD]]
    assert said.tolist() == [[7, 8, 9, EOS], [7, EOS, PAD, PAD], [EOS, PAD, PAD, PAD]]


def test_the_loss_of_a_text_is_the_sum_over_its_words_and_the_end() -> None:
    odds = torch.randn(2, 4, 12).log_softmax(-1)
    _, said = teacher_forcing(torch.tensor([[7, 8, 9], [7, PAD, PAD]]))
    expected = [
        -sum(float(odds[0, place, word]) for place, word in enumerate((7, 8, 9, EOS))),
        -sum(float(odds[1, place, word]) for place, word in enumerate((7, EOS))),
    ]
    assert text_loss(odds, said).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("written", "true", "f1"),
    [
        ("aab", "aab", 1),
        ("aab", "abb", 2 / 3),
        ("abcd", "ab", 2 * (2 / 4) * 1 / (2 / 4 + 1)),
        ("ab", "cd", 0),
        ("", "", 1),
        ("", "a", 0),
        ("a", "", 0),
    ],
)
def test_f1_of_bags(written: str, true: str, f1: float) -> None:
    assert bag_f1(list(written), list(true)) == pytest.approx(f1)


def test_f1_of_sets_forgets_repetitions() -> None:
    assert set_f1(["a", "a", "b"], ["a", "b"]) == 1
    assert set_f1(["a"], ["a", "b"]) == pytest.approx(2 / 3)


def test_words_end_at_the_end_mark() -> None:
    assert words_of([7, 8, EOS, 9]) == [7, 8]
    assert words_of([7, 8, PAD, PAD]) == [7, 8]


def test_commands_of_texts() -> None:
    assert true_commands([7, 8, SEP, 9, PAD]) == {(7, 8), (9,)}
    assert true_commands([PAD]) == frozenset()
    assert written_commands([7, 8, SEP, 9, EOS, 5]) == {(7, 8), (9,)}
    assert written_commands([EOS]) == frozenset()
    # Cut off in the middle of a command: what was ended before it counts.
    assert written_commands([7, 8, SEP, 9, 9]) == {(7, 8)}
    assert written_commands([7, 8, 9]) == frozenset()
