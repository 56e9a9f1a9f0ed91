"""Model cards: what files of models say about themselves, for people to read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gata.models.kinds import about, roles
from gata.models.weights import StoredModel
from gata.nn.settings import NetworkSettings

COLUMNS = ("name", "parts", "kind", "parameters", "bytes", "metrics")
"""Of the table of models."""

_INTRODUCTION = """\
# Model cards

What the weight files in the package say about themselves. This page is made from them, by
`gata models cards --output docs/model_cards.md`; [Trained models](models.md) says how to use them.
"""

_DIGITS = 4
"""Of a metric; `gata models show` has all."""


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Everything in nested JSON objects with its place: ``{"a": {"b": 1}}`` is ``a b`` and 1."""
    if not isinstance(value, Mapping):
        yield name, value
        return
    for key, item in value.items():
        yield from flat(item, f"{name} {key}".strip())


def in_short(model: StoredModel) -> dict[str, Any]:
    """A shipped model's line in the table of models, by column, as JSON.

    Both its name and its parts' are names that ``gata.load`` takes.
    """
    name, *parts = model.names
    values = (name, parts, model.kind, model.parameters, model.bytes, _metrics(model))
    return dict(zip(COLUMNS, values, strict=True))


def row(model: StoredModel) -> list[Any]:
    """The same for people."""
    cells = in_short(model)
    metrics = ", ".join(f"{key} {_short(value)}" for key, value in flat(cells["metrics"]))
    cells |= {"parts": ", ".join(cells["parts"]) or None, "metrics": metrics or None}
    return list(cells.values())


def selection(model: StoredModel) -> str | None:
    """How the model was chosen among others, if its card tells: its metrics may suffer by it."""
    told = model.card.get("selection")
    return None if told is None else str(told)


def describe(name: str, model: StoredModel) -> dict[str, Any]:
    """All there is to know about a model without its weights, as JSON."""
    return {
        "name": name,
        "kind": model.kind,
        "about": about(model.kind),
        "roles": list(roles(model.kind)),
        "parameters": model.parameters,
        "bytes": model.bytes,
        "stored as": stored_types(model),
        "card": dict(model.card),
        "settings": asdict(model.settings),
        "vocabularies": dict(model.vocabularies),
    }


def stored_types(model: StoredModel) -> str:
    """The types of the stored numbers."""
    types = {str(tensor.dtype).removeprefix("torch.") for tensor in model.tensors.values()}
    return ", ".join(sorted(types))


def page(models: Mapping[str, StoredModel]) -> str:
    """The Markdown page of all cards."""
    if not models:
        return f"{_INTRODUCTION}\nThere are no models in this version.\n"
    rows = [[_short(cell) for cell in row(model)] for model in models.values()]
    parts = [_INTRODUCTION, _table(COLUMNS, rows)]
    parts += [_card(name, model) for name, model in models.items()]
    return "\n".join(parts)


def _card(name: str, model: StoredModel) -> str:
    facts = [
        ("kind", f"{model.kind}, {about(model.kind)}"),
        ("load as", ", ".join(f"`{each}`" for each in model.names)),
        ("parameters", f"{model.parameters:,}, as {stored_types(model)}"),
        ("file", f"`{model.path.name}`, {model.bytes:,} bytes"),
        ("settings", _settings(model.settings)),
        ("vocabulary", f"version {model.vocabularies.get('words version')}"),
    ]
    facts += [
        (place, f"`{value}`" if place == "command" else _short(value))
        for place, value in flat(model.card)
    ]
    return f"## {name}\n\n{_table(('', ''), facts)}"


def _settings(settings: NetworkSettings) -> str:
    """What departs from the defaults."""
    usual = asdict(NetworkSettings())
    changed = [
        f"{name} {value}" for name, value in asdict(settings).items() if value != usual[name]
    ]
    return "the paper's" + (f", but {', '.join(changed)}" if changed else "")


def _metrics(model: StoredModel) -> dict[str, Any]:
    metrics = model.card.get("metrics", {})
    return dict(metrics) if isinstance(metrics, Mapping) else {"": metrics}


def _short(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    if isinstance(value, list):
        return ", ".join(map(_short, value))
    return str(value)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    escaped = [[cell.replace("|", r"\|").replace("\n", " ") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped)
