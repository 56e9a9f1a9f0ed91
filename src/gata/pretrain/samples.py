"""What trained models write: observations from belief graphs, update commands from observations."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from gata.errors import UsageError
from gata.language.vocabulary import default
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.lanes import Stretch
from gata.pretrain.tasks.cg import CommandTask, true_commands, written_commands
from gata.pretrain.tasks.og import ObservationTask, words_of
from gata.pretrain.tasks.task import Split, Task
from gata.pretrain.tasks.walking import look_up


class Written(NamedTuple):
    """What was to be written at a step of a game, and what was."""

    step: int
    action: str
    observation: str | None
    """None where it is what was to be written."""
    true: str
    written: str


def samples(task: Task, split: Split, game: int) -> Iterator[Written]:
    """What a model writes along the walkthrough of the split's game number ``game``."""
    corpus = task.data[split].corpus
    path = walkthrough(corpus, game)
    if isinstance(task, ObservationTask):
        return _observations(task, split, path)
    if isinstance(task, CommandTask):
        return _commands(task, split, path)
    raise UsageError("only models of og, text-og and cg write something")


def walkthrough(corpus: Corpus, game: int) -> list[int]:
    """The records of a game's walkthrough: its last path."""
    if not 0 <= game < len(corpus.games):
        raise UsageError(f"game is {game}, expected 0 to {len(corpus.games) - 1}")
    first = corpus.paths.values[corpus.paths.offsets[:-1]]
    (own,) = np.nonzero(corpus.record_game[first] == game)
    return [int(record) for record in corpus.paths.row(int(own[-1]))]


@torch.no_grad()
def _observations(task: ObservationTask, split: Split, path: list[int]) -> Iterator[Written]:
    data = task.data[split]
    state = task.model.initial(1)
    for number, record in enumerate(path):
        here = np.array([[record]])
        steps = look_up(data, Stretch(here, here, np.array([[number == 0]])))
        walked = task.model.walk(steps, state)
        state = walked.state
        everything = torch.ones(1, dtype=torch.bool, device=task.device)
        ((written, true),) = task.write(steps, walked, everything)
        texts = _words(words_of(true)), _words(words_of(written))
        yield Written(number, _action(data.corpus, record), None, *texts)


@torch.no_grad()
def _commands(task: CommandTask, split: Split, path: list[int]) -> Iterator[Written]:
    data = task.data[split]
    texts, edges, commands = task.look_up(data, np.array(path))
    written = task.write(texts, edges).tolist()
    for number, record in enumerate(path):
        observation = data.corpus.texts.row(int(data.corpus.record_text[record]))
        yield Written(
            number,
            _action(data.corpus, record),
            _words(observation.tolist()),
            _lines(true_commands(commands[number].tolist())),
            _lines(written_commands(written[number])),
        )


def _action(corpus: Corpus, record: int) -> str:
    return _words(corpus.commands.row(int(corpus.record_command[record])).tolist())


def _words(ids: list[int]) -> str:
    return " ".join(default().decode(ids))


def _lines(commands: frozenset[tuple[int, ...]]) -> str:
    return "\n".join(sorted(_words(list(command)) for command in commands))
