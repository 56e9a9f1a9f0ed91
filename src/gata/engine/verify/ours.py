"""Our engine, in the form in which it is compared: strings and arrays of the same moment."""

from typing import Any

import numpy.typing as npt

from gata.engine.text_env import TextEnv
from gata.engine.verify.snapshot import Snapshot, Tokens
from gata.games.game import Game
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER, GraphVocabulary


class EnginePlayer:
    """One game in our engine: the strings of ``TextEnv`` and the arrays it stands on."""

    def __init__(self, game: Game) -> None:
        # Every thing of a cooking game must have one of the paper's nodes.
        self._graph = PAPER if game.recipe else GraphVocabulary.for_games([game])
        self._env = TextEnv(game, graph=self._graph)
        self._commands: list[str] = []
        self._is_over = False

    def reset(self) -> Snapshot:
        """Start again."""
        self._is_over = False
        _, infos = self._env.reset()
        return self._snapshot(infos, done=False, is_told=True)

    def step(self, command: str) -> Snapshot:
        """Send one command."""
        # The arrays tell of commands that an agent may choose; for others there are only strings.
        is_told = command in self._commands and not self._is_over
        _, _, done, infos = self._env.step(command)
        self._is_over |= done
        return self._snapshot(infos, done=done, is_told=is_told)

    def close(self) -> None:
        """Nothing to give back."""

    def _snapshot(self, infos: dict[str, Any], *, done: bool, is_told: bool) -> Snapshot:
        self._commands = infos["admissible_commands"]
        outputs = self._env.batch.outputs
        texts = (infos["feedback"], infos["description"], infos["inventory"])
        tokens = Tokens(
            _used(outputs.observation, outputs.observation_length),
            _used(outputs.description, outputs.description_length),
            _used(outputs.inventory, outputs.inventory_length),
        )
        return Snapshot(
            feedback=infos["feedback"],
            description=infos["description"],
            inventory=infos["inventory"],
            commands=tuple(infos["admissible_commands"]),
            score=infos["score"],
            max_score=infos["max_score"],
            moves=infos["moves"],
            won=infos["won"],
            lost=infos["lost"],
            done=done,
            last_action=self._env.last_action_command,
            facts=frozenset(infos["_facts"]),
            full_graph=self._triples(outputs.full_edges, outputs.full_count),
            seen_graph=self._triples(outputs.seen_edges, outputs.seen_count),
            tokens=tokens if is_told else Tokens.of(*texts),
        )

    def _triples(self, edges: npt.NDArray[Any], counts: npt.NDArray[Any]) -> frozenset[Triple]:
        return frozenset(map(self._graph.triple_from_id, _used(edges, counts)))


def _used(rows: npt.NDArray[Any], lengths: npt.NDArray[Any]) -> tuple[int, ...]:
    return tuple(rows[0, : lengths[0]].tolist())
