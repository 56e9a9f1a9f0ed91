"""The linear probe: relations of two nodes from what a belief says of them and who they are."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from gata.evaluation.probing.pairs import Pairs
from gata.evaluation.probing.settings import ProbeSettings


class Probes(NamedTuple):
    """Linear layers, one for each seed."""

    weight: Tensor
    """(seeds, relations, features)."""
    bias: Tensor
    """(seeds, 1, relations)."""

    def logits(self, inputs: Tensor) -> Tensor:
        """(seeds, pairs, features) -> (seeds, pairs, relations); above 0 is likely."""
        return torch.baddbmm(self.bias, inputs, self.weight.mT)


def features(signal: Tensor, nodes: Tensor, pairs: Pairs) -> Tensor:
    """[G_ij; h_i; h_j]: (pairs, S + 2D).

    Args:
        signal: (pairs, S), G_ij or what stands in its place.
        nodes: (nodes, D) embeddings.
        pairs: whose nodes are meant.
    """
    return torch.cat([signal, nodes[pairs.source], nodes[pairs.target]], dim=1)


@torch.no_grad()
def train_probes(
    inputs: Tensor, labels: Tensor, settings: ProbeSettings, seeds: Sequence[int]
) -> Probes:
    """Fit linear layers by Adam on the binary cross-entropy of every relation.

    Layers are small and updates many, so that all seeds are trained side by side; none of them
    depends on the others.

    Args:
        inputs: (seeds, pairs, features).
        labels: (seeds, pairs, relations) ones and zeros.
        settings: epochs, batch and learning rate.
        seeds: each decides its first weights and its order of pairs, on all devices alike.
    """
    chances = [torch.Generator().manual_seed(seed) for seed in seeds]
    size, relations, device = inputs.shape[2], labels.shape[2], inputs.device
    bound = size**-0.5  # as torch begins a linear layer
    first = torch.stack(
        [
            torch.empty(relations, size + 1).uniform_(-bound, bound, generator=chance)
            for chance in chances
        ]
    ).to(device)
    probes = Probes(
        nn.Parameter(first[:, :, :-1].contiguous()), nn.Parameter(first[:, :, -1:].mT.contiguous())
    )
    optimizer = torch.optim.Adam(probes, lr=settings.learning_rate, fused=True)
    for _ in range(settings.epochs):
        orders = [torch.randperm(inputs.shape[1], generator=chance) for chance in chances]
        # Shuffled once as a whole: a gather in each of thousands of small updates costs more.
        shuffled = [
            torch.stack([own[order] for own, order in zip(part, orders, strict=True)])
            for part in (inputs, labels)
        ]
        batches = (torch.split(part, settings.batch, dim=1) for part in shuffled)
        for some, truth in zip(*batches, strict=True):
            set_gradients(probes, some, truth)
            optimizer.step()
    return probes


def set_gradients(probes: Probes, inputs: Tensor, labels: Tensor) -> None:
    """The gradients of each seed's mean binary cross-entropy, written out.

    For so small a layer that is several times as fast as letting torch find them.
    """
    of_logits = (torch.sigmoid(probes.logits(inputs)) - labels) / labels[0].numel()
    probes.weight.grad = of_logits.mT @ inputs
    probes.bias.grad = of_logits.sum(dim=1, keepdim=True)
