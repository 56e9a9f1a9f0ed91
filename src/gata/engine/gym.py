"""Gymnasium environments: one per level and split of the paper, single and vectorised.

``gymnasium.make("gata/Level1-train-v0")`` after ``import gata.engine.gym``, or
``gymnasium.make_vec(..., num_envs=64)``.

Actions are places in the list of candidates, observations are token ids. An action beyond the
candidates is the one at that place counted around again, so every member of the (fixed) action
space is legal, as Gymnasium asks; ``infos`` hold a mask of the candidates' own places. What is no
member of the action space is refused.
"""

import operator
import secrets
from collections.abc import Sequence
from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from gata.engine.checks import as_array, whole_numbers
from gata.engine.core import Outputs
from gata.engine.pack import Pack
from gata.engine.tables import Array
from gata.engine.vector_env import PAPER_STEP_LIMIT, VectorEnv
from gata.errors import UsageError
from gata.games.catalogue import SPLITS
from gata.games.game import Game
from gata.games.settings import LEVELS, MIXED_LEVEL

TEXTS = ("observation", "description", "inventory")
GRAPHS = ("full", "seen")


def environment_id(level: int, split: str) -> str:
    """The name under which a level's split is registered."""
    return f"gata/Level{level}-{split}-v0"


def register_all() -> None:
    """Register every level and split with Gymnasium."""
    for level in (*LEVELS, MIXED_LEVEL):
        for split in SPLITS:
            gymnasium.register(
                environment_id(level, split),
                entry_point="gata.engine.gym:GataEnv",
                vector_entry_point="gata.engine.gym:GataVectorEnv",
                kwargs={"games": f"level{level}/{split}"},
            )


def _observation_space(engine: VectorEnv) -> spaces.Dict:
    outputs = engine.outputs
    words = len(engine.vocabulary)
    widths = {name: getattr(outputs, name).shape[1] for name in TEXTS}
    return spaces.Dict(
        {
            **{
                name: spaces.Box(0, words - 1, (width,), np.int32) for name, width in widths.items()
            },
            "candidates": spaces.Box(
                0, len(engine.commands) - 1, (outputs.candidates.shape[1],), np.int32
            ),
            "candidate_count": spaces.Box(0, outputs.candidates.shape[1], (), np.int32),
        }
    )


def _observations(outputs: Outputs) -> dict[str, Array]:
    return {
        **{name: getattr(outputs, name).copy() for name in TEXTS},
        "candidates": outputs.candidates.copy(),
        "candidate_count": outputs.candidate_count.copy(),
    }


def _infos(outputs: Outputs) -> dict[str, Array]:
    width = outputs.candidates.shape[1]
    return {
        **{f"{name}_length": getattr(outputs, f"{name}_length").copy() for name in TEXTS},
        "steps": outputs.steps.copy(),
        "score": outputs.score.copy(),
        "max_score": outputs.max_score.copy(),
        "won": outputs.won == 1,
        "lost": outputs.lost == 1,
        "game": outputs.game.copy(),
        "action_mask": (np.arange(width) < outputs.candidate_count[:, None]).astype(np.int8),
        **{
            f"{graph}_{part}": getattr(outputs, f"{graph}_{part}").copy()
            for graph in GRAPHS
            for part in ("edges", "count")
        },
    }


class GataVectorEnv(gymnasium.vector.VectorEnv[dict[str, Array], Array, Array]):
    """Many games in step; the engine's ``VectorEnv`` in Gymnasium's clothes.

    An episode that is over begins anew at the next step (Gymnasium's ``NEXT_STEP``).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium's own declaration)
        "render_modes": ["ansi"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        games: str | Sequence[Game] | Pack = "level1/train",
        num_envs: int = 1,
        step_limit: int = PAPER_STEP_LIMIT,
        candidate_filter: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode)
        self.engine = VectorEnv(
            games,
            num_envs,
            seed=fresh_seed(),
            step_limit=step_limit,
            candidate_filter=candidate_filter,
            threads=threads,
        )
        self.num_envs = num_envs = self.engine.batch
        self.render_mode = render_mode
        self.single_observation_space = _observation_space(self.engine)
        self.single_action_space = spaces.Discrete(self.engine.outputs.candidates.shape[1])
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, num_envs
        )
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin new episodes.

        Args:
            seed: decides the games from now on, of the rows that are reset; None, for all or for
                a row, goes on with what was drawn before (at first: by chance).
            options: may hold ``reset_mask``, a boolean per row: which rows to reset; ``games``:
                the numbers of the games to play there.
        """
        options = _checked(options, "reset_mask", "games")
        mask = options.get("reset_mask")
        if mask is not None:
            mask = _checked_mask(mask, self.num_envs)
        outputs = self.engine.reset(seed=seed, rows=mask, games=options.get("games"))
        return _observations(outputs), _infos(outputs)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Give every game one of its candidates."""
        outputs = self.engine.step_candidates(_choices(actions, self.engine))
        return (
            _observations(outputs),
            outputs.reward.astype(np.float64),
            (outputs.won | outputs.lost) == 1,
            outputs.truncated == 1,
            _infos(outputs),
        )

    def render(self) -> tuple[str, ...] | None:
        """The last replies, as TextWorld prints them."""
        if self.render_mode != "ansi":
            return None
        return tuple(self.engine.feedback(row) for row in range(self.num_envs))


class GataEnv(gymnasium.Env[dict[str, Array], np.int64]):
    """One game at a time; every ``reset`` draws the next one."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        games: str | Sequence[Game] | Pack = "level1/train",
        step_limit: int = PAPER_STEP_LIMIT,
        candidate_filter: bool = True,
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode)
        self.engine = VectorEnv(games, 1, step_limit=step_limit, candidate_filter=candidate_filter)
        self.render_mode = render_mode
        self.observation_space = cast(
            spaces.Space[dict[str, Array]], _observation_space(self.engine)
        )
        self.action_space = spaces.Discrete(self.engine.outputs.candidates.shape[1])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin the next episode; ``options`` may hold ``game``, a game's number."""
        # Gymnasium takes Python's integers only.
        super().reset(seed=None if seed is None else operator.index(seed))
        game = _checked(options, "game").get("game")
        if game is None:
            game = self.np_random.integers(len(self.engine.pack))
        outputs = self.engine.reset(games=[game])
        return _first(_observations(outputs)), _first(_infos(outputs))

    def step(self, action: np.int64) -> tuple[dict[str, Array], float, bool, bool, dict[str, Any]]:
        """Give a command, by its place among the candidates."""
        outputs = self.engine.outputs
        if outputs.done[0]:
            raise UsageError("the episode is over: call reset")
        outputs = self.engine.step_candidates(_choices([action], self.engine))
        return (
            _first(_observations(outputs)),
            float(outputs.reward[0]),
            bool(outputs.won[0] or outputs.lost[0]),
            bool(outputs.truncated[0]),
            _first(_infos(outputs)),
        )

    def render(self) -> str | None:
        """The last reply, as TextWorld prints it."""
        return self.engine.feedback(0) if self.render_mode == "ansi" else None


def fresh_seed() -> int:
    """A seed nobody can foresee."""
    return secrets.randbits(64)


def _checked(options: dict[str, Any] | None, *known: str) -> dict[str, Any]:
    for name in options or {}:
        if name not in known:
            raise UsageError(f"reset has no option {name!r}, expected {' or '.join(known)}")
    return options or {}


def _checked_mask(mask: npt.ArrayLike, rows: int) -> Array:
    array = as_array(mask, "a mask of rows")
    if array.dtype != np.bool_ or array.shape != (rows,):
        raise UsageError(
            f"reset_mask is an array of {array.dtype} and shape {array.shape}, expected {rows} "
            "booleans: which rows to reset"
        )
    return array


def _choices(actions: npt.ArrayLike, engine: VectorEnv) -> Array:
    """The candidates that actions stand for: beyond the last one they begin again."""
    outputs = engine.outputs
    size = outputs.candidates.shape[1]
    what = f"{engine.batch} actions in 0..{size - 1}"
    chosen = whole_numbers(actions, what)
    if chosen.shape != (engine.batch,):
        raise UsageError(f"expected {what}, found an array of {chosen.shape}")
    bad = chosen[(chosen < 0) | (chosen >= size)]
    if bad.size:
        raise UsageError(f"expected {what}, found {bad[0]}")
    return np.asarray(chosen % np.maximum(outputs.candidate_count, 1))


def _first(batch: dict[str, Array]) -> dict[str, Array]:
    """The only row of everything."""
    return {name: np.asarray(values[0]) for name, values in batch.items()}


def _check_render_mode(render_mode: str | None) -> None:
    if render_mode not in (None, "ansi"):
        raise UsageError(f"render_mode is {render_mode!r}, expected None or 'ansi'")


register_all()
