"""TextWorld's own shape: strings in, strings and infos out.

An agent written for TextWorld runs here unchanged. The strings are TextWorld 1.7's to the letter,
status line included, as it prints them with state tracking on (that is, when admissible commands
or facts are asked for).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from gata.engine import freetext, messages
from gata.engine.actions import DIRECTIONS, PLACES, Cutting, Flag, Kind
from gata.engine.commands import understood_words
from gata.engine.compiler import compile_game
from gata.engine.core import Batch
from gata.engine.game_infos import game_infos
from gata.engine.grounding import Grounding, ground
from gata.engine.messages import NL
from gata.engine.pack import pack
from gata.engine.tables import State
from gata.engine.templates import objective_text
from gata.errors import GataError, UsageError
from gata.facts import Action, Fact, Variable
from gata.games.game import Game
from gata.games.store import load_game
from gata.language.vocabulary import Vocabulary, default


class NamedFact(Fact):
    """A fact told with printed names; prints as TextWorld's do: ``at(fridge: c, kitchen: r)``."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(v.typed for v in self.arguments)})"


@dataclass(frozen=True)
class NamedAction:
    """An action told with printed names, as TextWorld's ``last_action`` is; prints like it, too."""

    name: str
    preconditions: tuple[Fact, ...]
    postconditions: tuple[Fact, ...]

    @property
    def all_propositions(self) -> tuple[Fact, ...]:
        """What it needs, then what holds after it."""
        return self.preconditions + self.postconditions

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Everything it is about, each once, in order."""
        return tuple(dict.fromkeys(v for fact in self.all_propositions for v in fact.arguments))

    @property
    def added(self) -> frozenset[Fact]:
        """The facts that hold now and did not."""
        return frozenset(self.postconditions) - frozenset(self.preconditions)

    @property
    def removed(self) -> frozenset[Fact]:
        """The facts that hold no longer."""
        return frozenset(self.preconditions) - frozenset(self.postconditions)

    def __str__(self) -> str:
        before = [
            ("$" if fact in self.postconditions else "") + str(fact) for fact in self.preconditions
        ]
        after = [str(fact) for fact in self.postconditions if fact not in self.preconditions]
        return f"{self.name} :: {' & '.join(before)} -> {' & '.join(after)}"


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
    game state.
    """

    def __init__(self, game: Game | str, vocabulary: Vocabulary | None = None) -> None:
        """Compile a game, given as it is or by its name (``gata.games.load_game``)."""
        if isinstance(game, str):
            game = load_game(game)
        if not isinstance(game, Game):
            raise UsageError(f"the game is {game!r}, expected a game or the name of one")
        self.game = game
        self._groundings = ground(game)
        self._compiled = compile_game(game, groundings=self._groundings)
        self._batch = Batch(pack([self._compiled], vocabulary or default()), 1)
        self._actions = {command.lower(): i for i, command in enumerate(self._compiled.commands)}
        self._names = {entity.id: entity.name or entity.id for entity in game.entities.values()}
        self._check_names()
        self._begun = False
        self._told = Told()

    def _check_names(self) -> None:
        for fact in self._groundings.facts:
            for id_ in fact.ids:
                if id_ not in self._names:
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
        self._told = Told(command.strip(), has_lost_track=self._told.has_lost_track)
        words = freetext.normal(command)
        if self._ending():
            # TextWorld goes on asking what to do next, and forgets that the game is over.
            prompt = self._batch.prompt(0, after_the_end=True)
            self._tell(reply=messages.AFTER_THE_END + prompt, is_over=True)
        elif words in self._admissible:
            self._act(words)
        else:
            self._answer(freetext.answer(self._world(), words))
        infos = self._infos()
        return self._observation(), infos["score"], infos["won"] or infos["lost"], infos

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

    def _world(self) -> freetext.World:
        """Inform's world at this moment."""
        batch, compiled, game = self._batch, self._compiled, self.game
        part = {
            name: batch.part(0, name)[: len(compiled.entities)]
            for name in ("parent", "flags", "cutting")
        }
        room = compiled.entities[batch.info(0, "room")]
        things = {
            id_: number
            for number, id_ in enumerate(compiled.entities)
            if compiled.kinds[number] & ~Kind.ROOM
        }
        doors = {f.ids[0::2]: f.ids[1] for f in game.facts if f.predicate == "link"}
        exits = {
            fact.predicate.removesuffix("_of"): (fact.ids[0], doors.get((room, fact.ids[0])))
            for fact in game.facts
            if fact.predicate.removesuffix("_of") in DIRECTIONS and fact.ids[1] == room
        }
        kitchen = next((f.ids[0] for f in game.facts if f.predicate == "cooking_location"), None)
        turns = batch.info(0, "turn")
        return freetext.World(
            entities={id_: game.entities[id_] for id_ in things},
            kinds={id_: compiled.kinds[number] for id_, number in things.items()},
            words={id_: understood_words(game.entities[id_]) for id_ in things},
            parent={
                id_: compiled.entities[part["parent"][number]]
                for id_, number in things.items()
                if part["parent"][number] >= 0
            },
            flags={id_: Flag(part["flags"][number]) for id_, number in things.items()},
            cutting={id_: Cutting(part["cutting"][number]) for id_, number in things.items()},
            properties=frozenset(
                (f.predicate, f.ids[0])
                for f in game.facts
                if len(f.ids) == 1 and f.predicate not in PLACES
            ),
            keys={f.ids[1]: f.ids[0] for f in game.facts if f.predicate == "match"},
            room=room,
            exits=exits,
            kitchen=kitchen and messages.HEADING.format(game.entities[kitchen].name.title()),
            in_kitchen=room == kitchen,
            cooking=kitchen is not None,
            objective=objective_text(game.objective),
            score=messages.SCORE_SO_FAR.format(
                batch.info(0, "score"),
                batch.pack.max_scores[0],
                f"{turns} turn{'s' if turns != 1 else ''}",
            ),
        )

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

    def _infos(self) -> dict[str, Any]:
        batch = self._batch
        grounding = self._last_grounding
        facts = self.facts
        return {
            "feedback": self._observation(),
            "description": batch.description(0),
            "inventory": batch.inventory(0),
            "admissible_commands": batch.candidates(0),
            "score": batch.info(0, "shown_score"),
            "max_score": int(batch.outputs.max_score[0]),
            "won": self._ending() == 1 and not self._told.is_over,
            "lost": self._ending() == 2 and not self._told.is_over,
            "moves": batch.info(0, "moves"),
            "objective": self.game.objective,
            "facts": [self._named(fact) for fact in facts],
            "_facts": facts,
            "last_action": None if grounding is None else self._named_action(grounding),
            "_last_action": None if grounding is None else as_action(grounding),
            "last_command": self._told.command,
            **self._game_infos,
        }

    @cached_property
    def _game_infos(self) -> dict[str, Any]:
        return game_infos(self.game, self._named)

    @property
    def facts(self) -> list[Fact]:
        """What is true now, by TextWorld's account."""
        bits = self._batch.bits(0, "facts")
        return [
            fact
            for number, fact in enumerate(self._groundings.facts)
            if bits[number >> 6] >> (number & 63) & 1
        ]

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
    def performed(self) -> Action | None:
        """What the last command really did to the facts; None if TextWorld saw nothing done."""
        if not self._told.is_done:
            return None
        number = self._batch.info(0, "performed")
        return as_action(self._groundings.actions[number]) if number >= 0 else None

    def _named(self, fact: Fact) -> Fact:
        return NamedFact(
            fact.predicate,
            tuple(Variable(self._names[v.id], v.type) for v in fact.arguments),
        )

    def _named_action(self, grounding: Grounding) -> NamedAction:
        return NamedAction(
            grounding.rule.command.split("{")[0].strip(),
            tuple(map(self._named, grounding.preconditions)),
            tuple(map(self._named, grounding.postconditions)),
        )


def as_action(grounding: Grounding) -> Action:
    """A grounding as the rest of the library knows actions."""
    return Action(
        grounding.rule.name,
        frozenset(grounding.preconditions),
        frozenset(grounding.postconditions),
    )
