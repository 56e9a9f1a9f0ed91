"""Observation generation (OG): the belief graph must be able to tell what was observed."""

from gata.nn.decoders import ObservationDecoder
from gata.nn.models.belief_walk import BeliefWalk
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon


class ObservationGeneration(BeliefWalk):
    """Writes O_t from G_t and A_{t-1}; only G_t knows anything of O_t."""

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__(lexicon, settings)
        self.decoder = ObservationDecoder(
            settings.hidden, len(lexicon.word_vectors), settings.max_length
        )
