"""Observation generation, from the belief graph or (the probing task's rival) from an LSTM."""

import torch
from torch import Tensor

from gata.language.vocabulary import BOS, EOS
from gata.nn.generation import write_greedily
from gata.nn.masking import Encoded
from gata.nn.models import ObservationGeneration, Steps, TextObservationGeneration, Walked
from gata.pretrain.marks import teacher_forcing, text_loss
from gata.pretrain.scores import bag_f1
from gata.pretrain.tasks.task import Metrics, Split
from gata.pretrain.tasks.walking import Counted, WalkingTask
from gata.pretrain.tensors import to_device


class ObservationTask(WalkingTask):
    """Write each observation; the loss is the paper's, minus log-likelihood per observation."""

    model: ObservationGeneration | TextObservationGeneration
    measure = "loss"
    higher_is_better = False

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """The mean over all steps, and the state after them."""
        *texts, state = batch
        steps = Steps(*texts)
        walked = self.model.walk(steps, state)
        return self._text_losses(steps, walked).mean(), walked.state

    def _text_losses(self, steps: Steps, walked: Walked) -> Tensor:
        """(T * B,)."""
        read, said = teacher_forcing(steps.observations.flatten(0, 1))
        odds = self.model.decoder(
            read, walked.tables.words, walked.memory, walked.action, steps.actions.flatten(0, 1)
        )
        return text_loss(odds, said)

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``loss`` per observation, and ``f1`` of the words of freely written ones."""
        losses, scores = 0.0, 0.0
        texts = 0
        state = self.model.initial(0)
        for counted in self.paths(split, at_most):
            if counted.is_first:
                state = self.model.initial(counted.counts.shape[1])
            walked = self.model.walk(counted.steps, state)
            state = walked.state
            counts = to_device(counted.counts, self.device).flatten()
            if not counted.counts.any():
                continue
            losses += float(self._text_losses(counted.steps, walked)[counts].sum())
            scores += self._f1(counted, walked, counts)
            texts += int(counted.counts.sum())
        return {"loss": losses / texts, "f1": scores / texts}

    def _f1(self, counted: Counted, walked: Walked, counts: Tensor) -> float:
        """The sum over the texts that count."""
        true = counted.steps.observations.flatten(0, 1)[counts]
        written = self.write(counted.steps, walked, counts)
        return sum(
            bag_f1(words_of(ours), words_of(theirs))
            for ours, theirs in zip(written.tolist(), true.tolist(), strict=True)
        )

    def write(self, steps: Steps, walked: Walked, chosen: Tensor) -> Tensor:
        """Write the observations of some of the steps: (texts, length) ids."""
        return write_greedily(
            self.model.decoder,
            walked.tables.words,
            Encoded(*(part[chosen] for part in walked.memory)),
            Encoded(*(part[chosen] for part in walked.action)),
            steps.actions.flatten(0, 1)[chosen],
            begin=BOS,
            end=EOS,
            max_length=steps.observations.shape[-1] + 1,
        )


def words_of(ids: list[int]) -> list[int]:
    """The words before the end mark, without marks and padding."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return [word for word in ids[:end] if word > EOS]
