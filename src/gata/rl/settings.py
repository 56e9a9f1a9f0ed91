"""What decides the course of a training; the defaults are the paper's."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from gata.errors import UsageError
from gata.games.settings import MIXED_LEVEL
from gata.ranges import Amount, Count, PositiveAmount, Range, Seed, Share, Some, check_ranges

Games = Literal["1", "20", "100", "unlimited"]
"""The paper's sizes of training sets, or thousands of fresh games."""


@dataclass(frozen=True, kw_only=True)
class LearningSettings:
    """How an agent learns: Algorithm 1 of the paper, with its values."""

    episodes: Some = 100_000
    """How many episodes to play."""
    step_limit: Some = 50
    """An episode ends after so many steps, in training and evaluation."""
    parallel: Some = 25
    """How many games are played at once."""
    update_every: Some = 50
    """One update of the weights per so many steps, counted over all parallel games."""
    learn_after: Count = 100
    """The first update comes after so many episodes."""
    batch: Some = 64
    """How many steps (of recurrent agents: windows of steps) an update learns from."""
    learning_rate: PositiveAmount = 1e-3
    """The learning rate of the optimiser, RAdam."""
    clip: PositiveAmount = 5.0
    """The largest norm of the gradient; a longer one is clipped."""
    discount: Share = 0.9
    """The share of its worth that a reward keeps per step that it is later (gamma)."""
    multi_step: Some = 3
    """Returns are of n steps (n-step returns), n drawn from 1 to this. Recurrent agents take 1, as
    in the authors' code."""
    bootstrap_time_outs: bool = False
    """Take the step limit for an interruption: the value of the state there counts. In the paper
    games end there like any other."""
    epsilon_start: Share = 1.0
    """The share of commands that are random at first (epsilon)."""
    epsilon_end: Share = 0.1
    """The share of commands that are random in the end."""
    epsilon_after: Count = 0
    """Epsilon begins to fall after so many episodes."""
    epsilon_episodes: Some = 20_000
    """Epsilon falls evenly over so many episodes, from its start to its end."""
    replay: Some = 500_000
    """How many steps are remembered (the size of the replay buffer)."""
    priority: Share = 0.6
    """Steps are drawn in proportion to their error to this power (alpha of prioritised replay)."""
    correction: Share = 0.4
    """The power of the importance weights at first (beta of prioritised replay); it goes evenly to
    that at the end."""
    correction_end: Share = 1.0
    """The power of the importance weights at the end of the training. If both are 0, nothing is
    corrected: what is drawn more often counts more."""
    push_tolerance: Amount = 0.1
    """An episode is remembered if its mean reward is at least so many times that of all remembered
    steps (tau in the paper)."""
    scout_episodes: Count = 0
    """So many random episodes are played before all others, by the engine alone, thousands a
    second; the paper has none."""
    scout_keep: Some = 100
    """So many of the scouting episodes, the best, are remembered."""
    target_every: Some = 500
    """The weights are copied to the target network every so many episodes."""
    report_every: Some = 100
    """A line of the metrics is written every so many episodes."""
    evaluate_every: Some = 1_000
    """The validation games are played every so many episodes."""
    patience: Count = 3
    """After more than so many evaluations in a row that were worse than the best, the best weights
    are taken up again."""
    window: Some = 8
    """Recurrent agents learn from so many steps in a row: a window."""
    burn_in: Some = 4
    """The first so many steps of a window only bring the memory up to date."""
    bonus: Amount = 0.1
    """What an observation that is new in its episode is worth to agents that count (tr-drqn+)."""
    bonus_discount: Share = 0.5
    """The share of its worth that the bonus keeps per step that it is later, within n steps. It has
    no effect where n is 1, and so on none of the presets: the one that counts, tr-drqn+, is
    recurrent."""

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.burn_in >= self.window:
            raise UsageError(
                f"burn_in is {self.burn_in}, expected 1 to {self.window - 1}, less than window"
            )
        least = self.parallel * (self.step_limit + 1)
        if self.replay < least:
            raise UsageError(
                f"replay is {self.replay}, expected {least} or more: all parallel games may end"
                " at once"
            )

    def epsilon(self, episodes: int) -> float:
        """How often a random command is taken after so many episodes."""
        share = min(1.0, max(0, episodes - self.epsilon_after) / self.epsilon_episodes)
        return self.epsilon_start + share * (self.epsilon_end - self.epsilon_start)


@dataclass(frozen=True, kw_only=True)
class TrainSettings:
    """Who learns what."""

    agent: str = "gata-coc-text"
    """A preset: tr-dqn, gata-coc-text, gtf-sp ... (`gata agents` lists them)."""
    level: Annotated[int, Range(1, MIXED_LEVEL)] = 1
    """The level of difficulty, 1 to 5."""
    games: Games = "100"
    """How many training games; unlimited ones are made by TextWorld, once, and never meet a
    validation or test game."""
    seed: Seed = 1
    """The seed of weights, games, exploration and replay."""
    learning: LearningSettings = field(default_factory=LearningSettings)

    def __post_init__(self) -> None:
        check_ranges(self)

    @property
    def training_set(self) -> str:
        """The name of the training games."""
        kind = self.games if self.games == "unlimited" else f"train/{self.games}"
        return f"level{self.level}/{kind}"

    @property
    def name(self) -> str:
        """Of the run."""
        return f"{self.agent}-level{self.level}-{self.games}games-seed{self.seed}"
