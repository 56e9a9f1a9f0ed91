"""The main job, cut short: every part of it is there, and the page stands by itself."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gata.agents.playing import Episode
from gata.agents.stored import save_agent
from gata.evaluation import quickstart
from gata.models import shipped
from tests.agents.brains import small_brain, small_preset

SHORT = replace(
    quickstart.LEARNING,
    episodes=6,
    step_limit=5,
    parallel=3,
    learn_after=1,
    batch=4,
    replay=100,
    report_every=2,
    evaluate_every=3,
    scout_episodes=30,
    scout_keep=5,
)


class Tags(HTMLParser):
    """Counts the tags of a page and collects what it would load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.loads: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        values = dict(attrs)
        self.loads += [values[name] for name in ("src", "href", "xlink:href") if name in values]


def test_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    preset = small_preset("gata-coc-text", tmp_path)
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path / "package")
    findings = quickstart.quickstart(tmp_path / "out", SHORT, preset)
    assert list(findings.scores) == ["random", "GATA, just trained", "walkthrough"]
    assert findings.scores["random"].games == 100
    assert findings.scores["GATA, just trained"].score == findings.training["test"]["score"]
    assert "No fully trained agent" in quickstart.note(findings)
    assert f"won {findings.scores['GATA, just trained'].success:.0f} %" in quickstart.note(findings)

    page = findings.report.read_text("utf-8")
    tags = Tags(page)
    assert all(load.startswith(("data:", "#")) for load in tags.loads)
    assert "$" not in re.sub(r"base64,[^\"]*", "", page)
    assert page.count("<b>step ") == len(findings.moments)
    assert (tags.count["svg"], tags.count["img"]) == (2, 1)
    assert findings.game.name in page
    assert "the best of 30 random episodes" in page

    # A long trained agent, once it is shipped, stands beside; the same folder is not trained again.
    brain = small_brain("gata-coc-text", tmp_path, seed=2)
    for name, level, score in (("weak", 1, 10.0), ("good", 1, 90.0), ("other", 2, 99.0)):
        path = tmp_path / "package" / "agents" / f"{name}.safetensors"
        save_agent(path, brain, {"settings": {"level": level}, "valid": {"score": score}})
    again = quickstart.quickstart(tmp_path / "out", SHORT, preset)
    assert again.training == findings.training
    assert list(again.scores)[2] == again.shipped_agent == "agent/good"
    assert "agent/good" in again.report.read_text("utf-8")


def test_the_best_and_shortest_game_is_shown() -> None:
    episodes = [
        Episode("a", 1, 4, False, 50),
        Episode("b", 4, 4, True, 30),
        Episode("c", 4, 4, True, 9),
        Episode("d", 3, 3, True, 9),
    ]
    assert quickstart.worth_showing(episodes) == 2
