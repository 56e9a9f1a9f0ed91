"""Graphs of few edges on a CPU, from edge to edge.

A graph of facts has some fifty edges where its adjacency has thousands of places, so a layer of the
graph encoder visits the edges instead of multiplying with the adjacency, and nodes that are in no
graph are left out. The sums are those of the plain layers, which everything else takes: graphs of
real numbers between all nodes, and graphs that need gradients. A GPU has the kernels of
``gata.nn.fused``. Nothing here can be differentiated twice.
"""

import torch
from torch import Tensor

from gata.nn import fused


def usable(adjacency: Tensor, weights: Tensor) -> bool:
    """Whether edges can be visited one by one: (B, R, N, N) on a CPU, without gradients.

    The graphs' numbers have to be of the same kind as the weights that they meet.
    """
    return (
        adjacency.device.type == "cpu"
        and adjacency.dtype == weights.dtype
        and adjacency.dtype in (torch.float32, torch.float64)
        and not adjacency.requires_grad
        and not torch.is_autocast_enabled("cpu")
        and not torch.compiler.is_compiling()
        and fused.wanted()
    )
