"""The report: one HTML page with every table and curve, and the curves as files."""

import base64
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple

from gata import __version__
from gata.evaluation.statistics import CONFIDENCE, ENOUGH_SEEDS
from gata.files import atomic_write
from gata.paper.curves import FIGURES, draw
from gata.paper.pages import Sources
from gata.paper.pretraining import pretraining_table
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
from gata.paper.table import inline
from gata.paper.time_table import time_table

PAGE = "report.html"


class Section(NamedTuple):
    """A part of the page."""

    title: str
    about: str
    html: str


def write_report(sources: Sources, folder: Path) -> list[Path]:
    """Write the page and the pictures; returns their paths."""
    written = []
    drawn: dict[str, bytes] = {}
    for name, figure in FIGURES.items():
        for image_format, picture in draw(figure, sources.agents).items():
            written.append(folder / f"{name}.{image_format}")
            _write(written[-1], picture)
            if image_format == "svg":
                drawn[name] = picture
    page = folder / PAGE
    _write(page, report(sources, drawn).encode())
    return [page, *written]


def report(sources: Sources, curves: dict[str, bytes]) -> str:
    """The page; ``curves`` are the SVG pictures by name. It needs nothing from elsewhere."""
    sections = [*_tables(sources), *_pictures(curves)]
    runs = len(sources.agents.records)
    introduction = (
        f"gata {__version__}, {runs or 'no'} runs of agents. Scores are percent of all points;"
        f" every cell reads ours / paper, {NOTHING} is what was not run, {DEPARTS} what was not run"
        f" with the paper's settings. Intervals: {CONFIDENCE:.0%}, bootstrap over seeds; fewer than"
        f" {ENOUGH_SEEDS} seeds have none."
    )
    return Template((files("gata.paper") / PAGE).read_text("utf-8")).substitute(
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
    lines = "".join(f"<li>{inline(line)}</li>" for line in departures(results))
    if lines:
        yield Section("Departures from the paper's settings", "", f"<ul>{lines}</ul>")


def _pictures(curves: dict[str, bytes]) -> Iterator[Section]:
    for name, svg in curves.items():
        title = FIGURES[name].title
        data = base64.b64encode(svg).decode()
        yield Section(
            f"Training curves: {title}",
            "Means over seeds; bands are standard deviations.",
            f'<img alt="{escape(title)}" src="data:image/svg+xml;base64,{data}">',
        )


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as stream:
        stream.write(content)
