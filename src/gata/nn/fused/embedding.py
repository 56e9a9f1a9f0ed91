"""Words' vectors at their places: one kernel forward, one and a sum backward."""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.tiles import multiply

TOKENS, WORDS = 64, 32
"""Of the text and of the vocabulary, per program."""
SHARES = 8
"""So many programs look for the same words, each in its part of the text."""


def embed(ids: Tensor, words: Tensor, signal: Tensor) -> Tensor:
    """Look words up and add the signal of their places.

    The gradient of the vocabulary is a product with ones and zeros, in the precision of products,
    where torch sorts the words and adds up.

    Args:
        ids: (texts, length) of words.
        words: (V, H) vectors.
        signal: (length, H) or more, of each place.

    Returns:
        (texts, length, H).
    """
    result: Tensor = _Embed.apply(ids, words, signal)
    return result


class _Embed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, ids: Tensor, words: Tensor, signal: Tensor) -> Tensor:
        ids, words, signal = ids.contiguous(), words.contiguous(), signal.contiguous()
        hidden = words.shape[1]
        out = words.new_empty(*ids.shape, hidden)
        _forward[(triton.cdiv(ids.numel(), TOKENS),)](
            *(ids, words, signal, out, ids.numel(), ids.shape[1]), H=hidden, TOKENS=TOKENS
        )
        ctx.save_for_backward(ids)
        ctx.words = words.shape[0]
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[Tensor | None, ...]:
        (ids,) = ctx.saved_tensors
        hidden = d_out.shape[-1]
        sums = d_out.new_empty(SHARES, ctx.words, hidden)
        _backward[(triton.cdiv(ctx.words, WORDS), SHARES)](
            *(ids, d_out.contiguous(), sums, ids.numel(), ctx.words),
            H=hidden,
            TOKENS=TOKENS,
            WORDS=WORDS,
            SHARES=SHARES,
            PRECISION=precision(),
        )
        return None, sums.sum(0), None


@triton.jit(do_not_specialize=["tokens", "length"])
def _forward(ids, words, signal, out, tokens, length, H: tl.constexpr, TOKENS: tl.constexpr):
    token = tl.program_id(0) * TOKENS + tl.arange(0, TOKENS)
    column = tl.arange(0, H)[None, :]
    real = token < tokens
    word = tl.load(ids + token, mask=real, other=0)
    place = token % length
    result = tl.load(words + word[:, None] * H + column)
    result += tl.load(signal + place[:, None] * H + column)
    tl.store(out + token[:, None] * H + column, result, mask=real[:, None])


@triton.jit(do_not_specialize=["tokens", "words"])
def _backward(
    ids,
    d_out,
    sums,
    tokens,
    words,
    H: tl.constexpr,
    TOKENS: tl.constexpr,
    WORDS: tl.constexpr,
    SHARES: tl.constexpr,
    PRECISION: tl.constexpr,
):
    word = tl.program_id(0) * WORDS + tl.arange(0, WORDS)
    share = tl.program_id(1)
    column = tl.arange(0, H)[None, :]
    result = tl.zeros((WORDS, H), tl.float32)
    for block in tl.range(share, tl.cdiv(tokens, TOKENS), SHARES, num_stages=1):
        token = block * TOKENS + tl.arange(0, TOKENS)
        real = token < tokens
        found = tl.load(ids + token, mask=real, other=-1)
        given = tl.load(d_out + token[:, None] * H + column, mask=real[:, None], other=0.0)
        is_it = (found[None, :] == word[:, None]).to(tl.float32)
        result += multiply(is_it, given, PRECISION)
    at = (share * words + word[:, None]) * H + column
    tl.store(sums + at, result, mask=(word < words)[:, None])
