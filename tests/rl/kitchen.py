"""Tiny cooking games, made by hand: one room, one carrot, and one cut of three that is right.

Only the rules are those of a shipped game: every cooking game has the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gata.games import Game, load_game

CUTS = {"slice": "sliced", "dice": "diced", "chop": "chopped"}
"""What makes a carrot what."""


def kitchen(room: str, cut: str, objective: str, description: str) -> Game:
    """A game in which the player has a carrot and a knife, and only one cut does not lose.

    Args:
        room: its name.
        cut: the right one, of ``CUTS``.
        objective: what the game says first.
        description: of the room, what it says next.
    """
    right = CUTS[cut]
    wrong = [state for state in CUTS.values() if state != right]
    facts = [
        *("at(P, r_0)", "in(f_0, I)", "sharp(o_0)", "in(o_0, I)"),
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


STATES = (
    kitchen("kitchen", "slice", "Slice the carrot!", "A kitchen."),
    kitchen(
        "backyard", "dice", "You are hungry! Dice the carrot.", "A backyard, with much to see."
    ),
)
"""Two games with the same commands: what is read decides which of them loses."""
