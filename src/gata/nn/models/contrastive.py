"""Contrastive observation classification (COC): the belief graph must know a true observation."""

from torch import Tensor

from gata.nn.discriminators import ObservationDiscriminator
from gata.nn.models.belief_walk import BeliefWalk
from gata.nn.models.recurrent import Steps
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon


class ContrastiveClassification(BeliefWalk):
    """Tells the O_t that was observed from one that was not, given G_t and A_{t-1}."""

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__(lexicon, settings)
        self.discriminator = ObservationDiscriminator(settings.hidden)

    def forward(self, steps: Steps, others: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Judge the observation of each step and another one.

        Args:
            steps: T steps of B games.
            others: (T, B, length) word ids of texts that were not observed there.
            state: (B, H) before the first of them.

        Returns:
            (T * B,) logits of the true ones, the same of the others, and the state after.
        """
        walked = self.walk(steps, state)
        false = self.updater.encoders.text(others.flatten(0, 1), walked.tables)
        return (
            self.discriminator(walked.memory, walked.action, walked.texts),
            self.discriminator(walked.memory, walked.action, false),
            walked.state,
        )
