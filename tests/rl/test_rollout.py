"""What a rollout remembers of the episodes it plays, against what the engine shows of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import torch

from gata.agents.actor import Actor, Situation
from gata.agents.commands import CommandBook
from gata.agents.selector import LstmMemory
from gata.agents.thinking import Thinking
from gata.engine import VectorEnv
from gata.games import Game, load_game
from gata.language import vocabulary
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import SEP
from gata.nn.tokens import Grouped
from gata.rl.replay import Replay
from gata.rl.rollout import Rollout
from gata.rl.steps import STATE_ONLY, Steps
from gata.rl.targets import GOES_ON, TERMINAL, TIME_OUT
from gata.rl.texts import TextBook
from tests.agents.brains import small_brain
from tests.rl.kitchen import FORGOTTEN, STATES
from tests.rl.tiny import GAME, game_sets, learning

CPU = torch.device("cpu")

TAKE = ("open fridge", "take block of cheese from fridge")
SCRIPTS = ((), TAKE, (*TAKE, "prepare meal"))
"""The commands of three games, worth no point, one and two; then they wait for the step limit."""

LIMIT = 10
"""So mean rewards are 0, 0.1 and 0.2."""


class Scripted(Actor):
    """Prefers what its script says, in each game."""

    scripts: Sequence[Sequence[str]] = SCRIPTS
    step = 0

    def values(self, situation: Situation) -> torch.Tensor:
        values = torch.zeros(situation.candidates.shape)
        for row, script in enumerate(self.scripts):
            command = script[self.step] if self.step < len(script) else "inventory"
            (number,) = self.thinking.book.enter([command])
            (place,) = np.flatnonzero(situation.candidates[row] == number)
            values[row, place] = 1
        self.step += 1
        return values


def make_rollout(
    folder: Path,
    player: type[Actor] = Actor,
    name: str = "tr-dqn",
    games: Sequence[Game] = (),
    **changes,
) -> Rollout:
    settings = learning(**changes)
    brain = small_brain(name, folder)
    book = CommandBook(vocabulary.default(), CPU)
    replay = Replay(settings.replay, brain.state_shape, brain.state_dtype, CPU)
    games = games or game_sets()["train"]
    env = VectorEnv(games, settings.parallel, step_limit=settings.step_limit)
    actor = player(Thinking(brain, book), book.enter(env.commands), settings.parallel)
    random = np.random.default_rng(3)
    return Rollout(env, actor, replay, TextBook(CPU), settings, random)


GAMES = (load_game(GAME), *STATES, *FORGOTTEN)
"""Most can be lost by one command, and won by three or four."""


@dataclass
class Record:
    """A step, or the state that a time-out left behind; words instead of numbers."""

    text: tuple[int, ...]
    previous: str
    candidates: list[str]
    belief: torch.Tensor = field(compare=False)
    choice: int | None = None
    reward: float = 0.0
    novel: bool = False
    end: int = STATE_ONLY


def replay_alone(rollout: Rollout, game: int, choices: Sequence[int]) -> list[Record]:
    """The records of an episode and of the state after it, from another engine and player."""
    env = VectorEnv(rollout.env.pack, 1, step_limit=rollout.env.step_limit)
    actor = Actor(rollout.actor.thinking, rollout.actor.numbers, 1)
    outputs, previous = env.reset(games=[game]), "restart"
    records: list[Record] = []
    for choice in (*choices, None):
        text = tuple(outputs.observation[0, : outputs.observation_length[0]].tolist())
        if records:
            last, is_over = records[-1], outputs.won[0] or outputs.lost[0]
            last.end = TERMINAL if is_over else TIME_OUT if outputs.truncated[0] else GOES_ON
            last.reward = float(outputs.reward[0])
            last.novel = text not in {record.text for record in records}
        record = Record(text, previous, env.candidates(0), actor.observe(outputs).beliefs[0])
        records.append(record)
        if choice is not None:
            record.choice, previous = choice, record.candidates[choice]
            actor.did(actor.thinking.book.enter([previous]))
            outputs = env.step_candidates([choice])
    return records


def recall(rollout: Rollout, place: int) -> Record:
    """What stands at a place in the replay."""
    steps, book = rollout.replay.steps, rollout.actor.thinking.book
    text, count, end = (int(column[place]) for column in (steps.texts, steps.counts, steps.ends))
    (words,) = rollout.texts.tokens.look_up(np.array([text])).tolist()
    return Record(
        tuple(words[: rollout.texts.tokens.lengths[text]]),
        book.commands[int(steps.previous[place])],
        [book.commands[number] for number in steps.candidates[place, :count].tolist()],
        steps.beliefs[place],
        # After a state alone nothing was chosen.
        None if end == STATE_ONLY else int(steps.choices[place]),
        float(steps.rewards[place]),
        bool(steps.novel[place]),
        end,
    )


@pytest.mark.parametrize(("name", "bootstrap"), [("gtf", True), ("gata-coc", False)])
def test_what_is_remembered_is_what_happened(name: str, bootstrap: bool, tmp_path: Path) -> None:
    changes = {"parallel": 6, "step_limit": 6, "bootstrap_time_outs": bootstrap}
    rollout = make_rollout(tmp_path, name=name, games=GAMES, push_tolerance=0.0, **changes)
    outputs = rollout.env.outputs
    played: list[tuple[int, int]] = []
    won = lost = 0
    for _ in range(80):
        over = outputs.done != 0
        played += zip(outputs.game[over].tolist(), outputs.steps[over].tolist(), strict=True)
        won, lost = won + outputs.won.sum(), lost + outputs.lost.sum()
        rollout.step(1.0)
    assert {game for game, _ in played} == set(range(len(GAMES)))
    assert min(won, lost, len(played) - won - lost) > 0

    steps = rollout.replay.steps
    expected: list[Record] = []
    for number, (game, length) in enumerate(played, 1):
        begin = len(expected)
        records = replay_alone(rollout, game, steps.choices[begin : begin + length].tolist())
        keeps_state = bootstrap and records[-2].end == TIME_OUT
        expected += records if keeps_state else records[:-1]
        assert set(steps.episodes[begin : len(expected)].tolist()) == {number}
    found = [recall(rollout, place) for place in range(rollout.replay.size)]
    assert found == expected
    beliefs, others = (torch.stack([each.belief for each in rs]) for rs in (found, expected))
    torch.testing.assert_close(beliefs, others, atol=1e-5, rtol=0)
    # Those of other steps would not pass for them.
    changed = (beliefs[1:] - beliefs[:-1]).flatten(1).abs().amax(1) > 1e-3
    assert changed.float().mean() > 0.4


class LikesTheSecond(Actor):
    """Whatever it is."""

    def values(self, situation: Situation) -> torch.Tensor:
        return torch.eye(situation.candidates.shape[1])[[1] * self.batch]


@pytest.mark.parametrize("epsilon", [1.0, 0.4])
def test_chance_takes_every_candidate_as_often(epsilon: float, tmp_path: Path) -> None:
    """One step of many games that all begin alike."""
    games = 3_000
    changes = {"parallel": games, "step_limit": 1, "replay": 2 * games}
    rollout = make_rollout(tmp_path, LikesTheSecond, **changes)
    candidates = rollout.env.outputs.candidate_count[0]
    rollout.step(epsilon)
    rollout.step(epsilon)  # the first are over, and remembered
    choices = rollout.replay.steps.choices[: rollout.replay.size].numpy()
    taken = np.bincount(choices, minlength=candidates)
    chances = np.full(candidates, epsilon / candidates)
    chances[1] += 1 - epsilon
    assert (len(choices), len(taken)) == (games, candidates)
    assert (abs(taken - games * chances) < 4 * np.sqrt(games * chances)).all()


@pytest.mark.parametrize("step_limit", [5, 30])
def test_what_an_episode_has_shown_before_is_not_novel(step_limit: int, tmp_path: Path) -> None:
    rollout = make_rollout(tmp_path, step_limit=step_limit, push_tolerance=0.0)
    games = range(rollout.env.batch)
    shown: list[set[tuple[int, ...]]] = [set() for _ in games]
    led_to_new: list[list[bool]] = [[] for _ in games]
    expected: list[bool] = []
    for _ in range(65):
        outputs = rollout.env.outputs
        for game in games:
            text = tuple(outputs.observation[game, : outputs.observation_length[game]].tolist())
            if outputs.steps[game] == 0:
                shown[game], led_to_new[game] = {text}, []
            else:
                led_to_new[game].append(text not in shown[game])
                shown[game].add(text)
            if outputs.done[game]:
                expected += led_to_new[game]
        rollout.step(1.0)
    assert set(expected) == {True, False}
    assert rollout.replay.steps.novel[: rollout.replay.size].tolist() == expected


def test_a_memory_sees_also_the_steps_that_chance_decides(tmp_path: Path) -> None:
    rollout = make_rollout(tmp_path, name="tr-drqn", parallel=3, step_limit=5)
    env, actor, selector = rollout.env, rollout.actor, rollout.actor.brain.selector
    words = vocabulary.default()
    memories: list[LstmMemory | None] = [None] * env.batch
    for _ in range(9):  # the second episodes are under way
        commands = [actor.thinking.book.commands[number] for number in actor.previous.tolist()]
        for game, command in enumerate(commands):
            begins = env.outputs.steps[game] == 0
            text = env.outputs.observation[game, : env.outputs.observation_length[game]].tolist()
            text += [SEP, *words.encode(tokenize("restart" if begins else command))]
            with torch.no_grad():
                state = selector.pool(Grouped.of(torch.tensor([text])), None, selector.tables())
                before = None if begins else memories[game]
                _, memories[game] = selector.remember(state, before)
        rollout.step(1.0)
    assert (env.outputs.steps < 5).all()
    for part, found in enumerate(actor.memory):
        expected = torch.cat([memory[part] for memory in memories])
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def remember(replay: Replay, rewards: list[int]) -> None:
    """An episode that is there already."""
    count = len(rewards)
    empty = Steps.empty(count, 1, replay.steps.beliefs.shape[1:], replay.steps.beliefs.dtype, CPU)
    replay.pushed += 1
    steps = empty._replace(
        rewards=torch.tensor(rewards, dtype=torch.float32),
        ends=torch.tensor([GOES_ON] * (count - 1) + [TIME_OUT], dtype=torch.int8),
        episodes=torch.full((count,), replay.pushed, dtype=torch.int32),
    )
    replay.push(steps, np.array(rewards, np.float64), np.ones(count, np.bool_))


@pytest.mark.parametrize(
    ("remembered", "changes", "kept"),
    [
        # By default the bar is at a tenth of the mean reward of what is remembered: nothing ...
        ([], {}, [True, True, True]),
        ([0] * 20, {}, [True, True, True]),
        # ... 0.05, exactly 0.1 and a little more, exactly 0.2 and a little more.
        ([0, 1] * 10, {}, [False, True, True]),
        ([1] * 20, {}, [False, True, True]),
        ([1] * 19 + [2], {}, [False, False, True]),
        ([2] * 20, {}, [False, False, True]),
        ([2] * 19 + [3], {}, [False, False, False]),
        # Other tolerances: of 0, all are good enough; of 0.5, 0.1 is and then is not.
        ([3] * 20, {"push_tolerance": 0.0}, [True, True, True]),
        ([0, 0, 0, 0, 1] * 4, {"push_tolerance": 0.5}, [False, True, True]),
        ([0, 0, 0, 1] * 5, {"push_tolerance": 0.5}, [False, False, True]),
    ],
)
def test_episodes_are_kept_by_their_mean_reward(
    remembered: list[int], changes: dict[str, float], kept: list[bool], tmp_path: Path
) -> None:
    rollout = make_rollout(tmp_path, Scripted, parallel=3, step_limit=LIMIT, **changes)
    if remembered:
        remember(rollout.replay, remembered)
    for _ in range(LIMIT):
        assert not len(rollout.step(0.0).finished.scores)
    finished = rollout.step(0.0).finished
    assert finished.scores.tolist() == [0, 1 / 3, 2 / 3]
    assert finished.kept.tolist() == kept
    # Whole episodes, one after the other, behind what was there.
    played = [[0] * LIMIT, [0, 1] + [0] * (LIMIT - 2), [0, 1, 1] + [0] * (LIMIT - 3)]
    good = [rewards for rewards, keep in zip(played, kept, strict=True) if keep]
    replay = rollout.replay
    assert replay.steps.rewards[: replay.size].tolist() == sum(good, remembered)
    assert replay.pushed == len(good) + bool(remembered)


class LateThenLost(Scripted):
    """Takes two points late, waits for the limit; begins anew, takes one and loses."""

    scripts = (
        (
            *["inventory"] * 5,
            *TAKE,
            "prepare meal",
            *["inventory"] * 3,
            *TAKE,
            "eat block of cheese",
        ),
    )


def test_rewards_of_an_earlier_longer_episode_do_not_count(tmp_path: Path) -> None:
    rollout = make_rollout(tmp_path, LateThenLost, parallel=1, step_limit=LIMIT)
    remember(rollout.replay, [5] * 20)
    # Means of 2/10 and 1/3, below the bar of 1/2; what the first left behind would make it 3/3.
    finished = [rollout.step(0.0).finished for _ in range(LIMIT + 5)]
    ended = [each for each in finished if len(each.scores)]
    assert [each.scores.tolist() for each in ended] == [[2 / 3], [1 / 3]]
    assert [each.steps.tolist() for each in ended] == [[LIMIT], [3]]
    assert [each.kept.tolist() for each in ended] == [[False], [False]]
