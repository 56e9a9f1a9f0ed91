"""Kernel: TextWorld's facts, what can be done, and the two graphs."""

from typing import Any

from gata.engine.actions import Flag, Kind, Op
from gata.engine.jit import kernel
from gata.engine.memory import (
    at,
    clear_bit,
    game_number,
    get,
    has_bit,
    head,
    info,
    number,
    pool,
    set_bit,
    start,
)

# Which outputs a step made stale.
STALE_FEEDBACK = 1
STALE_DESCRIPTION = 2
STALE_INVENTORY = 4
STALE_FULL = 8
STALE_SEEN = 16
STALE_CANDIDATES = 32
STALE_ALL = 63

_ROOM = info("room")
_LAST = info("last_grounding")
_PERFORMED = info("performed")
_MOVES = info("moves")
_N_ENTITIES = game_number("entities")

_ACTIONS = pool("action")
_ENTITIES = pool("entity")
_FACTS_POOL = pool("fact")
_GROUNDINGS = pool("grounding")
_PLACES = pool("place")
_RECIPE = pool("recipe")
_ROOMS = pool("room")

_FIRST = head("state_first")
_NEXT = head("state_next")
_FLAGS = head("state_flags")
_FACTS = head("bits_facts")
_READY = head("bits_ready")
_FULL = head("bits_full")
_SEEN = head("bits_seen")

_ACTION_OP = head("action_op")
_ACTION_FIRST = head("action_first")
_ACTION_IS_RECIPE = head("action_is_recipe")
_ACTION_GROUNDINGS = head("action_groundings")
_GROUNDING_ROOM = head("grounding_room")
_GROUNDING_NEEDS = head("grounding_needs")
_GROUNDING_ADDS = head("grounding_adds")
_GROUNDING_ENDS = head("grounding_ends")
_GROUNDING_SHOWS = head("grounding_shows")
_GROUNDING_HIDES = head("grounding_hides")
_NEED_FACT = head("need_fact")
_ADD_FACT = head("add_fact")
_END_FACT = head("end_fact")
_SHOW_EDGE = head("show_edge")
_HIDE_EDGE = head("hide_edge")
_FACT_TOUCHES = head("fact_touches")
_FACT_EDGE = head("fact_edge")
_TOUCH_GROUNDING = head("touch_grounding")
_ENTITY_KIND = head("entity_kind")
_ENTITY_STATES = head("entity_states")
_ENTITY_CARRIED = head("entity_carried")
_STATE_FACT = head("state_fact")
_PLACE_EDGE = head("place_edge")
_ROOM_SIGHTS = head("room_sights")
_ROOM_WATCHED = head("room_watched")
_SIGHT_EDGE = head("sight_edge")
_WATCH_FACT = head("watch_fact")
_RECIPE_EDGE = head("recipe_edge")

_PORTABLE, _SUPPORTER, _CONTAINER = int(Kind.PORTABLE), int(Kind.SUPPORTER), int(Kind.CONTAINER)
_OPEN_FLAG = int(Flag.OPEN)
_INVENTORY, _GO, _OPEN, _DROP, _PUT = map(int, (Op.INVENTORY, Op.GO, Op.OPEN, Op.DROP, Op.PUT))


@kernel
def can_be_done(t: Any, w: Any, i: int, g0: int, grounding: int, room: int) -> bool:
    """Whether a grounding's facts hold and ``room`` is where it can be done."""
    where = at(t, _GROUNDING_ROOM, g0 + grounding)
    return has_bit(t, w, i, _READY, grounding) and (where < 0 or where == room)


@kernel
def update_ready(t: Any, w: Any, i: int, g0: int, f0: int, fact: int) -> None:
    """A fact has changed: see anew which groundings can be done."""
    for k in range(at(t, _FACT_TOUCHES, f0 + fact), at(t, _FACT_TOUCHES, f0 + fact + 1)):
        grounding = at(t, _TOUCH_GROUNDING, k)
        g = g0 + grounding
        holds = True
        for m in range(at(t, _GROUNDING_NEEDS, g), at(t, _GROUNDING_NEEDS, g + 1)):
            if not has_bit(t, w, i, _FACTS, at(t, _NEED_FACT, m)):
                holds = False
                break
        if holds:
            set_bit(t, w, i, _READY, grounding)
        else:
            clear_bit(t, w, i, _READY, grounding)


@kernel
def apply_grounding(t: Any, w: Any, i: int, game: int, grounding: int) -> int:
    """Change the facts and the full graph; return what became stale."""
    g0 = start(t, game, _GROUNDINGS)
    f0 = start(t, game, _FACTS_POOL)
    g = g0 + grounding
    adds, adds_end = at(t, _GROUNDING_ADDS, g), at(t, _GROUNDING_ADDS, g + 1)
    ends, ends_end = at(t, _GROUNDING_ENDS, g), at(t, _GROUNDING_ENDS, g + 1)
    if adds == adds_end and ends == ends_end:
        return 0
    for k in range(adds, adds_end):
        fact = at(t, _ADD_FACT, k)
        set_bit(t, w, i, _FACTS, fact)
        edge = at(t, _FACT_EDGE, f0 + fact)
        if edge >= 0:
            set_bit(t, w, i, _FULL, edge)
    for k in range(ends, ends_end):
        fact = at(t, _END_FACT, k)
        clear_bit(t, w, i, _FACTS, fact)
        edge = at(t, _FACT_EDGE, f0 + fact)
        if edge >= 0:
            clear_bit(t, w, i, _FULL, edge)
    for k in range(adds, adds_end):
        update_ready(t, w, i, g0, f0, at(t, _ADD_FACT, k))
    for k in range(ends, ends_end):
        update_ready(t, w, i, g0, f0, at(t, _END_FACT, k))
    return STALE_FULL | STALE_CANDIDATES


@kernel
def show_fact(t: Any, w: Any, i: int, f0: int, fact: int) -> bool:
    """The player learns a fact, if it is true and an edge; return whether it is news."""
    edge = at(t, _FACT_EDGE, f0 + fact)
    return edge >= 0 and has_bit(t, w, i, _FACTS, fact) and set_bit(t, w, i, _SEEN, edge)


@kernel
def show_states(t: Any, w: Any, i: int, e0: int, f0: int, thing: int) -> bool:
    """The player sees a thing: remember the states it has."""
    news = False
    for k in range(at(t, _ENTITY_STATES, e0 + thing), at(t, _ENTITY_STATES, e0 + thing + 1)):
        news |= show_fact(t, w, i, f0, at(t, _STATE_FACT, k))
    return news


@kernel
def show_contents(t: Any, s: Any, w: Any, i: int, game: int, holder: int) -> bool:
    """The player sees what a room, supporter or open container holds: remember it."""
    e0 = start(t, game, _ENTITIES)
    f0 = start(t, game, _FACTS_POOL)
    p0 = start(t, game, _PLACES)
    entities = number(t, game, _N_ENTITIES)
    news = False
    thing = get(t, s, i, _FIRST, holder)
    while thing >= 0:
        if at(t, _ENTITY_KIND, e0 + thing) & _PORTABLE:
            edge = at(t, _PLACE_EDGE, p0 + thing * entities + holder)
            if edge >= 0:
                news |= set_bit(t, w, i, _SEEN, edge)
            news |= show_states(t, w, i, e0, f0, thing)
        thing = get(t, s, i, _NEXT, thing)
    return news


@kernel
def show_room(t: Any, s: Any, w: Any, i: int, game: int) -> bool:
    """The player looks around: remember everything in sight."""
    e0 = start(t, game, _ENTITIES)
    f0 = start(t, game, _FACTS_POOL)
    room = s[i, _ROOM]
    r = start(t, game, _ROOMS) + room
    news = False
    for k in range(at(t, _ROOM_SIGHTS, r), at(t, _ROOM_SIGHTS, r + 1)):
        news |= set_bit(t, w, i, _SEEN, at(t, _SIGHT_EDGE, k))
    for k in range(at(t, _ROOM_WATCHED, r), at(t, _ROOM_WATCHED, r + 1)):
        news |= show_fact(t, w, i, f0, at(t, _WATCH_FACT, k))
    news |= show_contents(t, s, w, i, game, room)
    thing = get(t, s, i, _FIRST, room)
    while thing >= 0:
        kind = at(t, _ENTITY_KIND, e0 + thing)
        is_open = get(t, s, i, _FLAGS, thing) & _OPEN_FLAG != 0
        if kind & _SUPPORTER or (kind & _CONTAINER and is_open):
            news |= show_contents(t, s, w, i, game, thing)
        thing = get(t, s, i, _NEXT, thing)
    return news


@kernel
def show_carried(t: Any, w: Any, i: int, game: int) -> bool:
    """The player checks their inventory; by TextWorld's facts, not by Inform's world."""
    e0 = start(t, game, _ENTITIES)
    f0 = start(t, game, _FACTS_POOL)
    news = False
    for thing in range(number(t, game, _N_ENTITIES)):
        fact = at(t, _ENTITY_CARRIED, e0 + thing)
        if fact >= 0 and has_bit(t, w, i, _FACTS, fact):
            news |= show_fact(t, w, i, f0, fact)
            news |= show_states(t, w, i, e0, f0, thing)
    return news


@kernel
def update_seen(t: Any, s: Any, w: Any, i: int, game: int, action: int, grounding: int) -> bool:
    """What the player has learnt from a command; see ``gata.graph.extract.SeenGraph``.

    Only what can be news is looked at: nothing but going, opening and laying down brings
    anything new into sight.
    """
    a = start(t, game, _ACTIONS) + action
    op = at(t, _ACTION_OP, a)
    if op == _INVENTORY:
        return show_carried(t, w, i, game)
    if grounding < 0:
        return False
    news = False
    if at(t, _ACTION_IS_RECIPE, a):
        for k in range(start(t, game, _RECIPE), start(t, game + 1, _RECIPE)):
            news |= set_bit(t, w, i, _SEEN, at(t, _RECIPE_EDGE, k))
        return news
    g = start(t, game, _GROUNDINGS) + grounding
    for k in range(at(t, _GROUNDING_SHOWS, g), at(t, _GROUNDING_SHOWS, g + 1)):
        news |= set_bit(t, w, i, _SEEN, at(t, _SHOW_EDGE, k))
    for k in range(at(t, _GROUNDING_HIDES, g), at(t, _GROUNDING_HIDES, g + 1)):
        news |= clear_bit(t, w, i, _SEEN, at(t, _HIDE_EDGE, k))
    if op == _GO:
        news |= show_room(t, s, w, i, game)
    elif op == _OPEN:
        news |= show_contents(t, s, w, i, game, at(t, _ACTION_FIRST, a))
    elif op in (_DROP, _PUT):
        e0 = start(t, game, _ENTITIES)
        f0 = start(t, game, _FACTS_POOL)
        news |= show_states(t, w, i, e0, f0, at(t, _ACTION_FIRST, a))
    return news


@kernel
def track(
    t: Any, s: Any, w: Any, i: int, game: int, action: int, reported: bool, room_before: int
) -> int:
    """Match what Inform reports with the rules of the facts; return what became stale.

    Args:
        t: the tables; ``s``, ``w``, ``i``: the state.
        s: the state's numbers.
        w: the state's bits.
        i: the row.
        game: the row's game.
        action: the command's number in the game.
        reported: whether Inform reports success in words that the rules understand.
        room_before: where the facts still have the player, whom Inform may have moved.
    """
    a = start(t, game, _ACTIONS) + action
    g0 = start(t, game, _GROUNDINGS)
    performed = -1
    stale = 0
    if reported:
        for g in range(at(t, _ACTION_GROUNDINGS, a), at(t, _ACTION_GROUNDINGS, a + 1)):
            if can_be_done(t, w, i, g0, g - g0, room_before):
                performed = g - g0
                break
    s[i, _LAST] = performed
    s[i, _PERFORMED] = performed
    if performed >= 0:
        stale |= apply_grounding(t, w, i, game, performed)
        s[i, _MOVES] += 1
    if update_seen(t, s, w, i, game, action, performed):
        stale |= STALE_SEEN
    return stale
