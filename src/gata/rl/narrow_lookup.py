"""The lookup of a CPU: it calculates as little as it can.

Texts of similar length stand together, only the commands that occur are encoded, and where single
steps are learnt only those of the states that follow are looked at whose value counts (recurrent
agents walk through every state of a window).
"""

from collections.abc import Hashable, Sequence

import numpy as np
import torch
from torch import Tensor

from gata.agents.commands import START
from gata.agents.thinking import with_actions
from gata.nn.tokens import Grouped
from gata.rl.looking_up import Lookup, Offers
from gata.training.rows import Ids, Rows, cheapest_sizes, group_by_length, to_device


class NarrowLookup(Lookup):
    """As little padding as there can be."""

    @property
    def version(self) -> Hashable:
        """Nothing is captured."""
        return None

    def need(self, seen_at: Sequence[Tensor], chosen_at: Tensor, asked_at: Tensor) -> Tensor:
        """Nothing is known before."""
        return torch.zeros((), dtype=torch.int64)

    def make_room(self, need: Tensor) -> Hashable:
        """Nothing is captured."""
        return None

    def worth_asking(self, discounts: Tensor) -> Tensor | slice:
        """Those whose value counts; one if there are none, since networks want something."""
        return discounts.nonzero().squeeze(1) if discounts.any() else slice(1)

    def _read(self, places: Tensor) -> Grouped:
        steps = self.replay.steps
        tokens = self.texts.tokens
        texts = steps.texts[places].numpy().astype(np.int64)
        lengths = tokens.lengths[texts]
        parts, stands_at = group_by_length(lengths, cheapest_sizes(lengths))
        grouped = Grouped(
            tuple(_look_up(tokens, texts[part]) for part in parts),
            to_device(stands_at, self.replay.device),
        )
        if not self._reads_actions:
            return grouped
        previous = steps.previous[places].numpy().astype(np.int64)
        return with_actions(grouped, _look_up(self.book.tokens, previous))

    def offers(self, chosen_at: Tensor, asked_at: Tensor) -> Offers:
        """See ``Lookup``; only commands that occur are among the words."""
        steps, device = self.replay.steps, self.replay.device
        counts = steps.counts[asked_at].numpy().astype(np.int64)
        most = max(1, int(counts.max()))
        asked = steps.candidates[asked_at][..., :most].numpy().astype(np.int64)
        allowed = np.arange(most) < counts[..., None]
        asked[~allowed] = START
        chosen = self._given(chosen_at).numpy()
        both = np.concatenate([chosen.ravel(), asked.ravel()])
        distinct, places = self.book.distinct(both)
        first, rest = places[: chosen.size], places[chosen.size :]
        return Offers(
            _look_up(self.book.tokens, distinct),
            to_device(first.reshape(chosen.shape), device),
            to_device(rest.reshape(asked.shape), device),
            to_device(allowed, device),
        )


def _look_up(rows: Rows, numbers: Ids) -> Tensor:
    """Rows as wide as the longest of them: where nothing is captured, any width will do."""
    width = max(1, int(rows.lengths[numbers].max()))
    return rows.take(torch.from_numpy(numbers), width)
