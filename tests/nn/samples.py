"""Small networks and random inputs of different lengths."""

import torch
from torch import Tensor, nn

from gata.nn.masking import Encoded
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon, Tables

HIDDEN, WORDS, NODES, RELATIONS = 6, 11, 5, 2

SMALL = {
    "hidden": HIDDEN,
    "convolutions": 2,
    "kernel": 3,
    "max_length": 24,
    "node_embedding": 4,
    "relation_embedding": 3,
    "graph_layers": 3,
    "bases": 2,
}


def settings(**changes) -> NetworkSettings:
    return NetworkSettings(**(SMALL | changes))


def lexicon() -> Lexicon:
    node_words = torch.tensor([[5, 0], [6, 7], [8, 0], [5, 9], [10, 0]])
    relation_words = torch.tensor([[5, 0, 0], [6, 7, 0], [5, 8, 0], [6, 7, 8], [9, 0, 0]])
    return Lexicon(torch.randn(WORDS, 10), node_words, relation_words)


def tables() -> Tables:
    return Tables(
        torch.randn(WORDS, HIDDEN),
        torch.randn(NODES, 4 + HIDDEN),
        torch.randn(2 * RELATIONS + 1, 3 + HIDDEN),
    )


def shaken(module: nn.Module) -> nn.Module:
    """Random weights everywhere: no zero bias or unit norm may hide a mistake."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module


def texts(*lengths: int) -> list[Tensor]:
    return [torch.randint(5, WORDS, (length,)) for length in lengths]


def pad(rows: list[Tensor], width: int | None = None) -> Tensor:
    width = width or max(map(len, rows))
    return torch.stack([nn.functional.pad(row, (0, width - len(row))) for row in rows])


def rows(*lengths: int) -> list[Tensor]:
    """Encoded samples: (length, H) each."""
    return [torch.randn(length, HIDDEN) for length in lengths]


def batch(samples: list[Tensor], width: int | None = None) -> Encoded:
    """Samples of different lengths in one batch, with rubbish where nothing is."""
    width = width or max(map(len, samples))
    values = torch.randn(len(samples), width, samples[0].shape[1])
    mask = torch.zeros(len(samples), width, dtype=torch.bool)
    for i, sample in enumerate(samples):
        values[i, : len(sample)] = sample
        mask[i, : len(sample)] = True
    return Encoded(values, mask)


def assert_same(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-10)


def assert_same_gradients(module: nn.Module, found: Tensor, expected: Tensor) -> None:
    """The same random weighting of two equal results has the same gradient everywhere."""
    weights = torch.randn_like(found)
    named = {name: p for name, p in module.named_parameters() if p.numel()}
    fast, slow = (
        torch.autograd.grad(
            (weights * value).sum(), list(named.values()), allow_unused=True, retain_graph=True
        )
        for value in (found, expected)
    )
    for name, one, other in zip(named, fast, slow, strict=True):
        assert (one is None) == (other is None), name
        if one is not None:
            torch.testing.assert_close(one, other, rtol=1e-7, atol=1e-8, msg=name)
