"""Graph encoders to compare: with random weights, and in float64."""

import copy

import torch
from torch import Tensor

from gata.nn.graph_encoder import GraphEncoder
from gata.nn.settings import NetworkSettings
from gata.nn.words import Tables

NODE_SIZE, LABEL_SIZE = 37, 20
CPU = torch.device("cpu")


def encoder(relations: int, device: torch.device = CPU, **changes) -> GraphEncoder:
    module = GraphEncoder(relations, NODE_SIZE, LABEL_SIZE, NetworkSettings(**changes)).to(device)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            # No zero bias may hide a mistake.
            parameter.normal_(std=0.5 if "bias" in name else parameter.shape[-1] ** -0.5)
    return module


def tables(relations: int, nodes: int, device: torch.device = CPU) -> Tables:
    return Tables(
        torch.empty(0, device=device),
        torch.randn(nodes, NODE_SIZE, device=device, requires_grad=True),
        torch.randn(2 * relations + 1, LABEL_SIZE, device=device, requires_grad=True),
    )


def exact(module: GraphEncoder, known: Tables) -> tuple[GraphEncoder, Tables]:
    """The same in float64."""
    doubled = (table.detach().double().requires_grad_() for table in known)
    return copy.deepcopy(module).double(), Tables(*doubled)


def gradients(
    module: GraphEncoder, known: Tables, values: Tensor, wanted: Tensor
) -> dict[str, Tensor | None]:
    """Of all that the values depend on, by name."""
    sources = dict(module.named_parameters()) | {"nodes": known.nodes, "labels": known.relations}
    found = torch.autograd.grad(values, list(sources.values()), wanted, allow_unused=True)
    return dict(zip(sources, found, strict=True))
