"""JSON into dataclasses, with errors that name the file and the field.

A leaf module: every room may import it.
"""

import math
import types
from dataclasses import MISSING, fields, is_dataclass
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


def _object(kind: Any, value: Any, file: str, place: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(file, place, "an object", value)
    hints = get_type_hints(kind)
    known = {field.name: field for field in fields(kind)}
    if unknown := sorted(value.keys() - known.keys()):
        raise GataError(f"{file}{_join(place, unknown[0])} is not a field of {kind.__name__}")
    values = {}
    for name, field in known.items():
        if name in value:
            values[name] = _read(hints[name], value[name], file, _join(place, name))
        elif field.default is MISSING and field.default_factory is MISSING:
            raise GataError(f"{file}{_join(place, name)} is missing")
    try:
        return kind(**values)
    except UsageError as error:
        raise GataError(f"{file}{place or kind.__name__}: {error}") from error


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
