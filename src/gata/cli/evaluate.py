"""``gata evaluate``: how trained agents do on games."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import tyro

from gata import console
from gata.cli.options import unset
from gata.devices import choose_device
from gata.errors import UsageError

if TYPE_CHECKING:
    from gata.agents import Agent


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents play games, greedily: score, success and steps."""

    agents: Annotated[
        tyro.conf.Positional[tuple[str, ...]],
        tyro.conf.arg(metavar="AGENT [AGENT ...]", help_behavior_hint=""),
    ]
    """Agents of the package (agent/NAME; `gata models list` shows them), folders of runs, weight
    files, or random and walkthrough for floor and ceiling."""
    level: Annotated[int | None, unset("N")] = None
    """The level of difficulty, 1 to 5. By default each agent plays the one it was trained on, and
    random and walkthrough that of the others."""
    split: Literal["train", "valid", "test"] = "test"
    """Which of the level's games to play."""
    step_limit: int = 50
    """An episode ends after so many steps."""
    per_game: bool = False
    """Print a line for each game, not the means."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Play and print."""
        from gata.agents.playing import check_step_limit, play, summarise
        from gata.games import load_level

        if not self.agents:
            raise UsageError("name an agent, a run's folder or a file (or random, walkthrough)")
        check_step_limit(self.step_limit)
        # All that can be wrong is found before the first game is played, which takes long.
        players = self._players()
        games = {level: load_level(level, self.split) for level in {each.level for each in players}}
        rows: list[dict[str, Any]] = []
        for name, agent, level in players:
            about = {"agent": name, "level": level, "split": self.split}
            with console.Bar(f"{name} on level {level}", self.step_limit) as bar:
                episodes = play(agent, games[level], step_limit=self.step_limit, show=bar.show)
            if self.per_game:
                rows += [{**about, **asdict(episode)} for episode in episodes]
            else:
                summary = summarise(episodes)
                rows.append(
                    {
                        **about,
                        "games": summary.games,
                        "score %": summary.score,
                        "won %": summary.success,
                        "steps": summary.steps,
                    }
                )
        console.table(list(rows[0]), [list(row.values()) for row in rows], as_json=self.json)

    def _players(self) -> list["_Player"]:
        """The agents, each with the level it shall play."""
        from gata.agents.baselines import BASELINES

        loaded = [self._load(name) for name in self.agents]
        theirs = sorted({level for _, level in loaded if level is not None})
        shared = theirs[0] if len(theirs) == 1 else None
        players = []
        for name, (agent, trained_on) in zip(self.agents, loaded, strict=True):
            level = shared if name in BASELINES else trained_on
            if self.level is not None:
                level = self.level
            if level is None:
                raise UsageError(f"{name}: say on which --level it shall play{_why(theirs)}")
            players.append(_Player(name, agent, level))
        return players

    def _load(self, name: str) -> "tuple[Agent, int | None]":
        """The agent, and the level it was trained on."""
        from gata.agents.baselines import BASELINES
        from gata.agents.greedy import GreedyAgent
        from gata.agents.stored import load_agent
        from gata.training.device import get_ready

        if name in BASELINES:
            return BASELINES[name](), None
        device = choose_device(self.device)
        get_ready(device)  # as in training, whose scores are to come again
        stored = load_agent(name, device)
        return GreedyAgent(stored.brain), stored.card.get("settings", {}).get("level")


class _Player(NamedTuple):
    name: str
    """As it was typed."""
    agent: "Agent"
    level: int


def _why(levels: Sequence[int]) -> str:
    """Why the levels of the trained agents do not tell that of others."""
    if len(levels) < 2:
        return ""
    return f": the others were trained on levels {' and '.join(map(str, levels))}"
