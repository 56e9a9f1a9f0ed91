"""``gata bench train``: how fast agents learn on the device at hand."""

from dataclasses import dataclass

from gata import console
from gata.devices import choose_device
from gata.errors import UsageError
from gata.rl.settings import LearningSettings, TrainSettings

MATTERS = (
    *("step_limit", "parallel", "update_every", "batch", "multi_step", "replay"),
    *("window", "burn_in"),
)
"""The settings of learning on which its speed depends. The others are not asked for."""


@dataclass(frozen=True)
class BenchTrain:
    """Measure play and updates of agents: milliseconds of each part, steps and episodes a second.

    The games are those of a level's training set; the replay is filled by random play first.
    """

    agents: tuple[str, ...] = (
        *("tr-dqn", "tr-drqn", "tr-drqn+"),
        *("gata-coc", "gata-coc-text", "gtp", "gtp-text", "gtf", "gtf-text"),
    )
    """Which agents (`gata agents` lists them). By default one of each kind: agents that differ only
    by where their first weights come from take as long."""
    level: int = 1
    """The level of difficulty, 1 to 5, whose training games are played."""
    rounds: int = 10
    """How often each part is measured."""
    step_limit: int = LearningSettings.step_limit
    """An episode ends after so many steps."""
    parallel: int = LearningSettings.parallel
    """How many games are played at once."""
    update_every: int = LearningSettings.update_every
    """One update of the weights per so many steps, counted over all parallel games."""
    batch: int = LearningSettings.batch
    """How many steps (of recurrent agents: windows of steps) an update learns from."""
    multi_step: int = LearningSettings.multi_step
    """Returns are of up to so many steps (n-step returns); those of recurrent agents of 1."""
    replay: int = LearningSettings.replay
    """How many steps are remembered (the size of the replay buffer)."""
    window: int = LearningSettings.window
    """Recurrent agents learn from so many steps in a row: a window."""
    burn_in: int = LearningSettings.burn_in
    """The first so many steps of a window only bring the memory up to date."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Measure and print."""
        from gata.agents.presets import find
        from gata.rl.benchmark import Speed, measure
        from gata.training.checkpoint import hardware

        if not self.agents:
            raise UsageError("--agents is empty, expected at least one")
        if self.rounds < 1:
            raise UsageError(f"--rounds is {self.rounds}, expected 1 or more")
        for agent in self.agents:
            find(agent)
        device = choose_device(self.device)
        learning = LearningSettings(**{name: getattr(self, name) for name in MATTERS})
        speeds = [
            measure(
                TrainSettings(agent=agent, level=self.level, learning=learning),
                device,
                self.rounds,
            )
            for agent in console.track(self.agents, "measuring", len(self.agents))
        ]
        columns = [name.replace("_", " ") for name in Speed._fields]
        if self.json:  # for a reader elsewhere
            columns.append("hardware")
            console.table(columns, [(*speed, hardware(device)) for speed in speeds], as_json=True)
        else:
            console.table(columns, speeds)
