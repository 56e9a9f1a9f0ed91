"""The page of a training: what stands where, and that it can be told apart."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gata.agents.playing import Summary
from gata.agents.transcript import Edge, Moment
from gata.evaluation.curves import Curve
from gata.evaluation.report import Report
from gata.evaluation.standing import Standing
from gata.games.store import load_game
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.models import shipped

SHIPPED = "agent/a-very-long-name-level1-100games-seed3"
SIZE = (len(PAPER.relations), len(PAPER.nodes), len(PAPER.nodes))
FIRST = Moment(
    lines=["You are hungry!", "-= Kitchen =-", "A <b>fridge</b> & a table."],
    score=0,
    command="open fridge",
    values=[("open fridge", 0.5), ("examine cookbook", 0.25)],
    edges=[
        Edge(Triple("fridge", "table", "south_of"), -0.89),
        Edge(Triple("knife", "player", "in"), 0.5),
    ],
    adjacency=np.zeros(SIZE, np.float32),
    is_over=False,
    won=False,
)
LAST = FIRST._replace(lines=["*** The End ***"], score=1, command=None, values=[], is_over=True)


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / f"{SHIPPED.removeprefix('agent/')}.safetensors").touch()
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path)
    return Report(
        title="A title",
        summary="",
        notes=["A <first> note.", "A second."],
        scores={
            "random": Standing(Summary(20, 20.0, 0.0, 50.0), {}, Summary(20, 21.5, 0.0, 50.0)),
            SHIPPED: Standing(Summary(20, 70.0, 60.0, 9.0), {}, Summary(20, 73.75, 60.0, 9.0)),
        },
        curves={"greedy": Curve((10.0, 20.0), (30.0, 40.0))},
        marks={"random": 20.0, SHIPPED: 70.0},
        game=load_game("level1/test/56274"),
        moments=[FIRST, LAST],
        truth=frozenset({Triple("fridge", "kitchen", "at")}),
    )


def test_the_game_speaks_in_its_own_lines(report: Report) -> None:
    page = report.to_html()
    said = "You are hungry!\n<b>-= Kitchen =-</b>\nA &lt;b&gt;fridge&lt;/b&gt; &amp; a table.</p>"
    assert f"<b>step 0</b>, 0 of 4 points\n{said}" in page
    assert page.count('<li class="point">') == 1


def test_commands_and_edges_stand_apart(report: Report) -> None:
    page = report.to_html()
    commands = "<li>open fridge 0.50</li><li>examine cookbook 0.25</li>"
    assert page.count(f'<ul class="chips commands">{commands}</ul>') == 1
    edges = "<li>fridge south of table -0.89</li><li>knife in player 0.50</li>"
    assert page.count(f'<ul class="chips edges">{edges}</ul>') == 2


def test_a_shipped_agent_has_a_short_name_in_the_picture(report: Report) -> None:
    page = report.to_html()
    assert re.findall(r">([^<]* \d+\.\d)</text>", page) == ["random 20.0", "shipped agent 70.0"]
    told = f"on the validation games: random 20.0, shipped agent 70.0 ({SHIPPED})."
    assert f"Dashed lines, scores {told}" in page
    assert "Dashed" not in replace(report, marks={}).to_html()


def test_scores_and_what_to_know_about_them(report: Report) -> None:
    page = report.to_html()
    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t", page)
    assert cells[:6] == ["agent", "games", "score %", "won %", "steps", "validation %"]
    assert cells[6:12] == ["random", "20", "20.0", "0.0", "50.0", "21.5"]
    assert cells[17] == "73.8"
    notes = '<p class="quiet">A &lt;first&gt; note.</p>\n<p class="quiet">A second.</p>'
    assert notes in page


def test_one_heat_map_is_seen_and_the_others_are_folded(report: Report) -> None:
    adjacency = np.zeros(SIZE, np.float32)
    fridge, kitchen, knife = map(PAPER.node_id, ("fridge", "kitchen", "knife"))
    adjacency[PAPER.relation_id("in"), fridge, kitchen] = 0.2
    adjacency[PAPER.relation_id("south_of"), kitchen, fridge] = -0.4
    adjacency[PAPER.relation_id("on"), knife, kitchen] = 0.9  # this game has no knife
    page = replace(report, moments=[FIRST, LAST._replace(adjacency=adjacency)]).to_html()
    (folded,) = re.findall(r"<details>(.*?)</details>", page, re.DOTALL)
    assert "<summary>Heat maps" in folded
    assert folded.count("<img") == 1
    open_ones = re.findall(r'<img alt="([^"]*)"', page.replace(folded, ""))
    assert open_ones == ["the belief graph: south_of"]


def test_tables_scroll(report: Report) -> None:
    page = report.to_html()
    assert re.search(r'<div class="wide[^"]*"><table>', page)
    assert re.search(r"^\.wide \{[^}]*overflow-x: auto", page, re.MULTILINE)


def test_without_a_belief_graph_the_page_says_so(report: Report) -> None:
    moments = [each._replace(edges=[], adjacency=None) for each in report.moments]
    page = replace(report, moments=moments).to_html()
    assert "This agent has no belief graph." in page
    assert "<details>" not in page
    assert 'class="chips edges"' not in page
