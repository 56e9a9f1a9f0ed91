"""All tables there are: for pages with marks, and for the report."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gata.evaluation.fresh import FOLDER
from gata.evaluation.table import Table
from gata.files import check_folder
from gata.paper.beyond import beyond_table
from gata.paper.cells import Results
from gata.paper.controls import control_records, controls_table
from gata.paper.corpora_table import COUNTS_FILE, corpora_table
from gata.paper.coverage import coverage_table
from gata.paper.engine_table import engine_table
from gata.paper.fresh_table import fresh_table
from gata.paper.marks import explained
from gata.paper.pretraining import pretraining_table
from gata.paper.probing import METRICS, NEGATIVES, probing_table
from gata.paper.reload_table import reload_table
from gata.paper.score_tables import (
    difference_table,
    full_test_table,
    improvement_table,
    short_test_table,
    training_table,
)
from gata.paper.scores import SIZES
from gata.paper.time_table import time_table

AGENTS = "agents"
"""The records' folder among the raw results."""


@dataclass(frozen=True)
class Sources:
    """The raw results."""

    agents: Results
    folder: Path
    """Of all raw results."""

    @classmethod
    def read(cls, results: Path) -> "Sources":
        """From the folder of all results."""
        for part in (AGENTS, FOLDER):
            check_folder(results / part)  # no records and no folder of them are not the same
        return cls(Results.read(results / AGENTS), results)

    @property
    def records(self) -> Path:
        """The folder of the agents' records."""
        return self.folder / AGENTS

    @property
    def fresh(self) -> Path:
        """The folder of what agents did on fresh games."""
        return self.folder / FOLDER

    @property
    def controls(self) -> Path:
        """The folder with a folder for each kind of change of the learning settings."""
        return self.folder / "controls"

    @property
    def pretraining(self) -> Path:
        """The folder with a folder for each kind of weights."""
        return self.folder / "pretrain"

    @property
    def engine(self) -> Path:
        """The report of ``gata bench engine``."""
        return self.folder / "engine" / "bench.json"

    def probing(self, negatives: str) -> Path:
        """The file of ``gata probe`` with this kind of unrelated pairs."""
        return self.folder / "probe" / f"{negatives}.json"


@dataclass(frozen=True)
class Figures:
    """A table with what it is."""

    title: str
    about: str
    make: Callable[[Sources], Table]
    source: Callable[[Sources], Path] = lambda sources: sources.records
    """The file or folder without which there is no table."""

    def table(self, sources: Sources) -> Table:
        """Made of the raw results, its marks explained."""
        return explained(self.make(sources))

    def is_there(self, sources: Sources) -> bool:
        """Whether there is something to make it of."""
        return self.source(sources).exists()


_Make = Callable[[Results, int], Table]


def _scores(name: str, title: str, about: str, make: _Make) -> dict[str, Figures]:
    """A table of scores for each size of training sets."""

    def made(size: int, sources: Sources) -> Table:
        return make(sources.agents, size)

    return {
        f"{name}-{size}": Figures(f"{title}, {size} training games", about, partial(made, size))
        for size in reversed(SIZES)
    }


def _probing() -> dict[str, Figures]:
    """A table for each kind of unrelated pairs and each metric."""

    def source(negatives: str, sources: Sources) -> Path:
        return sources.probing(negatives)

    def made(negatives: str, metric: str, sources: Sources) -> Table:
        return probing_table(source(negatives, sources), metric)

    return {
        f"probing-{negatives}-{metric}": Figures(
            f"Probing, counterparts from {place}: {measured}",
            "What a linear layer can tell of the relations in a belief; + related, - unrelated"
            " pairs. Means over seeds ± the farthest seed.",
            partial(made, negatives, metric),
            partial(source, negatives),
        )
        for negatives, place in NEGATIVES.items()
        for metric, measured in METRICS.items()
    }


TABLES: Mapping[str, Figures] = {
    **_scores(
        "test",
        "Test scores",
        "The seed that is best on the validation games, as in the paper: the rows of its short"
        " table, and others that were run. Below the scores, games won and the wall clock of a run."
        " ↑: mean relative improvement over Tr-DQN.",
        short_test_table,
    ),
    "improvements": Figures(
        "Relative improvement over Tr-DQN",
        "Of test scores, in percent: the best seeds beside the paper's, then means over all seeds.",
        lambda sources: improvement_table(sources.agents),
    ),
    **_scores(
        "test-full",
        "Test scores in full",
        "Bold: the score of the best seed on validation / paper. Best won: the games that this seed"
        " won. All, all won: the same of all seeds. Last, the wall clock of a run.",
        full_test_table,
    ),
    **_scores(
        "difference",
        "Test scores beside Tr-DQN",
        "In points, means over all seeds of both on the same games.",
        difference_table,
    ),
    "fresh": Figures(
        "Fresh test games",
        "Scores on games that are made as the paper's test games are, but many, and the same agents"
        " on the paper's. Agents may differ by what they were chosen by; docs/results.md says how.",
        lambda sources: fresh_table(
            sources.fresh, [*sources.agents.records, *control_records(sources.controls)]
        ),
        lambda sources: sources.fresh,
    ),
    **_scores(
        "training",
        "Training scores",
        "The best point of the training curve, mean over seeds; games won there, and the wall clock"
        " of a run.",
        training_table,
    ),
    "beyond": Figures(
        "Beyond the paper",
        "Runs that have no place in the paper's tables: other training games, frozen encoders."
        " Means over seeds.",
        lambda sources: beyond_table(sources.agents),
    ),
    "controls": Figures(
        "Controls",
        "Runs with another learning setting, the others the same, beside those of the tables above:"
        " means over seeds. Updates are those of the weights; training scores are the best points"
        " of the training curves; points more are those of the test score, on the same games.",
        lambda sources: controls_table(sources.controls, sources.agents),
        lambda sources: sources.controls,
    ),
    "reloads": Figures(
        "Reloads",
        "How often each seed took up its best weights again, by Algorithm 1 of the paper:"
        " docs/results.md tells what a run would do that only fluctuates.",
        lambda sources: reload_table(sources.agents),
    ),
    "corpora": Figures(
        "Corpora for pre-training",
        "What was collected from the games of the First TextWorld Problems.",
        lambda sources: corpora_table(sources.pretraining),
        lambda sources: sources.pretraining / COUNTS_FILE,
    ),
    "pretraining": Figures(
        "Pre-training",
        "Scores on the test data.",
        lambda sources: pretraining_table(sources.pretraining),
        lambda sources: sources.pretraining,
    ),
    "runs": Figures(
        "What was run",
        "The seeds of each experiment and their hardware, then the fingerprints of their code.",
        lambda sources: coverage_table(sources.agents),
    ),
    "time": Figures(
        "Wall clock",
        "Median over levels, training sets and seeds. At once: how many runs shared the device, as"
        " far as is recorded; hours are longer than those of a lone run. Of gata's own runs those"
        " on an H200 have no record of it: they shared it with up to nine others"
        " (results/agents/README.md). The paper's hours are rounded to days, on one P40 or P100.",
        lambda sources: time_table(sources.agents, sources.pretraining),
    ),
    **_probing(),
    "engine": Figures(
        "The engine",
        "Steps a second by the clock on the wall, and how many times TextWorld's.",
        lambda sources: engine_table(sources.engine),
        lambda sources: sources.engine,
    ),
}
"""By name; in the order of the report."""
