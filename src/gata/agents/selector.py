"""The action selector: from text, a belief graph or both to a value for each candidate command."""

from functools import partial
from typing import Literal

import torch
from torch import Tensor, nn

from gata.belief.interface import BeliefGraph
from gata.errors import UsageError
from gata.nn.aggregator import Aggregator
from gata.nn.branch import Branch, side_by_side
from gata.nn.encoders import Encoders
from gata.nn.masking import Encoded
from gata.nn.scorer import Scorer
from gata.nn.settings import NetworkSettings
from gata.nn.tokens import Grouped
from gata.nn.words import Lexicon, Tables

Uses = Literal["text", "graph", "both"]
"""What the selector looks at."""

LstmMemory = tuple[Tensor, Tensor]
"""Of a recurrent selector: two of (batch, H)."""


class ActionSelector(nn.Module):
    """Q-values of commands.

    ``tables`` and ``commands`` are called once per forward pass, ``pool`` for the states that are
    looked at, and ``rate`` for the commands that are asked for in each.
    """

    def __init__(
        self, lexicon: Lexicon, settings: NetworkSettings, *, uses: Uses, recurrent: bool = False
    ) -> None:
        super().__init__()
        self.uses = uses
        self.encoders = Encoders(lexicon, settings)
        if uses == "text":
            # Taken away, not left out: the other parts begin with the same random weights as ever.
            del self.encoders.graph_encoder
        self.aggregator = Aggregator(settings.hidden) if uses == "both" else None
        self.scorer = Scorer(
            settings.hidden, states=2 if uses == "both" else 1, recurrent=recurrent
        )

    @property
    def recurrent(self) -> bool:
        """Whether it remembers the states before."""
        return self.scorer.memory is not None

    def tables(self) -> Tables:
        """The vectors of words, nodes and relations."""
        tables: Tables = self.encoders.tables()
        return tables

    def commands(self, ids: Tensor, tables: Tables) -> Tensor:
        """One vector per command, each different one once: (commands, length) -> (commands, H)."""
        return self.encoders.commands(ids, tables)

    def pool(self, texts: Grouped | None, graph: BeliefGraph | None, tables: Tables) -> Tensor:
        """States as single vectors.

        Args:
            texts: the observations of ``states`` states, unless only the graph is used.
            graph: their belief graphs, unless only text is used.
            tables: from ``tables``.

        Returns:
            (states, H), or (states, 2H) if text and graph are used.
        """
        if self.uses == "graph":
            return self.scorer.pool([self._nodes(graph, tables)])
        if texts is None:
            raise UsageError(f"a selector that uses {self.uses} needs texts")
        looking, nodes = Branch("graph"), None
        if self.uses == "both":
            read = (tensor for tensor in graph or () if tensor is not None)
            with looking.aside(*read, *tables):
                nodes = self._nodes(graph, tables)

        def pool(group: Tensor, order: Tensor) -> Tensor:
            text = self.encoders.text(group, tables)
            looking.join(*(nodes or ()))
            return self.scorer.pool(self._sides(text, nodes, order))

        groups = list(zip(texts.groups, texts.order, strict=True))
        used = [tensor for group in groups for tensor in group]
        pooled = side_by_side([partial(pool, *group) for group in groups], *used, *tables)
        return torch.cat(pooled).index_select(0, texts.places)

    def _nodes(self, graph: BeliefGraph | None, tables: Tables) -> Encoded:
        if graph is None:
            raise UsageError(f"a selector that uses {self.uses} needs belief graphs")
        return self.encoders.graph(graph.adjacency, graph.present, tables, graph.nodes)

    def _sides(self, text: Encoded, nodes: Encoded | None, order: Tensor) -> list[Encoded]:
        if self.aggregator is None or nodes is None:
            return [text]
        # Each group meets the graphs of its own states.
        mine = Encoded(nodes.values.index_select(0, order), nodes.mask.index_select(0, order))
        return list(self.aggregator(text, mine))

    def remember(self, pooled: Tensor, memory: LstmMemory | None) -> tuple[Tensor, LstmMemory]:
        """One step of a recurrent selector: what ``rate`` takes for the state, and the memory."""
        if self.scorer.memory is None:
            raise UsageError("this selector has no memory: it is not recurrent")
        memory = self.scorer.memory(pooled, memory or self.scorer.memory.initial(len(pooled)))
        return memory[0], memory

    def rate(self, state: Tensor, commands: Tensor, allowed: Tensor) -> Tensor:
        """Q-values.

        Args:
            state: from ``pool`` or ``remember``.
            commands: (states, candidates, H).
            allowed: (states, candidates) booleans.

        Returns:
            (states, candidates); the lowest number where there is no candidate.
        """
        return self.scorer.rate(state, commands, allowed)
