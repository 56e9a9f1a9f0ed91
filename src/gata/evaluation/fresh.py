"""How trained agents do on fresh test games: raw results, one JSON file per agent.

The paper's test sets have 20 games of a level, of which chance can make ten points more or less.
The fresh games (``gata.games.streams``) are made as they are, by the hundreds, so what is left is
chance among agents, not among games.
"""

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gata.agents.playing import Episode
from gata.agents.presets import Preset
from gata.agents.stored import Stored
from gata.errors import GataError, UsageError
from gata.evaluation.raw_files import (
    SUFFIX,
    check_settings,
    check_stem,
    read_advised,
    read_all,
)
from gata.evaluation.record_checks import date_problems, digest_problems, identity_problems
from gata.evaluation.records import Experiment
from gata.files import atomic_write
from gata.games.game import Game
from gata.games.store import content_hashes, fingerprints
from gata.games.streams import FRESH
from gata.models import shipped
from gata.models.files import content_digest
from gata.rl.settings import TrainSettings
from gata.training.checkpoint import circumstances
from gata.training.run import read_json
from gata.typed_json import read_as

FOLDER = "fresh"
"""Of these files among the raw results."""
FEWEST = 2
"""Games that have a standard error."""
DIGESTS: Mapping[str, str] = {
    "level1/fresh/1000": "f4d969e46b4005501ed77601857346bf1015644beda5dad7155e8d862c4d4013",
    "level2/fresh/1000": "9e15fbc832480f959c658079197bbcd67ff937884b75039c5e2e3ac48d35e320",
    "level3/fresh/1000": "9af65a2b22bc5c299346d7f0cf121af8d63f6c8d20ff520551d925d7957d81d7",
    "level4/fresh/1000": "c51fec035f4428119733c1d70e72589120f2b07d617cfa29832bf39e7713a1e0",
    "level5/fresh/1000": "faa5d6441f3600bc9bc687588e82ddbadc9a0bea2721365b7697f42332169358",
}
"""``games_digest`` of the sets that published figures are of: whoever makes them makes the same."""
RUNS = "runs/train"
"""Where `gata train` puts runs if it is not told."""
_WAY = "`gata evaluate` with --results makes it again"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A game's points in one character: a thousand games take a kilobyte, not fifty."""


@dataclass(frozen=True)
class FreshRecord:
    """How one trained agent did; episodes end after as many steps as in its training."""

    name: str
    """Of its run."""
    settings: TrainSettings
    agent: Preset
    played: str
    """The set of games, such as ``level1/fresh/1000``."""
    games_sha256: str
    """Of their names and contents: agents with the same number here played the same games."""
    worlds: int
    """How many of them differ in recipe, map, things or states: one-room games repeat a few."""
    points: str
    """Of each game, in the order of the set: a digit, or a letter from a = 10 on."""
    max_points: str
    """What there was to be had, likewise. Who has all points has won."""
    steps: float
    """On average."""
    weights_sha256: str
    """Of the agent's file, which names the updater it plays with by a number of this kind, too."""
    trained: str
    """When its training ended, as its run's record says."""
    command: str
    """That lets the same agent play these games."""
    date: str
    hardware: str
    gata: str
    code: str
    torch: str
    python: str

    @property
    def experiment(self) -> Experiment:
        """What it is a seed of."""
        return Experiment(self.settings.learning, self.agent)

    def departures(self) -> list[str]:
        """What is not as in the paper, in words."""
        return self.experiment.departures()

    @property
    def scores(self) -> NDArray[np.float64]:
        """(games,) in percent of each game's points."""
        return 100 * _numbers(self.points) / _numbers(self.max_points)

    @property
    def successes(self) -> NDArray[np.float64]:
        """(games,): 100 where the game was won, else 0."""
        return np.where(_numbers(self.points) == _numbers(self.max_points), 100.0, 0.0)


def _numbers(digits: str) -> NDArray[np.int64]:
    return np.array([_DIGITS.index(each) for each in digits], np.int64)


def settings_of(name: str, stored: Stored) -> TrainSettings:
    """How an agent was trained; the arguments are those of ``about_agent``."""
    if "settings" not in stored.card:
        raise UsageError(f"{name}: not of a run of `gata train`: its card has no settings")
    if "date" not in stored.card:
        raise UsageError(f"{name}: this run is not over, and its best weights may still change")
    return read_as(TrainSettings, stored.card["settings"], f"{name}: settings")


def about_agent(name: str, stored: Stored, games: Sequence[Game]) -> dict[str, Any]:
    """What a record says of an agent and of what it will play.

    Args:
        name: as ``load_agent`` takes it.
        stored: what that gave.
        games: fresh ones of its level.
    """
    settings = settings_of(name, stored)
    # Without the folders of whoever lets it play.
    agent = name if name in shipped.agents() else f"{RUNS}/{settings.name}"
    command = ["gata", "evaluate", agent, "--split", FRESH.name]
    if len(games) != FRESH.set_size:
        command += ["--fresh-games", str(len(games))]
    about = {
        "name": settings.name,
        "settings": asdict(settings),
        "agent": asdict(stored.brain.preset),
        "played": _set_name(settings.level, len(games)),
        "games_sha256": games_digest(games),
        "worlds": len({made_of.world for made_of in fingerprints(games)}),
        "weights_sha256": content_digest(shipped.find(name)),
        "trained": stored.card["date"],
        **circumstances(stored.brain.device),
        "command": shlex.join(command),
    }
    # As in a file: torch calls its version something that is more than text.
    made: dict[str, Any] = json.loads(json.dumps(about))
    return made


def fresh_record(
    about: Mapping[str, Any], names: Sequence[str], episodes: Sequence[Episode]
) -> FreshRecord:
    """The record of an agent that played.

    Args:
        about: from ``about_agent``.
        names: of its games.
        episodes: of these, in their order.
    """
    if [episode.game for episode in episodes] != list(names):
        raise ValueError("episodes are not of these games, or in another order")
    played = {
        "points": "".join(_DIGITS[episode.score] for episode in episodes),
        "max_points": "".join(_DIGITS[episode.max_score] for episode in episodes),
        "steps": round(fmean(episode.steps for episode in episodes), 2),
    }
    record = read_as(FreshRecord, {**about, **played}, str(about["name"]))
    _check(record, record.name)
    return record


def games_digest(games: Sequence[Game]) -> str:
    """SHA-256 of the names and contents of games, in their order."""
    return hashlib.sha256(json.dumps(content_hashes(games)).encode()).hexdigest()


def record_path(folder: Path, name: str) -> Path:
    """The file of the record of that name."""
    return folder / f"{name}{SUFFIX}"


def write_fresh_record(record: FreshRecord, folder: Path) -> Path:
    """Write ``NAME.json``; returns its path."""
    path = record_path(folder, record.name)
    text = json.dumps(asdict(record), indent=2, ensure_ascii=False)
    with atomic_write(path) as stream:
        stream.write(f"{text}\n".encode())
    return path


def read_fresh_records(folder: Path) -> list[FreshRecord]:
    """All records of a folder, by name, checked; none if there is no such folder."""
    return read_all(folder, _read, _WAY)


def read_fresh_record(path: Path) -> FreshRecord:
    """Read and check what ``write_fresh_record`` wrote."""
    return read_advised(path, _read, _WAY)


def _read(path: Path) -> FreshRecord:
    value = read_json(path)
    record = read_as(FreshRecord, value, str(path))
    check_settings(value, path)
    _check(record, str(path))
    check_stem(record.name, path)
    return record


def _check(record: FreshRecord, where: str) -> None:
    """See that a record makes sense."""
    for problem in _problems(record):
        raise GataError(f"{where}: {problem}")


def _problems(record: FreshRecord) -> Iterator[str]:
    """All there are; each may only be asked for if there were none before."""
    settings = record.settings
    yield from identity_problems(record.name, settings, record.agent)
    for name in ("points", "max_points"):
        if strange := set(getattr(record, name)) - set(_DIGITS):
            yield f"{name} has {min(strange)!r}, expected digits and letters from a to z"
    count = len(record.points)
    if count < FEWEST or count != len(record.max_points):
        both = f"points and max_points are of {count} and {len(record.max_points)} games"
        yield f"{both}, expected as many, {FEWEST} or more"
    for number, (got, most) in enumerate(zip(record.points, record.max_points, strict=True)):
        if most == "0" or got > most:
            yield f"points[{number}] is {got} of {most}, expected no more than there are"
    if not 1 <= record.worlds <= count:
        yield f"worlds is {record.worlds}, expected 1 to {count}, the number of games"
    if not 1 <= record.steps <= settings.learning.step_limit:
        yield f"steps is {record.steps}, expected 1 to {settings.learning.step_limit}"
    if record.played != (expected := _set_name(settings.level, count)):
        yield f"played is {record.played!r}, expected {expected!r} as settings and points say"
    for name in ("games_sha256", "weights_sha256"):
        yield from digest_problems(name, getattr(record, name))
    published = DIGESTS.get(record.played)
    if published not in (None, record.games_sha256):
        yield f"games_sha256 is {record.games_sha256!r}, expected {published!r} of {record.played}"
    for name in ("trained", "date"):
        yield from date_problems(name, getattr(record, name))


def _set_name(level: int, count: int) -> str:
    return f"level{level}/{FRESH.name}/{count}"
