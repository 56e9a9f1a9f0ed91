"""TextWorld's own shape: strings in, strings and infos out.

A loop written for the environments of ``textworld.gym`` runs here as it is. The strings are
TextWorld 1.7's to the letter, status line included, as it prints them with state tracking on (that
is, when admissible commands or facts are asked for).
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gata.engine import freetext, messages
from gata.engine.checks import whole_number
from gata.engine.compiler import compile_game
from gata.engine.core import Batch
from gata.engine.game_infos import game_info_names, game_infos
from gata.engine.grounding import Grounding, ground
from gata.engine.messages import NL
from gata.engine.naming import Naming
from gata.engine.pack import pack
from gata.engine.scene import Scene, World
from gata.engine.tables import State
from gata.errors import GataError, UsageError
from gata.facts import Action, Fact
from gata.games.game import Game
from gata.games.store import load_game
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language.vocabulary import Vocabulary, default


@runtime_checkable
class Request(Protocol):
    """What infos are wanted, as a ``textworld.EnvInfos`` says it."""

    @property
    def basics(self) -> Iterable[str]:
        """Names of infos."""

    @property
    def extras(self) -> Iterable[str]:
        """Names of the game's metadata."""


@dataclass(frozen=True)
class Told:
    """What the player was told last, beyond what the engine's own pieces say."""

    command: str | None = None
    """The last command."""
    reply: str | None = None
    """The reply, where it is not made of the engine's pieces."""
    is_done: bool = False
    """The command was carried out as one of the game's."""
    is_over: bool = False
    """The command was given after the end."""
    has_lost_track: bool = False
    """TextWorld forgot the last action though no turn has passed since."""
    steps: int = 0
    """Commands given since the start."""


class SavedGame(NamedTuple):
    """The state of play, and what was said last."""

    state: State
    told: Told


class TextEnv:
    """One game, played by typing.

    ``infos`` holds what ``textworld.EnvInfos`` calls by the same names: description, inventory,
    admissible_commands, score, max_score, won, lost, moves, facts, last_action, last_command,
    objective, feedback, entities, typed_entities, verbs, command_templates, possible_commands,
    possible_admissible_commands, win_facts, fail_facts and ``extra.*``. ``_facts`` and
    ``_last_action`` are the same as without the dash, with entity ids for names, as in TextWorld's
    game state. Asking for some of them only makes steps faster: facts take most of the time.
    """

    def __init__(
        self,
        game: Game | str,
        vocabulary: Vocabulary | None = None,
        graph: GraphVocabulary = PAPER,
        *,
        request_infos: Request | Iterable[str] | None = None,
        step_limit: int = 0,
    ) -> None:
        """Compile a game.

        Args:
            game: the game, or its name (``gata.games.load_game``).
            vocabulary: the words of tokens (default: the shipped ones).
            graph: the nodes and relations of graphs; edges among others are left out.
            request_infos: a ``textworld.EnvInfos``, or names of infos (default: all).
            step_limit: after so many commands ``step`` says that the game is done; 0 means never.
        """
        if isinstance(game, str):
            game = load_game(game)
        if not isinstance(game, Game):
            raise UsageError(f"the game is {game!r}, expected a game or the name of one")
        self.game = game
        self._groundings = ground(game)
        self._compiled = compile_game(game, graph, self._groundings)
        self._batch = Batch(pack([self._compiled], vocabulary or default(), graph), 1)
        self._actions = {command.lower(): i for i, command in enumerate(self._compiled.commands)}
        self._check_names()
        names = {entity.id: entity.name or entity.id for entity in game.entities.values()}
        self._naming = Naming(names, self._groundings.facts)
        self._step_limit = whole_number(step_limit, "step_limit", 0, " (none)")
        self._requested = self._checked_request(request_infos)
        self._begun = False
        self._told = Told()

    def _check_names(self) -> None:
        for fact in self._groundings.facts:
            for id_ in fact.ids:
                if id_ not in self.game.entities:
                    raise GataError(
                        f"{self.game.name}: field 'infos' has no entry for '{id_}', which is named"
                        f" in the fact {fact}"
                    )

    @property
    def batch(self) -> Batch:
        """The engine's arrays for this game: tokens, graphs, state (row 0)."""
        return self._batch

    def reset(self) -> tuple[str, dict[str, Any]]:
        """Begin; return the opening text and the infos."""
        self._batch.begin()
        self._begun = True
        self._told = Told()
        return self._observation(), self._infos()

    def step(self, command: str) -> tuple[str, int, bool, dict[str, Any]]:
        """Give a command; return the reply, the score, whether the game is over, and the infos."""
        self._check_begun()
        if not isinstance(command, str):
            raise UsageError(f"the command is {command!r}, expected a text")
        before = self._told
        self._told = Told(
            command.strip(), has_lost_track=before.has_lost_track, steps=before.steps + 1
        )
        words = freetext.normal(command)
        if self._ending():
            # TextWorld goes on asking what to do next, and forgets that the game is over.
            prompt = self._batch.prompt(0, after_the_end=True)
            self._tell(reply=messages.AFTER_THE_END + prompt, is_over=True)
        elif words in self._admissible:
            self._act(words)
        else:
            world = World.now(self._scene, self._batch, self._batch.pack.max_scores[0])
            self._answer(freetext.answer(world, words))
        done = self._is_at("won") or self._is_at("lost") or self._is_at_the_limit
        return self._observation(), self._batch.info(0, "shown_score"), done, self._infos()

    def render(self, mode: str = "human") -> str | StringIO | None:
        """Show the last command and the reply, as ``textworld.gym`` does, without its colours.

        ``human`` prints them, ``text`` returns them, ``ansi`` returns a ``StringIO`` with them.
        """
        self._check_begun()
        if mode not in ("human", "text", "ansi"):
            raise UsageError(f"mode is {mode!r}, expected human, text or ansi")
        command = self._told.command
        shown = "" if command is None else f"> {command}\n"
        shown += self._observation().rstrip() + "\n"
        if mode == "human":
            sys.stdout.write(f"{shown}\n")
            return None
        return f"{shown}\n" if mode == "text" else StringIO(f"{shown}\n")

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Nothing here is left to chance; returns the seed, as ``textworld.gym`` does."""
        return [seed]

    def close(self) -> None:
        """Nothing to give back; the game can be played on."""

    @cached_property
    def _scene(self) -> Scene:
        return Scene.of(self.game, self._compiled)

    @property
    def _is_at_the_limit(self) -> bool:
        return 0 < self._step_limit <= self._told.steps

    @property
    def _admissible(self) -> frozenset[str]:
        return frozenset(command.lower() for command in self._batch.candidates(0))

    def _tell(self, **changes: Any) -> None:
        self._told = replace(self._told, **changes)

    def _act(self, command: str) -> None:
        self._batch.act(0, self._actions[command])
        self._tell(is_done=True, has_lost_track=False)

    def _answer(self, answer: freetext.Answer) -> None:
        """Do what TextWorld does about a command that is not admissible."""
        batch = self._batch
        if answer.command is not None and answer.command.lower() in self._actions:
            self._act(answer.command.lower())
            if answer.is_shorter:
                self._tell(reply=batch.feedback(0).replace(NL * 4, NL * 3, 1))
            return
        message = freetext.NOT_UNDERSTOOD.message if answer.command else answer.message
        if answer.takes_turn and answer.command is None:
            batch.pass_turn(0, forget_last=answer.done)
            # The reply's first piece stands for these words; score line and prompt follow.
            self._tell(reply=message.filled() + batch.feedback(0))
        else:
            self._tell(reply=message.filled() + batch.prompt(0))
            if answer.done:
                self._tell(has_lost_track=True)

    def clone(self) -> "TextEnv":
        """Another player of the same game, at the same moment."""
        self._check_begun()
        twin = TextEnv.__new__(TextEnv)
        twin.__dict__.update(self.__dict__)
        twin._batch = Batch(self._batch.pack, 1)
        twin._batch.restore(self._batch.save())
        return twin

    def save(self) -> SavedGame:
        """The state of play."""
        self._check_begun()
        return SavedGame(self._batch.save(), self._told)

    def restore(self, saved: SavedGame) -> tuple[str, dict[str, Any]]:
        """Go back to a saved state; return the text and the infos of that moment."""
        if not isinstance(saved, SavedGame):
            raise UsageError(f"expected what save returned, found {type(saved).__name__}")
        self._batch.restore(saved.state)
        self._begun = True
        self._told = saved.told
        return self._observation(), self._infos()

    def _check_begun(self) -> None:
        if not self._begun:
            raise UsageError("the game has not begun: call reset first")

    def _ending(self) -> int:
        return self._batch.info(0, "ending")

    def _observation(self) -> str:
        return self._batch.feedback(0) if self._told.reply is None else self._told.reply

    def _is_at(self, ending: str) -> bool:
        """Whether the game was just ``won`` or ``lost``."""
        return self._ending() == _ENDINGS[ending] and not self._told.is_over

    def _infos(self) -> dict[str, Any]:
        return {
            name: _INFOS[name](self) if name in _INFOS else self._game_infos[name]
            for name in self._requested
        }

    @cached_property
    def _game_infos(self) -> dict[str, Any]:
        return game_infos(self.game, self._naming.fact)

    def _checked_request(self, request: Request | Iterable[str] | None) -> tuple[str, ...]:
        """The names of the infos to give."""
        known = (*_INFOS, *game_info_names(self.game))
        if request is None:
            return known
        if isinstance(request, Request):
            wanted = [*request.basics, *(f"extra.{name}" for name in request.extras)]
        else:
            wanted = list(request)
        for name in wanted:
            if name not in known:
                raise UsageError(f"no info is called {name!r}, expected one of {', '.join(known)}")
        return tuple(dict.fromkeys(wanted))

    @property
    def facts(self) -> list[Fact]:
        """What is true now, by TextWorld's account."""
        return [self._groundings.facts[number] for number in self._true_facts()]

    def _true_facts(self) -> list[int]:
        bits = self._batch.bits(0, "facts")
        count = len(self._groundings.facts)
        return [number for number in range(count) if bits[number >> 6] >> (number & 63) & 1]

    @property
    def last_action_command(self) -> str | None:
        """The words of the last action TextWorld would have tracked."""
        last = self._last_grounding
        return None if last is None else last.command

    @property
    def _last_grounding(self) -> Grounding | None:
        number = self._batch.info(0, "last_grounding")
        if number < 0 or self._told.has_lost_track:
            return None
        return self._groundings.actions[number]

    @property
    def _last_action(self) -> Action | None:
        last = self._last_grounding
        return None if last is None else as_action(last)

    @property
    def performed(self) -> Action | None:
        """What the last command really did to the facts; None if TextWorld saw nothing done."""
        if not self._told.is_done:
            return None
        number = self._batch.info(0, "performed")
        return as_action(self._groundings.actions[number]) if number >= 0 else None


def as_action(grounding: Grounding) -> Action:
    """A grounding as the rest of the library knows actions."""
    return Action(
        grounding.rule.name,
        frozenset(grounding.preconditions),
        frozenset(grounding.postconditions),
    )


def _named_last_action(env: TextEnv) -> Any:
    last = env._last_grounding
    return None if last is None else env._naming.action(last)


_ENDINGS = {"won": 1, "lost": 2}

_INFOS: dict[str, Callable[[TextEnv], Any]] = {
    "feedback": lambda env: env._observation(),
    "description": lambda env: env.batch.description(0),
    "inventory": lambda env: env.batch.inventory(0),
    "admissible_commands": lambda env: env.batch.candidates(0),
    "score": lambda env: env.batch.info(0, "shown_score"),
    "max_score": lambda env: int(env.batch.outputs.max_score[0]),
    "won": lambda env: env._is_at("won"),
    "lost": lambda env: env._is_at("lost"),
    "moves": lambda env: env.batch.info(0, "moves"),
    "objective": lambda env: env.game.objective,
    "facts": lambda env: [env._naming.by_number[number] for number in env._true_facts()],
    "_facts": lambda env: env.facts,
    "last_action": _named_last_action,
    "_last_action": lambda env: env._last_action,
    "last_command": lambda env: env._told.command,
}
"""The infos that change as the game goes on."""
