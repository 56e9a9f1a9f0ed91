"""What the corpora for pre-training hold, from what ``gata pretrain data | lengths`` listed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gata.errors import GataError
from gata.evaluation.table import Table

COUNTS_FILE = "data.json"
_SPLITS = ("train", "valid", "test")
_COUNTS: Mapping[str, str] = {
    "games": "games",
    "records": "recorded states",
    "paths": "paths",
    "texts": "different observations",
    "graphs": "different graphs",
    "choices": "choices",
    "examples": "options: examples of AP and SP",
    "ambiguous full": "of these with the full graph of another option",
    "ambiguous seen": "with the seen graph of another option",
    "left out": "commands of walkthroughs left out",
    "megabytes": "size, MB",
}
_LENGTHS = (
    "tokens of an observation",
    "tokens of an update",
    "records of a path",
    "options of a choice",
    "edges of a full graph",
    "edges of a seen graph",
)


def corpora_table(folder: Path) -> Table:
    """Counts, and mean and largest lengths, of each split.

    Args:
        folder: with ``data.json`` of ``gata pretrain data --json`` and a ``lengths-SPLIT.json`` of
            ``gata pretrain lengths --json`` each.
    """
    place = folder / COUNTS_FILE
    try:
        counts = {row["set"].rpartition("/")[2]: row for row in _read(place)}
        rows = [
            (words, *(f"{counts[split][field]:,.0f}" for split in _SPLITS))
            for field, words in _COUNTS.items()
        ]
        columns = []
        for split in _SPLITS:
            place = folder / f"lengths-{split}.json"
            lengths = {row["length in"]: row for row in _read(place)}
            columns.append([_in_words(lengths[what]) for what in _LENGTHS])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        command = "gata pretrain data" if place.name == COUNTS_FILE else "gata pretrain lengths"
        raise GataError(f"{place}: not what {command} --json writes ({error})") from error
    names = (f"{what}, mean / largest" for what in _LENGTHS)
    rows += zip(names, *columns, strict=True)
    return Table(("corpus", *_SPLITS), tuple(rows))


def _in_words(length: Mapping[str, Any]) -> str:
    return f"{length['mean']:.1f} / {length['largest']}"


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
