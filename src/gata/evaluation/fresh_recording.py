"""Records of fresh games, refused before anybody plays where they must not be written."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gata.agents.playing import Episode
from gata.agents.stored import Stored
from gata.errors import UsageError
from gata.evaluation.fresh import (
    FEWEST,
    FOLDER,
    about_agent,
    fresh_record,
    read_fresh_record,
    record_path,
    settings_of,
    write_fresh_record,
)
from gata.evaluation.records import Experiment
from gata.files import check_writable, check_writable_file
from gata.games.game import Game
from gata.games.store import content_hashes

OPTION = "--results"
"""Of ``gata evaluate``: the folder of raw results."""


class _Expected(NamedTuple):
    """An agent that will play."""

    about: dict[str, Any]
    """What its record says of it."""
    games: list[str]
    """Their names, in order."""


class Recording:
    """What several trained agents do, each written as soon as it has played."""

    def __init__(self, results: Path, step_limit: int, *, only_the_papers: bool) -> None:
        """Write into a folder of raw results.

        Args:
            results: the folder.
            step_limit: of the episodes that will be played.
            only_the_papers: agents that did not learn with the paper's settings have no place here.
        """
        self._results, self._only_the_papers = results, only_the_papers
        self._step_limit = step_limit
        self._folder = results / FOLDER
        self._expected: dict[str, _Expected] = {}
        check_writable(self._folder, OPTION)

    def expect(self, name: str, stored: Stored, level: int, games: Sequence[Game]) -> None:
        """Get ready for an agent; refuse it if its record would say something else than it seems.

        Args:
            name: as ``load_agent`` takes it.
            stored: what that gave.
            level: of the games.
            games: that it will play.
        """
        settings = settings_of(name, stored)
        if settings.level != level:
            raise UsageError(f"{name} was trained on level {settings.level}: leave out --level")
        if not settings.games.isdecimal():
            raise UsageError(
                f"{name} learnt from {settings.games} games, of which many are worlds of fresh"
                f" games: leave out {OPTION}"
            )
        if len(games) < FEWEST:
            raise UsageError(f"{len(games)} game, expected {FEWEST} or more with {OPTION}")
        if (own := settings.learning.step_limit) != self._step_limit:
            raise UsageError(f"--step-limit is {self._step_limit}, expected {own} as {name} learnt")
        departures = Experiment(settings.learning, stored.brain.preset).departures()
        if self._only_the_papers and departures:
            raise UsageError(
                f"{self._results} has runs with the paper's learning settings, and {name} has"
                f" {' and '.join(departures)}; give a folder of your own: {OPTION} mine"
            )
        if any(other.about["name"] == settings.name for other in self._expected.values()):
            raise UsageError(f"two agents are called {settings.name}: they have one file")
        about = about_agent(name, stored, games)
        self._check_replaced(about, len(games))
        names = [each for each, _ in content_hashes(games)]
        self._expected[name] = _Expected(about, names)

    def _check_replaced(self, about: dict[str, Any], games: int) -> None:
        """Refuse to lose what another agent did, or more games than there will be."""
        path = record_path(self._folder, about["name"])
        check_writable_file(path, OPTION)
        if not path.exists():
            return
        before = read_fresh_record(path)
        others = before.weights_sha256 != about["weights_sha256"]
        if others or len(before.points) > games:
            whose = " of other weights" if others else ""
            raise UsageError(
                f"{path}: has {len(before.points)} games{whose}; move it, or give another {OPTION}"
            )

    def write(self, name: str, episodes: Sequence[Episode]) -> Path:
        """Write what an agent did that was expected."""
        record = fresh_record(*self._expected[name], episodes)
        return write_fresh_record(record, self._folder)
