"""How the kernel reads and writes its arrays.

Everywhere in the kernel: ``t`` are the packed tables' numbers, ``s`` and ``w`` the numbers and
bits of the states, ``i`` the row of the batch. Constants such as ``ENTITY_KIND`` say where in the
head of ``t`` a table's beginning is written.
"""

from typing import Any

import numba
import numpy as np

from gata.engine.jit import kernel
from gata.engine.tables import GAME_NUMBERS, GAME_TEXTS, HEAD, INFO, OUTPUT_NUMBERS, POOLS

_N_NUMBERS = len(GAME_NUMBERS)
_N_POOLS = len(POOLS)
_N_TEXTS = len(GAME_TEXTS)
_NUMBER = HEAD.index("number")
_START = HEAD.index("start")
_TEXT = HEAD.index("text")
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


def head(name: str) -> int:
    """Where the beginning of a table, or of a part of a row, is written."""
    return HEAD.index(name)


def info(name: str) -> int:
    """The column of a state's number."""
    return INFO.index(name)


def game_number(name: str) -> int:
    """The place of one of a game's numbers."""
    return GAME_NUMBERS.index(name)


def pool(name: str) -> int:
    """The place of a pool."""
    return POOLS.index(name)


def output(name: str) -> int:
    """The column of an output's number."""
    return OUTPUT_NUMBERS.index(name)


@kernel
def at(t: Any, table: int, index: int) -> int:
    """One entry of a table."""
    return t[t[table] + index]


@kernel
def number(t: Any, game: int, which: int) -> int:
    """One of a game's numbers."""
    return t[t[_NUMBER] + game * _N_NUMBERS + which]


@kernel
def start(t: Any, game: int, pool_: int) -> int:
    """Where a game's items begin in a pool."""
    return t[t[_START] + game * _N_POOLS + pool_]


@kernel
def game_text(t: Any, game: int, which: int) -> int:
    """One of a game's texts."""
    return t[t[_TEXT] + game * _N_TEXTS + which]


@kernel
def get(t: Any, s: Any, i: int, part: int, index: int) -> int:
    """One number of a part of a state, such as an entity's parent."""
    return s[i, t[part] + index]


@kernel
def put(t: Any, s: Any, i: int, part: int, index: int, value: int) -> None:
    """Write one number of a part of a state."""
    s[i, t[part] + index] = value


@kernel
def has_bit(t: Any, w: Any, i: int, part: int, index: int) -> bool:
    """Whether a set has ``index`` in it."""
    return (w[i, t[part] + (index >> 6)] >> np.uint64(index & 63)) & _ONE != _ZERO


@kernel
def set_bit(t: Any, w: Any, i: int, part: int, index: int) -> bool:
    """Put ``index`` into a set; return whether it is new there."""
    column = t[part] + (index >> 6)
    word = w[i, column]
    mask = _ONE << np.uint64(index & 63)
    w[i, column] = word | mask
    return word & mask == _ZERO


@kernel
def clear_bit(t: Any, w: Any, i: int, part: int, index: int) -> bool:
    """Take ``index`` out of a set; return whether it was there."""
    column = t[part] + (index >> 6)
    word = w[i, column]
    mask = _ONE << np.uint64(index & 63)
    w[i, column] = word & ~mask
    return word & mask != _ZERO


def _lowest_bit(typing_context: Any, value: Any) -> Any:
    """The number of the lowest bit set; ``value`` must not be zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return numba.types.int64(numba.types.uint64), generate


def _borrowed(typing_context: Any, array: Any) -> Any:
    """The same array without an owner: nobody counts who uses it, which is a quarter faster.

    Only for functions whose caller keeps the array alive until they return.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        return view._getvalue()

    return array(array), generate


borrowed: Any = numba.extending.intrinsic(_borrowed)
lowest_bit: Any = numba.extending.intrinsic(_lowest_bit)
