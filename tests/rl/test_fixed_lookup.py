"""What a GPU looks up, against what stands in the replay."""

from pathlib import Path

import pytest
import torch

from gata.agents.commands import CommandBook
from gata.rl import fixed_lookup
from gata.rl.fixed_lookup import FixedLookup
from tests.rl.test_learner import places_of_steps, played


def spelled(book: CommandBook, rows: torch.Tensor) -> list[str]:
    """Commands by the ids of their words."""
    words = book.tokens.take(torch.arange(len(book)), book.tokens.widest).tolist()
    known = dict(zip(map(tuple, words), book.commands, strict=True))
    return [known[tuple(row)] for row in rows.tolist()]


@pytest.mark.parametrize("step", [1, 5, 64])
def test_only_commands_that_occur_have_room(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fixed_lookup, "COMMANDS_STEP", step)
    learner = played("tr-dqn", tmp_path, FixedLookup)
    lookup, steps = learner.lookup, learner.replay.steps
    book, everywhere = lookup.book, places_of_steps(learner.replay)
    most = 0
    for chosen_at, asked_at in (everywhere[:2], everywhere[5:7]), (everywhere, everywhere):
        given = [int(steps.candidates[at, steps.choices[at].long()]) for at in chosen_at]
        candidates = [steps.candidates[at, : int(steps.counts[at])].tolist() for at in asked_at]
        occur = {*given, *(each for row in candidates for each in row)}
        occur |= {0} if min(map(len, candidates)) < steps.candidates.shape[1] else set()
        need = lookup.need([chosen_at, asked_at], chosen_at, asked_at)
        assert int(need[1]) == len(occur)
        lookup.make_room(need)
        offers = lookup.offers(chosen_at, asked_at)
        most = max(most, -(-len(occur) // step) * step)
        assert len(offers.words) == min(most, len(book))
        assert spelled(book, offers.words[offers.chosen]) == [book.commands[each] for each in given]
        for row, mine, allowed in zip(candidates, offers.candidates, offers.allowed, strict=True):
            assert spelled(book, offers.words[mine[allowed]]) == [
                book.commands[each] for each in row
            ]
    lookup.make_room(lookup.need([everywhere[:1]] * 2, everywhere[:1], everywhere[:1]))
    assert len(lookup.offers(everywhere[:1], everywhere[:1]).words) == min(most, len(book))
