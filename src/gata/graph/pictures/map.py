"""A graph drawn as a map: rooms by the compass, things inside them, states beside the things.

Every edge is drawn: containment as a branch labelled with its relation, a state as a tag, a
direction as an arrow between rooms. A direction that contradicts the map, as those of a learned
graph may, is listed beside it instead. No text lies on another. Against an earlier graph, new
edges are green with a plus and edges that went are red, dashed and struck through.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gata.graph.pictures.arrange import (
    EXTRA_TITLES,
    OPPOSITE,
    TOWARDS,
    Arrangement,
    Card,
    Change,
    Door,
    Kind,
    Plan,
    Row,
    Side,
    Tag,
    Way,
    arrange,
    changes,
    plan,
)
from gata.graph.pictures.scene import Box, Label, Line, Scene, Shape, above, text_width
from gata.graph.triples import Triple

Graph = Iterable[Triple]

_NAME, _TAG, _EDGE, _TITLE = 13.0, 11.0, 10.5, 17.0
"""Sizes of text: names of things, states, names of relations, the picture's title."""
_ROW, _PILL, _TAG_HEIGHT = 27.0, 21.0, 17.0
_INDENT, _PADDING, _HEADER = 22.0, 10.0, 34.0
_CARD = (230.0, 112.0)
"""A card is at least this wide and high, so that doors and ways find room at its sides."""
_MARGIN, _GAP_X, _GAP_Y = 30.0, 130.0, 84.0
_DOOR_GAP_X, _DOOR_GAP_Y = 76.0, 84.0

_INK, _LINE, _CARD_FILL, _CARD_STROKE = "#1f2328", "#66707b", "#fbfcfd", "#c3cad2"
_FILL = {
    Kind.PLAYER: "#ffd9cc",
    Kind.ROOM: "#cfe3fb",
    Kind.DOOR: "#f0dfc8",
    Kind.EXIT: "#e6e8eb",
    Kind.HOLDER: "#d4ecec",
    Kind.OBJECT: "#d8f0d8",
    Kind.STATE: "#e7dcf7",
    Kind.NEED: "#fdecb8",
}
_STROKE = {
    Kind.PLAYER: "#c8431a",
    Kind.ROOM: "#2f6db5",
    Kind.DOOR: "#94632b",
    Kind.EXIT: "#6e7781",
    Kind.HOLDER: "#2f7f80",
    Kind.OBJECT: "#2f8540",
    Kind.STATE: "#7a4fc0",
    Kind.NEED: "#a87800",
}
_CHANGED = {Change.KEPT: _LINE, Change.ADDED: "#0a7d2c", Change.REMOVED: "#c4201d"}
_CHANGED_FILL = {Change.ADDED: "#b6f0c2", Change.REMOVED: "#ffd7d5"}
_MARK = {Change.KEPT: "", Change.ADDED: "+ ", Change.REMOVED: "\u2212 "}


Size = tuple[float, float]
"""Width and height."""


@dataclass(frozen=True)
class Grid:
    """Where everything stands and how much space it has; one grid can serve many pictures."""

    plan: Plan
    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    tops: tuple[float, ...]
    heights: tuple[float, ...]
    cards: Mapping[str, Size]
    """The size of each room's card: the largest that it needs in any picture."""
    doors: Mapping[str, Size]
    """The size of each door, with its states: likewise."""
    extra: Mapping[str, tuple[float, float, Size]]
    """Left, top and size of each extra card: likewise."""
    width: float
    height: float

    def center(self, room: str) -> tuple[float, float]:
        """The middle of a room's card."""
        column, row = self.plan.places[room]
        return (
            self.lefts[column] + self.widths[column] / 2,
            self.tops[row] + self.heights[row] / 2,
        )

    def edge_point(self, room: str, direction: str, offset: float = 0) -> tuple[float, float]:
        """The middle of a card's side, moved ``offset`` along the side."""
        (x, y), (w, h), (dx, dy) = self.center(room), self.cards[room], TOWARDS[direction]
        return x + dx * w / 2 + (offset if dy else 0), y + dy * h / 2 + (offset if dx else 0)

    def door_point(self, door: str) -> tuple[float, float]:
        """The middle of a door's name: midway between rooms, or beside the only one."""
        first, second = self.plan.doors[door]
        width, height = self.doors[door]
        vertical = first[0] == second[0]
        towards = {first: "south_of", second: "north_of"}
        if not vertical:
            towards = {first: "east_of", second: "west_of"}
        sides = [(r, towards[p]) for r, p in self.plan.places.items() if p in towards]
        points = [self.edge_point(room, direction) for room, direction in sides]
        if len(points) == 2:
            x, y = (sum(values) / 2 for values in zip(*points, strict=True))
            return x, y - ((height - _PILL) / 2 if vertical else 0)
        ((x, y),) = points
        dx, dy = TOWARDS[sides[0][1]]
        if dx:
            return x + dx * (_DOOR_GAP_X + width / 2), y
        below = height - _PILL / 2 if dy < 0 else _PILL / 2
        return x, y + dy * (38 + below)

    def door_between(self, one: str, other: str) -> str | None:
        """The door on the border of two neighbouring rooms."""
        places = (self.plan.places[one], self.plan.places[other])
        border = (min(places), max(places))
        return next((name for name, where in self.plan.doors.items() if where == border), None)


def draw_map(graph: Graph, before: Graph | None = None, title: str = "") -> Scene:
    """A picture of one graph, or of how it differs from the one before."""
    (scene,) = draw_maps([(graph, before)], [title])
    return scene


def draw_maps(
    pairs: Sequence[tuple[Graph, Graph | None]], titles: Sequence[str], *, for_sheet: bool = False
) -> list[Scene]:
    """Pictures of several graphs, each with the one before it, in which nothing jumps about.

    Rooms, doors and extra cards have the same place in all pictures, cards the same size.

    Args:
        pairs: each graph and the one before it, if there is one.
        titles: of the pictures.
        for_sheet: draw for a page with many pictures: extra cards below the map, no legend.
    """
    marked = [changes(graph, before) for graph, before in pairs]
    together = arrange({edge: Change.KEPT for edges in marked for edge in edges})
    planned = plan(together)
    arranged = [arrange(edges, planned.places.keys(), planned.misfits) for edges in marked]
    different = any(before is not None for _, before in pairs)
    title_width = max((text_width(title, _TITLE) for title in titles), default=0.0)
    least_width = 2 * _MARGIN + 1.1 * title_width
    if not for_sheet:
        least_width = max(least_width, legend(different).width)
    grid = _measure(planned, arranged, least_width, beneath=for_sheet)
    scenes = [_Painter(a, grid, t).scene() for a, t in zip(arranged, titles, strict=True)]
    return scenes if for_sheet else [above(scene, legend(different)) for scene in scenes]


def legend(different: bool) -> Scene:
    """What the colours mean; with those of changes where pictures show a difference."""
    entries = [(kind.value, kind, Change.KEPT) for kind in Kind]
    if different:
        entries += [(f"{c.value} edge", Kind.EXIT, c) for c in (Change.ADDED, Change.REMOVED)]
    x = _MARGIN
    shapes: list[Shape] = []
    for text, kind, change in entries:
        pill, end = _pill(text, kind, x, 0.5 * _ROW, change, size=_TAG, height=_TAG_HEIGHT)
        shapes += pill
        x = end + 8
    return Scene(x + _MARGIN, 2 * _ROW, tuple(shapes))


def _measure(
    planned: Plan, arranged: Sequence[Arrangement], least_width: float, *, beneath: bool
) -> Grid:
    doors = _largest((d.name, _door_size(d)) for a in arranged for d in a.doors)
    cards = _largest((room, _card_size(card)) for a in arranged for room, card in a.rooms.items())
    cards = _largest([*cards.items(), *_cards_beside(planned, doors)])
    sizes = _largest((c.title, _content_size(c)) for a in arranged for c in a.extra)
    places = planned.places
    columns = max((x for x, _ in places.values()), default=-1) + 1
    rows = max((y for _, y in places.values()), default=-1) + 1
    widths, heights = [0.0] * columns, [0.0] * rows
    for room, (width, height) in cards.items():
        column, row = places[room]
        widths[column] = max(widths[column], width)
        heights[row] = max(heights[row], height)
    gaps_x, gaps_y = _gaps(planned, doors, columns, rows)
    top = _MARGIN + 2 * _TITLE
    lefts, right = _lay_out(widths, gaps_x, _MARGIN)
    tops, bottom = _lay_out(heights, gaps_y, top)
    extra: dict[str, tuple[float, float, Size]] = {}
    x, y = (2 * _MARGIN, bottom) if beneath else (right, top)
    for title in (title for title in EXTRA_TITLES if title in sizes):
        extra[title] = (x, y, sizes[title])
        x, y = (x + sizes[title][0] + _MARGIN, y) if beneath else (x, y + sizes[title][1] + _MARGIN)
    return Grid(
        planned,
        tuple(lefts),
        tuple(widths),
        tuple(tops),
        tuple(heights),
        cards,
        doors,
        extra,
        max([right, least_width, *(x + width + _MARGIN for x, _, (width, _) in extra.values())]),
        max([bottom, *(y + height + _MARGIN for _, y, (_, height) in extra.values())]),
    )


def _largest(sizes: Iterable[tuple[str, Size]]) -> dict[str, Size]:
    """The width and height that hold all the sizes of a name."""
    largest: dict[str, Size] = {}
    for name, (width, height) in sizes:
        w, h = largest.get(name, (0.0, 0.0))
        largest[name] = max(w, width), max(h, height)
    return largest


def _cards_beside(planned: Plan, doors: Mapping[str, Size]) -> Iterator[tuple[str, Size]]:
    """How large cards must be so that ways and exits have space beside a door at their side."""
    for room, place in planned.places.items():
        for door, border in planned.doors.items():
            if place in border:
                vertical = border[0][0] == border[1][0]
                yield room, (doors[door][0] + 190, 0) if vertical else (0, 156)


def _lay_out(
    sizes: Sequence[float], gaps: Sequence[float], start: float
) -> tuple[list[float], float]:
    """Where things of these sizes begin, with a gap before each and after the last."""
    starts = []
    for size, gap in zip(sizes, gaps, strict=False):
        starts.append(start + gap)
        start += gap + size
    return starts, start + gaps[-1]


def _gaps(
    planned: Plan, doors: Mapping[str, Size], columns: int, rows: int
) -> tuple[list[float], list[float]]:
    """The space before each column and row and after the last: what stands there needs it."""
    gaps_x = [_MARGIN, *[_GAP_X] * (columns - 1), 2 * _MARGIN] if columns else [0.0]
    gaps_y = [_MARGIN, *[_GAP_Y] * (rows - 1), _MARGIN] if rows else [0.0]
    for door, (first, second) in planned.doors.items():
        (width, height), (column, row) = doors[door], second
        if first[0] == second[0]:
            gaps_y[row] = max(gaps_y[row], height + _DOOR_GAP_Y)
        else:
            gaps_x[column] = max(gaps_x[column], width + 2 * _DOOR_GAP_X)
    return gaps_x, gaps_y


def _pill_width(text: str, size: float) -> float:
    return text_width(text, size) + size


def _tags_width(tags: Sequence[Tag]) -> float:
    return sum(_pill_width(_MARK[tag.change] + tag.text, _TAG) + 4 for tag in tags)


def _row_width(row: Row) -> float:
    relation = text_width(row.relation, _EDGE) + 12
    name = _pill_width(_MARK[row.change] + row.name, _NAME)
    return row.depth * _INDENT + relation + name + 6 + _tags_width(row.tags)


def _content_size(card: Card) -> Size:
    content = max([_pill_width(card.title, _NAME), *map(_row_width, card.rows)])
    return content + 3 * _PADDING + 8, _HEADER + len(card.rows) * _ROW + _PADDING


def _card_size(card: Card) -> Size:
    width, height = _content_size(card)
    return max(_CARD[0], width), max(_CARD[1], height)


def _door_size(door: Door) -> Size:
    name = max(_pill_width(mark + door.name, _NAME) for mark in _MARK.values())
    return max(name, _tags_width(door.tags)), _PILL + (_TAG_HEIGHT + 3 if door.tags else 0)


def _pill(
    text: str,
    kind: Kind,
    x: float,
    y: float,
    change: Change = Change.KEPT,
    *,
    bold: bool = False,
    size: float = _NAME,
    height: float = _PILL,
) -> tuple[list[Shape], float]:
    """A name in a box, and where it ends."""
    text = _MARK[change] + text
    width = _pill_width(text, size)
    gone, kept = change is Change.REMOVED, change is Change.KEPT
    stroke = _STROKE[kind] if kept else _CHANGED[change]
    fill = _CHANGED_FILL.get(change, _FILL[kind])
    color = _CHANGED[change] if gone else _INK
    middle = (x + width / 2, y + height / 2)
    box = Box(x, y, width, height, fill, stroke, height / 2, 1 if kept else 2, gone)
    return [box, Label(*middle, text, size, color, "middle", bold=bold, struck=gone)], x + width


class _Painter:
    """Draws one arrangement on a grid: lines below boxes, the names of lines above both."""

    def __init__(self, arrangement: Arrangement, grid: Grid, title: str) -> None:
        self._arrangement = arrangement
        self._grid = grid
        self._title = title
        self._lines: list[Shape] = []
        self._boxes: list[Shape] = []
        self._labels: list[Shape] = []

    def scene(self) -> Scene:
        for room, card in self._arrangement.rooms.items():
            (x, y), (width, height) = self._grid.center(room), self._grid.cards[room]
            self._card(card, x - width / 2, y - height / 2, (width, height))
        for card in self._arrangement.extra:
            self._card(card, *self._grid.extra[card.title])
        for way in self._arrangement.ways:
            self._way(way)
        for door in self._arrangement.doors:
            self._door(door)
        for side in self._arrangement.exits:
            self._exit(side)
        head = Label(_MARGIN, _MARGIN, self._title, _TITLE, _INK, bold=True)
        shapes = (head, *self._lines, *self._boxes, *self._labels)
        return Scene(self._grid.width, self._grid.height, shapes)

    def _card(self, card: Card, x: float, y: float, size: Size) -> None:
        self._boxes.append(Box(x, y, *size, _CARD_FILL, _CARD_STROKE, radius=10))
        self._pill(card.title, card.kind, x + _PADDING, y + _PADDING / 2 + 1, bold=True)
        # The height at which the branch to the children of each depth begins.
        begin = {0: y + _PADDING / 2 + 1 + _PILL}
        for i, row in enumerate(card.rows):
            middle = y + _HEADER + i * _ROW + _PILL / 2
            left = x + _PADDING + 8 + row.depth * _INDENT
            label = text_width(row.relation, _EDGE) + 12
            if row.relation:
                color, dashed = _CHANGED[row.change], row.change is Change.REMOVED
                start = begin[row.depth]
                points = ((left, start), (left, middle), (left + 8, middle))
                self._boxes.append(Line(points, color, dashed=dashed))
                self._boxes.append(Label(left + 11, middle, row.relation, _EDGE, color))
            end = self._pill(row.name, row.kind, left + label + 2, middle - _PILL / 2, row.change)
            self._tags(row.tags, end + 6, middle - _TAG_HEIGHT / 2)
            begin[row.depth + 1] = middle + _PILL / 2

    def _pill(
        self, text: str, kind: Kind, x: float, y: float, change: Change = Change.KEPT, **style: Any
    ) -> float:
        """Draw a name in a box; return where it ends."""
        shapes, end = _pill(text, kind, x, y, change, **style)
        self._boxes += shapes
        return end

    def _tags(self, tags: Sequence[Tag], x: float, y: float) -> None:
        for tag in tags:
            end = self._pill(tag.text, tag.kind, x, y, tag.change, size=_TAG, height=_TAG_HEIGHT)
            x = end + 4

    def _arrow(self, start: tuple[float, float], end: tuple[float, float], change: Change) -> None:
        gone = change is Change.REMOVED
        thickness = 1.3 if change is Change.KEPT else 2.2
        self._lines.append(Line((start, end), _CHANGED[change], thickness, gone, arrow=True))

    def _way(self, way: Way) -> None:
        """An arrow between rooms, beside the door if there is one."""
        first = way.direction in ("north_of", "west_of")
        vertical = way.direction in ("north_of", "south_of")
        door = self._grid.door_between(way.source, way.target)
        if door is None:
            offset = 10.0
        elif vertical:
            offset = self._grid.doors[door][0] / 2 + 12
        else:
            offset = 26.0 if first else 44.0
        offset = -offset if first else offset
        start = self._grid.edge_point(way.source, OPPOSITE[way.direction], offset)
        end = self._grid.edge_point(way.target, way.direction, offset)
        self._arrow(start, end, way.change)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        text, color = _MARK[way.change] + way.direction, _CHANGED[way.change]
        if vertical:
            self._labels.append(
                Label(x + (-5 if first else 5), y, text, _EDGE, color, "end" if first else "start")
            )
        else:
            self._labels.append(Label(x, y + (-8 if first else 9), text, _EDGE, color, "middle"))

    def _door(self, door: Door) -> None:
        _, height = _door_size(door)
        x, y = self._grid.door_point(door.name)
        change = door.sides[0].change if len({s.change for s in door.sides}) == 1 else Change.KEPT
        name_width = _pill_width(_MARK[change] + door.name, _NAME)
        top = y - _PILL / 2
        for side in door.sides:
            dx, dy = TOWARDS[side.direction]
            end = self._grid.edge_point(side.room, side.direction)
            start = (x - dx * name_width / 2, y - dy * _PILL / 2)
            if dy > 0:
                start = (x, top)
            elif dy < 0:
                start = (x, top + height)
            self._arrow(start, end, side.change)
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            text, color = _MARK[side.change] + side.direction, _CHANGED[side.change]
            if dx:
                label = Label(middle[0], middle[1] - 8, text, _EDGE, color, "middle")
            else:
                label = Label(middle[0] + 5, middle[1], text, _EDGE, color)
            self._labels.append(label)
        self._pill(door.name, Kind.DOOR, x - name_width / 2, top, change)
        self._tags(door.tags, x - _tags_width(door.tags) / 2 + 2, top + _PILL + 3)

    def _exit(self, side: Side) -> None:
        """A tag on the border of the room, towards a corner: ways and doors have the middle."""
        width = _pill_width(_MARK[side.change] + "exit", _TAG)
        card_width, card_height = self._grid.cards[side.room]
        dx, dy = TOWARDS[side.direction]
        x, y = self._grid.edge_point(
            side.room, side.direction, card_width / 2 - 34 if dy else 24 - card_height / 2
        )
        x += dx * (width / 2 - 6)
        self._pill(
            "exit",
            Kind.EXIT,
            x - width / 2,
            y - _TAG_HEIGHT / 2,
            side.change,
            size=_TAG,
            height=_TAG_HEIGHT,
        )
