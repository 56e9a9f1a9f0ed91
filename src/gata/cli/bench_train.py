"""``gata bench train``: how fast agents learn on the device at hand."""

from dataclasses import dataclass, field

from gata import console
from gata.devices import choose_device
from gata.errors import UsageError
from gata.rl.settings import LearningSettings, TrainSettings


@dataclass(frozen=True)
class BenchTrain:
    """Measure play and updates of agents: milliseconds of each part, steps and episodes a second.

    The games are those of a level's training set; the replay is filled by random play first.
    """

    agents: tuple[str, ...] = ("tr-dqn", "tr-drqn", "gata-coc", "gata-coc-text", "gtf", "gtf-text")
    """Which agents (`gata agents` lists them)."""
    level: int = 1
    """Whose games."""
    rounds: int = 10
    """How often each part is measured."""
    learning: LearningSettings = field(default_factory=LearningSettings)
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Measure and print."""
        from gata.agents.presets import find
        from gata.rl.benchmark import Speed, measure

        if self.rounds < 1:
            raise UsageError(f"--rounds is {self.rounds}, expected 1 or more")
        for agent in self.agents:
            find(agent)
        device = choose_device(self.device)
        speeds = [
            measure(
                TrainSettings(agent=agent, level=self.level, learning=self.learning),
                device,
                self.rounds,
            )
            for agent in console.track(self.agents, "measuring", len(self.agents))
        ]
        columns = [name.replace("_", " ") for name in Speed._fields]
        console.table(columns, speeds, as_json=self.json)
