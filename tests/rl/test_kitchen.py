"""What the games made by hand ask of a player, proven by playing every way there is."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from gata.engine import VectorEnv
from gata.engine.verify.check import check_game
from gata.engine.verify.ours import EnginePlayer
from gata.games import Game
from tests.rl.kitchen import FORGOTTEN, STATES, STEP_LIMIT


class Moment(NamedTuple):
    """Where some commands lead, as an agent sees it."""

    said: tuple[int, ...]
    offered: tuple[str, ...]
    won: bool
    lost: bool


Ways = Mapping[tuple[str, ...], Moment]


def all_ways(game: Game) -> Ways:
    """What comes of every row of commands that the step limit allows, the shorter ones first."""
    env = VectorEnv([game], 1, step_limit=STEP_LIMIT)
    outputs = env.reset()

    def moment() -> Moment:
        said = outputs.observation[0, : outputs.observation_length[0]]
        offered = tuple(env.candidates(0))
        return Moment(tuple(said.tolist()), offered, bool(outputs.won[0]), bool(outputs.lost[0]))

    ways, open_ways = {(): moment()}, [((), env.save())]
    while open_ways:
        way, saved = open_ways.pop(0)
        for choice, command in enumerate(ways[way].offered):
            env.restore(saved)
            outputs = env.step_candidates([choice])
            ways[(*way, command)] = moment()
            if not outputs.done[0]:
                open_ways.append(((*way, command), env.save()))
    return ways


def winning(ways: Ways) -> Sequence[tuple[str, ...]]:
    return [way for way, moment in ways.items() if moment.won]


@pytest.mark.textworld
@pytest.mark.parametrize("game", [*STATES, *FORGOTTEN], ids=lambda game: game.name)
def test_textworld_plays_them_just_so(game: Game) -> None:
    pytest.importorskip("textworld")
    from gata.engine.verify.reference import TextWorldPlayer

    reference = TextWorldPlayer(game)
    try:
        result = check_game(game, reference, EnginePlayer(game), policy=None, steps=60, seed=7)
    finally:
        reference.close()
    assert result.mismatches == []
    assert result.steps == 60


def test_who_does_not_look_wins_one_of_two() -> None:
    """Values of commands alone win one game at most, and so does any row of commands."""
    one, other = map(all_ways, STATES)
    for way in one.keys() & other.keys():
        # Who only sees what is on offer gives the same commands in both, until one is over ...
        if not (one[way].lost or other[way].lost):
            assert one[way].offered == other[way].offered
    for ours, theirs in ((one, other), (other, one)):
        assert winning(ours)
        for way in winning(ours):
            # ... and what wins one has lost the other by then.
            before = [way[:count] for count in range(len(way) + 1)]
            assert any(theirs[part].lost for part in before if part in theirs)


def test_who_does_not_remember_wins_one_of_two() -> None:
    one, other = map(all_ways, FORGOTTEN)
    assert one[()].said != other[()].said
    # There is time for one way in each game, and it begins with the knife ...
    for game, ways in zip(FORGOTTEN, (one, other), strict=True):
        assert winning(ways) == [game.walkthrough]
    first, cut = zip(*(game.walkthrough[:2] for game in FORGOTTEN), strict=True)
    assert len(set(first)) == 1
    # ... and then both games look the same, but want another cut.
    assert one[first[:1]] == other[first[:1]]
    assert len(set(cut)) == 2
