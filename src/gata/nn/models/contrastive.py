"""Contrastive observation classification (COC): the belief graph must know a true observation."""

from torch import Tensor

from gata.nn.discriminators import ObservationDiscriminator
from gata.nn.masking import Encoded
from gata.nn.models.belief_walk import BeliefWalk
from gata.nn.models.recurrent import Walked
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon


class ContrastiveClassification(BeliefWalk):
    """Tells the O_t that was observed from one that was not, given G_t and A_{t-1}."""

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__(lexicon, settings)
        self.discriminator = ObservationDiscriminator(settings.hidden)

    def judge(self, walked: Walked, observations: Encoded) -> Tensor:
        """Was this observed there?

        Args:
            walked: what was made of T steps of B games.
            observations: true or false ones, encoded alone: (T * B, length, H).

        Returns:
            (T * B,) logits; above 0 means true.
        """
        logits: Tensor = self.discriminator(walked.memory, walked.action, observations)
        return logits

    def judge_texts(self, walked: Walked, texts: Tensor) -> Tensor:
        """``judge`` for texts that are not encoded yet, (T, B, length) word ids."""
        encoded = self.updater.encoders.text(texts.flatten(0, 1), walked.tables)
        return self.judge(walked, encoded)
