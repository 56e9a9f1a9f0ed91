"""The machine: steps games that are nothing but arrays. What the games *are* stands elsewhere.

Every function works on row ``i`` of a batch. The functions are compiled by numba, hold no Python
objects and release the interpreter's lock, so that rows can be played by many threads at once.
"""

from typing import Any

import numba
import numpy as np

from gata.engine.actions import Check, Cooking, Flag, Kind, Op
from gata.engine.messages import Fixed
from gata.engine.tables import GAME_NUMBERS, GAME_TEXTS, INFO, POOLS, Outputs, State, Tables
from gata.engine.templates import Do
from gata.language.tokenizer import LARGEST_NUMBER

# Columns of the tables; numba freezes module constants into the compiled code.
_GAME = INFO.index("game")
_ROOM = INFO.index("room")
_TURN = INFO.index("turn")
_SCORE = INFO.index("score")
_NOTIFIED = INFO.index("notified")
_SHOWN_SCORE = INFO.index("shown_score")
_STEPS = INFO.index("steps")
_ENDING = INFO.index("ending")
_TRUNCATED = INFO.index("truncated")
_EPISODE = INFO.index("episode")
_STATUS_ROOM = INFO.index("status_room")
_STATUS_SCORE = INFO.index("status_score")
_STATUS_TURN = INFO.index("status_turn")
_LAST = INFO.index("last_grounding")
_MOVES = INFO.index("moves")
_CHECK = INFO.index("check_quests")
_FEEDBACK = INFO.index("feedback_length")
_DESCRIPTION = INFO.index("description_length")
_INVENTORY = INFO.index("inventory_length")
_STALE = INFO.index("stale")
_PERFORMED = INFO.index("performed")

_N_ROOMS = GAME_NUMBERS.index("rooms")
_N_ENTITIES = GAME_NUMBERS.index("entities")
_N_GROUNDINGS = GAME_NUMBERS.index("groundings")
_N_ACTIONS = GAME_NUMBERS.index("actions")
_N_EDGES = GAME_NUMBERS.index("edges")
_N_QUESTS = GAME_NUMBERS.index("quests")
_CAPACITY = GAME_NUMBERS.index("capacity")
_PLAYER = GAME_NUMBERS.index("player")
_START_ROOM = GAME_NUMBERS.index("start_room")
_MEAL = GAME_NUMBERS.index("meal")
_MAX_SCORE = GAME_NUMBERS.index("max_score")
_CAN_BE_WON = GAME_NUMBERS.index("can_be_won")
_ALWAYS_CHECK = GAME_NUMBERS.index("always_check")

_OBJECTIVE = GAME_TEXTS.index("intro")
_END_MIDDLE = GAME_TEXTS.index("end_middle")

_ENTITY0 = POOLS.index("entity")
_ROOM0 = POOLS.index("room")
_EXIT0 = POOLS.index("exit")
_ACTION0 = POOLS.index("action")
_GROUNDING0 = POOLS.index("grounding")
_FACT0 = POOLS.index("fact")
_EDGE0 = POOLS.index("edge")
_PLACE0 = POOLS.index("place")
_RECIPE0 = POOLS.index("recipe")
_QUEST0 = POOLS.index("quest")
_INGREDIENT0 = POOLS.index("ingredient")
_MASK0 = POOLS.index("mask")

RUNNING, WON, LOST = 0, 1, 2

# Which outputs a step made stale.
STALE_FEEDBACK = 1
STALE_DESCRIPTION = 2
STALE_INVENTORY = 4
STALE_FULL = 8
STALE_SEEN = 16
STALE_CANDIDATES = 32
STALE_ALL = 63

_PROMPT = int(Fixed.PROMPT)
_END_PROMPT = int(Fixed.END_PROMPT)
_COMMA = int(Fixed.COMMA)
_AND = int(Fixed.AND)
_NEWLINE = int(Fixed.NEWLINE)
_AFTER_EXAMINE = int(Fixed.AFTER_EXAMINE)
_AFTER_LIST_OF_CONTENTS = int(Fixed.AFTER_LIST_OF_CONTENTS)
_AFTER_REVEALING = int(Fixed.AFTER_REVEALING)
_AFTER_DESCRIPTION = int(Fixed.AFTER_DESCRIPTION)
_AFTER_FLOOR = int(Fixed.AFTER_FLOOR)
_AFTER_DESCRIPTION_INTRO = int(Fixed.AFTER_DESCRIPTION_INTRO)
_FLOOR_START = int(Fixed.FLOOR_START)
_FLOOR_END = int(Fixed.FLOOR_END)
_CARRYING = int(Fixed.CARRYING)
_CARRYING_END = int(Fixed.CARRYING_END)
_CARRYING_NOTHING = int(Fixed.CARRYING_NOTHING)
_AFTER_INVENTORY = int(Fixed.AFTER_INVENTORY)
_MISSING = int(Fixed.MISSING)
_UNCOOKED = int(Fixed.UNCOOKED)
_UNCUT = int(Fixed.UNCUT)
_CANNOT_SEE = int(Fixed.CANNOT_SEE)
_LOST_TEXT = int(Fixed.LOST)
_WON_TEXT = int(Fixed.WON)
_END_TURN = int(Fixed.END_TURN)
_END_TURNS = int(Fixed.END_TURNS)
_BANNER = int(Fixed.BANNER)
_AFTER_OBJECTIVE = int(Fixed.AFTER_OBJECTIVE)
_CARRYING_TOO_MUCH = int(Fixed.CARRYING_TOO_MUCH)

_LOOK, _TAKE_INVENTORY, _EXAMINE, _GO = int(Op.LOOK), int(Op.INVENTORY), int(Op.EXAMINE), int(Op.GO)
_OPEN, _CLOSE, _LOCK, _UNLOCK = int(Op.OPEN), int(Op.CLOSE), int(Op.LOCK), int(Op.UNLOCK)
_TAKE, _PUT, _DROP, _EAT, _DRINK = (
    int(Op.TAKE),
    int(Op.PUT),
    int(Op.DROP),
    int(Op.EAT),
    int(Op.DRINK),
)
_CUT, _COOK, _PREPARE = int(Op.CUT), int(Op.COOK), int(Op.PREPARE)

_IS_OPEN, _IS_LOCKED = int(Flag.OPEN), int(Flag.LOCKED)
_COOKED, _BURNED, _NEEDS = int(Flag.COOKED), int(Flag.BURNED), int(Flag.NEEDS_COOKING)
_EDIBLE, _CONSUMED = int(Flag.EDIBLE), int(Flag.CONSUMED)
_SUPPORTER, _CONTAINER = int(Kind.SUPPORTER), int(Kind.CONTAINER)
_FOOD, _PORTABLE = int(Kind.FOOD), int(Kind.PORTABLE)
_RAW = int(Cooking.RAW)

_DO_END, _SAY, _NAME, _LIST, _JUMP = map(int, (Do.END, Do.SAY, Do.NAME, Do.LIST, Do.JUMP))
_IF_OPEN, _IF_CLOSED, _IF_LOCKED = int(Do.IF_OPEN), int(Do.IF_CLOSED), int(Do.IF_LOCKED)
_IF_HOLDING = int(Do.IF_HOLDING)

_HELD_BY, _PLAYER_IN, _COOKING_IS, _CUTTING_IS = map(
    int, (Check.HELD_BY, Check.PLAYER_IN, Check.COOKING_IS, Check.CUTTING_IS)
)
_HAS_FLAG, _LACKS_FLAGS = int(Check.HAS_FLAG), int(Check.LACKS_FLAGS)

_ONE = np.uint64(1)
_ZERO = np.uint64(0)

kernel: Any = numba.njit(cache=True, nogil=True, boundscheck=None)


# Bit sets.


@kernel
def has_bit(bits: Any, i: int, index: int) -> bool:
    """Whether ``index`` is in row ``i``'s set."""
    return (bits[i, index >> 6] >> np.uint64(index & 63)) & _ONE != _ZERO


@kernel
def set_bit(bits: Any, i: int, index: int) -> bool:
    """Put ``index`` into the set; return whether it was not there."""
    word = bits[i, index >> 6]
    mask = _ONE << np.uint64(index & 63)
    bits[i, index >> 6] = word | mask
    return word & mask == _ZERO


@kernel
def clear_bit(bits: Any, i: int, index: int) -> bool:
    """Take ``index`` out of the set; return whether it was there."""
    word = bits[i, index >> 6]
    mask = _ONE << np.uint64(index & 63)
    bits[i, index >> 6] = word & ~mask
    return word & mask != _ZERO


@numba.extending.intrinsic
def trailing_zeros(typing_context: Any, value: Any) -> Any:
    """The number of the lowest bit set; ``value`` must not be zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return numba.types.uint64(numba.types.uint64), generate


# Inform's object tree.


@kernel
def detach(s: State, i: int, thing: int) -> None:
    """Take a thing from whatever holds it."""
    holder = s.parent[i, thing]
    if holder < 0:
        return
    child = s.first[i, holder]
    if child == thing:
        s.first[i, holder] = s.next[i, thing]
    else:
        while s.next[i, child] != thing:
            child = s.next[i, child]
        s.next[i, child] = s.next[i, thing]
    s.parent[i, thing] = -1
    s.next[i, thing] = -1


@kernel
def attach(s: State, i: int, thing: int, holder: int) -> None:
    """Give a thing to a holder; what came last is listed first."""
    detach(s, i, thing)
    s.next[i, thing] = s.first[i, holder]
    s.first[i, holder] = thing
    s.parent[i, thing] = holder


@kernel
def name_variant(t: Tables, s: State, i: int, e0: int, thing: int) -> int:
    """Which of a thing's names fits its state: 0 for all but prepared or raw food."""
    if t.entity_kind[e0 + thing] & _FOOD == 0:
        return 0
    flags = s.flags[i, thing]
    cooking = s.cooking[i, thing]
    prefix = 0
    if flags & _NEEDS:
        prefix = 1
    elif flags & _BURNED:
        prefix = 2
    elif cooking != _RAW:
        prefix = 2 + cooking
    return s.cutting[i, thing] * 6 + prefix


# Text. Writers append pieces to a row and return its new length.


@kernel
def next_listed(t: Tables, s: State, i: int, e0: int, thing: int, only_portable: bool) -> int:
    """``thing`` or the first of its later siblings that may be listed; -1 if none."""
    if only_portable:
        while thing >= 0 and t.entity_kind[e0 + thing] & _PORTABLE == 0:
            thing = s.next[i, thing]
    return thing


@kernel
def write_list(
    t: Tables, s: State, i: int, e0: int, holder: int, only_portable: bool, row: Any, n: int
) -> int:
    """What a holder holds: ``a, b and c``."""
    thing = next_listed(t, s, i, e0, s.first[i, holder], only_portable)
    while thing >= 0:
        variant = name_variant(t, s, i, e0, thing)
        row[i, n] = t.name_listed[t.entity_names[e0 + thing] + variant]
        n += 1
        following = next_listed(t, s, i, e0, s.next[i, thing], only_portable)
        if following >= 0:
            after = next_listed(t, s, i, e0, s.next[i, following], only_portable)
            row[i, n] = _COMMA if after >= 0 else _AND
            n += 1
        thing = following
    return n


@kernel
def write_program(t: Tables, s: State, i: int, e0: int, at: int, row: Any, n: int) -> int:
    """Run a description."""
    while True:
        do = t.program_do[at]
        if do == _DO_END:
            return n
        if do == _SAY:
            row[i, n] = t.program_text[at]
            n += 1
            at += 1
            continue
        if do == _JUMP:
            at = t.program_jump[at]
            continue
        thing = t.program_entity[at]
        if do == _NAME:
            row[i, n] = t.name_plain[t.entity_names[e0 + thing] + name_variant(t, s, i, e0, thing)]
            n += 1
            at += 1
            continue
        if do == _LIST:
            n = write_list(t, s, i, e0, thing, False, row, n)
            at += 1
            continue
        if do == _IF_OPEN:
            holds = s.flags[i, thing] & _IS_OPEN != 0
        elif do == _IF_CLOSED:
            holds = s.flags[i, thing] & _IS_OPEN == 0
        elif do == _IF_LOCKED:
            holds = s.flags[i, thing] & _IS_LOCKED != 0
        else:
            holds = (s.first[i, thing] >= 0) == (do == _IF_HOLDING)
        at = at + 1 if holds else t.program_jump[at]


@kernel
def write_room(t: Tables, s: State, i: int, row: Any, n: int) -> int:
    """The room as the player sees it."""
    e0 = t.start[s.info[i, _GAME], _ENTITY0]
    room = s.info[i, _ROOM]
    n = write_program(t, s, i, e0, t.entity_program[e0 + room], row, n)
    if next_listed(t, s, i, e0, s.first[i, room], True) >= 0:
        row[i, n] = _FLOOR_START
        n = write_list(t, s, i, e0, room, True, row, n + 1)
        row[i, n] = _FLOOR_END
        n += 1
    return n


@kernel
def write_inventory(t: Tables, s: State, i: int) -> None:
    """What the player carries, into ``s.inventory``."""
    game = s.info[i, _GAME]
    player = t.number[game, _PLAYER]
    if s.first[i, player] < 0:
        s.inventory[i, 0] = _CARRYING_NOTHING
        s.info[i, _INVENTORY] = 1
        return
    s.inventory[i, 0] = _CARRYING
    n = write_list(t, s, i, t.start[game, _ENTITY0], player, False, s.inventory, 1)
    s.inventory[i, n] = _CARRYING_END
    s.info[i, _INVENTORY] = n + 1


@kernel
def copy_pieces(source: Any, target: Any, i: int, begin: int, end: int, n: int) -> int:
    """Copy pieces ``begin`` to ``end`` of one row to place ``n`` of another."""
    for k in range(begin, end):
        target[i, n + k - begin] = source[i, k]
    return n + end - begin


@kernel
def write_after_room(s: State, i: int, n: int) -> int:
    """The white space after a description that ends a reply."""
    on_floor = s.feedback[i, n - 1] == _FLOOR_END
    s.feedback[i, n] = _AFTER_FLOOR if on_floor else _AFTER_DESCRIPTION
    return n + 1


@kernel
def write_ending(t: Tables, s: State, i: int, n: int, opening: int) -> int:
    """Append the obituary: score, turns, and a question nobody can answer."""
    game = s.info[i, _GAME]
    s.feedback[i, n] = opening
    s.feedback[i, n + 1] = -1 - s.info[i, _SCORE]
    s.feedback[i, n + 2] = t.text[game, _END_MIDDLE]
    s.feedback[i, n + 3] = -1 - s.info[i, _TURN]
    s.feedback[i, n + 4] = _END_TURN if s.info[i, _TURN] == 1 else _END_TURNS
    s.feedback[i, n + 5] = _END_PROMPT
    return n + 6


# TextWorld's facts and the two graphs.


@kernel
def update_ready(t: Tables, s: State, i: int, g0: int, f0: int, fact: int) -> None:
    """A fact has changed: see anew which groundings can be done."""
    for k in range(t.fact_touches[f0 + fact], t.fact_touches[f0 + fact + 1]):
        grounding = t.touch_grounding[k]
        holds = True
        for m in range(
            t.grounding_needs[g0 + grounding], t.grounding_needs[g0 + grounding + 1]
        ):
            if not has_bit(s.facts, i, t.need_fact[m]):
                holds = False
                break
        if holds:
            set_bit(s.ready, i, grounding)
        else:
            clear_bit(s.ready, i, grounding)


@kernel
def apply_grounding(t: Tables, s: State, i: int, game: int, grounding: int) -> int:
    """Change the facts and the full graph; return what became stale."""
    g0 = t.start[game, _GROUNDING0]
    f0 = t.start[game, _FACT0]
    stale = 0
    g = g0 + grounding
    for k in range(t.grounding_adds[g], t.grounding_adds[g + 1]):
        fact = t.add_fact[k]
        if set_bit(s.facts, i, fact):
            edge = t.fact_edge[f0 + fact]
            if edge >= 0:
                set_bit(s.full, i, edge)
                stale |= STALE_FULL
    for k in range(t.grounding_ends[g], t.grounding_ends[g + 1]):
        fact = t.end_fact[k]
        if clear_bit(s.facts, i, fact):
            edge = t.fact_edge[f0 + fact]
            if edge >= 0:
                clear_bit(s.full, i, edge)
                stale |= STALE_FULL
    for k in range(t.grounding_adds[g], t.grounding_adds[g + 1]):
        update_ready(t, s, i, g0, f0, t.add_fact[k])
    for k in range(t.grounding_ends[g], t.grounding_ends[g + 1]):
        update_ready(t, s, i, g0, f0, t.end_fact[k])
    if t.grounding_adds[g] != t.grounding_adds[g + 1]:
        stale |= STALE_CANDIDATES
    return stale


@kernel
def show_states(t: Tables, s: State, i: int, e0: int, f0: int, thing: int) -> bool:
    """The player sees a thing: remember the states it has."""
    news = False
    for k in range(t.entity_states[e0 + thing], t.entity_states[e0 + thing + 1]):
        fact = t.state_fact[k]
        edge = t.fact_edge[f0 + fact]
        if edge >= 0 and has_bit(s.facts, i, fact):
            news |= set_bit(s.seen, i, edge)
    return news


@kernel
def show_contents(t: Tables, s: State, i: int, game: int, holder: int) -> bool:
    """The player sees what a room, supporter or open container holds: remember it."""
    e0 = t.start[game, _ENTITY0]
    f0 = t.start[game, _FACT0]
    p0 = t.start[game, _PLACE0]
    entities = t.number[game, _N_ENTITIES]
    news = False
    thing = s.first[i, holder]
    while thing >= 0:
        if t.entity_kind[e0 + thing] & _PORTABLE:
            edge = t.place_edge[p0 + thing * entities + holder]
            if edge >= 0:
                news |= set_bit(s.seen, i, edge)
            news |= show_states(t, s, i, e0, f0, thing)
        thing = s.next[i, thing]
    return news


@kernel
def show_room(t: Tables, s: State, i: int, game: int) -> bool:
    """The player looks around: remember everything in sight."""
    e0 = t.start[game, _ENTITY0]
    f0 = t.start[game, _FACT0]
    room = s.info[i, _ROOM]
    r0 = t.start[game, _ROOM0] + room
    news = False
    for k in range(t.room_sights[r0], t.room_sights[r0 + 1]):
        news |= set_bit(s.seen, i, t.sight_edge[k])
    for k in range(t.room_watched[r0], t.room_watched[r0 + 1]):
        fact = t.watch_fact[k]
        edge = t.fact_edge[f0 + fact]
        if edge >= 0 and has_bit(s.facts, i, fact):
            news |= set_bit(s.seen, i, edge)
    news |= show_contents(t, s, i, game, room)
    thing = s.first[i, room]
    while thing >= 0:
        kind = t.entity_kind[e0 + thing]
        if kind & _SUPPORTER or (kind & _CONTAINER and s.flags[i, thing] & _IS_OPEN):
            news |= show_contents(t, s, i, game, thing)
        thing = s.next[i, thing]
    return news


@kernel
def show_carried(t: Tables, s: State, i: int, game: int) -> bool:
    """The player checks their inventory; by TextWorld's facts, not by Inform's world."""
    e0 = t.start[game, _ENTITY0]
    f0 = t.start[game, _FACT0]
    news = False
    for thing in range(t.number[game, _N_ENTITIES]):
        fact = t.entity_carried[e0 + thing]
        if fact >= 0 and has_bit(s.facts, i, fact):
            edge = t.fact_edge[f0 + fact]
            if edge >= 0:
                news |= set_bit(s.seen, i, edge)
            news |= show_states(t, s, i, e0, f0, thing)
    return news


@kernel
def update_seen(t: Tables, s: State, i: int, game: int, action: int, grounding: int) -> bool:
    """What the player has learnt from an action; see ``gata.graph.extract.SeenGraph``.

    Only what can be news is looked at: nothing but going, opening and laying down brings
    anything new into sight.
    """
    a = t.start[game, _ACTION0] + action
    op = t.action_op[a]
    if op == _TAKE_INVENTORY:
        return show_carried(t, s, i, game)
    if grounding < 0:
        return False
    news = False
    if t.action_is_recipe[a]:
        for k in range(t.start[game, _RECIPE0], t.start[game + 1, _RECIPE0]):
            news |= set_bit(s.seen, i, t.recipe_edge[k])
        return news
    g = t.start[game, _GROUNDING0] + grounding
    for k in range(t.grounding_shows[g], t.grounding_shows[g + 1]):
        news |= set_bit(s.seen, i, t.show_edge[k])
    for k in range(t.grounding_hides[g], t.grounding_hides[g + 1]):
        news |= clear_bit(s.seen, i, t.hide_edge[k])
    if op == _GO:
        news |= show_room(t, s, i, game)
    elif op == _OPEN:
        news |= show_contents(t, s, i, game, t.action_first[a])
    elif op == _DROP or op == _PUT:
        e0 = t.start[game, _ENTITY0]
        news |= show_states(t, s, i, e0, t.start[game, _FACT0], t.action_first[a])
    return news


# Inform's turn.


@kernel
def condition_holds(t: Tables, s: State, i: int, c: int) -> bool:
    """One condition of a quest."""
    kind = t.condition_kind[c]
    first = t.condition_first[c]
    second = t.condition_second[c]
    if kind == _HELD_BY:
        return s.parent[i, first] == second
    if kind == _PLAYER_IN:
        return s.info[i, _ROOM] == second
    if kind == _COOKING_IS:
        return s.cooking[i, first] == second
    if kind == _CUTTING_IS:
        return s.cutting[i, first] == second
    if kind == _HAS_FLAG:
        return s.flags[i, first] & second != 0
    if kind == _LACKS_FLAGS:
        return s.flags[i, first] & second == 0
    return s.parent[i, first] == -1


@kernel
def event_happens(t: Tables, s: State, i: int, event: int) -> bool:
    """Whether all conditions of an event hold."""
    for c in range(t.event_conditions[event], t.event_conditions[event + 1]):
        if not condition_holds(t, s, i, c):
            return False
    return True


@kernel
def check_quests(t: Tables, s: State, i: int, game: int) -> bool:
    """Score completed quests in order; return True if one has failed (the rest is not looked at)."""
    q0 = t.start[game, _QUEST0]
    for quest in range(t.number[game, _N_QUESTS]):
        if s.quests[i, quest]:
            continue
        q = q0 + quest
        for event in range(t.quest_fails[q], t.quest_wins[q]):
            if event_happens(t, s, i, event):
                return True
        for event in range(t.quest_wins[q], t.quest_fails[q + 1]):
            if event_happens(t, s, i, event):
                s.info[i, _SCORE] += t.quest_reward[q]
                if not t.quest_repeats[q]:
                    s.quests[i, quest] = 1
                break
    return False


@kernel
def all_quests_done(t: Tables, s: State, i: int, game: int) -> bool:
    """Whether every quest that winning needs is completed."""
    if not t.number[game, _CAN_BE_WON]:
        return False
    q0 = t.start[game, _QUEST0]
    for quest in range(t.number[game, _N_QUESTS]):
        if t.quest_must[q0 + quest] and not s.quests[i, quest]:
            return False
    return True


@kernel
def in_scope(t: Tables, s: State, i: int, game: int, thing: int) -> bool:
    """Whether the player can see a thing that is not a door: near or carried."""
    e0 = t.start[game, _ENTITY0]
    room = s.info[i, _ROOM]
    player = t.number[game, _PLAYER]
    holder = s.parent[i, thing]
    while holder >= 0:
        if holder == room or holder == player:
            return True
        if t.entity_kind[e0 + holder] & _CONTAINER and s.flags[i, holder] & _IS_OPEN == 0:
            return False
        holder = s.parent[i, holder]
    return False


@kernel
def prepare_meal(t: Tables, s: State, i: int, game: int) -> int:
    """Check the recipe line by line; return what is said of the first fault, or -1 if none."""
    player = t.number[game, _PLAYER]
    for k in range(t.start[game, _INGREDIENT0], t.start[game + 1, _INGREDIENT0]):
        food = t.ingredient_food[k]
        if s.parent[i, food] != player:
            return _MISSING
        if s.cooking[i, food] != t.ingredient_cooking[k]:
            return _UNCOOKED
        if s.cutting[i, food] != t.ingredient_cutting[k]:
            return _UNCUT
    for k in range(t.start[game, _INGREDIENT0], t.start[game + 1, _INGREDIENT0]):
        detach(s, i, t.ingredient_food[k])
    attach(s, i, t.number[game, _MEAL], player)
    return -1


@kernel
def hands_full(t: Tables, s: State, i: int, game: int) -> bool:
    """Whether Inform lets the player carry nothing more (the facts may think otherwise)."""
    room_left = t.number[game, _CAPACITY]
    thing = s.first[i, t.number[game, _PLAYER]]
    while thing >= 0:
        room_left -= 1
        thing = s.next[i, thing]
    return room_left <= 0


@kernel
def is_gone(t: Tables, s: State, i: int, e0: int, thing: int) -> bool:
    """Whether a portable thing has left Inform's world (TextWorld's facts may not know)."""
    return (
        thing >= 0 and t.entity_kind[e0 + thing] & _PORTABLE != 0 and s.parent[i, thing] == -1
    )


@kernel
def act(t: Tables, s: State, i: int, action: int) -> None:
    """Carry out a command of the game by its number there: Inform's world, then the facts."""
    game = s.info[i, _GAME]
    e0 = t.start[game, _ENTITY0]
    a = t.start[game, _ACTION0] + action
    op = t.action_op[a]
    first = t.action_first[a]
    second = t.action_second[a]
    stale = STALE_FEEDBACK
    s.info[i, _PERFORMED] = -1

    if is_gone(t, s, i, e0, first) or is_gone(t, s, i, e0, second):
        s.feedback[i, 0] = _CANNOT_SEE
        s.feedback[i, 1] = _PROMPT
        s.info[i, _FEEDBACK] = 2
        s.info[i, _STALE] |= stale
        return

    n = 0
    for k in range(t.action_clashes[a], t.action_clashes[a + 1]):
        room = t.clash_room[k]
        if room == s.info[i, _ROOM] or (room < 0 and in_scope(t, s, i, game, t.clash_entity[k])):
            s.feedback[i, 0] = t.action_clash_text[a]
            n = 1
    # Whether Inform reports success in words that the facts' rules understand.
    room_before = s.info[i, _ROOM]
    room_at = room_end = 0
    succeeded = True
    reported = True
    changed = True
    if op == _LOOK:
        s.feedback[i, n] = _NEWLINE
        n = copy_pieces(s.description, s.feedback, i, 0, s.info[i, _DESCRIPTION], n + 1)
        n = write_after_room(s, i, n)
        changed = False
    elif op == _TAKE_INVENTORY:
        s.feedback[i, n] = _NEWLINE
        n = copy_pieces(s.inventory, s.feedback, i, 0, s.info[i, _INVENTORY], n + 1)
        s.feedback[i, n] = _AFTER_INVENTORY
        n += 1
        changed = False
    elif op == _EXAMINE:
        n = write_program(t, s, i, e0, t.entity_program[e0 + first], s.feedback, n)
        kind = t.entity_kind[e0 + first]
        held = s.first[i, first]
        shows = kind & _SUPPORTER or (kind & _CONTAINER and s.flags[i, first] & _IS_OPEN)
        if shows and held >= 0:
            more = s.next[i, held] >= 0
            s.feedback[i, n] = (
                t.entity_holds_more[e0 + first] if more else t.entity_holds_one[e0 + first]
            )
            n = write_list(t, s, i, e0, first, False, s.feedback, n + 1)
            s.feedback[i, n] = _AFTER_LIST_OF_CONTENTS
        else:
            s.feedback[i, n] = _AFTER_EXAMINE
        n += 1
        changed = False
        reported = name_variant(t, s, i, e0, first) == 0
    elif op == _GO:
        x0 = t.start[game, _EXIT0]
        s.info[i, _ROOM] = t.room_exits[x0 + s.info[i, _ROOM] * 4 + t.action_kind[a]]
        stale |= STALE_DESCRIPTION | STALE_CANDIDATES
        s.feedback[i, n] = _NEWLINE
        s.feedback[i, n + 1] = _NEWLINE
        room_at = n + 2
        room_end = n = write_room(t, s, i, s.feedback, room_at)
        n = write_after_room(s, i, n)
    elif op == _PREPARE:
        fault = prepare_meal(t, s, i, game)
        succeeded = fault < 0
        changed = succeeded
        s.feedback[i, n] = t.action_text[a] if succeeded else fault
        n += 1
        stale |= STALE_INVENTORY
    elif op == _TAKE and hands_full(t, s, i, game):
        s.feedback[i, n] = _CARRYING_TOO_MUCH
        n += 1
        succeeded = False
        changed = False
    elif op == _COOK:
        if s.flags[i, first] & _COOKED:
            s.flags[i, first] = (s.flags[i, first] | _BURNED) & ~_EDIBLE
            s.feedback[i, n] = t.action_other_text[a]
        else:
            s.flags[i, first] |= _COOKED
            if s.flags[i, first] & _NEEDS:
                s.flags[i, first] = (s.flags[i, first] | _EDIBLE) & ~_NEEDS
            s.cooking[i, first] = t.action_kind[a]
            s.feedback[i, n] = t.action_text[a]
        n += 1
        stale |= STALE_INVENTORY
    else:
        s.feedback[i, n] = t.action_text[a]
        n += 1
        if op == _TAKE:
            attach(s, i, first, t.number[game, _PLAYER])
            stale |= STALE_DESCRIPTION | STALE_INVENTORY
        elif op == _PUT:
            attach(s, i, first, second)
            stale |= STALE_DESCRIPTION | STALE_INVENTORY
        elif op == _DROP:
            attach(s, i, first, s.info[i, _ROOM])
            stale |= STALE_DESCRIPTION | STALE_INVENTORY
        elif op == _EAT or op == _DRINK:
            detach(s, i, first)
            s.flags[i, first] |= _CONSUMED
            stale |= STALE_INVENTORY
            reported = op == _EAT
        elif op == _CUT:
            s.cutting[i, first] = t.action_kind[a]
            stale |= STALE_INVENTORY
        elif op == _OPEN:
            s.flags[i, first] |= _IS_OPEN
            stale |= STALE_DESCRIPTION
            if t.entity_kind[e0 + first] & _CONTAINER and s.first[i, first] >= 0:
                s.feedback[i, n - 1] = t.action_other_text[a]
                n = write_list(t, s, i, e0, first, False, s.feedback, n)
                s.feedback[i, n] = _AFTER_REVEALING
                n += 1
        elif op == _CLOSE:
            s.flags[i, first] &= ~_IS_OPEN
            stale |= STALE_DESCRIPTION
        elif op == _LOCK:
            s.flags[i, first] |= _IS_LOCKED
            stale |= STALE_DESCRIPTION
        elif op == _UNLOCK:
            s.flags[i, first] &= ~_IS_LOCKED
            stale |= STALE_DESCRIPTION

    if succeeded:
        stale |= track(t, s, i, game, action, reported, room_before)
    if changed:
        s.info[i, _CHECK] = 1
    end_turn(t, s, i, game, n, stale, room_at, room_end)


@kernel
def track(
    t: Tables, s: State, i: int, game: int, action: int, reported: bool, room_before: int
) -> int:
    """TextWorld's side: match Inform's report with the rules, change facts; return what is stale.

    ``room_before``: where the facts still have the player, whom Inform may have moved.
    """
    a = t.start[game, _ACTION0] + action
    g0 = t.start[game, _GROUNDING0]
    performed = -1
    stale = 0
    if reported:
        for g in range(t.action_groundings[a], t.action_groundings[a + 1]):
            room = t.grounding_room[g]
            if has_bit(s.ready, i, g - g0) and (room < 0 or room == room_before):
                performed = g - g0
                break
    s.info[i, _LAST] = performed
    s.info[i, _PERFORMED] = performed
    if performed >= 0:
        stale |= apply_grounding(t, s, i, game, performed)
        s.info[i, _MOVES] += 1
    if update_seen(t, s, i, game, action, performed):
        stale |= STALE_SEEN
    return stale


@kernel
def end_turn(
    t: Tables, s: State, i: int, game: int, n: int, stale: int, room_at: int, room_end: int
) -> None:
    """Inform's every-turn rules: quests, score, end of the game, prompt.

    ``room_at``, ``room_end``: where the reply already holds the room's description, if it does.
    """
    lost = False
    if s.info[i, _CHECK] or t.number[game, _ALWAYS_CHECK]:
        lost = check_quests(t, s, i, game)
        s.info[i, _CHECK] = 0
    if lost:
        # The rules that would tell description, inventory and score are never reached.
        stale &= ~(STALE_DESCRIPTION | STALE_INVENTORY)
        s.info[i, _ENDING] = LOST
        n = write_ending(t, s, i, n, _LOST_TEXT)
    else:
        if room_end > 0:
            s.info[i, _DESCRIPTION] = copy_pieces(
                s.feedback, s.description, i, room_at, room_end, 0
            )
        elif stale & STALE_DESCRIPTION:
            s.info[i, _DESCRIPTION] = write_room(t, s, i, s.description, 0)
        if stale & STALE_INVENTORY:
            write_inventory(t, s, i)
        s.info[i, _TURN] += 1
        s.info[i, _SHOWN_SCORE] = s.info[i, _SCORE]
        change = s.info[i, _SCORE] - s.info[i, _NOTIFIED]
        if change != 0:
            s.feedback[i, n] = t.score_text[change + t.score_text.shape[0] // 2]
            n += 1
            s.info[i, _NOTIFIED] = s.info[i, _SCORE]
        if all_quests_done(t, s, i, game):
            s.info[i, _ENDING] = WON
            n = write_ending(t, s, i, n, _WON_TEXT)
        else:
            s.feedback[i, n] = _PROMPT
            n += 1
            s.info[i, _STATUS_ROOM] = s.info[i, _ROOM]
            s.info[i, _STATUS_SCORE] = s.info[i, _SCORE]
            s.info[i, _STATUS_TURN] = s.info[i, _TURN]
    s.info[i, _FEEDBACK] = n
    s.info[i, _STALE] |= stale


@kernel
def begin(t: Tables, s: State, i: int, game: int) -> None:
    """Put row ``i`` at the start of a game."""
    e0 = t.start[game, _ENTITY0]
    for e in range(t.number[game, _N_ENTITIES]):
        s.parent[i, e] = t.entity_parent[e0 + e]
        s.first[i, e] = t.entity_first[e0 + e]
        s.next[i, e] = t.entity_next[e0 + e]
        s.flags[i, e] = t.entity_flags[e0 + e]
        s.cooking[i, e] = t.entity_cooking[e0 + e]
        s.cutting[i, e] = t.entity_cutting[e0 + e]
    for q in range(s.quests.shape[1]):
        s.quests[i, q] = 0
    for w in range(t.initial_facts.shape[1]):
        s.facts[i, w] = t.initial_facts[game, w]
    for w in range(t.initial_ready.shape[1]):
        s.ready[i, w] = t.initial_ready[game, w]
    for w in range(t.initial_full.shape[1]):
        s.full[i, w] = t.initial_full[game, w]
        s.seen[i, w] = t.initial_seen[game, w]
    episode = s.info[i, _EPISODE]
    for column in range(s.info.shape[1]):
        s.info[i, column] = 0
    s.info[i, _EPISODE] = episode
    s.info[i, _GAME] = game
    s.info[i, _ROOM] = t.number[game, _START_ROOM]
    s.info[i, _STATUS_ROOM] = s.info[i, _ROOM]
    s.info[i, _TURN] = 1
    s.info[i, _STATUS_TURN] = 1
    s.info[i, _LAST] = -1
    s.info[i, _PERFORMED] = -1
    s.info[i, _CHECK] = 1
    s.info[i, _STALE] = STALE_ALL
    s.info[i, _DESCRIPTION] = write_room(t, s, i, s.description, 0)
    write_inventory(t, s, i)
    s.feedback[i, 0] = _BANNER
    s.feedback[i, 1] = t.text[game, _OBJECTIVE]
    s.feedback[i, 2] = _AFTER_OBJECTIVE
    n = copy_pieces(s.description, s.feedback, i, 0, s.info[i, _DESCRIPTION], 3)
    s.feedback[i, n] = _AFTER_DESCRIPTION_INTRO
    s.feedback[i, n + 1] = _PROMPT
    s.info[i, _FEEDBACK] = n + 2


# Outputs.


@kernel
def write_tokens(t: Tables, pieces: Any, i: int, length: int, row: Any, before: int) -> int:
    """Expand pieces to tokens; clear what is left of a longer text; return the new length."""
    n = 0
    for k in range(length):
        piece = pieces[i, k]
        if piece >= 0:
            begin_ = t.token_start[piece]
            count = t.token_start[piece + 1] - begin_
            for m in range(count):
                row[i, n + m] = t.token[begin_ + m]
            n += count
        else:
            n = write_number(t, row, i, n, -1 - piece)
    for k in range(n, before):
        row[i, k] = 0
    return n


@kernel
def write_number(t: Tables, row: Any, i: int, n: int, number: int) -> int:
    """The tokens of a number: itself, or its digits if it is large."""
    if number <= LARGEST_NUMBER:
        row[i, n] = t.number_token[number]
        return n + 1
    power = 1
    while power * 10 <= number:
        power *= 10
    while power > 0:
        row[i, n] = t.number_token[number // power % 10]
        n += 1
        power //= 10
    return n


@kernel
def write_candidates(t: Tables, s: State, i: int, masks: Any, row: Any, before: int) -> int:
    """The ids of the commands that can be given now, ascending; return how many."""
    game = s.info[i, _GAME]
    words = (t.number[game, _N_GROUNDINGS] + 63) >> 6
    m0 = t.start[game, _MASK0] + s.info[i, _ROOM] * words
    g0 = t.start[game, _GROUNDING0]
    a0 = t.start[game, _ACTION0]
    n = 0
    last = -1
    for w in range(words):
        bits = s.ready[i, w] & masks[m0 + w]
        while bits != _ZERO:
            action = t.grounding_action[g0 + (w << 6) + np.int64(trailing_zeros(bits))]
            bits &= bits - _ONE
            # Groundings stand in the order of their commands.
            if action != last:
                row[i, n] = t.action_command[a0 + action]
                n += 1
                last = action
    for k in range(n, before):
        row[i, k] = 0
    return n


@kernel
def write_edges(t: Tables, edges: Any, i: int, game: int, row: Any, before: int) -> int:
    """The ids of the edges of a graph, ascending; burned food hides how it was cooked."""
    d0 = t.start[game, _EDGE0]
    n = 0
    for w in range((t.number[game, _N_EDGES] + 63) >> 6):
        bits = edges[i, w]
        while bits != _ZERO:
            edge = (w << 6) + np.int64(trailing_zeros(bits))
            bits &= bits - _ONE
            blocker = t.edge_blocker[d0 + edge]
            if blocker < 0 or not has_bit(edges, i, blocker):
                row[i, n] = t.edge_id[d0 + edge]
                n += 1
    for k in range(n, before):
        row[i, k] = 0
    return n


@kernel
def write_outputs(t: Tables, s: State, o: Outputs, i: int, masks: Any) -> None:
    """Bring row ``i`` of the outputs up to date; what has not changed is left as it is."""
    stale = s.info[i, _STALE]
    game = s.info[i, _GAME]
    if stale & STALE_FEEDBACK:
        o.observation_length[i] = write_tokens(
            t, s.feedback, i, s.info[i, _FEEDBACK], o.observation, o.observation_length[i]
        )
    if stale & STALE_DESCRIPTION:
        o.description_length[i] = write_tokens(
            t, s.description, i, s.info[i, _DESCRIPTION], o.description, o.description_length[i]
        )
    if stale & STALE_INVENTORY:
        o.inventory_length[i] = write_tokens(
            t, s.inventory, i, s.info[i, _INVENTORY], o.inventory, o.inventory_length[i]
        )
    if stale & STALE_CANDIDATES:
        o.candidate_count[i] = write_candidates(
            t, s, i, masks, o.candidates, o.candidate_count[i]
        )
    if stale & STALE_FULL:
        o.full_count[i] = write_edges(t, s.full, i, game, o.full_edges, o.full_count[i])
    if stale & STALE_SEEN:
        o.seen_count[i] = write_edges(t, s.seen, i, game, o.seen_edges, o.seen_count[i])
    s.info[i, _STALE] = 0
    o.score[i] = s.info[i, _SHOWN_SCORE]
    o.max_score[i] = t.number[game, _MAX_SCORE]
    o.steps[i] = s.info[i, _STEPS]
    o.game[i] = game
    o.won[i] = s.info[i, _ENDING] == WON
    o.lost[i] = s.info[i, _ENDING] == LOST
    o.truncated[i] = s.info[i, _TRUNCATED] != 0
    o.done[i] = o.won[i] or o.lost[i] or o.truncated[i]


# Batches.


@kernel
def mix(value: np.uint64) -> np.uint64:
    """A well-mixed 64-bit number from another (splitmix64)."""
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def next_game(s: State, i: int, first_game: int, stride: int, games: int) -> int:
    """The game of a row's next episode: by turns if ``stride`` is positive, else by its seed."""
    episode = s.info[i, _EPISODE]
    if stride > 0:
        return (first_game + np.int64(episode) * stride) % games
    return np.int64(mix(s.seed[i] + mix(np.uint64(episode))) % np.uint64(games))


@kernel
def find_action(t: Tables, game: int, command: int) -> int:
    """The number a command has in a game, -1 if the game does not know it."""
    a0 = t.start[game, _ACTION0]
    low = a0
    high = a0 + t.number[game, _N_ACTIONS]
    while low < high:
        middle = (low + high) >> 1
        if t.action_command[middle] < command:
            low = middle + 1
        else:
            high = middle
    if low < a0 + t.number[game, _N_ACTIONS] and t.action_command[low] == command:
        return low - a0
    return -1


@kernel
def is_admissible(t: Tables, s: State, i: int, action: int) -> bool:
    """Whether a command can be given now."""
    game = s.info[i, _GAME]
    a = t.start[game, _ACTION0] + action
    g0 = t.start[game, _GROUNDING0]
    for g in range(t.action_groundings[a], t.action_groundings[a + 1]):
        room = t.grounding_room[g]
        if has_bit(s.ready, i, g - g0) and (room < 0 or room == s.info[i, _ROOM]):
            return True
    return False


@kernel
def first_bad(t: Tables, s: State, commands: Any, actions: Any, low: int, high: int) -> int:
    """Translate command ids to the games' own numbers; return the first bad row, -1 if none.

    Rows whose episode is over take no command: theirs may be anything.
    """
    for i in range(low, high):
        if s.info[i, _ENDING] != RUNNING or s.info[i, _TRUNCATED] != 0:
            actions[i] = -1
            continue
        action = find_action(t, s.info[i, _GAME], commands[i])
        if action < 0 or not is_admissible(t, s, i, action):
            return i
        actions[i] = action
    return -1


@kernel
def step_rows(
    t: Tables,
    s: State,
    o: Outputs,
    actions: Any,
    masks: Any,
    limit: int,
    stride: int,
    low: int,
    high: int,
) -> None:
    """One step of rows ``low`` to ``high``; a row whose episode is over begins the next one."""
    for i in range(low, high):
        if actions[i] < 0:
            s.info[i, _EPISODE] += 1
            begin(t, s, i, next_game(s, i, i, stride, t.number.shape[0]))
            o.reward[i] = 0.0
        else:
            before = s.info[i, _SHOWN_SCORE]
            act(t, s, i, actions[i])
            s.info[i, _STEPS] += 1
            if limit > 0 and s.info[i, _STEPS] >= limit and s.info[i, _ENDING] == RUNNING:
                s.info[i, _TRUNCATED] = 1
            o.reward[i] = s.info[i, _SHOWN_SCORE] - before
        write_outputs(t, s, o, i, masks)


@kernel
def begin_rows(
    t: Tables, s: State, o: Outputs, rows: Any, games: Any, masks: Any, stride: int
) -> None:
    """Begin an episode in each of ``rows``; a game below 0 is chosen by the row's own order."""
    for k in range(rows.shape[0]):
        i = rows[k]
        game = games[k]
        if game < 0:
            game = next_game(s, i, i, stride, t.number.shape[0])
        begin(t, s, i, game)
        o.reward[i] = 0.0
        write_outputs(t, s, o, i, masks)


@kernel
def refresh_rows(t: Tables, s: State, o: Outputs, rows: Any, masks: Any) -> None:
    """Write all outputs of ``rows`` anew, after their states were put in place from outside."""
    for k in range(rows.shape[0]):
        s.info[rows[k], _STALE] = STALE_ALL
        o.reward[rows[k]] = 0.0
        write_outputs(t, s, o, rows[k], masks)
