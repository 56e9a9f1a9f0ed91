"""Contrastive observation classification."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from gata.nn.models import ContrastiveClassification
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.lanes import Stretch
from gata.pretrain.order import Ids
from gata.pretrain.tasks.task import Metrics, Split
from gata.pretrain.tasks.walking import GROUPS, WalkingTask, pack_grouped, unpack_grouped
from gata.pretrain.tensors import CorpusTensors
from gata.training.rows import to_device
from gata.training.together import ALONE, Together

TRIES = 8
"""How often another text is drawn for one that is the same as the true one."""


class ContrastiveTask(WalkingTask):
    """Tell each observation from one that belongs elsewhere."""

    model: ContrastiveClassification
    measure = "accuracy"

    def __init__(
        self,
        model: ContrastiveClassification,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        steps: int,
        near: float,
        together: Together = ALONE,
    ) -> None:
        """``near``: the share of false observations that come from the same path."""
        super().__init__(model, data, batch=batch, seed=seed, together=together, steps=steps)
        self.near = near

    def extra(self, stretch: Stretch, number: int) -> tuple[Tensor, ...]:
        """Texts that were not observed, and how much each counts: 0 where it was observed."""
        random = np.random.default_rng([self.seed, number])
        texts, differ = other_texts(self.train, stretch, random, self.near)
        counts = differ / max(1, differ.sum())
        others = self.train.texts.look_up_grouped(texts[:, self._part].ravel(), GROUPS)
        weights = to_device(counts[:, self._part].ravel().astype(np.float32), self.device)
        return *pack_grouped(others), weights

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """Binary cross-entropy of true and false ones, and the state after them."""
        state, steps, extra = self.unpack(batch)
        others, (weights,) = unpack_grouped(extra)
        walked = self.model.walk(steps, state)
        true = self.model.judge(walked, walked.texts)
        false = self.model.judge_texts(walked, others)
        of_false = (functional.softplus(false) * weights).sum()
        return functional.softplus(-true).sum() / self.states + of_false, walked.state

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``accuracy`` over both kinds, and ``loss``, the sum of both kinds' cross-entropies.

        False observations are drawn as in training; ``anywhere`` is the accuracy if all of them
        are drawn from the whole split.
        """
        data = self.data[split]
        # Drawn for the whole split, so that nobody's company decides which texts are false.
        steps = every_step(data.corpus)
        random = np.random.default_rng(self.seed)
        false_texts = [other_texts(data, steps, random, near)[0][0] for near in (self.near, 0.0)]
        drawn, anywhere = _Tally(), _Tally()
        state = self.model.initial(0)
        for counted in self.paths(split, at_most):
            if counted.is_first:
                state = self.model.initial(counted.counts.shape[1])
            walked = self.model.walk(counted.steps, state)
            state = walked.state
            true = self.model.judge(walked, walked.texts)
            counts = to_device(counted.counts, self.device).flatten()
            true_texts = data.corpus.record_text[counted.stretch.records].ravel()
            for tally, texts in zip((drawn, anywhere), false_texts, strict=True):
                others = texts[counted.cells].ravel()
                is_pair = counts & to_device(others != true_texts, self.device)
                false = self.model.judge_texts(walked, data.texts.look_up_grouped(others, GROUPS))
                tally.add(true[is_pair], false[is_pair])
        return {
            "loss": drawn.loss / drawn.pairs,
            "accuracy": drawn.right / drawn.pairs / 2,
            "anywhere": anywhere.right / anywhere.pairs / 2,
        }


@dataclass
class _Tally:
    """Sums over pairs of a true and a false observation."""

    pairs: int = 0
    right: float = 0.0
    loss: float = 0.0

    def add(self, true: Tensor, false: Tensor) -> None:
        """Logits of pairs."""
        self.pairs += len(true)
        self.right += float((true > 0).sum() + (false <= 0).sum())
        self.loss += float((functional.softplus(-true) + functional.softplus(false)).sum())


def every_step(corpus: Corpus) -> Stretch:
    """All steps of all paths, in the order of the corpus: (1, steps)."""
    lengths = corpus.paths.lengths
    records = corpus.paths.values.astype(np.int64)
    paths = np.repeat(np.arange(len(lengths)), lengths)
    starts = np.zeros(len(records), np.bool_)
    starts[corpus.paths.offsets[:-1]] = True
    return Stretch(records[None], paths[None], starts[None])


def other_texts(
    data: CorpusTensors, stretch: Stretch, random: np.random.Generator, near: float
) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """For each step the number of a text that was not observed there.

    Args:
        data: where the texts are from.
        stretch: the steps, (T, B).
        random: decides.
        near: the share that is drawn from the same path, from any step of it; the others are
            drawn from all records.

    Returns:
        (T, B) texts, and booleans: false where no text could be found that differs.
    """
    corpus = data.corpus
    true = corpus.record_text[stretch.records].astype(np.int64)
    offsets, lengths = corpus.paths.offsets, corpus.paths.lengths
    found = true.copy()
    for _ in range(TRIES):
        places = (random.random(true.shape) * lengths[stretch.paths]).astype(np.int64)
        same_path = corpus.paths.values[offsets[stretch.paths] + places]
        anywhere = random.integers(len(corpus.record_text), size=true.shape)
        record = np.where(random.random(true.shape) < near, same_path, anywhere)
        found = np.where(found == true, corpus.record_text[record], found)
    return found.astype(np.int64), found != true
