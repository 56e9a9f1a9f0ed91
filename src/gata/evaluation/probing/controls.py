"""What a probe can tell without the thing that it is meant to look at."""

from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import Tensor

from gata.belief.continuous import ContinuousBelief
from gata.evaluation.probing.pairs import Pairs
from gata.evaluation.probing.sources import (
    BeliefSource,
    Reader,
    Source,
    Standardised,
    own_chance,
)
from gata.evaluation.probing.walks import Array, Walks
from gata.graph.vocabulary import PAPER
from gata.models.kinds import KINDS, build
from gata.models.shipped import find
from gata.models.vocabularies import shipped
from gata.models.weights import read_model
from gata.nn.continuous_updater import ContinuousUpdater

COUNTS, UNTRAINED = "two counts", "untrained memory"
OTHERS = "other pairs"
"""Names of rows, or how they end."""


class Counts(Source):
    """How many steps a game has gone on for, and how many edges have been seen: no more."""

    def __init__(self, nodes: Tensor) -> None:
        self.nodes = nodes

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, 2), the same for all pairs of a state."""
        steps = np.arange(len(walks)) - np.repeat(walks.offsets[:-1], np.diff(walks.offsets))
        edges = [len(each) for each in walks.seen]
        counts = torch.from_numpy(np.stack([steps, edges], 1)).to(self.nodes)
        return lambda pairs, seed: counts[pairs.state]


class UntrainedMemory(Source):
    """h_t of an updater that has learnt nothing, of other random weights for each seed."""

    def __init__(self, nodes: Tensor, make: Callable[[int], ContinuousBelief]) -> None:
        """With the node embeddings of a trained one, so that nothing differs but h_t.

        Args:
            nodes: these embeddings.
            make: the belief with the first weights of a seed.
        """
        self.nodes = nodes
        self._make = make
        self._made: dict[int, BeliefSource] = {}

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, H), the same for all pairs of a state; walks when a seed reads first."""

        def read(pairs: Pairs, seed: int) -> Tensor:
            if seed not in self._made:
                self._made[seed] = BeliefSource(self._make(seed))
            return self._made[seed].memories(walks)[pairs.state]

        return read


class OthersCells(Source):
    """An updater's graph, of which each pair of nodes reads another pair's cell.

    Whose it is depends on the seed, and is the same in all states. What the graph tells of the
    pair itself is missing; what any of its cells tells of the state is not.
    """

    def __init__(self, source: BeliefSource, asked: Array) -> None:
        """Exchange cells.

        Args:
            source: of the graph.
            asked: ``Pairs.code`` of the pairs that are asked for, which exchange theirs.
        """
        self.nodes = source.nodes
        self._source, self._asked = source, np.unique(asked)

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, relations)."""
        read = self._source.along(walks)

        def read_others(pairs: Pairs, seed: int) -> Tensor:
            others = own_chance(seed).permutation(self._asked)
            code = others[np.searchsorted(self._asked, pairs.code)]
            source, target = np.divmod(code, len(PAPER.nodes))
            return read(pairs._replace(source=source, target=target), seed)

        return read_others


def with_controls(
    sources: Mapping[str, Source], updater: str | None, asked: Array, device: torch.device
) -> dict[str, Source]:
    """The sources with what shall stand beside them, in the order of the table.

    Args:
        sources: by row.
        updater: how the user called the first weights that have one; None if none has.
        asked: ``Pairs.code`` of all pairs of the task.
        device: where to compute.
    """
    nodes = next(iter(sources.values())).nodes
    rows: dict[str, Source] = {COUNTS: Standardised(Counts(nodes))}
    if updater is not None:
        untrained = UntrainedMemory(nodes, lambda seed: _untrained(updater, seed, device))
        rows[f"{UNTRAINED}, standardised"] = Standardised(untrained)
    for row, source in sources.items():
        rows[row] = source
        if isinstance(source, BeliefSource):
            rows[f"{row}, {OTHERS}"] = OthersCells(source, asked)
    return rows


def _untrained(name: str, seed: int, device: torch.device) -> ContinuousBelief:
    """The updater of some weights as it may have been before it was trained."""
    stored = read_model(find(name))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(own_chance(seed).integers(2**31)))
        model = build(stored.kind, shipped().lexicon, stored.settings)
    updater = model.get_submodule(KINDS[stored.kind].parts["updater"]).to(device).eval()
    assert isinstance(updater, ContinuousUpdater)
    return ContinuousBelief(updater.requires_grad_(False))
