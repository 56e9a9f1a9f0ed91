"""The report: one HTML page with every table and picture, and the pictures as files."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import count
from pathlib import Path
from string import Template
from typing import NamedTuple

import torch

from gata import __version__, console
from gata.evaluation.report import page_style
from gata.evaluation.statistics import CONFIDENCE, COVERAGE, ENOUGH_SEEDS, ENOUGH_TO_RESAMPLE
from gata.evaluation.table import NOTHING, Table
from gata.files import atomic_write
from gata.games.store import load_game
from gata.paper.counting import counted
from gata.paper.curve_pictures import FORMATS, draw
from gata.paper.curves import FIGURES
from gata.paper.departures import departures_as_html
from gata.paper.marks import DEPARTS
from gata.paper.ours import sift
from gata.paper.probing import NEGATIVES, read_probed
from gata.paper.probing_bars import draw_bars
from gata.paper.tables import TABLES, Sources

PAGE = "report.html"
BELIEF_GAME, BELIEF_RELATION = "level4/test/73267", "is"
BELIEF_MEAN = ("level5/train", 20)
"""Of the heat maps: the mean is over so many games of this set."""


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
        return Section(self.title, self.about, f'<div class="wide">{image}</div>')


def write_report(sources: Sources, folder: Path, *, beliefs: bool = True) -> list[Path]:
    """Write the page and the pictures; returns their paths.

    Args:
        sources: the raw results.
        folder: where to.
        beliefs: with heat maps of what the shipped updaters believe, which take some seconds; only
            where beliefs were probed, since elsewhere they say nothing of the results.
    """
    tables = _sifted(sources)
    if not _with_rows(tables):
        console.note(f"{sources.folder}: nothing to make a table of; the page says what is missing")
    pictures = dict(_pictures(sources))
    if beliefs and _probed(sources):
        pictures["beliefs"] = _beliefs()
    written = [folder / PAGE]
    for name, picture in pictures.items():
        for image_format, content in picture.content.items():
            written.append(folder / f"{name}.{image_format}")
            _write(written[-1], content)
    _write(folder / PAGE, report(sources, tables, list(pictures.values())).encode())
    return written


def report(sources: Sources, tables: Mapping[str, Table], pictures: Sequence[Picture]) -> str:
    """The page. It needs nothing from elsewhere."""
    parts = {
        "Tables": [
            Section(TABLES[name].title, TABLES[name].about, tables[name].html())
            for name in _with_rows(tables)
        ],
        "Pictures": [picture.section() for picture in pictures],
        "The runs": list(_about_runs(sources, tables)),
    }
    sections = [section for part in parts.values() for section in part]
    runs = counted(len(sources.agents.records), "run")
    introduction = (
        f"gata {__version__}, {runs} of agents. Scores are"
        f" percent of all points. Two numbers with a stroke between them are ours / the paper's;"
        f" {NOTHING} is what was not run or is not known. Of seeds that are equally good on the"
        f" validation games, the lowest counts as the best. Intervals in square brackets:"
        f" {CONFIDENCE:.0%}, bootstrap over seeds and test games, or, of one number per seed, over"
        f' {ENOUGH_TO_RESAMPLE} seeds or more; "to" stands between the least and the greatest of'
        f" fewer. Below {ENOUGH_SEEDS} seeds there is neither. {COVERAGE}"
    )
    return Template((files("gata.paper") / PAGE).read_text("utf-8")).substitute(
        style=page_style(),
        introduction=escape(introduction),
        contents="\n".join(_contents(parts)),
        sections="\n".join(
            f'<section id="part{number}"><h2>{escape(section.title)}</h2>'
            f"<p>{escape(section.about)}</p>{section.html}</section>"
            for number, section in enumerate(sections)
        ),
    )


def _contents(parts: Mapping[str, Sequence[Section]]) -> Iterator[str]:
    """A line of links for each part of the page that has something."""
    numbers = count()
    for title, sections in parts.items():
        links = [
            f'<a href="#part{next(numbers)}">{escape(section.title)}</a>' for section in sections
        ]
        if links:
            yield f"<nav><b>{title}</b>{''.join(links)}</nav>"


def _sifted(sources: Sources) -> dict[str, Table]:
    """The tables that there are raw files for, by their names in ``TABLES``."""
    there = {name: table for name, table in TABLES.items() if table.is_there(sources)}
    return {name: sift(table.table(sources)) for name, table in there.items()}


def _with_rows(tables: Mapping[str, Table]) -> list[str]:
    return [name for name, table in tables.items() if table.rows]


def _about_runs(sources: Sources, tables: Mapping[str, Table]) -> Iterator[Section]:
    if sources.agents.records:
        told = departures_as_html(sources.agents)
        yield Section("Departures from the paper's settings", "", told)
    if missing := list(_missing(sources, tables)):
        yield Section("What is missing", " ".join(missing), "")


def _missing(sources: Sources, tables: Mapping[str, Table]) -> Iterator[str]:
    """A sentence for each kind of thing that there is nothing to make of."""
    if curves := [f.title for f in FIGURES.values() if not f.has_runs(sources.agents)]:
        yield f"There are no runs yet for the curves of: {', '.join(curves)}."
    if empty := [TABLES[name].title for name in tables if not tables[name].rows]:
        yield f"There is nothing of ours yet for the tables: {'; '.join(empty)}."
    if absent := [table.title for name, table in TABLES.items() if name not in tables]:
        yield f"There are no raw files for the tables: {'; '.join(absent)}."


def _pictures(sources: Sources) -> Iterator[tuple[str, Picture]]:
    """By the name of the file; curves only where there are runs."""
    for name, figure in FIGURES.items():
        if figure.has_runs(sources.agents):
            about = (
                "Means over seeds after equally many episodes; bands are their standard deviations"
                f" (ddof 0), of {ENOUGH_SEEDS} seeds or more. Agents without any runs are left out,"
                f" and so are whole rows and levels. In the legend {DEPARTS} marks agents of which"
                f" some runs here are not with the paper's learning settings. {figure.about}"
            )
            drawn = draw(figure, sources.agents)
            yield name, Picture(f"Training curves: {figure.title}", about, drawn)
    if probed := {kind: read_probed(sources.probing(kind)) for kind in _probed(sources)}:
        about = (
            "Exact match on the test games: all relations of a pair right. Means over seeds, and"
            " how far from that the farthest seed is, as in the tables."
        )
        yield "probing", Picture("Probing as bars", about, draw_bars(probed))


def _beliefs() -> Picture:
    """Heat maps, as in the paper's section on what belief graphs look like."""
    from gata.evaluation.belief_pictures import draw_beliefs
    from gata.evaluation.probing.run import evenly
    from gata.evaluation.probing.sources import load_belief

    device = torch.device("cpu")  # of all devices, it draws the same every time
    drawn = draw_beliefs(
        load_game(BELIEF_GAME),
        {name: load_belief(name, device) for name in ("og", "coc")},
        evenly(*BELIEF_MEAN),
        relation=BELIEF_RELATION,
        formats=FORMATS,
    )
    about = (
        "At the end of a game's walkthrough: the seen graph, what the shipped updaters believe, and"
        " that less its mean over many games."
    )
    return Picture(f"Belief and true graph, relation {BELIEF_RELATION!r}", about, drawn)


def _probed(sources: Sources) -> list[str]:
    """With which kinds of unrelated pairs beliefs were probed."""
    return [negatives for negatives in NEGATIVES if sources.probing(negatives).exists()]


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as stream:
        stream.write(content)
