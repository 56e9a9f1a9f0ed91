"""A picture as a list of shapes, and its two forms: SVG text and PNG pixels.

Lengths are pixels; x goes right, y goes down. Text is measured by a table of letter widths, so
that no font is needed to lay a picture out.
"""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Anchor = Literal["start", "middle", "end"]

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
_SHEET_GAP = 25.0
"""In a sheet, between a title and what is below it, and below that."""
_NARROW, _WIDE = "fijlrt.,:;!|'()[] ", "mwMW@%"


def text_width(text: str, size: float) -> float:
    """How wide a line of text is at most, in a common sans-serif font."""
    units = sum(0.42 if c in _NARROW else 0.95 if c in _WIDE else 0.64 for c in text)
    return units * size


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = "none"
    radius: float = 6
    thickness: float = 1
    dashed: bool = False


@dataclass(frozen=True)
class Line:
    """A line through points, perhaps with an arrow head at its end."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    thickness: float = 1
    dashed: bool = False
    arrow: bool = False


@dataclass(frozen=True)
class Label:
    """A line of text; ``y`` is its middle."""

    x: float
    y: float
    text: str
    size: float
    color: str
    anchor: Anchor = "start"
    bold: bool = False
    struck: bool = False


Shape = Box | Line | Label


@dataclass(frozen=True)
class Scene:
    """A picture of a given size; later shapes lie on top of earlier ones."""

    width: float
    height: float
    shapes: tuple[Shape, ...] = ()
    background: str = "#ffffff"

    def to_svg(self) -> str:
        """The picture as an SVG element that stands by itself."""
        size = f'width="{self.width:.0f}" height="{self.height:.0f}"'
        view = f'viewBox="0 0 {self.width:.0f} {self.height:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} font-family="{FONT}">'
        ground = f'<rect width="100%" height="100%" fill="{self.background}"/>'
        return "\n".join([head, ground, *map(_svg, self.shapes), "</svg>"]) + "\n"

    def to_png(self, scale: float = 2) -> bytes:
        """The picture as PNG, ``scale`` pixels of it to one of ours."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        dots_per_inch = 72 * scale
        figure = Figure(figsize=(self.width / 72, self.height / 72), dpi=dots_per_inch)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, self.width), ylim=(self.height, 0))
        axes.axis("off")
        figure.set_facecolor(self.background)
        for order, shape in enumerate(self.shapes):
            _paint(axes, shape, order)
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=dots_per_inch, metadata={"Software": None})
        return stream.getvalue()


def above(scene: Scene, foot: Scene) -> Scene:
    """A picture with another below it."""
    shapes = (*scene.shapes, *(_moved(shape, 0, scene.height) for shape in foot.shapes))
    return replace(
        scene,
        width=max(scene.width, foot.width),
        height=scene.height + foot.height,
        shapes=shapes,
    )


def sheet(scenes: Sequence[Scene], columns: int) -> Scene:
    """Several pictures in one, row by row from the left, each in a frame.

    The first shape of a picture is its title. A row is only as high as what is drawn in it.
    """
    width = max(scene.width for scene in scenes)
    shapes: list[Shape] = []
    y = 0.0
    for first in range(0, len(scenes), columns):
        row = scenes[first : first + columns]
        extents = [_extent(shape) for scene in row for shape in scene.shapes[1:]]
        titles = max(_extent(scene.shapes[0])[1] for scene in row) + _SHEET_GAP
        up = max(min((top for top, _ in extents), default=titles) - titles, 0)
        height = max((bottom - up for _, bottom in extents), default=titles) + _SHEET_GAP
        for column, scene in enumerate(row):
            x = column * width
            shapes.append(Box(x + 5, y + 5, width - 10, height - 10, scene.background, "#c3cad2"))
            shapes.append(_moved(scene.shapes[0], x, y))
            shapes += (_moved(shape, x, y - up) for shape in scene.shapes[1:])
        y += height
    return Scene(width * min(columns, len(scenes)), y, tuple(shapes))


def _extent(shape: Shape) -> tuple[float, float]:
    """Where a shape begins at the top, and ends at the bottom."""
    match shape:
        case Box():
            return shape.y, shape.y + shape.height
        case Line():
            return min(y for _, y in shape.points), max(y for _, y in shape.points)
        case Label():
            return shape.y - shape.size / 2, shape.y + shape.size / 2


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def _svg(shape: Shape) -> str:
    match shape:
        case Box():
            return _tag(
                "rect",
                x=shape.x,
                y=shape.y,
                width=shape.width,
                height=shape.height,
                rx=shape.radius,
                fill=shape.fill,
                stroke=shape.stroke,
                stroke_width=shape.thickness,
                stroke_dasharray="4 3" if shape.dashed else None,
            )
        case Line():
            line = _tag(
                "polyline",
                points=" ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points),
                fill="none",
                stroke=shape.stroke,
                stroke_width=shape.thickness,
                stroke_dasharray="4 3" if shape.dashed else None,
            )
            if not shape.arrow:
                return line
            head = " ".join(f"{x:.1f},{y:.1f}" for x, y in _arrow_head(shape))
            return line + _tag("polygon", points=head, fill=shape.stroke)
        case Label():
            attributes = _attributes(
                x=shape.x,
                y=shape.y,
                font_size=shape.size,
                fill=shape.color,
                text_anchor=shape.anchor,
                dominant_baseline="central",
                font_weight="bold" if shape.bold else None,
                text_decoration="line-through" if shape.struck else None,
            )
            return f"<text {attributes}>{escape(shape.text)}</text>"


def _tag(name: str, **attributes: Any) -> str:
    return f"<{name} {_attributes(**attributes)}/>"


def _attributes(**values: Any) -> str:
    return " ".join(
        f'{name.replace("_", "-")}="{f"{value:g}" if isinstance(value, float) else value}"'
        for name, value in values.items()
        if value is not None
    )


def _arrow_head(line: Line) -> Iterable[tuple[float, float]]:
    (x0, y0), (x1, y1) = line.points[-2:]
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    back, side = 8, 3.5
    foot = (x1 - back * dx, y1 - back * dy)
    return (
        (x1, y1),
        (foot[0] - side * dy, foot[1] + side * dx),
        (foot[0] + side * dy, foot[1] - side * dx),
    )


def _paint(axes: "Axes", shape: Shape, order: int) -> None:
    from matplotlib.patches import FancyBboxPatch, Polygon

    match shape:
        case Box():
            style = f"round,pad=0,rounding_size={min(shape.radius, shape.height / 2)}"
            axes.add_patch(
                FancyBboxPatch(
                    (shape.x, shape.y),
                    shape.width,
                    shape.height,
                    boxstyle=style,
                    facecolor=shape.fill,
                    edgecolor=shape.stroke,
                    linewidth=shape.thickness,
                    linestyle="--" if shape.dashed else "-",
                    zorder=order,
                )
            )
        case Line():
            axes.plot(
                *zip(*shape.points, strict=True),
                color=shape.stroke,
                linewidth=shape.thickness,
                linestyle="--" if shape.dashed else "-",
                zorder=order,
            )
            if shape.arrow:
                axes.add_patch(Polygon(list(_arrow_head(shape)), color=shape.stroke, zorder=order))
        case Label():
            horizontal = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
            axes.text(
                shape.x,
                shape.y,
                shape.text,
                fontsize=shape.size,
                family="DejaVu Sans",
                color=shape.color,
                ha=horizontal,
                va="center_baseline",
                weight="bold" if shape.bold else "normal",
                zorder=order,
                parse_math=False,
            )
            if shape.struck:
                # matplotlib cannot strike text through.
                width = text_width(shape.text, shape.size) * 0.9
                left = {"start": 0.0, "middle": -width / 2, "end": -width}[shape.anchor]
                ends = (shape.x + left, shape.x + left + width)
                axes.plot(ends, (shape.y, shape.y), color=shape.color, linewidth=1, zorder=order)
