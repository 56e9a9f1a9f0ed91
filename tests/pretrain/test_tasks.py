"""The tasks: what is in a batch, that it can be learnt, and what an evaluation counts."""

import math

import numpy as np
import pytest
import torch

from gata.errors import GataError
from gata.language.vocabulary import EOS, default
from gata.pretrain.lanes import Stretch
from gata.pretrain.samples import samples
from gata.pretrain.settings import SETTINGS
from gata.pretrain.tasks.coc import other_texts
from gata.pretrain.tasks.options import make_table, options_of, usable_choices
from gata.pretrain.tasks.task import Task
from gata.pretrain.tasks.walking import WalkingTask, unpack_grouped
from gata.training.update import Update
from tests.pretrain.tiny import tiny_corpus

TASKS = tuple(SETTINGS)


def learn(task, updates: int, rate: float = 0.01) -> list[float]:
    update = Update(list(task.model.parameters()), task.loss, learning_rate=rate, clip=5.0)
    losses = []
    for number in range(updates):
        loss, *others = update(task.batch(number))
        task.after(*others)
        losses.append(float(loss))
    return losses


@pytest.mark.parametrize(
    ("name", "batch", "updates", "rate", "share"),
    [
        ("og", 6, 30, 0.02, 0.8),
        ("coc", 8, 40, 0.02, 0.9),
        ("text-og", 6, 60, 0.02, 0.6),
        ("cg", 16, 80, 0.02, 0.5),
        ("dgi", 16, 40, 0.01, 0.9),
    ],
)
def test_a_task_can_be_learnt(name, batch, updates, rate, share, make) -> None:
    task = make(name, batch=batch)
    before = task.evaluate("train", 10)
    learn(task, updates, rate)
    assert task.evaluate("train", 10)["loss"] < share * before["loss"]


@pytest.mark.parametrize("name", ["ap", "sp"])
def test_a_head_can_be_learnt_on_fixed_transitions(name: str, make) -> None:
    """One batch again and again, with an optimiser that needs no hundreds of updates to warm up."""
    task = make(name, hidden=32, batch=12)
    batch = task.batch(0)
    optimizer = torch.optim.Adam(task.model.parameters(), lr=0.003)
    losses = []
    for _ in range(40):
        optimizer.zero_grad()
        (loss,) = task.loss(*batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.75 * losses[0]


def test_the_loss_of_true_and_false_observations(make) -> None:
    """-log D of what was observed, -log (1 - D) of what was not, the mean of each."""
    task = make("coc")
    batch = task.batch(0)
    loss, _ = task.loss(*batch)
    state, steps, extra = task.unpack(batch)
    others, (weights,) = unpack_grouped(extra)
    walked = task.model.walk(steps, state)
    true = torch.sigmoid(task.model.judge(walked, walked.texts).double()).tolist()
    false = torch.sigmoid(task.model.judge_texts(walked, others).double()).tolist()
    differ = [odds for odds, weight in zip(false, weights.tolist(), strict=True) if weight]
    expected = -sum(math.log(odds) for odds in true) / len(true)
    expected -= sum(math.log(1 - odds) for odds in differ) / len(differ)
    assert loss.item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("name", ["ap", "sp"])
def test_the_loss_of_a_choice_is_that_of_any_right_answer(name: str, make) -> None:
    """-log of the sum of the right answers' probabilities, the mean over examples."""
    task = make(name, batch=40)
    batch = task.batch(0)
    scores, right, weights = task._scores(*batch)
    expected, several = [], 0
    for row, answers, weight in zip(scores.double(), right, weights.tolist(), strict=True):
        if weight:
            expected.append(-math.log(torch.softmax(row, 0)[answers].sum().item()))
            several += int(answers.sum() > 1)
    assert several
    # Whole states seldom fill a batch; what is padded counts for nothing.
    assert (len(expected) < len(weights)) == (name == "sp")
    assert task.loss(*batch)[0].item() == pytest.approx(sum(expected) / len(expected), rel=1e-5)


def test_the_loss_of_nodes(make) -> None:
    """-log D of the nodes of a graph and -log (1 - D) of the shuffled ones, the mean of all."""
    task = make("dgi")
    batch = task.batch(0)
    true, false, present = task._logits(batch[0], batch[1], batch[3])
    odds = torch.cat([torch.sigmoid(true[present]), 1 - torch.sigmoid(false[present])])
    expected = -sum(math.log(value) for value in odds.tolist()) / len(odds)
    assert task.loss(*batch)[0].item() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("name", ["og", "coc", "text-og"])
def test_what_was_learnt_from_is_not_differentiated_again(name: str, make) -> None:
    """The state goes on from one update to the next; the way it came about does not."""
    task = make(name, batch=2, steps=2)
    learn(task, 2)
    state, *_ = task.batch(2)
    assert state.any()
    assert not state.requires_grad


@pytest.mark.parametrize("name", TASKS)
def test_batches_follow_from_seed_and_position(name: str, make) -> None:
    one, two = make(name), make(name)
    for number in range(5):
        one.batch(number)
    two.seek(one.position())
    assert two.drawn == one.drawn
    for number in range(5, 8):
        for mine, theirs in zip(one.batch(number), two.batch(number), strict=True):
            assert torch.equal(mine, theirs)


@pytest.mark.parametrize("name", TASKS)
def test_an_evaluation_changes_nothing_and_repeats(name: str, make) -> None:
    task = make(name)
    position = task.position()
    first = task.evaluate("valid", 3)
    assert task.position() == position
    assert task.evaluate("valid", 3) == first
    assert set(first) > {"loss"}


def test_walking_counts_every_record_once(make) -> None:
    task = make("coc")
    assert isinstance(task, WalkingTask)
    corpus = task.data["train"].corpus
    counted = [
        record
        for part in task.paths("train", None)
        for record in part.stretch.records[part.counts].tolist()
    ]
    assert sorted(counted) == list(range(len(corpus.record_game)))


def test_the_belief_of_an_evaluation_is_that_of_the_whole_path(make) -> None:
    """Cut into stretches or not, the losses of a path are the same."""
    task = make("og")
    whole = task.evaluate("valid")
    import gata.pretrain.tasks.walking as walking

    length = walking.EVALUATION_STEPS
    try:
        walking.EVALUATION_STEPS = 3
        cut = task.evaluate("valid")
    finally:
        walking.EVALUATION_STEPS = length
    assert cut["loss"] == pytest.approx(whole["loss"], rel=1e-5)


@pytest.mark.parametrize("name", TASKS)
def test_the_company_of_an_evaluation_changes_nothing(
    name: str, make, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = make(name)
    together = task.evaluate("test", 6)
    monkeypatch.setattr(Task, "evaluation_batch", 1)
    assert task.evaluate("test", 6) == pytest.approx(together, rel=1e-5)


def test_the_true_text_does_not_tell_where_to_end(make) -> None:
    task = make("og")
    with torch.no_grad():
        task.model.decoder.vocabulary.bias[EOS] = -1e9
    assert {len(step.written.split()) for step in samples(task, "test", 0)} == {200}


@pytest.mark.parametrize("near", [0.0, 0.5, 1.0])
def test_other_observations_differ_and_come_from_where_they_should(near: float, make) -> None:
    data = make("coc").data["train"]
    corpus = data.corpus
    path = int(np.argmax(corpus.paths.lengths))
    records = corpus.paths.row(path).astype(np.int64)[:, None].repeat(50, axis=1)
    stretch = Stretch(records, np.full_like(records, path), np.zeros_like(records, bool))
    texts, differ = other_texts(data, stretch, np.random.default_rng(1), near)
    true = corpus.record_text[records]
    assert differ.all()
    assert (texts != true).all()
    on_path = np.isin(texts, corpus.record_text[corpus.paths.row(path)])
    assert on_path.all() == (near == 1.0)
    assert on_path.mean() >= near - 0.1


def test_right_answers_are_all_options_with_the_same_outcome(make) -> None:
    corpus = make("ap").data["train"].corpus
    choices = usable_choices(corpus)
    table = make_table(corpus, options_of(corpus, choices), "seen")
    row = 0
    ambiguous = 0
    for state, choice in enumerate(choices):
        options = range(corpus.choice_offsets[choice], corpus.choice_offsets[choice + 1])
        for place, option in enumerate(options):
            outcome = corpus.option_seen[option]
            assert table.state[row] == state
            assert table.place[row] == place
            assert table.after[row] == outcome
            right = [corpus.option_seen[other] == outcome for other in options]
            assert table.right[row, : len(right)].tolist() == right
            assert not table.right[row, len(right) :].any()
            commands = [corpus.option_command[other] for other in options]
            assert table.options[row, : len(commands)].tolist() == commands
            ambiguous += sum(right) > 1
            row += 1
    assert row == len(table.after)
    assert ambiguous


def test_questions_put_the_right_candidates_beside_each_other(make) -> None:
    """AP: an outcome with every action of its state. SP: an action with every outcome."""
    for name in ("ap", "sp"):
        task = make(name)
        data = task.data["train"]
        corpus = data.corpus
        choices = usable_choices(corpus)[[2, 0]]
        table = make_table(corpus, options_of(corpus, choices), "full")
        batch = task._look_up(data, table, room=len(table.after) + 5)
        _, _, _, commands, outcomes, actions, allowed, _, real = batch
        assert real.sum() == len(table.after)
        row = 0
        for choice in choices:
            options = range(corpus.choice_offsets[choice], corpus.choice_offsets[choice + 1])
            for option in options:
                asked = [(option, other) if name == "ap" else (other, option) for other in options]
                assert allowed[row].sum() == len(asked)
                for place, (outcome, action) in enumerate(asked):
                    assert table.after[outcomes[row, place]] == corpus.option_full[outcome]
                    words = commands[actions[row, place]]
                    true = corpus.commands.row(int(corpus.option_command[action]))
                    assert words[words > 0].tolist() == true.tolist()
                row += 1


def test_games_without_enough_to_choose_from_are_refused() -> None:
    with pytest.raises(GataError, match="tiny: no state of these games has 5 options or more"):
        usable_choices(tiny_corpus())


def test_unknown_nodes_go_by_their_names(make) -> None:
    task = make("ap", unknown_nodes=1.0)
    *_, known = task.batch(0)
    assert not known.any()
    *_, known = make("ap", unknown_nodes=0.0).batch(0)
    assert known.all()
    *_, known = make("cg", unknown_nodes=0.5).batch(0)
    assert 0.2 < known.mean() < 0.8


@pytest.mark.parametrize("name", ["ap", "sp", "cg", "dgi"])
def test_unknown_nodes_learn_nothing_of_their_own(name: str, make) -> None:
    for unknown, learns in ((1.0, False), (0.0, True)):
        task = make(name, unknown_nodes=unknown)
        task.loss(*task.batch(0))[0].backward()
        assert bool(task.model.encoders.tables.node_embedding.weight.grad.any()) == learns


@pytest.mark.parametrize("name", ["og", "coc", "text-og"])
def test_a_batch_may_have_fewer_texts_than_groups(name: str, make) -> None:
    for batch in (1, 2, 3):
        task = make(name, batch=batch, steps=1)
        loss, state = task.loss(*task.batch(0))
        assert loss.isfinite()
        assert len(state) == batch


def test_no_relation_labels() -> None:
    settings = SETTINGS["sp"](relation_labels=False, graph="seen")
    assert settings.name == "sp-seen-no-labels"
    assert not settings.network.relation_labels


def test_samples_follow_the_walkthrough(make) -> None:
    for name in ("og", "text-og", "cg"):
        task = make(name)
        written = list(samples(task, "test", 0))
        assert written[0].action == "restart"
        assert [step.step for step in written] == list(range(len(written)))
        assert written[-1].action in ("eat meal", "prepare meal")
        assert (written[0].observation is None) == (name != "cg")
        assert "kitchen" in (written[0].observation or written[0].true)
        assert all(word in default() for word in written[0].true.split() if word)
