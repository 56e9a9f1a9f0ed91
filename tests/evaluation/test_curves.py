"""The picture of a training: what it compares with can be read."""

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from gata.evaluation.curves import Curve, draw_curves, spread

SVG = "{http://www.w3.org/2000/svg}"
LINE_HEIGHT = 12.0
"""Of a label's text, in points."""


def drawn(marks: Sequence[tuple[str, float]]) -> ElementTree.Element:
    curves = {"greedy": Curve((10.0, 20.0), (30.0, 100.0))}
    return ElementTree.fromstring(draw_curves(curves, marks))


def label(picture: ElementTree.Element, text: str) -> tuple[float, float]:
    """Where a text begins, in points from the left and from the top."""
    (found,) = (each for each in picture.iter(f"{SVG}text") if each.text == text)
    return float(found.attrib["x"]), float(found.attrib["y"])


def right_ends(picture: ElementTree.Element) -> list[float]:
    """How far to the right each dashed line reaches."""
    return [
        float(path.attrib["d"].split()[-2])
        for path in picture.iter(f"{SVG}path")
        if "stroke-dasharray" in path.attrib.get("style", "")
    ]


def test_labels_stand_beside_the_curves() -> None:
    picture = drawn([("random", 20.0), ("shipped", 70.0)])
    ends = right_ends(picture)
    assert len(ends) == 2
    places = [label(picture, text) for text in ("random 20.0", "shipped 70.0")]
    assert all(x > max(ends) for x, _ in places)
    assert places[0][1] > places[1][1]


@pytest.mark.parametrize("score", [0.0, 50.0, 100.0])
def test_labels_of_one_score_do_not_cover_each_other(score: float) -> None:
    picture = drawn([("one", score), ("other", score)])
    heights = [label(picture, f"{name} {score:.1f}")[1] for name in ("one", "other")]
    assert abs(heights[0] - heights[1]) >= LINE_HEIGHT
    assert min(heights) > LINE_HEIGHT  # inside the picture


def test_labels_keep_their_order_and_move_no_more_than_they_must() -> None:
    assert spread([50.0, 10.0, 11.0, 12.0], 5) == [50, 10, 15, 20]
    assert spread([], 5) == []
