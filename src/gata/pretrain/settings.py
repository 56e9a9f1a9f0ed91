"""What a pre-training run is told.

The defaults are the paper's, or those of the authors' code where the paper is silent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from gata.errors import UsageError
from gata.nn.settings import NetworkSettings, RelationWeights

Graph = Literal["full", "seen"]
"""The true graph of the whole game, or of what the player may know."""


@dataclass(frozen=True, kw_only=True)
class TaskSettings:
    """What all tasks have in common."""

    task: ClassVar[str]
    graph_kind: ClassVar[Literal["continuous", "discrete"]] = "discrete"

    batch: int
    """Examples (or paths side by side) per update."""
    examples: int
    """How many examples (or paths) to learn from, counting repetitions."""
    learning_rate: float = 1e-3
    """The learning rate of the optimiser, rectified Adam (RAdam)."""
    schedule: Literal["constant", "cosine"] = "constant"
    """Whether the learning rate stays, as in the paper, or falls to zero along a cosine."""
    clip: float = 5.0
    """The largest norm of the gradient."""
    evaluations: int = 20
    """How often to look at the validation games; the best weights are kept."""
    valid_examples: int = 1000
    """Examples (paths, states) of the validation games to look at, evenly spread."""
    test_examples: int | None = None
    """Examples (paths, states) of the test games to look at, at the end; None looks at all."""
    seed: int = 1
    """Decides the first weights and the order of the examples."""
    relation_weights: RelationWeights = "basis"
    """Shared bases as in the paper, or the bottleneck of the authors' code."""
    hidden: int = 64
    """H, the size of every representation."""

    def __post_init__(self) -> None:
        for name in ("batch", "examples", "evaluations", "valid_examples", "test_examples"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{self.task}: {name} is {value}, expected 1 or more")
        for name in ("learning_rate", "clip"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{self.task}: {name} is {getattr(self, name)}, expected above 0")
        if not 0 <= self.seed < 2**64:
            raise UsageError(f"{self.task}: seed is {self.seed}, expected 0 to 2**64 - 1")
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

    batch: int = 48
    examples: int = 300_000
    steps: int = 5
    """Gradients flow back through so many steps; then the weights are updated."""
    test_examples: int | None = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps < 1:
            raise UsageError(f"{self.task}: steps is {self.steps}, expected 1 or more")


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

    batch: int = 64
    near: float = 0.7
    """The share of false observations taken from the same path, as in the authors' code; the others
    come from anywhere in the data."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.near <= 1:
            raise UsageError(f"{self.task}: near is {self.near}, expected 0 to 1")


@dataclass(frozen=True, kw_only=True)
class DiscreteSettings(TaskSettings):
    """Of tasks on true graphs."""

    examples: int = 1_000_000
    relation_labels: bool = True
    """Whether relations speak through the words of their names; --no-relation-labels switches it
    off, as in the paper's ablation."""
    unknown_nodes: float = 0.0
    """The share of nodes that go by their names alone in an update, without a vector of their own:
    practice for games with foods that training never met. None in the paper."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.unknown_nodes <= 1:
            raise UsageError(f"{self.task}: unknown_nodes is {self.unknown_nodes}, expected 0 to 1")

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

    batch: int = 128


@dataclass(frozen=True, kw_only=True)
class GraphSettings(DiscreteSettings):
    """Of tasks that come in two kinds of graph."""

    batch: int = 256
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

    batch: int = 48


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
