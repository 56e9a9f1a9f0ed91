"""The linear probe: relations of two nodes from what a belief says of them and who they are."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gata.evaluation.probing.pairs import Pairs
from gata.evaluation.probing.settings import ProbeSettings
from gata.evaluation.probing.walks import Array


def features(signal: Tensor, nodes: Tensor, pairs: Pairs) -> Tensor:
    """[G_ij; h_i; h_j]: (pairs, S + 2D).

    Args:
        signal: (pairs, S), G_ij or what stands in its place.
        nodes: (nodes, D) embeddings.
        pairs: whose nodes are meant.
    """
    return torch.cat([signal, nodes[pairs.source], nodes[pairs.target]], dim=1)


def train_probe(inputs: Tensor, labels: Array, settings: ProbeSettings, seed: int) -> nn.Linear:
    """Fit a linear layer by Adam on the binary cross-entropy of every relation.

    Args:
        inputs: (pairs, features).
        labels: (pairs, relations) booleans.
        settings: epochs, batch and learning rate.
        seed: decides the first weights and the order of pairs, on all devices alike.
    """
    chance = torch.Generator().manual_seed(seed)
    probe = nn.Linear(inputs.shape[1], labels.shape[1])
    with torch.no_grad():
        bound = inputs.shape[1] ** -0.5  # as torch begins a linear layer
        for parameter in probe.parameters():
            parameter.uniform_(-bound, bound, generator=chance)
    probe = probe.to(inputs.device)
    wanted = torch.from_numpy(labels.astype(np.float32)).to(inputs.device)
    optimizer = torch.optim.Adam(probe.parameters(), lr=settings.learning_rate, fused=True)
    for _ in range(settings.epochs):
        order = torch.randperm(len(inputs), generator=chance).to(inputs.device)
        # Shuffled once as a whole: a gather in each of thousands of small updates costs more.
        batches = zip(
            inputs[order].split(settings.batch), wanted[order].split(settings.batch), strict=True
        )
        for some, truth in batches:
            loss = functional.binary_cross_entropy_with_logits(probe(some), truth)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return probe


@torch.no_grad()
def predict(probe: nn.Linear, inputs: Tensor) -> Array:
    """(pairs, relations) booleans: what is more likely than not."""
    predicted: Array = (probe(inputs) > 0).cpu().numpy()
    return predicted
