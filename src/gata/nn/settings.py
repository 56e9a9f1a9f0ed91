"""The sizes of the networks; the defaults are the paper's."""

from dataclasses import dataclass
from typing import Literal

from gata.errors import UsageError

RelationWeights = Literal["basis", "bottleneck"]
"""How the weights of the relations are tied together; see ``NetworkSettings.relation_weights``."""

GraphKind = Literal["continuous", "discrete"]
"""Edges are real numbers from -1 to 1, or are there or not."""


@dataclass(frozen=True)
class NetworkSettings:
    """Sizes and switches shared by all networks of one agent or one pre-training task."""

    hidden: int = 64
    """H: the size of every representation of a token, a node, a command or a state."""
    convolutions: int = 5
    """Convolutional layers in the text encoder's block."""
    kernel: int = 5
    """How many neighbouring tokens a convolution sees; odd."""
    separable_convolutions: bool = False
    """Depthwise separable convolutions, as in QANet and the authors' code, for the paper's plain
    ones of H filters: a fifth of the weights."""
    max_length: int = 512
    """The longest text, in tokens, that can be read or written."""
    node_embedding: int = 100
    """Size of the trained vector of each node, beside the mean of its name's words."""
    relation_embedding: int = 32
    """Size of the trained vector of each relation, beside the mean of its name's words."""
    graph_layers: int = 6
    """Layers of the relational graph convolution."""
    bases: int = 3
    """How many bases (or, with ``bottleneck``, dimensions) the relations share in each layer."""
    relation_weights: RelationWeights = "basis"
    """``basis``: W_r is a sum of shared bases, weighted per relation, as in the R-GCN the paper
    cites. ``bottleneck``: every W_r goes through the same ``bases`` dimensions, as in the authors'
    code."""
    relation_labels: bool = True
    """Relations speak through the words of their names; off in the paper's ablation."""
    self_loops: bool = True
    """Each node of a graph also sends to itself (the paper's W_0). The authors' code has this for
    discrete graphs only."""
    graph_kind: GraphKind = "continuous"
    """Sigmoid in the graph encoder's layers for continuous graphs, ReLU for discrete ones."""

    def __post_init__(self) -> None:
        least = dict.fromkeys(("hidden", "max_length", "graph_layers", "bases", "kernel"), 1)
        least |= dict.fromkeys(("convolutions", "node_embedding", "relation_embedding"), 0)
        for name, number in least.items():
            if getattr(self, name) < number:
                raise UsageError(
                    f"networks: {name} is {getattr(self, name)}, expected {number} or more"
                )
        if self.kernel % 2 == 0:
            raise UsageError(f"networks: kernel is {self.kernel}, expected an odd number")
        if self.hidden % 2 == 1:
            raise UsageError(f"networks: hidden is {self.hidden}, expected an even number")
