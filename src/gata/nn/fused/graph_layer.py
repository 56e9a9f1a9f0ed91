"""The layers of the graph encoder: one kernel each forward, and one each and two backward."""

from typing import Any, NamedTuple

import torch
import triton
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.graph_layer_kernels import layer_gradient_kernel, layer_kernel
from gata.nn.fused.graph_layer_weights import shared_gradients


class Division(NamedTuple):
    """Of a layer's work between programs."""

    rows: int
    """How many nodes a program calculates."""
    others: int
    """From how many at once they hear."""
    warps: int
    stages: int


FORWARD = Division(16, 64, 4, 2)
BACKWARD = Division(16, 64, 4, 1)
"""Of more stages, the first would turn matrices while copying them, number by number: slow."""
EXACT = Division(32, 32, 8, 3)
"""Both ways without tensor cores, when all factors lie in registers."""


def run_layers(
    entered: Tensor,
    mixed: Tensor,
    degrees: Tensor,
    spoken: Tensor,
    later_bases: Tensor,
    gates: list[tuple[Tensor, Tensor]],
    present: Tensor,
    *,
    relu: bool,
) -> Tensor:
    """All layers.

    With V the bases of a layer, C its mixed graphs, D the degrees and S what is spoken:
    m = sum_b C_b h V_b + h V_self + D S, h~ = f(m), g = sigmoid(L(h~)), h' = h + g (h~ - h).
    In the first layer what V makes of h is given.

    Args:
        entered: (bases + 2, N, H), the same for all graphs: what nodes say in the first layer by
            each basis and to themselves, and the nodes before it.
        mixed: (B, layers * bases, N, P), see ``graph_mix.mix``.
        degrees: (B, N, kinds), likewise.
        spoken: (layers, kinds, H), what each relation adds to the messages for each degree.
        later_bases: (layers - 1, bases + 1, H, H).
        gates: of each layer, weights (H, H) and biases (H).
        present: (B, N) booleans; the result is zero where they are false.
        relu: whether f is ReLU, not the sigmoid.

    Returns:
        (B, N, H).
    """
    flat = [parameter for gate in gates for parameter in gate]
    result: Tensor = _Layers.apply(
        entered,
        mixed,
        degrees,
        spoken,
        later_bases,
        present.view(torch.uint8),
        relu,
        torch.is_grad_enabled(),
        *flat,
    )
    return result


class _Layers(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        entered: Tensor,
        mixed: Tensor,
        degrees: Tensor,
        spoken: Tensor,
        later_bases: Tensor,
        present: Tensor,
        relu: bool,
        keep: bool,
        *gates: Tensor,
    ) -> Tensor:
        batch, nodes, kinds = degrees.shape
        layers, hidden = len(gates) // 2, entered.shape[-1]
        bases = entered.shape[0] - 2
        out = mixed.new_empty(batch, nodes, hidden)
        between = out.new_empty(layers - 1, *out.shape)
        kept = layers if keep else 0
        heard = out.new_empty(max(kept - 1, 0), bases, *out.shape)
        news, opened = out.new_empty(2, kept, *out.shape)
        grid, options = _launch(mixed, hidden, bases, relu, FORWARD)
        for layer in range(layers):
            first, last = layer == 0, layer == layers - 1
            layer_kernel[grid](
                entered[-1] if first else between[layer - 1],
                entered,
                mixed[:, layer * bases],
                degrees,
                spoken[layer],
                None if first else later_bases[layer - 1],
                gates[2 * layer],
                gates[2 * layer + 1],
                present,
                heard[layer - 1] if keep and not first else None,
                news[layer] if keep else None,
                opened[layer] if keep else None,
                out if last else between[layer],
                *present.stride(),
                KINDS=kinds,
                FIRST=first,
                LAST=last,
                KEEP=keep,
                **options,
            )
        if keep:
            ctx.save_for_backward(
                *(entered, mixed, degrees, spoken, later_bases, present),
                *(heard, between, news, opened, *gates[::2]),
            )
            ctx.relu = relu
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[Tensor | None, ...]:
        entered, mixed, degrees, spoken, later_bases, present = ctx.saved_tensors[:6]
        heard, between, news, opened, *gate_weights = ctx.saved_tensors[6:]
        layers, bases = len(news), entered.shape[0] - 2
        d_out = d_out.contiguous()
        d_messages, d_gates = news.new_empty(2, *news.shape)
        # A layer's kernel reads what that of the layer behind it wrote: two buffers in turns.
        d_nodes = news.new_empty(2, *d_out.shape)
        d_heard = news.new_empty(2, len(d_out), bases, *d_out.shape[1:])
        d_mixed = torch.empty_like(mixed)
        grid, options = _launch(mixed, d_out.shape[-1], bases, ctx.relu, BACKWARD)
        for layer in reversed(range(layers)):
            first, last = layer == 0, layer == layers - 1
            mine, other = layer % 2, 1 - layer % 2
            layer_gradient_kernel[grid](
                d_out,
                present,
                None if last else mixed[:, (layer + 1) * bases],
                d_heard[other],
                d_nodes[other],
                entered[-1] if first else between[layer - 1],
                entered,
                news[layer],
                opened[layer],
                None if first else later_bases[layer - 1],
                gate_weights[layer],
                d_messages[layer],
                d_gates[layer],
                d_nodes[mine],
                d_heard[mine],
                d_mixed[:, layer * bases],
                *present.stride(),
                FIRST=first,
                LAST=last,
                **options,
            )
        shared = shared_gradients(
            *(mixed, degrees, heard, between, news, d_messages, d_gates, d_nodes[0]),
            options["PRECISION"],
        )
        gates = [
            of for gate in zip(shared.gate_weights, shared.gate_biases, strict=True) for of in gate
        ]
        d_degrees = None
        if ctx.needs_input_grad[2]:
            d_degrees = torch.einsum("lbnh,lkh->bnk", d_messages, spoken)
        return (
            *(shared.entered, d_mixed, d_degrees, shared.spoken, shared.later_bases),
            *(None, None, None, *gates),
        )


def _launch(
    mixed: Tensor, hidden: int, bases: int, relu: bool, division: Division
) -> tuple[tuple[int], dict[str, Any]]:
    batch, mixtures, nodes, width = mixed.shape
    if precision() == "ieee":
        division = EXACT
    options = {
        "N": nodes,
        "WIDTH": width,
        "MIXTURES": mixtures,
        "H": hidden,
        "BASES": bases,
        "RELU": relu,
        "ROWS": division.rows,
        "OTHERS": division.others,
        "PRECISION": precision(),
        "num_warps": division.warps,
        "num_stages": division.stages,
    }
    return (batch * triton.cdiv(nodes, division.rows),), options
