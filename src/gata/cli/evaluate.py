"""``gata evaluate``: how trained agents do on games."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import tyro

from gata import console
from gata.cli.options import unset
from gata.devices import choose_device
from gata.errors import UsageError

if TYPE_CHECKING:
    from gata.agents import Agent
    from gata.agents.playing import Episode


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents play games, greedily: score, success and steps.

    "± s.e." is the standard error of the score: how far other games like these would move it.
    """

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
    """Which of the level's games to play. Of train, an agent plays those that it learnt from on its
    own level (1, 20 or 100 games), and random and walkthrough those of the others."""
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
        games = {which: load_level(*which) for which in {each.games for each in players}}
        rows: list[dict[str, Any]] = []
        for player in players:
            level, split, size = player.games
            about = {"agent": player.name, "level": level, "split": split}
            if size is not None:
                about["split"] = f"{split}/{size}"
            own = games[player.games]
            with console.Bar(f"{player.name} on level {level}", self.step_limit) as bar:
                episodes = play(player.agent, own, step_limit=self.step_limit, show=bar.show)
            if self.per_game:
                rows += [{**about, **asdict(episode)} for episode in episodes]
            else:
                summary = summarise(episodes)
                rows.append(
                    {
                        **about,
                        "games": summary.games,
                        "score %": summary.score,
                        "± s.e.": _standard_error(episodes),
                        "won %": summary.success,
                        "steps": summary.steps,
                    }
                )
        console.table(list(rows[0]), [list(row.values()) for row in rows], as_json=self.json)

    def _players(self) -> list["_Player"]:
        """The agents, each with the games it shall play."""
        from gata.agents.baselines import BASELINES

        loaded = [self._load(name) for name in self.agents]
        origins = {origin for _, origin in loaded if origin is not None}
        theirs = sorted({origin.level for origin in origins})
        players = []
        for name, (agent, origin) in zip(self.agents, loaded, strict=True):
            if name in BASELINES:
                # Floor and ceiling of what the others do, where that is one thing.
                level = theirs[0] if len(theirs) == 1 else None
                origin = next(iter(origins)) if len(origins) == 1 else None
            else:
                level = None if origin is None else origin.level
            if self.level is not None:
                level = self.level
            if level is None:
                raise UsageError(f"{name}: say on which --level it shall play{_why(theirs)}")
            games = level, self.split, self._size(level, origin)
            players.append(_Player(name, agent, games))
        return players

    def _size(self, level: int, origin: "_Origin | None") -> int | None:
        """How many of a level's training games to play: those that were learnt from; None for all.

        Unlimited ones are thousands, and perhaps not even made here.
        """
        if self.split != "train" or origin is None or origin.level != level:
            return None
        return int(origin.games) if origin.games.isdecimal() else None

    def _load(self, name: str) -> "tuple[Agent, _Origin | None]":
        """The agent, and what it learnt from, if that is known."""
        from gata.agents.baselines import BASELINES, check_not_misspelt
        from gata.agents.greedy import GreedyAgent
        from gata.agents.stored import load_agent
        from gata.training.device import get_ready

        if name in BASELINES:
            return BASELINES[name](), None
        check_not_misspelt(name)
        device = choose_device(self.device)
        get_ready(device)  # as in training, whose scores are to come again
        stored = load_agent(name, device)
        _tell_if_under_way(name)
        settings = stored.card.get("settings", {})
        if "level" not in settings:
            return GreedyAgent(stored.brain), None
        origin = _Origin(settings["level"], settings.get("games", ""))
        if self.split == "train" and origin.games == "unlimited":
            console.note(
                f"{name}: it learnt from unlimited games, and plays the paper's training games,"
                " which are others"
            )
        return GreedyAgent(stored.brain), origin


def _standard_error(episodes: "Sequence[Episode]") -> float | None:
    """Of the score, in percent; of one game there is none."""
    from gata.evaluation.standing import error_of_mean

    scores = [100 * episode.normalised_score for episode in episodes]
    return error_of_mean(scores) if len(scores) > 1 else None


def _tell_if_under_way(name: str) -> None:
    """The weights of a run that is not over are the best so far."""
    from gata.training.run import CHECKPOINT_FILE

    if (Path(name) / CHECKPOINT_FILE).exists():
        console.note(f"{name}: this run is not over; it plays with its best weights so far")


class _Origin(NamedTuple):
    """What an agent learnt from."""

    level: int
    games: str
    """How many of its training games (1, 20, 100), or ``unlimited``; empty if it is not known."""


class _Player(NamedTuple):
    name: str
    """As it was typed."""
    agent: "Agent"
    games: tuple[int, str, int | None]
    """Level, split and size of the set."""


def _why(levels: Sequence[int]) -> str:
    """Why the levels of the trained agents do not tell that of others."""
    if len(levels) < 2:
        return ""
    return f": the others were trained on levels {' and '.join(map(str, levels))}"
