"""What callers hand in: turned into what the kernel may rely on, or refused in words."""

import operator
import os
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from gata.engine.tables import Array
from gata.errors import UsageError

_LARGEST = np.iinfo(np.int64).max


def as_array(values: npt.ArrayLike, what: str) -> Array:
    """Any array; ``what`` says in errors what it should have been."""
    try:
        return np.asarray(values)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"expected {what} ({error})") from error


def whole_numbers(values: npt.ArrayLike, what: str) -> Array:
    """Integers of any type as int64; those too large for it become its largest."""
    array = as_array(values, what)
    if array.size and array.dtype.kind not in "iu":
        raise UsageError(
            f"expected {what}, found an array of {array.dtype} and shape {array.shape}"
        )
    if array.dtype.kind == "u":
        array = np.minimum(array, np.uint64(_LARGEST))
    return array.astype(np.int64, order="C", copy=False)


def whole_number(value: SupportsIndex, name: str, least: int, meaning: str = "") -> int:
    """A setting that counts, as Python's own integer: numba would compile anew for numpy's."""
    expected = f"expected a whole number, {least}{meaning} or more"
    try:
        # True and False are integers in Python, and hardly ever meant as such.
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        raise UsageError(f"{name} is {value!r}, {expected}")
    return number


def yes_or_no(value: object, name: str) -> bool:
    """A setting that is on or off."""
    if not isinstance(value, bool | np.bool_):
        raise UsageError(f"{name} is {value!r}, expected True or False")
    return bool(value)


def check_fits_in_memory(batch: int, row_bytes: int) -> None:
    """Refuse a batch larger than the machine's memory; the system would end the process."""
    memory = _machine_bytes()
    if memory is not None and batch * row_bytes > memory:
        raise UsageError(
            f"batch is {batch}: at {row_bytes:,} bytes a row it does not fit into this machine's "
            f"{memory:,} bytes of memory; expected at most {memory // row_bytes:,}"
        )


def _machine_bytes() -> int | None:
    """The memory of the machine; None where the system does not tell."""
    sysconf: Any = getattr(os, "sysconf", None)
    try:
        return int(sysconf("SC_PHYS_PAGES")) * int(sysconf("SC_PAGE_SIZE"))
    except (TypeError, ValueError, OSError):
        return None
