"""Making a cooking game with TextWorld's own generator, without running Inform 7.

TextWorld's ``tw-cooking`` compiles every game with Inform 7 and plays the walkthrough on the
result, only to note in the game file which actions lead to each quest. The same notes come from
replaying the walkthrough on TextWorld's logic, which is much faster and gives the same file. The
few places where TextWorld's output depends on Python's hash seed, the order of a directory listing
or an installation path are put into one canonical form, so that equal keys give equal bytes
everywhere.

Needs the ``[textworld]`` extra.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from gata.errors import GataError, install_extra
from gata.games.catalogue import Distractors, GameKey
from gata.games.game import Game, canonical_json

try:
    import textworld
    from textworld.challenges.tw_cooking import cooking
    from textworld.generator.data import KnowledgeBase
    from textworld.generator.game import GameOptions, GameProgression
    from textworld.generator.inform7 import Inform7Game
    from textworld.generator.maker import GameMaker
    from textworld.logic import GameLogic
except ImportError as error:  # pragma: no cover - depends on the installation
    raise GataError(
        f"making games needs TextWorld, which is not installed: {install_extra('textworld')}"
        f" (it compiles C code; {error})"
    ) from error

TEXTWORLD_VERSION = "1.7.0"
if textworld.__version__ != TEXTWORLD_VERSION:
    raise GataError(
        f"making games needs TextWorld {TEXTWORLD_VERSION}, found {textworld.__version__}: another"
        " version makes other games from the same seeds"
    )

_UPSTREAM_FAILURES = (ValueError, AssertionError, IndexError, KeyError)
"""How the generator gives up on a key. Anything else (no memory, say) is no property of the key."""

_MISSING = object()
_upstream_lock = threading.Lock()
"""TextWorld is adjusted from outside while a game is made: one at a time per process."""

_DISTRACTOR_RULES: dict[Distractors, Callable[[int], int]] = {
    "clipped": lambda number: max(0, number),
    "folded": abs,
}


class GenerationError(GataError):
    """TextWorld's generator cannot make a game for this key."""


def make_game(key: GameKey, name: str) -> Game:
    """Make the game that ``key`` describes.

    Raises ``GenerationError`` where TextWorld itself gives up (it does for a few keys).
    """
    settings = {
        "recipe": key.setting.recipe,
        "take": key.setting.take,
        "go": key.setting.go,
        "cook": key.setting.cook,
        "cut": key.setting.cut,
        "open": key.setting.open,
        "drop": key.setting.drop,
        "split": key.foods,
        "recipe_seed": 0,
    }
    options = GameOptions()
    options.seeds = key.seed
    with _upstream_lock, ExitStack() as replacements:
        for owner, attribute, value in (
            (cooking, "KnowledgeBase", _CachedKnowledge),
            # The generator's only call of abs() is the one that counts the distractors.
            (cooking, "abs", _DISTRACTOR_RULES[key.distractors]),
            (GameMaker, "set_walkthrough", _note_walkthrough),
        ):
            replacements.enter_context(_replaced(owner, attribute, value))
        try:
            data = cooking.make(settings, options).serialize()
        except _UPSTREAM_FAILURES as error:
            raise GenerationError(
                f"{name}: TextWorld cannot make this game"
                f" (setting {key.setting}, foods {key.foods}, seed {key.seed}):"
                f" {type(error).__name__}: {error}"
            ) from error
    return Game.from_json(canonical_json(canonical(data)), name)


class _CachedKnowledge:
    """Stands in for TextWorld's ``KnowledgeBase`` while a game is made.

    TextWorld parses its rule files anew for every game, in the order the directory lists them.
    Here each set is parsed once, in the order of its file names.
    """

    @staticmethod
    @cache
    def load(logic_path: str, grammar_path: str) -> Any:
        paths = sorted(map(str, Path(logic_path).glob("*.twl")))
        return KnowledgeBase(GameLogic.load(paths), grammar_path)


def _note_walkthrough(maker: Any, commands: list[str]) -> None:
    """Note in each winning event the actions and commands of the walkthrough that lead to it.

    A command that is not possible at that moment (opening a door twice) repeats the previous
    action in the notes, as TextWorld's state tracking does.
    """
    game = maker.build()
    progression = GameProgression(game)
    inform7 = Inform7Game(game)
    pending = [event for quest in progression.quest_progressions for event in quest.win_events]
    actions: list[Any] = []
    for step, command in enumerate(commands, start=1):
        if progression.done:
            raise ValueError("the game ends before its walkthrough does")
        possible = progression.valid_actions
        named = zip(possible, inform7.gen_commands_from_actions(possible), strict=True)
        matching = [action for action, text in named if text == command]
        if matching:
            # Several rules can share a command ("prepare meal"); the most specific one happens.
            action = max(matching, key=lambda action: len(action.preconditions))
            progression.update(action)
        else:
            action = actions[-1] if actions else None
        actions.append(action)
        for event in [event for event in pending if event.triggered]:
            pending.remove(event)
            event.event.actions = list(actions)
            event.event.commands = commands[:step]


def canonical(data: dict[str, Any]) -> dict[str, Any]:
    """The same game with everything in it that hangs on the process or machine put in order."""
    data["KB"]["text_grammars_path"] = ""
    data["grammar"]["names_to_exclude"].sort(key=lambda name: (name is not None, name or ""))
    for quest in data["quests"]:
        quest["fail_events"].sort(key=canonical_json)
    return data


@contextmanager
def _replaced(owner: Any, attribute: str, value: Any) -> Iterator[None]:
    before = vars(owner).get(attribute, _MISSING)
    setattr(owner, attribute, value)
    try:
        yield
    finally:
        if before is _MISSING:
            delattr(owner, attribute)
        else:
            setattr(owner, attribute, before)
