"""Playing a game in real TextWorld: Inform 7 compiles it, jericho runs it, TextWorld tracks it.

Needs the ``[textworld]`` extra. Compiled games are kept in a cache folder by content, because a
compilation takes a second and playing a step takes milliseconds.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from gata.cache import cache_dir
from gata.engine.verify.snapshot import Snapshot, Tokens
from gata.errors import GataError, UsageError, install_extra
from gata.facts import Action, Fact
from gata.games.game import Game, canonical_json
from gata.graph.extract import SeenGraph, full_graph


def import_textworld() -> Any:
    """TextWorld, or an error that says how to get it."""
    try:
        import textworld
    except ImportError as error:
        raise GataError(
            f"comparing with TextWorld needs the [textworld] extra: {install_extra('textworld')} "
            f"({error})"
        ) from error
    return textworld


def compiled(game: Game, cache: Path | None = None) -> Path:
    """The path of the game's ``.z8`` file (its ``.json`` beside it), compiled if need be."""
    textworld = import_textworld()
    from textworld.generator import compile_game

    folder: Path = (cache or cache_dir() / "textworld") / textworld.__version__ / game.content_hash
    file = folder / "game.z8"
    if file.exists():
        return file
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".compiling-"))
    try:
        options = textworld.GameOptions()
        options.path = str(scratch / file.name)
        compile_game(textworld.Game.deserialize(json.loads(canonical_json(game.data))), options)
        # TextWorld saved the game as it understood it; played is the game as it was given.
        (scratch / "game.json").write_bytes(canonical_json(game.data))
        (scratch / "game.ni").unlink(missing_ok=True)
        try:
            scratch.rename(folder)
        except OSError:
            if not file.exists():  # another process compiled the same game meanwhile: fine
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return file


class TextWorldPlayer:
    """One game in real TextWorld, with everything a ``Snapshot`` asks for.

    TextWorld 1.7 leaves ``last_action`` at its old value when a command has no effect, so the
    actions really performed are taken where TextWorld applies them to its own state.
    """

    def __init__(self, game: Game, cache: Path | None = None) -> None:
        textworld = import_textworld()
        wanted = textworld.EnvInfos(
            description=True,
            inventory=True,
            admissible_commands=True,
            facts=True,
            last_action=True,
            moves=True,
            max_score=True,
        )
        self._env = textworld.start(str(compiled(game, cache)), wanted)
        self._names = {id_: entity.name for id_, entity in game.entities.items()}
        self._slots = frozenset(
            fact.ids[0] for fact in game.facts if fact.predicate in ("free", "used")
        )
        self._performed: list[Any] = []
        self._seen = SeenGraph(frozenset())

    def reset(self) -> Snapshot:
        """Start again."""
        state = self._env.reset()
        self._performed = []
        self._watch(state["_game_progression"])
        facts = _facts(state)
        self._seen = SeenGraph.start(facts)
        return self._snapshot(state, facts)

    def step(self, command: str) -> Snapshot:
        """Send one command."""
        if command.lstrip().startswith("\\"):
            # The interpreter's own commands begin like this; some of them never return.
            raise UsageError(f"the command is {command!r}, which the interpreter takes for its own")
        self._performed.clear()
        state, _, _ = self._env.step(command)
        facts = _facts(state)
        for action in self._performed:
            self._seen = self._seen.after(Action.from_textworld(action), facts, self._names)
        return self._snapshot(state, facts)

    @property
    def drew_lots(self) -> bool:
        """Whether TextWorld took any of several things in the last step, as Python's hashes would.

        Its rule for meals of four ingredients frees a slot that none of its conditions names.
        """
        return any(_draws_lots(Action.from_textworld(a), self._slots) for a in self._performed)

    def close(self) -> None:
        """Stop the interpreter."""
        self._env.close()

    @property
    def performed(self) -> tuple[str, ...]:
        """The rules TextWorld applied in the last step (``take/c``); none if it was refused."""
        return tuple(action.name for action in self._performed)

    def _watch(self, progression: Any) -> None:
        apply = progression.update

        def recording_update(action: Any) -> None:
            self._performed.append(action)
            apply(action)

        progression.update = recording_update

    def _command_of(self, action: Any) -> str:
        names = {variable.name: self._names[variable.name] for variable in action.variables}
        return str(action.format_command(names))

    def _snapshot(self, state: Any, facts: frozenset[Fact]) -> Snapshot:
        last_action = state["_last_action"]
        return Snapshot(
            feedback=state["feedback"],
            description=state["description"],
            inventory=state["inventory"],
            commands=tuple(state["admissible_commands"]),
            score=state["score"],
            max_score=state["max_score"],
            moves=state["moves"],
            won=state["won"],
            lost=state["lost"],
            # At a reset TextWorld does not say that the game is not done.
            done=state.get("done", False),
            last_action=None if last_action is None else self._command_of(last_action),
            facts=facts,
            full_graph=full_graph(facts, self._names),
            seen_graph=self._seen.triples(self._names),
            tokens=Tokens.of(state["feedback"], state["description"], state["inventory"]),
        )


def _facts(state: Any) -> frozenset[Fact]:
    return frozenset(map(Fact.from_textworld, state["_facts"]))


def _draws_lots(action: Action, slots: frozenset[str]) -> bool:
    """Whether an action's rule left open which slot it means, and there were two or more."""
    named = {id_ for fact in action.preconditions for id_ in fact.ids}
    freed = {fact.ids[0] for fact in action.postconditions if fact.predicate == "free"}
    return bool(freed - named) and len(slots - named) > 1
