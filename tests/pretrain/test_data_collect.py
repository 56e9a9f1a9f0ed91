"""Collecting a corpus: what is recorded is what the games say, whoever plays them and how."""

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gata.cache import HOME_VARIABLE, cache_dir
from gata.engine import TextEnv
from gata.errors import UsageError
from gata.games import Game, load_level
from gata.graph.commands import difference, to_text
from gata.graph.extract import SeenGraph, full_graph
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import clean, tokenize
from gata.language.vocabulary import default
from gata.pretrain.data import collect as collecting
from gata.pretrain.data.collect import collect, split_sets
from gata.pretrain.data.corpus import EMPTY_GRAPH, Corpus, Ragged, Request
from gata.pretrain.data.merge import merge
from gata.pretrain.data.play import is_candidate, play
from gata.pretrain.data.recorder import Recorder

SEED = 7
BRANCH = 4

KERNELS = cache_dir()
"""Where this process keeps its compiled kernels; it was asked before tests got their own."""


@cache
def some_games() -> tuple[Game, ...]:
    """One room and nine, cutting, cooking and doors; the walkthroughs have 5 to 20 steps or so."""
    return tuple(load_level(level, "valid")[number] for level, number in ((1, 0), (2, 1), (4, 2)))


@cache
def some_corpus() -> Corpus:
    return recorded(some_games())


def recorded(games: tuple[Game, ...], *, seed: int = SEED, branch: int = BRANCH) -> Corpus:
    recorder = Recorder(Request("some", "", seed, branch))
    for played in play(games, seed=seed, branch=branch):
        recorder.add(played)
    return recorder.corpus()


def text_of(rows: Ragged, number: int) -> str:
    return " ".join(default().decode(rows.row(number).tolist()))


def graph_of(corpus: Corpus, number: int) -> set[Triple]:
    return {PAPER.triple_from_id(edge) for edge in corpus.graphs.row(number).tolist()}


class Replay:
    """Plays a game by typing, with the graphs made from facts as they are defined."""

    def __init__(self, game: Game) -> None:
        self.env = TextEnv(game)
        self.names = game.names
        self.restart()

    def restart(self) -> None:
        reply, self.infos = self.env.reset()
        self.text = clean(reply)
        self.known = SeenGraph.start(tuple(self.env.facts))
        self.done = False

    def give(self, command: str) -> None:
        reply, _, self.done, self.infos = self.env.step(command)
        self.text = clean(reply)
        self.known = self.known.after(self.env.performed, tuple(self.env.facts), self.names)

    @property
    def seen(self) -> set[Triple]:
        return set(self.known.triples(self.names))

    @property
    def full(self) -> set[Triple]:
        return set(full_graph(self.env.facts, self.names))

    @property
    def candidates(self) -> set[str]:
        """Command words as the corpus spells them."""
        commands = self.infos["admissible_commands"]
        return {" ".join(tokenize(c)) for c in commands if is_candidate(c)}


def paths_of_games(corpus: Corpus) -> Iterator[tuple[int, list[list[int]]]]:
    for game in range(len(corpus.games)):
        paths = [corpus.paths.row(i).tolist() for i in range(len(corpus.paths))]
        yield game, [path for path in paths if corpus.record_game[path[0]] == game]


@pytest.mark.parametrize("number", range(3))
def test_every_record_is_what_typing_the_commands_gives(number: int) -> None:
    corpus = some_corpus()
    replay = Replay(some_games()[number])
    checked = set()
    for path in dict(paths_of_games(corpus))[number]:
        replay.restart()
        before: set[Triple] = set()
        for record in path:
            command = text_of(corpus.commands, corpus.record_command[record])
            if record != path[0]:
                replay.give(command)
            else:
                assert command == "restart"
            assert text_of(corpus.texts, corpus.record_text[record]) == " ".join(
                tokenize(replay.text)
            )
            assert graph_of(corpus, corpus.record_seen[record]) == replay.seen
            assert graph_of(corpus, corpus.record_full[record]) == replay.full
            update = to_text(difference(before, replay.seen))
            assert text_of(corpus.updates, corpus.record_update[record]) == update
            before = replay.seen
            checked.add(record)
    assert checked == set(np.flatnonzero(corpus.record_game == number).tolist())


@pytest.mark.parametrize("number", range(2))
def test_every_option_is_what_typing_the_command_gives(number: int) -> None:
    corpus = some_corpus()
    replay = Replay(some_games()[number])
    walk = dict(paths_of_games(corpus))[number][-1]
    choices = np.flatnonzero(corpus.choice_game == number).tolist()
    assert len(choices) == len(walk) - 1, "at the end there is nothing to choose"
    for step, choice in enumerate(choices):
        assert corpus.choice_seen[choice] == corpus.record_seen[walk[step]]
        assert corpus.choice_full[choice] == corpus.record_full[walk[step]]
        options = range(*corpus.choice_offsets[choice : choice + 2].tolist())
        words = [text_of(corpus.commands, corpus.option_command[option]) for option in options]
        assert len(set(words)) == len(words)
        for option, command in zip(options, words, strict=True):
            replay.restart()
            for record in walk[1 : step + 1]:
                replay.give(text_of(corpus.commands, corpus.record_command[record]))
            assert replay.candidates == set(words)
            replay.give(command)
            assert graph_of(corpus, corpus.option_seen[option]) == replay.seen
            assert graph_of(corpus, corpus.option_full[option]) == replay.full


def test_paths_are_the_walkthrough_and_its_branches() -> None:
    corpus = some_corpus()
    covered = []
    for number, paths in paths_of_games(corpus):
        walkthrough = list(some_games()[number].walkthrough)
        assert walkthrough[0] == "inventory"
        *_, walk = paths
        commands = [text_of(corpus.commands, corpus.record_command[r]) for r in walk]
        assert commands == ["restart", *(" ".join(tokenize(c)) for c in walkthrough)]
        assert len(paths) == len(walk)
        lengths = []
        for step, path in enumerate(paths):
            assert path[: step + 1] == walk[: step + 1]
            assert corpus.record_parent[path].tolist() == [-1, *path[:-1]]
            branch = path[step + 1 :]
            lengths.append(len(branch))
            words = [text_of(corpus.commands, corpus.record_command[r]) for r in branch]
            assert all(is_candidate(command) for command in words)
            if words:
                assert words[0] != commands[step + 1], "that would be the walkthrough again"
        assert max(lengths) == BRANCH
        assert lengths[-1] == 0
    for path, new in enumerate(corpus.path_new.tolist()):
        covered += corpus.paths.row(path).tolist()[-new:]
    assert covered == list(range(len(corpus.record_game)))


def test_a_branch_stops_before_the_end_of_the_game() -> None:
    """With long branches many games end; their last states are nobody's record."""
    corpus = recorded(some_games()[:1], branch=30)
    replay = Replay(some_games()[0])
    (_, paths), *_ = paths_of_games(corpus)
    lengths = [int(new) - 1 for new in corpus.path_new]
    assert min(lengths[:-2]) < 30, "none has ended, so this shows nothing"
    for path in paths:
        replay.restart()
        for record in path[1:]:
            replay.give(text_of(corpus.commands, corpus.record_command[record]))
        assert replay.done == (path == paths[-1])


def test_walkthrough_commands_that_cannot_be_given_are_left_out() -> None:
    (game, *_) = some_games()
    steps = [game.walkthrough[0], "take moon", *game.walkthrough[1:], "eat meal"]
    data = {**game.data, "metadata": {**game.data["metadata"], "walkthrough": steps[1:]}}
    (played,) = play([Game(game.name, data)], seed=SEED, branch=BRANCH)
    assert [moment.command for moment in played.walk] == ["restart", *game.walkthrough]
    assert played.left_out == 2


def test_candidates() -> None:
    assert is_candidate("examine cookbook")
    assert is_candidate("take knife from counter")
    for command in ("look", "inventory", "examine knife"):
        assert not is_candidate(command)


def same(one: Corpus, other: Corpus) -> bool:
    pairs = [(getattr(one, f.name), getattr(other, f.name)) for f in fields(Corpus)]
    return all(
        np.array_equal(a, b)
        if isinstance(a, np.ndarray)
        else all(map(np.array_equal, a, b))
        if isinstance(a, Ragged)
        else a == b
        for a, b in pairs
    )


def test_company_and_order_change_nothing() -> None:
    together = play(some_games(), seed=SEED, branch=BRANCH)
    assert play(some_games()[::-1], seed=SEED, branch=BRANCH) == together[::-1]
    assert play(some_games()[1:2], seed=SEED, branch=BRANCH) == together[1:2]


def test_parts_make_the_same_corpus_as_the_whole() -> None:
    one, two, three = some_games()
    parts = [recorded((one,)), recorded((two, three))]
    assert same(merge(parts), some_corpus())
    assert same(merge([some_corpus()]), some_corpus())
    other = replace(parts[1], request=replace(parts[1].request, seed=SEED + 1))
    with pytest.raises(UsageError, match="one and the same corpus"):
        merge([parts[0], other])


def test_the_seed_changes_branches_only() -> None:
    (ours,) = play(some_games()[:1], seed=SEED, branch=BRANCH)
    (other,) = play(some_games()[:1], seed=SEED + 1, branch=BRANCH)
    assert other.branches != ours.branches
    assert replace(other, branches=ours.branches) == ours


def test_games_with_other_content_have_other_branches() -> None:
    game = some_games()[0]
    renamed = Game("another name", game.data)
    altered = Game(game.name, {**game.data, "metadata": {**game.data["metadata"], "note": 1}})
    first, second, third = play([game, renamed, altered], seed=SEED, branch=BRANCH)
    assert first.branches == second.branches
    assert first.branches != third.branches


def test_branches_begin_with_any_candidate_but_the_next() -> None:
    """40 games alike but for a note: many first commands, and none of them far too often."""
    game = some_games()[0]
    metadata = {**game.data["metadata"], "walkthrough": game.walkthrough[:3]}
    alike = [Game(str(i), {**game.data, "metadata": {**metadata, "note": i}}) for i in range(40)]
    played = play(alike, seed=SEED, branch=1)
    options = {moment.command for moment in played[0].options[1]}
    following = played[0].walk[2].command
    taken = [moment.command for p in played for moment in p.branches[1]]
    assert set(taken) <= options - {following}
    assert len(set(taken)) > 0.6 * len(options)
    assert max(map(taken.count, options)) < 6 * len(taken) / len(options)


def test_the_start_has_seen_nothing_before() -> None:
    corpus = some_corpus()
    assert corpus.graphs.row(EMPTY_GRAPH).tolist() == []
    starts = np.flatnonzero(corpus.record_parent < 0)
    assert len(starts) == len(corpus.games)
    update = text_of(corpus.updates, corpus.record_update[starts[0]])
    assert update.startswith("add player ")
    assert "delete" not in update


def test_collecting_on_several_cores_gives_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Worker processes would otherwise compile the engine's kernels again, for minutes.
    monkeypatch.setenv(HOME_VARIABLE, str(KERNELS))
    monkeypatch.setattr(collecting, "_GAMES_PER_TASK", 1)
    games = load_level(1, "valid")[:3]
    collect(games, tmp_path / "two", seed=SEED, branch=2, jobs=2, name="some")
    monkeypatch.setattr(collecting, "_GAMES_PER_TASK", 2)
    corpus = collect(list(games), tmp_path / "one", seed=SEED, branch=2, jobs=1, name="some")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert corpus.games == games.names


@pytest.mark.parametrize(("seed", "branch", "field"), [(-1, 1, "seed"), (1, -1, "branch")])
def test_senseless_requests(tmp_path: Path, seed: int, branch: int, field: str) -> None:
    with pytest.raises(UsageError, match=field):
        collect(load_level(1, "valid")[:1], tmp_path, seed=seed, branch=branch)
    with pytest.raises(UsageError, match="no games"):
        collect([], tmp_path, seed=1)


def test_sets_with_splits_have_a_folder_for_each() -> None:
    assert split_sets("ftwp") == {s: f"ftwp/{s}" for s in ("train", "valid", "test")}
    assert set(split_sets("level5")) == {"train", "valid", "test"}
    for name in ("ftwp/valid", "ftwp-valid", "level1/train/20", "my.games", "train/my.games"):
        assert split_sets(name) == {"": name}
