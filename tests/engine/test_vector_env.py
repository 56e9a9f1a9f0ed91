import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gata.engine import Outputs, State, VectorEnv, build
from gata.engine.commands import passes_filter
from gata.engine.core import Batch
from gata.engine.tables import INFO, OUTPUT_NUMBERS
from gata.errors import GataError, UsageError
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import SPECIALS, Vocabulary, default
from tests.engine.games import some_games, some_pack

PROPERTY = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32 - 1)


def engine(batch: int = 8, **options: Any) -> VectorEnv:
    return VectorEnv(some_pack(), batch, **options)


def play(env: VectorEnv, steps: int, seed: int) -> list[np.ndarray[Any, Any]]:
    """Random candidates; everything the engine said after each step."""
    rng = np.random.default_rng(seed)
    said = []
    for _ in range(steps):
        env.step_candidates(rng.integers(0, 2**31, env.batch) % counts(env))
        said.append(env.outputs.numbers.copy())
    return said


def counts(env: VectorEnv) -> Any:
    return np.maximum(env.outputs.candidate_count, 1)


def state_of(env: VectorEnv) -> State:
    return env.save()


def same(one: State, other: State) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def comparable(said: list[np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """Restoring forgets the last reward, which is no part of the state."""
    reward = OUTPUT_NUMBERS.index("reward")
    return [np.delete(numbers, reward, axis=1) for numbers in said]


def test_outputs_say_what_they_have() -> None:
    env = VectorEnv("level1/train", 3, seed=1)
    told = repr(env.reset())
    assert "score (3,) int32" in told
    assert "candidates (3, " in told


def test_outputs_of_some_rows_are_a_copy_with_all_fields() -> None:
    env = engine(6)
    env.reset()
    play(env, 4, 1)
    rows = np.array([4, 1])
    few = env.outputs.of(rows)
    expected = {name: getattr(env.outputs, name)[rows] for name in Outputs.__annotations__}
    play(env, 1, 2)
    assert not np.array_equal(env.outputs.numbers[rows], few.numbers)
    for name, values in expected.items():
        assert np.array_equal(getattr(few, name), values), name
    with pytest.raises(ValueError, match="read-only"):
        few.score[0] = 1


@PROPERTY
@given(seed=seeds, before=st.integers(0, 40), after=st.integers(1, 40))
def test_a_restored_state_plays_on_the_same(seed: int, before: int, after: int) -> None:
    env = engine(seed=seed)
    env.reset()
    play(env, before, seed)
    saved = env.save()
    said = play(env, after, seed + 1)
    end = state_of(env)

    other = engine(seed=0)
    other.restore(saved)
    again = play(other, after, seed + 1)
    assert same(end, state_of(other))
    for one, two in zip(said, again, strict=True):
        np.testing.assert_array_equal(one, two)


@PROPERTY
@given(seed=seeds, steps=st.integers(0, 40))
def test_copied_rows_go_the_same_way(seed: int, steps: int) -> None:
    env = engine(batch=8, seed=seed)
    env.reset()
    play(env, steps, seed)
    env.copy_rows([0, 1, 2, 3], [4, 5, 6, 7])
    rng = np.random.default_rng(seed)
    for _ in range(30):
        half = rng.integers(0, 2**31, 4)
        env.step_candidates(np.tile(half, 2) % counts(env))
        np.testing.assert_array_equal(env.outputs.numbers[:4], env.outputs.numbers[4:])
    # The copies drew the same later games, too: seeds are part of the state.
    assert np.array_equal(env.outputs.game[:4], env.outputs.game[4:])


@PROPERTY
@given(seed=seeds, data=st.data())
def test_rows_do_not_depend_on_each_other(seed: int, data: st.DataObject) -> None:
    """Any order of the batch gives the same games, row for row."""
    order = np.array(data.draw(st.permutations(range(8))))
    row_seeds = [seed + k for k in range(8)]
    one = engine(seed=row_seeds)
    other = engine(seed=[row_seeds[k] for k in order])
    one.reset()
    other.reset()
    rng = np.random.default_rng(seed)
    for _ in range(60):
        picks = rng.integers(0, 2**31, 8)
        np.testing.assert_array_equal(one.outputs.numbers[order], other.outputs.numbers)
        one.step_candidates(picks % counts(one))
        other.step_candidates(picks[order] % counts(other))


@PROPERTY
@given(ids=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=8, max_size=8), seed=seeds)
def test_bad_command_ids_are_refused_and_nothing_moves(ids: list[int], seed: int) -> None:
    env = engine(seed=seed)
    env.reset()
    play(env, 5, seed)
    before = env.save()
    with pytest.raises(UsageError, match="row"):
        env.step(np.array([*ids[:7], -1], np.int64))
    assert same(before, env.save())


@PROPERTY
@given(data=st.data(), seed=seeds)
def test_plausible_command_ids_are_played_or_refused(data: st.DataObject, seed: int) -> None:
    env = engine(seed=seed, candidate_filter=False)
    env.reset()
    offered = [[env.commands.index(c) for c in env.candidates(row)] for row in range(8)]
    strange = data.draw(st.booleans())  # else all are fine, which chance would hardly bring
    anything = st.integers(0, len(env.commands) + 9)
    ids = [
        data.draw(st.one_of(st.sampled_from(ids), anything) if strange else st.sampled_from(ids))
        for ids in offered
    ]
    before = env.save()
    if all(command in offer for command, offer in zip(ids, offered, strict=True)):
        assert (env.step(ids).steps == 1).all()
    else:
        assert strange
        with pytest.raises(UsageError, match="row"):
            env.step(ids)
        assert same(before, env.save())


@pytest.mark.parametrize(
    "bad", [np.zeros(7, int), np.zeros((8, 1), int), np.zeros(8), "look", None]
)
def test_commands_of_the_wrong_shape_are_refused(bad: Any) -> None:
    env = engine()
    env.reset()
    with pytest.raises(UsageError, match="expected 8 command ids"):
        env.step(bad)
    with pytest.raises(UsageError, match="expected 8 choices"):
        env.step_candidates(bad)


def test_a_choice_beyond_the_candidates_is_refused() -> None:
    env = engine()
    env.reset()
    with pytest.raises(UsageError, match=r"row 0: choice \d+ is not in 0\.\."):
        env.step_candidates(env.outputs.candidate_count.copy())


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(np.zeros(8, int)),
        lambda env: env.step_candidates(np.zeros(8, int)),
        lambda env: env.save(),
        lambda env: env.copy_rows([0], [1]),
        lambda env: env.feedback(0),
        lambda env: env.candidates(0),
    ],
)
def test_nothing_goes_before_the_first_reset(call: Callable[[VectorEnv], object]) -> None:
    with pytest.raises(UsageError, match="call reset first"):
        call(engine())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        *(({"batch": bad}, "batch is") for bad in (-1, 0, 1.5, "4", None, True)),
        ({"batch": 10**9}, "batch is 1000000000: .* memory"),
        *(({"games": bad}, "the games are") for bad in (None, 3, ["level1/train"], object())),
        *(({"step_limit": bad}, "step_limit is") for bad in ("x", 1.5, -1, None)),
        *(({"threads": bad}, "threads is") for bad in (1.5, -1, "all")),
        *(({"candidate_filter": bad}, "candidate_filter is") for bad in ("no", 1, None)),
        ({"games": "levl1"}, "did you mean level1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        VectorEnv(**{"games": some_pack(), "batch": 2, **options})


def test_settings_may_be_numpys() -> None:
    env = engine(np.int32(2), step_limit=np.int32(3), candidate_filter=np.bool_(True))
    assert (type(env.batch), type(env.step_limit)) == (int, int)
    env.reset()


@pytest.mark.parametrize("row", [True, "a", 0.0, None, 8, -1])
def test_strings_are_asked_for_by_row(row: Any) -> None:
    env = engine()
    env.reset()
    for ask in (env.feedback, env.description, env.inventory, env.candidates):
        with pytest.raises(UsageError, match="row"):
            ask(row)


def test_the_kernels_own_calls_are_not_public_and_check_their_numbers() -> None:
    assert not hasattr(engine(), "act")
    batch = Batch(some_pack(), 2)
    with pytest.raises(UsageError, match="call reset first"):
        batch.act(0, 0)
    batch.begin()
    for row, action in ((0, 10**6), (0, -1), (10**7, 0), (-1, 0)):
        with pytest.raises(UsageError, match="row"):
            batch.act(row, action)
    with pytest.raises(UsageError, match="row 2 is not in a batch of 2"):
        batch.pass_turn(2, forget_last=True)
    with pytest.raises(UsageError, match="row"):
        batch.feedback(10**7)


def test_outputs_and_tables_cannot_be_written() -> None:
    env = engine()
    outputs = env.reset()
    for array in (outputs.candidates, outputs.observation_length, outputs.numbers):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 10**6
    for table in env.pack.tables:
        with pytest.raises(ValueError, match="read-only"):
            table[:] = 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"games": [0.9, 1.7]}, "expected game numbers"),
        ({"games": [[0, 1], [2]]}, "expected game numbers"),
        ({"games": [0, 1, 2]}, "expected 8 game numbers"),
        ({"games": "first"}, "expected game numbers"),
        ({"games": 12}, "game 12 is not in 0..11"),
        ({"games": np.array(2**64 - 1, np.uint64)}, "is not in 0..11"),
        ({"rows": [0.5]}, "expected row numbers"),
        ({"rows": [[0], [1, 2]]}, "expected row numbers"),
        ({"rows": [True, False]}, "expected row numbers"),
        ({"rows": [8]}, "not in a batch of 8"),
        ({"seed": "one"}, "expected a whole number"),
        ({"seed": 1.5}, "expected a whole number"),
        ({"seed": [0.5] * 8}, "expected a whole number"),
        ({"seed": [1, 2]}, "2 seeds for a batch of 8"),
    ],
)
def test_a_senseless_reset_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        engine().reset(**options)


def test_a_number_is_told_as_it_was_given() -> None:
    env = engine()
    env.reset()
    with pytest.raises(UsageError, match=f"command id {2**64 - 1} is not"):
        env.step(np.full(8, 2**64 - 1, np.uint64))
    with pytest.raises(UsageError, match=f"choice {2**64 - 1} is not"):
        env.step_candidates(np.full(8, 2**64 - 1, np.uint64))


@pytest.mark.parametrize(
    "options", [{"batch": 0}, {"order": "best"}, {"step_limit": -1}, {"threads": -2}]
)
def test_senseless_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        engine(**options)


def test_states_of_other_shapes_are_refused() -> None:
    env = engine()
    env.reset()
    saved = env.save([0, 1])
    with pytest.raises(UsageError, match="saved state"):
        env.restore(saved)
    with pytest.raises(UsageError, match="rows"):
        env.save([8])
    with pytest.raises(UsageError, match="expected a saved state"):
        env.restore(tuple(saved))  # type: ignore[arg-type]


def test_states_of_other_games_are_refused() -> None:
    """Even if they have the same shape: these are the same games in another order."""
    env, other = engine(), VectorEnv(build(some_games()[::-1], use_cache=False), 8)
    env.reset()
    other.reset()
    before = other.save()
    with pytest.raises(UsageError, match="row 0 is of other games"):
        other.restore(env.save())
    assert same(before, other.save())
    # Any other engine of the same games will do.
    VectorEnv(build(some_games(), use_cache=False), 8).restore(env.save())


@PROPERTY
@given(data=st.data(), value=st.integers(-(2**31), 2**31 - 1))
def test_a_changed_state_is_refused(data: st.DataObject, value: int) -> None:
    env = engine()
    env.reset()
    saved = env.save()
    column = data.draw(st.integers(0, saved.numbers.shape[1] - 1))
    is_changed = value != saved.numbers[3, column]
    saved.numbers[3, column] = value
    if is_changed:
        with pytest.raises(UsageError, match="row 3"):
            env.restore(saved)


def test_saved_rows_can_be_chosen_and_put_together() -> None:
    env = engine(seed=1)
    env.reset()
    play(env, 5, 1)
    saved = env.save()
    order = [7, 0, 0, 3]
    env.restore(State(*(array[order] for array in saved)), [0, 1, 2, 3])
    assert env.outputs.game[:4].tolist() == [int(saved.numbers[row, 0]) for row in order]


def test_an_episode_ends_at_the_step_limit_and_the_next_begins() -> None:
    env = engine(step_limit=5, seed=3)
    outputs = env.reset()
    look = np.full(8, env.commands.index("look"))
    for step in range(1, 6):
        outputs = env.step(look)
        assert (outputs.steps == step).all()
        assert (outputs.done == (step == 5)).all()
    assert outputs.truncated.all()
    assert not outputs.won.any()
    outputs = env.step(np.full(8, -1))  # the command is not even looked at
    assert not outputs.done.any()
    assert (outputs.steps == 0).all()
    assert (outputs.reward == 0).all()


def test_rewards_add_up_to_the_score() -> None:
    env = engine(batch=64, seed=5, candidate_filter=False)
    env.reset()
    total = np.zeros(64, int)
    rng = np.random.default_rng(5)
    for _ in range(300):
        over = env.outputs.done.copy()
        env.step_candidates(rng.integers(0, 2**31, 64) % counts(env))
        total = np.where(over == 1, 0, total) + env.outputs.reward
        np.testing.assert_array_equal(total, env.outputs.score)
        assert (env.outputs.score <= env.outputs.max_score).all()


def test_the_filter_leaves_out_looking_and_examining() -> None:
    plain, filtered = engine(seed=1, candidate_filter=False), engine(seed=1)
    plain.reset()
    filtered.reset()
    for row in range(8):
        everything = plain.candidates(row)
        assert "look" in everything
        assert filtered.candidates(row) == [c for c in everything if passes_filter(c)]
        assert "inventory" in filtered.candidates(row)
    assert passes_filter("examine cookbook")
    assert not passes_filter("examine fridge")
    # What is not on offer can be done all the same.
    filtered.step(np.full(8, filtered.commands.index("look")))


def test_seeds_decide_the_games() -> None:
    def games_played(env: VectorEnv) -> list[list[int]]:
        env.reset()
        played = [env.outputs.game.tolist()]
        for _ in range(5):
            env.reset()
            played.append(env.outputs.game.tolist())
        return played

    assert games_played(engine(seed=4)) == games_played(engine(seed=4))
    assert games_played(engine(seed=4)) != games_played(engine(seed=5))
    by_turns = games_played(engine(batch=8, order="by-turns"))
    assert by_turns[0] == list(range(8))
    assert by_turns[1] == [(8 + k) % len(some_pack()) for k in range(8)]


def test_a_seed_is_for_the_rows_that_are_reset() -> None:
    def next_games(env: VectorEnv) -> list[list[int]]:
        return [env.reset().game.tolist() for _ in range(6)]

    expected, seeded = next_games(engine(seed=4)), next_games(engine(seed=9))
    env = engine(seed=4)
    env.reset()
    env.reset(seed=9, rows=[2, 5])
    for one, four, nine in zip(next_games(env), expected[1:], seeded[1:], strict=False):
        assert one == [nine[row] if row in (2, 5) else four[row] for row in range(8)]
    # None keeps what a row has; numbers of any kind will do.
    env = engine(seed=4)
    env.reset(seed=[None] * 8)
    assert env.reset().game.tolist() == expected[1]
    assert env.reset(seed=np.int64(4)).game.tolist() == expected[0]  # type: ignore[arg-type]


def test_a_pack_keeps_its_words_and_graph() -> None:
    words = Vocabulary((*SPECIALS, *reversed(default().words[len(SPECIALS) :])), "backwards")
    graph = PAPER.extended(nodes=["llama"])
    packed = build(some_games()[:1], vocabulary=words, graph=graph, use_cache=False)
    env = VectorEnv(packed, 1)
    outputs = env.reset()
    told = env.vocabulary.decode(outputs.description[0, : outputs.description_length[0]].tolist())
    assert told == tokenize(env.description(0))
    assert env.graph == graph
    edges = env.graph.edge_ids(map(env.graph.triple_from_id, outputs.full_edges[0, :3].tolist()))
    assert edges == outputs.full_edges[0, :3].tolist()
    VectorEnv(packed, 1, vocabulary=words, graph=graph)
    with pytest.raises(UsageError, match="another vocabulary"):
        VectorEnv(packed, 1, vocabulary=default())
    with pytest.raises(UsageError, match="another graph"):
        VectorEnv(packed, 1, graph=PAPER)


def test_command_tokens_are_the_commands() -> None:
    env = engine()
    assert env.command_tokens.shape[0] == len(env.commands)
    for command, row in zip(env.commands, env.command_tokens.tolist(), strict=True):
        tokens = env.vocabulary.encode(tokenize(command))
        assert row == tokens + [0] * (len(row) - len(tokens))


def test_threads_change_nothing() -> None:
    one, many = engine(batch=600, seed=2), engine(batch=600, seed=2, threads=4)
    one.reset()
    many.reset()
    for first, second in zip(play(one, 60, 2), play(many, 60, 2), strict=True):
        np.testing.assert_array_equal(first, second)


def test_engines_in_different_threads_do_not_meet() -> None:
    alone = engine(batch=32, seed=9)
    alone.reset()
    expected = play(alone, 50, 9)[-1]
    found: list[Any] = []

    def work() -> None:
        env = engine(batch=32, seed=9)
        env.reset()
        found.append(play(env, 50, 9)[-1])

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    for numbers in found:
        np.testing.assert_array_equal(numbers, expected)


def test_a_second_thread_in_the_same_engine_is_refused() -> None:
    env = engine(seed=3)
    env.reset()
    look = np.full(8, env.commands.index("look"))
    inside, go_on = threading.Event(), threading.Event()

    class SlowCommands:
        """Commands that take their time while the engine reads them."""

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            inside.set()
            go_on.wait(60)
            return look

    worker = threading.Thread(target=env.step, args=(SlowCommands(),))
    worker.start()
    assert inside.wait(60)
    for call in (env.reset, env.save, lambda: env.step(look), lambda: env.copy_rows([0], [1])):
        with pytest.raises(UsageError, match="in use by another thread"):
            call()
    go_on.set()
    worker.join()
    assert (env.outputs.steps == 1).all()
    assert (env.step(look).steps == 2).all()


def test_a_state_is_small() -> None:
    env = engine()
    assert env.state_bytes < 4096


def test_no_games_no_engine() -> None:
    with pytest.raises(GataError, match="no games"):
        VectorEnv([], 1)


def test_info_columns_are_what_they_are_called() -> None:
    batch = Batch(some_pack(), 2)
    batch.begin()
    assert batch.info(0, "turn") == 1
    assert batch.save().numbers[0, INFO.index("turn")] == 1
