"""The shape of the compiled games: flat arrays, one pool per kind of thing.

A compiled game is a set of small arrays; a batch of games is the same arrays laid end to end
(``pack``). Within a game, entities, facts, edges and groundings are numbered from 0 and those
numbers never change; only numbers that point into a pool (``start`` fields), into the texts or
into the command table are shifted when games are packed.

A ``start`` field holds where an item's entries begin in another pool; they end where the next
item's begin, so every such array has one more element than its pool has items.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Field(NamedTuple):
    """One array: the pool it belongs to and what its numbers mean.

    ``refers``: None for numbers that mean the same in every batch; the name of a pool for
    ``start`` fields; ``text`` or ``command`` for indices into those tables.
    """

    pool: str
    refers: str | None
    dtype: type
    meaning: str


FIELDS: dict[str, Field] = {
    # Entities: rooms first, then the player, then things in TextWorld's order.
    "entity_kind": Field("entity", None, np.uint8, "what it is (Kind)"),
    "entity_names": Field("entity", "name", np.int32, "its names: one, or one per state of food"),
    "entity_program": Field("entity", "program", np.int32, "how it is described"),
    "entity_holds_one": Field("entity", "text", np.int32, "'On the table is '"),
    "entity_holds_more": Field("entity", "text", np.int32, "'On the table are '"),
    "entity_states": Field("entity", "state", np.int32, "facts that can be seen of it"),
    "entity_carried": Field("entity", None, np.int16, "the fact that it is carried, or -1"),
    "entity_parent": Field("entity", None, np.int16, "what holds it at first, -1 nothing"),
    "entity_first": Field("entity", None, np.int16, "the first thing it holds, -1 none"),
    "entity_next": Field("entity", None, np.int16, "the next thing with the same holder, or -1"),
    "entity_flags": Field("entity", None, np.uint8, "properties at first (Flag)"),
    "entity_cooking": Field("entity", None, np.uint8, "Cooking at first"),
    "entity_cutting": Field("entity", None, np.uint8, "Cutting at first"),
    # Names: for food, indexed by (cutting * 6 + cooking prefix).
    "name_listed": Field("name", "text", np.int32, "with its indefinite article"),
    "name_plain": Field("name", "text", np.int32, "without article"),
    "state_fact": Field("state", None, np.int16, "a fact about the entity"),
    # Descriptions.
    "program_do": Field("program", None, np.uint8, "instruction (Do)"),
    "program_text": Field("program", "text", np.int32, "for SAY"),
    "program_entity": Field("program", None, np.int16, "for NAME, LIST and tests"),
    "program_jump": Field("program", "program", np.int32, "where to go on"),
    # Rooms.
    "room_exits": Field("exit", None, np.int16, "four per room: north, south, east, west; or -1"),
    "room_sights": Field("room", "sight", np.int32, "edges seen whenever one is there"),
    "room_watched": Field("room", "watch", np.int32, "facts seen there when true"),
    "sight_edge": Field("sight", None, np.int16, "an edge"),
    "watch_fact": Field("watch", None, np.int16, "a fact"),
    # Commands of a game, sorted; each has the groundings that share its words.
    "action_command": Field("action", "command", np.int32, "the command's words"),
    "action_op": Field("action", None, np.uint8, "what Inform does (Op)"),
    "action_first": Field("action", None, np.int16, "first entity named, or -1"),
    "action_second": Field("action", None, np.int16, "second entity named, or -1"),
    "action_kind": Field("action", None, np.uint8, "Cooking, Cutting or direction"),
    "action_text": Field("action", "text", np.int32, "the reply"),
    "action_other_text": Field("action", "text", np.int32, "the reply in the other case"),
    "action_groundings": Field("action", "grounding", np.int32, "best match first"),
    "action_clashes": Field("action", "clash", np.int32, "things its words fit as well"),
    "action_clash_text": Field("action", "text", np.int32, "what is said then"),
    "action_is_recipe": Field("action", None, np.uint8, "1 if it shows the recipe"),
    "clash_entity": Field("clash", None, np.int16, "an entity"),
    "clash_room": Field("clash", None, np.int16, "the room where it can be seen, for doors; or -1"),
    # Groundings: the rules of the facts.
    "grounding_action": Field("grounding", None, np.int16, "its command, by number in the game"),
    "grounding_room": Field("grounding", None, np.int16, "where the player must be, -1 anywhere"),
    "grounding_needs": Field("grounding", "need", np.int32, "facts, without the player's place"),
    "grounding_adds": Field("grounding", "add", np.int32, "facts that begin"),
    "grounding_ends": Field("grounding", "end", np.int32, "facts that end"),
    "grounding_shows": Field("grounding", "show", np.int32, "edges the player then knows"),
    "grounding_hides": Field("grounding", "hide", np.int32, "edges the player knows no more"),
    "need_fact": Field("need", None, np.int16, "a fact"),
    "add_fact": Field("add", None, np.int16, "a fact"),
    "end_fact": Field("end", None, np.int16, "a fact"),
    "show_edge": Field("show", None, np.int16, "an edge"),
    "hide_edge": Field("hide", None, np.int16, "an edge"),
    # Facts.
    "fact_touches": Field("fact", "touch", np.int32, "groundings that need it"),
    "fact_edge": Field("fact", None, np.int16, "the edge it is in the full graph, or -1"),
    "touch_grounding": Field("touch", None, np.int16, "a grounding"),
    # Edges that can occur in a game, ascending by id.
    "edge_id": Field("edge", None, np.int32, "the graph vocabulary's number"),
    "edge_blocker": Field("edge", None, np.int16, "the edge that hides it, or -1"),
    "place_edge": Field("place", None, np.int16, "(entity, holder) -> edge that says so, or -1"),
    "recipe_edge": Field("recipe", None, np.int16, "an edge the cookbook tells"),
    # Quests.
    "quest_reward": Field("quest", None, np.int32, "points"),
    "quest_must": Field("quest", None, np.uint8, "1 if winning needs it"),
    "quest_fails": Field("quest", "event", np.int32, "events that lose the game"),
    "quest_wins": Field("quest", "event", np.int32, "events that complete it (after the fails)"),
    "event_conditions": Field("event", "condition", np.int32, "all must hold"),
    "condition_kind": Field("condition", None, np.uint8, "Check"),
    "condition_first": Field("condition", None, np.int16, "an entity"),
    "condition_second": Field("condition", None, np.int16, "an entity or a number"),
    # The recipe as Inform checks it.
    "ingredient_food": Field("ingredient", None, np.int16, "an entity"),
    "ingredient_cooking": Field("ingredient", None, np.uint8, "Cooking it must have"),
    "ingredient_cutting": Field("ingredient", None, np.uint8, "Cutting it must have"),
    # Where each room's possible groundings stand, as bits (words of 64).
    "mask_all": Field("mask", None, np.uint64, "groundings possible in a room"),
    "mask_filtered": Field("mask", None, np.uint64, "the same without look and most examines"),
}

POOLS = tuple(dict.fromkeys(field.pool for field in FIELDS.values()))

GAME_NUMBERS = (
    "entities",
    "groundings",
    "actions",
    "edges",
    "quests",
    "player",
    "capacity",
    "start_room",
    "meal",
    "max_score",
    "can_be_won",
)
"""Numbers every game has one of; ``capacity`` is how much can be carried."""

GAME_TEXTS = ("intro", "end_middle")
"""Texts every game has one of: banner and objective; ' out of a possible 4, in '."""

INFO = (
    "game",
    "room",
    "turn",
    "score",
    "notified",
    "shown_score",
    "steps",
    "ending",
    "truncated",
    "episode",
    "status_room",
    "status_score",
    "status_turn",
    "last_grounding",
    "moves",
    "check_quests",
    "feedback_length",
    "description_length",
    "inventory_length",
    "stale",
    "performed",
)
"""The first numbers of a state.

``ending``: 0 still running, 1 won, 2 lost. ``notified``: the score last spoken of;
``shown_score``: TextWorld's info, which a lost game leaves as it was. ``status_*``: the status
line. ``last_grounding``: number of the last tracked action in its game, -1 none. ``stale``: which
outputs must be written anew. ``performed``: the grounding the last command performed, or -1.
"""

STATE_ROWS = (
    "parent",
    "first",
    "next",
    "flags",
    "cooking",
    "cutting",
    "quests",
    "feedback",
    "description",
    "inventory",
)
"""The rest of a state's numbers: Inform's object tree (parent, first child, next sibling) and
properties by entity; 1 for each completed quest; the last texts as pieces (a negative piece -1 - n
is the number n)."""

STATE_BITS = ("facts", "ready", "full", "seen")
"""A state's bit sets: what is true; what can be done (wherever the player is); the two graphs."""

OUTPUT_NUMBERS = (
    "observation_length",
    "description_length",
    "inventory_length",
    "candidate_count",
    "full_count",
    "seen_count",
    "reward",
    "score",
    "max_score",
    "steps",
    "game",
    "done",
    "won",
    "lost",
    "truncated",
)
"""The first numbers of an output row."""

OUTPUT_ROWS = (
    "observation",
    "description",
    "inventory",
    "candidates",
    "full_edges",
    "seen_edges",
)
"""The rest of an output row: tokens, command ids, edge ids; zeros beyond their lengths."""

BIT_FIELDS = ("mask_all", "mask_filtered")
"""Fields kept apart because they are 64 bits wide."""

SHARED = ("token_start", "token", "number_token", "score_text")
"""Tables the games share: the texts' tokens; the tokens of 0..100; the text for a score change."""

PER_GAME = ("number", "start", "text")
"""Tables with a row per game: GAME_NUMBERS, where it begins in each of POOLS, GAME_TEXTS."""

HEAD = (
    *(name for name in FIELDS if name not in BIT_FIELDS),
    *SHARED,
    *PER_GAME,
    *(f"state_{name}" for name in STATE_ROWS),
    *(f"bits_{name}" for name in STATE_BITS),
    *(f"output_{name}" for name in OUTPUT_ROWS),
    "score_range",
    "games",
)
"""What the first numbers of the packed tables tell: where each table begins in them, where each
part of a state or output row begins, the largest score change, how many games there are."""


class Tables(NamedTuple):
    """Packed games, as the kernel reads them."""

    numbers: Array
    """(n,) int32: ``HEAD``, then all tables end to end."""
    mask_all: Array
    mask_filtered: Array
    """(n,) uint64."""
    initial_bits: Array
    """(games, words) uint64: ``STATE_BITS`` when a game begins."""


class Memory(NamedTuple):
    """Games being played; first axis: the row of the batch. All of it is plain numbers."""

    numbers: Array
    """(batch, width) int32: ``INFO``, then ``STATE_ROWS``."""
    bits: Array
    """(batch, words) uint64: ``STATE_BITS``."""
    seeds: Array
    """(batch,) uint64: which games the rows play."""


class State(NamedTuple):
    """Saved games: a copy of some rows of ``Memory``, and a seal for each.

    The kernel trusts the numbers it works on, so only what an engine of the same games has saved
    may come back, unchanged; the seals tell. Rows may be chosen and put together:
    ``State(*(array[rows] for array in state))``.
    """

    numbers: Array
    bits: Array
    seeds: Array
    seals: Array
    """(rows,) uint64: a checksum of the row and of the packed games it belongs to."""
