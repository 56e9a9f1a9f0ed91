"""Kernel: Inform's turn. A command changes the world, then quests, score and prompt follow."""

from typing import Any

from gata.engine.actions import Check, Flag, Kind, Op
from gata.engine.jit import kernel
from gata.engine.memory import at, game_number, game_text, get, head, info, number, pool, put, start
from gata.engine.messages import Fixed
from gata.engine.tables import GAME_TEXTS, INFO
from gata.engine.tracking import (
    STALE_ALL,
    STALE_CANDIDATES,
    STALE_DESCRIPTION,
    STALE_FEEDBACK,
    STALE_INVENTORY,
    track,
)
from gata.engine.writing import (
    copy_pieces,
    name_variant,
    write_after_room,
    write_description,
    write_ending,
    write_inventory,
    write_list,
    write_program,
    write_room,
)

RUNNING, WON, LOST = 0, 1, 2

_N_INFO = len(INFO)
_GAME = info("game")
_ROOM = info("room")
_TURN = info("turn")
_SCORE = info("score")
_NOTIFIED = info("notified")
_SHOWN_SCORE = info("shown_score")
_ENDING = info("ending")
_EPISODE = info("episode")
_STATUS_ROOM = info("status_room")
_STATUS_SCORE = info("status_score")
_STATUS_TURN = info("status_turn")
_LAST = info("last_grounding")
_CHECK_QUESTS = info("check_quests")
_FEEDBACK_LENGTH = info("feedback_length")
_DESCRIPTION_LENGTH = info("description_length")
_INVENTORY_LENGTH = info("inventory_length")
_STALE = info("stale")
_PERFORMED = info("performed")

_N_ENTITIES = game_number("entities")
_N_QUESTS = game_number("quests")
_PLAYER = game_number("player")
_CAPACITY = game_number("capacity")
_START_ROOM = game_number("start_room")
_MEAL = game_number("meal")
_CAN_BE_WON = game_number("can_be_won")
_OBJECTIVE = GAME_TEXTS.index("intro")

_ACTIONS = pool("action")
_ENTITIES = pool("entity")
_EXITS = pool("exit")
_INGREDIENTS = pool("ingredient")
_QUESTS_POOL = pool("quest")

_PARENT = head("state_parent")
_FIRST = head("state_first")
_NEXT = head("state_next")
_FLAGS = head("state_flags")
_COOKING = head("state_cooking")
_CUTTING = head("state_cutting")
_QUESTS = head("state_quests")
_FEEDBACK = head("state_feedback")
_DESCRIPTION = head("state_description")
_INVENTORY = head("state_inventory")

_ACTION_OP = head("action_op")
_ACTION_FIRST = head("action_first")
_ACTION_SECOND = head("action_second")
_ACTION_KIND = head("action_kind")
_ACTION_TEXT = head("action_text")
_ACTION_OTHER_TEXT = head("action_other_text")
_ACTION_CLASHES = head("action_clashes")
_ACTION_CLASH_TEXT = head("action_clash_text")
_CLASH_ENTITY = head("clash_entity")
_CLASH_ROOM = head("clash_room")
_ENTITY_KIND = head("entity_kind")
_ENTITY_PROGRAM = head("entity_program")
_ENTITY_HOLDS_ONE = head("entity_holds_one")
_ENTITY_HOLDS_MORE = head("entity_holds_more")
_ENTITY_PARENT = head("entity_parent")
_ENTITY_FIRST = head("entity_first")
_ENTITY_NEXT = head("entity_next")
_ENTITY_FLAGS = head("entity_flags")
_ENTITY_COOKING = head("entity_cooking")
_ENTITY_CUTTING = head("entity_cutting")
_ROOM_EXITS = head("room_exits")
_QUEST_REWARD = head("quest_reward")
_QUEST_MUST = head("quest_must")
_QUEST_FAILS = head("quest_fails")
_QUEST_WINS = head("quest_wins")
_EVENT_CONDITIONS = head("event_conditions")
_CONDITION_KIND = head("condition_kind")
_CONDITION_FIRST = head("condition_first")
_CONDITION_SECOND = head("condition_second")
_INGREDIENT_FOOD = head("ingredient_food")
_INGREDIENT_COOKING = head("ingredient_cooking")
_INGREDIENT_CUTTING = head("ingredient_cutting")
_SCORE_TEXT = head("score_text")
_SCORE_RANGE = head("score_range")

_LOOK, _TAKE_INVENTORY, _EXAMINE, _GO = map(int, (Op.LOOK, Op.INVENTORY, Op.EXAMINE, Op.GO))
_OPEN, _CLOSE, _LOCK, _UNLOCK = map(int, (Op.OPEN, Op.CLOSE, Op.LOCK, Op.UNLOCK))
_TAKE, _PUT, _DROP, _EAT, _DRINK = map(int, (Op.TAKE, Op.PUT, Op.DROP, Op.EAT, Op.DRINK))
_CUT, _COOK, _PREPARE = map(int, (Op.CUT, Op.COOK, Op.PREPARE))

_IS_OPEN, _IS_LOCKED = int(Flag.OPEN), int(Flag.LOCKED)
_COOKED, _BURNED, _NEEDS_COOKING = map(int, (Flag.COOKED, Flag.BURNED, Flag.NEEDS_COOKING))
_EDIBLE, _CONSUMED = int(Flag.EDIBLE), int(Flag.CONSUMED)
_SUPPORTER, _CONTAINER, _PORTABLE = map(int, (Kind.SUPPORTER, Kind.CONTAINER, Kind.PORTABLE))

_HELD_BY, _PLAYER_IN, _COOKING_IS, _CUTTING_IS, _HAS_FLAG, _LACKS_FLAGS = map(
    int,
    (
        Check.HELD_BY,
        Check.PLAYER_IN,
        Check.COOKING_IS,
        Check.CUTTING_IS,
        Check.HAS_FLAG,
        Check.LACKS_FLAGS,
    ),
)

_PROMPT = int(Fixed.PROMPT)
_NEWLINE = int(Fixed.NEWLINE)
_AFTER_EXAMINE = int(Fixed.AFTER_EXAMINE)
_AFTER_LIST_OF_CONTENTS = int(Fixed.AFTER_LIST_OF_CONTENTS)
_AFTER_REVEALING = int(Fixed.AFTER_REVEALING)
_AFTER_DESCRIPTION_INTRO = int(Fixed.AFTER_DESCRIPTION_INTRO)
_AFTER_INVENTORY = int(Fixed.AFTER_INVENTORY)
_MISSING = int(Fixed.MISSING)
_UNCOOKED = int(Fixed.UNCOOKED)
_UNCUT = int(Fixed.UNCUT)
_CANNOT_SEE = int(Fixed.CANNOT_SEE)
_LOST_TEXT = int(Fixed.LOST)
_WON_TEXT = int(Fixed.WON)
_BANNER = int(Fixed.BANNER)
_SAID = int(Fixed.SAID)
_AFTER_OBJECTIVE = int(Fixed.AFTER_OBJECTIVE)
_CARRYING_TOO_MUCH = int(Fixed.CARRYING_TOO_MUCH)


# The object tree.


@kernel
def detach(t: Any, s: Any, i: int, thing: int) -> None:
    """Take a thing from whatever holds it."""
    holder = get(t, s, i, _PARENT, thing)
    if holder < 0:
        return
    child = get(t, s, i, _FIRST, holder)
    following = get(t, s, i, _NEXT, thing)
    if child == thing:
        put(t, s, i, _FIRST, holder, following)
    else:
        while get(t, s, i, _NEXT, child) != thing:
            child = get(t, s, i, _NEXT, child)
        put(t, s, i, _NEXT, child, following)
    put(t, s, i, _PARENT, thing, -1)
    put(t, s, i, _NEXT, thing, -1)


@kernel
def attach(t: Any, s: Any, i: int, thing: int, holder: int) -> None:
    """Give a thing to a holder; what came last is listed first."""
    detach(t, s, i, thing)
    put(t, s, i, _NEXT, thing, get(t, s, i, _FIRST, holder))
    put(t, s, i, _FIRST, holder, thing)
    put(t, s, i, _PARENT, thing, holder)


@kernel
def change_flags(t: Any, s: Any, i: int, thing: int, gained: int, lost: int) -> None:
    """Give a thing properties, and take others from it."""
    put(t, s, i, _FLAGS, thing, (get(t, s, i, _FLAGS, thing) | gained) & ~lost)


@kernel
def is_gone(t: Any, s: Any, i: int, e0: int, thing: int) -> bool:
    """Whether a portable thing has left Inform's world (TextWorld's facts may not know)."""
    return (
        thing >= 0
        and at(t, _ENTITY_KIND, e0 + thing) & _PORTABLE != 0
        and get(t, s, i, _PARENT, thing) == -1
    )


@kernel
def hands_full(t: Any, s: Any, i: int, game: int) -> bool:
    """Whether Inform lets the player carry nothing more (the facts may think otherwise)."""
    room_left = number(t, game, _CAPACITY)
    thing = get(t, s, i, _FIRST, number(t, game, _PLAYER))
    while thing >= 0:
        room_left -= 1
        thing = get(t, s, i, _NEXT, thing)
    return room_left <= 0


@kernel
def in_scope(t: Any, s: Any, i: int, game: int, thing: int) -> bool:
    """Whether the player can see a thing that is not a door: near or carried."""
    e0 = start(t, game, _ENTITIES)
    player = number(t, game, _PLAYER)
    holder = get(t, s, i, _PARENT, thing)
    while holder >= 0:
        if holder == s[i, _ROOM] or holder == player:
            return True
        is_open = get(t, s, i, _FLAGS, holder) & _IS_OPEN != 0
        if at(t, _ENTITY_KIND, e0 + holder) & _CONTAINER and not is_open:
            return False
        holder = get(t, s, i, _PARENT, holder)
    return False


# Quests.


@kernel
def condition_holds(t: Any, s: Any, i: int, c: int) -> bool:
    """One condition of a quest."""
    kind = at(t, _CONDITION_KIND, c)
    first = at(t, _CONDITION_FIRST, c)
    second = at(t, _CONDITION_SECOND, c)
    if kind == _HELD_BY:
        return get(t, s, i, _PARENT, first) == second
    if kind == _PLAYER_IN:
        return s[i, _ROOM] == second
    if kind == _COOKING_IS:
        return get(t, s, i, _COOKING, first) == second
    if kind == _CUTTING_IS:
        return get(t, s, i, _CUTTING, first) == second
    if kind == _HAS_FLAG:
        return get(t, s, i, _FLAGS, first) & second != 0
    if kind == _LACKS_FLAGS:
        return get(t, s, i, _FLAGS, first) & second == 0
    return get(t, s, i, _PARENT, first) == -1


@kernel
def event_happens(t: Any, s: Any, i: int, event: int) -> bool:
    """Whether all conditions of an event hold."""
    for c in range(at(t, _EVENT_CONDITIONS, event), at(t, _EVENT_CONDITIONS, event + 1)):
        if not condition_holds(t, s, i, c):
            return False
    return True


@kernel
def check_quests(t: Any, s: Any, i: int, game: int) -> bool:
    """Score completed quests in order; True if one has failed (the rest is not looked at)."""
    q0 = start(t, game, _QUESTS_POOL)
    for quest in range(number(t, game, _N_QUESTS)):
        if get(t, s, i, _QUESTS, quest):
            continue
        q = q0 + quest
        for event in range(at(t, _QUEST_FAILS, q), at(t, _QUEST_WINS, q)):
            if event_happens(t, s, i, event):
                return True
        for event in range(at(t, _QUEST_WINS, q), at(t, _QUEST_FAILS, q + 1)):
            if event_happens(t, s, i, event):
                s[i, _SCORE] += at(t, _QUEST_REWARD, q)
                put(t, s, i, _QUESTS, quest, 1)
                break
    return False


@kernel
def all_quests_done(t: Any, s: Any, i: int, game: int) -> bool:
    """Whether every quest that winning needs is completed."""
    if not number(t, game, _CAN_BE_WON):
        return False
    q0 = start(t, game, _QUESTS_POOL)
    for quest in range(number(t, game, _N_QUESTS)):
        if at(t, _QUEST_MUST, q0 + quest) and not get(t, s, i, _QUESTS, quest):
            return False
    return True


# Actions. Each carries out one kind of command and returns the next column of the reply.


@kernel
def examine(t: Any, s: Any, i: int, e0: int, thing: int, n: int) -> int:
    """Describe a thing, and what can be seen on or in it."""
    n = write_program(t, s, i, e0, at(t, _ENTITY_PROGRAM, e0 + thing), n)
    kind = at(t, _ENTITY_KIND, e0 + thing)
    held = get(t, s, i, _FIRST, thing)
    is_open = get(t, s, i, _FLAGS, thing) & _IS_OPEN != 0
    if held < 0 or not (kind & _SUPPORTER or (kind & _CONTAINER and is_open)):
        s[i, n] = _AFTER_EXAMINE
        return n + 1
    more = get(t, s, i, _NEXT, held) >= 0
    s[i, n] = at(t, _ENTITY_HOLDS_MORE if more else _ENTITY_HOLDS_ONE, e0 + thing)
    n = write_list(t, s, i, e0, thing, False, n + 1)
    s[i, n] = _AFTER_LIST_OF_CONTENTS
    return n + 1


@kernel
def open_thing(t: Any, s: Any, i: int, e0: int, a: int, thing: int, n: int) -> int:
    """Open a door or container; what a container holds is told."""
    change_flags(t, s, i, thing, _IS_OPEN, 0)
    if at(t, _ENTITY_KIND, e0 + thing) & _CONTAINER == 0 or get(t, s, i, _FIRST, thing) < 0:
        s[i, n] = at(t, _ACTION_TEXT, a)
        return n + 1
    s[i, n] = at(t, _ACTION_OTHER_TEXT, a)
    n = write_list(t, s, i, e0, thing, False, n + 1)
    s[i, n] = _AFTER_REVEALING
    return n + 1


@kernel
def cook(t: Any, s: Any, i: int, a: int, food: int) -> int:
    """Cook a food; return what is said. What was cooked before burns."""
    if get(t, s, i, _FLAGS, food) & _COOKED:
        change_flags(t, s, i, food, _BURNED, _EDIBLE)
        return at(t, _ACTION_OTHER_TEXT, a)
    if get(t, s, i, _FLAGS, food) & _NEEDS_COOKING:
        change_flags(t, s, i, food, _EDIBLE, _NEEDS_COOKING)
    change_flags(t, s, i, food, _COOKED, 0)
    put(t, s, i, _COOKING, food, at(t, _ACTION_KIND, a))
    return at(t, _ACTION_TEXT, a)


@kernel
def prepare_meal(t: Any, s: Any, i: int, game: int) -> int:
    """Check the recipe line by line; return what is said of the first fault, or -1 if none."""
    player = number(t, game, _PLAYER)
    first, last = start(t, game, _INGREDIENTS), start(t, game + 1, _INGREDIENTS)
    for k in range(first, last):
        food = at(t, _INGREDIENT_FOOD, k)
        if get(t, s, i, _PARENT, food) != player:
            return _MISSING
        if get(t, s, i, _COOKING, food) != at(t, _INGREDIENT_COOKING, k):
            return _UNCOOKED
        if get(t, s, i, _CUTTING, food) != at(t, _INGREDIENT_CUTTING, k):
            return _UNCUT
    for k in range(first, last):
        detach(t, s, i, at(t, _INGREDIENT_FOOD, k))
    attach(t, s, i, number(t, game, _MEAL), player)
    return -1


@kernel
def simple_action(t: Any, s: Any, i: int, game: int, a: int) -> int:
    """Commands with one reply; return which texts became stale."""
    op = at(t, _ACTION_OP, a)
    first = at(t, _ACTION_FIRST, a)
    if op == _TAKE:
        attach(t, s, i, first, number(t, game, _PLAYER))
        return STALE_DESCRIPTION | STALE_INVENTORY
    if op == _PUT:
        attach(t, s, i, first, at(t, _ACTION_SECOND, a))
        return STALE_DESCRIPTION | STALE_INVENTORY
    if op == _DROP:
        attach(t, s, i, first, s[i, _ROOM])
        return STALE_DESCRIPTION | STALE_INVENTORY
    if op in (_EAT, _DRINK):
        detach(t, s, i, first)
        change_flags(t, s, i, first, _CONSUMED, 0)
        return STALE_INVENTORY
    if op == _CUT:
        put(t, s, i, _CUTTING, first, at(t, _ACTION_KIND, a))
        return STALE_INVENTORY
    if op == _CLOSE:
        change_flags(t, s, i, first, 0, _IS_OPEN)
    elif op == _LOCK:
        change_flags(t, s, i, first, _IS_LOCKED, 0)
    elif op == _UNLOCK:
        change_flags(t, s, i, first, 0, _IS_LOCKED)
    return STALE_DESCRIPTION


@kernel
def say_which(t: Any, s: Any, i: int, game: int, a: int, n: int) -> int:
    """If the command's words fit another thing in sight as well, say which one is meant."""
    for k in range(at(t, _ACTION_CLASHES, a), at(t, _ACTION_CLASHES, a + 1)):
        door_here = at(t, _CLASH_ROOM, k)
        thing = at(t, _CLASH_ENTITY, k)
        if door_here == s[i, _ROOM] or (door_here < 0 and in_scope(t, s, i, game, thing)):
            s[i, n] = at(t, _ACTION_CLASH_TEXT, a)
            return n + 1
    return n


@kernel
def act(t: Any, s: Any, w: Any, i: int, action: int) -> None:
    """Carry out a command, by its number in the game: Inform's world, then the facts."""
    game = s[i, _GAME]
    e0 = start(t, game, _ENTITIES)
    a = start(t, game, _ACTIONS) + action
    op = at(t, _ACTION_OP, a)
    first = at(t, _ACTION_FIRST, a)
    n = t[_FEEDBACK]
    s[i, _PERFORMED] = -1
    room_before = s[i, _ROOM]
    room_after = room_before
    if op == _GO:
        exit_ = start(t, game, _EXITS) + room_before * 4 + at(t, _ACTION_KIND, a)
        room_after = at(t, _ROOM_EXITS, exit_)
    second = at(t, _ACTION_SECOND, a)
    if is_gone(t, s, i, e0, first) or is_gone(t, s, i, e0, second) or room_after < 0:
        # An error of the parser: no turn passes.
        s[i, n] = _CANNOT_SEE
        s[i, n + 1] = _PROMPT
        s[i, _FEEDBACK_LENGTH] = 2
        s[i, _STALE] |= STALE_FEEDBACK
        return

    n = say_which(t, s, i, game, a, n)
    stale = STALE_FEEDBACK
    succeeded = True
    changed = True
    reported = True  # in words that the facts' rules understand
    room_at = 0
    if op == _LOOK:
        s[i, n] = _NEWLINE
        n = copy_pieces(s, i, t[_DESCRIPTION], s[i, _DESCRIPTION_LENGTH], n + 1)
        n = write_after_room(s, i, n)
        changed = False
    elif op == _TAKE_INVENTORY:
        s[i, n] = _NEWLINE
        n = copy_pieces(s, i, t[_INVENTORY], s[i, _INVENTORY_LENGTH], n + 1)
        s[i, n] = _AFTER_INVENTORY
        n += 1
        changed = False
    elif op == _EXAMINE:
        n = examine(t, s, i, e0, first, n)
        changed = False
        # The report names the thing as it is described: "examining the fried carrot".
        reported = name_variant(t, s, i, e0, first) == 0
    elif op == _GO:
        s[i, _ROOM] = room_after
        s[i, n] = _NEWLINE
        s[i, n + 1] = _NEWLINE
        room_at = n + 2
        n = write_after_room(s, i, write_room(t, s, i, room_at))
        stale |= STALE_DESCRIPTION | STALE_CANDIDATES
    elif op == _OPEN:
        n = open_thing(t, s, i, e0, a, first, n)
        stale |= STALE_DESCRIPTION
    elif op == _COOK:
        s[i, n] = cook(t, s, i, a, first)
        n += 1
        stale |= STALE_INVENTORY
    elif op == _PREPARE:
        fault = prepare_meal(t, s, i, game)
        succeeded = changed = fault < 0
        s[i, n] = at(t, _ACTION_TEXT, a) if succeeded else fault
        n += 1
        stale |= STALE_INVENTORY
    elif op == _TAKE and hands_full(t, s, i, game):
        s[i, n] = _CARRYING_TOO_MUCH
        n += 1
        succeeded = changed = False
    else:
        stale |= simple_action(t, s, i, game, a)
        s[i, n] = at(t, _ACTION_TEXT, a)
        n += 1
        reported = op != _DRINK  # reported as "drinking carried thing": no rule's words

    if succeeded:
        stale |= track(t, s, w, i, game, action, reported, room_before)
    if changed:
        s[i, _CHECK_QUESTS] = 1
    end_turn(t, s, i, game, n, stale, room_at)


@kernel
def end_turn(t: Any, s: Any, i: int, game: int, n: int, stale: int, room_at: int) -> None:
    """Inform's every-turn rules: quests, score, end of the game, prompt.

    ``room_at``: where the reply already tells the (new) room, one piece before ``n``; or 0.
    """
    lost = False
    if s[i, _CHECK_QUESTS]:
        lost = check_quests(t, s, i, game)
        s[i, _CHECK_QUESTS] = 0
    if lost:
        # The rules that would tell description, inventory and score are never reached.
        stale &= ~(STALE_DESCRIPTION | STALE_INVENTORY)
        s[i, _ENDING] = LOST
        n = write_ending(t, s, i, n, _LOST_TEXT)
    else:
        if room_at > 0:
            length = n - 1 - room_at
            s[i, _DESCRIPTION_LENGTH] = length
            copy_pieces(s, i, room_at, length, t[_DESCRIPTION])
        elif stale & STALE_DESCRIPTION:
            write_description(t, s, i)
        if stale & STALE_INVENTORY:
            write_inventory(t, s, i)
        s[i, _TURN] += 1
        s[i, _SHOWN_SCORE] = s[i, _SCORE]
        change = s[i, _SCORE] - s[i, _NOTIFIED]
        if change != 0:
            s[i, n] = at(t, _SCORE_TEXT, t[_SCORE_RANGE] + change)
            n += 1
            s[i, _NOTIFIED] = s[i, _SCORE]
        if all_quests_done(t, s, i, game):
            s[i, _ENDING] = WON
            n = write_ending(t, s, i, n, _WON_TEXT)
        else:
            s[i, n] = _PROMPT
            n += 1
            s[i, _STATUS_ROOM] = s[i, _ROOM]
            s[i, _STATUS_SCORE] = s[i, _SCORE]
            s[i, _STATUS_TURN] = s[i, _TURN]
    s[i, _FEEDBACK_LENGTH] = n - t[_FEEDBACK]
    s[i, _STALE] |= stale


@kernel
def pass_turn(t: Any, s: Any, i: int) -> None:
    """A turn in which nothing is done but something is said."""
    s[i, t[_FEEDBACK]] = _SAID
    s[i, _PERFORMED] = -1
    end_turn(t, s, i, s[i, _GAME], t[_FEEDBACK] + 1, STALE_FEEDBACK, 0)


@kernel
def begin(t: Any, initial_bits: Any, s: Any, w: Any, i: int, game: int) -> None:
    """Put row ``i`` at the start of a game."""
    e0 = start(t, game, _ENTITIES)
    for e in range(number(t, game, _N_ENTITIES)):
        put(t, s, i, _PARENT, e, at(t, _ENTITY_PARENT, e0 + e))
        put(t, s, i, _FIRST, e, at(t, _ENTITY_FIRST, e0 + e))
        put(t, s, i, _NEXT, e, at(t, _ENTITY_NEXT, e0 + e))
        put(t, s, i, _FLAGS, e, at(t, _ENTITY_FLAGS, e0 + e))
        put(t, s, i, _COOKING, e, at(t, _ENTITY_COOKING, e0 + e))
        put(t, s, i, _CUTTING, e, at(t, _ENTITY_CUTTING, e0 + e))
    for quest in range(number(t, game, _N_QUESTS)):
        put(t, s, i, _QUESTS, quest, 0)
    for k in range(w.shape[1]):
        w[i, k] = initial_bits[game, k]
    episode = s[i, _EPISODE]
    for column in range(_N_INFO):
        s[i, column] = 0
    s[i, _EPISODE] = episode
    s[i, _GAME] = game
    s[i, _ROOM] = number(t, game, _START_ROOM)
    s[i, _STATUS_ROOM] = s[i, _ROOM]
    s[i, _TURN] = 1
    s[i, _STATUS_TURN] = 1
    s[i, _LAST] = -1
    s[i, _PERFORMED] = -1
    s[i, _CHECK_QUESTS] = 1
    s[i, _STALE] = STALE_ALL
    write_description(t, s, i)
    write_inventory(t, s, i)
    n = t[_FEEDBACK]
    s[i, n] = _BANNER
    s[i, n + 1] = game_text(t, game, _OBJECTIVE)
    s[i, n + 2] = _AFTER_OBJECTIVE
    n = copy_pieces(s, i, t[_DESCRIPTION], s[i, _DESCRIPTION_LENGTH], n + 3)
    s[i, n] = _AFTER_DESCRIPTION_INTRO
    s[i, n + 1] = _PROMPT
    s[i, _FEEDBACK_LENGTH] = n + 2 - t[_FEEDBACK]
