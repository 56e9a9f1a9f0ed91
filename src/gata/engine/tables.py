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
    # Names: for food, indexed by (cutting * 5 + cooking prefix).
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
    "quest_repeats": Field("quest", None, np.uint8, "1 if it can be done again and again"),
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
    "rooms",
    "entities",
    "facts",
    "groundings",
    "actions",
    "edges",
    "quests",
    "player",
    "capacity",
    "start_room",
    "cooking_room",
    "meal",
    "max_score",
    "can_be_won",
    "always_check",
)
"""Numbers every game has one of; ``capacity`` is how much can be carried."""

GAME_TEXTS = ("intro", "end_middle")
"""Texts every game has one of: banner and objective; ' out of a possible 4, in '."""

GAME_BITS = ("facts", "ready", "full", "seen")
"""Bit sets every game starts with: what is true, what can be done, the two graphs."""


class Tables(NamedTuple):
    """Packed games, as the kernel reads them."""

    entity_kind: Array
    entity_names: Array
    entity_program: Array
    entity_holds_one: Array
    entity_holds_more: Array
    entity_states: Array
    entity_carried: Array
    entity_parent: Array
    entity_first: Array
    entity_next: Array
    entity_flags: Array
    entity_cooking: Array
    entity_cutting: Array
    name_listed: Array
    name_plain: Array
    state_fact: Array
    program_do: Array
    program_text: Array
    program_entity: Array
    program_jump: Array
    room_exits: Array
    room_sights: Array
    room_watched: Array
    sight_edge: Array
    watch_fact: Array
    action_command: Array
    action_op: Array
    action_first: Array
    action_second: Array
    action_kind: Array
    action_text: Array
    action_other_text: Array
    action_groundings: Array
    action_clashes: Array
    action_clash_text: Array
    action_is_recipe: Array
    clash_entity: Array
    clash_room: Array
    grounding_action: Array
    grounding_room: Array
    grounding_needs: Array
    grounding_adds: Array
    grounding_ends: Array
    grounding_shows: Array
    grounding_hides: Array
    need_fact: Array
    add_fact: Array
    end_fact: Array
    show_edge: Array
    hide_edge: Array
    fact_touches: Array
    fact_edge: Array
    touch_grounding: Array
    edge_id: Array
    edge_blocker: Array
    place_edge: Array
    recipe_edge: Array
    quest_reward: Array
    quest_must: Array
    quest_repeats: Array
    quest_fails: Array
    quest_wins: Array
    event_conditions: Array
    condition_kind: Array
    condition_first: Array
    condition_second: Array
    ingredient_food: Array
    ingredient_cooking: Array
    ingredient_cutting: Array
    mask_all: Array
    mask_filtered: Array
    # Per game: its numbers, and where it begins in each pool.
    number: Array
    """(games, len(GAME_NUMBERS)) int32."""
    start: Array
    """(games + 1, len(POOLS)) int32."""
    text: Array
    """(games, len(GAME_TEXTS)) int32."""
    initial_facts: Array
    """(games, words) uint64; likewise the next three."""
    initial_ready: Array
    initial_full: Array
    initial_seen: Array
    # Texts as tokens.
    token_start: Array
    """(texts + 1,) int32: where a text's tokens begin."""
    token: Array
    """(all tokens,) int32."""
    number_token: Array
    """(101,) int32: the tokens of 0..100; larger numbers are spelt by their digits."""
    score_text: Array
    """(2 * n + 1,) int32: what is said when the score changes by -n..n."""


class State(NamedTuple):
    """The games being played; first axis: the game in the batch. All of it is plain numbers."""

    info: Array
    """(batch, len(INFO)) int32."""
    seed: Array
    """(batch,) uint64."""
    parent: Array
    """(batch, entities) int16; Inform's object tree: parent, first child, next sibling."""
    first: Array
    next: Array
    flags: Array
    """(batch, entities) uint8 (Flag); likewise cooking and cutting."""
    cooking: Array
    cutting: Array
    quests: Array
    """(batch, quests) uint8: 1 when completed."""
    facts: Array
    """(batch, words) uint64: TextWorld's facts."""
    ready: Array
    """(batch, words) uint64: groundings whose facts hold, wherever the player is."""
    full: Array
    seen: Array
    """(batch, words) uint64: the edges of the two graphs."""
    feedback: Array
    """(batch, pieces) int32: the last reply, as texts; likewise description and inventory."""
    description: Array
    inventory: Array


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
"""The columns of ``State.info``.

``ending``: 0 still running, 1 won, 2 lost. ``notified``: the score last spoken of;
``shown_score``: TextWorld's info, which a lost game leaves as it was. ``status_*``: the status
line. ``last_grounding``: number of the last tracked action in its game, -1 none. ``stale``: which
outputs must be written anew (Stale). ``performed``: the grounding the last command performed.
"""


class Outputs(NamedTuple):
    """What the engine says about every game after a step. Rows beyond a length hold zeros."""

    observation: Array
    """(batch, width) int32 tokens of the reply; likewise description and inventory."""
    observation_length: Array
    description: Array
    description_length: Array
    inventory: Array
    inventory_length: Array
    candidates: Array
    """(batch, width) int32: ids into the command table, ascending (the order of the words)."""
    candidate_count: Array
    full_edges: Array
    """(batch, width) int32: edge ids of the true graph, ascending; likewise the seen graph."""
    full_count: Array
    seen_edges: Array
    seen_count: Array
    reward: Array
    """(batch,) float32: change of the score."""
    score: Array
    max_score: Array
    steps: Array
    game: Array
    """(batch,) int32: which of the packed games is being played."""
    done: Array
    """(batch,) bool: the episode is over, for one of the next three reasons."""
    won: Array
    lost: Array
    truncated: Array
