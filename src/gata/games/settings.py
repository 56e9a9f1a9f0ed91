"""How hard a cooking game is: the skills it asks for, and the ten published combinations."""

import re
from dataclasses import dataclass, fields
from typing import Any, Literal

from gata.errors import UsageError

MAX_INGREDIENTS = 5
ROOM_COUNTS = (1, 6, 9, 12)

FoodSplit = Literal["train", "valid", "test"]
"""TextWorld keeps some foods, and some ways to prepare them, for its own valid and test splits."""


@dataclass(frozen=True)
class Setting:
    """The skills a cooking game asks for (TextWorld's ``tw-cooking`` options).

    Written and parsed in TextWorld's own shorthand: ``recipe3+take3+cook+cut+open+go6``.
    """

    recipe: int = 1
    """Number of ingredients, 1 to 5."""
    take: int = 0
    """How many of them the player must find; the rest is carried from the start."""
    cook: bool = False
    """Ingredients must be fried, roasted or grilled."""
    cut: bool = False
    """Ingredients must be sliced, diced or chopped."""
    open: bool = False
    """Doors and containers start closed."""
    drop: bool = False
    """The player can only carry a limited number of things."""
    go: int = 1
    """Number of rooms: 1, 6, 9 or 12."""

    def __post_init__(self) -> None:
        if not 1 <= self.recipe <= MAX_INGREDIENTS:
            raise UsageError(f"setting: recipe is {self.recipe}, expected 1 to {MAX_INGREDIENTS}")
        if not 0 <= self.take <= self.recipe:
            raise UsageError(
                f"setting: take is {self.take}, expected 0 to {self.recipe} (the recipe's size)"
            )
        if self.go not in ROOM_COUNTS:
            raise UsageError(f"setting: go is {self.go}, expected one of {ROOM_COUNTS} rooms")

    def __str__(self) -> str:
        parts = []
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is bool and value:
                parts.append(field.name)
            elif (field.type is int and value != field.default) or field.name == "recipe":
                parts.append(f"{field.name}{value}")
        return "+".join(parts)

    @classmethod
    def parse(cls, text: str) -> "Setting":
        """Read TextWorld's shorthand, skills in any order."""
        kinds = {field.name: field.type for field in fields(cls)}
        values: dict[str, Any] = {}
        for part in text.split("+"):
            match = re.fullmatch(r"([a-z]+)(\d*)", part)
            skill, number = match.groups() if match else ("", "")
            if skill not in kinds or skill in values or (kinds[skill] is int) != bool(number):
                raise UsageError(
                    f"setting {text!r}: {part!r} is not understood; expected skills joined by '+',"
                    " such as recipe3+take3+cook+cut+open+drop+go6"
                )
            values[skill] = int(number) if number else True
        if "recipe" not in values:
            raise UsageError(f"setting {text!r}: no recipe size, expected for example recipe1+cut")
        return cls(**values)


DIFFICULTIES: dict[int, Setting] = {
    number: Setting.parse(text)
    for number, text in enumerate(
        (
            "recipe1+take1+open",
            "recipe1+take1+cook+open",
            "recipe1+take1+cut+open",
            "recipe1+take1+open+go6",
            "recipe1+take1+open+go9",
            "recipe1+take1+open+go12",
            "recipe1+take1+cook+cut+open",
            "recipe3+take3+open+go6",
            "recipe3+take3+cook+cut+open+go6",
            "recipe3+take3+cook+cut+open+go12",
        ),
        start=1,
    )
}
"""The ten difficulty settings of the public data set, by its own numbers."""

LEVEL_DIFFICULTY: dict[int, int] = {1: 3, 2: 7, 3: 5, 4: 9}
"""The paper's levels 1-4 are four of the ten difficulties; level 5 mixes the four."""

LEVELS: dict[int, Setting] = {
    level: DIFFICULTIES[difficulty] for level, difficulty in LEVEL_DIFFICULTY.items()
}
LEVEL_MAX_SCORE: dict[int, int] = {1: 4, 2: 5, 3: 3, 4: 11}
MIXED_LEVEL = 5
