from gata.games.describe import draw_map, objects, recipe_lines, start_room
from gata.games.game import Game
from gata.games.identity import game_map
from gata.games.store import load_game, load_set


def test_every_room_and_door_is_on_the_map() -> None:
    for game in load_set("difficulty10/test"):
        lines = draw_map(game)
        drawing = "\n".join(lines)
        for entity in game.entities.values():
            if entity.type in ("r", "d"):
                assert drawing.count(entity.name) >= 1
        assert f"{start_room(game)}*" in drawing
        # Both directions of a passage are one line between two boxes.
        boxes = [line for line in lines if "|" in line or "-" in line]
        assert boxes
        joints = len(game_map(game)) // 2
        doors = len({passage.door for passage in game_map(game) if passage.door})
        across = sum(line.count("|-----|") for line in lines)
        numbered = sum(line.count("|--") for line in lines) - across
        down = sum(
            cell in "|0123456789"
            for line in lines[3 : 4 * (len(lines) // 4 + 1) : 4]
            for cell in line.split()
            if len(cell) == 1
        )
        assert across + numbered + down == joints
        assert doors == sum(": " in line for line in lines)


def test_the_drawing_of_one_map() -> None:
    assert draw_map(load_game("level4/test/56274")) == [
        "+------------+     +------------+     +------------+",
        "|  kitchen*  |-----|  corridor  |-----|  bathroom  |",
        "+------------+     +------------+     +------------+",
        "       1                  |",
        "+------------+     +------------+",
        "|   pantry   |     | livingroom |",
        "+------------+     +------------+",
        "                          |",
        "                   +------------+",
        "                   |  bedroom   |",
        "                   +------------+",
        "1: plain door",
    ]


def test_objects_say_where_they_are_and_how() -> None:
    listed = {line.name: line for line in objects(load_game("level2/test/56274"))}
    assert listed["fridge"][1:] == ("container", "at kitchen", "closed")
    assert listed["red potato"][1:] == ("food", "on counter", "needs cooking, uncut")
    assert listed["meal"].place == "nowhere yet"


def test_recipe_lines() -> None:
    assert recipe_lines(load_game("level2/test/56274")) == ["red potato: diced, fried"]


def test_a_map_that_is_not_flat_is_listed() -> None:
    game = load_game("level4/test/56274")
    # The kitchen cannot be west of the corridor and east of the bathroom beyond it.
    crooked = [*game.data["world"]]
    ids = {entity.name: entity.id for entity in game.entities.values()}
    crooked.append(
        {
            "name": "east_of",
            "arguments": [
                {"name": ids["kitchen"], "type": "r"},
                {"name": ids["bathroom"], "type": "r"},
            ],
        }
    )
    lines = draw_map(Game("crooked", {**game.data, "world": crooked}))
    assert "kitchen is east of bathroom" in lines
