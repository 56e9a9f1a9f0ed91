"""``gata evaluate``: how trained agents do on games."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import tyro

from gata import console
from gata.cli.options import unset
from gata.cli.report import RESULTS
from gata.devices import choose_device
from gata.errors import UsageError

if TYPE_CHECKING:
    from gata.agents import Agent
    from gata.agents.playing import Episode
    from gata.agents.stored import Stored
    from gata.evaluation.fresh_recording import Recording
    from gata.games.store import GameList

FRESH = "fresh"
"""The split that is no split of the paper's games."""
MOST_FRESH = 999_999
"""As many as the name of a set can say."""
_OF_UNLIMITED = {
    "train": "and plays the paper's training games, which are others",
    FRESH: "and many fresh games of levels 1 and 2 have the worlds of some of these",
}
"""What to know of an agent that learnt from unlimited games, by split."""


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents play games, greedily: score, success and steps.

    "± s.e." is the standard error of the score: how far other games like these would move it.

    On games that are as the paper's test games, but a thousand: gata evaluate AGENT --split fresh
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
    split: Literal["train", "valid", "test", "fresh"] = "test"
    """Which of the level's games to play. Of train, an agent plays those that it learnt from on its
    own level (1, 20 or 100 games), and random and walkthrough those of the others; fresh ones are
    new test games, which TextWorld makes when they are first asked for."""
    fresh_games: Annotated[int | None, unset("N")] = None
    """With --split fresh: how many; by default 1,000."""
    results: Annotated[Path | None, unset("DIR")] = None
    """With --split fresh: a folder of raw results for `gata report`; what each trained agent did
    goes to its fresh/NAME.json."""
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
        from gata.agents.playing import check_step_limit, play_in_parts, summarise

        if not self.agents:
            raise UsageError("name an agent, a run's folder or a file (or random, walkthrough)")
        check_step_limit(self.step_limit)
        self._check_fresh()
        # All that can be wrong is found before the first game is played, which takes long.
        players = self._players()
        if self.results is not None and all(each.stored is None for each in players):
            raise UsageError("--results is for trained agents, and none is named")
        games = {which: which.load() for which in {each.games for each in players}}
        recording = self._recording(players, games)
        rows: list[dict[str, Any]] = []
        for player in players:
            which = player.games
            about = {"agent": player.name, "level": which.level, "split": which.part}
            own = games[which]
            with console.Bar(f"{player.name} on level {which.level}", self.step_limit) as bar:
                episodes = play_in_parts(
                    player.agent, own, step_limit=self.step_limit, show=bar.show
                )
            if recording is not None and player.stored is not None:
                console.note(f"{recording.write(player.name, episodes)}: written")
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

    def _recording(
        self, players: "Sequence[_Player]", games: "Mapping[_Games, GameList]"
    ) -> "Recording | None":
        """Of the trained agents, if it is wanted."""
        from gata.evaluation.fresh_recording import Recording

        if self.results is None:
            return None
        is_usual = self.results.resolve() == RESULTS.resolve()
        recording = Recording(self.results, self.step_limit, only_the_papers=is_usual)
        for name, _, which, stored in players:
            if stored is not None:
                recording.expect(name, stored, which.level, games[which])
        return recording

    def _check_fresh(self) -> None:
        """See that the options for fresh games are given with them."""
        if self.split == FRESH:
            if self.fresh_games is not None and not 1 <= self.fresh_games <= MOST_FRESH:
                raise UsageError(f"--fresh-games is {self.fresh_games}, expected 1 to {MOST_FRESH}")
            return
        for option in ("fresh_games", "results"):
            if getattr(self, option) is not None:
                raise UsageError(
                    f"--{option.replace('_', '-')} is for fresh games, but --split is {self.split}"
                )

    def _players(self) -> list["_Player"]:
        """The agents, each with the games it shall play."""
        from gata.agents.baselines import BASELINES

        loaded = [self._load(name) for name in self.agents]
        origins = {each.origin for each in loaded if each.origin is not None}
        theirs = sorted({origin.level for origin in origins})
        players = []
        for name, (agent, origin, stored) in zip(self.agents, loaded, strict=True):
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
            games = _Games(level, self.split, self._size(level, origin))
            players.append(_Player(name, agent, games, stored))
        return players

    def _size(self, level: int, origin: "_Origin | None") -> int | None:
        """How many games of a level to play; None for as many as there are.

        Of training games those that were learnt from, where they are the paper's.
        """
        if self.split == FRESH:
            return self.fresh_games
        if self.split != "train" or origin is None or origin.level != level:
            return None
        # Unlimited ones are thousands, and perhaps not even made here.
        return int(origin.games) if origin.games.isdecimal() else None

    def _load(self, name: str) -> "_Loaded":
        from gata.agents.baselines import BASELINES, check_not_misspelt
        from gata.agents.greedy import GreedyAgent
        from gata.agents.stored import load_agent
        from gata.training.device import get_ready

        if name in BASELINES:
            return _Loaded(BASELINES[name]())
        check_not_misspelt(name)
        device = choose_device(self.device)
        get_ready(device)  # as in training, whose scores are to come again
        stored = load_agent(name, device)
        _tell_if_under_way(name)
        agent, settings = GreedyAgent(stored.brain), stored.card.get("settings", {})
        if "level" not in settings:
            return _Loaded(agent, stored=stored)
        origin = _Origin(settings["level"], settings.get("games", ""))
        if origin.games == "unlimited" and self.split in _OF_UNLIMITED:
            console.note(f"{name}: it learnt from unlimited games, {_OF_UNLIMITED[self.split]}")
        return _Loaded(agent, origin, stored)


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


class _Loaded(NamedTuple):
    """An agent, and what is known of it if it was trained."""

    agent: "Agent"
    origin: _Origin | None = None
    stored: "Stored | None" = None


class _Games(NamedTuple):
    """Some of a level's games."""

    level: int
    split: str
    size: int | None
    """None for all."""

    @property
    def part(self) -> str:
        """As in the name of a set of games."""
        return self.split if self.size is None else f"{self.split}/{self.size}"

    def load(self) -> "GameList":
        """The games; fresh ones may have to be made."""
        from gata.games.catalogue import check_level
        from gata.games.store import load_level, load_set

        if self.split == FRESH:
            check_level(self.level)
            return load_set(f"level{self.level}/{self.part}")
        return load_level(self.level, self.split, self.size)


class _Player(NamedTuple):
    name: str
    """As it was typed."""
    agent: "Agent"
    games: _Games
    stored: "Stored | None"
    """Of a trained agent."""


def _why(levels: Sequence[int]) -> str:
    """Why the levels of the trained agents do not tell that of others."""
    if len(levels) < 2:
        return ""
    return f": the others were trained on levels {' and '.join(map(str, levels))}"
