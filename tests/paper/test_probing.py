"""The paper's probing table, and the page that shows ours beside it."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from gata.errors import GataError
from gata.evaluation.probing.settings import ProbeSettings
from gata.paper.probing import (
    METRICS,
    NEGATIVES,
    PAPER_SCORES,
    TITLES,
    Groups,
    Metrics,
    Probed,
    Seed,
    mean_score,
    probing_table,
    read_probed,
    spread,
)
from gata.paper.probing_bars import _bars, _ours, draw_bars

RAW = Path(__file__).parents[2] / "results" / "probe"


def test_the_printed_averages_are_those_of_the_printed_columns() -> None:
    """Within what rounding to two digits allows."""
    for row in PAPER_SCORES.values():
        for metric in ("exact", "f1"):
            for split in ("train", "test"):
                related, unrelated, mean = (
                    row[metric, split, group] for group in ("related", "unrelated", "all")
                )
                assert mean == pytest.approx((related + unrelated) / 2, abs=0.0101)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"rows": {"og": [{"seed": 1}]}}', r"other\.json: rows\.og\[0\]: train is missing"),
        ('{"rows": {"og": []}}', r"other\.json: rows\.og is \[\], expected a list of seeds"),
        ('{"rows": {}}', r"other\.json: rows is {}, expected those that gata probe writes"),
        ("{}", r"other\.json: rows is None"),
    ],
)
def test_other_files_are_refused(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(GataError, match=told):
        probing_table(path, "exact")


def test_every_column_of_the_paper_stands_beside_ours() -> None:
    """In its order: exact match on train and test, then F1; related, unrelated and all pairs."""
    path = RAW / "any-game.json"
    halves = [{row[0]: row[1:] for row in probing_table(path, metric).rows} for metric in METRICS]
    for name, seeds in read_probed(path).rows.items():
        cells = [cell for half in halves for cell in half[TITLES[name]]]
        ours = [
            f"{mean_score(seeds, metric, split, group):.2f}"
            for metric in ("exact", "f1")
            for split in ("train", "test")
            for group in ("related", "unrelated", "all")
        ]
        assert [cell.split(" ± ")[0] for cell in cells] == ours
        printed = [f"{score:.2f}" for score in PAPER_SCORES.get(name, {}).values()]
        assert [cell.split(" / ")[1] for cell in cells if " / " in cell] == printed


def seed(number: int, score: float) -> Seed:
    metrics = Metrics(*[Groups(score, 1 - score, 0.5)] * 2)
    return Seed(number, metrics, metrics)


def test_beliefs_that_the_paper_does_not_have_can_be_drawn() -> None:
    assert (
        "mine"
        in draw_bars({"any-game": Probed(ProbeSettings(), {"mine": [seed(1, 0.25)]})})[
            "svg"
        ].decode()
    )


def test_the_papers_bars_stand_beside_comparable_ones() -> None:
    """All must be: they share the paper's bars."""

    def has_paper(*settings: ProbeSettings) -> bool:
        rows = {"og": [seed(1, 0.25)]}
        kinds = zip(NEGATIVES, settings, strict=False)
        svg = draw_bars({kind: Probed(each, rows) for kind, each in kinds})["svg"].decode()
        return ">paper</text>" in svg

    told, other = ProbeSettings(), ProbeSettings(epochs=9)
    assert has_paper(told)
    assert has_paper(told, told)
    assert not has_paper(other)
    assert not has_paper(told, other)


def test_whiskers_reach_as_far_as_the_farthest_seed() -> None:
    axis = Figure().subplots()
    seeds = [seed(1, 0.2), seed(2, 0.3), seed(3, 0.7)]
    ours = _ours(seeds, "related")
    _bars(axis, 0, "any-game", [None, ours])
    (bars,) = axis.containers[1:]
    (whisker,) = bars.errorbar.lines[2][0].get_segments()
    assert whisker[:, 0].tolist() == pytest.approx([0.1, 0.7])  # the mean is 0.4
    _bars(axis, 1, "paper", [(0.5, 0.0), None])
    assert axis.containers[-1].errorbar is None


def test_cells_tell_the_mean_and_the_farthest_seed() -> None:
    seeds = [seed(1, 0.2), seed(2, 0.3), seed(3, 0.7)]
    assert mean_score(seeds, "f1", "test", "related") == pytest.approx(0.4)
    assert spread(seeds, "f1", "test", "related") == pytest.approx(0.3)
    assert spread(seeds, "f1", "test", "all") == 0


def test_bars_carry_our_numbers_and_the_papers() -> None:
    table = probing_table(RAW / "same-game.json", "exact")
    column = table.columns.index("test +")
    cells = [[cell.split(" ± ")[0] for cell in row[column].split(" / ")] for row in table.rows]
    pictures = draw_bars({"same-game": read_probed(RAW / "same-game.json")})
    assert pictures["png"].startswith(b"\x89PNG")
    svg = pictures["svg"].decode()
    assert all(f">{number}</text>" in svg for cell in cells for number in cell)
    assert all(f">{title}</text>" in svg for title in ("related pairs", "all pairs"))
    assert "ours, counterparts from any game" not in svg
