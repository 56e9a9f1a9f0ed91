"""The continuous graph updater: text in, a recurrent state out that decodes to a belief graph."""

import torch
from torch import Tensor, nn

from gata.nn.encoders import Encoders
from gata.nn.graph_decoder import GraphDecoder
from gata.nn.graph_delta import GraphDelta
from gata.nn.masking import Encoded
from gata.nn.precision import without_autocast
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon, Tables


class ContinuousUpdater(nn.Module):
    """h_t = GRU(f_delta(G_{t-1}, O_t, A_{t-1}), h_{t-1}),  G_t = f_d(h_t).

    ``forward`` takes the encoded graph so that who has it need not encode it again: what a
    pre-training task reads from G_t is what the next step's f_delta reads.
    """

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon, settings)
        self.delta = GraphDelta(settings.hidden)
        self.cell = nn.GRUCell(4 * settings.hidden, settings.hidden)
        self.decoder = GraphDecoder(settings.hidden, lexicon.relations, lexicon.nodes)

    def initial(self, batch: int) -> Tensor:
        """h_0 = 0, whose graph is empty: (batch, H)."""
        return self.cell.weight_hh.new_zeros(batch, self.cell.hidden_size)

    def graph(self, state: Tensor) -> Tensor:
        """G_t: (batch, H) -> (batch, R, N, N), without inverses."""
        graph: Tensor = self.decoder(state)
        return graph

    def encode(self, state: Tensor, tables: Tables) -> Encoded:
        """h_G of the state's graph, all of whose nodes are there: (batch, N, H)."""
        return self.encoders.graph(self.graph(state), self.all_nodes(len(state)), tables)

    def all_nodes(self, batch: int) -> Tensor:
        """Every node is part of a continuous graph: (batch, N) of true."""
        shape = (batch, self.decoder.shape[-1])
        return torch.ones(shape, dtype=torch.bool, device=self.cell.weight_hh.device)

    def forward(
        self, state: Tensor, graph: Encoded, observation: Encoded, action: Encoded
    ) -> Tensor:
        """One step.

        Args:
            state: h_{t-1}, (batch, H).
            graph: its encoded graph, from ``encode``.
            observation: O_t by ``encoders.text``.
            action: A_{t-1} likewise.

        Returns:
            h_t, (batch, H), in full precision.
        """
        delta = self.delta(graph, observation, action)
        with without_autocast(delta.device):
            result: Tensor = self.cell(delta.to(state.dtype), state)
            return result
