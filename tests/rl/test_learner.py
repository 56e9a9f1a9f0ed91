"""Updates against the same sums done one state at a time."""

import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from gata.agents.actor import Actor
from gata.agents.commands import CommandBook
from gata.agents.thinking import Thinking
from gata.engine import VectorEnv
from gata.language import vocabulary
from gata.language.vocabulary import SEP
from gata.nn.tokens import Grouped
from gata.rl import fixed_lookup
from gata.rl.fixed_lookup import FixedLookup
from gata.rl.learner import Learner
from gata.rl.looking_up import Lookup
from gata.rl.narrow_lookup import NarrowLookup
from gata.rl.replay import Replay
from gata.rl.rollout import Rollout
from gata.rl.steps import STATE_ONLY
from gata.rl.targets import GOES_ON, TIME_OUT
from gata.rl.texts import TextBook
from tests.agents.brains import small_brain
from tests.rl.tiny import game_sets, learning, run_tiny


def play_and_learn(
    name: str,
    folder: Path,
    way: type[Lookup] = NarrowLookup,
    threads: int = 1,
    device: str = "cpu",
    counting: bool = False,
    **changes,
) -> tuple[Rollout, Learner]:
    """A rollout, and a learner whose replay holds some random episodes; its networks differ.

    An agent that does not count can be made to.
    """
    settings = learning(step_limit=6, learning_rate=0.01, **changes)
    brain = small_brain(name, folder, device=device)
    if counting:
        brain = replace(brain, preset=replace(brain.preset, counting=True))
    texts, book = TextBook(brain.device), CommandBook(vocabulary.default(), brain.device)
    replay = Replay(settings.replay, brain.state_shape, brain.state_dtype, brain.device)
    env = VectorEnv(game_sets()["train"], settings.parallel, step_limit=6)
    actor = Actor(Thinking(brain, book), book.enter(env.commands), settings.parallel, narrow=False)
    rollout = Rollout(env, actor, replay, texts, settings, np.random.default_rng(5))
    for _ in range(22):
        rollout.step(1.0)
    lookup = way(brain.preset, replay, texts, book)
    learner = Learner(brain, settings, replay, lookup, threads=threads)
    with torch.no_grad():
        for parameter in learner.target.parameters():
            change = torch.randn(parameter.shape, generator=torch.manual_seed(2))
            parameter.add_(0.1 * change.to(parameter.device))
    return rollout, learner


def played(*arguments, **changes) -> Learner:
    """The learner alone."""
    return play_and_learn(*arguments, **changes)[1]


def places_of_steps(replay: Replay) -> torch.Tensor:
    """Where there is a step; a state alone is never drawn and never has a priority."""
    return torch.nonzero(replay.steps.ends[: replay.size] != STATE_ONLY).flatten()


def make_equal(replay: Replay) -> None:
    """Let every step be drawn as often as any other."""
    places = places_of_steps(replay)
    replay.learnt(places, torch.ones(len(places), device=places.device))


class Slowly:
    """The same values, one record at a time."""

    def __init__(self, learner: Learner) -> None:
        self.learner, self.steps = learner, learner.replay.steps

    def pooled(self, selector, place: int) -> torch.Tensor:
        learner, preset = self.learner, self.learner.brain.preset
        texts = None
        if preset.uses != "graph":
            words = self._row(learner.lookup.texts.tokens, int(self.steps.texts[place]))
            if preset.action_in_text:
                words += [
                    SEP,
                    *self._row(learner.lookup.book.tokens, int(self.steps.previous[place])),
                ]
            texts = Grouped.of(torch.tensor([words]))
        graph = learner.brain.graph(self.steps.beliefs[place : place + 1])
        return selector.pool(texts, graph, selector.tables())

    @staticmethod
    def _row(rows, number: int) -> list[int]:
        (ids,) = rows.look_up(np.array([number])).tolist()
        return ids[: rows.lengths[number]]

    def values(
        self, selector, place: int, since: int | None = None, first: int = 0
    ) -> torch.Tensor:
        """Of the candidates; a memory begins at the record ``since``, gradients at ``first``."""
        state = self.pooled(selector, place)
        if selector.recurrent:
            memory = None
            for before in range(since, place + 1):
                with torch.set_grad_enabled(torch.is_grad_enabled() and before >= first):
                    state, memory = selector.remember(self.pooled(selector, before), memory)
        count = int(self.steps.counts[place])
        numbers = self.steps.candidates[place, :count].numpy().astype(np.int64)
        words = self.learner.lookup.book.tokens.look_up(numbers)
        commands = selector.commands(words, selector.tables()).unsqueeze(0)
        return selector.rate(state, commands, torch.ones(1, count, dtype=torch.bool))[0]

    def window(self, drawn: int) -> dict[int, int]:
        """The steps that are learnt when one is drawn, and where the memory begins."""
        settings, episodes = self.learner.settings, self.steps.episodes.tolist()
        begin, end = drawn - settings.burn_in, drawn + settings.window - settings.burn_in
        same = [p for p in range(max(0, begin), end) if episodes[p] == episodes[drawn]]
        steps = [p for p in same if p >= drawn and int(self.steps.ends[p]) != STATE_ONLY]
        return dict.fromkeys(steps, same[0])

    def error(self, online, place: int, n: int, since: int | None = None) -> float:
        choice = int(self.steps.choices[place])
        goal = self.goal(online, place, n, since)
        return abs(float(self.values(online, place, since)[choice]) - goal)

    def goal(self, online, place: int, n: int, since: int | None = None) -> float:
        """What a value shall be."""
        settings = self.learner.settings
        goal, k = 0.0, 0
        while True:
            bonus = settings.bonus * settings.bonus_discount**k * bool(self.steps.novel[place + k])
            goal += settings.discount**k * float(self.steps.rewards[place + k])
            goal += bonus if self.learner.brain.preset.counting else 0.0
            end = int(self.steps.ends[place + k])
            k += 1
            if end != GOES_ON or k == n:
                break
        if end == GOES_ON or (end == TIME_OUT and settings.bootstrap_time_outs):
            best = int(self.values(online, place + k, since).argmax())
            following = self.values(self.learner.target, place + k, since)[best]
            goal += settings.discount**k * float(following)
        return goal


def found_errors(learner: Learner) -> dict[int, float]:
    """What an update thinks its errors were, by place."""
    make_equal(learner.replay)
    untouched = learner.replay.tensors()["priorities"].clone()
    learner.learn(np.random.default_rng(7), 0.5)
    after = learner.replay.tensors()["priorities"]
    exponent = learner.replay.priorities.exponent
    changed = torch.nonzero(after != untouched).flatten().tolist()
    return {place: float(after[place]) ** (1 / exponent) - 1e-6 for place in changed}


def drawn(learner: Learner) -> list[tuple[int, int]]:
    """Which steps the update will draw, and how many steps it will look ahead from each."""
    random = np.random.default_rng(7)
    shares = torch.from_numpy(random.random(learner.settings.batch))
    n = random.integers(1, learner.lesson.most_steps + 1, learner.settings.batch)
    places = learner.replay.draw(shares, 0.7).places
    return list(zip(places.tolist(), n.tolist(), strict=True))


def expected_errors(learner: Learner) -> dict[int, float]:
    """Of single steps, by place; one that is drawn twice has its largest."""
    make_equal(learner.replay)
    slowly, expected = Slowly(learner), dict[int, float]()
    for place, n in drawn(learner):
        with torch.no_grad():
            error = slowly.error(learner.online, place, n)
        expected[place] = max(error, expected.get(place, 0.0))
    return expected


@pytest.fixture
def no_spare_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands get the room that an update asks for, and no more."""
    monkeypatch.setattr(fixed_lookup, "COMMANDS_STEP", 1)


@pytest.mark.usefixtures("no_spare_room")
@pytest.mark.parametrize("name", ["tr-dqn", "gtf-text", "gata-coc"])
@pytest.mark.parametrize(("way", "bootstrap"), [(NarrowLookup, False), (FixedLookup, True)])
def test_errors_of_single_steps(
    name: str, way: type[Lookup], bootstrap: bool, tmp_path: Path
) -> None:
    learner = played(name, tmp_path, way, bootstrap_time_outs=bootstrap)
    has_states = len(places_of_steps(learner.replay)) < learner.replay.size
    assert has_states == bootstrap
    expected = expected_errors(learner)
    assert found_errors(learner) == pytest.approx(expected, abs=2e-4)


def test_errors_where_nothing_counts_that_follows(tmp_path: Path) -> None:
    learner = played("gata-coc", tmp_path, discount=0.0)
    expected = expected_errors(learner)
    assert found_errors(learner) == pytest.approx(expected, abs=2e-4)


def test_errors_with_a_bonus_within_several_steps(tmp_path: Path) -> None:
    """No preset has both, so the discount of the bonus would go unnoticed."""
    learner = played("tr-dqn", tmp_path, counting=True, bonus=2.0, bonus_discount=0.25)
    expected = expected_errors(learner)
    assert found_errors(learner) == pytest.approx(expected, abs=2e-4)


@pytest.mark.usefixtures("no_spare_room")
@pytest.mark.parametrize(("name", "way"), [("tr-drqn", NarrowLookup), ("tr-drqn+", FixedLookup)])
def test_errors_of_windows(name: str, way: type[Lookup], tmp_path: Path) -> None:
    learner = played(name, tmp_path, way)
    make_equal(learner.replay)
    slowly, online = Slowly(learner), copy.deepcopy(learner.online)
    expected: dict[int, float] = {}
    for first, n in drawn(learner):
        for place, since in slowly.window(first).items():
            with torch.no_grad():
                error = slowly.error(online, place, n, since)
            expected[place] = max(error, expected.get(place, 0.0))
    assert len(expected) > 8
    assert found_errors(learner) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("bootstrap", [False, True])
@pytest.mark.parametrize(("progress", "power"), [(0.0, 0.4), (1.0, 1.0)])
@pytest.mark.parametrize("name", ["tr-dqn", "tr-drqn"])
def test_what_is_drawn_too_often_weighs_less(
    name: str, progress: float, power: float, bootstrap: bool, tmp_path: Path
) -> None:
    """The loss, from its formulas: P = p / sum(p), w = (N P) ** -power, the largest w is 1."""
    learner = played(name, tmp_path, bootstrap_time_outs=bootstrap)
    replay, batch = learner.replay, learner.settings.batch
    places = places_of_steps(replay)
    errors = 10 ** np.random.default_rng(4).uniform(-2, 1, len(places))
    replay.learnt(places, torch.from_numpy(errors))

    priorities = (errors + 1e-6) ** 0.6
    chances = priorities / priorities.sum()
    random = np.random.default_rng(7)
    shares = (np.arange(batch) + random.random(batch)) / batch
    draws = np.searchsorted(chances.cumsum(), shares)
    ahead = random.integers(1, learner.lesson.most_steps + 1, batch).tolist()
    weights = (len(places) * chances[draws]) ** -power
    weights /= weights.max()
    assert weights.min() < 0.7

    slowly = Slowly(learner)
    drawn_at = places[torch.from_numpy(draws)].tolist()
    losses: list[float] = []
    for place, n, weight in zip(drawn_at, ahead, weights.tolist(), strict=True):
        with torch.no_grad():
            found = slowly.window(place) if name == "tr-drqn" else {place: None}
            wrong = [slowly.error(learner.online, at, n, since) for at, since in found.items()]
        losses += [weight * (e * e / 2 if e < 1 else e - 0.5) for e in wrong]
    loss = float(learner.learn(np.random.default_rng(7), progress))
    assert loss == pytest.approx(sum(losses) / len(losses), rel=1e-3)


def gradients(loss: torch.Tensor, network: torch.nn.Module) -> dict[str, torch.Tensor]:
    names, weights = zip(*network.named_parameters(), strict=True)
    found = torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)
    return dict(zip(names, found, strict=True))


@pytest.mark.parametrize("name", ["tr-dqn", "gata-coc-text", "tr-drqn"])
def test_gradients_come_from_the_steps_that_are_learnt_alone(name: str, tmp_path: Path) -> None:
    """Not from goals, and not from steps that only bring a memory up to date."""
    learner = played(name, tmp_path)
    make_equal(learner.replay)
    slowly, online = Slowly(learner), learner.online
    losses: list[torch.Tensor] = []
    for first, n in drawn(learner):
        found = slowly.window(first) if online.recurrent else {first: None}
        for place, since in found.items():
            choice = int(slowly.steps.choices[place])
            value = slowly.values(online, place, since, first)[choice]
            goal = torch.tensor(slowly.goal(online, place, n, since))
            losses.append(functional.smooth_l1_loss(value, goal))
    chance = learner.chance(np.random.default_rng(7), 0.5)
    loss, _ = learner.lesson.loss(*learner.sample(chance).arguments)

    found, expected = gradients(loss, online), gradients(torch.stack(losses).mean(), online)
    assert expected["scorer.score.weight"].any()
    for part, gradient in expected.items():
        assert (found[part] - gradient).norm() <= 1e-4 * gradient.norm() + 1e-6, part


@pytest.mark.parametrize("name", ["gata-coc-text", "tr-drqn"])
def test_threads_learn_the_same(name: str, tmp_path: Path) -> None:
    alone, together = (played(name, tmp_path, threads=threads) for threads in (1, 3))
    before = copy.deepcopy(alone.online.state_dict())
    for seed in range(8):
        losses = [
            float(learner.learn(np.random.default_rng(seed), 0.5)) for learner in (alone, together)
        ]
        assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    after = together.online.state_dict()
    for part, value in alone.online.state_dict().items():
        assert torch.allclose(after[part], value, atol=1e-4), part
    assert not torch.equal(before["scorer.score.weight"], after["scorer.score.weight"])


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("name", ["tr-dqn", "gata-coc-text", "gtf-text", "gtf", "tr-drqn+"])
def test_a_gpu_plays_and_learns_the_same(name: str, tmp_path: Path) -> None:
    """Most of it is captured there, and again whenever the books or the replay have moved.

    Weights are made equal again after each comparison: torch's rectified Adam calculates its
    rectification in single precision on a GPU, which is off by a percent in the first updates.
    """
    torch.set_float32_matmul_precision("highest")
    both = [play_and_learn(name, tmp_path, FixedLookup, device=d) for d in ("cpu", "cuda")]
    on_cpu, on_gpu = (learner.online for _, learner in both)
    for seed in range(24):
        losses, values = [], []
        for rollout, learner in both:
            rollout.step(1.0)
            make_equal(learner.replay)
            losses.append(float(learner.learn(np.random.default_rng(seed), 0.5)))
            if seed % 10 == 5:
                learner.copy_to_target()
            situation = rollout.actor.observe(rollout.env.outputs)
            values.append(rollout.actor.values(situation)[:, :2].cpu())
        assert losses[1] == pytest.approx(losses[0], rel=1e-3)
        assert torch.allclose(values[1], values[0], atol=2e-3)
        copied = on_gpu.state_dict()
        for part, value in on_cpu.state_dict().items():
            assert torch.allclose(copied[part].cpu(), value, atol=1e-3), part
        on_gpu.load_state_dict(on_cpu.state_dict())


def test_an_update_changes_what_it_should(tmp_path: Path) -> None:
    learner = played("gtf-text-dgi-frozen", tmp_path)
    target = copy.deepcopy(learner.target.state_dict())
    before = copy.deepcopy(learner.online.state_dict())
    learner.learn(np.random.default_rng(1), 0.5)
    changed = {
        name for name, value in learner.online.state_dict().items() if value.ne(before[name]).any()
    }
    parts = {name.rpartition("encoders.")[2].partition(".")[0] for name in changed}
    assert parts == {"text_encoder", "aggregator", "scorer"}
    assert all(
        torch.equal(value, target[name]) for name, value in learner.target.state_dict().items()
    )
    learner.copy_to_target()
    copied = learner.target.state_dict()
    assert all(
        torch.equal(copied[name], value) for name, value in learner.online.state_dict().items()
    )


def test_discrete_beliefs_can_be_learnt_from(tmp_path: Path) -> None:
    short = {"episodes": 3, "step_limit": 3, "parallel": 2, "learn_after": 1, "update_every": 3}
    assert run_tiny("gtp-text", tmp_path, batch=2, **short)["updates"] > 0
