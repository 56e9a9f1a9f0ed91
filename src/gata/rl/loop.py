"""The training loop: Algorithm 1 of the paper."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from typing import Any

from torch import Tensor

from gata import console, source
from gata.agents.greedy import GreedyAgent
from gata.agents.making import Brain
from gata.agents.playing import Episode, play, summarise
from gata.agents.stored import save_agent
from gata.games.catalogue import Split
from gata.rl.game_sets import GameSets
from gata.rl.machine import assemble
from gata.rl.patience import Verdict, judge
from gata.rl.progress import Paces, Progress, Recent
from gata.rl.remark import remark
from gata.rl.settings import TrainSettings
from gata.training.checkpoint import circumstances, prefixed, under
from gata.training.interruption import Interruption
from gata.training.progress import Clock, Losses
from gata.training.run import Run

SAVE_EVERY_S = 120.0
"""A run that is killed loses at most about so much,"""
SAVING_SHARE = 0.02
"""unless saving would take more than this share of the time: a full replay is half a gigabyte."""


class Trainer:
    """Plays, learns, reports, evaluates, saves."""

    def __init__(self, settings: TrainSettings, brain: Brain, games: GameSets, run: Run) -> None:
        self.settings, self.learning = settings, settings.learning
        self.brain, self.games, self.run = brain, games, run
        self.progress = Progress()
        self.machine = assemble(settings, brain, games["train"])
        self.learner, self.replay = self.machine.learner, self.machine.replay
        self._best = {name: value.clone() for name, value in brain.selector.state_dict().items()}
        self._best_episodes: list[Episode] = []
        self._greedy = GreedyAgent(brain)
        self._recent = Recent()
        self._losses = Losses(brain.device)
        self._clock = Clock()
        self._saving_s = 0.0
        """How long the last checkpoint took to write."""
        self._paces = Paces(self.progress)
        source.fingerprint()  # of the code that trains, not of what it may be changed to meanwhile

    def train(
        self, stop: Interruption | None = None, bars: console.Bars | None = None
    ) -> dict[str, Any]:
        """Train to the end, test the best weights, write the results.

        Args:
            stop: tells when to stop, if not this run alone decides.
            bars: to show the progress among others.
        """
        with self.run.held():
            if (results := self.run.ended()) is not None:
                return results
            with nullcontext(stop) if stop else Interruption() as stop:
                self._begin(stop, bars)
                self._learn_all(stop, bars)
            return self._finish(bars)

    def _learn_all(self, stop: Interruption, bars: console.Bars | None) -> None:
        """Play and learn until all episodes are over, and save."""
        self._paces = Paces(self.progress)
        total = self.learning.episodes
        done = min(self.progress.episodes, total)
        with console.Bar(f"training {self.settings.name}", total, bars, done=done) as bar:
            self._show(bar)
            while self.progress.episodes < total:
                self._step(bar)
                self._leave_if_wanted(stop)
                if self._clock.since_saved > max(SAVE_EVERY_S, self._saving_s / SAVING_SHARE):
                    self._save()
            self._save()  # who stops it now has lost a test, and no training

    def _leave_if_wanted(self, stop: Interruption) -> None:
        if stop.wanted:
            self._save()
            stop.leave(self.run.folder)

    def _step(self, bar: console.Bar) -> None:
        progress, learning = self.progress, self.learning
        before = progress.episodes
        stepped = self.machine.rollout.step(learning.epsilon(before))
        progress.episodes += len(stepped.finished.scores)
        progress.steps += stepped.played
        self._recent.add(stepped.finished)
        self._learn(stepped.played)
        if self._passed(before, learning.target_every):
            self.learner.copy_to_target()
        if self._passed(before, learning.report_every):
            self._report()
        # The last weights, too, may be the best.
        is_over = progress.episodes >= learning.episodes
        if progress.updates and (is_over or self._passed(before, learning.evaluate_every)):
            self._evaluate(bar)
        self._show(bar)

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
            self._losses.add(self.learner.learn(self.machine.random, share))
            progress.updates += 1

    def _mean_loss(self) -> float:
        """Since the last report; a loss that is no number ends the training."""
        return self._losses.mean(self.run.folder, self.progress.updates)

    def _report(self) -> None:
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
        self._losses.clear()
        recent.clear()

    def _show(self, bar: console.Bar) -> None:
        """After each step; waits for no device."""
        progress, learning = self.progress, self.learning
        epsilon = learning.epsilon(progress.episodes)
        line = remark(progress, self._recent, epsilon, self._paces.reach(progress))
        bar.show(min(progress.episodes, learning.episodes), line)

    # Evaluation.

    def _evaluate(self, bar: console.Bar) -> None:
        self._mean_loss()  # weights that are no numbers need no evaluation
        progress = self.progress
        done = min(progress.episodes, self.learning.episodes)
        episodes = self._play("valid", lambda _, games: bar.show(done, f"evaluating: {games}"))
        summary = summarise(episodes)
        progress.evaluations += 1
        progress.valid = summary.score
        verdict, progress.setbacks = judge(
            summary.score, progress.best, progress.setbacks, self.learning.patience
        )
        if verdict is Verdict.BEST:
            progress.best = summary.score
            state = self.brain.selector.state_dict()
            self._best = {name: value.clone() for name, value in state.items()}
            self._best_episodes = episodes
            self._save_weights({"valid": asdict(summary)})
        elif verdict is Verdict.RELOAD:
            self.brain.selector.load_state_dict(self._best)
            self.learner.copy_to_target()
            progress.reloads += 1
        values = {
            "episodes": progress.episodes,
            **asdict(summary),
            "best": progress.best,
            "setbacks": progress.setbacks,
            "reloads": progress.reloads,
        }
        self.run.report("valid", progress.updates, values)

    def _playing_bar(self, what: str, bars: console.Bars | None) -> console.Bar:
        return console.Bar(f"{what} {self.settings.name}", self.learning.step_limit, bars)

    def _play(self, split: Split, show: Callable[[int, str], None]) -> list[Episode]:
        limit = self.learning.step_limit
        return play(self._greedy, self.games[split], step_limit=limit, show=show)

    def _save_weights(self, card: Mapping[str, Any]) -> None:
        settings = asdict(self.settings)
        save_agent(self.run.weights, self.brain, {"settings": settings, **card})

    # Checkpoints.

    def _save(self) -> None:
        start = self._clock.seconds
        self._mean_loss()
        tensors = {
            **self.machine.tensors(),
            **prefixed("best", self._best),
            "loss_sum": self._losses.sum,
        }
        state = {
            **self.machine.state(),
            "progress": {**vars(self.progress), "seconds": self._clock.seconds},
            "losses": self._losses.count,
            "best_episodes": [asdict(episode) for episode in self._best_episodes],
            "recent": vars(self._recent),
        }
        self.run.save(tensors, state)
        self._clock.saved()
        self._saving_s = self._clock.seconds - start

    def _begin(self, stop: Interruption, bars: console.Bars | None) -> None:
        """Begin, or go on. What was scouted is saved: it may have taken minutes."""
        kept = self.run.resume()
        if kept is not None:
            with self.run.taking_up():
                self._take_up(*kept)
            console.note(f"{self.run.folder}: going on after episode {self.progress.episodes}")
        self._clock.go_on(self.progress.seconds)
        if kept is None and (found := self.machine.scout(self.settings.seed, bars)):
            self.run.report("scout", 0, found)
            self._save()
            self._leave_if_wanted(stop)

    def _take_up(self, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
        self.machine.restore(tensors, state, self.run.checkpoint)
        best = under("best", tensors)
        self._best = {name: value.to(self.brain.device) for name, value in best.items()}
        self._losses.sum.copy_(tensors["loss_sum"])
        self.progress = Progress(**state["progress"])
        self._losses.count = state["losses"]
        self._best_episodes = [Episode(**episode) for episode in state["best_episodes"]]
        self._recent = Recent(**state["recent"])

    def _why_not_learnt(self) -> str:
        """For what the first update was still waiting when the run ended."""
        learning = self.learning
        if self.progress.episodes < learning.learn_after:
            return f"learning begins after {learning.learn_after} episodes"
        if self.replay.size < learning.batch:
            return f"{self.replay.size} steps are remembered, and an update draws {learning.batch}"
        return f"there is an update every {learning.update_every} steps, and there were fewer"

    def _finish(self, bars: console.Bars | None) -> dict[str, Any]:
        """Test the weights that were best on the validation games."""
        if not self.progress.updates:
            console.note(f"{self.run.folder}: nothing was learnt: {self._why_not_learnt()}")
        if not self.progress.evaluations:
            with self._playing_bar("evaluating", bars) as bar:
                self._evaluate(bar)
        self._mean_loss()
        seconds = round(self._clock.seconds, 3)
        self.brain.selector.load_state_dict(self._best)
        with self._playing_bar("testing", bars) as bar:
            episodes = self._play("test", bar.show)
        results = {
            "test": asdict(summarise(episodes)),
            "valid": asdict(summarise(self._best_episodes)),
            "episodes": self.progress.episodes,
            "steps": self.progress.steps,
            "updates": self.progress.updates,
            "reloads": self.progress.reloads,
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
