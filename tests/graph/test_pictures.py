import io
import re
import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.image import imread

from gata.errors import UsageError
from gata.evaluation.graphs import walk
from gata.games.store import load_game
from gata.graph.extract import SeenGraph, full_graph
from gata.graph.pictures.arrange import (
    OPPOSITE,
    Arrangement,
    Change,
    arrange,
    changes,
    place_rooms,
    plan,
)
from gata.graph.pictures.film import Frame, draw_sheet, film
from gata.graph.pictures.heatmap import heatmap, present_nodes
from gata.graph.pictures.map import draw_map, draw_maps
from gata.graph.pictures.scene import Box, Label, Line, Scene, text_width
from gata.graph.triples import Triple
from gata.graph.vocabulary import NODES, PAPER, RELATIONS

GAMES = ("level1/test/73267", "level2/test/62563", "level3/test/81769", "level4/test/73267",
         "difficulty10/test/62563")  # fmt: skip

STEP = {"north_of": (0, -1), "south_of": (0, 1), "east_of": (1, 0), "west_of": (-1, 0)}

triples = st.builds(
    Triple, st.sampled_from(NODES[:30]), st.sampled_from(NODES[:30]), st.sampled_from(RELATIONS)
)
graphs = st.frozensets(triples, max_size=25)
directions = st.builds(
    Triple,
    st.sampled_from(["kitchen", "garden", "shed", "exit", "plain door", "barn door"]),
    st.sampled_from(["kitchen", "garden", "shed", "pantry"]),
    st.sampled_from(RELATIONS[5:9]),
)


def graph_of(name: str, kind: str = "full") -> frozenset[Triple]:
    game = load_game(name)
    names = game.names
    if kind == "full":
        return full_graph(game.facts, names)
    return SeenGraph.start(game.facts).triples(names)


def drawn_changes(arrangement: Arrangement) -> Iterator[Change]:
    """What became of each edge that is drawn."""
    others = [card for card in arrangement.extra if card.title == "other edges"]
    for card in (*arrangement.rooms.values(), *arrangement.extra):
        for row in card.rows:
            if row.relation:
                yield row.change
            if card not in others:  # where the tag is the target of the row's own edge
                yield from (tag.change for tag in row.tags)
    for door in arrangement.doors:
        yield from (thing.change for thing in (*door.sides, *door.tags))
    yield from (thing.change for thing in (*arrangement.exits, *arrangement.ways))


@given(graphs, graphs)
def test_every_edge_is_drawn_once_whatever_the_graph(before, after):
    drawn = list(drawn_changes(arrange(changes(after, before))))
    assert drawn.count(Change.KEPT) == len(after & before)
    assert drawn.count(Change.ADDED) == len(after - before)
    assert drawn.count(Change.REMOVED) == len(before - after)


@given(graphs, graphs)
def test_any_graph_can_be_drawn(before, after):
    scene = draw_map(after, before, "any <graph>")
    ElementTree.fromstring(scene.to_svg())
    check_inside(scene)


@pytest.mark.parametrize("name", GAMES)
def test_rooms_stand_as_the_compass_says(name):
    arrangement = arrange(changes(graph_of(name)))
    places = place_rooms(arrangement)
    assert len(set(places.values())) == len(places) == len(arrangement.rooms)
    links = [(way.source, way.target, way.direction) for way in arrangement.ways]
    for door in arrangement.doors:
        one, other = door.sides
        assert OPPOSITE[one.direction] == other.direction
        links.append((other.room, one.room, one.direction))
    for source, target, direction in links:
        (x, y), (dx, dy) = places[target], STEP[direction]
        assert places[source] == (x + dx, y + dy)


def check_inside(scene: Scene) -> None:
    for shape in scene.shapes:
        left, top, right, bottom = extent(shape)
        assert 0 <= left <= right <= scene.width
        assert 0 <= top <= bottom <= scene.height


def extent(shape: Box | Line | Label) -> tuple[float, float, float, float]:
    match shape:
        case Box():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Line():
            xs, ys = zip(*shape.points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Label():
            width = text_width(shape.text, shape.size) * 0.9
            left = shape.x - {"start": 0, "middle": width / 2, "end": width}[shape.anchor]
            return left, shape.y - shape.size / 2, left + width, shape.y + shape.size / 2


def check_legible(scene: Scene) -> None:
    """No text on another, none below a box that is not its own, no arrow into a card or tag."""
    check_inside(scene)
    labels = [shape for shape in scene.shapes if isinstance(shape, Label)]
    assert min(label.size for label in labels) >= 10
    for one, other in combinations(labels, 2):
        assert apart(extent(one), extent(other)), (one.text, other.text)
    for i, shape in enumerate(scene.shapes):
        above = [s for s in scene.shapes[i + 1 :] if isinstance(s, Box)]
        if isinstance(shape, Label):
            assert all(apart(extent(shape), extent(box)) for box in above), shape.text
        if isinstance(shape, Line) and shape.arrow:
            x, y = shape.points[-1]
            for left, top, right, bottom in map(extent, above):
                inside = left + 0.1 < x < right - 0.1 and top + 0.1 < y < bottom - 0.1
                assert not inside, shape


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    (l1, t1, r1, b1), (l2, t2, r2, b2) = one, other
    return r1 <= l2 or r2 <= l1 or b1 <= t2 or b2 <= t1


@cache
def steps_of(name: str, kind: str) -> list[frozenset[Triple]]:
    """The graphs of a walkthrough, from the start on."""
    return [step.graph(kind) for step in walk(load_game(name))]


def film_of(name: str, kind: str) -> list[Scene]:
    graphs = steps_of(name, kind)
    pairs = list(zip(graphs, [None, *graphs], strict=False))
    return draw_maps(pairs, [f"step {i}" for i in range(len(graphs))])


@pytest.mark.parametrize("kind", ["full", "seen"])
@pytest.mark.parametrize("name", GAMES)
def test_texts_are_legible_throughout_a_game(name, kind):
    for scene in film_of(name, kind):
        check_legible(scene)
    graphs = steps_of(name, kind)
    middle = len(graphs) // 2
    check_legible(draw_map(graphs[middle], graphs[middle - 1], name))


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_direction_hides_nothing(name):
    graph = steps_of(name, "seen")[-1]
    rooms = sorted({edge.target for edge in graph if edge.relation in STEP})
    things = [*rooms, "exit", *sorted({e.source for e in graph if e.source.endswith("door")})]
    for source, target, direction in product(things, rooms, STEP):
        check_legible(draw_map(graph | {Triple(source, target, direction)}, graph, name))


@given(graphs, graphs)
def test_any_graph_is_legible(before, after):
    check_legible(draw_map(after, before, "any"))


@given(st.frozensets(directions, max_size=12), st.frozensets(directions, max_size=12))
@settings(max_examples=300)
def test_any_compass_is_legible(before, after):
    check_legible(draw_map(after, before, "any"))


def test_a_direction_that_contradicts_the_map_is_listed():
    right = {Triple("garden", "kitchen", "north_of"), Triple("kitchen", "garden", "south_of")}
    wrong = Triple("garden", "kitchen", "west_of")
    shown = arrange(changes(right | {wrong}), misfits={wrong})
    (card,) = shown.extra
    assert [(row.name, row.relation, row.tags[0].text) for row in card.rows] == [
        ("garden", "west_of", "kitchen")
    ]
    assert len(plan(arrange(changes(right | {wrong}))).misfits) == 1
    assert not plan(arrange(changes(right))).misfits


def test_the_difference_is_marked():
    before = {Triple("egg", "table", "on"), Triple("table", "kitchen", "at")}
    after = {Triple("egg", "player", "in"), Triple("table", "kitchen", "at")}
    labels = {s.text: s for s in draw_map(after, before).shapes if isinstance(s, Label)}
    assert labels["\u2212 egg"].struck
    assert "+ egg" in labels
    branches = [s for s in draw_map(after, before).shapes if isinstance(s, Line)]
    assert sorted(line.dashed for line in branches) == [False, False, True]
    (gone,) = (line for line in branches if line.dashed)
    assert gone.stroke == labels["\u2212 egg"].color
    svg = draw_map(after, before).to_svg()
    assert len(re.findall("<polyline[^>]*stroke-dasharray", svg)) == 1
    assert not any(s.dashed for s in draw_map(after).shapes if isinstance(s, Line))
    assert "table" in labels
    assert "+ egg" not in {s.text for s in draw_map(after).shapes if isinstance(s, Label)}


@pytest.mark.parametrize("kind", ["full", "seen"])
def test_pictures_of_a_game_keep_their_places(kind):
    """Every room, over a whole walkthrough: its card, its title; likewise doors."""
    scenes = film_of(GAMES[3], kind)
    assert len({(scene.width, scene.height) for scene in scenes}) == 1
    graphs = steps_of(GAMES[3], kind)
    rooms = {e.target for g in graphs for e in g if e.relation in STEP or e.relation == "at"}
    doors = {e.source for g in graphs for e in g if e.relation in STEP} - rooms - {"exit"}
    assert len(rooms) > 3
    assert doors
    for room in rooms:
        cards = set()
        for scene in scenes:
            for i, shape in enumerate(scene.shapes):
                if isinstance(shape, Label) and shape.text == room and shape.bold:
                    cards.add((shape.x, shape.y, extent(scene.shapes[i - 2])))
        assert len(cards) == 1, room
    for door in doors:
        labels = (s for scene in scenes for s in scene.shapes if isinstance(s, Label))
        assert (
            len({(s.x, s.y) for s in labels if s.text.split(" ", 1)[-1] == door or s.text == door})
            == 1
        )


def test_png_has_the_size_of_the_scene():
    scene = draw_map(graph_of(GAMES[0]), None, "start")
    data = scene.to_png(scale=2)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert abs(width - 2 * scene.width) <= 2
    assert abs(height - 2 * scene.height) <= 2


class TestFilm:
    frames = (
        Frame("", "You are hungry!", frozenset({Triple("player", "kitchen", "at")})),
        Frame(
            "take <egg>",
            "You take the <egg> & go.",
            frozenset({Triple("player", "kitchen", "at"), Triple("egg", "player", "in")}),
        ),
    )

    def test_has_every_step_and_its_changes(self):
        page = film(self.frames, "a game")
        assert page.count("<section") == page.count("<svg") == 2
        assert '<li class="add">add egg player in</li>' in page
        assert "step 1: take &lt;egg&gt;" in page
        assert "You take the &lt;egg&gt; &amp; go." in page
        assert "<egg>" not in page

    def test_a_sheet_has_one_legend_and_no_empty_rows(self):
        sheet = draw_sheet(self.frames, 1)
        check_legible(sheet)
        texts = [shape.text for shape in sheet.shapes if isinstance(shape, Label)]
        assert texts.count("furniture") == 1
        assert texts.index("furniture") > texts.index("step 1: take <egg>")
        graphs = steps_of(GAMES[2], "seen")
        frames = [Frame("look", "", graph) for graph in graphs]
        panels = [s for s in draw_sheet(frames, 1).shapes if isinstance(s, Box)]
        heights = [s.height for s in panels if s.x == 5]
        assert len(heights) == len(frames)
        assert heights[0] < heights[-1]

    def test_needs_nothing_from_elsewhere(self):
        page = film(self.frames, "a game")
        assert set(re.findall(r"https?://[^\"\s]+", page)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"<(link|img|script) [^>]*(src|href)", page)


class TestHeatmap:
    def adjacency(self):
        array = np.zeros((10, 99, 99))
        array.flat[PAPER.edge_ids(graph_of(GAMES[0]))] = 1
        return array

    def test_png_and_svg(self):
        array = self.adjacency()
        assert heatmap(array, "png").startswith(b"\x89PNG")
        text = heatmap(array, "svg", title="all relations").decode()
        ElementTree.fromstring(text)
        for name in ("west_of", "part_of", "player", "kitchen", "all relations"):
            assert f">{name}" in text
        assert "livingroom" not in text

    def test_present_nodes(self):
        names = {NODES[node] for node in present_nodes(self.adjacency())}
        assert names == {n for e in graph_of(GAMES[0]) for n in (e.source, e.target)}

    def test_learned_graphs_have_signs(self):
        array = np.zeros((10, 99, 99))
        array[0, 0, 1], array[0, 1, 0] = 0.5, 0.25
        assert not self.has(array, "red")
        assert not self.has(array, "blue")
        assert self.has(array, "green")
        array[0, 1, 0] = -0.5
        assert self.has(array, "red")
        assert self.has(array, "blue")
        assert not self.has(array, "green")

    @staticmethod
    def has(array, color) -> bool:
        """Whether a cell's worth of pixels is far more of a colour than of the two others."""
        pixels = imread(io.BytesIO(heatmap(array, "png", nodes=range(6))))[..., :3]
        one = {"red": 0, "green": 1, "blue": 2}[color]
        others = [i for i in range(3) if i != one]
        return int((pixels[..., one] - pixels[..., others].max(axis=-1) > 0.15).sum()) > 100

    @pytest.mark.filterwarnings("error")
    def test_an_empty_graph_draws_empty_panels(self):
        text = heatmap(np.zeros((10, 99, 99)), "svg").decode()
        assert text.count("(0)</text>") == 10

    def test_each_column_has_its_names_below(self):
        for columns in (5, 4, 3):  # of ten panels, so that a last row is not full
            text = heatmap(self.adjacency(), "svg", nodes=[0, 1], columns=columns).decode()
            assert text.count(">target</text>") == columns
            assert text.count(f">{PAPER.nodes[1]}</text>") == columns + -(-10 // columns)

    def test_wrong_shapes_and_formats_are_refused(self):
        with pytest.raises(UsageError, match=r"shape \(3, 3\), expected \(10, 99, 99\)"):
            heatmap(np.zeros((3, 3)))
        with pytest.raises(UsageError, match="'gif', expected one of png, svg"):
            heatmap(self.adjacency(), "gif")
