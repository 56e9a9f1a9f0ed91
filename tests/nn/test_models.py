"""The tasks' networks against walking through one game at a time, step by step."""

import pytest
import torch
from torch import Tensor

from gata.nn.masking import Encoded
from gata.nn.models import (
    ContrastiveClassification,
    NodeInfomax,
    ObservationGeneration,
    Recurrent,
    Steps,
    TextObservationGeneration,
    TransitionModel,
    Transitions,
)
from gata.nn.tokens import Grouped
from tests.nn.samples import NODES, RELATIONS, assert_same, lexicon, pad, settings, shaken, texts

LENGTHS = [[3, 5, 2, 4], [1, 6, 3, 2]]
"""Of the observations of two games."""


def make_steps(first: int, last: int, observations: list[list[Tensor]]) -> Steps:
    """Steps ``first`` to ``last`` of the games; a new one begins at step 0, in game 1 also at 2."""
    rows = [game[step] for step in range(first, last) for game in observations]
    starts = torch.tensor([[step == 0, step in (0, 2)] for step in range(first, last)])
    return Steps(Grouped.of(pad(rows, 7)), pad([row[:2] for row in rows], 3), starts)


def one_by_one(model: Recurrent, game: list[Tensor]) -> tuple[list[Encoded], Tensor]:
    state, beliefs = model.initial(1), []
    for text in game:
        steps = Steps(Grouped.of(text[None]), text[None, :2], torch.tensor([[False]]))
        walked = model.walk(steps, state)
        beliefs.append(walked.memory)
        state = walked.state
    return beliefs, state


@pytest.mark.parametrize("kind", [ObservationGeneration, TextObservationGeneration])
def test_games_side_by_side_are_as_each_alone(kind: type[Recurrent]) -> None:
    model = shaken(kind(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    walked = model.walk(make_steps(0, 4, games), torch.randn_like(model.initial(2)))
    beliefs = walked.memory.values.unflatten(0, (4, 2))
    alone, state = one_by_one(model, games[0])
    assert_same(beliefs[:, 0], torch.cat([belief.values for belief in alone]))
    assert_same(walked.state[:1], state)
    before, _ = one_by_one(model, games[1][:2])
    after, state = one_by_one(model, games[1][2:])
    assert_same(beliefs[:, 1], torch.cat([belief.values for belief in (*before, *after)]))
    assert_same(walked.state[1:], state)


@pytest.mark.parametrize("kind", [ObservationGeneration, TextObservationGeneration])
def test_a_walk_can_be_cut_in_two(kind: type[Recurrent]) -> None:
    model = shaken(kind(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    whole = model.walk(make_steps(0, 4, games), model.initial(2))
    first = model.walk(make_steps(0, 3, games), model.initial(2))
    second = model.walk(make_steps(3, 4, games), first.state)
    assert_same(whole.state, second.state)
    assert_same(whole.memory.values[-2:], second.memory.values)


def test_groups_by_length_change_nothing() -> None:
    model = shaken(ObservationGeneration(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    steps = make_steps(0, 4, games)
    (ids,) = steps.observations.groups
    order = (ids != 0).sum(1).argsort(stable=True)
    short, long = order[:3], order[3:]
    width = int((ids[short] != 0).sum(1).max())
    grouped = Grouped((ids[short][:, :width], ids[long]), order.argsort())
    assert_same(torch.cat(grouped.order), order)
    together = model.walk(steps, model.initial(2))
    apart = model.walk(steps._replace(observations=grouped), model.initial(2))
    assert_same(together.texts.values, apart.texts.values)
    assert_same(together.memory.values, apart.memory.values)
    assert_same(together.state, apart.state)


def test_every_weight_of_the_updater_learns_from_what_is_written() -> None:
    model = shaken(ObservationGeneration(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    steps = make_steps(0, 2, games)
    walked = model.walk(steps, model.initial(2))
    (ids,) = steps.observations.groups
    odds = model.decoder(ids, walked.tables.words, walked.memory, walked.action, steps.actions)
    odds.sum().backward()
    without = {name for name, parameter in model.named_parameters() if parameter.grad is None}
    assert not without


def test_another_observation_is_judged_by_the_same_belief() -> None:
    model = shaken(ContrastiveClassification(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    steps = make_steps(0, 4, games)
    walked = model.walk(steps, model.initial(2))
    true = model.judge(walked, walked.texts)
    flipped = Grouped.of(steps.observations.groups[0].flip(0))
    assert_same(true, model.judge_texts(walked, steps.observations))
    assert not torch.allclose(true, model.judge_texts(walked, flipped))


def test_candidates_are_rated_among_those_of_their_question() -> None:
    model = shaken(TransitionModel(lexicon(), settings(graph_kind="discrete")))
    before = torch.bernoulli(torch.full((2, RELATIONS, NODES, NODES), 0.3))
    after = torch.bernoulli(torch.full((5, RELATIONS, NODES, NODES), 0.3))
    everywhere = torch.ones(5, NODES, dtype=torch.bool)
    state = torch.tensor([0, 0, 0, 1, 1])
    commands = pad(texts(2, 3, 1))
    outcomes = torch.tensor([[1, 1, 1], [3, 4, 0]])
    actions = torch.tensor([[0, 1, 2], [2, 2, 0]])
    allowed = torch.tensor([[True, True, True], [True, True, False]])
    scores = model(
        Transitions(
            before, everywhere[:2], after, everywhere, state, commands, outcomes, actions, allowed
        )
    )
    assert scores[1, 2] == torch.finfo(scores.dtype).min
    for question in range(2):
        number = int(allowed[question].sum())
        own = outcomes[question, :number]
        alone = model(
            Transitions(
                before[state[own[:1]]],
                everywhere[:1],
                after[own],
                everywhere[:number],
                torch.zeros(number, dtype=torch.int64),
                commands[actions[question, :number]],
                torch.arange(number)[None],
                torch.arange(number)[None],
                allowed[question, :number][None],
            )
        )
        assert_same(scores[question, :number], alone[0])


def test_unshuffled_nodes_are_judged_alike() -> None:
    model = shaken(NodeInfomax(lexicon(), settings(graph_kind="discrete")))
    graph = torch.bernoulli(torch.full((2, RELATIONS, NODES, NODES), 0.3))
    present = torch.ones(2, NODES, dtype=torch.bool)
    same = torch.arange(NODES).expand(2, -1)
    true, false = model(graph, present, same)
    assert_same(true, false)
    true, false = model(graph, present, same.flip(1))
    assert not torch.allclose(true, false)
