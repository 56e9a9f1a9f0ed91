"""``gata bench engine``: every engine in one run, on the same games."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from gata import console
from gata.engine.benchmark.measure import (
    Speed,
    express_speed,
    our_speed,
    row_bytes,
    start_up_seconds,
    textworld_speed,
)
from gata.engine.verify.runner import write_report
from gata.errors import GataError
from gata.games.settings import LEVELS
from gata.games.store import load_set
from gata.parallel import all_cores

Clock = Literal["wall", "cpu"]
"""By the clock on the wall, or by the processor's (which is known of single threads)."""

_TEXTWORLD_GAMES = 5
"""TextWorld's speed hardly depends on the game, and each must be compiled by Inform 7."""


@dataclass(frozen=True)
class Benchmark:
    """What was measured."""

    speeds: tuple[Speed, ...]
    start_up_s: float
    """From a fresh Python to the first step, with a warm cache."""
    state_bytes: dict[str, int]
    """Memory of one game's state, by set."""
    output_bytes: dict[str, int]
    """Memory of one game's outputs, which comes on top."""

    def times_textworld(self, speed: Speed, clock: Clock = "wall") -> float | None:
        """How many times faster than TextWorld on the same games; None if either is unknown."""
        base = next(
            (s for s in self.speeds if s.engine == "TextWorld" and s.games == speed.games), None
        )
        rates = [
            s and (s.steps_per_second if clock == "wall" else s.steps_per_cpu_second)
            for s in (speed, base)
        ]
        return rates[0] / rates[1] if rates[0] and rates[1] else None

    def to_json(self) -> dict[str, Any]:
        """For a report."""
        return {
            "speeds": [
                {
                    **asdict(speed),
                    "times_textworld": self.times_textworld(speed),
                    "times_textworld_by_cpu": self.times_textworld(speed, "cpu"),
                }
                for speed in self.speeds
            ],
            "start_up_s": self.start_up_s,
            "state_bytes": self.state_bytes,
            "output_bytes": self.output_bytes,
            "cores": all_cores(),
        }


def benchmark(
    levels: Sequence[int],
    batches: Sequence[int],
    *,
    seconds: float,
    express_python: str,
    folder: Path,
) -> Benchmark:
    """Measure every engine on each level's validation games, one after the other."""
    sets = {level: f"level{level}/valid" for level in levels}
    measurements: list[Callable[[], Speed]] = []
    for level, name in sets.items():
        games = load_set(name)
        measurements += [
            partial(_textworld_speed, name, games[:_TEXTWORLD_GAMES], seconds),
            partial(express_speed, name, LEVELS[level], seconds, express_python),
        ]
        for threads in dict.fromkeys((1, all_cores())):
            measurements += [
                partial(our_speed, name, games, batch=batch, threads=threads, seconds=seconds)
                for batch in batches
            ]
    speeds = [run() for run in console.track(measurements, "measuring", len(measurements))]
    memory = {name: row_bytes(load_set(name)) for name in sets.values()}
    result = Benchmark(
        tuple(speeds),
        start_up_seconds(sets[levels[0]]),
        state_bytes={name: state for name, (state, _) in memory.items()},
        output_bytes={name: outputs for name, (_, outputs) in memory.items()},
    )
    write_report(folder, result.to_json())
    return result


def _textworld_speed(label: str, games: Any, seconds: float) -> Speed:
    try:
        return textworld_speed(label, games, seconds)
    except GataError as error:
        return Speed("TextWorld", label, 1, 1, None, remark=f"not measured: {error}")
