"""What is not as in the paper in our runs, told in pages and in the report."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gata.evaluation.records import Record
from gata.evaluation.table import inline
from gata.paper.cells import Results
from gata.paper.counting import counted
from gata.paper.marks import DEPARTS
from gata.rl.settings import LearningSettings


def _has(*beginnings: str) -> Callable[[Record], bool]:
    """Whether a run's agent has a trained model whose name begins so."""

    def has(record: Record) -> bool:
        models = (record.agent.updater, record.agent.encoder)
        return any(model is not None and model.startswith(beginnings) for model in models)

    return has


_UNMARKED: Mapping[str, Callable[[Record], bool]] = {
    "word vectors are GloVe's of 100 numbers, the paper's fastText's of 300": lambda _: True,
    "layers differ where paper and authors' code leave a choice (docs/networks.md)": lambda _: True,
    "updaters and graph encoders were pre-trained with other batches or schedules than the paper's"
    " (docs/pretraining.md)": _has("updater/", "encoder/"),
    "graph encoders were pre-trained below other heads of AP and SP": _has(
        "encoder/ap", "encoder/sp"
    ),
}
"""What comes with the package and is not as in the paper, and which runs have it."""


class _Part(NamedTuple):
    """A paragraph, and the list that it begins."""

    sentence: str
    lines: Sequence[str] = ()


def departures_as_markdown(results: Results) -> str:
    """For pages."""
    blocks = []
    for sentence, lines in _parts(results):
        blocks.append(sentence)
        if lines:
            blocks.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(blocks)


def departures_as_html(results: Results) -> str:
    """For the report."""
    blocks = []
    for sentence, lines in _parts(results):
        blocks.append(f"<p>{inline(sentence)}</p>")
        if lines:
            blocks.append(f"<ul>{''.join(f'<li>{inline(line)}</li>' for line in lines)}</ul>")
    return "\n".join(blocks)


def _parts(results: Results) -> list[_Part]:
    if not results.records:
        return [_Part("There are no runs yet.")]
    marked = marked_departures(results) or ["none"]
    return [
        _Part("Not as in the paper, without a mark in the tables:", unmarked_departures(results)),
        _Part(f"Learning settings that are not the paper's ({DEPARTS}):", marked),
        _Part(updates(results)),
        _Part(f"{games_at_once(results)} {codes(results)}"),
    ]


def unmarked_departures(results: Results) -> list[str]:
    """What no setting of a training says: a line for each such thing, and of how many runs."""
    runs = len(results.records)
    having = {what: sum(map(holds, results.records)) for what, holds in _UNMARKED.items()}
    return [
        f"in {'all ' if count == runs else f'{count} of '}{counted(runs, 'run')}: {what}"
        for what, count in having.items()
        if count
    ]


def marked_departures(results: Results) -> list[str]:
    """Learning settings that are not the paper's: a line per kind, and the runs it is of."""
    runs: dict[str, list[str]] = {}
    for record in results.records:
        if found := record.departures():
            runs.setdefault("; ".join(found), []).append(record.name)
    return [f"{what}: {', '.join(f'`{name}`' for name in names)}" for what, names in runs.items()]


def updates(results: Results) -> str:
    """How often the runs changed their weights, and how often the authors' do, in a sentence."""
    made = [record.updates for record in results.records]
    return (
        f"The runs made {min(made):,} to {max(made):,} updates of the weights, by default one per"
        f" {LearningSettings().update_every} steps of games that are not over (the paper:"
        ' "50 is the total steps performed within a batch"). The authors\' published code counts'
        " steps of finished games as well, one update per 2 steps of its 25 games, and makes up to"
        " 100,000; before July 2021 it made 25 times fewer, and which one made the paper's tables"
        " is not known."
    )


def games_at_once(results: Results) -> str:
    """How many games the runs played at once, in a sentence: no departure, but not the default."""
    counts = Counter(record.settings.learning.parallel for record in results.records)
    told = ", ".join(f"{games} in {counted(runs, 'run')}" for games, runs in sorted(counts.items()))
    return f"Games played at once (`--parallel`, by default {LearningSettings().parallel}): {told}."


def codes(results: Results) -> str:
    """Which code the runs were made with, in a sentence."""
    counts = Counter(record.code or "" for record in results.records)
    told = [
        f"{counted(runs, 'run')} of {f'`{code}`' if code else 'code that is not recorded'}"
        for code, runs in sorted(counts.items())
    ]
    return f"Fingerprints of the source: {', '.join(told)}."
