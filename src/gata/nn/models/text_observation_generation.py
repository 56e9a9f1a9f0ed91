"""Observation generation without a graph: the memory of Tr-DRQN, trained like OG's updater."""

import torch
from torch import Tensor, nn

from gata.nn.decoders import ObservationDecoder
from gata.nn.encoders import make_text_encoder
from gata.nn.masking import Encoded
from gata.nn.models.recurrent import Recurrent, Steps, Walked, encode_grouped, forget
from gata.nn.scorer import Memory, StatePooling
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon, WordTables


class TextObservationGeneration(Recurrent):
    """Tr-DRQN with the observation decoder in place of its scorer (the probing task's rival).

    Text, pooled, goes into an LSTM; the decoder reads its h_t where OG's reads the graph. The
    action is read too, as the updater's is: both get the same information.
    """

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        hidden = settings.hidden
        self.tables = WordTables(
            lexicon, hidden, settings.node_embedding, settings.relation_embedding
        )
        self.text_encoder = make_text_encoder(settings)
        self.pooling = StatePooling(hidden)
        self.memory = Memory(2 * hidden, hidden)
        self.enter = nn.Linear(hidden, hidden)
        self.decoder = ObservationDecoder(hidden, len(lexicon.word_vectors), settings.max_length)

    def initial(self, batch: int) -> Tensor:
        """The LSTM's h and c side by side: (batch, 2H)."""
        return torch.cat(self.memory.initial(batch), dim=-1)

    def walk(self, steps: Steps, state: Tensor) -> Walked:
        """See ``Recurrent``; the memory is a row of one vector, h_t."""
        tables = self.tables()
        texts = encode_grouped(self.text_encoder, steps.observations, tables.words)
        actions = self.text_encoder(steps.actions, tables.words)
        pooled = torch.cat([self.pooling(texts), self.pooling(actions)], dim=-1)
        remembered = []
        for starts, now in zip(steps.starts, pooled.view(*steps.starts.shape, -1), strict=True):
            h, c = self.memory(now, forget(state, starts).chunk(2, dim=-1))
            state = torch.cat([h, c], dim=-1)
            remembered.append(h)
        memory = self.enter(torch.cat(remembered)).unsqueeze(1)
        there = torch.ones(memory.shape[:-1], dtype=torch.bool, device=memory.device)
        return Walked(tables, texts, Encoded(memory, there), actions, state)
