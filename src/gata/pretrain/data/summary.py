"""Figures of a corpus: how much there is, and how long things are."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gata.pretrain.data.corpus import Array, Corpus


@dataclass(frozen=True)
class Summary:
    """How much a corpus holds."""

    games: int
    records: int
    paths: int
    texts: int
    """Different observations; likewise commands, graphs and updates."""
    commands: int
    graphs: int
    updates: int
    choices: int
    """States in which something can be chosen."""
    examples: int
    """Options of all choices: each is one example of action and of state prediction."""
    ambiguous_full: int
    """Examples whose full graph is also that of another option, so that both are right; likewise
    for seen graphs."""
    ambiguous_seen: int
    left_out: int
    """Commands of walkthroughs that could not be given when their turn came."""
    megabytes: float
    """Of all arrays."""


def summarise(corpus: Corpus) -> Summary:
    """Count what a corpus holds."""
    sizes = corpus.sizes
    return Summary(
        games=sizes["games"],
        records=sizes["records"],
        paths=sizes["paths"],
        texts=sizes["texts"],
        commands=sizes["commands"],
        graphs=sizes["graphs"],
        updates=sizes["updates"],
        choices=sizes["choices"],
        examples=sizes["options"],
        ambiguous_full=int(shared_outcomes(corpus, corpus.option_full).sum()),
        ambiguous_seen=int(shared_outcomes(corpus, corpus.option_seen).sum()),
        left_out=corpus.left_out,
        megabytes=corpus.nbytes / 1e6,
    )


def shared_outcomes(corpus: Corpus, graphs: Array) -> Array:
    """(options,) bool: whether another option of the same choice has the same graph.

    Args:
        corpus: the corpus.
        graphs: its ``option_full`` or ``option_seen``.
    """
    choices = np.repeat(np.arange(len(corpus.choice_game)), np.diff(corpus.choice_offsets))
    outcomes = choices * len(corpus.graphs) + graphs
    _, which, counts = np.unique(outcomes, return_inverse=True, return_counts=True)
    shared: Array = counts[which] > 1
    return shared


class Lengths(NamedTuple):
    """How the lengths of something are distributed."""

    what: str
    instances: int
    mean: float
    median: float
    percentile_95: float
    largest: int
    empty: int
    """How many have length 0."""


def lengths(corpus: Corpus) -> list[Lengths]:
    """The lengths that decide how much work a corpus is; texts count once per record."""
    graphs = corpus.graphs.lengths
    return [
        _distribution("tokens of an observation", corpus.texts.lengths[corpus.record_text]),
        _distribution("tokens of a command", corpus.commands.lengths[corpus.record_command]),
        _distribution("tokens of an update", corpus.updates.lengths[corpus.record_update]),
        _distribution("records of a path", corpus.paths.lengths),
        _distribution("options of a choice", np.diff(corpus.choice_offsets)),
        _distribution("edges of a full graph", graphs[corpus.record_full]),
        _distribution("edges of a seen graph", graphs[corpus.record_seen]),
        _distribution("edges of an option's full graph", graphs[corpus.option_full]),
        _distribution("edges of an option's seen graph", graphs[corpus.option_seen]),
    ]


def _distribution(what: str, values: Array) -> Lengths:
    if not len(values):
        return Lengths(what, 0, 0.0, 0.0, 0.0, 0, 0)
    median, high = np.percentile(values, [50, 95]).tolist()
    empty = int((values == 0).sum())
    return Lengths(what, len(values), float(values.mean()), median, high, int(values.max()), empty)
