"""A finished run's folder into one record."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

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
    path = folder / RESULTS_FILE
    results = read_json(path)
    made = {
        "name": about.settings.name,
        "settings": asdict(about.settings),
        "agent": asdict(about.agent),
        "network": None if about.network is None else asdict(about.network),
        "curve": [asdict(point) for point in read_curve(folder / METRICS_FILE)],
        "at_once": at_once,
        "command": command(about.settings),
        **asdict(about.weights),
    }
    told = {name: results[name] for name in _FROM_RESULTS if name in results}
    return read_as(Record, {**made, **told}, str(path))


_FROM_RESULTS = (
    "valid_games",
    "test_games",
    "episodes",
    "steps",
    "updates",
    "training_seconds",
    "date",
    "hardware",
    "gata",
    "code",
    "torch",
    "python",
)
"""Fields of a record, as they stand in the run's results."""
_DIGITS = 4
"""Of the percentages of a curve."""


def read_curve(path: Path) -> tuple[CurvePoint, ...]:
    """The curve in a run's metrics: a point per evaluation.

    Reports of the training between two evaluations are averaged, each weighed by the episodes it
    tells of.
    """
    points: list[CurvePoint] = []
    waiting: list[tuple[int, Mapping[str, float]]] = []
    reported = 0
    for number, line in enumerate(read_metrics(path), start=1):
        try:
            kind, episodes = line["kind"], int(line["episodes"])
            if kind in ("train", "valid"):
                values = {name: _finite(line[name]) for name in ("score", "success")}
            if kind == "train":
                waiting.append((episodes - reported, values))
                reported = episodes
            elif kind == "valid":
                points.append(_point(episodes, waiting, values))
                waiting = []
        except (ValueError, KeyError, TypeError) as error:
            raise GataError(f"{path}: line {number} is not understood ({error})") from error
    if waiting:
        points.append(_point(reported, waiting, None))
    return tuple(points)


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value} is no number")
    return number


def _point(
    episodes: int,
    reports: list[tuple[int, Mapping[str, float]]],
    evaluation: Mapping[str, float] | None,
) -> CurvePoint:
    weights = [weight for weight, _ in reports]

    def trained(name: str) -> float | None:
        if not reports:
            return None
        return round(fmean([line[name] for _, line in reports], weights), _DIGITS)

    def evaluated(name: str) -> float | None:
        return None if evaluation is None else round(evaluation[name], _DIGITS)

    return CurvePoint(
        episodes=episodes,
        train_score=trained("score"),
        train_success=trained("success"),
        valid_score=evaluated("score"),
        valid_success=evaluated("success"),
    )
