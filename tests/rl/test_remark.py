"""What is told of a training while it goes on."""

from pathlib import Path

import pytest

from gata import console
from gata.rl.loop import Trainer
from gata.rl.progress import Progress, Recent
from gata.rl.remark import remark
from tests.rl.tiny import run_tiny


def test_what_is_not_known_is_a_dash() -> None:
    assert remark(Progress(), Recent(), 1.0, (0.0, 0.0)) == (
        "0.00 episodes/s, 0.00 updates/s, epsilon 1.00, train -, valid -, best -"
    )


def test_a_score_of_nothing_is_a_score() -> None:
    progress = Progress(episodes=150, updates=3_000, evaluations=1)
    recent = Recent(count=4, score=1.0)
    assert remark(progress, recent, 0.5, (5.0, 100.0)) == (
        "5.0 episodes/s, 100 updates/s, epsilon 0.50, train 25.0, valid 0.0, best 0.0"
    )
    recent.clear()
    assert "train 25.0" in remark(progress, recent, 0.5, (5.0, 100.0))


def test_a_line_of_a_terminal_has_room_for_it() -> None:
    for per_second in (0.39, 8.7, 215.3):
        progress = Progress()
        progress.valid, progress.best, progress.evaluations = 99.9, 99.9, 1
        line = remark(progress, Recent(count=1_000, score=999), 0.1, (per_second, per_second))
        assert len(line) <= 78


class StoppedError(Exception):
    pass


def test_each_step_moves_the_bar_and_a_run_that_goes_on_starts_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[int, str]] = []
    played: list[str] = []
    show, step = console.Bar.show, Trainer._step

    def watched(bar: console.Bar, done: int, remark: str = "") -> None:
        if not shown:
            assert bar.state.done == done, "the bar starts there"
        show(bar, done, remark)
        if "games are over" in remark:
            played.append(f"{bar.state.name}: {remark}")
        else:
            shown.append((bar.state.done, bar.state.remark))

    def stopped(trainer: Trainer, bar: console.Bar) -> None:
        if trainer.progress.episodes >= 20:
            trainer._save()
            raise StoppedError
        step(trainer, bar)

    monkeypatch.setattr(console.Bar, "show", watched)
    changes = {"episodes": 40, "report_every": 1_000, "evaluate_every": 25}
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "_step", stopped)
        with pytest.raises(StoppedError):
            run_tiny("tr-dqn", tmp_path, **changes)
    first = [done for done, _ in shown]
    assert first[0] == 0
    assert first == sorted(first)
    assert len(first) > 20  # steps, though nothing was reported
    assert shown[0][1].endswith("train -, valid -, best -")
    stop, words = shown[-1]
    assert words.endswith("valid -, best -")
    assert "train -" not in words
    shown.clear()
    run_tiny("tr-dqn", tmp_path, **changes)
    assert shown[0][0] == stop >= 20
    assert shown[0][1].startswith("0.00 episodes/s, 0.00 updates/s")
    assert shown[-1][0] == 40
    assert "valid -" not in shown[-1][1]
    # One game each: evaluated while it trained and at its end, then tested.
    name = "tr-dqn-level1-100games-seed1"
    assert played.count(f"training {name}: evaluating: 1 of 1 games are over") == 2
    assert played[-1] == f"testing {name}: 1 of 1 games are over"
