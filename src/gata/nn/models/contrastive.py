"""Contrastive observation classification (COC): the belief graph must know a true observation."""

from torch import Tensor

from gata.nn.discriminators import ObservationDiscriminator
from gata.nn.masking import Encoded
from gata.nn.models.belief_walk import BeliefWalk
from gata.nn.models.recurrent import Walked, encode_grouped
from gata.nn.settings import NetworkSettings
from gata.nn.tokens import Grouped
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

    def judge_texts(self, walked: Walked, texts: Grouped) -> Tensor:
        """``judge`` for T * B texts that are not encoded yet."""
        encoder = self.updater.encoders.text_encoder
        return self.judge(walked, encode_grouped(encoder, texts, walked.tables.words))
