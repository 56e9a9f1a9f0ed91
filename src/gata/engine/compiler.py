"""From a game to flat arrays: all that is known about it before anyone plays."""

import itertools
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gata.engine import messages
from gata.engine.actions import (
    COOKED_WITH,
    COOKINGS,
    CUTTINGS,
    DIRECTIONS,
    INITIAL_FLAGS,
    LACKING,
    NO_EQUIVALENT,
    PLACES,
    Check,
    Cooking,
    Cutting,
    Flag,
    Kind,
    Op,
    verb_of,
)
from gata.engine.grounding import Grounding, Groundings, ground
from gata.engine.logic import Logic, parse
from gata.engine.tables import FIELDS, GAME_NUMBERS, POOLS, Array
from gata.engine.templates import (
    Do,
    Instruction,
    compile_template,
    objective_text,
    quotes,
    room_text,
)
from gata.errors import GataError
from gata.facts import Fact
from gata.games.game import Entity, Game
from gata.graph.extract import COOKED, FOOD_STATES, full_graph, in_sight, recipe, triples_from_facts
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER, GraphVocabulary

KINDS = {
    "r": Kind.ROOM,
    "s": Kind.SUPPORTER,
    "c": Kind.CONTAINER,
    "d": Kind.DOOR,
    "o": Kind.PORTABLE,
}
"""TextWorld's types that are things of Inform's world -> what they are."""

COOKING_PREFIXES = ("", "raw ", "burned ", "grilled ", "roasted ", "fried ")
CUTTING_PREFIXES = ("", "sliced ", "diced ", "chopped ")
NAMES_PER_FOOD = len(COOKING_PREFIXES) * len(CUTTING_PREFIXES)

NO_LIMIT = 100
"""What Inform lets a player carry if nothing else is said."""

FILTERED_VERBS = frozenset({"look", "examine"})
KEPT_COMMAND = "examine cookbook"
"""The filter of the authors' training code: these verbs go, but for this command."""


@dataclass
class CompiledGame:
    """One game as arrays; indices into texts and commands are the game's own."""

    name: str
    arrays: dict[str, Array]
    numbers: tuple[int, ...]
    game_texts: tuple[int, ...]
    bits: dict[str, Array]
    sizes: tuple[int, ...]
    """Items per pool."""
    texts: tuple[str, ...]
    commands: tuple[str, ...]
    headings: tuple[str, ...]
    """'-= Kitchen =-' for each room."""
    entities: tuple[str, ...]
    """Entity ids by number."""
    kinds: tuple[Kind, ...]


def passes_filter(command: str) -> bool:
    """Whether the authors' training code offers ``command`` to the agent."""
    return command == KEPT_COMMAND or command.split(" ", 1)[0] not in FILTERED_VERBS


def compile_game(
    game: Game, graph: GraphVocabulary = PAPER, groundings: Groundings | None = None
) -> CompiledGame:
    """Compile one game; a broken one raises a ``GataError`` that names it.

    Args:
        game: the game.
        graph: the nodes and relations of graphs; edges among others are left out.
        groundings: the game's, if they are at hand.
    """
    try:
        return _GameCompiler(game, graph, groundings or ground(game)).run()
    except GataError as error:
        raise GataError(f"{game.name}: {error}") from error
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise GataError(
            f"{game.name}: not a sound TextWorld 1.7 game ({type(error).__name__}: {error})"
        ) from error


class _Command(NamedTuple):
    """A command of a game: its words, the rule behind it, the entities it names."""

    command: str
    rule: str
    nouns: tuple[Entity, ...]


@dataclass
class _Pools:
    """Arrays under construction."""

    values: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in FIELDS})

    def add(self, **values: int) -> None:
        for name, value in values.items():
            self.values[name].append(int(value))

    def size(self, pool: str) -> int:
        return max(len(self.values[name]) for name, spec in FIELDS.items() if spec.pool == pool)


def words_to_bits(indices: Iterable[int], size: int) -> Array:
    """A set of numbers below ``size`` as an array of 64-bit words."""
    bits = np.zeros(max(1, -(-size // 64)), np.uint64)
    for index in indices:
        bits[index // 64] |= np.uint64(1) << np.uint64(index % 64)
    return bits


class _GameCompiler:
    def __init__(self, game: Game, graph: GraphVocabulary, groundings: Groundings) -> None:
        self.game = game
        self.graph = graph
        self.logic: Logic = parse(game.rules_text)
        self.groundings = groundings
        self.names: Mapping[str, str] = {e.id: e.name for e in game.entities.values()}
        self.pools = _Pools()
        self.texts: dict[str, int] = {}
        for piece in messages.Fixed:
            # Fixed pieces may repeat each other's text; their numbers are what counts.
            self.texts[f"\0{piece.value}"] = piece.value

        by_kind: dict[str, list[Entity]] = {kind: [] for kind in KINDS}
        for entity in game.entities.values():
            for kind in KINDS:
                if self.logic.is_a(entity.type, kind):
                    by_kind[kind].append(entity)
        self.rooms = by_kind["r"]
        if not self.rooms:
            raise GataError("field 'infos': the game has no room")
        things = [e for e in game.entities.values() if self.kind(e) & ~Kind.ROOM]
        player = game.entities.get("P")
        if player is None:
            raise GataError("field 'infos': the player (P) is missing")
        self.entities: list[Entity] = [*self.rooms, player, *things]
        self.number = {entity.id: i for i, entity in enumerate(self.entities)}
        self.player = self.number["P"]
        self.number["I"] = self.player
        self.has_cooking = any(rule.name.startswith("cook/") for rule in self.logic.rules)

        self.facts = groundings.facts
        self.players_place = next((f for f in game.facts if _is_players_place(f)), Fact("", ()))
        if self.players_place.ids[1:2] == ():
            raise GataError("field 'world': nothing says where the player (P) is")
        self.fact_number = {fact: i for i, fact in enumerate(self.facts)}
        self.doorways: dict[str, list[int]] = {}  # door -> the rooms it leads to
        for fact in game.facts:
            if fact.predicate == "link":
                self.doorways.setdefault(fact.ids[1], []).append(self.number[fact.ids[0]])
        self.place = {  # thing -> holder when play begins
            fact.ids[0]: fact.ids[1]
            for fact in game.facts
            if fact.predicate in PLACES and fact.ids[0] in self.number and fact.ids[0] != "P"
        }

    def kind(self, entity: Entity) -> Kind:
        kinds = Kind(0)
        for name, kind in KINDS.items():
            if self.logic.is_a(entity.type, name):
                kinds |= kind
        return kinds

    def text(self, text: str) -> int:
        """The number of a piece of text."""
        return self.texts.setdefault(text, len(self.texts))

    def run(self) -> CompiledGame:
        self.compile_edges()
        self.compile_entities()
        self.compile_rooms()
        self.compile_actions()
        self.compile_facts()
        self.compile_quests()
        self.compile_recipe()
        arrays = {}
        for name, values in self.pools.values.items():
            arrays[name] = _checked(name, values)
        numbers = self.game_numbers()
        true_now = {self.fact_number[fact] for fact in self.game.facts}
        ready = [
            i
            for i, action in enumerate(self.groundings.actions)
            if all(self.fact_number[f] in true_now for f in self.needs(action))
        ]
        bits = {
            "facts": words_to_bits(true_now, len(self.facts)),
            "ready": words_to_bits(ready, len(self.groundings.actions)),
            "full": words_to_bits(self.initial_full, len(self.edges)),
            "seen": words_to_bits(self.initial_seen, len(self.edges)),
        }
        game_texts = (
            self.text(objective_text(self.game.objective)),
            self.text(messages.OUT_OF_POSSIBLE.format(numbers["max_score"])),
        )
        texts = list(self.texts)
        for piece, text in messages.FIXED_TEXT.items():
            texts[piece] = text
        return CompiledGame(
            name=self.game.name,
            arrays=arrays,
            numbers=tuple(numbers[name] for name in GAME_NUMBERS),
            game_texts=game_texts,
            bits=bits,
            sizes=tuple(self.pools.size(pool) for pool in POOLS),
            texts=tuple(texts),
            commands=tuple(self.commands),
            headings=tuple(messages.HEADING.format(room.name.title()) for room in self.rooms),
            entities=tuple(entity.id for entity in self.entities),
            kinds=tuple(self.kind(entity) for entity in self.entities),
        )

    # Names.

    def definite(self, entity: Entity) -> str:
        """``the carrot``; doors have names of their own."""
        if self.kind(entity) & Kind.DOOR:
            return entity.name
        return f"{entity.definite or 'the'} {entity.name}"

    @staticmethod
    def listed(entity: Entity, name: str) -> str:
        """A name with its indefinite article."""
        article = entity.indefinite or ("an" if name[:1].lower() in "aeiou" else "a")
        return f"{article} {name}"

    def is_food(self, entity: Entity) -> bool:
        return self.has_cooking and self.logic.is_a(entity.type, "f")

    # Entities.

    def compile_entities(self) -> None:
        first, following, parent = self.object_tree()
        flags, cooking, cutting = self.properties()
        states: dict[str, list[int]] = {}
        for fact, number in self.fact_number.items():
            if fact.predicate in FOOD_STATES:
                states.setdefault(fact.ids[0], []).append(number)
        carried = {
            fact.ids[0]: number
            for fact, number in self.fact_number.items()
            if fact.predicate == "in" and fact.arguments[1].type == "I"
        }
        for index, entity in enumerate(self.entities):
            food = self.is_food(entity)
            kind = self.kind(entity) | (Kind.FOOD if food else Kind(0))
            preposition = "on" if kind & Kind.SUPPORTER else "in"
            one, more = messages.CONTENTS[preposition]
            the = self.definite(entity)
            self.pools.add(
                entity_kind=kind,
                entity_names=len(self.pools.values["name_plain"]),
                entity_program=len(self.pools.values["program_do"]),
                entity_holds_one=self.text(one.format(the)),
                entity_holds_more=self.text(more.format(the)),
                entity_states=len(self.pools.values["state_fact"]),
                entity_carried=carried.get(entity.id, -1),
                entity_parent=parent[index],
                entity_first=first[index],
                entity_next=following[index],
                entity_flags=flags[index],
                entity_cooking=cooking[index],
                entity_cutting=cutting[index],
            )
            self.add_names(entity, food)
            self.add_program(entity, kind)
            for fact_number in states.get(entity.id, ()):
                self.pools.add(state_fact=fact_number)

    def add_names(self, entity: Entity, food: bool) -> None:
        prefixes = [""]
        if food:
            prefixes = [cut + cook for cut in CUTTING_PREFIXES for cook in COOKING_PREFIXES]
        for prefix in prefixes:
            name = prefix + entity.name
            self.pools.add(
                name_plain=self.text(name), name_listed=self.text(self.listed(entity, name))
            )

    def add_program(self, entity: Entity, kind: Kind) -> None:
        where = f"description of {entity.id} ({entity.name})"
        if kind & Kind.ROOM:
            heading = messages.HEADING.format(entity.name.title()) + "\n"
            code = compile_template(heading + room_text(entity.description), entity.id, where)
        elif entity.id == "P":
            code = [Instruction(Do.END)]
        else:
            description = quotes(entity.description) or messages.NOTHING_SPECIAL.format(
                self.definite(entity)
            )
            code = compile_template(messages.NL + description, entity.id, where)
        base = len(self.pools.values["program_do"])
        for step in code:
            if step.entity and step.entity not in self.number:
                raise GataError(f"{where}: there is no entity '{step.entity}'")
            self.pools.add(
                program_do=step.do,
                program_text=self.text(step.text) if step.text else 0,
                program_entity=self.number[step.entity] if step.entity else -1,
                program_jump=base + step.jump,
            )

    def object_tree(self) -> tuple[list[int], list[int], list[int]]:
        """First child, next sibling and parent of every entity; siblings in TextWorld's order."""
        count = len(self.entities)
        children: list[list[int]] = [[] for _ in range(count)]
        parent = [-1] * count
        for entity in self.entities:
            holder = self.place.get(entity.id)
            if holder is None:
                continue
            if holder not in self.number:
                raise GataError(f"field 'world': {entity.id} is in '{holder}', which is no place")
            parent[self.number[entity.id]] = self.number[holder]
            children[self.number[holder]].append(self.number[entity.id])
        first, following = [-1] * count, [-1] * count
        for holder_number, held in enumerate(children):
            if held:
                first[holder_number] = held[0]
            for this, after in itertools.pairwise(held):
                following[this] = after
        return first, following, parent

    def properties(self) -> tuple[list[int], list[int], list[int]]:
        """Flags, cooking and cutting of every entity when play begins."""
        flags = [Flag.EDIBLE if self.logic.is_a(e.type, "f") else Flag(0) for e in self.entities]
        cooking = [Cooking.RAW] * len(self.entities)
        cutting = [Cutting.UNCUT] * len(self.entities)
        for fact in self.game.facts:
            number = self.number.get(fact.ids[0]) if len(fact.ids) == 1 else None
            if number is None:
                continue
            flags[number] |= INITIAL_FLAGS.get(fact.predicate, Flag(0))
            flags[number] &= ~LACKING.get(fact.predicate, Flag(0))
            cooking[number] = COOKINGS.get(fact.predicate, cooking[number])
            cutting[number] = CUTTINGS.get(fact.predicate, cutting[number])
        return [int(f) for f in flags], [int(c) for c in cooking], [int(c) for c in cutting]

    # Rooms and what is seen there.

    def compile_rooms(self) -> None:
        exits: dict[tuple[str, int], int] = {}
        for fact in self.game.facts:
            direction = fact.predicate.removesuffix("_of")
            if direction in DIRECTIONS and len(fact.ids) == 2:
                there, here = fact.ids
                exits[here, DIRECTIONS.index(direction)] = self.number[there]
        openable = [
            fact
            for fact in self.groundings.dynamic_facts
            if fact.predicate in ("open", "closed") and len(fact.ids) == 1
        ]
        for room in self.rooms:
            for direction_number in range(len(DIRECTIONS)):
                self.pools.add(room_exits=exits.get((room.id, direction_number), -1))
            self.pools.add(
                room_sights=len(self.pools.values["sight_edge"]),
                room_watched=len(self.pools.values["watch_fact"]),
            )
            for edge in self.edges_of(self.sights[room.id]):
                self.pools.add(sight_edge=edge)
            near = {fact.ids[0] for fact in self.game.facts if fact.ids[1:] == (room.id,)}
            near |= {
                fact.ids[1]
                for fact in self.game.facts
                if fact.predicate == "link" and fact.ids[0] == room.id
            }
            for fact in openable:
                if fact.ids[0] in near:
                    self.pools.add(watch_fact=self.fact_number[fact])
            self.add_masks(room)

    def add_masks(self, room: Entity) -> None:
        actions = self.groundings.actions
        possible = [i for i, a in enumerate(actions) if self.room_of(a) in (None, room.id)]
        kept = [i for i in possible if passes_filter(actions[i].command)]
        for name, indices in (("mask_all", possible), ("mask_filtered", kept)):
            self.pools.values[name].extend(map(int, words_to_bits(indices, len(actions))))

    # Graphs.

    def compile_edges(self) -> None:
        static = self.groundings.static_facts
        self.recipe = triples_from_facts(recipe(static), self.names)
        self.sights = {
            room.id: triples_from_facts(
                in_sight(
                    frozenset(f for f in static if f.arguments[0].type != "P")
                    | {self.player_at(room.id)}
                ),
                self.names,
            )
            for room in self.rooms
        }
        always = full_graph(static, self.names)
        triple_of = {fact: triples_from_facts([fact], self.names) for fact in self.facts}
        triples: set[Triple] = {*always, *self.recipe}
        triples.update(*self.sights.values(), *triple_of.values())
        self.edges: dict[Triple, int] = {}
        numbered = sorted(
            (self.graph.triple_id(triple), triple) for triple in triples if self.in_graph(triple)
        )
        for edge_id, triple in numbered:
            self.edges[triple] = len(self.edges)
            self.pools.add(edge_id=edge_id)
        for triple in self.edges:
            burned = self.edges.get(Triple(triple.source, "burned", "is"), -1)
            self.pools.add(edge_blocker=burned if triple.target in COOKED else -1)
        self.edge_of = {fact: next(iter(self.edges_of(t)), -1) for fact, t in triple_of.items()}

        true_now = set(self.game.facts)
        dynamic_now = [f for f in self.groundings.dynamic_facts if f in true_now]
        self.initial_full = {
            *self.edges_of(always),
            *(self.edge_of[f] for f in dynamic_now if self.edge_of[f] >= 0),
        }
        seen = in_sight(frozenset(self.game.facts))
        self.initial_seen = set(self.edges_of(triples_from_facts(seen, self.names)))
        for edge in self.edges_of(sorted(self.recipe)):
            self.pools.add(recipe_edge=edge)
        matrix = np.full((len(self.entities), len(self.entities)), -1)
        for fact, edge in self.edge_of.items():
            if fact.predicate in PLACES and edge >= 0 and fact.ids[0] in self.number:
                matrix[self.number[fact.ids[0]], self.number[fact.ids[1]]] = edge
        self.pools.values["place_edge"].extend(map(int, matrix.ravel()))

    def player_at(self, room: str) -> Fact:
        player, place = self.players_place.arguments
        return Fact("at", (player, place._replace(id=room)))

    def in_graph(self, triple: Triple) -> bool:
        return (
            self.graph.is_node(triple.source)
            and self.graph.is_node(triple.target)
            and self.graph.is_relation(triple.relation)
        )

    def edges_of(self, triples: Iterable[Triple]) -> list[int]:
        return [self.edges[triple] for triple in triples if triple in self.edges]

    # Actions.

    def needs(self, action: Grounding) -> list[Fact]:
        """Preconditions that can change, but for the player's place."""
        return [
            fact
            for fact in action.preconditions
            if fact not in self.groundings.static_facts and not _is_players_place(fact)
        ]

    @staticmethod
    def room_of(action: Grounding) -> str | None:
        for fact in action.preconditions:
            if _is_players_place(fact):
                return fact.ids[1]
        return None

    def compile_actions(self) -> None:
        self.commands: list[str] = []
        pools = self.pools
        extra = deque(self.extra_commands())
        for action in self.groundings.actions:
            if not self.commands or self.commands[-1] != action.command:
                while extra and extra[0].command < action.command:
                    self.add_command(extra.popleft())
                self.add_command(self.command_of(action))
            room = self.room_of(action)
            pools.add(
                grounding_action=len(self.commands) - 1,
                grounding_room=-1 if room is None else self.number[room],
                grounding_needs=len(pools.values["need_fact"]),
                grounding_adds=len(pools.values["add_fact"]),
                grounding_ends=len(pools.values["end_fact"]),
                grounding_shows=len(pools.values["show_edge"]),
                grounding_hides=len(pools.values["hide_edge"]),
            )
            added, removed = action.added, action.removed
            for fact in self.needs(action):
                pools.add(need_fact=self.fact_number[fact])
            for fact in sorted(added):
                pools.add(add_fact=self.fact_number[fact])
            for fact in sorted(removed):
                pools.add(end_fact=self.fact_number[fact])
            for fact in sorted((frozenset(action.preconditions) | added) - removed):
                if self.edge_of[fact] >= 0:
                    pools.add(show_edge=self.edge_of[fact])
            for fact in sorted(removed):
                if self.edge_of[fact] >= 0:
                    pools.add(hide_edge=self.edge_of[fact])
        for command in extra:
            self.add_command(command)

    def extra_commands(self) -> list[_Command]:
        """Commands that Inform understands though no rule ever offers them, sorted."""
        offered = {action.command for action in self.groundings.actions}
        commands = []
        for entity in self.entities:
            kind = self.kind(entity)
            rules = ["examine"] if kind & ~Kind.ROOM else []
            if kind & (Kind.CONTAINER | Kind.DOOR):
                rules += ["open", "close"]
            commands += [_Command(f"{rule} {entity.name}", rule, (entity,)) for rule in rules]
        different = {c.command: c for c in commands if c.command not in offered}
        return [different[command] for command in sorted(different)]

    def command_of(self, action: Grounding) -> _Command:
        nouns = (
            self.game.entities[action.entities[placeholder]]
            for placeholder in _placeholders(action.rule.command)
        )
        return _Command(action.command, action.rule.name, tuple(nouns))

    def add_command(self, command: _Command) -> None:
        verb = verb_of(command.rule)
        if verb is None:
            raise GataError(f"rule text: what '{command.rule}' does in the game is not known")
        nouns = command.nouns
        reply, other, kind = self.replies(verb.op, verb.kind, command.rule, nouns)
        clashes = self.clashes(nouns[0]) if nouns else []
        self.pools.add(
            action_command=len(self.commands),
            action_op=verb.op,
            action_first=self.number[nouns[0].id] if nouns else -1,
            action_second=self.number[nouns[1].id] if len(nouns) > 1 else -1,
            action_kind=kind,
            action_text=self.text(reply),
            action_other_text=self.text(other),
            action_groundings=len(self.pools.values["grounding_action"]),
            action_clashes=len(self.pools.values["clash_entity"]),
            action_clash_text=(
                self.text(messages.DISAMBIGUATION.format(self.definite(nouns[0]))) if clashes else 0
            ),
            action_is_recipe=command.command == KEPT_COMMAND,
        )
        for thing in clashes:
            rooms = self.doorways.get(thing.id, [-1])
            for room in rooms:
                self.pools.add(clash_entity=self.number[thing.id], clash_room=room)
        self.commands.append(command.command)

    def replies(
        self, op: Op, kind: int, rule: str, nouns: Sequence[Entity]
    ) -> tuple[str, str, int]:
        """The reply, the reply in the other case (burned, revealing), and Cooking or Cutting."""
        the = [self.definite(noun) for noun in nouns]
        if op == Op.TAKE:
            message = messages.TAKE_FROM_HOLDER if len(the) > 1 else messages.TAKE_FROM_FLOOR
        elif op == Op.PUT:
            on = self.kind(nouns[1]) & Kind.SUPPORTER
            message = messages.PUT_ON if on else messages.PUT_INTO
        elif op == Op.CUT:
            message = messages.CUT[Cutting(kind)]
        elif op == Op.COOK:
            heat = rule.split("/")[1]
            kind = COOKED_WITH[heat]
            return messages.COOK[Cooking(kind)].filled(*the), messages.BURN.filled(*the), kind
        elif op in messages.SIMPLE:
            message = messages.SIMPLE[op]
        else:
            return "", "", kind
        other = messages.OPEN_REVEALING.format(*the) if op == Op.OPEN else ""
        return message.filled(*the), other, kind

    def clashes(self, noun: Entity) -> list[Entity]:
        """Things whose words include all the words of ``noun``'s name."""
        words = set(noun.name.lower().split())
        return [
            other
            for other in self.entities
            if other is not noun
            and other.name
            and words <= understood_words(other)
            and not self.kind(other) & Kind.ROOM
        ]

    def compile_facts(self) -> None:
        touching: list[list[int]] = [[] for _ in self.facts]
        for index, action in enumerate(self.groundings.actions):
            for fact in self.needs(action):
                touching[self.fact_number[fact]].append(index)
        for fact, groundings in zip(self.facts, touching, strict=True):
            self.pools.add(
                fact_touches=len(self.pools.values["touch_grounding"]),
                fact_edge=self.edge_of[fact],
            )
            for index in groundings:
                self.pools.add(touch_grounding=index)

    # Quests and recipe.

    def compile_quests(self) -> None:
        pools = self.pools
        for quest in self.game.quests:
            if quest.reward < 0 or (quest.repeatable and quest.reward):
                raise GataError("field 'quests': rewards must be positive and paid once")
            pools.add(
                quest_reward=quest.reward,
                quest_must=not quest.optional and bool(quest.win_events),
                quest_repeats=quest.repeatable,
                quest_fails=len(pools.values["event_conditions"]),
                quest_wins=len(pools.values["event_conditions"]) + len(quest.fail_events),
            )
            for event in (*quest.fail_events, *quest.win_events):
                pools.add(event_conditions=len(pools.values["condition_kind"]))
                for fact in event.conditions:
                    self.add_condition(fact)

    def add_condition(self, fact: Fact) -> None:
        name = fact.predicate
        if name in NO_EQUIVALENT or fact in self.groundings.static_facts:
            return
        first = self.number.get(fact.ids[0])
        check: tuple[Check, int] | None = None
        if name in PLACES and first is not None and len(fact.ids) == 2:
            check = Check.HELD_BY, self.number[fact.ids[1]]
            if fact.ids[0] == "P":
                check = Check.PLAYER_IN, self.number[fact.ids[1]]
        elif name in COOKINGS:
            check = Check.COOKING_IS, COOKINGS[name]
        elif name in CUTTINGS:
            check = Check.CUTTING_IS, CUTTINGS[name]
        elif name in INITIAL_FLAGS:
            check = Check.HAS_FLAG, INITIAL_FLAGS[name]
        elif name in LACKING:
            check = Check.LACKS_FLAGS, LACKING[name]
        elif name == "eaten":
            check = Check.NOWHERE, 0
        if check is None or first is None:
            raise GataError(f"field 'quests': the condition '{fact}' is not known")
        self.pools.add(
            condition_kind=check[0], condition_first=first, condition_second=int(check[1])
        )

    def compile_recipe(self) -> None:
        base = {f.ids[1]: f.ids[0] for f in self.game.facts if f.predicate == "base"}
        used = {f.ids[0] for f in self.game.facts if f.predicate == "in" and f.ids[1] == "RECIPE"}
        states: dict[str, set[str]] = {}
        for fact in self.game.facts:
            if len(fact.ids) == 1:
                states.setdefault(fact.ids[0], set()).add(fact.predicate)
        for entity in self.game.entities.values():
            if entity.id not in used:
                continue
            own = states.get(entity.id, set())
            self.pools.add(
                ingredient_food=self.number[base[entity.id]],
                ingredient_cooking=max((COOKINGS[s] for s in own & COOKINGS.keys()), default=0),
                ingredient_cutting=max((CUTTINGS[s] for s in own & CUTTINGS.keys()), default=0),
            )

    def game_numbers(self) -> dict[str, int]:
        facts = self.game.facts
        kitchen = next((f.ids[0] for f in facts if f.predicate == "cooking_location"), None)
        meal = next((f.ids[0] for f in facts if f.predicate == "out"), None)
        quests = self.game.quests
        return {
            "rooms": len(self.rooms),
            "entities": len(self.entities),
            "facts": len(self.facts),
            "groundings": len(self.groundings.actions),
            "actions": len(self.commands),
            "edges": len(self.edges),
            "quests": len(quests),
            "player": self.player,
            "capacity": self.capacity(),
            "start_room": self.number[self.players_place.ids[1]],
            "cooking_room": -1 if kitchen is None else self.number[kitchen],
            "meal": -1 if meal is None else self.number[meal],
            "max_score": self.game.max_score,
            "can_be_won": any(q.win_events and not q.optional for q in quests),
            "always_check": any(q.repeatable for q in quests),
        }

    def capacity(self) -> int:
        """Where the rules know slots, each that exists lets the player carry one thing."""
        if "slot" not in self.logic.parents:
            return NO_LIMIT
        slots = [f for f in self.game.facts if [v.type for v in f.arguments] == ["slot"]]
        return len(slots)


def _is_players_place(fact: Fact) -> bool:
    return fact.predicate == "at" and fact.arguments[0].type == "P"


def _placeholders(template: str) -> list[str]:
    return [part.split("}")[0] for part in template.split("{")[1:]]


def understood_words(entity: Entity) -> set[str]:
    """The words by which the player may call a thing."""
    words = entity.name.lower().split()
    if len(words) > 1:
        words = [word for word in words if word not in ("the", "of")]
    return set(words).union(*(s.lower().split() for s in entity.synonyms))


def _checked(name: str, values: list[Any]) -> Array:
    """An array of the field's type; numbers that do not fit mean a game beyond our limits."""
    dtype = FIELDS[name].dtype
    limits = np.iinfo(dtype)
    if values and not (limits.min <= min(values) and max(values) <= limits.max):
        raise GataError(f"the game is too large ({name} up to {max(values)})")
    return np.array(values, dtype)
