"""``gata play``: a game in the terminal, played by a human or by a trained agent."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.devices import choose_device
from gata.errors import GataError, UsageError

if TYPE_CHECKING:
    from gata.agents.transcript import Moment
    from gata.games.game import Game

PROMPT = "> "
COMMANDS_WIDTH = 34
"""Beliefs stand in the same place at most steps: few commands are longer."""
EXAMPLE = "level1/test/56274"
ANSWERS_TO_QUIT = ("quit", "exit", "q")
OPENING = (
    "Above each prompt: the room, and score/moves (0/1: no points yet, your first move)."
    " help lists commands, quit ends.\n"
)


@dataclass(frozen=True)
class Play:
    """Play a game yourself, or watch an agent play it.

    A trained agent's transcript shows the value it gives to each command and the strongest edges of
    its belief graph. Without an agent you type the commands; help lists those on offer, quit ends.
    """

    names: Annotated[
        tyro.conf.Positional[tuple[str, ...]],
        tyro.conf.arg(metavar="[AGENT] GAME", help_behavior_hint=""),
    ]
    """The agent that plays (agent/NAME of the package, a run's folder, a weight file, random or
    walkthrough), unless you do; and the game, such as level1/test/56274, or a .json file of one."""
    commands: int = 5
    """How many of the best commands to show."""
    edges: int = 8
    """How many of the strongest edges to show."""
    all_edges: bool = False
    """Show the strongest of all edges, not only those between things that the game has."""
    step_limit: int = 50
    """An agent has so many steps."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""

    def run(self) -> None:
        """Play."""
        from gata.agents.playing import check_step_limit

        if len(self.names) not in (1, 2):
            raise UsageError("name a game, or an agent and a game")
        for option in ("commands", "edges"):
            if getattr(self, option) < 0:
                raise UsageError(f"--{option} is {getattr(self, option)}, expected 0 or more")
        check_step_limit(self.step_limit)
        *agents, name = self.names
        game = _load_game(name, agents)
        if agents:
            self._watch(game, agents[0])
        else:
            self._ask(game)

    def _watch(self, game: "Game", name: str) -> None:
        for number, moment in enumerate(self._moments(game, name)):
            said = "\n".join(moment.lines)
            console.text(f"[{number}] {said}  [{moment.score}/{game.max_score}]")
            self._explain(moment)
            if moment.is_over:
                how = "won" if moment.won else "did not win"
                console.text(f"the agent {how}: {_score(moment.score, game, number)}")
            else:
                console.text(f"\n{PROMPT}{moment.command}")

    def _moments(self, game: "Game", name: str) -> "Iterator[Moment]":
        from gata.agents.baselines import BASELINES, check_not_misspelt
        from gata.agents.stored import load_agent
        from gata.agents.transcript import ABOUT_LEARNT_EDGES, watch, watch_baseline
        from gata.training.device import get_ready

        if name in BASELINES:
            console.text(f"{name} plays {game.name}\n")
            return watch_baseline(BASELINES[name](), game, step_limit=self.step_limit)
        check_not_misspelt(name)
        device = choose_device(self.device)
        get_ready(device)
        brain = load_agent(name, device).brain
        console.text(f"{brain.preset.name} plays {game.name}\n")
        if self.edges and brain.preset.belief == "continuous":
            console.text(f"{ABOUT_LEARNT_EDGES}\n")
        return watch(
            brain,
            game,
            step_limit=self.step_limit,
            edges=self.edges,
            of_all_things=self.all_edges,
        )

    def _explain(self, moment: "Moment") -> None:
        """Commands and their values on the left, believed edges and their strengths beside them."""
        values = [f"{value:7.3f}  {command}" for command, value in moment.values[: self.commands]]
        edges = [f"{edge.strength:6.2f}  {edge.triple.in_words()}" for edge in moment.edges]
        if values:
            values.insert(0, "  value  command")
        if edges:
            edges.insert(0, "belief  edge")
        room = max(COMMANDS_WIDTH, *map(len, values)) if values else 0
        for left, right in zip_longest(values, edges, fillvalue=""):
            console.text(f"    {left:{room}}  {right}".rstrip())

    def _ask(self, game: "Game") -> None:
        from gata.engine.text_env import TextEnv

        env = TextEnv(game)
        text, infos = env.reset()
        done = False
        console.text(OPENING)
        _show(text)
        while not done:
            command = _read_line()
            if command is None or command in ANSWERS_TO_QUIT:
                break
            if command == "help":
                console.text("\n".join(infos["admissible_commands"]))
                continue
            if command:
                text, _, done, infos = env.step(command)
                _show(text)
        console.text(_score(infos["score"], game, infos["moves"]))


def _load_game(name: str, agents: Sequence[str]) -> "Game":
    """The game of a name; who gave it the agent's place, or an agent alone, is told."""
    from gata.games.store import load_game

    try:
        return load_game(name)
    except UsageError:
        if not agents and _is_agent(name):
            raise UsageError(
                f"{name}: not a game; name one, too, for the agent to play: gata play {name}"
                f" {EXAMPLE}"
            ) from None
        if not any(map(_is_game, agents)):
            raise
    raise UsageError(f"the agent comes first: gata play {name} {' '.join(agents)}")


def _is_game(name: str) -> bool:
    from gata.games.store import load_game

    try:
        load_game(name)
    except GataError:
        return False
    return True


def _is_agent(name: str) -> bool:
    """Whether a name looks like that of an agent; nothing is loaded."""
    from gata.agents.baselines import BASELINES

    is_file = name.endswith((".safetensors", ".safetensors.xz"))
    return name in BASELINES or name.startswith("agent/") or is_file or Path(name).is_dir()


def _score(score: int, game: "Game", steps: int) -> str:
    return f"{score} of {game.max_score} points, {steps} step{'s' * (steps != 1)}"


def _show(text: str) -> None:
    """The game's reply, then its status line (room, score/moves); the prompt is ours."""
    reply, _, status = text.rpartition(PROMPT.strip())
    status = " ".join(status.replace("=-", "=- ").split())
    # Pictures and headings begin with spaces.
    shown = reply.rstrip().lstrip("\n")
    console.text(f"{shown}\n\n{status}")


def _read_line() -> str | None:
    """What the player types; None when there is no more."""
    sys.stdout.write(PROMPT)
    sys.stdout.flush()
    line = sys.stdin.readline()
    command = line.strip()
    if not sys.stdin.isatty():
        console.text(command)  # nobody has typed it: without it the reply would follow the prompt
    elif not line:
        console.text()  # Ctrl-D does not end the prompt's line
    return command if line else None
