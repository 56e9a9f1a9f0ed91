"""The options of states, laid out as tables: what action and state prediction choose from."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gata.errors import GataError
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.order import Ids
from gata.pretrain.settings import Graph

MIN_OPTIONS = 5
"""States with fewer things to do are left out, as in the authors' data."""

SHAPE_STEP = 32
"""States, commands and options are padded to multiples, so that few shapes occur."""


class Table(NamedTuple):
    """Some states with all their options; P options together."""

    before: Ids
    """(states,) graphs."""
    after: Ids
    """(P,) graphs of the outcomes."""
    state: Ids
    """(P,) the state of each option."""
    place: Ids
    """(P,) which option of its state it is."""
    options: Ids
    """(P, most) the commands of its state."""
    allowed: npt.NDArray[np.bool_]
    """(P, most): which of them there are."""
    right: npt.NDArray[np.bool_]
    """(P, most): which have the same outcome as this one."""

    def padded(self, room: int) -> "Table":
        """The same with ``room`` options and a rounded width; what is added counts for nothing.

        It belongs to state 0, has one option and the empty graph.
        """
        more = max(0, room - len(self.after))
        wider = -self.options.shape[1] % SHAPE_STEP
        return Table(
            self.before,
            _filled(self.after, more),
            _filled(self.state, more),
            _filled(self.place, more),
            np.pad(self.options, ((0, more), (0, wider))),
            _first_true(np.pad(self.allowed, ((0, more), (0, wider))), more),
            _first_true(np.pad(self.right, ((0, more), (0, wider))), more),
        )


def rounded(array: Ids) -> Ids:
    """Filled with zeros to a multiple of ``SHAPE_STEP``."""
    return _filled(array, -len(array) % SHAPE_STEP)


def _filled(array: Ids, more: int) -> Ids:
    return np.pad(array, (0, more))


def _first_true(array: npt.NDArray[np.bool_], rows: int) -> npt.NDArray[np.bool_]:
    array[len(array) - rows :, 0] = True
    return array


def make_table(corpus: Corpus, examples: Ids, graph: Graph) -> Table:
    """Lay out some options, in ascending order, with the others of their states."""
    befores, afters = (
        (corpus.choice_full, corpus.option_full)
        if graph == "full"
        else (corpus.choice_seen, corpus.option_seen)
    )
    offsets = corpus.choice_offsets
    choice = np.searchsorted(offsets, examples, side="right") - 1
    choices, state = np.unique(choice, return_inverse=True)
    counts = offsets[choice + 1] - offsets[choice]
    columns = np.arange(counts.max())
    allowed = columns < counts[:, None]
    cells = np.where(allowed, offsets[choice][:, None] + columns, 0)
    after = afters[examples].astype(np.int64)
    return Table(
        befores[choices].astype(np.int64),
        after,
        state,
        examples - offsets[choice],
        np.where(allowed, corpus.option_command[cells], 0).astype(np.int64),
        allowed,
        allowed & (afters[cells] == after[:, None]),
    )


def options_of(corpus: Corpus, choices: Ids) -> Ids:
    """All options of some states, those of a state together."""
    first, counts = corpus.choice_offsets[choices], option_counts(corpus)[choices]
    ends = np.cumsum(counts)
    own = np.arange(counts.sum()) - np.repeat(ends - counts, counts)
    options: Ids = np.repeat(first, counts) + own
    return options


def option_counts(corpus: Corpus) -> Ids:
    """(choices,): how many things could be done."""
    counts: Ids = np.diff(corpus.choice_offsets)
    return counts


def usable_choices(corpus: Corpus) -> Ids:
    """The states with enough to choose from."""
    choices = np.flatnonzero(option_counts(corpus) >= MIN_OPTIONS)
    if not len(choices):
        raise GataError(
            f"{corpus.request.games}: no state of these games has {MIN_OPTIONS} options or more, so"
            " there is nothing to ask about"
        )
    return choices
