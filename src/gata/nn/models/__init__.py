"""The whole networks of the pre-training tasks: encoders, what is learnt, and the task's head."""

from gata.nn.models.contrastive import ContrastiveClassification
from gata.nn.models.infomax import NodeInfomax
from gata.nn.models.observation_generation import ObservationGeneration
from gata.nn.models.recurrent import Recurrent, Steps, Walked
from gata.nn.models.text_observation_generation import TextObservationGeneration
from gata.nn.models.transition import TransitionModel, Transitions

__all__ = [
    "ContrastiveClassification",
    "NodeInfomax",
    "ObservationGeneration",
    "Recurrent",
    "Steps",
    "TextObservationGeneration",
    "TransitionModel",
    "Transitions",
    "Walked",
]
