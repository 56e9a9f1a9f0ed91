"""Writing a text greedily, with the keys and values of what is written kept."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from gata.nn.attention import KeysValues
from gata.nn.decoder_block import Sources
from gata.nn.decoders import Decoder
from gata.nn.masking import Encoded
from gata.nn.tokens import PAD

WriteSome = Callable[..., tuple[Tensor, ...]]
"""``write_some`` for a decoder and an end mark, as it is or as something that replays it."""


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
    some: WriteSome | None = None,
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
        some: writes the words between two looks; ``write_some`` if not given.

    Returns:
        (batch, max_length) ids; padding after the end mark.
    """
    some = some or partial(write_some, decoder, end)
    batch = text_ids.shape[0]
    of_graph, graph_mask, of_text, text_mask = decoder.block.sources(graph, text)
    about = (*of_graph, graph_mask, *of_text, text_mask)
    cache: list[Tensor] = [*decoder.block.empty_cache(batch, max_length)]
    written = text_ids.new_full((batch, max_length), PAD)
    newest = text_ids.new_full((batch,), begin)
    ended = torch.zeros_like(newest, dtype=torch.bool)
    all_places = torch.arange(max_length, device=text_ids.device)
    for places in torch.split(all_places, look_every):
        new, ended, *cache = some(places, newest, ended, *cache, words, text_ids, *about)
        written.index_copy_(1, places, new)
        newest = new[:, -1]
        if bool(ended.all()):
            break
    return written


def write_some(
    decoder: Decoder,
    end: int,
    places: Tensor,
    newest: Tensor,
    ended: Tensor,
    keys: Tensor,
    values: Tensor,
    words: Tensor,
    text_ids: Tensor,
    *about: Tensor,
) -> tuple[Tensor, ...]:
    """The next words of some texts.

    Args:
        decoder: who writes.
        end: id of the mark after the last word.
        places: (new,), where in the texts the words go.
        newest: (batch,), the words before them.
        ended: (batch,) booleans: which texts are over.
        keys: (batch, most written, H) of what is written; gains the new ones, in place.
        values: likewise.
        words: (V, H), the words' vectors.
        text_ids: (batch, length).
        about: the parts of ``Sources``, one after the other.

    Returns:
        (batch, new) words, padding after the end mark; then ``ended``, ``keys`` and ``values``.
    """
    sources = Sources(KeysValues(*about[:2]), about[2], KeysValues(*about[3:5]), about[5])
    new = []
    for place in places.unbind():
        odds = decoder.step(newest, place, KeysValues(keys, values), words, sources, text_ids)
        newest = odds.argmax(-1).masked_fill(ended, PAD)
        ended = ended | (newest == end)
        new.append(newest)
    return torch.stack(new, 1), ended, keys, values
