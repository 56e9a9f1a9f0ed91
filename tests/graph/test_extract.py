import pytest

from gata.graph.extract import SeenGraph, full_graph, recipe
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from tests.graph.world import NAMES, action, facts, neighbours

HOUSE = (
    "at P bedroom",
    *neighbours("livingroom", "north", "bedroom"),
    *neighbours("kitchen", "west", "livingroom"),
    *neighbours("street", "east", "livingroom"),
    "at bed bedroom",
    "at sofa livingroom",
)


def triples(*texts: str) -> set[Triple]:
    """Read ``"frosted-glass door|kitchen|at"``."""
    return {Triple(*text.split("|")) for text in texts}


def replaced(world: tuple[str, ...], **changes: str) -> frozenset:
    """The facts of ``world`` with some replaced; keys have ``_`` for blanks."""
    changed = {old.replace("_", " "): new for old, new in changes.items()}
    return facts(*(changed.get(text, text) for text in world))


class TestFull:
    def test_rooms_without_door_keep_both_directions(self):
        graph = full_graph(facts("at P bedroom", *HOUSE[1:5]), NAMES)
        assert graph == triples(
            "player|bedroom|at", "livingroom|bedroom|north_of", "bedroom|livingroom|south_of"
        )

    def test_a_door_stands_between_its_rooms(self):
        world = facts(
            "at P bedroom",
            *neighbours("livingroom", "north", "bedroom"),
            "link bedroom door livingroom",
            "link livingroom door bedroom",
            "closed door",
        )
        assert full_graph(world, NAMES) == triples(
            "player|bedroom|at",
            "frosted-glass door|bedroom|north_of",
            "frosted-glass door|livingroom|south_of",
            "frosted-glass door|closed|is",
        )

    def test_inventory_containers_and_names(self):
        world = facts(
            *("at P kitchen", "at fridge kitchen", "closed fridge", "in carrot fridge"),
            *("raw carrot", "uncut carrot", "edible carrot", "cuttable carrot", "in knife I"),
            "sharp knife",
        )
        assert full_graph(world, NAMES) == triples(
            *("player|kitchen|at", "fridge|kitchen|at", "fridge|closed|is", "carrot|fridge|in"),
            *("carrot|raw|is", "carrot|uncut|is", "knife|player|in"),
        )

    def test_recipe(self):
        world = facts(
            *("at P kitchen", "in carrot I", "in line_1 RECIPE", "base carrot line_1"),
            *("fried line_1", "diced line_1", "in line_2 RECIPE", "base egg line_2"),
            *("raw line_2", "uncut line_2", "ingredient_1 carrot", "out meal RECIPE"),
            *("cooking_location kitchen RECIPE", "free slot_1", "used slot_1"),
        )
        assert full_graph(world, NAMES) == triples(
            *("player|kitchen|at", "carrot|player|in", "carrot|cookbook|part_of"),
            *("carrot|fried|needs", "carrot|diced|needs", "egg|cookbook|part_of"),
        )

    def test_burned_food_is_not_cooked_and_needs_no_cooking(self):
        world = facts(
            *("at P kitchen", "in carrot I", "burned carrot", "fried carrot", "diced carrot"),
            *("in line_1 RECIPE", "base carrot line_1", "fried line_1", "diced line_1"),
        )
        assert full_graph(world, NAMES) == triples(
            *("player|kitchen|at", "carrot|player|in", "carrot|burned|is", "carrot|diced|is"),
            *("carrot|cookbook|part_of", "carrot|diced|needs"),
        )


class TestSeen:
    def test_start_shows_the_room_and_hides_what_lies_behind_exits(self):
        assert SeenGraph.start(facts(*HOUSE)).triples(NAMES) == triples(
            "player|bedroom|at", "bed|bedroom|at", "exit|bedroom|north_of"
        )

    def test_going_reveals_the_way_back_one_way(self):
        """The worked example: what ``go north`` changes."""
        before = SeenGraph.start(facts(*HOUSE))
        go = action(
            "go/north",
            "at P bedroom, north_of livingroom bedroom, free bedroom livingroom",
            "at P livingroom, north_of livingroom bedroom, free bedroom livingroom",
        )
        after = before.after(go, replaced(HOUSE, at_P_bedroom="at P livingroom"), NAMES)
        old, new = before.triples(NAMES), after.triples(NAMES)
        assert old - new == triples("player|bedroom|at")
        assert new - old == triples(
            *("player|livingroom|at", "exit|livingroom|west_of", "exit|livingroom|south_of"),
            *("exit|livingroom|east_of", "livingroom|bedroom|north_of", "sofa|livingroom|at"),
        )

    @pytest.mark.parametrize("state", ["open", "closed"])
    def test_doors_and_their_states_are_seen(self, state):
        world = facts(
            "at P bedroom",
            *neighbours("livingroom", "north", "bedroom"),
            *("link bedroom door livingroom", "link livingroom door bedroom", f"{state} door"),
        )
        assert SeenGraph.start(world).triples(NAMES) == triples(
            *("player|bedroom|at", "exit|bedroom|north_of"),
            *("frosted-glass door|bedroom|north_of", f"frosted-glass door|{state}|is"),
        )

    def test_closed_containers_hide_open_ones_show(self):
        world = ("at P kitchen", "at fridge kitchen", "in carrot fridge", "raw carrot")
        seen = SeenGraph.start(facts(*world, "closed fridge"))
        assert seen.triples(NAMES) == triples(
            "player|kitchen|at", "fridge|kitchen|at", "fridge|closed|is"
        )
        open_it = action(
            "open/c",
            "at P kitchen, at fridge kitchen, closed fridge",
            "at P kitchen, at fridge kitchen, open fridge",
        )
        seen = seen.after(open_it, facts(*world, "open fridge"), NAMES)
        assert seen.triples(NAMES) == triples(
            *("player|kitchen|at", "fridge|kitchen|at", "fridge|open|is"),
            *("carrot|fridge|in", "carrot|raw|is"),
        )

    def test_what_is_carried_shows_after_inventory_only(self):
        world = facts("at P bedroom", "in carrot I", "raw carrot", "in knife I")
        seen = SeenGraph.start(world)
        assert seen.triples(NAMES) == triples("player|bedroom|at")
        look_down = action("inventory", "at P bedroom", "at P bedroom")
        assert seen.after(look_down, world, NAMES).triples(NAMES) == triples(
            "player|bedroom|at", "carrot|player|in", "carrot|raw|is", "knife|player|in"
        )

    def test_recipe_shows_after_reading_the_cookbook_only(self):
        world = facts("at P bedroom", "in line_1 RECIPE", "base carrot line_1", "fried line_1")
        seen = SeenGraph.start(world)
        look = action("look", "at P bedroom", "at P bedroom")
        assert seen.after(look, world, NAMES) == seen
        other = action("examine/t", "in knife I", "in knife I")
        assert not recipe(world) & seen.after(other, world, NAMES).facts
        read = action("examine/s", "on book table", "on book table")
        assert seen.after(read, world, NAMES | {"book": "Cookbook"}).triples(NAMES) == triples(
            "player|bedroom|at", "carrot|cookbook|part_of", "carrot|fried|needs"
        )

    def test_a_command_that_performs_nothing_teaches_nothing(self):
        world = facts("at P bedroom", "in carrot I")
        seen = SeenGraph.start(world)
        assert seen.after(None, world, NAMES) is seen

    def test_what_was_seen_is_remembered_from_afar(self):
        seen = SeenGraph.start(facts(*HOUSE))
        go = action(
            "go/north",
            "at P bedroom, north_of livingroom bedroom",
            "at P livingroom, north_of livingroom bedroom",
        )
        after = seen.after(go, replaced(HOUSE, at_P_bedroom="at P livingroom"), NAMES)
        assert Triple("bed", "bedroom", "at") in after.triples(NAMES)


def test_a_refused_command_does_not_repeat_the_action_before():
    """TextWorld 1.7 goes on reporting the action before; the engine says what really happened."""
    from gata.engine.text_env import TextEnv
    from gata.games.store import load_game

    env = TextEnv(load_game("level1/test/73267"))
    env.reset()
    seen = SeenGraph.start(env.facts)
    env.step("open fridge")
    opened = seen.after(env.performed, env.facts, {})
    assert opened != seen
    env.step("open fridge")
    assert env.performed is None
    assert opened.after(env.performed, env.facts, {}) is opened


@pytest.mark.parametrize(
    "commands",
    [
        ("inventory", "examine cookbook"),
        ("i", "x cookbook"),
        ("inv", "read the cookbook"),
        ("INVENTORY", "look at cookbook"),
    ],
)
def test_however_a_command_is_worded_the_engine_has_the_same_graph(commands):
    from gata.engine.text_env import TextEnv
    from gata.games.store import load_game

    env = TextEnv(load_game("level1/test/73267"))
    names = env.game.names
    env.reset()
    seen = SeenGraph.start(env.facts)
    for command in commands:
        env.step(command)
        seen = seen.after(env.performed, env.facts, names)
        outputs = env.batch.outputs
        edges = outputs.seen_edges[0, : outputs.seen_count[0]].tolist()
        assert edges == PAPER.edge_ids(seen.triples(names)), command
    assert any(triple.relation == "part_of" for triple in seen.triples(names))
