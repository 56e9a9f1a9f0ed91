"""A finished run's folder into one record."""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from gata.agents.playing import Episode
from gata.errors import GataError
from gata.evaluation.records import CurvePoint, Record, command
from gata.rl.about import read_about
from gata.training.run import METRICS_FILE, RESULTS_FILE, read_json, read_metrics
from gata.typed_json import read_as


def collect(folder: Path, at_once: int | None = None) -> Record:
    """The record of a run that is over.

    Args:
        folder: of the run.
        at_once: how many runs shared the device when it was trained, if that is known.
    """
    about = read_about(folder)
    results = read_json(folder / RESULTS_FILE)
    where = str(folder / RESULTS_FILE)
    try:
        return Record(
            name=about.settings.name,
            settings=about.settings,
            agent=about.agent,
            network=about.network,
            curve=read_curve(folder / METRICS_FILE),
            valid_games=tuple(read_as(Episode, game, where) for game in results["valid_games"]),
            test_games=tuple(read_as(Episode, game, where) for game in results["test_games"]),
            at_once=at_once,
            command=command(about.settings),
            **{name: results[name] for name in _PLAIN_FIELDS},
        )
    except KeyError as error:
        raise GataError(f"{where}: {error.args[0]} is missing") from error


_PLAIN_FIELDS = (
    "episodes",
    "steps",
    "updates",
    "training_seconds",
    "date",
    "hardware",
    "gata",
    "torch",
    "python",
)
"""Of a record, as they stand in the run's results."""
_DIGITS = 4
"""Of the percentages of a curve."""


def read_curve(path: Path) -> tuple[CurvePoint, ...]:
    """The curve in a run's metrics: a point per evaluation.

    Reports of the training between two evaluations are averaged, each weighed by the episodes it
    tells of.
    """
    points: list[CurvePoint] = []
    waiting: list[tuple[int, Mapping[str, Any]]] = []
    reported = 0
    for number, line in enumerate(read_metrics(path), start=1):
        try:
            kind, episodes = line["kind"], int(line["episodes"])
            if kind == "train":
                waiting.append((episodes - reported, line))
                reported = episodes
            elif kind == "valid":
                points.append(_point(episodes, waiting, line))
                waiting = []
        except (ValueError, KeyError, TypeError) as error:
            raise GataError(f"{path}: line {number} is not understood ({error})") from error
    if waiting:
        points.append(_point(reported, waiting, None))
    return tuple(points)


def _point(
    episodes: int,
    reports: list[tuple[int, Mapping[str, Any]]],
    evaluation: Mapping[str, Any] | None,
) -> CurvePoint:
    weights = [weight for weight, _ in reports]

    def trained(name: str) -> float | None:
        if not reports:
            return None
        return round(fmean([line[name] for _, line in reports], weights), _DIGITS)

    def evaluated(name: str) -> float | None:
        return None if evaluation is None else round(float(evaluation[name]), _DIGITS)

    return CurvePoint(
        episodes=episodes,
        train_score=trained("score"),
        train_success=trained("success"),
        valid_score=evaluated("score"),
        valid_success=evaluated("success"),
    )
