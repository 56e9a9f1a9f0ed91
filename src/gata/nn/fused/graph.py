"""The graph encoder with basis decomposition, from one kernel to the next."""

from typing import TYPE_CHECKING, cast

from torch import Tensor, nn

from gata.nn.fused.graph_enter import enter
from gata.nn.fused.graph_labels import speak
from gata.nn.fused.graph_layer import run_layers
from gata.nn.fused.graph_mix import mix
from gata.nn.masking import Encoded

if TYPE_CHECKING:
    from gata.nn.graph_encoder import GraphEncoder
    from gata.nn.messages import BasisMessages
    from gata.nn.words import Tables


def encode(
    encoder: "GraphEncoder", adjacency: Tensor, present: Tensor, tables: "Tables"
) -> Encoded:
    """What ``GraphEncoder.forward`` does, with gradients to all, the adjacency too.

    Args:
        encoder: one with ``BasisMessages`` and self-loops.
        adjacency: (B, R, N, N), without inverses.
        present: (B, N) booleans.
        tables: node and relation vectors.
    """
    messages = cast("BasisMessages", encoder.messages)
    gates = cast("list[nn.Linear]", list(encoder.gates))
    mixed, degrees = mix(adjacency, messages.coefficients)
    spoken = speak(
        encoder.labels(tables),
        messages.label_bases,
        messages.coefficients,
        messages.bias,
        kinds=degrees.shape[-1],
    )
    entered = enter(tables.nodes, messages.first_bases, encoder.enter.weight, encoder.enter.bias)
    values = run_layers(
        entered,
        mixed,
        degrees,
        spoken,
        messages.later_bases,
        [(gate.weight, gate.bias) for gate in gates],
        present,
        relu=encoder.discrete,
    )
    return Encoded(values, present)
