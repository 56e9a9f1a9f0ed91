"""What a pre-training run is told.

The defaults are the paper's, or those of the authors' code where the paper is silent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from gata.nn.settings import NetworkSettings, RelationWeights
from gata.ranges import PositiveAmount, Range, Seed, Share, Some, check_ranges

Graph = Literal["full", "seen"]
"""The true graph of the whole game, or of what the player may know."""


@dataclass(frozen=True, kw_only=True)
class TaskSettings:
    """What all tasks have in common."""

    task: ClassVar[str]
    graph_kind: ClassVar[Literal["continuous", "discrete"]] = "discrete"

    batch: Some
    """Examples (or paths side by side) per update."""
    examples: Some
    """How many examples (or paths) to learn from, counting repetitions."""
    learning_rate: PositiveAmount = 1e-3
    """The learning rate of the optimiser, rectified Adam (RAdam)."""
    schedule: Literal["constant", "cosine"] = "constant"
    """Whether the learning rate stays, as in the paper, or falls to zero along a cosine."""
    clip: PositiveAmount = 5.0
    """The largest norm of the gradient."""
    evaluations: Some = 20
    """How often to look at the validation games; the best weights are kept."""
    valid_examples: Some = 1000
    """Examples (paths, states) of the validation games to look at, evenly spread."""
    test_examples: Annotated[int | None, Range(1)] = None
    """Examples (paths, states) of the test games to look at, at the end; None looks at all."""
    seed: Seed = 1
    """Decides the first weights and the order of the examples."""
    relation_weights: RelationWeights = "basis"
    """Shared bases as in the paper, or the bottleneck of the authors' code."""
    hidden: int = 64
    """H, the size of every representation."""

    def __post_init__(self) -> None:
        check_ranges(self, f"{self.task}: ")
        NetworkSettings(hidden=self.hidden)  # refuses what no network can have

    @property
    def name(self) -> str:
        """What the weights are called: the task and what is special about it."""
        return self.task

    @property
    def network(self) -> NetworkSettings:
        """Of the model."""
        return NetworkSettings(
            hidden=self.hidden,
            graph_kind=self.graph_kind,
            relation_weights=self.relation_weights,
        )


@dataclass(frozen=True, kw_only=True)
class WalkingSettings(TaskSettings):
    """Of tasks that walk through games."""

    graph_kind: ClassVar[Literal["continuous", "discrete"]] = "continuous"

    batch: Some = 48
    examples: Some = 300_000
    steps: Some = 5
    """Gradients flow back through so many steps; then the weights are updated."""
    test_examples: Annotated[int | None, Range(1)] = 1000


@dataclass(frozen=True, kw_only=True)
class OgSettings(WalkingSettings):
    """Observation generation."""

    task: ClassVar[str] = "og"


@dataclass(frozen=True, kw_only=True)
class TextOgSettings(WalkingSettings):
    """Observation generation from an LSTM over text, without a graph."""

    task: ClassVar[str] = "text-og"


@dataclass(frozen=True, kw_only=True)
class CocSettings(WalkingSettings):
    """Contrastive observation classification."""

    task: ClassVar[str] = "coc"

    batch: Some = 64
    near: Share = 0.7
    """The share of false observations taken from the same path, as in the authors' code; the others
    come from anywhere in the data."""


@dataclass(frozen=True, kw_only=True)
class DiscreteSettings(TaskSettings):
    """Of tasks on true graphs."""

    examples: Some = 1_000_000
    relation_labels: bool = True
    """Whether relations speak through the words of their names; --no-relation-labels switches it
    off, as in the paper's ablation."""
    unknown_nodes: Share = 0.0
    """The share of nodes that go by their names alone in an update, without a vector of their own:
    practice for games with foods that training never met. None in the paper."""

    @property
    def name(self) -> str:
        """The task, and whether it goes without relation labels."""
        return self.task if self.relation_labels else f"{self.task}-no-labels"

    @property
    def network(self) -> NetworkSettings:
        """Of the model."""
        return replace(super().network, relation_labels=self.relation_labels)


@dataclass(frozen=True, kw_only=True)
class CgSettings(DiscreteSettings):
    """Command generation."""

    task: ClassVar[str] = "cg"

    batch: Some = 128


@dataclass(frozen=True, kw_only=True)
class GraphSettings(DiscreteSettings):
    """Of tasks that come in two kinds of graph."""

    batch: Some = 256
    graph: Graph = "full"
    """Learn from full graphs, or from those of what was seen."""

    @property
    def name(self) -> str:
        """The task, the kind of graph, and whether it goes without relation labels."""
        return f"{self.task}-{self.graph}" + ("" if self.relation_labels else "-no-labels")


@dataclass(frozen=True, kw_only=True)
class ApSettings(GraphSettings):
    """Action prediction."""

    task: ClassVar[str] = "ap"


@dataclass(frozen=True, kw_only=True)
class SpSettings(GraphSettings):
    """State prediction."""

    task: ClassVar[str] = "sp"

    batch: Some = 48


@dataclass(frozen=True, kw_only=True)
class DgiSettings(GraphSettings):
    """Deep Graph Infomax."""

    task: ClassVar[str] = "dgi"


SETTINGS: Mapping[str, Callable[..., TaskSettings]] = {
    kind.task: kind
    for kind in (
        OgSettings,
        CocSettings,
        TextOgSettings,
        CgSettings,
        ApSettings,
        SpSettings,
        DgiSettings,
    )
}
"""What makes a task's settings, by its name; all have defaults."""
