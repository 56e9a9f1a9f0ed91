import pytest
import torch

from gata.errors import UsageError
from gata.nn.text_encoder import TextEncoder
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    assert_same,
    assert_same_gradients,
    pad,
    shaken,
    tables,
    texts,
)


def encoder(separable: bool = False) -> TextEncoder:
    return shaken(TextEncoder(HIDDEN, convolutions=2, kernel=3, separable=separable, max_length=24))


@pytest.mark.parametrize("separable", [False, True])
def test_follows_the_formula_for_texts_of_different_lengths(separable: bool) -> None:
    module, words = encoder(separable), tables().words
    samples = texts(6, 1, 3)
    encoded = module(pad(samples), words)
    expected = [torch.stack(slow.text_encoder(module, s.tolist(), words)) for s in samples]
    found = torch.cat([encoded.values[i, : len(s)] for i, s in enumerate(samples)])
    assert_same(found, torch.cat(expected))
    assert_same_gradients(module, found, torch.cat(expected))
    assert_same(module.summarise(pad(samples), words), torch.stack([e.mean(0) for e in expected]))


def test_company_and_padding_change_nothing() -> None:
    module, words = encoder(), tables().words
    short, long = texts(3, 9)
    alone = module(pad([short]), words)
    together = module(pad([short, long], 12), words)
    assert_same(together.values[:1, :3], alone.values)
    assert not together.values[0, 3:].any()
    assert together.mask.sum(1).tolist() == [3, 9]


def test_an_empty_text_is_zero_and_has_finite_gradients() -> None:
    module, words = encoder(), tables().words
    summary = module.summarise(torch.zeros(1, 4, dtype=torch.long), words)
    assert not summary.any()
    summary.sum().backward()
    assert all(p.grad.isfinite().all() for p in module.parameters())


def test_too_long_a_text_is_refused() -> None:
    with pytest.raises(UsageError, match=r"25 tokens.*at most 24"):
        encoder()(pad(texts(25)), tables().words)


def test_the_paper_s_size() -> None:
    module = TextEncoder(64, convolutions=5, kernel=5, separable=False, max_length=8)
    convolutions = 5 * (64 * 64 * 5 + 64 + 128)
    attention = 4 * 64 * 64 + 64 + 128
    mlp = 2 * (64 * 64 + 64) + 128
    assert sum(p.numel() for p in module.parameters()) == convolutions + attention + mlp
