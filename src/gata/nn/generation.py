"""Writing a text greedily, with the keys and values of what is written kept."""

import torch
from torch import Tensor

from gata.nn.decoders import Decoder
from gata.nn.masking import Encoded
from gata.nn.tokens import PAD


@torch.no_grad()
def write_greedily(
    decoder: Decoder,
    words: Tensor,
    graph: Encoded,
    text: Encoded,
    text_ids: Tensor,
    *,
    begin: int,
    end: int,
    max_length: int,
    look_every: int = 16,
) -> Tensor:
    """The most likely next word, again and again, until the end mark or ``max_length`` words.

    Every step has the same shapes (``Decoder.step``). Whether all texts have ended is looked at
    every ``look_every`` words only, since on a GPU that means waiting for it.

    Args:
        decoder: who writes.
        words: (V, H), the words' vectors.
        graph: (batch, N, H).
        text: (batch, length, H).
        text_ids: (batch, length).
        begin: id of the mark before the first word.
        end: id of the mark after the last.
        max_length: most words, the end mark included.
        look_every: steps between two looks.

    Returns:
        (batch, max_length) ids; padding after the end mark.
    """
    batch = text_ids.shape[0]
    sources = decoder.block.sources(graph, text)
    cache = decoder.block.empty_cache(batch, max_length)
    written = text_ids.new_full((batch, max_length), PAD)
    newest = text_ids.new_full((batch,), begin)
    ended = torch.zeros_like(newest, dtype=torch.bool)
    positions = torch.arange(max_length, device=text_ids.device)
    for place in range(max_length):
        odds = decoder.step(newest, positions[place], cache, words, sources, text_ids)
        newest = odds.argmax(-1).masked_fill(ended, PAD)
        written[:, place] = newest
        ended = ended | (newest == end)
        if place % look_every == look_every - 1 and bool(ended.all()):
            break
    return written
