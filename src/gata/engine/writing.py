"""Kernel: text. Writers append pieces at column ``n`` of a state's row and return the next column.

A piece is a number of the packed texts, or ``-1 - k`` for the number k.
"""

from typing import Any

from gata.engine.actions import Cooking, Flag, Kind
from gata.engine.jit import kernel
from gata.engine.memory import at, game_number, game_text, get, head, info, number, pool, start
from gata.engine.messages import Fixed
from gata.engine.tables import GAME_TEXTS
from gata.engine.templates import Do

_GAME = info("game")
_ROOM = info("room")
_TURN = info("turn")
_SCORE = info("score")
_DESCRIPTION_LENGTH = info("description_length")
_INVENTORY_LENGTH = info("inventory_length")
_PLAYER = game_number("player")
_ENTITIES = pool("entity")
_END_MIDDLE = GAME_TEXTS.index("end_middle")

_FIRST = head("state_first")
_NEXT = head("state_next")
_FLAGS = head("state_flags")
_COOKING = head("state_cooking")
_CUTTING = head("state_cutting")
_DESCRIPTION = head("state_description")
_INVENTORY = head("state_inventory")
_ENTITY_KIND = head("entity_kind")
_ENTITY_NAMES = head("entity_names")
_ENTITY_PROGRAM = head("entity_program")
_NAME_LISTED = head("name_listed")
_NAME_PLAIN = head("name_plain")
_PROGRAM_DO = head("program_do")
_PROGRAM_TEXT = head("program_text")
_PROGRAM_ENTITY = head("program_entity")
_PROGRAM_JUMP = head("program_jump")

_OPEN, _LOCKED = int(Flag.OPEN), int(Flag.LOCKED)
_BURNED, _NEEDS_COOKING = int(Flag.BURNED), int(Flag.NEEDS_COOKING)
_FOOD, _PORTABLE = int(Kind.FOOD), int(Kind.PORTABLE)
_RAW = int(Cooking.RAW)
_DO_END, _SAY, _NAME, _LIST, _JUMP = map(int, (Do.END, Do.SAY, Do.NAME, Do.LIST, Do.JUMP))
_IF_OPEN, _IF_CLOSED, _IF_LOCKED = int(Do.IF_OPEN), int(Do.IF_CLOSED), int(Do.IF_LOCKED)
_IF_HOLDING = int(Do.IF_HOLDING)

_COMMA = int(Fixed.COMMA)
_AND = int(Fixed.AND)
_FLOOR_START = int(Fixed.FLOOR_START)
_FLOOR_END = int(Fixed.FLOOR_END)
_AFTER_FLOOR = int(Fixed.AFTER_FLOOR)
_AFTER_DESCRIPTION = int(Fixed.AFTER_DESCRIPTION)
_CARRYING = int(Fixed.CARRYING)
_CARRYING_END = int(Fixed.CARRYING_END)
_CARRYING_NOTHING = int(Fixed.CARRYING_NOTHING)
_END_TURN = int(Fixed.END_TURN)
_END_TURNS = int(Fixed.END_TURNS)
_END_PROMPT = int(Fixed.END_PROMPT)


@kernel
def name_variant(t: Any, s: Any, i: int, e0: int, thing: int) -> int:
    """Which of a thing's names fits its state: 0 for all but prepared or raw food."""
    if at(t, _ENTITY_KIND, e0 + thing) & _FOOD == 0:
        return 0
    flags = get(t, s, i, _FLAGS, thing)
    cooking = get(t, s, i, _COOKING, thing)
    prefix = 0
    if flags & _NEEDS_COOKING:
        prefix = 1
    elif flags & _BURNED:
        prefix = 2
    elif cooking != _RAW:
        prefix = 2 + cooking
    return get(t, s, i, _CUTTING, thing) * 6 + prefix


@kernel
def next_listed(t: Any, s: Any, i: int, e0: int, thing: int, only_portable: bool) -> int:
    """``thing`` or the first of its later siblings that may be listed; -1 if none."""
    if only_portable:
        while thing >= 0 and at(t, _ENTITY_KIND, e0 + thing) & _PORTABLE == 0:
            thing = get(t, s, i, _NEXT, thing)
    return thing


@kernel
def write_list(t: Any, s: Any, i: int, e0: int, holder: int, only_portable: bool, n: int) -> int:
    """What a holder holds: ``a, b and c``."""
    thing = next_listed(t, s, i, e0, get(t, s, i, _FIRST, holder), only_portable)
    while thing >= 0:
        variant = name_variant(t, s, i, e0, thing)
        s[i, n] = at(t, _NAME_LISTED, at(t, _ENTITY_NAMES, e0 + thing) + variant)
        n += 1
        following = next_listed(t, s, i, e0, get(t, s, i, _NEXT, thing), only_portable)
        if following >= 0:
            after = next_listed(t, s, i, e0, get(t, s, i, _NEXT, following), only_portable)
            s[i, n] = _COMMA if after >= 0 else _AND
            n += 1
        thing = following
    return n


@kernel
def write_program(t: Any, s: Any, i: int, e0: int, step: int, n: int) -> int:
    """Run a description from instruction ``step`` on."""
    while True:
        do = at(t, _PROGRAM_DO, step)
        if do == _DO_END:
            return n
        thing = at(t, _PROGRAM_ENTITY, step)
        holds = True
        if do == _SAY:
            s[i, n] = at(t, _PROGRAM_TEXT, step)
            n += 1
        elif do == _JUMP:
            holds = False
        elif do == _NAME:
            variant = name_variant(t, s, i, e0, thing)
            s[i, n] = at(t, _NAME_PLAIN, at(t, _ENTITY_NAMES, e0 + thing) + variant)
            n += 1
        elif do == _LIST:
            n = write_list(t, s, i, e0, thing, False, n)
        elif do == _IF_OPEN:
            holds = get(t, s, i, _FLAGS, thing) & _OPEN != 0
        elif do == _IF_CLOSED:
            holds = get(t, s, i, _FLAGS, thing) & _OPEN == 0
        elif do == _IF_LOCKED:
            holds = get(t, s, i, _FLAGS, thing) & _LOCKED != 0
        else:
            holds = (get(t, s, i, _FIRST, thing) >= 0) == (do == _IF_HOLDING)
        step = step + 1 if holds else at(t, _PROGRAM_JUMP, step)


@kernel
def write_room(t: Any, s: Any, i: int, n: int) -> int:
    """The room as the player sees it."""
    e0 = start(t, s[i, _GAME], _ENTITIES)
    room = s[i, _ROOM]
    n = write_program(t, s, i, e0, at(t, _ENTITY_PROGRAM, e0 + room), n)
    if next_listed(t, s, i, e0, get(t, s, i, _FIRST, room), True) >= 0:
        s[i, n] = _FLOOR_START
        n = write_list(t, s, i, e0, room, True, n + 1)
        s[i, n] = _FLOOR_END
        n += 1
    return n


@kernel
def write_description(t: Any, s: Any, i: int) -> None:
    """The room, into its own part of the state."""
    begin = t[_DESCRIPTION]
    s[i, _DESCRIPTION_LENGTH] = write_room(t, s, i, begin) - begin


@kernel
def write_inventory(t: Any, s: Any, i: int) -> None:
    """What the player carries, into its own part of the state."""
    game = s[i, _GAME]
    player = number(t, game, _PLAYER)
    begin = t[_INVENTORY]
    if get(t, s, i, _FIRST, player) < 0:
        s[i, begin] = _CARRYING_NOTHING
        s[i, _INVENTORY_LENGTH] = 1
        return
    s[i, begin] = _CARRYING
    n = write_list(t, s, i, start(t, game, _ENTITIES), player, False, begin + 1)
    s[i, n] = _CARRYING_END
    s[i, _INVENTORY_LENGTH] = n + 1 - begin


@kernel
def copy_pieces(s: Any, i: int, source: int, count: int, n: int) -> int:
    """Copy ``count`` pieces that begin at column ``source``."""
    for k in range(count):
        s[i, n + k] = s[i, source + k]
    return n + count


@kernel
def write_after_room(s: Any, i: int, n: int) -> int:
    """The white space after a description that ends a reply."""
    s[i, n] = _AFTER_FLOOR if s[i, n - 1] == _FLOOR_END else _AFTER_DESCRIPTION
    return n + 1


@kernel
def write_ending(t: Any, s: Any, i: int, n: int, opening: int) -> int:
    """The obituary: score, turns, and a question nobody can answer."""
    s[i, n] = opening
    s[i, n + 1] = -1 - s[i, _SCORE]
    s[i, n + 2] = game_text(t, s[i, _GAME], _END_MIDDLE)
    s[i, n + 3] = -1 - s[i, _TURN]
    s[i, n + 4] = _END_TURN if s[i, _TURN] == 1 else _END_TURNS
    s[i, n + 5] = _END_PROMPT
    return n + 6
