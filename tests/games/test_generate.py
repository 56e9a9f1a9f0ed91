"""Games made without Inform 7 are the games TextWorld makes, on any hash seed."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from gata.games.catalogue import SPLITS, Entry, GameKey, ftwp_collections, paper_collections
from gata.games.game import canonical_json
from gata.games.identity import Fingerprint
from gata.games.pins import Pin, ftwp_pins
from gata.games.settings import LEVELS, Setting
from gata.games.store import open_collection

pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
pytestmark = pytest.mark.textworld

from gata.games.generate import GenerationError, make_game  # noqa: E402


def upstream(key: GameKey) -> dict[str, Any]:
    """The game as TextWorld itself makes it: with Inform 7, played on the z-machine."""
    from textworld.challenges.tw_cooking import cooking
    from textworld.generator.game import GameOptions

    options = GameOptions()
    options.seeds = key.seed
    skills = {name: getattr(key.setting, name) for name in Setting.__dataclass_fields__}
    game = cooking.make({**skills, "split": key.foods, "recipe_seed": 0}, options)
    data: dict[str, Any] = json.loads(json.dumps(game.serialize()))
    return data


def without_accidents(data: dict[str, Any]) -> dict[str, Any]:
    """What is left of a game file when the order of sets and an installation path are ignored."""
    data = json.loads(json.dumps(data))
    data["KB"]["logic"] = sorted(data["KB"]["logic"].split("\n"))
    del data["KB"]["text_grammars_path"]
    data["grammar"]["names_to_exclude"] = set(data["grammar"]["names_to_exclude"])
    for quest in data["quests"]:
        quest["fail_events"] = sorted(json.dumps(e, sort_keys=True) for e in quest["fail_events"])
    return data


@pytest.mark.parametrize(
    ("setting", "foods", "seed"),
    [
        *[(str(setting), "train", 56274) for setting in LEVELS.values()],
        ("recipe5+take5+cook+cut+open+go12", "test", 7),
        ("recipe2+take1+cut+go9", "valid", 13),
        ("recipe3+take2+cook+cut+open+drop+go6", "train", 3),
    ],
)
def test_equal_to_textworlds_own(setting: str, foods: Any, seed: int) -> None:
    key = GameKey(Setting.parse(setting), foods, seed, "folded")
    ours = make_game(key, "ours")
    assert without_accidents(dict(ours.data)) == without_accidents(upstream(key))


def test_textworld_is_left_as_it_was() -> None:
    from textworld.challenges.tw_cooking import cooking
    from textworld.generator.data import KnowledgeBase
    from textworld.generator.maker import GameMaker

    before = GameMaker.set_walkthrough
    make_game(GameKey(LEVELS[1], "train", 1, "clipped"), "any")
    assert GameMaker.set_walkthrough is before
    assert cooking.KnowledgeBase is KnowledgeBase
    assert not hasattr(cooking, "abs")


def test_the_two_distractor_rules_differ_only_below_zero() -> None:
    """Where the draw is negative, clipping gives no extra foods and folding gives some."""
    drawn = {"clipped": [], "folded": []}
    for rule, numbers in drawn.items():
        for seed in range(40):
            game = make_game(GameKey(LEVELS[1], "train", seed, rule), "any")  # type: ignore[arg-type]
            numbers.append(game.data["metadata"]["nb_distractors"])
    different = [(c, f) for c, f in zip(*drawn.values(), strict=True) if c != f]
    assert different
    assert all(clipped == 0 and folded > 0 for clipped, folded in different)


def sample_entries() -> list[Entry]:
    """The last game of each split of each paper collection, and some pre-training games."""
    entries = [c.of_split(split)[-1] for c in paper_collections().values() for split in SPLITS]
    for collection in ftwp_collections().values():
        makeable = [entry for entry in collection.entries if entry.name in ftwp_pins()]
        entries += makeable[:: len(makeable) // 6]
    return entries


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_same_games_on_every_hash_seed(hash_seed: str) -> None:
    """A fresh process with another hash seed makes exactly the published games."""
    entries = sample_entries()
    script = (
        "import sys\n"
        "from gata.games.generate import make_game\n"
        "from gata.games.catalogue import collections\n"
        "from gata.games.identity import fingerprint\n"
        "keys = {e.name: e.key for c in collections().values() for e in c.entries}\n"
        "for name in sys.argv[1:]:\n"
        "    game = make_game(keys[name], name)\n"
        "    print(name, game.content_hash, *(part or '-' for part in fingerprint(game)))\n"
    )
    order = entries if hash_seed == "0" else entries[::-1]
    output = subprocess.run(
        [sys.executable, "-c", script, *(entry.name for entry in order)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    made = {name: parts for name, *parts in map(str.split, output.splitlines())}
    for entry in entries:
        content, world, plan = made[entry.name]
        found = Fingerprint(world, plan.strip("-"))
        if entry.name.startswith("ftwp"):
            assert Pin(content[:32], found) == ftwp_pins()[entry.name]
        else:
            archived = open_collection(entry.name.split("/")[0]).games[entry.name]
            assert (content, found) == (archived.hash, archived.fingerprint)


def test_a_game_textworld_cannot_make_is_named() -> None:
    key = GameKey(Setting.parse("recipe5+take5+cut+go12"), "train", 0, "folded")
    for seed in range(60):
        key = GameKey(key.setting, key.foods, seed, key.distractors)
        try:
            make_game(key, f"mine/{seed}")
        except GenerationError as error:
            message = str(error)
            break
    else:
        pytest.fail("expected TextWorld to give up on one of the seeds")
    assert f"mine/{seed}" in message
    assert "recipe5+take5+cut+go12" in message
    assert f"seed {seed}" in message


def test_the_file_can_be_loaded_by_textworld() -> None:
    from textworld.generator.game import Game as TextWorldGame

    game = make_game(GameKey(LEVELS[4], "train", 5, "clipped"), "any")
    theirs = TextWorldGame.deserialize(json.loads(canonical_json(game.data)))
    assert theirs.metadata["walkthrough"] == list(game.walkthrough)
    assert theirs.max_score == game.max_score
