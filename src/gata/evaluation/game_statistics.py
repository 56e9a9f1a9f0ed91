"""What a set of games is like, in the terms of the paper's table of game statistics."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean

from gata.evaluation.walkthrough import play_walkthrough
from gata.games.game import Game
from gata.graph.extract import full_graph
from gata.graph.statistics import nodes
from gata.graph.triples import Triple

_LOOKING = ("look", "examine", "inventory")


@dataclass(frozen=True)
class GameStatistics:
    """Means over the games of a set; None where the paper does not say."""

    recipe_size: float
    locations: float
    max_score: float
    need_cut: bool
    need_cook: bool
    candidates: float
    """Commands that change something: no look, examine or inventory; mean over the states on the
    walkthroughs. Of all simple filters this one comes nearest to the paper's numbers."""
    training_candidates: float | None
    """Commands an agent chooses from in training: no look, no examine but of the cookbook."""
    objects: float
    """Nodes of the full graph at the start: things, rooms, the player, and their states."""


def game_statistics(games: Iterable[Game]) -> GameStatistics:
    """Count what the games hold and what their walkthroughs meet."""
    games = list(games)
    states = [state for game in games for state in play_walkthrough(game).candidates]
    settings = [game.data["metadata"]["settings"] for game in games]
    return GameStatistics(
        recipe_size=fmean(len(game.recipe) for game in games),
        locations=fmean(sum(e.type == "r" for e in game.entities.values()) for game in games),
        max_score=fmean(game.max_score for game in games),
        need_cut=all(setting["cut"] for setting in settings),
        need_cook=all(setting["cook"] for setting in settings),
        candidates=_mean_count(states, lambda command: not command.startswith(_LOOKING)),
        training_candidates=_mean_count(
            states,
            lambda command: (
                command == "examine cookbook" or not command.startswith(("look", "examine"))
            ),
        ),
        objects=fmean(len(nodes(_starting_graph(game))) for game in games),
    )


def _starting_graph(game: Game) -> frozenset[Triple]:
    return full_graph(game.facts, game.names)


def _mean_count(states: list[tuple[str, ...]], keep: Callable[[str], bool]) -> float:
    return fmean(sum(map(keep, state)) for state in states)
