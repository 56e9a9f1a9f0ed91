"""Deep Graph Infomax (DGI): a node's vector must show which graph it is from."""

from torch import Tensor, nn

from gata.nn.discriminators import NodeDiscriminator
from gata.nn.encoders import Encoders
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon


class NodeInfomax(nn.Module):
    """Tells nodes of a graph from nodes of the same graph with their features shuffled."""

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon, settings)
        self.discriminator = NodeDiscriminator(settings.hidden)

    def forward(
        self, adjacency: Tensor, present: Tensor, order: Tensor, known: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Judge the true and the shuffled nodes.

        Args:
            adjacency: (batch, R, N, N).
            present: (batch, N) booleans.
            order: (batch, N), whose features each shuffled node gets (``shuffled_nodes``).
            known: as in ``WordTables``.

        Returns:
            (batch, N) logits of the true ones and of the shuffled ones.
        """
        tables = self.encoders.tables(known)
        true = self.encoders.graph(adjacency, present, tables)
        shuffled = self.encoders.graph(adjacency, present, tables, order)
        return self.discriminator(true, true), self.discriminator(true, shuffled)
