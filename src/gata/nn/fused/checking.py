"""Whether the kernels calculate, on the GPU at hand, what the layers say.

Compilers, drivers and GPUs differ, and a kernel that is wrong on one of them would teach an agent
wrong things without a word. So before a GPU is worked on, networks of the paper's sizes go through
the kernels and, in float64, through torch's own operations.
"""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple, get_args

import torch
from torch import Tensor, nn

from gata.nn.aggregator import Aggregator
from gata.nn.encoders import Encoders
from gata.nn.scorer import Scorer
from gata.nn.settings import GraphKind, NetworkSettings
from gata.nn.words import Lexicon


class Tolerance(NamedTuple):
    """How far something may be off, relative to its size."""

    values: float
    gradients: float


TOLERANCES = {"highest": Tolerance(1e-4, 1e-3), "high": Tolerance(2e-2, 0.3)}
"""By the precision of products. Rounding stays well below; a row that was left out or read twice
does not. Coarse products turn the signs of what ReLU is given, so gradients may be far off then."""
VALUES, AT_PLAY = "values", "values where no gradients are wanted"
NEGLIGIBLE = 1e-3
"""Gradients so small beside all others together are measured against these: what nearly cancels
out is mostly rounding."""


class Sizes(NamedTuple):
    """Of what the networks are given."""

    states: int = 6
    width: int = 70
    commands: int = 9
    words: int = 200
    nodes: int = 99
    relations: int = 10


class _Network(nn.Module):
    """All layers that have kernels: what an agent with text and graph has."""

    def __init__(self, sizes: Sizes, settings: NetworkSettings) -> None:
        super().__init__()
        lexicon = Lexicon(
            torch.randn(sizes.words, 20),
            torch.randint(1, sizes.words, (sizes.nodes, 2)),
            torch.randint(1, sizes.words, (2 * sizes.relations + 1, 3)),
        )
        self.encoders = Encoders(lexicon, settings)
        self.aggregator = Aggregator(settings.hidden)
        self.scorer = Scorer(settings.hidden, states=2)
        # A network begins with zeros in places, where a mistake could not be seen.
        for parameter in self.parameters():
            parameter.data += 0.1 * torch.randn_like(parameter)

    def forward(
        self, texts: Tensor, adjacency: Tensor, present: Tensor, commands: Tensor
    ) -> Tensor:
        tables = self.encoders.tables()
        text = self.encoders.text(texts, tables)
        nodes = self.encoders.graph(adjacency.to(tables.nodes.dtype), present, tables)
        state = self.scorer.pool(self.aggregator(text, nodes))
        rows = self.encoders.commands(commands, tables).expand(len(texts), -1, -1)
        allowed = torch.ones(rows.shape[:2], dtype=torch.bool, device=rows.device)
        values: Tensor = self.scorer.rate(state, rows, allowed)
        return values


def differences(
    device: torch.device, settings: NetworkSettings, sizes: Sizes | None = None
) -> dict[str, float]:
    """How far values and gradients are off, relative to those in float64, by name.

    The same random numbers every time, and none of anybody else's.
    """
    sizes = sizes or Sizes()
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(1)
        network = _Network(sizes, settings)
        given = [each.to(device) for each in _inputs(sizes, settings.graph_kind)]
    network.to(device)
    exact = copy.deepcopy(network).double()
    texts, adjacency, *others = given
    graphs = adjacency.requires_grad_(), adjacency.detach().double().requires_grad_()
    found, expected = (
        module(texts, of_module, *others)
        for module, of_module in zip((network, exact), graphs, strict=True)
    )
    found.square().sum().backward()
    expected.square().sum().backward()
    slow = {name: _gradient(parameter) for name, parameter in exact.named_parameters()}
    least = NEGLIGIBLE * float(torch.stack([each.norm() for each in slow.values()]).norm())
    with torch.no_grad():  # kernels that keep nothing for the way back
        at_play = network(*given)
    off = {VALUES: _off(found, expected, 0), AT_PLAY: _off(at_play, expected, 0)}
    for name, parameter in network.named_parameters():
        off[f"gradient of {name}"] = _off(_gradient(parameter), slow[name], least)
    one, other = map(_gradient, graphs)
    off["gradient of the adjacency"] = _off(one, other, least)
    return off


def fault(
    device: torch.device, settings: NetworkSettings | None = None, sizes: Sizes | None = None
) -> str | None:
    """What is wrong with the kernels on a device, in a line; None if nothing is.

    Args:
        device: a GPU that kernels are meant for.
        settings: of the networks, if not the paper's; both kinds of graphs are tried.
        sizes: of texts and graphs, if not about the games'.
    """
    settings = settings or NetworkSettings()
    for precision, tolerance in TOLERANCES.items():
        for kind in get_args(GraphKind):
            try:
                with _precision(precision):
                    off = differences(device, replace(settings, graph_kind=kind), sizes)
            except Exception as error:  # whatever a compiler, a driver or torch may raise
                return f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"
            for name, share in off.items():
                of_values = name in (VALUES, AT_PLAY)
                most = tolerance.values if of_values else tolerance.gradients
                if not share <= most:  # as is what is no number
                    return (
                        f"{name}: off by {share:.2g} of its size, expected at most {most:g}"
                        f" ({kind} graphs, products in precision {precision!r})"
                    )
    return None


def _inputs(sizes: Sizes, kind: GraphKind) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Texts (one is empty), graphs, the nodes that are there, and commands."""
    states, width, count, words, nodes, relations = sizes
    texts = torch.randint(1, words, (states, width))
    lengths = torch.linspace(0, width, states).long()
    texts *= torch.arange(width) < lengths.unsqueeze(1)
    edges = torch.randn(states, relations, nodes, nodes).tanh()
    present = torch.ones(states, nodes, dtype=torch.bool)
    if kind == "discrete":
        # About an edge per node, as in games: with many more the layers' sums have no bounds.
        edges = (torch.rand(edges.shape) < 1 / (relations * nodes)).float()
        present = torch.rand(states, nodes) < 0.7
    return texts, edges, present, torch.randint(1, words, (count, 4))


def _gradient(leaf: Tensor) -> Tensor:
    return torch.zeros_like(leaf) if leaf.grad is None else leaf.grad


def _off(found: Tensor, expected: Tensor, least: float) -> float:
    found, expected = found.detach().double(), expected.detach()
    size = max(float(expected.norm()), least, torch.finfo(torch.float32).tiny)
    return float((found - expected).norm()) / size


@contextmanager
def _precision(name: str) -> Iterator[None]:
    """Within, torch's products have that precision."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(name)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
