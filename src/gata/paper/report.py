"""The report: one HTML page with every table and picture, and the pictures as files."""

import base64
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple

from gata import __version__
from gata.evaluation.report import page_style
from gata.evaluation.statistics import CONFIDENCE, ENOUGH_SEEDS
from gata.evaluation.table import inline
from gata.files import atomic_write
from gata.paper.curves import FIGURES, draw
from gata.paper.pages import Sources
from gata.paper.pretraining import pretraining_table
from gata.paper.probing import probing_table, read_rows
from gata.paper.probing_bars import NEGATIVES, draw_bars
from gata.paper.score_tables import (
    DEPARTS,
    NOTHING,
    departures,
    full_test_table,
    improvement_table,
    short_test_table,
    training_table,
)
from gata.paper.scores import SIZES
from gata.paper.time_table import time_table

PAGE = "report.html"


class Section(NamedTuple):
    """A part of the page."""

    title: str
    about: str
    html: str


class Picture(NamedTuple):
    """Of the page, and as files."""

    title: str
    about: str
    content: dict[str, bytes]
    """By format."""

    def section(self) -> Section:
        """The SVG inside the page."""
        data = base64.b64encode(self.content["svg"]).decode()
        image = f'<img alt="{escape(self.title)}" src="data:image/svg+xml;base64,{data}">'
        return Section(self.title, self.about, image)


def write_report(sources: Sources, folder: Path) -> list[Path]:
    """Write the page and the pictures; returns their paths."""
    pictures = dict(_pictures(sources))
    written = [folder / PAGE]
    for name, picture in pictures.items():
        for image_format, content in picture.content.items():
            written.append(folder / f"{name}.{image_format}")
            _write(written[-1], content)
    _write(folder / PAGE, report(sources, list(pictures.values())).encode())
    return written


def report(sources: Sources, pictures: Sequence[Picture]) -> str:
    """The page. It needs nothing from elsewhere."""
    sections = [*_tables(sources), *(picture.section() for picture in pictures)]
    if missing := [f.title for f in FIGURES.values() if not f.has_runs(sources.agents)]:
        about = f"There are no runs yet for the curves of: {', '.join(missing)}."
        sections.append(Section("Training curves that are missing", about, ""))
    runs = len(sources.agents.records)
    introduction = (
        f"gata {__version__}, {runs or 'no'} runs of agents. Scores are percent of all points;"
        f" every cell reads ours / paper, {NOTHING} is what was not run, {DEPARTS} what was not run"
        f" with the paper's settings. Intervals: {CONFIDENCE:.0%}, bootstrap over seeds; fewer than"
        f" {ENOUGH_SEEDS} seeds have none."
    )
    return Template((files("gata.paper") / PAGE).read_text("utf-8")).substitute(
        style=page_style(),
        introduction=escape(introduction),
        contents="".join(
            f'<a href="#part{number}">{escape(section.title)}</a>'
            for number, section in enumerate(sections)
        ),
        sections="\n".join(
            f'<section id="part{number}"><h2>{escape(section.title)}</h2>'
            f'<p>{escape(section.about)}</p><div class="wide">{section.html}</div></section>'
            for number, section in enumerate(sections)
        ),
    )


def _tables(sources: Sources) -> Iterator[Section]:
    results = sources.agents
    for size in reversed(SIZES):
        yield Section(
            f"Test scores, {size} training games",
            "The seed that is best on the validation games, as in the paper. ↑: mean relative"
            " improvement over Tr-DQN.",
            short_test_table(results, size).html(),
        )
    yield Section(
        "Relative improvement over Tr-DQN",
        "Of test scores, in percent: the best seeds beside the paper's, then means over all seeds.",
        improvement_table(results).html(),
    )
    for size in reversed(SIZES):
        yield Section(
            f"Test scores in full, {size} training games",
            "Bold: the best seed on validation / paper, and games won; then all seeds, games won,"
            " and the wall clock of a run.",
            full_test_table(results, size).html(),
        )
        yield Section(
            f"Training scores, {size} training games",
            "The best point of the training curve, mean over seeds.",
            training_table(results, size).html(),
        )
    yield Section(
        "Pre-training",
        "Scores on the test data.",
        pretraining_table(sources.folder / "pretrain").html(),
    )
    yield Section(
        "Wall clock",
        "Median over levels and seeds; at once: how many runs shared the device.",
        time_table(results, sources.folder / "pretrain").html(),
    )
    for negatives in _probed(sources):
        yield Section(
            f"Probing, counterparts from {_PLACES[negatives]}",
            "What a linear layer can tell of the relations in a belief; + related, - unrelated"
            " pairs. Means over seeds.",
            probing_table(sources.probing(negatives)).html(),
        )
    lines = "".join(f"<li>{inline(line)}</li>" for line in departures(results))
    if lines:
        yield Section("Departures from the paper's settings", "", f"<ul>{lines}</ul>")


_PLACES = {"any-game": "any game", "same-game": "the same game"}


def _pictures(sources: Sources) -> Iterator[tuple[str, Picture]]:
    """By the name of the file; curves only where there are runs."""
    for name, figure in FIGURES.items():
        if figure.has_runs(sources.agents):
            about = f"Means over seeds; bands are standard deviations. {figure.about}"
            drawn = draw(figure, sources.agents)
            yield name, Picture(f"Training curves: {figure.title}", about, drawn)
    if rows := {kind: read_rows(sources.probing(kind)) for kind in _probed(sources)}:
        about = "Exact match on the test games: all relations of a pair right. Means over seeds."
        yield "probing", Picture("Probing as bars", about, draw_bars(rows))


def _probed(sources: Sources) -> list[str]:
    """With which kinds of unrelated pairs beliefs were probed."""
    return [negatives for negatives in NEGATIVES if sources.probing(negatives).exists()]


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as stream:
        stream.write(content)
