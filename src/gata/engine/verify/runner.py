"""Checking many games on all cores, so that an interrupted run goes on where it stopped.

A run is a folder: ``games/`` holds the result of each finished game, ``report.json`` the whole.
A result counts for as long as what was asked and the code that was checked stay the same.
"""

import hashlib
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any

import gata
from gata import console, source
from gata.files import atomic_write
from gata.language.vocabulary import default
from gata.parallel import run_parallel

Job = Callable[[str, Mapping[str, Any]], dict[str, Any]]
"""Checks the game of that name under the given settings; runs in another process, so it must be
a function of a module. It returns something JSON can hold."""

_CHECKED_ROOMS = ("engine", "games", "graph", "language", "facts.py")
"""What a result depends on: change any of it and the game is checked again."""

_PACKAGES = ("textworld", "jericho", "numpy", "numba")


def run_games(
    job: Job,
    names: Sequence[str],
    settings: Mapping[str, Any],
    folder: Path,
    *,
    jobs: int | None = None,
    title: str,
) -> dict[str, dict[str, Any]]:
    """The result of ``job`` for each game, from the run's folder where it is there already.

    A game that fails with an exception gets ``{"error": ...}``, which is not kept: the next run
    tries again.
    """
    stamp = {"settings": dict(settings), "code": code_fingerprint()}
    results: dict[str, dict[str, Any]] = {}
    for name in names:
        kept = _read(_result_path(folder, name), stamp)
        if kept is not None:
            results[name] = kept
    missing = [name for name in names if name not in results]
    if results:
        console.note(f"{folder}: going on, {len(results)} of {len(names)} games are done")
    done = run_parallel(partial(_run, job, settings), missing, jobs)
    for name, result in console.track(done, title, len(missing)):
        results[name] = result
        if "error" not in result:
            _write_json(_result_path(folder, name), {"name": name, **stamp, "result": result})
    return {name: results[name] for name in names}


def write_report(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write ``report.json``: the command, versions, date and machine, and ``content``."""
    path = folder / "report.json"
    report = {
        "command": " ".join(["gata", *sys.argv[1:]]),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "code": code_fingerprint(),
        **content,
    }
    _write_json(path, report)
    return path


def versions() -> dict[str, str]:
    """The software a result was made with."""
    found = {"gata": gata.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


@cache
def code_fingerprint() -> str:
    """A hash of the code that is checked, the code that checks it, and the words of tokens."""
    digest = source.digest(_CHECKED_ROOMS)
    digest.update("\n".join(default().words).encode())
    return digest.hexdigest()[: source.DIGITS]


def _run(job: Job, settings: Mapping[str, Any], name: str) -> tuple[str, dict[str, Any]]:
    try:
        return name, job(name, settings)
    except Exception as error:
        # One game that cannot be played must not end a run of hours; the report names it.
        return name, {"error": f"{type(error).__name__}: {error}"}


def _result_path(folder: Path, name: str) -> Path:
    readable = "".join(c if c.isalnum() or c in "+-." else "_" for c in name)[-80:]
    return folder / "games" / f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"


def _read(path: Path, stamp: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    fresh = all(kept.get(key) == value for key, value in stamp.items())
    result: dict[str, Any] | None = kept.get("result") if fresh else None
    return result


def _write_json(path: Path, value: Any) -> None:
    with atomic_write(path) as stream:
        stream.write(json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8") + b"\n")
