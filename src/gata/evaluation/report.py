"""A training and what came of it on one page: an HTML file without anything from elsewhere."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

from gata.agents.playing import Summary
from gata.agents.transcript import Moment
from gata.evaluation.curves import Curve, draw_curves
from gata.evaluation.table import Table
from gata.games.game import Game
from gata.graph.pictures.heatmap import heatmap
from gata.graph.pictures.map import draw_map
from gata.graph.statistics import nodes
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER

TEMPLATE_FILE = "report.html"
STYLE_FILE = "page.css"
SHOWN_COMMANDS = 4


@dataclass(frozen=True)
class Report:
    """What the page tells."""

    title: str
    summary: str
    """What was done, in a sentence or two."""
    note: str
    """What to know about the scores."""
    scores: Mapping[str, Summary]
    """By agent."""
    curves: Mapping[str, Curve]
    """By name."""
    marks: Mapping[str, float]
    """Scores to compare the curves with, by name."""
    game: Game
    """The one that is shown."""
    moments: Sequence[Moment]
    """How the agent played it."""
    truth: frozenset[Triple]
    """The game's own graph after the last step."""

    def to_html(self) -> str:
        """The page."""
        template = (files("gata.evaluation") / TEMPLATE_FILE).read_text("utf-8")
        return Template(template).substitute(
            title=escape(self.title),
            summary=escape(self.summary),
            note=escape(self.note),
            style=page_style(),
            scores=_scores(self.scores).html(),
            curves=draw_curves(self.curves, self.marks),
            game=escape(self.game.name),
            outcome=escape(outcome(self.moments, self.game)),
            moments="\n".join(_moments(self.moments, self.game.max_score)),
            belief=self._belief(),
            truth=draw_map(self.truth, title=self.game.name).to_svg(),
        )

    def _belief(self) -> str:
        """The believed edges among the things of the game, as numbers."""
        adjacency = self.moments[-1].adjacency
        if adjacency is None:
            return "<p>This agent has no belief graph.</p>"
        shown = sorted(PAPER.node_id(name) for name in nodes(self.truth) if PAPER.is_node(name))
        # As wide as the page: scaled down, the names could not be read.
        picture = b64encode(heatmap(adjacency, "png", nodes=shown, columns=3)).decode()
        return f'<img alt="the belief graph" src="data:image/png;base64,{picture}">'


def outcome(moments: Sequence[Moment], game: Game) -> str:
    """How a game ended, in a sentence."""
    last = moments[-1]
    how = "won" if last.won else "did not win"
    return f"It {how}: {last.score} of {game.max_score} points in {len(moments) - 1} steps."


def page_style() -> str:
    """The look that all pages share, as CSS."""
    return (files("gata.evaluation") / STYLE_FILE).read_text("utf-8")


def _scores(scores: Mapping[str, Summary]) -> Table:
    rows = (
        (name, str(one.games), f"{one.score:.1f}", f"{one.success:.1f}", f"{one.steps:.1f}")
        for name, one in scores.items()
    )
    return Table(("agent", "games", "score %", "won %", "steps"), tuple(rows))


def _moments(moments: Sequence[Moment], max_score: int) -> list[str]:
    items = []
    before = 0
    for number, moment in enumerate(moments):
        values = ", ".join(
            f"<code{' class=did' if place == 0 else ''}>{escape(command)} {value:.2f}</code>"
            for place, (command, value) in enumerate(moment.values[:SHOWN_COMMANDS])
        )
        edges = ", ".join(
            escape(f"{edge.triple.in_words()} {edge.strength:.2f}") for edge in moment.edges
        )
        kind = ' class="point"' if moment.score > before else ""
        items.append(
            f"<li{kind}>[{number}] {escape(moment.text)} <b>{moment.score}/{max_score}</b>"
            + (f"<br>{values}" if values else "")
            + (f'<br><span class="quiet">believes: {edges}</span>' if edges else "")
            + "</li>"
        )
        before = moment.score
    return items
