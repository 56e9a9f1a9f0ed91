"""Playing sets of games: floor, ceiling, and brains that look at games under way only."""

from pathlib import Path

import numpy as np
import pytest

from gata import console
from gata.agents import RandomAgent, WalkthroughAgent, playing
from gata.agents.greedy import GreedyAgent
from gata.agents.making import Brain
from gata.agents.playing import play, play_in_parts, summarise
from gata.agents.stored import load_agent
from gata.agents.thinking import Thinking
from gata.games.store import load_level
from tests.agents.brains import small_brain

SEEDS = {"tr-dqn": 8, "tr-drqn": 29, "gtf": 8}
"""Of untrained brains that end games, some sooner than others; most run in circles."""
SHIPPED = "agent/gata-coc-text-level1-100games-seed3"


class Recorded(GreedyAgent):
    """Keeps the commands that it gave in each game."""

    def begin(self, games, commands) -> None:
        super().begin(games, commands)
        self._table = commands
        self.given: list[list[str]] = [[] for _ in games]

    def act(self, outputs, live=None):
        ids = super().act(outputs, live)
        for row in np.flatnonzero(live):
            self.given[row].append(self._table[ids[row]])
        return ids


def test_the_walkthrough_agent_wins_everything() -> None:
    games = list(load_level(4, "test")[:6])
    episodes = play(WalkthroughAgent(), games)
    assert [episode.game for episode in episodes] == [game.name for game in games]
    assert all(episode.won and episode.score == episode.max_score == 11 for episode in episodes)
    for episode, game in zip(episodes, games, strict=True):
        assert episode.steps <= len(game.walkthrough)
    summary = summarise(episodes)
    assert (summary.games, summary.score, summary.success) == (6, 100, 100)


def test_the_random_agent_is_worse_and_repeatable() -> None:
    games = list(load_level(1, "test")[:8])
    first = play(RandomAgent(3), games)
    assert play(RandomAgent(3), games) == first
    assert play(RandomAgent(4), games) != first
    assert all(1 <= episode.steps <= 50 for episode in first)
    assert summarise(first).score < 70


def test_the_step_limit_ends_a_game() -> None:
    episodes = play(WalkthroughAgent(), list(load_level(4, "test")[:2]), step_limit=5)
    assert [episode.steps for episode in episodes] == [5, 5]
    assert not any(episode.won for episode in episodes)


def test_a_bar_follows_the_steps() -> None:
    games = list(load_level(1, "test")[:3])
    with console.Bar("walkthrough", 50) as bar:
        play(WalkthroughAgent(), games, show=bar.show)
        assert (bar.state.counts, bar.state.remark) == ("50/50", "3 of 3 games are over")


def test_many_games_are_played_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if they were played together; of all that there is to do the bar sees every step."""
    games = load_level(1, "test")
    agent = Recorded(small_brain("gtf", tmp_path, SEEDS["gtf"]))
    together = play(agent, games, step_limit=12)
    monkeypatch.setattr(playing, "TOGETHER", 8)
    shown: list[tuple[int, str]] = []
    with_bar = play_in_parts(agent, games, step_limit=12, show=lambda *told: shown.append(told))
    assert with_bar == together
    assert len(agent.given) == len(games) % 8
    done = [steps for steps, _ in shown]
    assert done == sorted(done)
    assert shown[-1] == (12, "part 3 of 3: 4 of 4 games are over")
    assert {words.partition(":")[0] for _, words in shown} == {f"part {n} of 3" for n in (1, 2, 3)}
    assert play_in_parts(agent, games[:3], step_limit=12) == together[:3]


def a_brain(name: str, folder: Path) -> Brain:
    return (
        load_agent(name, "cpu").brain if name == SHIPPED else small_brain(name, folder, SEEDS[name])
    )


@pytest.mark.parametrize("name", [*SEEDS, SHIPPED])
def test_games_are_played_like_alone_and_none_once_it_is_over(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text, memory, given and continuous graph; also the way of a GPU, whose shapes repeat."""
    games = list(load_level(1, "test")[:8] if name == SHIPPED else load_level(1, "test"))
    brain, rated = a_brain(name, tmp_path), []
    rate = Thinking.rate

    def counted(self, beliefs, *rest):
        rated.append(len(beliefs))
        return rate(self, beliefs, *rest)

    monkeypatch.setattr(Thinking, "rate", counted)
    agent, wide, alone = Recorded(brain), Recorded(brain, narrow=False), Recorded(brain)
    episodes = play(agent, games, step_limit=12)
    steps = [episode.steps for episode in episodes]
    assert len(set(steps)) > 2
    assert (len(rated), sum(rated)) == (max(steps), sum(steps))
    rated.clear()
    assert play(wide, games, step_limit=12) == episodes
    assert rated == [len(games)] * max(steps)
    assert wide.given == agent.given
    for game, episode, given in zip(games, episodes, agent.given, strict=True):
        assert play(alone, [game], step_limit=12) == [episode]
        assert alone.given == [given]
        assert len(given) == episode.steps


def test_a_random_agent_draws_for_games_that_are_over_too() -> None:
    """So its luck in a game does not hang on how others end."""
    first, *others = load_level(1, "test")
    (episode, *before), (again, *after) = (
        play(RandomAgent(3), [first, *company]) for company in (others, others[::-1])
    )
    ends = [sorted(each.steps for each in company) for company in (before, after)]
    assert ends[0] != ends[1]
    assert min(map(min, ends)) < episode.steps
    assert again == episode
