"""Records in files: one JSON file per run, checked whenever it is written or read.

Points of the curve and games are rows of tables there, whose columns are named once.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gata.agents.playing import Episode
from gata.evaluation.raw_files import SUFFIX, check_settings, check_stem, read_all
from gata.evaluation.record_checks import check
from gata.evaluation.records import CurvePoint, Record
from gata.files import atomic_write
from gata.training.run import read_json
from gata.typed_json import from_table, read_as, to_table

_TABLES = {"curve": CurvePoint, "valid_games": Episode, "test_games": Episode}
"""Fields that are tables, and what their rows are."""


def write_record(record: Record, folder: Path) -> Path:
    """Write ``NAME.json``. Returns its path."""
    text = record_as_text(record)
    check(record_from(json.loads(text), record.name), record.name)
    path = folder / f"{record.name}{SUFFIX}"
    with atomic_write(path) as stream:
        stream.write(text.encode())
    return path


def record_as_text(record: Record) -> str:
    """As JSON: a line per field, point of the curve and game."""
    tables = {name: to_table(kind, getattr(record, name)) for name, kind in _TABLES.items()}
    lines = []
    for name, value in (asdict(record) | tables).items():
        content = json.dumps(value, ensure_ascii=False)
        if name in tables:
            rows = (json.dumps(row, ensure_ascii=False) for row in value)
            content = "[\n    " + ",\n    ".join(rows) + "\n  ]"
        lines.append(f"  {json.dumps(name)}: {content}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def record_from(value: Mapping[str, Any], where: str) -> Record:
    """Of what ``json.loads`` made of such a text; errors begin with ``where``."""
    tables = {
        name: from_table(kind, value[name], where, name)
        for name, kind in _TABLES.items()
        if name in value
    }
    return read_as(Record, {**value, **tables}, where)


def read_record(path: Path) -> Record:
    """Read and check what ``write_record`` wrote."""
    value = read_json(path)
    record = record_from(value, str(path))
    check_settings(value, path)
    check(record, str(path))
    check_stem(record.name, path)
    return record


def read_records(folder: Path) -> list[Record]:
    """All records of a folder, by name; none if there is no such folder."""
    return read_all(folder, read_record, "`gata reproduce` makes a run's record again")
