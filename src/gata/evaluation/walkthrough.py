"""Playing TextWorld's own walkthroughs: the proof that a game can be won, and what is met on it."""

from dataclasses import dataclass

from gata.engine.text_env import TextEnv
from gata.games.game import Game


@dataclass(frozen=True)
class Walkthrough:
    """What happened when a game's walkthrough was played."""

    game: str
    score: int
    max_score: int
    won: bool
    candidates: tuple[tuple[str, ...], ...]
    """The admissible commands in each state on the way, from the first to the last but one."""

    @property
    def wins(self) -> bool:
        """Whether the game was won with every point."""
        return self.won and self.score == self.max_score


def play_walkthrough(game: Game) -> Walkthrough:
    """Play the walkthrough from start to end."""
    env = TextEnv(game)
    _, infos = env.reset()
    candidates = []
    for command in game.walkthrough:
        candidates.append(tuple(infos["admissible_commands"]))
        *_, infos = env.step(command)
    return Walkthrough(
        game=game.name,
        score=infos["score"],
        max_score=game.max_score,
        won=infos["won"],
        candidates=tuple(candidates),
    )
