"""Policies play as they promise, the same way for the same seed."""

from random import Random

import pytest

from gata.engine.verify.ours import EnginePlayer
from gata.engine.verify.policies import FixedPolicy, MixedPolicy, RefusedPolicy, make_policy
from gata.games.store import load_game


@pytest.fixture(scope="module")
def game():
    return load_game("level4/valid/46985")


@pytest.fixture(scope="module")
def player(game):
    return EnginePlayer(game)


def play(player, policy, episodes=3):
    """The commands of some episodes, with the snapshots before each."""
    played = []
    for _ in range(episodes):
        policy.begin()
        now = player.reset()
        while (command := policy.choose(now)) is not None:
            played.append((now, command))
            now = player.step(command)
    return played


@pytest.mark.parametrize("name", ["random", "walkthrough", "mixed", "refused"])
def test_same_seed_same_commands(name, game, player):
    first, second = (
        [command for _, command in play(player, make_policy(name, game, Random(5)))]
        for _ in range(2)
    )
    assert first == second
    assert len(first) > 20


def test_walkthrough_wins(game, player):
    played = play(player, make_policy("walkthrough", game, Random(0)), episodes=1)
    assert any(now.won for now, _ in played)


def test_random_chooses_admissible_commands(game, player):
    over = False
    for now, command in play(player, make_policy("random", game, Random(2))):
        over = now.done or (over and now.moves > 0)
        assert command in now.commands or over


def test_mixed_varies_and_reaches_endings(game, player):
    played = play(player, MixedPolicy(game, Random(3)), episodes=30)
    verbs = {command.split()[0] for _, command in played}
    assert {"go", "open", "take", "cook", "prepare", "examine", "put", "insert"} <= verbs
    assert any(now.lost for now, _ in played)


def test_refused_tries_commands_that_are_not_admissible(game, player):
    played = play(player, RefusedPolicy(game, Random(4)))
    refused = [command for now, command in played if command not in now.commands]
    assert len(refused) > len(played) / 4


def test_fixed_offers_what_an_agent_is_offered(game, player):
    played = play(player, FixedPolicy(seed=1, limit=30), episodes=1)
    assert 0 < len(played) <= 30
    verbs = {c.split()[0] for _, c in played if c != "examine cookbook"}
    assert not verbs & {"look", "examine"}
