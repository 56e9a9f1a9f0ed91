"""Observation generation, from the belief graph or (the probing task's rival) from an LSTM."""

from collections.abc import Iterator

import torch
from torch import Tensor

from gata.language.vocabulary import BOS, EOS
from gata.nn.generation import write_greedily
from gata.nn.masking import Encoded
from gata.nn.models import ObservationGeneration, Steps, TextObservationGeneration, Walked
from gata.pretrain.marks import teacher_forcing, text_loss
from gata.pretrain.scores import bag_f1
from gata.pretrain.tasks.task import Metrics, Split
from gata.pretrain.tasks.walking import WalkingTask
from gata.training.rows import to_device

MAX_OBSERVATION_WORDS = 200
"""The longest text a model may write, its end mark included; the same for all, as in the authors'
code, whatever the true texts beside it."""


class ObservationTask(WalkingTask):
    """Write each observation; the loss is the paper's, minus log-likelihood per observation."""

    model: ObservationGeneration | TextObservationGeneration
    measure = "loss"
    higher_is_better = False

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """The mean over all steps, and the state after them."""
        state, steps, _ = self.unpack(batch)
        walked = self.model.walk(steps, state)
        return self._text_losses(steps, walked).sum() / self.states, walked.state

    def _text_losses(self, steps: Steps, walked: Walked) -> Tensor:
        """(T * B,), in the order of the groups."""
        losses = []
        for texts, chosen in zip(steps.observations.groups, steps.observations.order, strict=True):
            read, said = teacher_forcing(texts)
            memory, action = _rows(walked.memory, chosen), _rows(walked.action, chosen)
            odds = self.model.decoder(
                read, walked.tables.words, memory, action, steps.actions[chosen]
            )
            losses.append(text_loss(odds, said))
        return torch.cat(losses)

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``loss`` per observation, and ``f1`` of the words of freely written ones."""
        loss = score = texts = 0.0
        state = self.model.initial(0)
        for counted in self.paths(split, at_most):
            if counted.is_first:
                state = self.model.initial(counted.counts.shape[1])
            walked = self.model.walk(counted.steps, state)
            state = walked.state
            if not counted.counts.any():
                continue
            counts = to_device(counted.counts, self.device).flatten()
            in_groups = counts[torch.cat(counted.steps.observations.order)]
            loss += float(self._text_losses(counted.steps, walked)[in_groups].sum())
            for written, true in self.write(counted.steps, walked, counts):
                score += bag_f1(words_of(written), words_of(true))
                texts += 1
        return {"loss": loss / texts, "f1": score / texts}

    def write(
        self, steps: Steps, walked: Walked, wanted: Tensor
    ) -> Iterator[tuple[list[int], list[int]]]:
        """Write the observations of the steps where ``wanted``, (T * B,), is true.

        Yields:
            The ids of a written text and of the true one.
        """
        for texts, order in zip(steps.observations.groups, steps.observations.order, strict=True):
            chosen = order[wanted[order]]
            if not len(chosen):
                continue
            written = write_greedily(
                self.model.decoder,
                walked.tables.words,
                _rows(walked.memory, chosen),
                _rows(walked.action, chosen),
                steps.actions[chosen],
                begin=BOS,
                end=EOS,
                max_length=MAX_OBSERVATION_WORDS,
            )
            yield from zip(written.tolist(), texts[wanted[order]].tolist(), strict=True)


def _rows(encoded: Encoded, chosen: Tensor) -> Encoded:
    return Encoded(encoded.values[chosen], encoded.mask[chosen])


def words_of(ids: list[int]) -> list[int]:
    """The words before the end mark, without marks and padding."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return [word for word in ids[:end] if word > EOS]
