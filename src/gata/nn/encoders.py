"""Words, texts and graphs: the encoders that every network of the paper begins with."""

from torch import Tensor, nn

from gata.nn.graph_encoder import GraphEncoder
from gata.nn.masking import Encoded
from gata.nn.settings import NetworkSettings
from gata.nn.text_encoder import TextEncoder
from gata.nn.words import Lexicon, Tables, WordTables


class Encoders(nn.Module):
    """The text encoder and the graph encoder over one table of words.

    Call ``tables`` once per forward pass and hand the result to the others.
    """

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        hidden = settings.hidden
        self.tables = WordTables(
            lexicon, hidden, settings.node_embedding, settings.relation_embedding
        )
        self.text_encoder = make_text_encoder(settings)
        self.graph_encoder = GraphEncoder(
            lexicon.relations,
            settings.node_embedding + hidden,
            settings.relation_embedding + hidden,
            settings,
        )

    def text(self, ids: Tensor, tables: Tables) -> Encoded:
        """Encode texts: (batch, length) ids -> (batch, length, H)."""
        encoded: Encoded = self.text_encoder(ids, tables.words)
        return encoded

    def commands(self, ids: Tensor, tables: Tables) -> Tensor:
        """One vector per command: (commands, length) ids -> (commands, H).

        Commands repeat: encode the distinct ones and look them up (``gata.nn.tokens.distinct``).
        """
        return self.text_encoder.summarise(ids, tables.words)

    def graph(
        self, adjacency: Tensor, present: Tensor, tables: Tables, order: Tensor | None = None
    ) -> Encoded:
        """Encode graphs; see ``GraphEncoder.forward``."""
        encoded: Encoded = self.graph_encoder(adjacency, present, tables, order)
        return encoded


def make_text_encoder(settings: NetworkSettings) -> TextEncoder:
    """A text encoder of the sizes the settings say."""
    return TextEncoder(
        settings.hidden,
        convolutions=settings.convolutions,
        kernel=settings.kernel,
        separable=settings.separable_convolutions,
        max_length=settings.max_length,
    )
