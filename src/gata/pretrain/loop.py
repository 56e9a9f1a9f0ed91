"""The training loop all tasks share."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gata import console
from gata.models.weights import check_tensors, load_model, save_model
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.settings import TaskSettings
from gata.pretrain.tasks.making import make_task
from gata.pretrain.tasks.task import Metrics, Split, Task
from gata.pretrain.tensors import CorpusTensors
from gata.training.checkpoint import circumstances, prefixed, under
from gata.training.device import get_ready
from gata.training.interruption import Interruption
from gata.training.progress import Clock, Losses
from gata.training.run import Run
from gata.training.together import ALONE, Together
from gata.training.update import Update

REPORT_EVERY = 50
"""Updates between two lines in the metrics."""
SAVE_EVERY_S = 60.0
"""A run that is killed loses at most about so much."""

SPLITS: tuple[Split, ...] = ("train", "valid", "test")


def open_data(folder: Path, device: torch.device) -> dict[Split, CorpusTensors]:
    """The three splits of a corpus made by ``gata pretrain data``."""
    return {split: CorpusTensors(Corpus.open(folder / split), device) for split in SPLITS}


def train(
    settings: TaskSettings,
    data_folder: Path,
    folder: Path,
    device: torch.device,
    *,
    wandb: str | None = None,
    together: Together = ALONE,
) -> Metrics:
    """Train, or go on training, in a run's folder; returns the test metrics.

    Args:
        settings: of the task.
        data_folder: the corpus.
        folder: of the run.
        device: to train on.
        wandb: the project on Weights & Biases that gets the metrics too, if any.
        together: the processes that train, each of which calls this.
    """
    data = open_data(data_folder, device)
    about: dict[str, dict[str, Any]] = {
        "settings": {"task": settings.task, **asdict(settings)},
        "data": {split: vars(data[split].corpus.request) for split in SPLITS},
    }
    run = Run(folder, about, wandb, writes=together.leads)
    if run.ended() is not None:
        return run.result("metrics")
    get_ready(device)
    task = make_task(settings, data, device, together)
    return Trainer(settings, task, run, together).train()


@dataclass
class Progress:
    """How far a run is; everything here is in its checkpoint."""

    update: int = 0
    evaluated: int = 0
    """Evaluations so far."""
    best: float | None = None
    """The best validation measure so far."""
    seconds: float = 0.0
    """Spent so far, evaluations included."""


class Trainer:
    """Updates, reports, evaluates, saves."""

    def __init__(
        self, settings: TaskSettings, task: Task, run: Run, together: Together = ALONE
    ) -> None:
        self.settings, self.task, self.run, self.together = settings, task, run, together
        self.progress = Progress()
        self.update = Update(
            list(task.model.parameters()),
            task.loss,
            learning_rate=settings.learning_rate,
            clip=settings.clip,
            together=together,
        )
        self._losses = Losses(task.device)
        self._loss: float | None = None
        """The mean in the last report of this process."""
        self._clock = Clock()

    def train(self) -> Metrics:
        """Train to the end, test the best weights, write the results."""
        with self.run.held():
            # Several processes have seen together that it is not over.
            if self.together is ALONE and self.run.ended() is not None:
                return self.run.result("metrics")
            self._resume()
            self._learn_all()
            with self.together.leader_first():
                if self.together.leads:
                    self._finish()
            return self.run.result("metrics")

    def _learn_all(self) -> None:
        """Update until all examples are drawn."""
        self._clock.go_on(self.progress.seconds)
        total = self.settings.examples
        done = min(self.task.drawn, total)
        bar = console.Bar(f"training {self.settings.name}", total, done=done)
        with bar, Interruption() as stop:
            self._show(bar)
            while self.task.drawn < total:
                self._step(bar)
                if self.together.any(stop.wanted):
                    self._save()
                    self.together.wait()  # who leaves earlier looks like a failure to torchrun
                    stop.leave(self.run.folder)
            if self._losses.count:
                self._report()
                self._show(bar)

    def _step(self, bar: console.Bar) -> None:
        progress = self.progress
        self.update.set_rate(self._rate())
        self.task.model.train()
        loss, *others = self.update(self.task.batch(progress.update))
        self.task.after(*others)
        self._losses.add(loss)
        progress.update += 1
        if self._losses.count == REPORT_EVERY:
            self._report()
        self._show(bar)
        if self._evaluations_due() > progress.evaluated:
            self._evaluate()
            self._save()
        elif self.together.any(self._clock.since_saved > SAVE_EVERY_S):
            self._save()

    def _rate(self) -> float:
        if self.settings.schedule == "constant":
            return self.settings.learning_rate
        share = min(1.0, self.task.drawn / self.settings.examples)
        return self.settings.learning_rate * (1 + math.cos(math.pi * share)) / 2

    def _report(self) -> None:
        progress = self.progress
        loss = self._losses.mean(self.run.folder, progress.update)
        self._losses.clear()
        values = {"examples": self.task.drawn, "loss": loss, "learning_rate": self._rate()}
        self.run.report("train", progress.update, values)
        self._loss = loss

    def _show(self, bar: console.Bar) -> None:
        """After each update; waits for no device."""
        loss, best = (
            "-" if number is None else f"{number:.4g}"
            for number in (self._loss, self.progress.best)
        )
        remark = f"loss {loss}, best valid {self.task.measure} {best}"
        bar.show(min(self.task.drawn, self.settings.examples), remark)

    def _evaluations_due(self) -> int:
        share = min(1.0, self.task.drawn / self.settings.examples)
        return int(self.settings.evaluations * share)

    def _evaluate(self) -> None:
        progress = self.progress
        progress.evaluated = self._evaluations_due()
        if not self.together.leads:
            return
        metrics = self._metrics("valid", self.settings.valid_examples)
        self.run.report("valid", progress.update, {"examples": self.task.drawn, **metrics})
        value = metrics[self.task.measure]
        sign = 1 if self.task.higher_is_better else -1
        if progress.best is None or sign * value > sign * progress.best:
            progress.best = value
            self._save_weights({"valid": metrics})

    def _metrics(self, split: Split, at_most: int | None) -> Metrics:
        self.task.model.eval()
        return self.task.evaluate(split, at_most)

    def _save_weights(self, card: Mapping[str, Any]) -> None:
        """Write the weights as they would be shipped, in half precision, with a card."""
        save_model(
            self.run.weights,
            self.task.model,
            kind=self.settings.task,
            settings=self.settings.network,
            card={"name": self.settings.name, "settings": asdict(self.settings), **card},
        )

    def _save(self) -> None:
        tensors = {
            **prefixed("model", self.task.model.state_dict()),
            **prefixed("task", self.task.memory()),
            **prefixed("optimizer", self.update.tensors()),
            "loss_sum": self._losses.sum,
        }
        state = {
            "progress": {**vars(self.progress), "seconds": self._clock.seconds},
            "losses": self._losses.count,
            "position": self.task.position(),
        }
        self.run.save(tensors, state)
        self._clock.saved()

    def _resume(self) -> None:
        kept = self.run.resume()
        if kept is None:
            return
        with self.run.taking_up():
            self._take_up(*kept)
        console.note(f"{self.run.folder}: going on after update {self.progress.update}")

    def _take_up(self, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
        self.progress = Progress(**state["progress"])
        weights, model = under("model", tensors), self.task.model
        check_tensors(self.run.checkpoint, weights, model.state_dict())
        model.load_state_dict(weights)
        self.task.seek(state["position"])
        self.task.recall(under("task", tensors))
        self.update.restore(under("optimizer", tensors))
        self._losses.sum.copy_(tensors["loss_sum"])
        self._losses.count = state["losses"]

    def _finish(self) -> None:
        """Test the best weights, as they are in the file: in half precision."""
        console.note(f"{self.run.folder}: trained, now testing the best weights")
        best = load_model(self.run.weights)
        self.task.model.load_state_dict(best.state_dict())
        seconds = round(self._clock.seconds, 3)
        metrics = self._metrics("test", self.settings.test_examples)
        results = {
            "metrics": metrics,
            "valid": {self.task.measure: self.progress.best},
            "data": {split: self.task.data[split].corpus.request.games for split in SPLITS},
            "updates": self.progress.update,
            "examples": self.task.drawn,
            "training_seconds": seconds,
            "processes": self.together.count,
            **circumstances(self.task.device),
        }
        self._save_weights(results)
        self.run.finish({"name": self.settings.name, **results})
