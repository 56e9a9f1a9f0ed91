import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gata.cache import HOME_VARIABLE
from gata.engine import VectorEnv, build, jit
from gata.engine.actions import PLACES
from gata.engine.building import load_pack, save_pack
from gata.engine.compiler import compile_game
from gata.engine.jit import sources
from gata.engine.rows import mix
from gata.errors import GataError
from gata.games import Game, load_level
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import default
from tests.engine.games import some_games

HOME = os.environ.get(HOME_VARIABLE)
"""Before tests get cache folders of their own: here the kernel is compiled already."""


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


def test_a_damaged_cache_file_is_not_trusted(tmp_path: Path) -> None:
    """Wherever a bit is wrong: in the heads of the file's parts as well as in the numbers."""
    path = tmp_path / "x.engine"
    save_pack(build(some_games()[:1], use_cache=False), path)
    assert load_pack(path, default(), PAPER) is not None
    data = path.read_bytes()
    places = [*range(300), *range(300, len(data), len(data) // 100), *range(-300, 0)]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        assert load_pack(path, default(), PAPER) is None
    for length in (0, 10, 32, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        assert load_pack(path, default(), PAPER) is None


def test_a_cache_that_cannot_be_written_is_no_obstacle(
    own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_cache.write_text("a file where the folder should be")
    assert len(build(some_games()[:1])) == 1
    assert "not kept" in capsys.readouterr().err


def test_a_kernel_that_cannot_be_kept_is_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    program = "import numpy\nfrom gata.engine.rows import mix\nprint(mix(numpy.uint64(1)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            HOME_VARIABLE: str(tmp_path / "home"),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == int(mix(np.uint64(1)))
    assert "compiled anew each time" in done.stderr


def test_the_first_compilation_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "kernel_folder", lambda: tmp_path)
    for kept in (False, True):
        jit.announce_compilation.cache_clear()
        jit.announce_compilation()
        jit.announce_compilation()
        assert capsys.readouterr().err.count("the engine is compiled") == (not kept)
        (tmp_path / "engine").mkdir(exist_ok=True)
        (tmp_path / "engine" / "turn.act.nbi").touch()


def test_compiled_things_depend_on_every_source_that_shapes_them() -> None:
    named = {"/".join(path.parts[-2:]) for path in sources()}
    others = {"gata/compiled.py", "gata/facts.py", "games/game.py"}
    assert others | {"graph/extract.py", "engine/turn.py"} <= named
    assert all(path.is_file() for path in sources())


def test_a_set_can_be_called_by_name() -> None:
    env = VectorEnv("level1/train/1", 2)
    outputs = env.reset()
    assert outputs.max_score.tolist() == [4, 4]


def broken(**changes: object) -> Game:
    game = some_games()[0]
    return Game("broken.json", {**game.data, **changes})


def with_facts(*facts: tuple[str, ...], without: str = "") -> Game:
    """A game with more facts (predicate and entities), and without some entity's place."""
    game = some_games()[0]
    kept = [
        fact
        for fact in game.data["world"]
        if not (fact["name"] in PLACES and fact["arguments"][0]["name"] == without)
    ]
    types = {entity.id: entity.type for entity in game.entities.values()}
    added = [
        {"name": name, "arguments": [{"name": id_, "type": types[id_]} for id_ in ids]}
        for name, *ids in facts
    ]
    return broken(world=kept + added)


def with_entities(change: Callable[[str, dict[str, Any]], dict[str, Any]]) -> Game:
    infos = some_games()[0].data["infos"]
    return broken(infos=[[id_, {**info, **change(id_, info)}] for id_, info in infos])


def with_rules(old: str, new: str) -> Game:
    logic = some_games()[0].data["KB"]["logic"]
    assert old in logic
    return broken(KB={**some_games()[0].data["KB"], "logic": logic.replace(old, new)})


def first_quest(**changes: object) -> Game:
    first, *rest = some_games()[0].data["quests"]
    return broken(quests=[{**first, **changes}, *rest])


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
        (with_facts(("in", "c_0", "c_0"), without="c_0"), "c_0 is, in the end, inside itself"),
        (
            with_facts(("in", "s_0", "c_0"), ("on", "c_0", "s_0"), without="c_0"),
            "is, in the end, inside itself",
        ),
        (with_facts(("on", "f_0", "f_1"), without="f_0"), "f_0 is in 'f_1', which is no place"),
        (with_facts(("at", "P", "c_0"), without="P"), "'c_0' should be a room"),
        (with_entities(lambda id_, _: {"type": "r"} if id_ == "P" else {}), "P cannot be of type"),
        (with_rules("take {o} from {s}", "take"), "'take' .* cannot be done to these"),
        (with_rules("take {o} from {s}", "take {P} from {s}"), "cannot be done to these"),
        (with_rules("put {o} on {s}", "put {s} on {s}"), "cannot be done to these"),
        (first_quest(reward=10**5), "more than 1000 points"),
        (first_quest(reward=0.5), "rewards must be whole"),
        (first_quest(reward=-1), "rewards must be whole"),
        (first_quest(reward=0, optional=True, repeatable=True), "a quest is repeatable"),
    ],
)
def test_a_corrupt_game_gives_an_error_that_names_it(game: Game, complaint: str) -> None:
    with pytest.raises(GataError, match=complaint):
        compile_game(game)


def test_every_entity_a_description_names_must_exist() -> None:
    game = with_entities(
        lambda _, info: {"desc": "[if c_99 is open]x[end if]"} if info["type"] == "r" else {}
    )
    with pytest.raises(GataError, match="no entity 'c_99'"):
        compile_game(game)


@pytest.mark.parametrize("holder", ["s_0", "r_0", "P"])
def test_rows_are_wide_enough_for_a_text_that_repeats_itself(holder: str) -> None:
    listing = f"[a list of things on the {holder}]. " * 500
    game = with_entities(lambda _, info: {"desc": listing} if info["type"] in "rs" else {})
    env = VectorEnv(build([game], use_cache=False), 2, candidate_filter=False)
    outputs = env.reset()
    chance = np.random.default_rng(1)
    for _ in range(60):
        for name in ("observation", "description"):
            length = getattr(outputs, f"{name}_length")
            assert (length <= getattr(outputs, name).shape[1]).all()
        told = outputs.description[0, : outputs.description_length[0]].tolist()
        assert told == env.vocabulary.encode(tokenize(env.description(0)))
        outputs = env.step_candidates((chance.random(2) * outputs.candidate_count).astype(int))


def test_whatever_is_wrong_with_a_game_the_process_lives() -> None:
    home = {} if HOME is None else {HOME_VARIABLE: HOME}
    environment = {name: value for name, value in os.environ.items() if name != HOME_VARIABLE}
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.corruption", "120"],
        capture_output=True,
        text=True,
        timeout=600,
        env={**environment, **home, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stdout[-300:] + done.stderr[-1000:]
    assert "played" in done.stdout.splitlines()[-1]
    assert "refused" in done.stdout.splitlines()[-1]
