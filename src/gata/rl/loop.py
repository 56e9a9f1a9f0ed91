"""The training loop: Algorithm 1 of the paper."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gata import console
from gata.agents.greedy import GreedyAgent
from gata.agents.making import Brain, make_brain
from gata.agents.playing import Episode, play, summarise
from gata.agents.presets import Preset, find
from gata.agents.stored import save_agent
from gata.games.catalogue import Split
from gata.games.game import Game
from gata.games.store import load_level, load_set
from gata.models.weights import check_tensors
from gata.nn.settings import NetworkSettings
from gata.rl.about import Weights, weights_to_tell
from gata.rl.machine import assemble
from gata.rl.rollout import Finished
from gata.rl.settings import TrainSettings
from gata.training.checkpoint import circumstances, prefixed, under
from gata.training.device import get_ready
from gata.training.interruption import Interruption
from gata.training.progress import Clock, Losses
from gata.training.run import Run
from gata.training.together import expect_nobody

SAVE_EVERY_S = 120.0
"""A run that is killed loses at most about so much."""

GameSets = Mapping[Split, Sequence[Game]]


def load_games(settings: TrainSettings) -> GameSets:
    """The training, validation and test games of a run."""
    return {
        "train": load_set(settings.training_set),
        "valid": load_level(settings.level, "valid"),
        "test": load_level(settings.level, "test"),
    }


def train(
    settings: TrainSettings,
    folder: Path,
    device: torch.device,
    *,
    preset: Preset | None = None,
    network: NetworkSettings | None = None,
    games: GameSets | None = None,
    wandb: str | None = None,
) -> dict[str, Any]:
    """Train an agent, or go on training it, in a run's folder; returns the results.

    The arguments are those of ``open_run``.
    """
    found = open_run(
        settings, folder, device, preset=preset, network=network, games=games, wandb=wandb
    )
    return found.train() if isinstance(found, Trainer) else found


def open_run(
    settings: TrainSettings,
    folder: Path,
    device: torch.device,
    *,
    preset: Preset | None = None,
    network: NetworkSettings | None = None,
    games: GameSets | None = None,
    wandb: str | None = None,
) -> "Trainer | dict[str, Any]":
    """The trainer of a run, or its results if it is over.

    Args:
        settings: who learns what, and how.
        folder: of the run.
        device: where.
        preset: the agent, if not the one of the settings' name.
        network: sizes of the networks, if not the paper's.
        games: if not those the settings say.
        wandb: the project on Weights & Biases that gets the metrics too, if any.
    """
    expect_nobody(settings.name)
    preset = preset or find(settings.agent)
    about: dict[str, Mapping[str, Any]] = {"settings": asdict(settings), "agent": asdict(preset)}
    if network is not None:
        about["network"] = asdict(network)
    if (weights := weights_to_tell(folder, preset)) != Weights():
        about["weights"] = asdict(weights)
    if games is not None:
        about["games"] = {split: [game.name for game in games[split]] for split in games}
    run = Run(folder, about, wandb)
    if run.results is not None:
        console.note(f"{folder}: this run is over, nothing to do")
        return run.results
    get_ready(device)
    brain = make_brain(preset, seed=settings.seed, device=device, network=network)
    return Trainer(settings, brain, games or load_games(settings), run)


@dataclass
class Progress:
    """How far a run is; everything here is in its checkpoint."""

    episodes: int = 0
    steps: int = 0
    """Of the games."""
    updates: int = 0
    owed: int = 0
    """Steps since the last update."""
    valid: float = 0.0
    """The last validation score, 0 to 100,"""
    best: float = 0.0
    """and the best so far."""
    evaluations: int = 0
    setbacks: int = 0
    """Evaluations in a row that were worse than the best."""
    reloads: int = 0
    """How often the best weights were taken up again."""
    seconds: float = 0.0
    """Spent so far, evaluations included."""


class Trainer:
    """Plays, learns, reports, evaluates, saves."""

    def __init__(self, settings: TrainSettings, brain: Brain, games: GameSets, run: Run) -> None:
        self.settings, self.learning = settings, settings.learning
        self.brain, self.games, self.run = brain, games, run
        self.progress = Progress()
        machine = assemble(settings, brain, games["train"])
        self.random, self.texts, self.replay = machine.random, machine.texts, machine.replay
        self.rollout, self.learner = machine.rollout, machine.learner
        self._best = {name: value.clone() for name, value in brain.selector.state_dict().items()}
        self._best_episodes: list[Episode] = []
        self._greedy = GreedyAgent(brain)
        self._recent = Recent()
        self._losses = Losses(brain.device)
        self._clock = Clock()

    def train(
        self, stop: Interruption | None = None, bars: console.Bars | None = None
    ) -> dict[str, Any]:
        """Train to the end, test the best weights, write the results.

        Args:
            stop: tells when to stop, if not this run alone decides.
            bars: to show the progress among others.
        """
        self._resume()
        self._clock.go_on(self.progress.seconds)
        total = self.learning.episodes
        bar = console.Bar(f"training {self.settings.name}", total, bars)
        with bar, nullcontext(stop) if stop else Interruption() as stop:
            while self.progress.episodes < total:
                self._step(bar)
                if stop.wanted:
                    self._save()
                    stop.leave(self.run.folder)
                if self._clock.since_saved > SAVE_EVERY_S:
                    self._save()
        self._save()  # who stops it now has lost a test, and no training
        return self._finish()

    def _step(self, bar: console.Bar) -> None:
        progress, learning = self.progress, self.learning
        before = progress.episodes
        stepped = self.rollout.step(learning.epsilon(before))
        progress.episodes += len(stepped.finished.scores)
        progress.steps += stepped.played
        self._recent.add(stepped.finished)
        self._learn(stepped.played)
        if self._passed(before, learning.target_every):
            self.learner.copy_to_target()
        if self._passed(before, learning.report_every):
            self._report(bar)
        if progress.updates and self._passed(before, learning.evaluate_every):
            self._evaluate()

    def _passed(self, before: int, every: int) -> bool:
        return self.progress.episodes // every > before // every

    def _learn(self, played: int) -> None:
        """As many updates as the steps are worth, however many games are played at once."""
        progress, learning = self.progress, self.learning
        if progress.episodes < learning.learn_after or self.replay.size < learning.batch:
            return
        progress.owed += played
        while progress.owed >= learning.update_every:
            progress.owed -= learning.update_every
            share = progress.episodes / learning.episodes
            self._losses.add(self.learner.learn(self.random, share))
            progress.updates += 1

    def _mean_loss(self) -> float:
        """Since the last report; a loss that is no number ends the training."""
        return self._losses.mean(self.run.folder, self.progress.updates)

    def _report(self, bar: console.Bar) -> None:
        progress, recent = self.progress, self._recent
        values = {
            "episodes": progress.episodes,
            "steps": progress.steps,
            "epsilon": self.learning.epsilon(progress.episodes),
            "loss": self._mean_loss(),
            "replay": self.replay.size,
            "replay_mean_reward": self.replay.mean_reward,
            **recent.means(),
        }
        self.run.report("train", progress.updates, values)
        seconds = max(1e-9, self._clock.here)
        done = progress.episodes
        bar.show(
            min(done, self.learning.episodes),
            f"{(done - recent.first) / seconds:.1f} episodes/s,"
            f" {(progress.updates - recent.first_update) / seconds:.1f} updates/s,"
            f" epsilon {values['epsilon']:.2f}, train {values['score']:.1f},"
            f" valid {progress.valid:.1f}, best {progress.best:.1f}",
        )
        self._losses.clear()
        recent.clear()

    # Evaluation.

    def _evaluate(self) -> None:
        progress = self.progress
        episodes = self._play("valid")
        summary = summarise(episodes)
        progress.evaluations += 1
        progress.valid = summary.score
        if summary.score >= progress.best:
            progress.best, progress.setbacks = summary.score, 0
            state = self.brain.selector.state_dict()
            self._best = {name: value.clone() for name, value in state.items()}
            self._best_episodes = episodes
            self._save_weights({"valid": asdict(summary)})
        elif progress.setbacks > self.learning.patience:
            self.brain.selector.load_state_dict(self._best)
            self.learner.copy_to_target()
            progress.setbacks = 0
            progress.reloads += 1
        else:
            progress.setbacks += 1
        values = {"episodes": progress.episodes, **asdict(summary), "best": progress.best}
        self.run.report("valid", progress.updates, values)

    def _play(self, split: Split) -> list[Episode]:
        return play(self._greedy, self.games[split], step_limit=self.learning.step_limit)

    def _save_weights(self, card: Mapping[str, Any]) -> None:
        settings = asdict(self.settings)
        save_agent(self.run.weights, self.brain, {"settings": settings, **card})

    # Checkpoints.

    def _save(self) -> None:
        self._mean_loss()
        tensors = {
            **prefixed("online", self.brain.selector.state_dict()),
            **prefixed("target", self.learner.target.state_dict()),
            **prefixed("best", self._best),
            **prefixed("optimizer", self.learner.update.tensors()),
            **prefixed("replay", self.replay.tensors()),
            **prefixed("rollout", self.rollout.tensors()),
            "texts.values": self.texts.tokens.values,
            "texts.lengths": torch.from_numpy(self.texts.tokens.lengths.copy()),
            "loss_sum": self._losses.sum,
        }
        state = {
            "progress": {**vars(self.progress), "seconds": self._clock.seconds},
            "losses": self._losses.count,
            "best_episodes": [asdict(episode) for episode in self._best_episodes],
            "recent": vars(self._recent),
            "replay": self.replay.numbers(),
            "random": self.random.bit_generator.state,
        }
        self.run.save(tensors, state)
        self._clock.saved()

    def _resume(self) -> None:
        kept = self.run.resume()
        if kept is None:
            return
        tensors, state = kept
        self.progress = Progress(**state["progress"])
        self._recent = Recent(**state["recent"])
        self._recent.first = self.progress.episodes
        self._recent.first_update = self.progress.updates
        for name, network in (("online", self.brain.selector), ("target", self.learner.target)):
            weights = under(name, tensors)
            check_tensors(self.run.checkpoint, weights, network.state_dict())
            network.load_state_dict(weights)
        self._best = _on(self.brain.device, under("best", tensors))
        self.learner.update.restore(under("optimizer", tensors))
        self.texts.restore(tensors["texts.values"].numpy(), tensors["texts.lengths"].numpy())
        self.replay.restore(under("replay", tensors), state["replay"])
        self.rollout.restore(under("rollout", tensors))
        self.random.bit_generator.state = state["random"]
        self._losses.sum.copy_(tensors["loss_sum"])
        self._losses.count = state["losses"]
        self._best_episodes = [Episode(**episode) for episode in state["best_episodes"]]
        console.note(f"{self.run.folder}: going on after episode {self.progress.episodes}")

    def _finish(self) -> dict[str, Any]:
        """Test the weights that were best on the validation games."""
        if not self.progress.evaluations:
            self._evaluate()
        self._mean_loss()
        seconds = round(self._clock.seconds, 1)
        self.brain.selector.load_state_dict(self._best)
        episodes = self._play("test")
        results = {
            "test": asdict(summarise(episodes)),
            "valid": asdict(summarise(self._best_episodes)),
            "episodes": self.progress.episodes,
            "steps": self.progress.steps,
            "updates": self.progress.updates,
            "training_seconds": seconds,
            **circumstances(self.brain.device),
        }
        self._save_weights(results)
        games = {"valid_games": self._best_episodes, "test_games": episodes}
        results = {
            "name": self.settings.name,
            **results,
            **{split: [asdict(episode) for episode in played] for split, played in games.items()},
        }
        self.run.finish(results)
        self.run.drop_checkpoint()  # with its replay it is a hundred times larger than the weights
        return results


@dataclass
class Recent:
    """What happened since the last report."""

    count: int = 0
    score: float = 0.0
    won: int = 0
    steps: int = 0
    kept: int = 0
    first: int = 0
    """Episodes before this process began: they say nothing about its pace."""
    first_update: int = 0

    def add(self, finished: Finished) -> None:
        """Count episodes."""
        self.count += len(finished.scores)
        self.score += float(finished.scores.sum())
        self.won += int(finished.won.sum())
        self.steps += int(finished.steps.sum())
        self.kept += int(finished.kept.sum())

    def means(self) -> dict[str, float]:
        """Per episode; scores and successes in percent."""
        count = max(1, self.count)
        return {
            "score": 100 * self.score / count,
            "success": 100 * self.won / count,
            "length": self.steps / count,
            "kept": self.kept / count,
        }

    def clear(self) -> None:
        """Begin to count anew."""
        self.count = self.won = self.steps = self.kept = 0
        self.score = 0.0


def _on(device: torch.device, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.to(device) for name, tensor in tensors.items()}
