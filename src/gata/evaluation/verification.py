"""Checking a set of games: every game is there, is what it was, and can be won."""

from collections.abc import Iterator, Sequence

from gata.errors import GataError
from gata.evaluation.walkthrough import play_walkthrough
from gata.games.store import GameRef, open_archive
from gata.parallel import run_parallel

_GAMES_PER_TASK = 20


def verify_games(refs: Sequence[GameRef], jobs: int | None = None) -> Iterator[str | None]:
    """For each game, what is wrong with it, or None: hash, walkthrough, full score."""
    tasks = [tuple(refs[i : i + _GAMES_PER_TASK]) for i in range(0, len(refs), _GAMES_PER_TASK)]
    for problems in run_parallel(_verify_some, tasks, jobs):
        yield from problems


def _verify_some(refs: Sequence[GameRef]) -> list[str | None]:
    return list(map(_problem, refs))


def _problem(ref: GameRef) -> str | None:
    try:
        played = play_walkthrough(open_archive(ref.archive)[ref.name])
    except GataError as error:
        return str(error)
    if not played.wins:
        return f"{ref.name}: the walkthrough ends with {played.score} of {played.max_score} points"
    return None
