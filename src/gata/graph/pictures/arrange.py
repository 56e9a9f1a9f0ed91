"""What belongs where in a picture of a graph: rooms, what is in them, the ways between them.

Each edge of the graph becomes exactly one thing to draw, whatever the graph (a learned one need
not make sense). A map has room for directions that join neighbours on its grid, and for one door
between two neighbours: the directions that do not fit are listed on a card of their own.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from gata.graph.extract import DIRECTIONS, FOOD_STATES
from gata.graph.triples import Triple

PLAYER, EXIT, COOKBOOK = "player", "exit", "cookbook"
_PLACED_BY = ("at", "in", "on")
_PORTABLE = {COOKBOOK, "knife", "meal"}
"""Things that may lie on the floor without being furniture; so may food, known by its states."""
TOWARDS = {"north_of": (0, -1), "south_of": (0, 1), "east_of": (1, 0), "west_of": (-1, 0)}
"""A step in each direction: columns to the right, rows down."""
OPPOSITE = {
    "north_of": "south_of",
    "south_of": "north_of",
    "east_of": "west_of",
    "west_of": "east_of",
}


RECIPE, ELSEWHERE, OTHERS = f"{COOKBOOK} (recipe)", "elsewhere or gone", "other edges"
EXTRA_TITLES = (RECIPE, ELSEWHERE, OTHERS)
"""The cards beside the map, from the top down."""


class Change(Enum):
    """What happened to an edge since the graph before."""

    KEPT = "kept"
    ADDED = "added"
    REMOVED = "removed"


class Kind(Enum):
    """What a node is, as far as its edges tell."""

    PLAYER = "player"
    ROOM = "room"
    DOOR = "door"
    EXIT = "exit"
    HOLDER = "furniture"
    OBJECT = "object"
    STATE = "state"
    NEED = "need"


@dataclass(frozen=True)
class Tag:
    """A state of a thing (``is``), or one that it ``needs``."""

    text: str
    kind: Kind
    change: Change


@dataclass(frozen=True)
class Row:
    """A thing below what it is at, in or on; or below the cookbook, as part of the recipe."""

    name: str
    kind: Kind
    depth: int
    relation: str
    """Empty for a thing whose place is not known."""
    change: Change
    tags: tuple[Tag, ...]


@dataclass(frozen=True)
class Card:
    """A titled list of things."""

    title: str
    kind: Kind
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Side:
    """One side of a door, or an exit: where it is, seen from a room."""

    room: str
    direction: str
    change: Change


@dataclass(frozen=True)
class Door:
    """Something that stands between rooms, known from one side or more."""

    name: str
    sides: tuple[Side, ...]
    tags: tuple[Tag, ...]


@dataclass(frozen=True)
class Way:
    """``source`` lies ``direction`` ``target``: both are rooms."""

    source: str
    target: str
    direction: str
    change: Change


@dataclass(frozen=True)
class Arrangement:
    """A graph sorted into what is drawn."""

    rooms: Mapping[str, Card]
    doors: tuple[Door, ...]
    exits: tuple[Side, ...]
    ways: tuple[Way, ...]
    extra: tuple[Card, ...]
    """The recipe, things in no known place, and edges that fit nowhere else."""


def changes(
    graph: Iterable[Triple], before: Iterable[Triple] | None = None
) -> dict[Triple, Change]:
    """Each edge of either graph with what became of it; without ``before`` all are kept."""
    graph = frozenset(graph)
    before = graph if before is None else frozenset(before)
    marked = dict.fromkeys(sorted(graph & before), Change.KEPT)
    marked |= dict.fromkeys(sorted(graph - before), Change.ADDED)
    return marked | dict.fromkeys(sorted(before - graph), Change.REMOVED)


def arrange(
    edges: Mapping[Triple, Change],
    rooms: Collection[str] = (),
    misfits: Collection[Triple] = (),
) -> Arrangement:
    """Sort marked edges into cards, doors, exits and ways.

    Args:
        edges: what to draw.
        rooms: what is known to be a room from other graphs of the same game.
        misfits: edges that the map has no room for; they go to the card of other edges.
    """
    return _Arranger(edges, rooms, misfits).arrange()


class _Arranger:
    def __init__(
        self,
        edges: Mapping[Triple, Change],
        rooms: Collection[str],
        misfits: Collection[Triple],
    ) -> None:
        self._left = {edge: change for edge, change in edges.items() if edge not in misfits}
        self._misfits = {edge: change for edge, change in edges.items() if edge in misfits}
        self._rooms = {
            edge.target for edge in edges if edge.relation == "at" or edge.relation in DIRECTIONS
        }
        self._rooms |= {
            edge.source for edge in edges if edge.relation in DIRECTIONS and edge.source in rooms
        }
        self._foods = {edge.source for edge in edges if edge.target in FOOD_STATES}
        self._children: dict[str, list[Triple]] = defaultdict(list)
        self._home: dict[str, Triple] = {}
        for edge in sorted(edges, key=lambda e: (edges[e] is Change.REMOVED, e)):
            if edge.relation in _PLACED_BY:
                self._children[edge.target].append(edge)
                self._home.setdefault(edge.source, edge)

    def arrange(self) -> Arrangement:
        rooms = {
            room: Card(room, Kind.ROOM, tuple(self._rows_below(room, depth=0)))
            for room in sorted(self._rooms)
        }
        exits, ways, doors = self._exits(), self._ways(), self._doors()
        extra = [self._recipe(), self._elsewhere(), self._others()]
        return Arrangement(rooms, doors, exits, ways, tuple(card for card in extra if card.rows))

    def _rows_below(self, place: str, depth: int) -> Iterable[Row]:
        for edge in sorted(self._children[place], key=self._row_order):
            if edge not in self._left:
                continue
            change = self._left.pop(edge)
            # A thing that moved is drawn at both places, its states and contents at the new one.
            at_home = self._home[edge.source] == edge
            tags = self._tags(edge.source, "is") if at_home else ()
            kind = self._kind(edge.source)
            yield Row(edge.source, kind, depth, edge.relation, change, tags)
            if at_home:
                yield from self._rows_below(edge.source, depth + 1)

    def _row_order(self, edge: Triple) -> tuple[bool, bool, Triple]:
        return (edge.source != PLAYER, not self._children[edge.source], edge)

    def _kind(self, name: str) -> Kind:
        if name == PLAYER:
            return Kind.PLAYER
        if name in self._rooms:
            return Kind.ROOM
        if self._children[name]:
            return Kind.HOLDER
        portable = name in _PORTABLE or name in self._foods
        return Kind.HOLDER if self._home[name].relation == "at" and not portable else Kind.OBJECT

    def _tags(self, name: str, relation: str) -> tuple[Tag, ...]:
        kind, prefix = (Kind.STATE, "") if relation == "is" else (Kind.NEED, f"{relation} ")
        edges = [e for e in self._left if e.source == name and e.relation == relation]
        return tuple(Tag(prefix + e.target, kind, self._left.pop(e)) for e in sorted(edges))

    def _exits(self) -> tuple[Side, ...]:
        edges = [e for e in self._left if e.source == EXIT and e.relation in DIRECTIONS]
        return tuple(Side(e.target, e.relation, self._left.pop(e)) for e in edges)

    def _ways(self) -> tuple[Way, ...]:
        edges = [e for e in self._left if e.relation in DIRECTIONS and e.source in self._rooms]
        return tuple(Way(*edge, self._left.pop(edge)) for edge in edges)

    def _doors(self) -> tuple[Door, ...]:
        sides: dict[str, list[Side]] = defaultdict(list)
        for edge in [e for e in self._left if e.relation in DIRECTIONS]:
            sides[edge.source].append(Side(edge.target, edge.relation, self._left.pop(edge)))
        return tuple(
            Door(name, tuple(known), self._tags(name, "is"))
            for name, known in sorted(sides.items())
        )

    def _recipe(self) -> Card:
        edges = [e for e in self._left if e.target == COOKBOOK and e.relation == "part_of"]
        rows = [
            Row(
                edge.source,
                Kind.OBJECT,
                0,
                edge.relation,
                self._left.pop(edge),
                self._tags(edge.source, "needs"),
            )
            for edge in sorted(edges)
        ]
        return Card(RECIPE, Kind.NEED, tuple(rows))

    def _elsewhere(self) -> Card:
        """Things that have a state, or hold something, but are in no known place themselves."""
        names = {e.source for e in self._left if e.relation == "is"}
        names |= {e.target for e in self._left if e.relation in _PLACED_BY}
        rows: list[Row] = []
        for name in sorted(names - self._home.keys()):
            tags = self._tags(name, "is")
            change = Change.KEPT
            kind = Kind.PLAYER if name == PLAYER else Kind.OBJECT
            rows.append(Row(name, kind, 0, "", change, tags))
            rows += self._rows_below(name, depth=1)
        return Card(ELSEWHERE, Kind.EXIT, tuple(rows))

    def _others(self) -> Card:
        rows = []
        for edge, change in sorted((self._left | self._misfits).items(), key=lambda item: item[0]):
            tag = Tag(edge.target, Kind.STATE, change)
            rows.append(Row(edge.source, Kind.OBJECT, 0, edge.relation, change, (tag,)))
        return Card(OTHERS, Kind.EXIT, tuple(rows))


Place = tuple[int, int]
"""A column and a row."""
Border = tuple[Place, Place]
"""Two neighbouring places: the left one or the upper one first."""


@dataclass(frozen=True)
class Plan:
    """Where the map has what, and what it has no room for."""

    places: Mapping[str, Place]
    """Of each room."""
    doors: Mapping[str, Border]
    """Between which places each door stands; nothing need be known to lie behind it."""
    misfits: frozenset[Triple]
    """Directions that contradict the places, and those of doors too many for one border."""


def plan(arrangement: Arrangement) -> Plan:
    """Place rooms and doors, and find the directions that do not fit."""
    places = place_rooms(arrangement)
    misfits = {
        Triple(way.source, way.target, way.direction)
        for way in arrangement.ways
        if _step(places[way.target], way.direction) != places[way.source]
    }
    doors: dict[str, Border] = {}
    for door in sorted(arrangement.doors, key=lambda door: (-len(door.sides), door.name)):
        borders: dict[Border, list[Side]] = defaultdict(list)
        for side in door.sides:
            here, there = places[side.room], _step(places[side.room], side.direction)
            borders[min(here, there), max(here, there)].append(side)
        free = sorted(borders.keys() - doors.values())
        if free:
            doors[door.name] = max(free, key=lambda border: len(borders[border]))
        misfits |= {
            Triple(door.name, side.room, side.direction)
            for border, sides in borders.items()
            if border != doors.get(door.name)
            for side in sides
        }
    return Plan(places, doors, frozenset(misfits))


def place_rooms(arrangement: Arrangement) -> dict[str, Place]:
    """A column and a row for each room, so that the map agrees with the compass if it can."""
    steps: dict[str, list[tuple[str, str]]] = defaultdict(list)

    def link(room: str, direction: str, neighbour: str) -> None:
        steps[room].append((direction, neighbour))
        steps[neighbour].append((OPPOSITE[direction], room))

    for way in arrangement.ways:
        link(way.target, way.direction, way.source)
    for door in arrangement.doors:
        for one in door.sides:
            for other in door.sides:
                if one.room < other.room and OPPOSITE[one.direction] == other.direction:
                    link(one.room, one.direction, other.room)
    places: dict[str, Place] = {}
    for start in sorted(arrangement.rooms):
        if start in places:
            continue
        # Whatever is not connected to the rest goes to the right of it.
        column = max((x for x, _ in places.values()), default=-1) + 1
        places[start] = (column, 0)
        queue = [start]
        for room in queue:
            for direction, neighbour in steps[room]:
                if neighbour not in places:
                    places[neighbour] = _free_place(_step(places[room], direction), places)
                    queue.append(neighbour)
    if not places:
        return {}
    left, top = (min(place[axis] for place in places.values()) for axis in (0, 1))
    return {room: (x - left, y - top) for room, (x, y) in places.items()}


def _step(place: Place, direction: str) -> Place:
    dx, dy = TOWARDS[direction]
    return place[0] + dx, place[1] + dy


def _free_place(wanted: Place, taken: Mapping[str, Place]) -> Place:
    """``wanted``, or the next free place to the right of it, if the compass contradicts itself."""
    x, y = wanted
    while (x, y) in taken.values():
        x += 1
    return x, y
