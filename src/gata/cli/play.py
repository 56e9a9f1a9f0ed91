"""``gata play``: a game in the terminal, played by a human or by a trained agent."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.devices import choose_device
from gata.errors import UsageError

if TYPE_CHECKING:
    from gata.agents.transcript import Moment
    from gata.games.game import Game

PROMPT = "> "
ANSWERS_TO_QUIT = ("quit", "exit", "q")


@dataclass(frozen=True)
class Play:
    """Play a game yourself, or watch an agent play it.

    An agent's transcript shows the value it gives to each command and the strongest edges of its
    belief graph. Without an agent you type the commands; help lists those on offer, quit ends.
    """

    names: Annotated[
        tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="[CHECKPOINT] GAME")
    ]
    """The agent that plays (agent/NAME of the package, a run's folder or a weight file), unless you
    do; and the game, such as level1/test/56274, or a .json file of one."""
    commands: int = 5
    """How many of the best commands to show."""
    edges: int = 8
    """How many of the strongest edges to show."""
    step_limit: int = 50
    """An agent has so many steps."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""

    def run(self) -> None:
        """Play."""
        from gata.games.store import load_game

        if len(self.names) not in (1, 2):
            raise UsageError("name a game, or an agent and a game")
        for option in ("commands", "edges"):
            if getattr(self, option) < 0:
                raise UsageError(f"--{option} is {getattr(self, option)}, expected 0 or more")
        *agents, name = self.names
        game = load_game(name)
        if agents:
            self._watch(game, agents[0])
        else:
            self._ask(game)

    def _watch(self, game: "Game", checkpoint: str) -> None:
        from gata.agents.stored import load_agent
        from gata.agents.transcript import watch
        from gata.training.device import get_ready

        device = choose_device(self.device)
        get_ready(device)
        brain = load_agent(checkpoint, device).brain
        console.text(f"{brain.preset.name} plays {game.name}\n")
        moments = watch(brain, game, step_limit=self.step_limit, edges=self.edges)
        for number, moment in enumerate(moments):
            console.text(f"[{number}] {moment.text}  [{moment.score}/{game.max_score}]")
            self._explain(moment)
            if moment.is_over:
                console.text("the agent won" if moment.won else "the agent did not win")
            else:
                console.text(f"\n{PROMPT}{moment.values[0][0]}")

    def _explain(self, moment: "Moment") -> None:
        for command, value in moment.values[: self.commands]:
            console.text(f"    {value:7.3f}  {command}")
        if moment.edges:
            told = (f"{' '.join(edge.triple)} {edge.strength:.2f}" for edge in moment.edges)
            console.text(f"    believes: {', '.join(told)}")

    def _ask(self, game: "Game") -> None:
        from gata.engine.text_env import TextEnv

        env = TextEnv(game)
        text, infos = env.reset()
        done = False
        _show(text)
        while not done:
            command = _read_line()
            if command is None or command in ANSWERS_TO_QUIT:
                return
            if command == "help":
                console.text("\n".join(infos["admissible_commands"]))
                continue
            if command:
                text, _, done, infos = env.step(command)
                _show(text)


def _show(text: str) -> None:
    """The game's reply, without its prompt and status line: the prompt is ours."""
    reply, _, status = text.rpartition(PROMPT.strip())
    console.text(f"{reply.strip()}\n\n{' '.join(status.split())}")


def _read_line() -> str | None:
    """What the player types; None when there is no more."""
    sys.stdout.write(PROMPT)
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None
