"""Playing to learn: many games at once, what happens goes into the replay."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.agents.actor import Actor, Situation
from gata.engine import Outputs, State, VectorEnv
from gata.rl.draft import Draft
from gata.rl.replay import Replay
from gata.rl.settings import LearningSettings
from gata.rl.steps import STATE_ONLY, Steps
from gata.rl.targets import GOES_ON, TERMINAL, TIME_OUT
from gata.rl.texts import TextBook
from gata.training.rows import Ids, to_device

Bools = npt.NDArray[np.bool_]


class Finished(NamedTuple):
    """Episodes that ended in a step; (episodes,) each."""

    scores: npt.NDArray[np.float64]
    """Shares of the games' points."""
    won: Bools
    steps: Ids
    kept: Bools
    """Whether they went into the replay."""


class Stepped(NamedTuple):
    """What a step of all games brought."""

    played: int
    """Steps that were taken: games that begin take none."""
    finished: Finished


class Script(NamedTuple):
    """What to do in a step, if it is not the policy that decides; (games,) each."""

    choices: Ids
    """Places among the candidates."""
    kept: Bools
    """Whether an episode that is over goes into the replay."""


class Rollout:
    """Plays games by an epsilon-greedy policy."""

    def __init__(
        self,
        env: VectorEnv,
        actor: Actor,
        replay: Replay,
        texts: TextBook,
        settings: LearningSettings,
        random: np.random.Generator,
    ) -> None:
        self.env, self.actor, self.replay, self.texts = env, actor, replay, texts
        self.settings, self.random = settings, random
        self.draft = Draft.empty(env.batch, settings.step_limit, actor.brain.initial(env.batch))
        self._rows = np.arange(env.batch)
        env.reset()

    def step(self, epsilon: float, script: Script | None = None) -> Stepped:
        """One step of every game; a game that is over begins anew instead.

        Args:
            epsilon: how often a command is chosen by chance.
            script: to be followed instead.
        """
        outputs = self.env.outputs
        situation = self.actor.observe(outputs)
        texts = self.texts.enter(outputs.observation, outputs.observation_length)
        # Copies: the engine writes over its outputs in the next step.
        over, steps = outputs.done != 0, outputs.steps.astype(np.int64)
        self._arrive(outputs, texts, over)
        self._note(steps, texts, situation)
        finished = self._finish(outputs, over, script)
        choices = script.choices if script else self._choose(situation, epsilon)
        self.actor.did(situation.candidates[self._rows, choices])
        self.env.step_candidates(choices)
        self.draft.choices[self._rows, steps] = choices
        self.draft.rewards[self._rows, steps] = np.where(over, 0, outputs.reward)
        return Stepped(int((~over).sum()), finished)

    def _arrive(self, outputs: Outputs, texts: Ids, over: Bools) -> None:
        """Note what came of the last command, where there was one."""
        rows = np.flatnonzero(outputs.steps > 0)
        last = outputs.steps[rows] - 1
        draft = self.draft
        past = np.arange(draft.texts.shape[1]) <= last[:, None]
        met = (draft.texts[rows] == texts[rows, None]) & past
        draft.novel[rows, last] = ~met.any(1)
        end = np.where((outputs.won | outputs.lost)[rows] != 0, TERMINAL, TIME_OUT)
        draft.ends[rows, last] = np.where(over[rows], end, GOES_ON)

    def _note(self, steps: Ids, texts: Ids, situation: Situation) -> None:
        """Note the states the games are in."""
        draft, at = self.draft, (self._rows, steps)
        most = situation.candidates.shape[1]
        draft.widen(most)
        draft.texts[at] = texts
        draft.previous[at] = situation.previous
        draft.candidates[at] = 0
        draft.candidates[self._rows, steps, :most] = situation.candidates
        draft.counts[at] = situation.counts
        draft.ends[at] = STATE_ONLY
        device = self.actor.device
        draft.beliefs[to_device(self._rows, device), to_device(steps, device)] = situation.beliefs

    def _finish(self, outputs: Outputs, over: Bools, script: Script | None) -> Finished:
        """Remember the episodes that are over, if they are good enough, or the script says so."""
        rows = np.flatnonzero(over)
        steps = outputs.steps[rows].astype(np.int64)
        scores = outputs.score[rows] / outputs.max_score[rows]
        rewards = self.draft.rewards[rows]
        is_of_episode = np.arange(rewards.shape[1]) < steps[:, None]
        means = (rewards * is_of_episode).sum(1) / np.maximum(steps, 1)
        good = means >= self.settings.push_tolerance * self.replay.mean_reward
        kept = script.kept[rows] if script else good
        self._push(rows[kept], steps[kept])
        return Finished(scores, outputs.won[rows] != 0, steps, kept)

    def _push(self, rows: Ids, steps: Ids) -> None:
        if not len(rows):
            return
        draft = self.draft
        timed_out = draft.ends[rows, steps - 1] == TIME_OUT
        records = steps + (timed_out & self.settings.bootstrap_time_outs)
        game, step = np.nonzero(np.arange(draft.texts.shape[1]) < records[:, None])
        at = (rows[game], step)
        device = self.replay.device
        ends = draft.ends[at]
        names = ("texts", "previous", "candidates", "counts", "choices", "novel")
        columns = {name: to_device(getattr(draft, name)[at], device) for name in names}
        self.replay.push(
            Steps(
                **columns,
                rewards=to_device(draft.rewards[at].astype(np.float32), device),
                ends=to_device(ends, device),
                # From 1: places that were never filled belong to episode 0.
                episodes=to_device((self.replay.pushed + 1 + game).astype(np.int32), device),
                beliefs=draft.beliefs[to_device(at[0], device), to_device(step, device)],
            ),
            draft.rewards[at],
            ends != STATE_ONLY,
        )
        self.replay.pushed += len(rows)

    def _choose(self, situation: Situation, epsilon: float) -> Ids:
        """Places of commands among the candidates."""
        batch = len(situation.counts)
        explore = self.random.random(batch) < epsilon
        anything = (self.random.random(batch) * situation.counts).astype(np.int64)
        # Who takes no advice needs none; but a memory must see every step.
        if explore.all() and not self.actor.brain.selector.recurrent:
            return anything
        best = self.actor.values(situation).argmax(1).cpu().numpy()
        choice: Ids = np.where(explore, anything, best)
        return choice

    # For checkpoints.

    def tensors(self) -> dict[str, Tensor]:
        """Everything that ``restore`` needs: the games, their drafts, beliefs and memories."""
        arrays = {f"draft.{name}": value for name, value in vars(self.draft).items()}
        saved = self.env.save()
        # Not every tool knows unsigned numbers of 64 bits.
        signed = {
            f"games.{name}": array.view(np.int64) if array.dtype == np.uint64 else array
            for name, array in saved._asdict().items()
        }
        return {
            **{
                name: value if isinstance(value, Tensor) else torch.from_numpy(value.copy())
                for name, value in {**arrays, **signed}.items()
            },
            **self._mind(),
        }

    def _mind(self) -> dict[str, Tensor]:
        mind = {
            "mind.beliefs": self.actor.beliefs,
            "mind.previous": torch.from_numpy(self.actor.previous.copy()),
        }
        if self.actor.memory is not None:
            mind["mind.hidden"], mind["mind.cell"] = self.actor.memory
        return mind

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Go on where ``tensors`` was called."""
        device = self.actor.device
        for name, now in vars(self.draft).items():
            value = tensors[f"draft.{name}"]
            setattr(
                self.draft, name, value.to(device) if isinstance(now, Tensor) else value.numpy()
            )
        games = self.env.save()
        self.env.restore(
            State(
                *(
                    tensors[f"games.{name}"].numpy().view(array.dtype)
                    for name, array in games._asdict().items()
                )
            )
        )
        self.actor.beliefs = tensors["mind.beliefs"].to(device)
        self.actor.previous = tensors["mind.previous"].numpy()
        if self.actor.memory is not None:
            self.actor.memory = tensors["mind.hidden"].to(device), tensors["mind.cell"].to(device)
