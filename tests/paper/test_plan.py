"""What is done, what is to do, and how long it takes."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

import pytest

from gata.agents.presets import PRESETS, find
from gata.errors import GataError, UsageError
from gata.evaluation import record_files
from gata.evaluation.record_files import write_record
from gata.evaluation.records import Record, command
from gata.models import shipped
from gata.models.files import content_digest
from gata.models.shipped import SETTINGS_FILE
from gata.paper.counting import two_digits
from gata.paper.grid import grid
from gata.paper.plan import Plan, Planned, lacking_models, make_plan
from gata.paper.plan_words import plan_as_json, plan_table, summary, totals
from gata.paper.speeds import Duration, Speeds
from gata.rl.settings import TrainSettings
from gata.training.run import CHECKPOINT_FILE, METRICS_FILE, RESULTS_FILE, write_json
from tests.belief.networks import settings as network_settings
from tests.cli.test_games import run as run_command
from tests.paper.short_runs import short_grid, stop_after_evaluation

ROOT = Path(__file__).parents[2]


def write_records(record: Record, folder: Path, *changes: dict) -> None:
    """Records of seeds 1, 2 ...: the given one with some fields changed."""
    for seed, change in enumerate(changes, start=1):
        settings = replace(record.settings, seed=seed, **change.pop("settings", {}))
        named = {"name": settings.name, "settings": settings, "command": command(settings)}
        write_record(replace(record, **named, **change), folder)


def device_seconds(plan: Plan) -> float:
    """For all that is to run."""
    return sum(plan.of_device(run, run.duration) for run in plan.wanted)


def test_a_plan_knows_what_is_done_and_how_long_the_rest_takes(
    folder: Path, record: Record, tmp_path: Path
) -> None:
    results, runs = folder / "results" / "agents", folder / "runs"
    plan = make_plan(short_grid(seeds=2), results, runs)
    assert [run.state for run in plan.runs] == ["done", "to do"]
    expected = record.training_seconds / record.episodes * 120
    assert device_seconds(plan) == pytest.approx(expected)
    assert plan.unknown == 0

    plan = make_plan(short_grid(), tmp_path, runs)
    assert [run.state for run in plan.runs] == ["begun"]
    assert plan.unknown == 1

    with pytest.raises(UsageError, match=r"seed1\.json: settings\.learning\.batch is 4, not 5"):
        make_plan(short_grid(batch=5), results, runs)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"network": network_settings()}, r"network is NetworkSettings\(.*\), not None"),
        (
            {"agent": replace(find("tr-dqn"), action_in_text=False)},
            r"agent\.action_in_text is False, not True",
        ),
    ],
)
def test_a_plan_refuses_records_of_other_agents(
    record: Record, tmp_path: Path, change: dict, told: str
) -> None:
    write_record(replace(record, **change), tmp_path)
    with pytest.raises(UsageError, match=rf"seed1\.json: {told} as wanted"):
        make_plan(short_grid(), tmp_path, tmp_path)


def test_a_run_with_other_weights_than_those_of_today_is_not_done(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run,) = short_grid(("gtf-sp",))
    record = replace(
        record,
        name=run.name,
        settings=run,
        agent=find(run.agent),
        command=command(run),
        encoder_sha256=content_digest(shipped.find("encoder/sp-full")),
    )
    records = tmp_path / "agents"
    write_record(record, records)
    assert [planned.state for planned in make_plan([run], records, tmp_path).runs] == ["done"]
    for digest in ("0" * 64, None):
        write_record(replace(record, encoder_sha256=digest), records)
        plan = make_plan([run], records, tmp_path)
        assert [planned.state for planned in plan.runs] == ["other weights"]
        told = "1 run: 0 done, 0 to run; 1 of other weights than there are now"
        assert summary(plan, None) == [told]
        assert plan_table(plan, None)[1][0][3:] == ["0 of 1", ANY]
        assert plan_table(plan, None)[1][0][-1].endswith("\n1 with other weights")
    grid = ("--table", "test-full", "--rows", run.agent, "--levels", "1", "--games", "20")
    places = ("--seeds", "1", "--results", str(tmp_path), "--runs", str(tmp_path / "runs"))
    code, _, errors = run_command(capsys, "reproduce", *grid, *places, *command(run).split()[10:])
    assert code == 1
    assert f"{run.name}: not run, there is a record of other weights" in errors


def test_every_record_is_read_once(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_records(record, tmp_path, {}, {})
    read, check = [], record_files.check
    monkeypatch.setattr(
        record_files, "check", lambda found, where: read.append(where) or check(found, where)
    )
    plan = make_plan(short_grid(seeds=2), tmp_path, tmp_path)
    assert [run.state for run in plan.runs] == ["done", "done"]
    assert len(read) == len(set(read)) == 2


def begin(run: TrainSettings, folders: Path, *episodes: int) -> Path:
    """What a run leaves that was stopped after so many episodes; returns its metrics."""
    folder = folders / run.name
    write_json(folder / SETTINGS_FILE, {})
    (folder / CHECKPOINT_FILE).touch()
    metrics = folder / METRICS_FILE
    lines = [{"kind": "train", "episodes": played} for played in episodes]
    metrics.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return metrics


def test_of_a_run_that_was_begun_the_rest_counts(record: Record, tmp_path: Path) -> None:
    write_records(record, tmp_path, took(record, 60.0))
    runs = short_grid(seeds=4)
    begin(runs[1], tmp_path / "runs", 20, 60, 90)
    begin(runs[2], tmp_path / "runs", 60)
    plan = make_plan(runs, tmp_path, tmp_path / "runs")
    assert [(run.state, run.left) for run in plan.wanted] == [
        *(("begun", 0.25), ("begun", 0.5), ("to do", 1.0)),
    ]
    assert device_seconds(plan) == pytest.approx(1.75 * 7200)
    assert summary(plan, 2.0)[:2] == [
        "4 runs: 1 done, 3 to run; 2 of them begun, of which the rest counts",
        "  3 runs: about 3.5 hours with 1 at once, costing 7.00",
    ]
    # A whole run takes as long as before.
    told = "2.0 CPU\ncosting 7.00\n2 begun, 25% and 50% left"
    assert plan_table(plan, 2.0)[1][0][-1] == told
    told = plan_as_json(plan, 2.0)
    assert [run["left"] for run in told] == [None, 0.25, 0.5, 1.0]
    assert [run["hours"] for run in told[1:]] == pytest.approx([2.0] * 3)
    assert [run["device hours"] for run in told] == pytest.approx([2.0, 0.5, 1.0, 2.0])
    assert [run["cost"] for run in told[1:]] == pytest.approx([1.0, 2.0, 4.0])


def test_a_run_that_was_stopped_tells_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run,) = short_grid()
    stop_after_evaluation(run, tmp_path / run.name, monkeypatch)
    (planned,) = make_plan([run], tmp_path / "results", tmp_path).runs
    assert planned.state == "begun"
    # There is an evaluation after 60 of 120 episodes, and up to 20 can end together.
    assert 1 / 3 < planned.left <= 1 / 2


def test_a_run_counts_whole_unless_it_is_known_to_be_further(tmp_path: Path) -> None:
    (run,) = short_grid()

    def left() -> float:
        (planned,) = make_plan([run], tmp_path / "results", tmp_path).runs
        assert planned.state == "begun"
        return planned.left

    metrics = begin(run, tmp_path, 60)
    assert left() == 0.5
    # As scouting leaves one; and more than all is nothing left.
    metrics.write_text('{"kind": "train", "episodes": 150}\n{"kind": "scout", "kept": 3}\n')
    assert left() == 0
    for text in ("", "{", "[3]", '{"episodes": "many"}', '{"episodes": NaN}', '{"episodes": -60}'):
        metrics.write_text(text)
        assert left() == 1
    metrics.write_bytes(b"\xff")
    assert left() == 1
    metrics.unlink()
    assert left() == 1
    # With results it is over, and lacks its record alone.
    folder = begin(run, tmp_path, 60).parent
    (folder / CHECKPOINT_FILE).unlink()
    (folder / RESULTS_FILE).touch()
    assert left() == 0


def test_a_run_that_was_killed_before_its_first_checkpoint_is_not_begun(tmp_path: Path) -> None:
    (run,) = short_grid()
    (begin(run, tmp_path, 60).parent / CHECKPOINT_FILE).unlink()
    plan = make_plan([run], tmp_path / "results", tmp_path)
    assert [(planned.state, planned.left) for planned in plan.runs] == [("to do", 1.0)]
    assert plan_table(plan, None)[1][0][-1] == "unknown"


def test_a_run_that_has_hardly_begun_has_not_all_of_it_left(tmp_path: Path) -> None:
    (run,) = short_grid(episodes=100_000)
    begin(run, tmp_path, 400)
    plan = make_plan([run], tmp_path / "results", tmp_path)
    assert plan_table(plan, None)[1][0][-1] == "unknown\n1 begun, over 99% left"


def test_runs_that_shared_the_device_shared_its_time(record: Record, tmp_path: Path) -> None:
    seconds = 60.0 * record.episodes
    shared = {"training_seconds": seconds, "at_once": 4}
    write_records(record, tmp_path, shared, dict(shared))
    runs = short_grid(seeds=6)
    for at_once, company, expected in ((4, 4, 7200.0), (9, 4, 7200.0), (2, 2, 14400.0)):
        plan = make_plan(runs, tmp_path, tmp_path, at_once=at_once)
        assert plan.at_once == company
        assert device_seconds(plan) == pytest.approx(expected)
    told = summary(make_plan(runs, tmp_path, tmp_path, at_once=4), 3.0)
    assert told == [
        "6 runs: 2 done, 4 to run",
        "  4 runs: about 2.0 hours with 4 at once, costing 6.00",
        f"    from runs on {record.hardware}; what the runs will have is not known",
    ]
    done = plan_as_json(make_plan(runs, tmp_path, tmp_path), 3.0)[0]
    assert done["hours"] == pytest.approx(seconds / 3600)
    assert done["device hours"] == pytest.approx(seconds / 3600 / 4)
    assert done["cost"] == pytest.approx(3 * seconds / 3600 / 4)


def test_runs_of_unknown_company_take_all_their_time_however_many_there_will_be(
    record: Record, tmp_path: Path
) -> None:
    write_records(record, tmp_path, {"training_seconds": 7200.0, "at_once": None})
    plan = make_plan(short_grid(seeds=5), tmp_path, tmp_path, at_once=4)
    assert plan.at_once == 4
    each = 7200.0 * 120 / record.episodes
    assert device_seconds(plan) == pytest.approx(4 * each)


def took(record: Record, pace: float, **changes) -> dict:
    """A change of a record: so many seconds per episode."""
    return {"training_seconds": pace * record.episodes, **changes}


def test_times_come_from_runs_that_were_made_alike(record: Record, tmp_path: Path) -> None:
    def with_parallel(games: int) -> dict:
        return {"learning": replace(record.settings.learning, parallel=games)}

    write_records(
        record,
        tmp_path,
        took(record, 3.0, at_once=1),
        took(record, 8.0, at_once=4),
        took(record, 0.1, at_once=1, settings=with_parallel(40)),
        took(record, 0.2, at_once=1, settings=with_parallel(90)),
    )
    runs = short_grid(seeds=9)[4:]

    def expected(at_once: int, **changes: int) -> Duration | None:
        grid = [replace(run, learning=replace(run.learning, **changes)) for run in runs]
        return make_plan(grid, tmp_path, tmp_path, at_once=at_once).runs[0].duration

    assert expected(4) == Duration(pytest.approx(8.0 * 120), 4)
    assert expected(1) == Duration(pytest.approx(3.0 * 120), 1)
    assert expected(2) == Duration(pytest.approx(3.0 * 120), 1)
    # With how many games at once matters most; the nearest is taken.
    assert expected(1, parallel=40) == Duration(pytest.approx(0.1 * 120), 1)
    assert expected(1, parallel=60) == Duration(pytest.approx(0.1 * 120), 1, parallel=40)
    assert expected(1, parallel=256) == Duration(pytest.approx(0.2 * 120), 1, parallel=90)


def on_levels(record: Record, levels: Iterable[int], **changes) -> list[Record]:
    """A run on each, which took as many seconds per episode as the level's number."""
    return [
        replace(
            record,
            settings=replace(record.settings, level=level),
            training_seconds=level * record.episodes,
            **changes,
        )
        for level in levels
    ]


def test_times_come_from_the_same_level_or_the_nearest(record: Record) -> None:
    """Level 5 mixes the games of the others, so it stands in the middle of them."""
    (run,) = short_grid()

    def nearest(level: int, *measured: int) -> int | str | None:
        duration = Speeds(on_levels(record, measured)).of(replace(run, level=level), 1)
        assert duration == Duration(
            pytest.approx(120.0 * (duration.level or level)), 1, level=duration.level
        )
        return duration.level

    assert nearest(3, 1, 2, 3, 4, 5) is None
    assert nearest(4, 1, 2, 3, 5) == 3
    assert nearest(4, 1, 2, 5) == 5
    assert nearest(1, 3, 5) == 5
    assert nearest(1, 2, 5) == 2
    assert nearest(5, 1, 4, 3) == 3
    assert nearest(2, 1, 3) == 1


def test_times_of_other_levels_are_told_as_such_and_bound_nothing(record: Record) -> None:
    """Higher levels take more updates per episode: what others shared is no bound for them."""

    def plan(level: int, *measured: int) -> Plan:
        (run,) = short_grid(levels=(level,))
        duration = Speeds(on_levels(record, measured, at_once=None)).of(run, 1)
        return Plan((Planned(run, "to do", (), duration),), 1)

    for made, sure, told in (
        (plan(3, 1, 2), "about", "measured on level 2"),
        (plan(4, 2), "about", "measured on level 2"),
        (plan(2, 1, 2, 3), "at most about", None),
    ):
        assert [line.strip() for line in summary(made, None)[1:]] == [
            f"1 run: {sure} 0.1 hours with 1 at once",
            f"from runs on {record.hardware}; what the runs will have is not known",
            *([told] if told else []),
            "how many runs shared the device is not recorded",
        ]
        cell = plan_table(made, 30.0)[1][0][-1].splitlines()
        assert cell[:2] == ["0.067 CPU", f"costing {'' if told else 'at most '}2.00"]
        assert cell[2:] == ([told.removeprefix("measured ")] if told else [])
        (run,) = plan_as_json(made, 30.0)
        assert run["at most"] == (told is None)
        assert run["measured on level"] == (int(told[-1]) if told else None)


def test_agents_of_the_same_kind_take_as_long(record: Record, tmp_path: Path) -> None:
    write_records(
        record,
        tmp_path,
        took(record, 3.0, at_once=1),
        *(
            took(record, pace, at_once=1, agent=find(agent), settings={"agent": agent})
            for agent, pace in (("gtf", 1.0), ("gtf-dgi", 2.0))
        ),
    )
    rows = ("gtf-sp", "gtf-dgi", "gtf-text", "gtp", "tr-drqn", "gata-og")
    plan = make_plan(short_grid(rows), tmp_path, tmp_path)
    # With text, with a graph that is written or believed, with a memory: that is other work.
    assert [run.duration for run in plan.runs] == [
        Duration(pytest.approx(1.5 * 120), 1, like=("gtf", "gtf-dgi")),
        Duration(pytest.approx(2.0 * 120), 1),
        *[None] * 4,
    ]
    table = plan_table(plan, None)[1]
    assert [row[-1] for row in table] == [
        *("0.050 CPU\nlike gtf, gtf-dgi", "0.067 CPU"),
        *["unknown"] * 4,
    ]


def test_unknown_company_is_not_none(record: Record, tmp_path: Path) -> None:
    """Who shared the device with others had a part of its time: at most what it took."""
    alone, unknown = tmp_path / "alone", tmp_path / "unknown"
    write_records(record, alone, took(record, 60.0, at_once=1))
    write_records(record, unknown, took(record, 60.0, at_once=None))
    runs = short_grid(seeds=2)

    def told(results: Path, runs: list = runs, here: str | None = None) -> list[str]:
        plan = make_plan(runs, results, tmp_path, at_once=4, here=here)
        return [line.strip() for line in summary(plan, None)[1:]]

    hours, place = "2.0 hours with 1 at once", f"from runs on {record.hardware}"
    origin = f"{place}; what the runs will have is not known"
    assert told(alone) == [f"1 run: about {hours}", origin]
    not_recorded = "how many runs shared the device is not recorded"
    assert told(unknown) == [f"1 run: at most about {hours}", origin, not_recorded]
    # Whether more games at once would take longer or not is not known: that is no bound.
    other = [replace(run, learning=replace(run.learning, parallel=7)) for run in runs]
    games = "measured with 20 games at once, not 7"
    assert told(unknown, other) == [f"1 run: about {hours}", origin, games, not_recorded]
    assert told(alone, here=record.hardware) == [f"1 run: about {hours}", place]
    elsewhere = [
        f"1 run: on {record.hardware} about {hours}",
        f"{place}; the device here is an abacus",
    ]
    assert told(alone, here="an abacus") == elsewhere
    # What was shared there is no bound here.
    assert told(unknown, here="an abacus") == [*elsewhere, not_recorded]
    on_abacus = make_plan(runs, unknown, tmp_path, here="an abacus")
    assert [run["at most"] for run in plan_as_json(on_abacus, 3.0)] == [False] * 2

    first, second = plan_as_json(make_plan(runs, unknown, tmp_path), 3.0)
    assert [(run["at most"], run["shared by"]) for run in (first, second)] == [(True, None)] * 2
    first, second = plan_as_json(make_plan(runs, alone, tmp_path), 3.0)
    assert [(run["at most"], run["shared by"]) for run in (first, second)] == [(False, 1)] * 2
    # One whose company is known says more.
    write_records(record, unknown, took(record, 60.0, at_once=None), took(record, 7.0, at_once=2))
    duration = make_plan(short_grid(seeds=3), unknown, tmp_path).runs[2].duration
    assert duration == Duration(pytest.approx(7.0 * 120), 2)


def bench_file(
    folder: Path,
    *rows: tuple[str, int, float],
    level: int | None = 1,
    hardware: str | None = None,
) -> Path:
    """As ``gata bench train --json`` prints it: agent, games at once, episodes a second."""
    path = folder / "bench.json"
    names = ("agent", "parallel", "episodes per s")
    place = {"level": level, "hardware": hardware}
    place = {name: value for name, value in place.items() if value is not None}
    folder.mkdir(exist_ok=True)
    path.write_text(json.dumps([place | dict(zip(names, row, strict=True)) for row in rows]))
    return path


def test_measured_speeds_fill_in_for_records(folder: Path, record: Record, tmp_path: Path) -> None:
    results = folder / "results" / "agents"
    bench = bench_file(tmp_path, ("tr-dqn", 20, 0.5), ("gata-coc", 20, 0.5), ("gtf", 40, 0.25))
    runs = short_grid(("tr-dqn", "gata-coc", "gata-og", "gtf", "gtp"), seeds=1)
    plan = make_plan(runs, results, folder / "runs", benches=[bench])
    assert [run.duration for run in plan.runs] == [
        Duration(record.training_seconds, 1),
        Duration(240.0, 1, bench=bench),
        Duration(240.0, 1, bench=bench, like=("gata-coc",)),
        Duration(480.0, 1, bench=bench, parallel=40),
        None,
    ]
    assert summary(plan, 30.0) == [
        "5 runs: 1 done, 4 to run",
        "  2 of 4 runs: at most 0.1 hours with 1 at once, costing 4.00",
        f"    from {bench} on unknown hardware; what the runs will have is not known",
        "  1 of 4 runs: about 0.1 hours with 1 at once, costing 4.00",
        f"    from {bench} on unknown hardware; what the runs will have is not known",
        "    measured with 40 games at once, not 20",
        "  1 of 4 runs: time unknown",
        "    no record or speed of such runs",
        "    `gata bench train --agents AGENT --json` measures one, --speeds FILE takes it",
    ]
    columns, table = plan_table(plan, 30.0)
    assert columns[-2:] == ["done", "hours each"]
    assert [row[-1].splitlines() for row in table[1:]] == [
        ["at most 0.067", "costing at most 2.00"],
        ["at most 0.067", "costing at most 2.00", "like gata-coc"],
        ["0.13", "costing 4.00"],
        ["unknown"],
    ]
    assert "costing" not in str(plan_table(plan, None))


def test_what_was_measured_here_comes_before_what_most_records_are_of(
    record: Record, tmp_path: Path
) -> None:
    timed = ((2.0, "a GPU"), (3.0, "a GPU"), (9.0, "an abacus"))
    runs = (took(record, pace, hardware=hardware) for pace, hardware in timed)
    write_records(record, tmp_path, *runs)

    def expected(here: str | None, *benches: Path) -> tuple[float, str | None]:
        (*_, run) = make_plan(
            short_grid(seeds=4), tmp_path, tmp_path, benches=benches, here=here
        ).runs
        assert run.duration is not None
        return run.duration.seconds / 120, run.duration.hardware

    assert expected("an abacus") == (pytest.approx(9.0), "an abacus")
    assert expected("a GPU") == expected(None) == expected("a slide rule")
    assert expected(None) == (pytest.approx(2.5), "a GPU")
    bench = bench_file(tmp_path / "speed", ("tr-dqn", 20, 0.5), hardware="a slide rule")
    assert expected("a slide rule", bench) == (pytest.approx(2.0), "a slide rule")


def cpu(threads: int) -> str:
    """As results call it."""
    return f"x86_64 CPU, {threads} threads"


def test_a_cpu_with_another_number_of_threads_is_no_other_hardware(record: Record) -> None:
    """Rather the kind at hand than that of most records, rather the level than the threads."""
    (run,) = short_grid(levels=(3,))
    elsewhere = on_levels(record, (3, 3, 3), hardware="a GPU")

    def chosen(*measured: tuple[int, int]) -> tuple[str | None, int | str | None]:
        of_cpus = [
            *(on_levels(record, (level,), hardware=cpu(count))[0] for level, count in measured)
        ]
        duration = Speeds([*elsewhere, *of_cpus], here=cpu(2)).of(run, 1)
        assert duration is not None
        return duration.hardware, duration.level

    assert chosen() == ("a GPU", None)
    assert chosen((1, 8)) == (cpu(8), 1)
    assert chosen((3, 1), (3, 2), (3, 4)) == (cpu(2), None)
    assert chosen((3, 8), (3, 1)) == (cpu(1), None)
    assert chosen((3, 1), (1, 2)) == (cpu(1), None)


def test_times_with_another_number_of_threads_are_told_and_bound_nothing(record: Record) -> None:
    (run,) = short_grid(levels=(3,))
    measured = on_levels(record, (3,), hardware=cpu(1), at_once=None)
    plan = Plan((Planned(run, "to do", (), Speeds(measured, here=cpu(2)).of(run, 1)),), 1, cpu(2))
    assert summary(plan, None)[1:] == [
        "  1 run: about 0.1 hours with 1 at once",
        f"    from runs on {cpu(1)}; the device here is {cpu(2)}",
        "    how many runs shared the device is not recorded",
    ]
    assert plan_table(plan, None)[1][0][-1] == "0.10 CPU\nwith 1 thread"
    assert [told["at most"] for told in plan_as_json(plan, None)] == [False]
    there = replace(plan, here=cpu(1))
    assert summary(there, None)[1] == "  1 run: at most about 0.1 hours with 1 at once"
    assert plan_table(there, None)[1][0][-1] == "0.10 CPU"
    # The short name is that of any CPU.
    elsewhere = replace(plan, here="arm64 CPU, 1 threads")
    assert plan_table(elsewhere, None)[1][0][-1] == f"0.10 CPU\non {cpu(1)}"


def test_the_usual_hardware_is_the_kind_of_most_records(record: Record) -> None:
    (run,) = short_grid()
    names = ["a GPU"] * 4 + [cpu(1)] * 2 + [cpu(2)] * 3
    records = [each for name in names for each in on_levels(record, (1,), hardware=name)]
    duration = Speeds(records, here="an abacus").of(run, 1)
    assert duration is not None
    assert duration.hardware == cpu(2)


def test_a_measurement_elsewhere_is_told_as_such(tmp_path: Path) -> None:
    """It bounds nothing here, and what does not tell its hardware is not taken for that at hand."""
    for hardware, place, hours in (
        ("a GPU", "on a GPU", "0.067 a GPU"),
        (None, "on unknown hardware", "0.067"),
    ):
        bench = bench_file(tmp_path, ("tr-dqn", 20, 0.5), hardware=hardware)
        plan = make_plan(
            short_grid(), tmp_path / "none", tmp_path, benches=[bench], here="an abacus"
        )
        assert summary(plan, None)[1:] == [
            f"  1 run: {place} about 0.1 hours with 1 at once",
            f"    from {bench} {place}; the device here is an abacus",
        ]
        # The price is that of what was measured.
        assert totals(plan, 30.0)[1].endswith(" with 1 at once, costing 2.00 there")
        assert plan_table(plan, 30.0)[1][0][-1] == f"{hours}\ncosting 2.00 {place}"
        (run,) = plan_as_json(plan, None)
        assert (run["measured on"], run["at most"]) == (hardware, False)


def test_a_measurement_with_as_many_games_at_once_comes_before_other_runs(
    record: Record, tmp_path: Path
) -> None:
    write_records(record, tmp_path / "records", took(record, 3.0))
    bench = bench_file(tmp_path, ("tr-dqn", 20, 0.5), ("tr-dqn", 50, 0.25))
    for parallel, expected in (
        (20, Duration(pytest.approx(360.0), 1, level=1)),
        (50, Duration(480.0, 1, bench=bench, level=1)),
    ):
        (run,) = short_grid(levels=(2,), parallel=parallel)
        plan = make_plan([run], tmp_path / "records", tmp_path, benches=[bench])
        assert plan.runs[0].duration == expected


def test_a_measurement_bounds_runs_of_its_own_level_only(tmp_path: Path) -> None:
    def told(level: int | None) -> str:
        bench = bench_file(tmp_path, ("gtf", 20, 0.5), level=level)
        plan = make_plan(
            short_grid(("gtf",), levels=(3,)), tmp_path / "none", tmp_path, benches=[bench]
        )
        return plan_table(plan, None)[1][0][-1]

    assert told(3) == "at most 0.067"
    assert told(1) == "0.067\non level 1"
    # Files of earlier versions do not have it.
    assert told(None) == "0.067\non a level that is not told"


def test_the_repository_knows_how_long_most_of_the_papers_runs_take() -> None:
    def unknown(*benches: Path) -> set[str]:
        records = ROOT / "results" / "agents"
        plan = make_plan(grid("test-full"), records, ROOT / "runs", benches=benches)
        return {run.settings.agent for run in plan.wanted if run.duration is None}

    speeds = sorted((ROOT / "results" / "speed").glob("train_*.json"))
    assert len(speeds) == 2
    # As docs/reproduce.md says: GATA-GTP with text alone.
    assert unknown(*speeds) <= {name for name in PRESETS if name.startswith("gtp-text")}
    assert not unknown() & {"tr-dqn", "gata-og-text-init", "gata-coc-text", "gtf-sp"}


def test_each_time_tells_the_file_that_it_is_from(tmp_path: Path) -> None:
    benches = [
        bench_file(tmp_path / hardware, ("gtf", 20, 0.5), hardware=hardware)
        for hardware in ("a GPU", "an abacus")
    ]
    benches.append(bench_file(tmp_path / "more", ("tr-dqn", 20, 0.25), hardware="an abacus"))
    runs = short_grid(("gtf", "tr-dqn"))
    plan = make_plan(runs, tmp_path / "none", tmp_path, benches=benches, here="an abacus")
    assert summary(plan, None)[1:] == [
        "  1 of 2 runs: at most 0.1 hours with 1 at once",
        f"    from {tmp_path}/an abacus/bench.json on an abacus",
        "  1 of 2 runs: at most 0.1 hours with 1 at once",
        f"    from {tmp_path}/more/bench.json on an abacus",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[3]",
        '{"agent": "gtf", "parallel": 25, "episodes per s": 1}',
        '[{"agent": "gtf"}]',
        '[{"agent": "gtf", "episodes per s": 1}]',
        '[{"agent": "gtf", "parallel": "25", "episodes per s": 1}]',
        '[{"agent": "gtf", "parallel": 0, "episodes per s": 1}]',
        '[{"agent": "gft", "parallel": 25, "episodes per s": 1}]',
        '[{"agent": "gtf", "parallel": 25, "episodes per s": 0}]',
        '[{"agent": "gtf", "parallel": 25, "episodes per s": -1}]',
        '[{"agent": "gtf", "parallel": 25, "episodes per s": NaN}]',
        '[{"agent": "gtf", "parallel": 25, "episodes per s": 1, "level": 6}]',
        '[{"agent": "gtf", "parallel": 25, "episodes per s": 1, "level": "1"}]',
        '[{"agent": "gtf", "parallel": 25, "episodes per s": 1, "hardware": 3}]',
    ],
)
def test_other_files_are_no_speeds(text: str, tmp_path: Path) -> None:
    bench = tmp_path / "bench.json"
    bench.write_text(text)
    with pytest.raises(GataError, match=r"bench\.json"):
        make_plan(short_grid(), tmp_path / "results", tmp_path, benches=[bench])


def test_a_speed_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    fine = bench_file(tmp_path, ("gtf", 25, 1.0), ("gtf", 256, 9.0))
    make_plan(short_grid(), tmp_path / "results", tmp_path, benches=[fine])
    twice = bench_file(tmp_path, ("gtf", 25, 1.0), ("gtf", 25, 9.0))
    with pytest.raises(
        GataError, match=r"json: gtf with parallel 25 on level 1 stands there twice"
    ):
        make_plan(short_grid(), tmp_path / "results", tmp_path, benches=[twice])


def test_totals_are_told_for_each_training_size(tmp_path: Path) -> None:
    runs = grid("test", rows=("tr-dqn",), levels=(1, 2), seeds=1)
    lines = totals(make_plan(runs, tmp_path, tmp_path), None)
    assert lines == [
        "20 games, 2 runs: 0 done, 2 to run",
        "  2 runs: time unknown",
        "100 games, 2 runs: 0 done, 2 to run",
        "  2 runs: time unknown",
        "4 runs: 0 done, 4 to run",
        "  4 runs: time unknown",
        "    no record or speed of such runs",
        "    `gata bench train --agents AGENT --json` measures one, --speeds FILE takes it",
    ]
    alone = make_plan(runs[:1], tmp_path, tmp_path)
    assert totals(alone, None) == summary(alone, None)


def test_every_time_tells_of_how_many_runs_it_is() -> None:
    """Nobody shall take the sum of the runs whose time is known for the sum of all."""
    plan = make_plan(grid("test"), ROOT / "results" / "agents", ROOT / "runs")
    counts, *lines = summary(plan, 3.0)
    assert counts.endswith(f" {len(plan.wanted)} to run")
    parts = [
        int(found[1])
        for line in lines
        if (found := re.match(rf"  (\d+) of {len(plan.wanted)} runs: ", line))
    ]
    assert len(parts) > 1
    assert sum(parts) == len(plan.wanted)
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("hours", "told"),
    [
        (0.0966, "0.097"),
        (0.1500, "0.15"),
        (0.1345, "0.13"),
        (0.3, "0.30"),
        (2.0, "2.0"),
        (12.3, "12"),
        (1234.5, "1,234"),
    ],
)
def test_hours_have_two_digits(hours: float, told: str) -> None:
    assert two_digits(hours) == told


def test_a_file_is_no_folder_of_records(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.write_text("something else")
    with pytest.raises(UsageError, match="results is a file, expected a folder"):
        make_plan(short_grid(), results, tmp_path)


def test_missing_weights_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lacking_models(find("gata-coc-text-init")) == ()
    wanting = replace(find("gtp-sp"), updater="updater/lost", encoder="encoder/gone")
    assert lacking_models(wanting) == ("updater/lost", "encoder/gone")
    monkeypatch.setitem(PRESETS, "gtp-sp", wanting)
    plan = make_plan(short_grid(("gtp-sp", "tr-dqn")), tmp_path, tmp_path)
    assert [(run.state, run.lacking) for run in plan.runs] == [
        ("no weights", ("updater/lost", "encoder/gone")),
        ("to do", ()),
    ]
    told = "2 runs: 0 done, 1 to run; 1 needs weights that are not there"
    assert summary(plan, None)[:2] == [told, "  1 run: time unknown"]
    assert plan_table(plan, None)[1][0][-1] == "unknown\nneeds encoder/gone, updater/lost"


def test_hours_of_different_hardware_have_no_mean(record: Record, tmp_path: Path) -> None:
    hardware = ("NVIDIA H200", cpu(1), cpu(1))
    runs = [
        took(record, pace, hardware=name)
        for pace, name in zip((6.0, 60, 120), hardware, strict=True)
    ]
    write_records(record, tmp_path, *runs)
    plan = make_plan(short_grid(seeds=3), tmp_path, tmp_path, here=cpu(1))
    assert plan_table(plan, None)[1][0][3:] == ["3 of 3", "0.20 H200\n3.0 CPU"]


def test_sums_of_different_hardware_are_apart_also_for_a_training_size(tmp_path: Path) -> None:
    benches = [
        bench_file(tmp_path / agent, (agent, 25, 100_000 / 3600), hardware=hardware)
        for agent, hardware in (("tr-dqn", "an abacus"), ("gtf", "a slide rule"))
    ]
    runs = grid("test", rows=("tr-dqn", "gtf"), levels=(1,), seeds=1)
    plan = make_plan(runs, tmp_path / "none", tmp_path, benches=benches, here="a GPU")
    assert totals(plan, 3.0)[:3] == [
        "20 games, 2 runs: 0 done, 2 to run",
        "  1 of 2 runs: on an abacus about 1.0 hours with 1 at once, costing 3.00 there",
        "  1 of 2 runs: on a slide rule about 1.0 hours with 1 at once, costing 3.00 there",
    ]
