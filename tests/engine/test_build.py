from pathlib import Path

import numpy as np
import pytest

from gata.engine import VectorEnv, build
from gata.engine.building import load_pack, save_pack
from gata.engine.compiler import compile_game
from gata.errors import GataError
from gata.games import Game, load_level
from gata.graph.vocabulary import PAPER
from gata.language.vocabulary import default
from tests.engine.games import some_games, some_pack


def test_an_engine_from_the_cache_is_the_same(own_cache: Path) -> None:
    games = load_level(1, "valid")[:3]
    fresh = build(games)
    assert len(list((own_cache / "engines").iterdir())) == 1
    cached = build(games)
    for one, two in zip(fresh.tables, cached.tables, strict=True):
        np.testing.assert_array_equal(one, two)
    assert (fresh.texts, fresh.commands, fresh.widths) == (
        cached.texts,
        cached.commands,
        cached.widths,
    )
    # The same games as a plain list are the same engine.
    assert build(list(games)).commands == fresh.commands
    assert len(list((own_cache / "engines").iterdir())) == 1


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_damaged_cache_file_is_not_trusted(tmp_path: Path, place: float) -> None:
    path = tmp_path / "engine.npz"
    save_pack(some_pack(), path)
    assert load_pack(path, default(), PAPER) is not None
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 1
    path.write_bytes(data)
    assert load_pack(path, default(), PAPER) is None
    path.write_bytes(data[: len(data) // 2])
    assert load_pack(path, default(), PAPER) is None


def test_a_set_can_be_called_by_name() -> None:
    env = VectorEnv("level1/train/1", 2)
    outputs = env.reset()
    assert outputs.max_score.tolist() == [4, 4]


def broken(**changes: object) -> Game:
    game = some_games()[0]
    return Game("broken.json", {**game.data, **changes})


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (broken(infos=[]), "no room"),
        (broken(world=[]), "nothing says where the player"),
        (broken(KB={"logic": "type t {"}), "rule text"),
        (broken(KB={"logic": ""}), "broken.json"),
        (broken(KB={}), "broken.json"),
        (broken(quests=[{"reward": "much"}]), "broken.json"),
        (broken(world=[{"name": "at", "arguments": [{"name": "P", "type": "P"}]}]), "broken.json"),
    ],
)
def test_a_corrupt_game_gives_an_error_that_names_it(game: Game, complaint: str) -> None:
    with pytest.raises(GataError, match=complaint):
        compile_game(game)


def test_every_entity_a_description_names_must_exist() -> None:
    game = some_games()[0]
    infos = [
        [id_, {**info, "desc": "[if c_99 is open]x[end if]"} if info["type"] == "r" else info]
        for id_, info in game.data["infos"]
    ]
    with pytest.raises(GataError, match="no entity 'c_99'"):
        compile_game(broken(infos=infos))
