"""The discrete graph updater (CG): reads an observation and a graph, writes update commands."""

from torch import Tensor, nn

from gata.nn.aggregator import Aggregator
from gata.nn.decoders import CommandDecoder
from gata.nn.encoders import Encoders
from gata.nn.generation import WriteSome, write_greedily
from gata.nn.masking import Encoded
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon, Tables


class CommandGenerator(nn.Module):
    """Encoders, aggregator and a decoder that attends to both aggregated sides."""

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon, settings)
        self.aggregator = Aggregator(settings.hidden)
        self.decoder = CommandDecoder(
            settings.hidden, len(lexicon.word_vectors), settings.max_length
        )

    def forward(
        self,
        text_ids: Tensor,
        adjacency: Tensor,
        present: Tensor,
        ids: Tensor,
        known: Tensor | None = None,
    ) -> Tensor:
        """Teacher forcing.

        Args:
            text_ids: (batch, length), the observation and the action before it.
            adjacency: G_{t-1}, (batch, R, N, N).
            present: (batch, N), the nodes of that graph.
            ids: (batch, written), the true commands from the begin mark on.
            known: as in ``WordTables``.

        Returns:
            (batch, written, V) log-probabilities of each next word.
        """
        tables, graph, text = self._read(text_ids, adjacency, present, known)
        odds: Tensor = self.decoder(ids, tables.words, graph, text, text_ids)
        return odds

    def write(
        self,
        text_ids: Tensor,
        adjacency: Tensor,
        present: Tensor,
        *,
        order: Tensor | None = None,
        begin: int,
        end: int,
        max_length: int,
        some: WriteSome | None = None,
    ) -> Tensor:
        """Write commands greedily; see ``write_greedily`` and ``GraphEncoder``.

        Returns:
            (batch, max_length) ids.
        """
        tables, graph, text = self._read(text_ids, adjacency, present, order=order)
        return write_greedily(
            self.decoder,
            tables.words,
            graph,
            text,
            text_ids,
            begin=begin,
            end=end,
            max_length=max_length,
            some=some,
        )

    def _read(
        self,
        text_ids: Tensor,
        adjacency: Tensor,
        present: Tensor,
        known: Tensor | None = None,
        order: Tensor | None = None,
    ) -> tuple[Tables, Encoded, Encoded]:
        tables = self.encoders.tables(known)
        text, graph = self.aggregator(
            self.encoders.text(text_ids, tables),
            self.encoders.graph(adjacency, present, tables, order),
        )
        return tables, graph, text
