"""A training and what came of it on one page: an HTML file without anything from elsewhere."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

import numpy as np

from gata.agents.transcript import ABOUT_LEARNT_EDGES, Moment
from gata.cells import as_text
from gata.evaluation.curves import Curve, draw_curves
from gata.evaluation.standing import COLUMNS, Standing
from gata.evaluation.table import Table
from gata.games.game import Game
from gata.graph.pictures.heatmap import compare, heatmap
from gata.graph.pictures.map import draw_map
from gata.graph.statistics import nodes
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.models import shipped

TEMPLATE_FILE = "report.html"
STYLE_FILE = "page.css"
SHOWN_COMMANDS = 4
_HEAT_MAPS = """<p>Every believed edge between things of this game, for the relation that has the
strongest. Rows are sources, columns targets; red is positive and blue negative.</p>
<div class="picture">{one}</div>
<details>
<summary>Heat maps of all relations</summary>
<div class="picture">{all}</div>
</details>"""
"""All are folded: they are taller than the rest of the page."""
_ROOM = re.compile("-= .+ =-")
"""A line that says where one is."""


@dataclass(frozen=True)
class Report:
    """What the page tells."""

    title: str
    summary: str
    """What was done, in a sentence or two."""
    notes: Sequence[str]
    """What to know about the scores, a paragraph each."""
    scores: Mapping[str, Standing]
    """By agent."""
    curves: Mapping[str, Curve]
    """By name."""
    marks: Mapping[str, float]
    """Validation scores to compare the curves with, by name."""
    game: Game
    """The one that is shown."""
    moments: Sequence[Moment]
    """How the agent played it."""
    truth: frozenset[Triple]
    """The game's own graph after the last step."""

    def to_html(self) -> str:
        """The page."""
        template = (files("gata.evaluation") / TEMPLATE_FILE).read_text("utf-8")
        marks = [(_short(name), score) for name, score in self.marks.items()]
        return Template(template).substitute(
            title=escape(self.title),
            summary=escape(self.summary),
            notes="\n".join(f'<p class="quiet">{escape(note)}</p>' for note in self.notes),
            style=page_style(),
            scores=_scores(self.scores).html(),
            curves=draw_curves(self.curves, marks),
            marks=escape(_about_marks(self.marks)),
            game=escape(self.game.name),
            outcome=escape(outcome(self.moments, self.game)),
            about_edges=escape(ABOUT_LEARNT_EDGES),
            moments="\n".join(_moments(self.moments, self.game.max_score)),
            belief=self._belief(),
            truth=draw_map(self.truth, title=self.game.name).to_svg(),
        )

    def _belief(self) -> str:
        """The believed edges among the things of the game, as colours."""
        adjacency = self.moments[-1].adjacency
        if adjacency is None:
            return "<p>This agent has no belief graph.</p>"
        shown = sorted(PAPER.node_id(name) for name in nodes(self.truth) if PAPER.is_node(name))
        strengths = np.abs(adjacency[:, shown][:, :, shown]).max(axis=(1, 2), initial=0)
        strongest = PAPER.relations[int(strengths.argmax())]
        one = compare([(strongest, adjacency)], strongest, shown, columns=1)
        # As wide as the page: scaled down, the names could not be read.
        every = heatmap(adjacency, "png", nodes=shown, columns=3)
        return _HEAT_MAPS.format(
            one=_image(one, f"the belief graph: {strongest}"), all=_image(every, "the belief graph")
        )


def _image(png: bytes, about: str) -> str:
    return f'<img alt="{about}" src="data:image/png;base64,{b64encode(png).decode()}">'


def outcome(moments: Sequence[Moment], game: Game) -> str:
    """How a game ended, in a sentence."""
    last = moments[-1]
    how = "won" if last.won else "did not win"
    return f"It {how}: {last.score} of {game.max_score} points in {len(moments) - 1} steps."


def page_style() -> str:
    """The look that all pages share, as CSS."""
    return (files("gata.evaluation") / STYLE_FILE).read_text("utf-8")


def _scores(scores: Mapping[str, Standing]) -> Table:
    rows = as_text([standing.row(name) for name, standing in scores.items()])
    return Table(COLUMNS, tuple(map(tuple, rows)))


def _short(name: str) -> str:
    """An agent's name where there is little room."""
    return "shipped agent" if name in shipped.agents() else name


def _about_marks(marks: Mapping[str, float]) -> str:
    """What the level lines of the curves are: scores, short names and the long ones."""
    if not marks:
        return ""
    told = (
        f"{_short(name)} {score:.1f}" + (f" ({name})" if _short(name) != name else "")
        for name, score in marks.items()
    )
    return f"Dashed lines, scores on the validation games: {', '.join(told)}."


def _moments(moments: Sequence[Moment], max_score: int) -> list[str]:
    items = []
    before = 0
    for number, moment in enumerate(moments):
        commands = [f"{command} {value:.2f}" for command, value in moment.values[:SHOWN_COMMANDS]]
        edges = [f"{edge.triple.in_words()} {edge.strength:.2f}" for edge in moment.edges]
        kind = ' class="point"' if moment.score > before else ""
        items.append(
            f"<li{kind}><p><b>step {number}</b>, {moment.score} of {max_score} points\n"
            f"{_says(moment)}</p>{_chips('commands', commands)}{_chips('edges', edges)}</li>"
        )
        before = moment.score
    return items


def _says(moment: Moment) -> str:
    """The game's lines; those that name a room stand out."""
    return "\n".join(
        f"<b>{escape(line)}</b>" if _ROOM.fullmatch(line) else escape(line) for line in moment.lines
    )


def _chips(kind: str, texts: Sequence[str]) -> str:
    """Short texts side by side, each apart from the others."""
    if not texts:
        return ""
    chips = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<ul class="chips {kind}">{chips}</ul>'
