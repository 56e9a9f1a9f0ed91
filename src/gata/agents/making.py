"""From a preset to the brain of an agent: its belief and its action selector."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from gata.agents.presets import Preset
from gata.agents.selector import ActionSelector
from gata.belief.continuous import ContinuousBelief
from gata.belief.discrete import DiscreteBelief
from gata.belief.given import GivenBelief
from gata.belief.interface import Belief, BeliefGraph
from gata.errors import GataError, UsageError
from gata.models import shipped
from gata.models.vocabularies import Vocabularies
from gata.models.vocabularies import shipped as shipped_vocabularies
from gata.models.weights import read_model
from gata.nn.command_generator import CommandGenerator
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.encoders import Encoders
from gata.nn.settings import GraphKind, NetworkSettings
from gata.training.capture import Captured

LOADED_PARTS = ("tables", "graph_encoder")
"""What a selector takes over of trained encoders. Its text encoder has other texts to read."""


@dataclass(frozen=True)
class Brain:
    """A belief and an action selector."""

    preset: Preset
    settings: NetworkSettings
    """Of the selector."""
    selector: ActionSelector
    belief: Belief | None
    """None if the selector reads text alone."""

    @property
    def device(self) -> torch.device:
        """Where it works."""
        return next(self.selector.parameters()).device

    @property
    def state_shape(self) -> tuple[int, ...]:
        """Of one game's belief; nothing if there is none."""
        return self.belief.state_shape if self.belief else (0,)

    @property
    def state_dtype(self) -> torch.dtype:
        """Of beliefs."""
        return self.belief.state_dtype if self.belief else torch.float32

    def initial(self, batch: int) -> Tensor:
        """The beliefs before a game: (batch, *state_shape)."""
        if self.belief is None:
            return torch.zeros(batch, 0, device=self.device)
        return self.belief.initial(batch, self.device)

    def graph(self, states: Tensor) -> BeliefGraph | None:
        """The graphs of beliefs, with all nodes."""
        return self.belief.graph(states) if self.belief else None

    def graph_to_encode(self, states: Tensor) -> BeliefGraph | None:
        """The same for the selector, which needs no nodes that are no part of them."""
        return self.belief.graph_to_encode(states) if self.belief else None


def make_brain(
    preset: Preset,
    *,
    seed: int,
    device: torch.device,
    network: NetworkSettings | None = None,
    vocabularies: Vocabularies | None = None,
) -> Brain:
    """An untrained brain. Its first weights depend on the seed, not on the device.

    Args:
        preset: how it is put together.
        seed: of its random weights.
        device: where it shall work.
        network: sizes, if not the paper's; a loaded graph encoder brings its own.
        vocabularies: of words and graphs, if not the package's.
    """
    vocabularies = vocabularies or shipped_vocabularies()
    settings = selector_settings(preset, network)
    # What is loaded must not shift the random numbers, nor change the caller's.
    belief = make_belief(preset, vocabularies, device)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        selector = ActionSelector(
            vocabularies.lexicon, settings, uses=preset.uses, recurrent=preset.recurrent
        )
    if preset.encoder is not None:
        _take_over(selector, preset)
    return Brain(preset, settings, selector.to(device).eval(), belief)


def selector_settings(preset: Preset, network: NetworkSettings | None) -> NetworkSettings:
    """The sizes of a preset's selector: a loaded graph encoder's, or those wanted."""
    if preset.encoder is not None:
        stored = read_model(shipped.find(preset.encoder)).settings
        if network is not None and replace(network, graph_kind=stored.graph_kind) != stored:
            raise UsageError(f"agent {preset.name}: {preset.encoder} has other sizes")
        return stored
    kind: GraphKind = "continuous" if preset.belief in ("none", "continuous") else "discrete"
    return replace(network or NetworkSettings(), graph_kind=kind)


def _take_over(selector: ActionSelector, preset: Preset) -> None:
    assert preset.encoder is not None
    trained = shipped.load(preset.encoder, role="encoder")
    if not isinstance(trained, Encoders):
        raise GataError(f"{preset.encoder}: has no graph encoder")
    for name in LOADED_PARTS:
        part: nn.Module = getattr(selector.encoders, name)
        part.load_state_dict(getattr(trained, name).state_dict())
        part.requires_grad_(not preset.frozen)


def make_belief(preset: Preset, vocabularies: Vocabularies, device: torch.device) -> Belief | None:
    """The belief of a preset, its updater loaded."""
    if preset.belief == "none":
        return None
    if preset.belief == "given":
        return GivenBelief(vocabularies.graph)
    assert preset.updater is not None
    updater = shipped.load(preset.updater, device, role="updater").requires_grad_(False)
    if preset.belief == "continuous" and isinstance(updater, ContinuousUpdater):
        return ContinuousBelief(updater)
    if preset.belief == "discrete" and isinstance(updater, CommandGenerator):
        return DiscreteBelief(
            updater,
            vocabularies.words,
            vocabularies.graph,
            capture=lambda write: Captured(write, device),
        )
    fitting = "updater/og or updater/coc" if preset.belief == "continuous" else "updater/cg"
    raise UsageError(
        f"{preset.updater}: no updater of {preset.belief} graphs, which {preset.name} needs; give"
        f" {fitting}, or a file of such a model"
    )
