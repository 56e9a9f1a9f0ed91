"""A game as a film: one HTML file, without anything from elsewhere, to step through.

Each step shows the command, what the game answered, how the graph changed and the graph itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

from gata.graph.commands import difference
from gata.graph.pictures.map import draw_maps, legend
from gata.graph.pictures.scene import Scene, above, sheet
from gata.graph.triples import Triple

TEMPLATE_FILE = "film.html"


@dataclass(frozen=True)
class Frame:
    """One step of a game."""

    command: str
    """What was done; empty for the start."""
    observation: str
    """What the player then read."""
    graph: frozenset[Triple]
    """The graph after it."""


def film(frames: Sequence[Frame], title: str) -> str:
    """The HTML of the film."""
    sections = []
    befores = [frames[0].graph, *(frame.graph for frame in frames)]
    for i, (frame, before, scene) in enumerate(zip(frames, befores, draw(frames), strict=False)):
        changes = difference(before, frame.graph)
        items = "".join(f'<li class="{c.verb}">{escape(str(c))}</li>' for c in changes)
        sections.append(
            f'<section data-caption="{escape(caption(i, frame.command))}">'
            f'<div class="picture">{scene.to_svg()}</div>'
            f'<div class="text"><h2>The game says</h2><p>{escape(frame.observation)}</p>'
            f"<h2>{len(frame.graph)} edges, {len(changes)} changed</h2><ul>{items}</ul></div>"
            "</section>"
        )
    template = (files("gata.graph.pictures") / TEMPLATE_FILE).read_text("utf-8")
    return Template(template).substitute(title=escape(title), sections="\n".join(sections))


def draw(frames: Sequence[Frame], *, for_sheet: bool = False) -> list[Scene]:
    """A picture of each step, what changed marked; rooms, doors and cards never move."""
    befores = [None, *(frame.graph for frame in frames)]
    pairs = [(frame.graph, before) for frame, before in zip(frames, befores, strict=False)]
    captions = [caption(i, frame.command) for i, frame in enumerate(frames)]
    return draw_maps(pairs, captions, for_sheet=for_sheet)


def draw_sheet(frames: Sequence[Frame], columns: int) -> Scene:
    """All steps in one picture, ``columns`` side by side, with one legend at the foot."""
    return above(sheet(draw(frames, for_sheet=True), columns), legend(different=len(frames) > 1))


def caption(step: int, command: str) -> str:
    """The heading of a step."""
    return f"step {step}: {command}" if command else "start"
