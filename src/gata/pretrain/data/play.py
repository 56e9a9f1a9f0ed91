"""Playing games for the corpus: the walkthrough, a random branch and every option at each step.

Many games are played at once by the array engine. What comes out depends on each game alone and
the seed, not on the company it was played in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gata.engine.building import build
from gata.engine.commands import passes_filter
from gata.engine.core import Batch
from gata.engine.pack import Pack
from gata.engine.tables import Array, State
from gata.games.game import Game

RESTART = "restart"
"""The command that leads to a game's start."""
INVENTORY = "inventory"
"""Every walkthrough begins with a look at what the player carries."""

_ROWS = 1024
"""How many options are tried at once: enough to keep the engine busy, few megabytes of memory."""


class Moment(NamedTuple):
    """A state of a game, as it is recorded; arrays as bytes, because equal ones are stored once."""

    command: str
    """What led here."""
    text: bytes
    """int16 tokens of the observation."""
    seen: bytes
    """int32 edge ids of the seen graph, ascending; likewise ``full``."""
    full: bytes


@dataclass(frozen=True)
class Played:
    """All that was recorded of one game."""

    game: str
    left_out: int
    """How many commands of the walkthrough could not be given when their turn came."""
    walk: list[Moment]
    """The start and each step of the walkthrough."""
    branches: list[list[Moment]]
    """For each moment of the walk, the random commands given from there on; may be empty."""
    options: list[list[Moment]]
    """For each moment of the walk, what each candidate leads to; empty at the end."""


def is_candidate(command: str) -> bool:
    """Whether a command is one to choose from: no look, no inventory, no examine but one.

    The filter of the authors' collection: that of their training, without the inventory.
    """
    return passes_filter(command) and command != INVENTORY


def play(games: Sequence[Game], *, seed: int, branch: int) -> list[Played]:
    """Play some games, all at once.

    Args:
        games: the games.
        seed: with each game's content, decides its branches.
        branch: how many random commands a branch has at most.
    """
    games = list(games)  # of a lazy list each game would be read again and again
    table = _Table(build(games, use_cache=False))
    walks = _walk(table, games)
    places = [(g, i) for g, walk in enumerate(walks) for i in range(len(walk.moments))]
    here = [walks[g].states[i] for g, i in places]
    chance = [
        draws
        for game, walk in zip(games, walks, strict=True)
        for draws in _draws(game, seed, (len(walk.moments), branch))
    ]
    # Not taken first by a branch: that would be the walkthrough again. No branch at the end.
    following = [
        walks[g].moments[i + 1].command if i + 1 < len(walks[g].moments) else None
        for g, i in places
    ]
    options = _try_all(table, here)
    branches = _branch(table, here, following, np.array(chance).reshape(len(here), branch))
    played = [
        Played(game.name, walk.left_out, walk.moments, [], [])
        for game, walk in zip(games, walks, strict=True)
    ]
    for (g, _), tree, outcomes in zip(places, branches, options, strict=True):
        played[g].branches.append(tree)
        played[g].options.append(outcomes)
    return played


def walkthroughs(games: Sequence[Game]) -> list[list[Moment]]:
    """Of each game, the start and each step of its walkthrough; no branches, no options."""
    games = list(games)
    return [walk.moments for walk in _walk(_Table(build(games, use_cache=False)), games)]


def _draws(game: Game, seed: int, shape: tuple[int, int]) -> Array:
    """Random numbers from 0 to 1 (exclusive) that belong to a game and a seed."""
    generator = np.random.PCG64([seed, int(game.content_hash, 16)])
    return np.random.Generator(generator).random(shape)


class _Table:
    """A pack of games, with the commands by name and which of them are candidates."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.number = {command: i for i, command in enumerate(pack.commands)}
        self.is_candidate = np.array([is_candidate(command) for command in pack.commands])


class _Stage:
    """Rows of games that can be set to saved states, stepped and recorded."""

    def __init__(self, table: _Table, rows: int) -> None:
        self.table = table
        self.env = Batch(table.pack, rows)
        self.outputs = self.env.outputs

    def admissible(self, row: int) -> set[int]:
        """The ids of all commands that can be given now."""
        ids = self.outputs.candidates[row, : self.outputs.candidate_count[row]]
        return set(ids.tolist())

    def candidates(self) -> tuple[Array, Array]:
        """(rows, width) ids of admissible commands, and a mask of those to choose from."""
        counts = self.outputs.candidate_count
        ids = self.outputs.candidates[:, : max(1, counts.max())]
        there = np.arange(ids.shape[1]) < counts[:, None]
        return ids, there & self.table.is_candidate[ids] & (self.outputs.done == 0)[:, None]

    def step(self, rows: Array, commands: Array) -> None:
        """Give commands to ``rows``; what the others do matters to nobody."""
        ids = self.outputs.candidates[:, 0].copy()
        ids[rows] = commands
        self.env.step(ids)

    def moment(self, row: int, command: str) -> Moment:
        """What there is to record of a row now."""
        out = self.outputs
        return Moment(
            command,
            out.observation[row, : out.observation_length[row]].astype(np.int16).tobytes(),
            out.seen_edges[row, : out.seen_count[row]].tobytes(),
            out.full_edges[row, : out.full_count[row]].tobytes(),
        )


@dataclass
class _Walk:
    """How far a walkthrough has come."""

    commands: list[str]
    """Still to be given."""
    moments: list[Moment]
    states: list[State]
    """For each moment the engine's own state of one row."""
    left_out: int = 0

    def next_command(self, admissible: set[int], number: dict[str, int]) -> int | None:
        """The id of the next command that can be given; those that cannot are left out."""
        while self.commands:
            command = number.get(self.commands.pop(0))
            if command in admissible:
                return command
            self.left_out += 1
        return None


def _walk(table: _Table, games: Sequence[Game]) -> list[_Walk]:
    """Play the walkthroughs of all games side by side."""
    stage = _Stage(table, len(games))
    stage.env.begin(games=np.arange(len(games)))
    walks = [_Walk(trajectory(game), [], []) for game in games]
    for row, walk in enumerate(walks):
        walk.moments.append(stage.moment(row, RESTART))
        walk.states.append(stage.env.save([row]))
    going = list(range(len(games)))
    while going:
        steps = {}
        for row in going:
            command = walks[row].next_command(stage.admissible(row), table.number)
            if command is not None:
                steps[row] = command
        if not steps:
            break
        stage.step(np.array(list(steps)), np.array(list(steps.values())))
        for row, command in steps.items():
            walks[row].moments.append(stage.moment(row, table.pack.commands[command]))
            walks[row].states.append(stage.env.save([row]))
            if stage.outputs.done[row]:
                walks[row].left_out += len(walks[row].commands)
        going = [row for row in steps if not stage.outputs.done[row]]
    return walks


def trajectory(game: Game) -> list[str]:
    """The commands of the walkthrough, with the inventory first."""
    commands = list(game.walkthrough)
    return commands if commands[:1] == [INVENTORY] else [INVENTORY, *commands]


def _joined(states: Iterable[State]) -> State:
    return State(*(np.concatenate(parts) for parts in zip(*states, strict=True)))


def _branch(
    table: _Table, states: Sequence[State], following: Sequence[str | None], chance: Array
) -> list[list[Moment]]:
    """From each state on, random candidates in a row, for as long as there are any.

    Args:
        table: the games.
        states: where to begin, a row each.
        following: the command that must not come first; None where there is to be no branch.
        chance: (states, commands in a branch) numbers from 0 to 1 that decide what is done.
    """
    branches: list[list[Moment]] = [[] for _ in states]
    stage = _Stage(table, len(states))
    stage.env.restore(_joined(states))
    rows = np.flatnonzero([command is not None for command in following])
    first = np.array([table.number.get(command or "", -1) for command in following])
    for depth in range(chance.shape[1]):
        ids, eligible = stage.candidates()
        if depth == 0:
            eligible = eligible & (ids != first[:, None])
        counts = eligible.sum(axis=1)
        rows = rows[counts[rows] > 0]
        if not len(rows):
            break
        wanted = (chance[rows, depth] * counts[rows]).astype(np.int64)
        places = np.argmax(np.cumsum(eligible[rows], axis=1) == wanted[:, None] + 1, axis=1)
        chosen = ids[rows, places].copy()
        stage.step(rows, chosen)
        # A branch that has come to the game's end has nothing more to tell.
        still = stage.outputs.done[rows] == 0
        rows, chosen = rows[still], chosen[still]
        for row, command in zip(rows.tolist(), chosen.tolist(), strict=True):
            branches[row].append(stage.moment(row, table.pack.commands[command]))
    return branches


def _try_all(table: _Table, states: Sequence[State]) -> list[list[Moment]]:
    """What each candidate leads to, from each state."""
    joined = _joined(states)
    stage = _Stage(table, len(states))
    stage.env.restore(joined)
    ids, eligible = stage.candidates()
    origins, places = np.nonzero(eligible)
    commands = ids[origins, places].copy()
    outcomes: list[list[Moment]] = [[] for _ in states]
    stage = _Stage(table, min(_ROWS, max(1, len(origins))))
    stage.env.begin()
    for begin in range(0, len(origins), _ROWS):
        some = origins[begin : begin + _ROWS]
        rows = np.arange(len(some))
        stage.env.restore(State(*(array[some] for array in joined)), rows)
        stage.step(rows, commands[begin : begin + _ROWS])
        for row, (origin, command) in enumerate(
            zip(some.tolist(), commands[begin : begin + _ROWS].tolist(), strict=True)
        ):
            outcomes[origin].append(stage.moment(row, table.pack.commands[command]))
    return outcomes
