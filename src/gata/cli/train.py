"""``gata train``: letting an agent learn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from gata import console
from gata.cli.cautions import tell_if_idle, tell_if_short
from gata.cli.options import UNTITLED, unset
from gata.devices import choose_device
from gata.errors import UsageError
from gata.files import check_writable
from gata.rl.settings import TrainSettings

if TYPE_CHECKING:
    from gata.agents.presets import Preset
    from gata.rl.about import About


RESULT_COLUMNS = (
    *("agent", "level", "games", "seed"),
    *("valid score %", "test score %", "test won %", "reloads", "seconds"),
)


def result_row(settings: TrainSettings, results: Mapping[str, Any]) -> list[Any]:
    """``RESULT_COLUMNS`` of a run."""
    test = results["test"]
    return [
        *(settings.agent, settings.level, settings.games, settings.seed),
        *(results["valid"]["score"], test["score"], test["success"]),
        *(results["reloads"], results["training_seconds"]),
    ]


@dataclass(frozen=True)
class Train:
    """Train an agent by reinforcement, then test it.

    The same command goes on where it was stopped, and so does --resume with the run's folder.
    """

    settings: Annotated[TrainSettings, UNTITLED] = field(default_factory=TrainSettings)
    updater: Annotated[str | None, unset("NAME")] = None
    """Another graph updater than the agent's own: a name such as updater/og, or a file."""
    encoder: Annotated[str | None, unset("NAME")] = None
    """Another origin of the graph encoder's weights: a name such as encoder/sp-full, or a file."""
    output: Annotated[Path | None, unset("DIR", "-o")] = None
    """The run's folder; by default runs/train/ and a name made of agent, games and seed."""
    resume: Annotated[Path | None, unset("DIR")] = None
    """Go on with the run in this folder. All other settings are its own; one that contradicts
    them is refused, unless it is a default."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""
    wandb: Annotated[str | None, unset("PROJECT")] = None
    """Send the metrics to this project on Weights & Biases, too (needs the [wandb] extra)."""
    json: bool = False
    """Print the results as JSON."""

    def run(self) -> None:
        """Train, test, print."""
        from gata.rl.about import About, read_about
        from gata.rl.opening import Job

        if self.resume is not None:
            about, folder = read_about(self.resume), self.resume
            self._expect_agreement(about, folder)
        else:
            about = About(self.settings, self._preset())
            folder = self.output or Path("runs/train") / self.settings.name
            check_writable(folder, "--output")
        settings = about.settings
        job = Job(settings, folder, about.agent, about.network, wandb=self.wandb)
        device = choose_device(self.device)
        tell_if_short(settings.learning, [folder], folder)
        tell_if_idle(settings.learning, {folder: about.agent})
        results = job.train(device)
        if self.json:
            console.print_json(results)
        else:
            console.table(RESULT_COLUMNS, [result_row(settings, results)])
        console.note(f"the run is in {folder}")

    def _expect_agreement(self, about: "About", folder: Path) -> None:
        """Refuse what is asked of a run that goes on, and is not its own."""
        from gata.rl.about import check_agreement

        if self.output is not None and self.output.resolve() != folder.resolve():
            raise UsageError(f"--output is {self.output}, but --resume is {folder}: give one")
        check_agreement(about, folder, self.settings, self.updater, self.encoder)

    def _preset(self) -> "Preset":
        from dataclasses import replace

        from gata.agents.presets import find

        preset = find(self.settings.agent)
        if self.updater is not None and preset.updater is None:
            raise UsageError(f"{preset.name} has no updater, leave --updater out")
        if self.encoder is not None and preset.uses == "text":
            raise UsageError(f"{preset.name} has no graph encoder, leave --encoder out")
        return replace(
            preset,
            updater=self.updater or preset.updater,
            encoder=self.encoder or preset.encoder,
        )
