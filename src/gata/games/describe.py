"""A game in words a person can read: recipe, drawn map, objects."""

from collections import deque
from typing import NamedTuple

from gata.errors import GataError
from gata.games.game import Game
from gata.games.identity import Passage, game_map

_STEP = {"north_of": (0, -1), "south_of": (0, 1), "east_of": (1, 0), "west_of": (-1, 0)}
"""Column and row by which a place moves away from the other one; rows grow southwards."""

_KINDS = {
    "f": "food",
    "o": "object",
    "c": "container",
    "s": "supporter",
    "d": "door",
    "k": "key",
    "meal": "food",
    "oven": "container",
    "stove": "supporter",
    "toaster": "container",
}
_LOCATING = ("at", "in", "on")
_HIDDEN_STATES = ("cookable", "cuttable", "edible", "inedible", "drinkable", "sharp", "cooked")


class ObjectLine(NamedTuple):
    """An object of a game as a person would list it."""

    name: str
    kind: str
    place: str
    state: str


def recipe_lines(game: Game) -> list[str]:
    """The recipe, one line per ingredient: "white onion: diced, fried"."""
    return [f"{line.food}: {line.cutting}, {line.cooking}" for line in game.recipe]


def objects(game: Game) -> list[ObjectLine]:
    """Everything with a name that is no room, with where it is and in what state at the start."""
    places: dict[str, str] = {}
    states: dict[str, list[str]] = {}
    for fact in game.facts:
        subject, *others = fact.ids
        if fact.predicate in _LOCATING and len(others) == 1:
            holder = game.entities[others[0]]
            places[subject] = "carried" if holder.type == "I" else f"{fact.predicate} {holder.name}"
        elif fact.predicate == "link":
            rooms = sorted(game.entities[id_].name for id_ in (fact.ids[0], fact.ids[2]))
            places[fact.ids[1]] = f"between {' and '.join(rooms)}"
        elif not others and fact.predicate not in _HIDDEN_STATES:
            states.setdefault(subject, []).append(fact.predicate.replace("_", " "))
    return [
        ObjectLine(
            name=entity.name,
            kind=_KINDS.get(entity.type, entity.type),
            place=places.get(entity.id, "nowhere yet"),
            state=", ".join(s for s in states.get(entity.id, []) if not s.startswith("ingredient")),
        )
        for entity in game.entities.values()
        if entity.name and entity.type != "r"
    ]


def start_room(game: Game) -> str:
    """The room the player starts in."""
    for fact in game.facts:
        if fact.predicate == "at" and fact.ids[0] == "P":
            return game.names[fact.ids[1]]
    raise GataError(f"{game.name}: field 'world' does not say where the player is")


def draw_map(game: Game) -> list[str]:
    """The map as lines of text: rooms as boxes, doors as numbers with a legend, ``*`` the start.

    A map that does not lie flat on a grid is given as a list of passages instead.
    """
    rooms = [entity.name for entity in game.entities.values() if entity.type == "r"]
    passages = game_map(game)
    start = start_room(game)
    places = _lay_out(rooms, passages)
    if places is None:
        return [f"{p.place} is {p.direction.replace('_', ' ')} {p.other}" for p in sorted(passages)]
    doors = sorted({passage.door for passage in passages if passage.door})
    labels = {room: f"{room}*" if room == start else room for room in rooms}
    inner = max(map(len, labels.values())) + 2
    box_width, gap, box_height = inner + 2, 5, 3
    columns = max(x for x, _ in places.values()) + 1
    rows = max(y for _, y in places.values()) + 1
    canvas = [[" "] * (columns * (box_width + gap)) for _ in range(rows * (box_height + 1) - 1)]

    def write(column: int, row: int, text: str) -> None:
        canvas[row][column : column + len(text)] = text

    for room, (x, y) in places.items():
        left, top = x * (box_width + gap), y * (box_height + 1)
        for i, text in enumerate(("-" * inner, labels[room].center(inner), "-" * inner)):
            edge = "+" if i != 1 else "|"
            write(left, top + i, f"{edge}{text}{edge}")
    for passage in passages:
        x, y = places[passage.other]
        left, top = x * (box_width + gap), y * (box_height + 1)
        number = str(doors.index(passage.door) + 1) if passage.door else ""
        if passage.direction == "east_of":
            write(left + box_width, top + 1, number.center(gap, "-"))
        elif passage.direction == "south_of":
            write(left + box_width // 2, top + box_height, number or "|")
    lines = ["".join(line).rstrip() for line in canvas]
    return lines + [f"{number}: {door}" for number, door in enumerate(doors, start=1)]


def _lay_out(rooms: list[str], passages: frozenset[Passage]) -> dict[str, tuple[int, int]] | None:
    """A grid place per room, from (0, 0) at the top left, or None where two rooms collide."""
    places = {rooms[0]: (0, 0)}
    queue = deque(places)
    while queue:
        here = queue.popleft()
        for passage in sorted(p for p in passages if p.other == here):
            dx, dy = _STEP[passage.direction]
            place = (places[here][0] + dx, places[here][1] + dy)
            if passage.place not in places:
                places[passage.place] = place
                queue.append(passage.place)
            elif places[passage.place] != place:
                return None
    if len(set(places.values())) < len(rooms):
        return None
    left = min(x for x, _ in places.values())
    top = min(y for _, y in places.values())
    return {room: (x - left, y - top) for room, (x, y) in places.items()}
