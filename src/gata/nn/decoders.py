"""The observation decoder and the command decoder: which word comes next."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional

from gata.nn.attention import KeysValues
from gata.nn.decoder_block import Decoded, DecoderBlock, Sources
from gata.nn.masking import Encoded
from gata.nn.positions import Positions


class Decoder(nn.Module, ABC):
    """Writes a text about a graph and another text, word by word.

    Args:
        hidden: H.
        words: V, how many words there are to choose from.
        max_length: the longest text.
    """

    def __init__(self, hidden: int, words: int, max_length: int) -> None:
        super().__init__()
        self.positions = Positions(hidden, max_length)
        self.block = DecoderBlock(hidden)
        self.vocabulary = nn.Linear(hidden, words)

    @abstractmethod
    def predict(self, decoded: Decoded, text_ids: Tensor) -> Tensor:
        """Log-probabilities of all words, (batch, written, V), after each token.

        Args:
            decoded: from the block.
            text_ids: (batch, length), the words of the text that is written about.
        """

    def forward(
        self, ids: Tensor, words: Tensor, graph: Encoded, text: Encoded, text_ids: Tensor
    ) -> Tensor:
        """Teacher forcing: the odds of every next word of known texts.

        Args:
            ids: (batch, written), the text from its begin mark on.
            words: (V, H), the words' vectors.
            graph: (batch, N, H), aggregated with the text.
            text: (batch, length, H), aggregated with the graph.
            text_ids: (batch, length), its words.

        Returns:
            (batch, written, V) log-probabilities, full precision; place i is about token i + 1.
        """
        tokens = self.positions(functional.embedding(ids, words))
        return self.predict(self.block(tokens, self.block.sources(graph, text)), text_ids)

    def step(
        self,
        ids: Tensor,
        position: Tensor,
        cache: KeysValues,
        words: Tensor,
        sources: Sources,
        text_ids: Tensor,
    ) -> Tensor:
        """As ``forward`` for the newest token alone; see ``DecoderBlock.step``.

        Args:
            ids: (batch,), the newest token of each text.
            position: 0-dimensional integer, its place.
            cache: of the tokens before it; gains this one's, in place.
            words: (V, H).
            sources: from ``block.sources``.
            text_ids: (batch, length).

        Returns:
            (batch, V) log-probabilities of the next word.
        """
        # Indexing with a tensor of no dimensions would wait for the device to know its value.
        place = self.positions.signal.index_select(0, position.reshape(1))
        token = functional.embedding(ids, words) + place
        decoded = self.block.step(token.unsqueeze(1), position, cache, sources)
        return self.predict(decoded, text_ids).squeeze(1)

    def _choose(self, decoded: Decoded) -> Tensor:
        """Log-probabilities over the vocabulary alone, in full precision."""
        logits = self.vocabulary(decoded.values)
        return torch.log_softmax(logits, dim=-1, dtype=self.vocabulary.weight.dtype)


class ObservationDecoder(Decoder):
    """Writes the observation O_t from the graph G_t and the action A_{t-1}."""

    def predict(self, decoded: Decoded, text_ids: Tensor) -> Tensor:
        """See ``Decoder``; the text's own words play no part."""
        return self._choose(decoded)


class CommandDecoder(Decoder):
    """Writes update commands from the observation and the graph; can copy the former's words.

    p(word) = s * p_vocabulary(word) + (1 - s) * (attention to this word in the text), with the
    switch s = sigmoid(w . tanh(L [what was seen of the text; the token so far])).
    """

    def __init__(self, hidden: int, words: int, max_length: int) -> None:
        super().__init__(hidden, words, max_length)
        self.switch = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def predict(self, decoded: Decoded, text_ids: Tensor) -> Tensor:
        """See ``Decoder``."""
        chosen = self._choose(decoded)
        switch = self.switch(torch.cat([decoded.context, decoded.own], dim=-1)).to(chosen.dtype)
        attention = decoded.attention.to(chosen.dtype)
        places = text_ids.unsqueeze(1).expand_as(attention)
        copied = torch.zeros_like(chosen).scatter_add(-1, places, attention)
        # Words that are not in the text get the least number: log(0) has no gradient.
        copied = copied.clamp(min=torch.finfo(copied.dtype).tiny).log()
        # With an empty text there is nothing to copy: all weight to the vocabulary.
        something = (attention.sum(-1, keepdim=True) > 0).to(chosen.dtype)
        keep = functional.logsigmoid(switch) * something
        return torch.logaddexp(keep + chosen, functional.logsigmoid(-switch) + copied)
