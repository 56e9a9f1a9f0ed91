"""Many rows in arrays say what TextWorld, and what one game alone, say of the same commands."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pytest

from gata.engine import Outputs, TextEnv, VectorEnv
from gata.engine.commands import passes_filter
from gata.games import Game
from gata.graph.extract import full_graph
from gata.graph.vocabulary import PAPER
from tests.engine.games import some_games, some_pack

GAMES = some_games()
TEXTS = ("observation", "description", "inventory")
LISTS = {
    **{name: f"{name}_length" for name in TEXTS},
    "full_edges": "full_count",
    "seen_edges": "seen_count",
}


@dataclass
class Episode:
    """What one row must show, told by another player of the same game."""

    infos: dict[str, Any]
    plan: list[str]
    """The rest of the walkthrough."""
    steps: int = 0
    reward: int = 0
    is_over: bool = False
    ends: list[str] = field(default_factory=list)
    """How this row's episodes ended."""

    def went_on(self, infos: dict[str, Any], step_limit: int) -> None:
        """One more step was played."""
        self.steps += 1
        self.reward = infos["score"] - self.infos["score"]
        self.infos = infos
        self.is_over = infos["won"] or infos["lost"] or self.steps == step_limit

    @property
    def is_cut(self) -> bool:
        """Over because of the step limit alone."""
        return self.is_over and not (self.infos["won"] or self.infos["lost"])

    def choose(self, candidates: list[str], random: Random) -> str:
        """Mostly the walkthrough's next command."""
        if self.plan and self.plan[0] in candidates and random.random() < 0.9:
            return self.plan.pop(0)
        return random.choice(candidates)


def shown(env: VectorEnv, row: int) -> dict[str, Any]:
    """What the fast path says of a row."""
    outputs = env.outputs
    return {
        "feedback": env.feedback(row),
        "description": env.description(row),
        "inventory": env.inventory(row),
        "candidates": env.candidates(row),
        **{
            name: int(getattr(outputs, name)[row])
            for name in ("reward", "score", "max_score", "won", "lost", "done", "truncated")
        },
        "steps": int(outputs.steps[row]),
    }


def expected(episode: Episode, *, filtered: bool) -> dict[str, Any]:
    """The same by the other player's account."""
    infos = episode.infos
    commands = infos["admissible_commands"]
    return {
        **{name: infos[name] for name in ("feedback", "description", "inventory")},
        "candidates": [c for c in commands if passes_filter(c)] if filtered else commands,
        "reward": episode.reward,
        "score": infos["score"],
        "max_score": infos["max_score"],
        "won": int(infos["won"]),
        "lost": int(infos["lost"]),
        "done": int(episode.is_over),
        "truncated": int(episode.is_cut),
        "steps": episode.steps,
    }


def used(outputs: Outputs, row: int, name: str, length: str) -> list[int]:
    numbers: list[int] = getattr(outputs, name)[row, : getattr(outputs, length)[row]].tolist()
    return numbers


def note_end(episode: Episode) -> None:
    ends = {"won": episode.infos["won"], "lost": episode.infos["lost"], "cut": episode.is_cut}
    episode.ends += [end for end, is_so in ends.items() if is_so]


@pytest.mark.textworld
def test_rows_say_what_textworld_says() -> None:
    """Rewards, scores, endings, step limit, automatic reset, candidates, strings, full graph."""
    textworld = pytest.importorskip("textworld")
    from gata.engine.verify.reference import compiled
    from gata.facts import Fact

    games, step_limit, random = GAMES[::2], 25, Random(4)
    names = ("description", "inventory", "admissible_commands", "facts", "score", "max_score")
    wanted = textworld.EnvInfos(**dict.fromkeys((*names, "won", "lost", "feedback"), True))
    players = [textworld.start(str(compiled(game)), wanted) for game in games]
    # By turns with a row per game: each row plays its own game again and again.
    env = VectorEnv(games, len(games), order="by-turns", step_limit=step_limit)
    env.reset()

    def begin(row: int, ends: list[str]) -> Episode:
        return Episode(players[row].reset(), list(games[row].walkthrough), ends=ends)

    episodes = [begin(row, []) for row in range(len(games))]
    for _ in range(80):
        for row, episode in enumerate(episodes):
            assert shown(env, row) == expected(episode, filtered=True), games[row].name
            assert int(env.outputs.game[row]) == row
            edges = env.outputs.full_edges[row, : env.outputs.full_count[row]].tolist()
            facts = map(Fact.from_textworld, episode.infos["_facts"])
            assert edges == PAPER.edge_ids(full_graph(facts, games[row].names))
        commands = [e.choose(env.candidates(row), random) for row, e in enumerate(episodes)]
        env.step(np.array([env.commands.index(command) for command in commands]))
        for row, (episode, command) in enumerate(zip(episodes, commands, strict=True)):
            if episode.is_over:
                note_end(episode)
                episodes[row] = begin(row, episode.ends)
            else:
                state, _, _ = players[row].step(command)
                episode.went_on(state, step_limit)
    for player in players:
        player.close()
    assert {end for episode in episodes for end in episode.ends} == {"won", "lost", "cut"}


@pytest.mark.parametrize("filtered", [True, False])
def test_many_rows_in_threads_say_what_each_says_alone(filtered: bool) -> None:
    """Rows are spread over several games, threads and episodes; a sample is followed closely."""
    batch, step_limit, random = 512, 15, Random(1)
    env = VectorEnv(
        some_pack(), batch, seed=3, step_limit=step_limit, threads=2, candidate_filter=filtered
    )
    env.reset()
    alone = {number: TextEnv(game) for number, game in enumerate(GAMES)}
    for player in alone.values():
        player.reset()

    def begin(row: int, ends: list[str]) -> tuple[TextEnv, Episode]:
        number = int(env.outputs.game[row])
        player = alone[number].clone()
        return player, Episode(player.reset()[1], list(GAMES[number].walkthrough), ends=ends)

    followed = {row: begin(row, []) for row in range(0, batch, 37)}
    played: set[int] = set()
    for _ in range(45):
        for row, (player, episode) in followed.items():
            played.add(int(env.outputs.game[row]))
            assert shown(env, row) == expected(episode, filtered=filtered)
            theirs = player.batch.outputs
            for name, length in LISTS.items():
                ours = getattr(env.outputs, name)[row, : getattr(env.outputs, length)[row]]
                assert (
                    ours.tolist() == getattr(theirs, name)[0, : getattr(theirs, length)[0]].tolist()
                )
        picks = np.array([random.randrange(n) for n in env.outputs.candidate_count.tolist()])
        commands = {}
        for row, (_, episode) in followed.items():
            candidates = env.candidates(row)
            commands[row] = episode.choose(candidates, random)
            picks[row] = candidates.index(commands[row])
        env.step_candidates(picks)
        for row, (player, episode) in list(followed.items()):
            if episode.is_over:
                note_end(episode)
                followed[row] = begin(row, episode.ends)
            else:
                episode.went_on(player.step(commands[row])[3], step_limit)
    ends = {end for _, episode in followed.values() for end in episode.ends}
    assert ends == {"won", "lost", "cut"}
    assert len(played) > len(GAMES) // 2


def test_each_game_of_a_pack_is_the_game_it_was() -> None:
    """Where a game stands in the pack changes nothing: every game's walkthrough wins in its row."""
    env = VectorEnv(some_pack(), len(GAMES), step_limit=0, candidate_filter=False)
    env.reset(games=range(len(GAMES)))
    won: dict[int, Game] = {}
    for step in range(max(len(game.walkthrough) for game in GAMES)):
        commands = []
        for row, game in enumerate(GAMES):
            left = game.walkthrough[step:] if row not in won else ()
            known = left and left[0] in env.candidates(row)
            # Walkthroughs open what is open; looking changes nothing.
            commands.append(left[0] if known else "look")
        env.step(np.array([env.commands.index(command) for command in commands]))
        for row, game in enumerate(GAMES):
            if row not in won and env.outputs.won[row]:
                won[row] = game
                assert env.outputs.score[row] == env.outputs.max_score[row] == game.max_score
    assert len(won) == len(GAMES)
