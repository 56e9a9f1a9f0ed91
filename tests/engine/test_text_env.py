import random
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest

from gata.engine import TextEnv
from gata.errors import GataError, UsageError
from gata.games import Game
from gata.graph.extract import SeenGraph, full_graph
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import clean, tokenize
from gata.language.vocabulary import default
from tests.engine.games import some_games

GAMES = some_games()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_walkthrough_wins_with_the_full_score(game: Game) -> None:
    env = TextEnv(game)
    env.reset()
    for command in game.walkthrough:
        _, score, done, infos = env.step(command)
    assert done
    assert infos["won"]
    assert score == infos["max_score"] == game.max_score


def test_a_burned_ingredient_loses_and_leaves_the_infos_behind() -> None:
    game = next(g for g in GAMES if g.name.startswith("level2"))
    env = TextEnv(game)
    env.reset()
    for command in game.walkthrough:
        before = env.step(command)[3]
        if command.startswith("cook"):
            break
    reply, score, done, infos = env.step(command)
    assert done
    assert infos["lost"]
    assert "*** You lost! ***" in reply
    # As in TextWorld, these tell how things were before.
    assert infos["inventory"] == before["inventory"]
    assert score == before["score"]
    reply, _, done, infos = env.step("look")
    assert reply.startswith("\nPlease give one of the answers above.")
    assert not done


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_tokens_and_graphs_agree_with_strings_and_facts(game: Game) -> None:
    """Tokens are those of the strings; the graphs kept step by step are those of the facts."""
    rng = random.Random(game.name)
    names = game.names
    vocabulary = default()
    env = TextEnv(game)
    for walkthrough in (game.walkthrough, ()):
        reply, infos = env.reset()
        seen = SeenGraph.start(env.facts)
        plan = list(walkthrough)
        for _ in range(80):
            outputs = env.batch.outputs
            texts = {
                "observation": reply,
                "description": infos["description"],
                "inventory": infos["inventory"],
            }
            for name, text in texts.items():
                length = getattr(outputs, f"{name}_length")[0]
                tokens = getattr(outputs, name)[0]
                assert tokens[:length].tolist() == vocabulary.encode(tokenize(clean(text)))
                assert not tokens[length:].any()
            full = outputs.full_edges[0, : outputs.full_count[0]].tolist()
            assert full == PAPER.edge_ids(full_graph(env.facts, names))
            known = outputs.seen_edges[0, : outputs.seen_count[0]].tolist()
            assert known == PAPER.edge_ids(seen.triples(names))
            if infos["won"] or infos["lost"]:
                break
            choices = infos["admissible_commands"]
            follow = bool(plan) and plan[0] in choices and rng.random() < 0.8
            command = plan.pop(0) if follow else rng.choice(choices)
            reply, _, _, infos = env.step(command)
            seen = seen.after(env.performed, env.facts, names)


def test_a_clone_goes_its_own_way() -> None:
    game = GAMES[0]
    env = TextEnv(game)
    env.reset()
    env.step(game.walkthrough[0])
    twin = env.clone()
    for command in game.walkthrough[1:]:
        last = env.step(command)
    assert last[3]["won"]
    assert not twin.step("look")[3]["won"]
    for command in game.walkthrough[1:]:
        last = twin.step(command)
    assert last[3]["won"]


def test_inadmissible_commands_get_textworlds_answers() -> None:
    game = GAMES[0]
    env = TextEnv(game)
    start, infos = env.reset()
    turn = start.rsplit("/", 1)[1]

    def said(command: str) -> tuple[str, str]:
        reply = env.step(command)[0]
        text, _, status = reply.rpartition(">")
        return text, status.rsplit("/", 1)[1]

    # The parser's errors take no turn, refusals do.
    assert said("xyzzy") == ("\nThat's not a verb I recognise.\n\n", turn)
    assert said("take unicorn") == ("\nYou can't see any such thing.\n\n", turn)
    assert said("go up") == ("\nYou can't go that way.\n\n\n", str(int(turn) + 1))
    assert said("LOOK ")[0].startswith("\n-= ")
    assert env.step("nonsense")[3]["admissible_commands"] == infos["admissible_commands"]


@pytest.mark.parametrize("use", [lambda env: env.step("look"), TextEnv.save, TextEnv.clone])
def test_nothing_can_be_done_before_the_first_reset(use: Callable[[TextEnv], Any]) -> None:
    env = TextEnv(GAMES[0])
    with pytest.raises(UsageError, match="call reset first"):
        use(env)
    env.reset()
    use(env)


def test_a_game_may_be_named() -> None:
    assert TextEnv(GAMES[0].name).reset()[0] == TextEnv(GAMES[0]).reset()[0]
    for bad in (None, 3, [GAMES[0]]):
        with pytest.raises(UsageError, match="expected a game or the name of one"):
            TextEnv(bad)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown game"):
        TextEnv("level1/test/1")


def test_only_what_was_saved_is_restored() -> None:
    env = TextEnv(GAMES[0])
    for bad in (None, env.reset()):
        with pytest.raises(UsageError, match="expected what save returned"):
            env.restore(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("command", [None, 3, ["look"]])
def test_a_command_is_a_text(command: Any) -> None:
    env = TextEnv(GAMES[0])
    env.reset()
    with pytest.raises(UsageError, match="expected a text"):
        env.step(command)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["go up"], ["look"]),
        (["xyzzy"], ["look"]),
        (["open fridge"], ["close fridge", "nonsense"]),
        ([*GAMES[0].walkthrough, "look"], ["look"]),
        (list(GAMES[0].walkthrough), ["look"]),
    ],
    ids=["refused", "not understood", "admissible", "after the end", "at the end"],
)
def test_a_saved_game_comes_back_as_it_was(before: list[str], after: list[str]) -> None:
    env = TextEnv(GAMES[0])
    env.reset()
    for command in before:
        infos = env.step(command)[3]
    saved = env.save()
    told = [env.step(command) for command in after]
    assert env.restore(saved) == (infos["feedback"], infos)
    assert [env.step(command) for command in after] == told
    # Into another player of the same game, which has not begun.
    assert TextEnv(GAMES[0]).restore(saved)[1] == infos


@pytest.mark.parametrize("missing", ["RECIPE", "I", "ingredient_0"])
def test_a_game_that_says_nothing_about_a_thing_is_refused(missing: str) -> None:
    data = GAMES[0].data
    infos = [[id_, info] for id_, info in data["infos"] if id_ != missing]
    with pytest.raises(GataError, match=rf"bad\.json: field 'infos' has no entry for '{missing}'"):
        TextEnv(Game("bad.json", {**data, "infos": infos}))


@pytest.mark.parametrize(
    ("line", "text", "takes_turn"),
    [
        ("", "I beg your pardon?\n\n", False),
        ("go", "You'll have to say which compass direction to go in.\n\n\n", True),
        ("northeast", "You can't go that way.\n\n\n", True),
        ("exit", "But you aren't in anything at the moment.\n\n\n", True),
        ("get everything", "You have to be more specific!\n\n\n", True),
        ("get fridge", "That's fixed in place.\n\n\n", True),
        ("take fridge", "That's fixed in place.\n\n\n\n", True),
        ("pick up", "What do you want to pick up?\n\n", False),
        ("pick fridge", "I didn't understand that sentence.\n\n", False),
        ("undo", 'Your interpreter does not provide "undo". Sorry!\n\n', False),
        ("x me", "As good-looking as ever.\n\n\n\n", True),
    ],
)
def test_what_people_type_is_answered_in_textworlds_words(
    line: str, text: str, takes_turn: bool
) -> None:
    env = TextEnv(GAMES[0])
    start, before = env.reset()
    reply, _, _, infos = env.step(line)
    assert reply.rpartition(">")[0] == f"\n{text}"
    turns = [int(told.rsplit("/", 1)[1]) for told in (start, reply)]
    assert turns[1] - turns[0] == takes_turn
    assert infos["admissible_commands"] == before["admissible_commands"]
    assert infos["moves"] == before["moves"]


def test_getting_from_a_holder_is_followed_by_everything() -> None:
    """TextWorld's words, with one newline fewer than after ``take``; then the same as ``take``."""
    env = TextEnv(GAMES[0])
    env.reset()
    command = next(c for c in env.reset()[1]["admissible_commands"] if c.startswith("take "))
    taken = env.step(command)
    performed = env.performed
    env.reset()
    got = env.step(f"get {command.split(' from ')[0].removeprefix('take ')}")
    assert got[0] == taken[0].replace("\n" * 4, "\n" * 3, 1) != taken[0]
    for name in ("facts", "admissible_commands", "moves", "last_action", "inventory"):
        assert got[3][name] == taken[3][name]
    assert env.performed == performed is not None


def test_infos_on_request_only() -> None:
    env = TextEnv(GAMES[0], request_infos=["facts", "score", "extra.recipe"])
    _, infos = env.reset()
    everything = TextEnv(GAMES[0]).reset()[1]
    assert infos == {name: everything[name] for name in ("facts", "score", "extra.recipe")}
    with pytest.raises(UsageError, match="no info is called 'location', expected one of feedback"):
        TextEnv(GAMES[0], request_infos=["location"])


def test_the_step_limit_counts_every_command_and_is_part_of_the_state() -> None:
    env = TextEnv(GAMES[0], step_limit=3)
    env.reset()
    assert [env.step(line)[2] for line in ("look", "xyzzy")] == [False, False]
    saved = env.save()
    assert env.step("look")[2]
    env.restore(saved)
    assert env.step("look")[2]
    env.reset()
    assert not env.step("look")[2]


def test_rendering_shows_command_and_reply(capsys: pytest.CaptureFixture[str]) -> None:
    env = TextEnv(GAMES[0])
    start, _ = env.reset()
    assert env.render("text") == start.rstrip() + "\n\n"
    reply = env.step("look")[0]
    expected = f"> look\n{reply.rstrip()}\n\n"
    ansi = env.render("ansi")
    assert isinstance(ansi, StringIO)
    assert ansi.read() == expected
    assert env.render() is None
    assert capsys.readouterr().out == expected
    with pytest.raises(UsageError, match="mode is 'html'"):
        env.render("html")
