"""Tiny cooking games, made by hand: one room, one carrot, and one cut of three that is right.

Only the rules are those of a shipped game: every cooking game has the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gata.games import Game, load_game

CUTS = {"slice": "sliced", "dice": "diced", "chop": "chopped"}
"""What makes a carrot what."""

ON_THE_FLOOR = "at(o_0, r_0)"
"""Of a knife that must be taken first."""


def kitchen(
    room: str, cut: str, objective: str, description: str, *, knife: str = "in(o_0, I)"
) -> Game:
    """A game in which the player has a carrot, and only one cut does not lose.

    Args:
        room: its name.
        cut: the right one, of ``CUTS``.
        objective: what the game says first.
        description: of the room, what it says next; neither is ever said again.
        knife: the fact that says where the knife is; in the player's hands by default.
    """
    right = CUTS[cut]
    wrong = [state for state in CUTS.values() if state != right]
    facts = [
        *("at(P, r_0)", "in(f_0, I)", "sharp(o_0)", knife),
        *("raw(f_0)", "uncut(f_0)", "edible(f_0)", "cookable(f_0)", "cuttable(f_0)"),
        *("ingredient_1(f_0)", "base(f_0, ingredient_0)", "in(ingredient_0, RECIPE)"),
        *("raw(ingredient_0)", f"{right}(ingredient_0)"),
        *("cooking_location(r_0, RECIPE)", "out(meal_0, RECIPE)", "edible(meal_0)"),
    ]
    descriptions = {"r_0": description}
    names = {"r_0": room, "f_0": "carrot", "o_0": "knife", "meal_0": "meal"}
    ids = ["P", "I", *names, "ingredient_0", "RECIPE"]
    quests = [
        quest(won=f"{right}(f_0)", lost=[f"{state}(f_0)" for state in (*wrong, "consumed")]),
        quest(won="in(meal_0, I)"),
        quest(won="consumed(meal_0)"),
    ]
    walkthrough = [f"{cut} carrot with knife", "prepare meal", "eat meal"]
    if knife == ON_THE_FLOOR:
        walkthrough.insert(0, "take knife")
    return Game(
        f"tiny/{room}",
        {
            "version": 1,
            "KB": load_game("difficulty1/train/2230").data["KB"],
            "grammar": {"theme": "house", "names_to_exclude": []},
            "objective": objective,
            "infos": [[id_, info(id_, names, descriptions)] for id_ in ids],
            "world": [fact(text) for text in facts],
            "quests": quests,
            "metadata": {
                "ingredients": [["carrot", "raw", right]],
                "max_score": len(quests),
                "walkthrough": walkthrough,
                "entities": list(names.values()),
            },
        },
    )


def fact(text: str) -> dict[str, Any]:
    """TextWorld's JSON of ``in(f_0, I)``."""
    predicate, _, rest = text.rstrip(")").partition("(")
    arguments = [{"name": id_, "type": kind(id_)} for id_ in rest.split(", ")]
    return {"name": predicate, "arguments": arguments}


def kind(id_: str) -> str:
    """The type of an entity."""
    return id_.partition("_")[0]


def info(id_: str, names: Mapping[str, str], descriptions: Mapping[str, str]) -> dict[str, Any]:
    """What TextWorld's JSON says about an entity."""
    named = names.get(id_)
    return {
        "id": id_,
        "type": kind(id_),
        "name": named,
        "noun": named,
        "adj": "",
        "desc": descriptions.get(id_, f"The {named} looks useful." if named else ""),
        "room_type": None,
        "definite": None,
        "indefinite": None,
        "synonyms": None,
    }


def quest(*, won: str, lost: Sequence[str] = ()) -> dict[str, Any]:
    """A point for one fact; any of some others loses the game."""
    return {
        "desc": "",
        "commands": [],
        "reward": 1,
        "optional": False,
        "repeatable": False,
        "win_events": [event(won)],
        "fail_events": [event(text) for text in lost],
    }


def event(text: str) -> dict[str, Any]:
    """Happens when one fact is true."""
    condition = fact(text)
    happened = {"name": "event", "arguments": condition["arguments"]}
    return {
        "actions": [],
        "commands": [],
        "condition": {
            "name": "trigger",
            "preconditions": [condition],
            "postconditions": [condition, happened],
            "command_template": None,
            "reverse_name": None,
            "reverse_command_template": None,
        },
    }


STEP_LIMIT = 4
"""Of these games. Where the knife must be taken there is no time for anything but what wins: a
player without a memory could else leave himself a sign, such as a carrot on the floor."""

TEXTS = (
    ("kitchen", "slice", "Slice the carrot!", "There is an open door."),
    (
        "garden",
        "dice",
        "Let's cook a delicious meal.",
        "You are in the garden. You dice carrots here.",
    ),
)
"""As different as can be: what is shown here is that an agent tells them apart at all. The shipped
updaters believe very different things of them."""

STATES = tuple(kitchen(*texts) for texts in TEXTS)
"""Two games with the same commands: what is read decides which of them loses."""

FORGOTTEN = tuple(kitchen(*texts, knife=ON_THE_FLOOR) for texts in TEXTS)
"""The same, but what decides is said before the knife is taken, and never again."""
