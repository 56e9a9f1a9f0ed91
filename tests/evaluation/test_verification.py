"""Walkthroughs win; what is wrong with a game is found and named."""

import json
from pathlib import Path

import pytest

from gata.evaluation.game_statistics import game_statistics
from gata.evaluation.verification import verify_games
from gata.evaluation.walkthrough import play_walkthrough
from gata.games.archive import write_archive
from gata.games.catalogue import paper_collections
from gata.games.game import Game, canonical_json
from gata.games.store import load_game, load_set
from gata.graph.extract import full_graph
from gata.graph.statistics import nodes
from gata.paper.game_statistics import PAPER

MAX_SCORES = {"level1": 4, "level2": 5, "level3": 3, "level4": 11}


@pytest.mark.parametrize("collection", list(paper_collections()))
def test_walkthroughs_win_with_every_point(collection: str) -> None:
    """A sample of each setting; ``gata games verify`` plays all 1,400."""
    for game in load_set(collection)[::28]:
        played = play_walkthrough(game)
        assert played.wins, game.name
        assert played.score == MAX_SCORES.get(collection, game.max_score)
        assert len(played.candidates) == len(game.walkthrough)


def changed(game: Game, **metadata: object) -> Game:
    data = json.loads(canonical_json(game.data))
    data["metadata"].update(metadata)
    return Game(game.name, data)


def test_problems_are_found_and_named(tmp_path: Path) -> None:
    sound, short, losing = load_set("level2/test")[:3]
    short = changed(short, walkthrough=short.walkthrough[:-1])
    raw = losing.recipe[0].food
    stove = f"cook {raw} with stove"
    losing = changed(
        losing, walkthrough=[*losing.walkthrough[:3], stove, stove, *losing.walkthrough[4:]]
    )
    path = tmp_path / "mixed.games"
    write_archive(path, [sound, short, losing])
    problems = list(verify_games(load_set(str(path)).refs, jobs=1))
    assert problems[0] is None
    assert problems[1] is not None
    assert problems[1].startswith(f"{short.name}: the walkthrough ends with 4 of 5 points")
    assert problems[2] is not None
    assert problems[2].startswith(f"{losing.name}: the walkthrough ends with")


def test_a_game_under_anothers_name_is_a_problem(tmp_path: Path) -> None:
    game = load_game("level4/test/56274")
    path = tmp_path / "swapped.games"
    names = ("level1/test/56274", "level4/test/59970")
    write_archive(path, [Game(name, game.data) for name in names])
    setting, seed = verify_games(load_set(str(path)).refs, jobs=1)
    assert setting is not None
    assert "made with recipe3+take3" in setting
    assert seed is not None
    assert "not made from seed 59970" in seed


def test_an_altered_archive_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "altered.games"
    write_archive(path, load_set("level1/test")[:2])
    content = bytearray(path.read_bytes())
    content[-20] ^= 1
    path.write_bytes(content)
    problems = list(verify_games(load_set(str(path)).refs, jobs=1))
    assert all(problem and "altered.games" in problem for problem in problems)


def test_statistics_of_one_game() -> None:
    game = load_game("level4/test/56274")
    statistics = game_statistics([game])
    assert (statistics.recipe_size, statistics.locations, statistics.max_score) == (3, 6, 11)
    assert statistics.need_cut
    assert statistics.need_cook
    names = {entity.name for entity in game.entities.values() if entity.name} - {"meal"}
    states = {"closed", "raw", "uncut", "sliced", "chopped", "fried", "roasted"}
    assert statistics.objects == len(names | states | {"player"})
    counts = [
        sum(not c.startswith(("examine", "look", "inventory")) for c in state)
        for state in play_walkthrough(game).candidates
    ]
    assert statistics.candidates == pytest.approx(sum(counts) / len(counts))


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_our_levels_are_the_papers(level: int) -> None:
    """Max scores to the point, objects within a tenth, over all 140 games."""
    games = load_set(f"level{level}")
    graphs = [full_graph(game.facts, game.names) for game in games]
    mean = sum(len(nodes(graph)) for graph in graphs) / len(graphs)
    assert mean == pytest.approx(PAPER[level].objects, rel=0.1)
    assert {game.max_score for game in games} == {PAPER[level].max_score}
