"""Kinds of hardware, by the words that results have for it."""

import re
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import TypeVar

_CPU = re.compile(r"(?P<kind>.* CPU), (?P<threads>\d+) threads")

Name = TypeVar("Name", str, str | None)


def kind_of(hardware: str) -> str:
    """What it is, however many threads of it worked: ``x86_64 CPU``, ``NVIDIA H200``."""
    found = _CPU.fullmatch(hardware)
    return found["kind"] if found else hardware


def threads_of(hardware: str | None) -> int:
    """How many threads of a CPU worked; 0 of what does not tell, such as GPUs."""
    found = _CPU.fullmatch(hardware or "")
    return int(found["threads"]) if found else 0


def short_name(hardware: str) -> str:
    """For a cell: ``H200``, ``CPU``."""
    return "CPU" if " CPU" in hardware else hardware.removeprefix("NVIDIA ")


def mean_hours(told: Iterable[tuple[Name, float]]) -> Mapping[Name, float]:
    """Of pairs of hardware and hours: hours of different kinds have no mean.

    Args:
        told: the hardware, None if it is not known, and the hours of each run.
    """
    found: dict[Name, list[float]] = {}
    for hardware, hours in told:
        found.setdefault(hardware, []).append(hours)
    names = sorted(found, key=lambda name: name or "")
    return {name: fmean(found[name]) for name in names}
