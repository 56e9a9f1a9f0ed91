"""How much the graph encoder's rewriting saves, beside the formula computed relation by relation.

Run by hand: ``python benchmarks/graph_encoder.py [graphs per batch]``. One thread; prints processor
seconds and their ratio, both measured in this run, taking turns.
"""

import sys
import time
from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from gata.nn.graph_encoder import GraphEncoder
from gata.nn.messages import BasisMessages, BottleneckMessages
from gata.nn.settings import NetworkSettings
from gata.nn.words import Tables

NODES, RELATIONS, ROUNDS = 99, 10, 5
SETTINGS = NetworkSettings()
NODE_SIZE = SETTINGS.node_embedding + SETTINGS.hidden
LABEL_SIZE = SETTINGS.relation_embedding + SETTINGS.hidden


def relation_by_relation(encoder: GraphEncoder, adjacency: Tensor, tables: Tables) -> Tensor:
    """The paper's sums as they stand: inverses stored, labels appended, a product per relation."""
    whole = torch.cat([adjacency, adjacency.mT], dim=1)
    batch = len(adjacency)
    nodes = tables.nodes.expand(batch, -1, -1)
    before = encoder.enter(nodes)
    for layer, gate in enumerate(encoder.gates):
        seen = [
            whole[:, r] @ torch.cat([nodes, tables.relations[r].expand(batch, NODES, -1)], dim=-1)
            for r in range(2 * RELATIONS)
        ]
        seen.append(torch.cat([nodes, tables.relations[-1].expand(batch, NODES, -1)], dim=-1))
        new = encoder.activation(_mix(encoder, layer, seen))
        gates = torch.sigmoid(gate(new))
        nodes = before = gates * new + (1 - gates) * before
    return nodes


def _mix(encoder: GraphEncoder, layer: int, seen: list[Tensor]) -> Tensor:
    messages = encoder.messages
    if isinstance(messages, BasisMessages):
        nodes = messages.later_bases[layer - 1] if layer else messages.first_bases
        bases = torch.cat([nodes, messages.label_bases[layer]], dim=1)
        weights = torch.einsum("br,bih->rih", messages.coefficients[layer], bases[:-1])
        total = seen[-1] @ bases[-1] + messages.bias[layer]
        for values, weight in zip(seen[:-1], weights, strict=True):
            total = total + values @ weight
        return total
    assert isinstance(messages, BottleneckMessages)
    nodes = messages.later_down[layer - 1] if layer else messages.first_down
    down = torch.cat([nodes.transpose(0, 1), messages.label_down[layer]], dim=1)
    return torch.cat(seen, dim=-1) @ down.flatten(0, 1) @ messages.up[layer] + messages.bias[layer]


def seconds(way: Callable[[Callable[[], Tensor]], object], run: Callable[[], Tensor]) -> float:
    """Processor time of one call of ``way(run)``."""
    begin = time.process_time()
    way(run)
    return time.process_time() - begin


def compare(weights: Literal["basis", "bottleneck"], batch: int) -> None:
    """Measure one way to tie the relations, and print a line per measurement."""
    torch.manual_seed(0)
    settings = NetworkSettings(relation_weights=weights)
    encoder = GraphEncoder(RELATIONS, NODE_SIZE, LABEL_SIZE, settings)
    tables = Tables(
        torch.empty(0),
        torch.randn(NODES, NODE_SIZE) * 0.3,
        torch.randn(2 * RELATIONS + 1, LABEL_SIZE) * 0.3,
    )
    graph = torch.tanh(torch.randn(batch, RELATIONS, NODES, NODES) * 0.1).requires_grad_()
    everyone = torch.ones(batch, NODES, dtype=torch.bool)

    def ours() -> Tensor:
        values: Tensor = encoder(graph, everyone, tables).values
        return values

    def plain() -> Tensor:
        return relation_by_relation(encoder, graph, tables)

    def forward(run: Callable[[], Tensor]) -> Tensor:
        with torch.no_grad():
            return run()

    def both(run: Callable[[], Tensor]) -> None:
        run().sum().backward()

    difference = (forward(ours) - forward(plain)).abs().max().item()
    print(f"{weights}, {batch} graphs; largest difference {difference:.0e}")
    for name, way in (("forward", forward), ("forward + backward", both)):
        times = [(seconds(way, plain), seconds(way, ours)) for _ in range(ROUNDS)]
        slow, fast = (min(column) for column in zip(*times, strict=True))
        ratio = slow / fast
        print(f"  {name:18}  by relation {slow:6.3f} s  ours {fast:6.3f} s  ratio {ratio:.1f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    compare("basis", size)
    compare("bottleneck", size)
