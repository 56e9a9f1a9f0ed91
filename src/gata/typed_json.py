"""JSON into dataclasses and tables of them, with errors that name the file and the field.

A leaf module: every room may import it.
"""

import math
import types
from collections.abc import Iterable
from dataclasses import MISSING, Field, asdict, fields, is_dataclass
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from gata.errors import GataError, UsageError

Kind = TypeVar("Kind")

_PLAIN = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


def read_as(kind: type[Kind], value: Any, where: str) -> Kind:
    """A dataclass made of JSON.

    Fields may be numbers, texts, truth values, literals, optional ones, tuples of any length and
    dataclasses again. A field that is not there takes its default, if it has one; fields that the
    dataclass does not know are errors, as are numbers that are none (NaN).

    Args:
        kind: the dataclass.
        value: what ``json.loads`` made.
        where: begins every error: the file's name.
    """
    made: Kind = _object(kind, value, f"{where}: ", "")
    return made


def to_table(kind: type[Any], items: Iterable[Any]) -> list[list[Any]]:
    """Dataclasses as a table: a row with the names of their fields, then a row of values each."""
    return [
        [field.name for field in fields(kind)],
        *(list(asdict(item).values()) for item in items),
    ]


def from_table(kind: type[Any], table: Any, where: str, place: str) -> list[dict[str, Any]]:
    """The objects that a table stands for, whose values are still to be read with ``read_as``.

    Columns may stand in any order, and may be missing where a field has a default. Errors count
    rows as the objects will be counted: from 0, the names left out.

    Args:
        kind: the dataclass of every row.
        table: what ``json.loads`` made of a table.
        where: begins every error: the file's name.
        place: of the table in the file.
    """
    file = f"{where}: "
    if not isinstance(table, list) or not table:
        raise _wrong(file, place, "column names and below them rows of values", table)
    columns, *rows = table
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        raise _wrong(file, f"the first row of {place}", "the names of its columns", columns)
    for number, name in enumerate(columns):
        if name in columns[:number]:
            raise GataError(f"{file}column {place}.{name} stands there twice")
    for name, field in _known(kind, columns, f"{file}column {place}.").items():
        if name not in columns:
            _see_default(field, f"{file}column {place}.{name}")
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(columns):
            expected = f"a row with values of {', '.join(columns)}"
            raise _wrong(file, f"{place}[{number}]", expected, row)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _object(kind: Any, value: Any, file: str, place: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(file, place, "an object", value)
    hints = get_type_hints(kind)
    values = {}
    for name, field in _known(kind, value, f"{file}{_join(place, '')}").items():
        if name in value:
            values[name] = _read(hints[name], value[name], file, _join(place, name))
        else:
            _see_default(field, f"{file}{_join(place, name)}")
    try:
        return kind(**values)
    except UsageError as error:
        raise GataError(f"{file}{place or kind.__name__}: {error}") from error


def _known(kind: Any, names: Iterable[str], beginning: str) -> dict[str, Field[Any]]:
    """The fields of a dataclass by name, none of the given names being another."""
    known = {field.name: field for field in fields(kind)}
    if unknown := sorted(set(names) - known.keys()):
        raise GataError(f"{beginning}{unknown[0]} is not a field of {kind.__name__}")
    return known


def _see_default(field: Field[Any], place: str) -> None:
    """A field that is not there must have one."""
    if field.default is MISSING and field.default_factory is MISSING:
        raise GataError(f"{place} is missing")


def _read(kind: Any, value: Any, file: str, place: str) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _optional(kind, value, file, place)
    if origin is Literal:
        if value not in get_args(kind):
            expected = " or ".join(map(repr, get_args(kind)))
            raise _wrong(file, place, expected, value)
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(file, place, "a list", value)
        item = get_args(kind)[0]
        return tuple(_read(item, v, file, f"{place}[{i}]") for i, v in enumerate(value))
    if is_dataclass(kind):
        return _object(kind, value, file, place)
    return _plain(kind, value, file, place)


def _optional(kind: Any, value: Any, file: str, place: str) -> Any:
    if value is None:
        return None
    (other,) = (part for part in get_args(kind) if part is not type(None))
    return _read(other, value, file, place)


def _plain(kind: Any, value: Any, file: str, place: str) -> Any:
    if kind not in _PLAIN:
        raise TypeError(f"{place}: fields of type {kind} cannot be read")
    if kind is float and type(value) is int:
        try:
            value = float(value)
        except OverflowError:
            raise _wrong(file, place, _PLAIN[kind], value) from None
    # type(), not isinstance: true is no number.
    if type(value) is not kind or (kind is float and not math.isfinite(value)):
        raise _wrong(file, place, _PLAIN[kind], value)
    return value


def _join(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _wrong(file: str, place: str, expected: str, found: Any) -> GataError:
    shown = repr(found)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return GataError(f"{file}{place or 'the file'} is {shown}, expected {expected}")
