"""The main job, cut short: every part of it is there, and the page stands by itself."""

import re
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean

import pytest

from gata.agents import RandomAgent
from gata.agents.playing import Episode, Summary, play, summarise
from gata.agents.stored import save_agent
from gata.evaluation import quickstart
from gata.evaluation.standing import Standing
from gata.games import load_game, load_level
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


def chances_after_the_test() -> list[RandomAgent]:
    """The random agents as they are when they have played the test games."""
    agents = [RandomAgent(chance) for chance in range(quickstart.RANDOM_SEEDS)]
    for agent in agents:
        play(agent, load_level(1, "test"), step_limit=SHORT.step_limit)
    return agents


def test_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    preset = small_preset("gata-coc-text", tmp_path)
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path / "package")
    findings = quickstart.quickstart(tmp_path / "out", SHORT, preset)
    assert list(findings.scores) == ["random", "GATA, just trained", "walkthrough"]
    random, trained, _ = findings.scores.values()
    assert (random.test.games, random.valid.games) == (100, 100)
    assert asdict(trained.test) == findings.training["test"]
    assert asdict(trained.valid) == findings.training["valid"]
    valid = load_level(1, "valid")
    played = [summarise(play(each, valid, step_limit=5)).score for each in chances_after_the_test()]
    assert random.valid.score == pytest.approx(fmean(played))
    notes = " ".join(quickstart.notes(findings))
    assert "No fully trained agent" in notes
    assert f"won {trained.test.success:.0f} %" in notes

    page = findings.report.read_text("utf-8")
    tags = Tags(page)
    assert all(load.startswith(("data:", "#")) for load in tags.loads)
    assert "$" not in re.sub(r"base64,[^\"]*", "", page)
    assert page.count("<b>step ") == len(findings.moments)
    assert (tags.count["svg"], tags.count["img"]) == (2, 2)
    assert findings.game.name in page
    assert "the best of 30 random episodes" in page
    # The curve is of the validation games, and so is what it is compared with.
    assert f"random {random.valid.score:.1f}</text>" in page

    # A long trained agent, once it is shipped, stands beside; the same folder is not trained again.
    brain = small_brain("gata-coc-text", tmp_path, seed=2)
    for name, level, score in (("weak", 1, 10.0), ("good", 1, 90.0), ("other", 2, 99.0)):
        path = tmp_path / "package" / "agents" / f"{name}.safetensors"
        save_agent(path, brain, {"settings": {"level": level}, "valid": {"score": score}})
    again = quickstart.quickstart(tmp_path / "out", SHORT, preset)
    assert again.training == findings.training
    assert list(again.scores)[2] == again.shipped_agent == "agent/good"
    assert "agent/good" in again.report.read_text("utf-8")


def standing(test: list[int], valid: float) -> Standing:
    episodes = [Episode(f"game{n}", points, 4, points == 4, 9) for n, points in enumerate(test)]
    return Standing.of(episodes, Summary(20, valid, 0.0, 9.0))


def findings_of(trained: Standing, rival: Standing) -> quickstart.Findings:
    game = load_game("level1/test/56274")
    scores = {"GATA, just trained": trained, "agent/long": rival}
    return quickstart.Findings(scores, {}, "agent/long", game, [], Path("report.html"))


def test_a_lucky_score_does_not_stand_without_a_word() -> None:
    good, bad = standing([4, 4, 4, 0], 40.0), standing([4, 0, 4, 3], 70.0)
    *_, errors, chance = quickstart.notes(findings_of(good, bad))
    assert "4 games are few" in errors
    assert "25.0 (GATA, just trained), 23.7 (agent/long)" in errors
    assert "6.2 points above the fully trained" in chance
    # Differences of 0, 100, 0 and -75 points: their deviation is 71.8, half of it the error.
    assert (
        "is 35.9, so chance alone can do it. On the validation games they have 40.0 and 70.0"
        in (chance)
    )
    assert quickstart.notes(findings_of(bad, good)) == [
        *quickstart.notes(findings_of(bad, bad))[:2],
        "4 games are few; standard errors of the test scores, in points:"
        " 23.7 (GATA, just trained), 25.0 (agent/long).",
    ]


def test_a_lead_in_every_game_is_not_called_chance() -> None:
    ahead = quickstart.notes(findings_of(standing([4, 4, 3], 70.0), standing([2, 2, 1], 40.0)))[-1]
    assert "50.0 points above" in ahead
    assert "chance alone will rarely do it" in ahead


def test_the_best_and_shortest_game_is_shown() -> None:
    episodes = [
        Episode("a", 1, 4, False, 50),
        Episode("b", 4, 4, True, 30),
        Episode("c", 4, 4, True, 9),
        Episode("d", 3, 3, True, 9),
    ]
    assert quickstart.worth_showing(episodes) == 2
