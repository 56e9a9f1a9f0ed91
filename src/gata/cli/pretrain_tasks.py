"""``gata pretrain og | coc | ...``: a command for each task."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from gata import console
from gata.cli.options import UNTITLED, unset
from gata.devices import choose_device
from gata.files import check_folder, check_writable
from gata.pretrain.settings import (
    ApSettings,
    CgSettings,
    CocSettings,
    DgiSettings,
    OgSettings,
    SpSettings,
    TaskSettings,
    TextOgSettings,
)

Folder = Annotated[Path | None, unset("DIR")]


@dataclass(frozen=True, kw_only=True)
class Training:
    """What all training commands have in common."""

    settings: TaskSettings
    data: Folder = None
    """The corpus that `gata pretrain data` wrote; by default the pre-training games', made first
    if need be."""
    output: Annotated[Path | None, unset("DIR", "-o")] = None
    """The run's folder; by default runs/pretrain/ and the name of the weights. The same command
    goes on where it was stopped."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""
    wandb: Annotated[str | None, unset("PROJECT")] = None
    """Send the metrics to this project on Weights & Biases, too (needs the [wandb] extra)."""
    json: bool = False
    """Print the results as JSON."""

    def run(self) -> None:
        """Train, test, print."""
        from gata.paper.pretraining import PAPER_SCORES
        from gata.pretrain.loop import train
        from gata.training.together import join

        name = self.settings.name
        folder = self.output or Path("runs/pretrain") / name
        check_writable(folder, "--output")  # a corpus may have to be made first
        with join(choose_device(self.device)) as (together, device):
            with together.leader_first():
                data = corpus_folder(self.data)
            metrics = train(
                self.settings, data, folder, device, wandb=self.wandb, together=together
            )
            paper = PAPER_SCORES.get(name, {})
            rows = [[name, metric, value, paper.get(metric)] for metric, value in metrics.items()]
            console.table(["weights", "test metric", "ours", "paper"], rows, as_json=self.json)
            console.note(f"the run is in {folder}")


def corpus_folder(given: Path | None) -> Path:
    """The corpus that was named, or the pre-training games', made if need be."""
    from gata.pretrain.data.collect import default_folder, obtain, split_sets
    from gata.pretrain.data.settings import BRANCH, SEED

    if given is not None:
        check_folder(given, "--data")
        return given
    folder = default_folder("ftwp")
    for split, name in split_sets("ftwp").items():
        obtain(name, folder / split, seed=SEED, branch=BRANCH, jobs=None, again=False)
    return folder


@dataclass(frozen=True, kw_only=True)
class Og(Training):
    """Observation generation: the belief graph must be able to tell what was observed."""

    settings: Annotated[OgSettings, UNTITLED] = field(default_factory=OgSettings)


@dataclass(frozen=True, kw_only=True)
class Coc(Training):
    """Contrastive observation classification: the belief graph must know a true observation."""

    settings: Annotated[CocSettings, UNTITLED] = field(default_factory=CocSettings)


@dataclass(frozen=True, kw_only=True)
class TextOg(Training):
    """Observation generation from an LSTM over text, the rival in the probing task."""

    settings: Annotated[TextOgSettings, UNTITLED] = field(default_factory=TextOgSettings)


@dataclass(frozen=True, kw_only=True)
class Cg(Training):
    """Command generation: write the commands that update a discrete graph."""

    settings: Annotated[CgSettings, UNTITLED] = field(default_factory=CgSettings)


@dataclass(frozen=True, kw_only=True)
class Ap(Training):
    """Action prediction: which action led from this graph to that one?"""

    settings: Annotated[ApSettings, UNTITLED] = field(default_factory=ApSettings)


@dataclass(frozen=True, kw_only=True)
class Sp(Training):
    """State prediction: to which graph does this action lead?"""

    settings: Annotated[SpSettings, UNTITLED] = field(default_factory=SpSettings)


@dataclass(frozen=True, kw_only=True)
class Dgi(Training):
    """Deep Graph Infomax: tell the nodes of a graph from shuffled ones."""

    settings: Annotated[DgiSettings, UNTITLED] = field(default_factory=DgiSettings)
