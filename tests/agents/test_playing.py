"""Playing sets of games with the floor and the ceiling."""

from gata import console
from gata.agents import RandomAgent, WalkthroughAgent
from gata.agents.playing import play, summarise
from gata.games.store import load_level


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
