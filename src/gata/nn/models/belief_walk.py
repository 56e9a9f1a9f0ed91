"""Walking through games with the continuous updater."""

import torch
from torch import Tensor

from gata.nn.aggregator import Aggregator
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.masking import Encoded
from gata.nn.models.recurrent import Recurrent, Steps, Walked, encode_grouped, forget
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon


class BeliefWalk(Recurrent):
    """The updater, and an aggregator of its graphs G_t with the actions A_{t-1}.

    What a task reads of G_t is what the next step's update reads, so each graph is encoded once;
    texts do not depend on the walk and are encoded all together.
    """

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        self.updater = ContinuousUpdater(lexicon, settings)
        self.aggregator = Aggregator(settings.hidden)

    def initial(self, batch: int) -> Tensor:
        """h_0 = 0."""
        return self.updater.initial(batch)

    def walk(self, steps: Steps, state: Tensor) -> Walked:
        """See ``Recurrent``."""
        encoders = self.updater.encoders
        tables = encoders.tables()
        texts = encode_grouped(encoders.text_encoder, steps.observations, tables.words)
        actions = encoders.text(steps.actions, tables)
        nothing = self.updater.encode(self.initial(1), tables).values
        graph = self.updater.encode(state, tables)
        graphs = []
        for starts, text, action in zip(
            steps.starts, _by_step(texts, steps), _by_step(actions, steps), strict=True
        ):
            known = torch.where(starts[:, None, None], nothing, graph.values)
            state = self.updater(forget(state, starts), Encoded(known, graph.mask), text, action)
            graph = self.updater.encode(state, tables)
            graphs.append(graph)
        every = Encoded(*(torch.cat(parts) for parts in zip(*graphs, strict=True)))
        action, memory = self.aggregator(actions, every)
        return Walked(tables, texts, memory, action, state)


def _by_step(encoded: Encoded, steps: Steps) -> list[Encoded]:
    shape = steps.starts.shape
    values = encoded.values.view(*shape, *encoded.values.shape[1:]).unbind(0)
    masks = encoded.mask.view(*shape, -1).unbind(0)
    return [Encoded(*pair) for pair in zip(values, masks, strict=True)]
