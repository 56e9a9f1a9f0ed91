"""What TextWorld's infos say of a game once and for all: names, verbs, what can ever be typed."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from gata.engine.logic import Logic, parse
from gata.facts import Fact
from gata.games.game import Event, Game

_PLACEHOLDER = re.compile(r"{(.*?)}")
_DIRECTIONS = ("north", "south", "east", "west")
"""In TextWorld's order."""


_NAMES = (
    *("entities", "typed_entities", "command_templates", "verbs", "possible_commands"),
    *("possible_admissible_commands", "win_facts", "fail_facts"),
)


def game_info_names(game: Game) -> tuple[str, ...]:
    """The names of a game's infos, without making them."""
    return (*_NAMES, *(f"extra.{key}" for key in game.data["metadata"]))


def game_infos(game: Game, named: Callable[[Fact], Fact]) -> dict[str, Any]:
    """Infos by the names of ``textworld.EnvInfos``; ``named`` puts names for ids.

    ``extra.*`` is the game's metadata, such as ``extra.walkthrough`` and ``extra.recipe``.
    """
    logic = parse(game.rules_text)
    things = [
        (entity.name, entity.type)
        for entity in game.entities.values()
        if entity.name and entity.type != "r"
    ]
    templates = sorted({rule.command for rule in logic.rules if rule.command})

    def facts(events: Sequence[Event]) -> list[tuple[Fact, ...]]:
        return [tuple(map(named, event.conditions)) for event in events]

    return {
        "entities": [*(name for name, _ in things), *_DIRECTIONS],
        "typed_entities": things,
        "command_templates": templates,
        "verbs": sorted({template.split()[0] for template in templates}),
        "possible_commands": _possible(templates, [name for name, _ in things]),
        "possible_admissible_commands": _possibly_admissible(templates, things, logic),
        "win_facts": [facts(quest.win_events) for quest in game.quests],
        "fail_facts": [facts(quest.fail_events) for quest in game.quests],
        **{f"extra.{key}": value for key, value in game.data["metadata"].items()},
    }


def _possible(templates: Sequence[str], names: Sequence[str]) -> list[str]:
    """Every template with every name in every place, whatever its type."""
    shapes = {_PLACEHOLDER.sub("{}", template) for template in templates}
    return sorted(
        shape.format(*chosen)
        for shape in shapes
        for chosen in product(names, repeat=shape.count("{}"))
    )


def _possibly_admissible(
    templates: Sequence[str], things: Sequence[tuple[str, str]], logic: Logic
) -> list[str]:
    """Every template with names of the right types."""
    names_of = defaultdict(list)
    for name, type_ in things:
        names_of[type_].append(name)
    typed = {
        (_PLACEHOLDER.sub("{}", template), types)
        for template in templates
        for types in product(*map(logic.subtypes, _PLACEHOLDER.findall(template)))
    }
    return sorted(
        shape.format(*chosen)
        for shape, types in typed
        for chosen in product(*(names_of[type_] for type_ in types))
    )
