"""Ready for torch.compile and CUDA graphs, other devices and bf16: whole networks, really run."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from gata.nn.attention import KeysValues
from gata.nn.command_generator import CommandGenerator
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.decoders import CommandDecoder, ObservationDecoder
from gata.nn.discriminators import NodeDiscriminator, ObservationDiscriminator
from gata.nn.encoders import Encoders
from gata.nn.scorer import Scorer
from gata.nn.settings import NetworkSettings
from gata.nn.tokens import distinct, join
from gata.nn.transition_scorer import TransitionScorer
from tests.nn.samples import HIDDEN, NODES, RELATIONS, WORDS, lexicon, pad, settings, texts


def _settings(**changes: str) -> NetworkSettings:
    """Fewer layers: tracing takes time by their number."""
    return settings(convolutions=1, graph_layers=2, **changes)


class Selector(nn.Module):
    """Text, graph and commands to scores, as an agent will put it together."""

    def __init__(self, relation_weights: str = "basis") -> None:
        super().__init__()
        self.encoders = Encoders(lexicon(), _settings(relation_weights=relation_weights))
        self.scorer = Scorer(HIDDEN, states=2, recurrent=True)

    def forward(self, text: Tensor, graph: Tensor, commands: Tensor, offered: Tensor) -> Tensor:
        tables = self.encoders.tables()
        values, lookup = distinct(offered, len(commands), len(commands))
        vectors = self.encoders.commands(commands[values], tables)[lookup]
        states = self.encoders.text(text, tables), self.encoders.graph(graph, _all(graph), tables)
        memory = self.scorer.memory.initial(len(text))
        state, _ = self.scorer.memory(self.scorer.pool(states), memory)
        return self.scorer.rate(state, vectors, offered > 0)


class Updater(nn.Module):
    """A step of the updater and both things it is taught by."""

    def __init__(self) -> None:
        super().__init__()
        self.updater = ContinuousUpdater(lexicon(), _settings())
        self.decoder = ObservationDecoder(HIDDEN, WORDS, 24)
        self.judge = ObservationDiscriminator(HIDDEN)

    def forward(self, state: Tensor, text: Tensor, action: Tensor) -> Tensor:
        tables = self.updater.encoders.tables()
        o, a = self.updater.encoders.text(text, tables), self.updater.encoders.text(action, tables)
        state = self.updater(state, self.updater.encode(state, tables), o, a)
        graph = self.updater.encode(state, tables)
        odds = self.decoder(text, tables.words, graph, a, action)
        return odds.mean() + self.judge(graph, a, o).mean() + state.mean()


class Generator(nn.Module):
    """A step of the command generator."""

    def __init__(self) -> None:
        super().__init__()
        self.generator = CommandGenerator(lexicon(), _settings(graph_kind="discrete"))

    def forward(self, text: Tensor, action: Tensor, graph: Tensor) -> Tensor:
        return self.generator(join(text, 4, action), graph, _all(graph), text)


class Writer(nn.Module):
    """One word of greedy writing, with the cache."""

    def __init__(self) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon(), _settings())
        self.decoder = CommandDecoder(HIDDEN, WORDS, 24)

    def forward(self, newest: Tensor, place: Tensor, keys: Tensor, text: Tensor) -> Tensor:
        words = self.encoders.tables().words
        encoded = self.encoders.text_encoder(text, words)
        sources = self.decoder.block.sources(encoded, encoded)
        cache = KeysValues(keys.clone(), keys.clone())
        return self.decoder.step(newest, place, cache, words, sources, text)


class Transitions(nn.Module):
    """AP, SP and DGI over one encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon(), _settings(graph_kind="discrete"))
        self.scorer = TransitionScorer(HIDDEN)
        self.judge = NodeDiscriminator(HIDDEN)

    def forward(self, graph: Tensor, commands: Tensor, order: Tensor) -> Tensor:
        tables = self.encoders.tables()
        before = self.encoders.graph(graph, _all(graph), tables)
        shuffled = self.encoders.graph(graph, _all(graph), tables, order)
        actions = self.encoders.commands(commands, tables).expand(2, -1, -1)
        allowed = actions[..., 0] == actions[..., 0]
        pairs = self.scorer.pairs(before, shuffled).unsqueeze(1).expand(-1, len(commands), -1)
        return self.scorer(pairs, actions, allowed).mean() + self.judge(before, shuffled).mean()


def _all(graph: Tensor) -> Tensor:
    return torch.ones(graph.shape[0], NODES, dtype=torch.bool, device=graph.device)


def _graph() -> Tensor:
    return torch.rand(2, RELATIONS, NODES, NODES) * 2 - 1


CASES: dict[str, Callable[[], tuple[nn.Module, tuple[Tensor, ...]]]] = {
    "selector": lambda: (
        Selector(),
        (pad(texts(5, 2)), _graph(), pad(texts(1, 3, 2)), torch.tensor([[0, 1, 2], [2, 2, 1]])),
    ),
    "bottleneck": lambda: (
        Selector("bottleneck"),
        (pad(texts(5, 2)), _graph(), pad(texts(1, 3, 2)), torch.tensor([[0, 1, 2], [2, 2, 1]])),
    ),
    "updater": lambda: (Updater(), (torch.randn(2, HIDDEN), pad(texts(5, 2)), pad(texts(1, 2)))),
    "generator": lambda: (Generator(), (pad(texts(5, 2)), pad(texts(1, 2)), _graph())),
    "writer": lambda: (
        Writer(),
        (torch.tensor([5, 6]), torch.tensor(1), torch.randn(2, 4, HIDDEN), pad(texts(5, 2))),
    ),
    "transitions": lambda: (
        Transitions(),
        (_graph(), pad(texts(1, 3)), torch.tensor([[1, 0, 2, 3, 4], [0, 4, 2, 3, 1]])),
    ),
}

EVERY_NETWORK = pytest.mark.parametrize("name", CASES)


@EVERY_NETWORK
def test_one_graph_without_breaks(name: str) -> None:
    module, inputs = CASES[name]()
    traced = torch.compile(module, backend="eager", fullgraph=True, dynamic=False)
    torch.testing.assert_close(traced(*inputs), module(*inputs))


@EVERY_NETWORK
def test_nothing_is_made_on_another_device_and_nothing_depends_on_values(name: str) -> None:
    """Meta tensors have no values, and mixing them with the CPU's fails."""
    module, inputs = CASES[name]()
    shape = module(*inputs).shape
    assert module.to("meta")(*(x.to("meta") for x in inputs)).shape == shape


@EVERY_NETWORK
def test_bf16_autocast_stays_close_and_finite(name: str) -> None:
    torch.set_default_dtype(torch.float32)
    module, inputs = CASES[name]()
    expected = module(*inputs)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = module(*inputs)
    found.mean().backward()
    assert found.dtype == torch.float32
    there = expected > torch.finfo(torch.float32).min / 4
    torch.testing.assert_close(found[there], expected[there], rtol=0.01, atol=0.03)
    assert all(p.grad is None or p.grad.isfinite().all() for p in module.parameters())
