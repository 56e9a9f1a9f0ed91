"""Tables, pages and pictures from records."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from gata.agents.playing import Episode
from gata.agents.presets import find
from gata.errors import GataError
from gata.evaluation.record_files import write_record
from gata.evaluation.records import CurvePoint, Record, command
from gata.evaluation.statistics import best_on_validation, estimate
from gata.evaluation.table import Table
from gata.paper.beyond import beyond_table
from gata.paper.cells import Results
from gata.paper.counting import two_digits
from gata.paper.curve_pictures import _panel, draw
from gata.paper.curves import FIGURES, band
from gata.paper.departures import (
    games_at_once,
    marked_departures,
    unmarked_departures,
    updates,
)
from gata.paper.ours import sift
from gata.paper.pages import BLOCKS, pages_of, regenerated
from gata.paper.plan import make_plan
from gata.paper.report import write_report
from gata.paper.score_tables import (
    difference_table,
    full_test_table,
    improvement_table,
    short_test_table,
    training_table,
)
from gata.paper.scores import LEVELS, MAIN_ROWS, TEST
from gata.paper.tables import TABLES, Sources
from gata.paper.time_table import time_table
from gata.rl.settings import LearningSettings
from tests.belief.networks import settings as network_settings
from tests.paper.short_runs import short_grid

ROOT = Path(__file__).parents[2]


def variant(
    record: Record, *, seed: int = 1, agent: str = "tr-dqn", valid: int = 0, test: int = 0
) -> Record:
    """Another seed or agent, with so many of the validation and test games won, no other points."""

    def won(episodes, count):
        return tuple(
            replace(e, score=e.max_score if i < count else 0, won=i < count)
            for i, e in enumerate(episodes)
        )

    settings = replace(record.settings, seed=seed, agent=agent)
    preset = record.agent if agent == record.settings.agent else find(agent)
    return replace(
        record,
        name=settings.name,
        settings=settings,
        agent=preset,
        command=command(settings),
        valid_games=won(record.valid_games, valid),
        test_games=won(record.test_games, test),
    )


def cells(table, agent: str) -> dict[str, str]:
    (row,) = (row for row in table.rows if row[0] == f"`{agent}`")
    return dict(zip(table.columns, row, strict=True))


def mean_and_interval(games: tuple[Episode, ...], *won: int) -> str:
    """Of seeds that won the first so many of these games."""
    names = [episode.game for episode in games]
    order = sorted(range(len(names)), key=names.__getitem__)
    made = estimate([[100.0 * (game < count) for game in order] for count in won])
    return f"{made.mean:.1f} [{made.low:.1f}, {made.high:.1f}]"


def test_committed_pages_are_what_the_results_say() -> None:
    sources = Sources.read(ROOT / "results")
    pages = pages_of(ROOT)
    assert {page.name for page in pages} >= {"README.md", "results.md", "pretraining.md"}
    for page in pages:
        made = regenerated(page, sources)
        assert page.read_bytes() == made.text.encode(), f"{page}: gata report"
        assert not made.left


def test_without_results_every_cell_says_so() -> None:
    nothing = Results([])
    for table in (
        *(
            make(nothing, size)
            for make in (short_test_table, full_test_table)
            for size in (20, 100)
        ),
        training_table(nothing, 20),
    ):
        for row in table.rows:
            assert all(cell.startswith("· / ") for cell in row[1:6])
    assert len(full_test_table(nothing, 20).rows) == len(TEST)
    assert cells(improvement_table(nothing), "gtf-sp")["mean"] == "· / +81.6"


def test_one_seed_is_too_few(record: Record) -> None:
    results = Results([variant(record, test=10)])
    lines = cells(short_test_table(results, 20), "tr-dqn")["level 1"].split("\n")
    assert lines[:2] == ["50.0† (1 seed, too few) / 66.2", "won 50.0"]
    assert lines[2].endswith(" h CPU")
    cell = cells(full_test_table(results, 20), "tr-dqn")["level 1"]
    assert cell.startswith(
        "**50.0† / 66.2**\nbest won 50.0\nall 50.0 (1 seed, too few)\nall won 50.0\n"
    )
    assert cell.endswith(" h CPU")


def test_the_best_seed_on_validation_and_all_seeds(record: Record) -> None:
    seeds = [
        variant(record, seed=1, valid=4, test=20),
        variant(record, seed=2, valid=8, test=10),
        variant(record, seed=3, valid=8, test=6),
    ]
    assert best_on_validation(seeds).settings.seed == 2
    table = full_test_table(Results(seeds), 20)
    lines = cells(table, "tr-dqn")["level 1"].split("\n")
    interval = mean_and_interval(record.test_games, 20, 10, 6)
    low = float(re.findall(r"\[(.*),", interval)[0])
    assert low < 30  # lower than the worst seed: the games count as well
    assert lines[:4] == [
        "**50.0† / 66.2**",
        "best won 50.0",
        f"all {interval}",
        f"all won {interval}",
    ]
    assert cells(table, "tr-dqn")["level 2"] == "· / 26.0"


def test_seeds_with_as_many_points_are_equals(record: Record) -> None:
    """However the points are spread over the games: the lowest seed is taken."""

    def seed(number: int, scores: tuple[int, ...]) -> Record:
        one = variant(record, seed=number)
        pairs = zip(one.valid_games, scores, strict=True)
        games = [replace(episode, score=score, max_score=5) for episode, score in pairs]
        return replace(one, valid_games=tuple(games))

    spread, heaped = (1, 2, 4, *[0] * 17), (3, 4, *[0] * 18)
    for first, second in ((spread, heaped), (heaped, spread)):
        assert best_on_validation([seed(1, first), seed(2, second)]).settings.seed == 1


def test_test_games_have_no_say_in_which_seed_is_best(record: Record) -> None:
    seeds = [
        variant(record, seed=seed, valid=valid, test=test)
        for seed, valid, test in ((3, 8, 20), (2, 8, 3), (1, 4, 15))
    ]
    assert best_on_validation(seeds).settings.seed == 2


def test_improvements_need_all_levels(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = [
        *(variant(record, seed=seed, test=10) for seed in (1, 2, 3)),
        *(variant(record, seed=seed, agent="tr-drqn", test=15) for seed in (1, 2, 3)),
    ]
    results = Results(seeds)
    assert cells(short_test_table(results, 20), "tr-drqn")["↑ %"] == "· / +10.3"
    # A paper with one level only: then all are there.
    monkeypatch.setattr("gata.paper.cells.LEVELS", (1,))
    assert results.improvement("tr-drqn", 20).estimate.mean == pytest.approx(50.0)
    row = cells(improvement_table(results), "tr-drqn")
    assert (row["20 games"], row["mean"]) == ("+50.0† / +10.3", "· / +3.9")
    # Five of 20 games are won by one of the two alone: how many of them are drawn decides.
    assert re.fullmatch(r"\+50\.0† \[\+1\d\.\d, \+1[234]\d\.\d\]", row["20, all seeds"])


def test_improvements_say_what_their_cells_say(record: Record) -> None:
    """One cell that departs from the paper, or one with too few seeds, is always told."""
    settings = replace(record.settings, learning=LearningSettings())
    paper = replace(record, settings=settings, curve=(CurvePoint(1_000, 20.0, 0.0, 0.0, 0.0),))

    def place(one: Record, games: str, level: int, level2: LearningSettings) -> Record:
        learning = level2 if level == 2 else one.settings.learning
        settings = replace(one.settings, games=games, level=level, learning=learning)
        return replace(one, name=settings.name, settings=settings)

    def texts(level2: LearningSettings, seeds: int) -> list[str]:
        """All that is said of the improvement, with so many seeds on level 2, made so."""
        results = Results(
            [
                place(variant(paper, agent=agent, seed=seed, test=test), games, level, level2)
                for agent, test in (("tr-dqn", 10), ("tr-drqn", 15))
                for games in ("20", "100")
                for level in LEVELS
                for seed in range(1, 1 + (seeds if level == 2 else 3))
            ]
        )
        short = cells(short_test_table(results, 20), "tr-drqn")["↑ %"]
        trained = cells(training_table(results, 20), "tr-drqn")["↑ %"]
        return [short, trained, *list(cells(improvement_table(results), "tr-drqn").values())[1:]]

    few = texts(LearningSettings(), seeds=1)
    assert few[0] == "+50.0 (1 seed, too few) / +10.3"
    assert all("(1 seed, too few)" in text and "†" not in text for text in few)
    departing = texts(LearningSettings(batch=5), seeds=3)
    assert (departing[0], departing[4]) == ("+50.0† / +10.3", "+50.0† / +3.9")
    assert all("†" in text and "too few" not in text for text in departing)
    mixed = texts(LearningSettings(parallel=256), seeds=3)
    assert all("‡" in text and "†" not in text for text in mixed)
    assert not any("‡" in text for text in (*few, *departing))


def test_an_improvement_over_nothing_says_so(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gata.paper.cells.LEVELS", (1,))
    ours = [variant(record, seed=seed, agent="tr-drqn", test=15) for seed in (1, 2, 3)]

    def row(points: tuple[int, ...], chosen: int) -> dict[str, str]:
        theirs = [
            variant(record, seed=i + 1, valid=int(i == chosen), test=test)
            for i, test in enumerate(points)
        ]
        return cells(improvement_table(Results([*ours, *theirs])), "tr-drqn")

    some = row((0, 15, 15), chosen=0)
    assert some["20 games"] == "no number: Tr-DQN has 0 / +10.3"
    assert some["20, all seeds"] == "+50.0† (no interval: a seed of Tr-DQN has 0)"
    assert row((0, 0, 0), chosen=0)["20, all seeds"] == "no number: Tr-DQN has 0"


def test_training_scores_are_the_best_points_of_whole_windows(record: Record) -> None:
    """There is an evaluation every 60 episodes: what came after 300 is no whole window."""
    points = tuple(
        CurvePoint(episodes, score, won, None, None)
        for episodes, score, won in ((100, 10, 5), (200, 40, 25), (300, 20, 15), (310, 90, 85))
    )
    assert replace(record, curve=points[:1]).training_score == 10
    assert replace(record, curve=(CurvePoint(59, 10.0, 0.0, 0.0, 0.0),)).training_score is None
    seeds = [replace(variant(record, seed=seed), curve=points) for seed in (1, 2, 3)]
    table = training_table(Results(seeds), 20)
    assert cells(table, "tr-dqn")["level 1"].startswith("40.0† (40.0 to 40.0) / 90.8\nwon 25.0\n")


def test_seeds_of_different_settings_do_not_share_a_cell(record: Record) -> None:
    other = variant(record, seed=2)
    learning = replace(other.settings.learning, batch=5)
    other = replace(other, settings=replace(other.settings, learning=learning))
    elsewhere = [variant(each, seed=each.settings.seed, agent="gtf") for each in (record, other)]
    elsewhere[1] = replace(elsewhere[1], network=network_settings())
    with pytest.raises(GataError) as caught:
        Results([record, other, *elsewhere])
    first, second, advice = str(caught.value).splitlines()
    assert first == (
        "tr-dqn-level1-20games-seed1 and tr-dqn-level1-20games-seed2 stand in the same cell, but"
        " settings.learning.batch is 4 and 5"
    )
    assert "gtf-level1-20games-seed2 stand in the same cell" in second
    assert "network is None and NetworkSettings(" in second
    assert advice.startswith("keep one kind")


@pytest.mark.parametrize("field", ["updater_sha256", "encoder_sha256"])
def test_seeds_of_different_weights_do_not_share_a_cell(record: Record, field: str) -> None:
    first, same, other = (
        replace(variant(record, seed=seed, agent="gata-og-init"), **{field: digest})
        for seed, digest in ((1, "a"), (2, "a"), (3, "b"))
    )
    assert Results([first, same]).records
    with pytest.raises(GataError, match=f"seed3 .* same cell, but {field} is 'a' and 'b'"):
        Results([first, same, other])


@pytest.mark.parametrize("field", ["parallel", "report_every"])
def test_matters_of_the_device_and_of_display_are_no_departures(
    record: Record, field: str, tmp_path: Path
) -> None:
    other = variant(record, seed=2)
    learning = replace(other.settings.learning, **{field: 7})
    settings = replace(other.settings, learning=learning)
    other = replace(other, settings=settings, command=command(settings))
    assert other.departures() == record.departures()
    assert len(Results([record, other]).cell("tr-dqn", 1, 20).records) == 2
    write_record(replace(other, valid_games=record.valid_games), tmp_path)
    plan = make_plan(short_grid(seeds=2), tmp_path, tmp_path)
    assert [run.state for run in plan.runs] == ["to do", "done"]
    paper = replace(record.settings, learning=LearningSettings(**{field: 7}))
    assert replace(record, settings=paper, agent=find("tr-dqn")).departures() == []


def test_departures_name_the_part_of_the_agent(record: Record) -> None:
    paper = replace(record, settings=replace(record.settings, learning=LearningSettings()))
    reworded = replace(paper, agent=replace(paper.agent, about="in other words"))
    assert reworded.departures() == []
    other = replace(paper, agent=replace(paper.agent, action_in_text=False))
    assert other.departures() == ["another action_in_text"]
    assert Results([paper, variant(reworded, seed=2)]).records
    with pytest.raises(GataError, match=r"agent\.action_in_text is True and False"):
        Results([paper, variant(other, seed=2)])


def test_how_many_games_were_played_at_once_is_told(record: Record) -> None:
    other = variant(record, seed=2)
    learning = replace(other.settings.learning, parallel=256)
    other = replace(other, settings=replace(other.settings, learning=learning))
    records = [record, other, variant(other, seed=3)]
    assert games_at_once(Results(records)).endswith(": 20 in 1 run, 256 in 2 runs.")


def test_the_short_table_has_other_rows_that_were_run(record: Record) -> None:
    nothing = [row[0] for row in short_test_table(Results([]), 20).rows]
    assert nothing == [f"`{agent}`" for agent in MAIN_ROWS]
    results = Results([variant(record, agent="gata-og-text", test=10)])
    rows = [row[0] for row in short_test_table(results, 20).rows]
    assert rows[3:6] == ["`gata-og`", "`gata-og-text`", "`gata-og-text-init`"]
    assert len(rows) == len(nothing) + 1
    assert cells(short_test_table(results, 20), "gata-og-text")["level 1"].startswith("50.0†")
    assert [row[0] for row in short_test_table(results, 100).rows] == nothing


def test_departures_are_listed(record: Record) -> None:
    (line,) = marked_departures(Results([record, variant(record, seed=2)]))
    assert "episodes 120, not 100000" in line
    assert line.endswith("`tr-dqn-level1-20games-seed1`, `tr-dqn-level1-20games-seed2`")


def test_what_is_common_to_all_runs_is_told_with_the_departures(
    record: Record, tmp_path: Path
) -> None:
    older = replace(variant(record, seed=2), code=None)
    results = Results([replace(record, code="0123456789abcdef"), older])
    page = tmp_path / "page.md"
    page.write_text("<!-- begin figures: gata report departures -->\n<!-- end figures -->")
    told = regenerated(page, Sources(results, ROOT / "results")).text
    assert "in the tables:\n\n- in all 2 runs: word vectors are GloVe's of 100 numbers" in told
    assert "not the paper's (†):\n\n- " in told
    assert "1 run of code that is not recorded, 1 run of `0123456789abcdef`." in told


def test_departures_are_told_of_the_runs_that_have_them(record: Record) -> None:
    """Tr-DQN has neither updater nor trained encoder, and GATA's is of no head."""

    def told(*agents: str) -> dict[str, str]:
        lines = unmarked_departures(Results([variant(record, agent=agent) for agent in agents]))
        return {what[:24]: share for share, what in (line.split(": ", 1) for line in lines)}

    pretrained, heads = "updaters and graph encoders", "graph encoders were pre-trained"
    plain = told("tr-dqn", "gtf")
    assert set(plain.values()) == {"in all 2 runs"}
    assert not {pretrained[:24], heads[:24]} & set(plain)
    some = told("tr-dqn", "gtf", "gata-og", "gata-og-init", "gtf-sp", "gtf-dgi")
    assert some[pretrained[:24]] == "in 4 of 6 runs"
    assert some[heads[:24]] == "in 1 of 6 runs"
    assert len(some) == len(plain) + 2
    assert told("gtp-ap")[heads[:24]] == "in all 1 run"


def test_updates_are_told_with_the_authors(record: Record) -> None:
    runs = [
        replace(variant(record, seed=seed), updates=count)
        for seed, count in ((1, 20_000), (2, 54_321), (3, 18_174))
    ]
    text = updates(Results(runs))
    assert text.startswith("The runs made 18,174 to 54,321 updates of the weights, by default one")
    # 100,000 episodes of 50 steps, 25 games at once, an update each 2 steps.
    assert f"makes up to {100_000 // 25 * 50 // 2:,};" in text


def test_differences_are_of_agents_and_levels_that_were_run(record: Record) -> None:
    seeds = (1, 2, 3)
    runs = [variant(record, seed=seed, test=8) for seed in seeds]
    runs += [variant(record, seed=seed, agent="gtf", test=18) for seed in seeds]
    runs += [variant(record, agent="gata-og", test=3)]
    table = difference_table(Results(runs), 20)
    assert [row[0] for row in table.rows] == ["`gata-og`", "`gtf`"]
    assert cells(table, "gata-og")["level 1"] == "-25.0† (1 seed, too few)"
    # Half of the games are won by one of the two alone.
    assert re.fullmatch(r"\+50\.0† \[\+[23]\d\.0, \+7\d\.0\]", cells(table, "gtf")["level 1"])
    assert cells(table, "gtf")["level 2"] == "·"


def test_differences_are_marked_if_either_side_departs(record: Record) -> None:
    as_in_the_paper = LearningSettings(parallel=record.settings.learning.parallel)
    base, other = ([variant(record, agent=agent)] for agent in ("tr-dqn", "gtf"))
    papers, others = (placed(runs, learning=as_in_the_paper) for runs in (base, other))
    for runs in ([*papers, *other], [*base, *others]):
        (row,) = difference_table(Results(runs), 20).rows
        assert row[1] == "+0.0† (1 seed, too few)"
    (row,) = difference_table(Results([*papers, *others]), 20).rows
    assert row[1] == "+0.0 (1 seed, too few)"


def test_without_runs_of_tr_dqn_there_are_no_differences(record: Record) -> None:
    """Rows of nothing but dots say nothing; whose they would be is told."""
    text = difference_table(Results([variant(record, agent="gtf")]), 20).markdown()
    assert text == "None yet.\n\nLeft out, as there is nothing of ours to show: `gtf`."


def test_what_an_interval_tells_stands_below_every_table_of_differences(record: Record) -> None:
    """In pages as in the report: with what it does not tell."""
    sources = Sources(Results([record, variant(record, agent="gtf")]), ROOT / "results")
    table = TABLES["difference-20"].table(sources)
    caveat = "too narrow for three seeds, and nothing corrects for looking at several."
    assert caveat in table.markdown()
    assert caveat in table.html()
    assert "apart" not in TABLES["difference-20"].about


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("test-20", "level 1"),
        ("test-full-20", "level 1"),
        ("training-20", "level 1"),
        ("difference-20", "level 1"),
        ("beyond", "test score"),
        ("time", "hours"),
    ],
)
def test_seeds_with_different_games_at_once_are_marked(
    record: Record, name: str, where: str
) -> None:
    """That it makes no difference was measured for one agent only."""

    def text(parallel: int) -> tuple[str, tuple[str, ...]]:
        """Of a cell with two seeds, one of which played so many games at once."""
        agent = "gtf-sp-frozen" if name == "beyond" else "gtf"
        base, one, two = (
            variant(record, seed=seed, agent=agent)
            for agent, seed in (("tr-dqn", 1), (agent, 1), (agent, 2))
        )
        learning = replace(record.settings.learning, parallel=parallel)
        curve = (CurvePoint(100, 10.0, 0.0, 0.0, 0.0),)
        runs = [replace(run, curve=curve) for run in (base, one, *placed([two], learning=learning))]
        table = TABLES[name].table(Sources(Results(runs), ROOT / "results"))
        return cells(table, agent)[where], table.notes

    cell, notes = text(parallel=record.settings.learning.parallel)
    assert "‡" not in cell
    assert not any(note.startswith("‡") for note in notes)
    cell, notes = text(parallel=256)
    assert "†‡" in cell
    (note,) = (note for note in notes if note.startswith("‡"))
    assert "different numbers of games at once (`--parallel`)" in note
    assert sum(note.startswith("†: was not run with") for note in notes) == 1


def test_times_stand_beside_the_papers(record: Record) -> None:
    table = time_table(Results([record]), ROOT / "results" / "pretrain")
    row = cells(table, "tr-dqn")
    assert row["hours"] == f"{two_digits(record.hours)}†"
    assert (row["runs"], row["at once"], row["paper's hours"]) == ("1", "1", "48")
    assert any("`gtf-sp`" in note for note in table.notes)
    assert cells(table, "sp-full")["paper's hours"] == "120"


def test_pages_change_between_their_marks_only(record: Record, tmp_path: Path) -> None:
    write_record(record, tmp_path / "results" / "agents")
    sources = Sources.read(tmp_path / "results")
    page = tmp_path / "README.md"
    page.write_bytes(
        b"before\r\n\n<!-- begin figures: gata report test-20 -->\nold\n<!-- end figures -->\n"
        b"between\n<!-- begin figures: gata report departures -->\n<!-- end figures -->after"
    )
    assert pages_of(tmp_path) == [page]
    made = regenerated(page, sources).text
    assert made.startswith("before\r\n\n<!-- begin figures: gata report test-20 -->\n| agent |")
    assert "old" not in made
    assert "<!-- end figures -->\nbetween\n" in made
    told = "Games played at once (`--parallel`, by default 25): 20 in 1 run."
    code = f"Fingerprints of the source: 1 run of `{record.code}`."
    assert made.endswith(f"is not known.\n\n{told} {code}\n<!-- end figures -->after")
    page.write_bytes(made.encode())
    assert regenerated(page, sources).text == made

    page.write_bytes(made.replace("\r\n", "\n").replace("\n", "\r\n").encode())
    assert pages_of(tmp_path) == [page]
    assert regenerated(page, sources).text.encode() == page.read_bytes()
    page.write_bytes(b"\xff")
    with pytest.raises(GataError, match=r"README\.md: cannot be read"):
        pages_of(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<!-- begin figures: gata report tset -->\n<!-- end figures -->", "'tset' are not known"),
        ("<!-- begin figures: gata report time -->\n", "'time' have no end"),
        (
            "<!-- begin figures: gata report time -->\n"
            "<!-- begin figures: gata report test-20 -->\n<!-- end figures -->",
            "'time' have no end",
        ),
    ],
)
def test_marks_that_make_no_sense_are_refused(text: str, told: str, tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(text)
    with pytest.raises(GataError, match=told):
        regenerated(page, Sources(Results([]), tmp_path))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"steps": 3}', "name is missing"),
        ('{"name": "tr-d', "cannot be read (Unterminated string"),
        ("[]", "expected an object, found list"),
    ],
)
def test_a_file_that_is_no_record_is_named_with_what_to_do(
    record: Record, tmp_path: Path, text: str, told: str
) -> None:
    """Beside records that are: neither report nor plan leaves it out in silence."""
    write_record(record, tmp_path)
    stray = tmp_path / "stray.json"
    stray.write_text(text)
    for read in (Results.read, lambda folder: make_plan(short_grid(), folder, folder)):
        with pytest.raises(GataError) as caught:
            read(tmp_path)
        problem, advice = str(caught.value).splitlines()
        assert problem.startswith(f"{stray}: {told}")
        assert advice == "move the file elsewhere; `gata reproduce` makes a run's record again"


def test_runs_without_a_place_in_the_paper_are_shown(record: Record) -> None:
    """A row for all seeds of an experiment, which says if they are too few."""
    frozen = [
        variant(record, seed=seed, agent="gtf-sp-frozen", valid=seed, test=5 * seed)
        for seed in (1, 2, 3)
    ]
    unlimited = placed([variant(record, test=5)], games="unlimited")
    one = placed(unlimited, games="1")
    table = beyond_table(Results([*frozen, record, *unlimited, *one]))
    columns = ("agent", "level", "training games", "test score", "won", "valid score", "wall clock")
    assert table.columns == columns
    few, hours = ("25.0† (1 seed, too few)", "25.0", "0.0"), f"{two_digits(record.hours)} h CPU"
    tested = mean_and_interval(record.test_games, 5, 10, 15)
    validated = mean_and_interval(record.valid_games, 1, 2, 3)
    all_seeds = (tested.replace(" ", "† ", 1), tested, validated)
    assert table.rows == (
        ("`tr-dqn`", "1", "1", *few, hours),
        ("`tr-dqn`", "1", "unlimited", *few, hours),
        ("`gtf-sp-frozen`", "1", "20", *all_seeds, hours),
    )


def test_every_block_stands_in_some_page() -> None:
    named = {
        name
        for page in pages_of(ROOT)
        for name in re.findall(r"gata report (\S+) -->", page.read_text(encoding="utf-8"))
    }
    assert named | {"test-20"} == set(BLOCKS)


class Checker(HTMLParser):
    """Counts what is opened, and notes what would be loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs) -> None:
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)
        self.sources += [v for k, v in attrs if k in ("src", "href") and not v.startswith("#")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_is_whole_and_the_same_each_time(record: Record, tmp_path: Path) -> None:
    sources = Sources(Results([record]), ROOT / "results")
    paths = write_report(sources, tmp_path / "a")
    assert {path.suffix for path in paths} == {".html", ".svg", ".png"}
    # Heat maps take their time: once is enough to see them.
    one, two = (write_report(sources, tmp_path / name, beliefs=False) for name in ("b", "c"))
    assert [path.name for path in one] == [path.name for path in two]
    for first, second in zip(one, two, strict=True):
        assert first.read_bytes() == second.read_bytes(), first.name
    checker, page = Checker(), paths[0].read_text(encoding="utf-8")
    checker.feed(page)
    assert checker.open == []
    empty = re.search(r"There is nothing of ours yet for the tables: ([^.]*)\.", page)
    assert empty is not None
    for table in TABLES.values():
        assert (f"<h2>{table.title}</h2>" in page) != (escape(table.title) in empty[1]), table.title
    tables, curves = (
        page.index("<h2>Test scores"),
        page.index("<h2>Training curves: All agents</h2>"),
    )
    assert tables < curves < page.index("<h2>Departures")
    assert re.findall(r"<nav><b>(.*?)</b>", page) == ["Tables", "Pictures", "The runs"]
    assert "<code>--parallel</code>, by default 25): 20 in 1 run. Fingerprints of" in page
    drawn = {path.stem for path in paths if path.suffix == ".svg"}
    assert drawn == {"curves-all-agents", "curves-baselines", "probing", "beliefs"}
    assert len(checker.sources) == len(drawn)
    assert all(source.startswith("data:image/svg+xml;base64,") for source in checker.sources)


def test_without_runs_the_report_says_what_is_missing(tmp_path: Path) -> None:
    (path,) = write_report(Sources(Results([]), tmp_path), tmp_path, beliefs=False)
    page = path.read_text(encoding="utf-8")
    assert (
        "no runs yet for the curves of: All agents, GATA with continuous graphs, Text baselines"
        in page
    )
    assert "<h2>Probing" not in page
    assert "There are no raw files for the tables: " in page


def test_rows_with_nothing_of_ours_are_left_out_and_named() -> None:
    columns = ("agent", "level 1", "level 2", "seeds", "paper's hours")
    ours = ("`a`", "· / 10.0", "50.0 / 20.0", "1", "·")
    nothing_won = ("`b`", "0.0 / 10.0", "· / 20.0", "1", "2")
    papers = ("`c`", "· / 10.0", "· / 20.0", "0", "3")
    sifted = sift(Table(columns, (ours, nothing_won, papers), ("Read this.",)))
    left_out = "Left out, as there is nothing of ours to show: `c`."
    assert sifted == Table(columns, (ours, nothing_won), ("Read this.", left_out))
    assert sift(sifted) == sifted


def test_columns_of_numbers_are_marked() -> None:
    table = Table(("name", "hours", "note"), (("a", "1,200", "·"), ("b", "·", "·")))
    assert table.html().count('<td class="number">') == 2
    assert '<th class="number">hours</th><th>note</th>' in table.html()


def test_a_table_without_rows_says_so() -> None:
    table = Table(("name", "hours"), ())
    assert table.markdown() == "None yet."
    assert table.html() == "<p>None yet.</p>"


def two_curves(record: Record) -> list[Record]:
    """Two seeds 20 points apart; one of them goes farther."""
    points = (CurvePoint(100, 10.0, 0.0, 0.0, 0.0), CurvePoint(200, 30.0, 0.0, 0.0, 0.0))
    higher = tuple(replace(p, train_score=p.train_score + 20) for p in points)
    return [
        replace(variant(record, seed=1), curve=points),
        replace(variant(record, seed=2), curve=(*higher, CurvePoint(300, 1.0, 0.0, None, None))),
    ]


def four_curves(record: Record) -> list[Record]:
    """The same two twice, as seeds of one experiment."""
    two = two_curves(record)
    return [replace(variant(record, seed=i), curve=two[i % 2].curve) for i in range(1, 5)]


def drawn_curve(records: list[Record], unit: int):
    """The only line of the only panel, and its bands."""
    axis = Figure().subplots()
    panels = FIGURES["curves-baselines"].panels(Results(records))
    _panel(axis, panels.pop(("tr-dqn", 1)), unit)
    assert not panels
    (line,) = axis.lines
    return line.get_xydata().tolist(), list(axis.collections)


def test_bands_are_drawn_a_deviation_to_both_sides(record: Record) -> None:
    for unit in (1, 1000):
        begin, end = 100 / unit, 200 / unit
        mean, (band,) = drawn_curve(four_curves(record), unit)
        assert mean == [[begin, 20.0], [end, 40.0]]
        corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
        assert corners == {(begin, 10.0), (begin, 30.0), (end, 30.0), (end, 50.0)}


def test_too_few_seeds_have_no_band(record: Record) -> None:
    """Two that differ much: their mean is drawn, with a word in the panel."""
    seeds = four_curves(record)
    for count in (1, 2):
        _, bands = drawn_curve(seeds[:count], 1)
        assert not bands
        assert "no band below 3 seeds" in words("curves-baselines", seeds[:count])
    _, bands = drawn_curve(seeds[:3], 1)
    assert len(bands) == 1
    assert "no band below 3 seeds" not in words("curves-baselines", seeds[:3])


def test_short_runs_are_drawn_over_episodes(record: Record) -> None:
    short = words("curves-baselines", [record])
    assert "episodes" in short
    assert "0.1" not in short
    long = replace(record, curve=(*record.curve, CurvePoint(10_000, 50.0, 0.0, 0.0, 0.0)))
    # With one long run all are drawn like it.
    assert "thousand episodes" in words("curves-baselines", [long, *placed([record], level=2)])


def test_agents_that_depart_from_the_paper_are_marked(record: Record) -> None:
    """One such run is enough; those with the paper's settings are not marked."""
    paper = replace(record, settings=replace(record.settings, learning=LearningSettings()))
    other = placed([record], level=2)
    (text,) = placed([variant(paper, agent="gata-og-text")])
    assert record.departures()
    assert not paper.departures()
    told = words("curves-all-agents", [paper, *other, text])
    assert "tr-dqn †" in told
    assert "gata-og-text" in told
    assert "tr-dqn" in words("curves-all-agents", [paper, text])


def test_curves_have_bands_where_there_are_runs(record: Record) -> None:
    made = band(two_curves(record))
    assert made.episodes.tolist() == [100, 200]
    assert made.mean.tolist() == [20, 40]
    assert made.deviation.tolist() == [10, 10]
    assert made.seeds == 2
    assert band([]) is None


def curve(record: Record, scores: dict[int, float]) -> Record:
    """With these training scores after so many episodes."""
    points = (CurvePoint(episodes, score, 0.0, 0.0, 0.0) for episodes, score in scores.items())
    return replace(record, curve=tuple(points))


def test_seeds_are_compared_after_equally_many_episodes(record: Record) -> None:
    """Both are on one straight line, looked at in different places: they do not differ at all."""
    often = curve(record, {100: 10.0, 200: 20.0, 300: 30.0, 400: 40.0})
    seldom = curve(record, {150: 15.0, 350: 35.0})
    made = band([often, seldom])
    assert made.episodes.tolist() == [150, 200, 300, 350]
    assert made.mean.tolist() == [15, 20, 30, 35]
    assert made.deviation.tolist() == [0, 0, 0, 0]
    # Nowhere do both have a curve.
    assert band([often, curve(record, {500: 10.0, 600: 20.0})]) is None
    assert band([often, curve(record, {})]) is None


def placed(records: list[Record], **changes) -> list[Record]:
    """The same runs of other agents, levels or sizes of training sets."""
    moved = [replace(record, settings=replace(record.settings, **changes)) for record in records]
    return [replace(record, name=record.settings.name) for record in moved]


def words(figure: str, records: list[Record]) -> list[str]:
    """All that is written in the picture."""
    picture = ElementTree.fromstring(draw(FIGURES[figure], Results(records))["svg"])
    return [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]


def test_rows_and_levels_without_runs_are_left_out(record: Record) -> None:
    seeds = two_curves(record)
    one = words("curves-baselines", seeds)
    assert "no runs" not in one
    assert [word for word in one if word.startswith("level")] == ["level 1"]
    assert not {"tr-drqn", "tr-drqn+", "100 games †"} & set(one)
    assert "20 games †" in one
    # Of two rows and two levels, every other panel is empty.
    both = words("curves-baselines", [*seeds, *placed(seeds, agent="tr-drqn", level=4)])
    assert both.count("no runs") == 2
    assert [word for word in both if word.startswith("level")] == ["level 1", "level 4"]
    assert {"tr-dqn", "tr-drqn"} <= set(both)
    assert "tr-drqn+" not in both


def test_all_agents_that_were_run_are_drawn_and_no_others_told(record: Record) -> None:
    """As in the short table: also those that have no row in the paper's."""
    seeds = two_curves(record)
    assert "gata-og-text" not in MAIN_ROWS
    told = words("curves-all-agents", [*seeds, *placed(seeds, agent="gata-og-text")])
    names = [word.removesuffix(" †") for word in told]
    assert [name for name in names if name in TEST] == ["tr-dqn", "gata-og-text"]


def test_no_two_agents_look_alike() -> None:
    for lines in FIGURES["curves-all-agents"].rows.values():
        assert [line.agent for line in lines] == list(TEST)
        # Their bands have no style: colours must differ, too.
        assert len({line.color for line in lines}) == len(TEST)
        styles = {line.agent: line.style for line in lines}
        for suffix in ("", "-init", "-text", "-text-init"):
            assert styles[f"gata-og{suffix}"] != styles[f"gata-coc{suffix}"]


def test_seeds_are_told_in_every_panel(record: Record) -> None:
    seeds = two_curves(record)
    games = "20" if record.settings.games == "100" else "100"

    def told(*records: Record) -> list[str]:
        return [word for word in words("curves-baselines", list(records)) if "seed" in word]

    few = "no band below 3 seeds"
    assert sorted(told(*seeds)) == ["2 seeds", few]
    assert sorted(told(*seeds, *placed(seeds, games=games))) == ["2 seeds each", few]
    fewer = told(*seeds, *placed(seeds[:1], games=games))
    assert sorted(fewer) == [f"{games} games: 1 seed", few, "the other: 2 seeds"]


def test_all_rows_are_drawn_somewhere() -> None:
    drawn = {
        line.agent for figure in FIGURES.values() for row in figure.rows.values() for line in row
    }
    assert drawn == set(TEST)
