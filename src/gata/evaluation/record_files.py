"""Records in files: one JSON file per run, checked whenever it is written or read."""

import json
from dataclasses import asdict
from pathlib import Path

from gata.errors import GataError
from gata.evaluation.record_checks import check
from gata.evaluation.records import Record
from gata.files import atomic_write
from gata.training.run import read_json
from gata.typed_json import read_as

SUFFIX = ".json"


def write_record(record: Record, folder: Path) -> Path:
    """Write ``NAME.json``: a line per field, point of the curve and game. Returns its path."""
    text = _text(record)
    check(read_as(Record, json.loads(text), record.name), record.name)
    path = folder / f"{record.name}{SUFFIX}"
    with atomic_write(path) as stream:
        stream.write(text.encode())
    return path


def _text(record: Record) -> str:
    lines = []
    for name, value in asdict(record).items():
        content = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list | tuple):
            items = (json.dumps(item, ensure_ascii=False) for item in value)
            content = "[\n    " + ",\n    ".join(items) + "\n  ]"
        lines.append(f"  {json.dumps(name)}: {content}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_record(path: Path) -> Record:
    """Read and check what ``write_record`` wrote."""
    value = read_json(path)
    record = read_as(Record, value, str(path))
    # Settings that came later may be absent and are then the paper's; all of them may not.
    if "learning" not in value["settings"]:
        raise GataError(f"{path}: settings.learning is missing")
    check(record, str(path))
    if path.stem != record.name:
        raise GataError(f"{path}: name is {record.name!r}, expected that of the file")
    return record


def read_records(folder: Path) -> list[Record]:
    """All records of a folder, by name; none if there is no such folder."""
    return [_read_of_many(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def _read_of_many(path: Path) -> Record:
    try:
        return read_record(path)
    except GataError as error:
        advice = "move the file elsewhere; `gata reproduce` makes a run's record again"
        raise GataError(f"{error}\n{advice}") from error
