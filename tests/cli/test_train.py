"""``gata agents | train | evaluate | play`` as a user types them."""

import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from statistics import stdev

import pytest

from gata.agents import RandomAgent
from gata.agents.playing import play, summarise
from gata.agents.presets import PRESETS
from gata.agents.stored import save_agent
from gata.cache import HOME_VARIABLE
from gata.games import load_level
from tests.agents.brains import small_brain
from tests.cli.test_games import run
from tests.rl.test_loop import KERNELS, outcome

SHORT = ("--episodes", "4", "--step-limit", "6", "--parallel", "2", "--replay", "100")


def test_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "agents", "--json")
    assert code == 0
    assert [row["agent"] for row in json.loads(output)] == [*PRESETS, "random", "walkthrough"]


def test_train_evaluate_and_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    arguments = ("train", "--agent", "tr-dqn", "--level", "1", "--games", "1", "-o", str(folder))
    code, output, errors = run(capsys, *arguments, *SHORT, "--device", "cpu", "--json")
    assert code == 0
    assert "nothing was learnt: learning begins after 100 episodes" in errors
    results = json.loads(output)
    assert results["episodes"] >= 4
    assert len(results["test_games"]) == 20

    code, output, errors = run(capsys, "train", "--resume", str(folder), "--json")
    assert (code, json.loads(output)) == (0, results)
    assert "over" in errors
    code, output, _ = run(capsys, "train", "--resume", str(folder))
    names, values = (line.split("\t") for line in output.strip().splitlines())
    told = dict(zip(names, values, strict=True))
    assert (told["agent"], told["reloads"]) == ("tr-dqn", str(results["reloads"]))

    for option, value, own in (
        ("agent", "gtf", "agent tr-dqn"),
        ("level", "3", "level 1"),
        ("batch", "99", "batch 64"),
        ("step-limit", "7", "step_limit 6"),
        ("updater", "updater/og", "no updater"),
    ):
        code, output, errors = run(capsys, "train", "--resume", str(folder), f"--{option}", value)
        assert (code, output) == (2, "")
        assert f"{folder}: this run has {own}, but --{option} is {value}; leave" in errors
    own = ("--agent", "tr-dqn", "--step-limit", "6", "--output", str(folder))
    assert run(capsys, "train", "--resume", str(folder), *own)[0] == 0
    code, _, errors = run(capsys, "train", "--resume", str(folder), "-o", str(tmp_path))
    assert (code, errors.count("--output is")) == (2, 1)

    about = json.loads((folder / "settings.json").read_text())
    own_games = tmp_path / "own"
    own_games.mkdir()
    (own_games / "settings.json").write_text(json.dumps({**about, "games": {"train": ["mine"]}}))
    code, _, errors = run(capsys, "train", "--resume", str(own_games))
    assert code == 1
    assert "games of its own" in errors

    code, _, errors = run(capsys, *arguments, *SHORT, "--seed", "2")
    assert code == 2
    assert "seed" in errors

    under_way = (folder / "checkpoint.safetensors", "this run is not over")
    under_way[0].touch()
    assert under_way[1] in run(capsys, "evaluate", str(folder), "--step-limit", "2")[2]
    under_way[0].unlink()
    code, output, errors = run(
        capsys, "evaluate", str(folder), "--step-limit", "6", "--per-game", "--json"
    )
    assert code == 0
    assert under_way[1] not in errors
    rows = json.loads(output)
    keys = ("game", "score", "steps")
    assert [[row[k] for k in keys] for row in rows] == [
        [game[k] for k in keys] for game in results["test_games"]
    ]

    code, output, _ = run(capsys, "play", str(folder), rows[0]["game"], "--step-limit", "6")
    assert code == 0
    assert output.count("\n> ") == rows[0]["steps"]
    points = f"{rows[0]['score']} of {rows[0]['max_score']} points, {rows[0]['steps']} steps"
    assert output.splitlines()[-1] == f"the agent did not win: {points}"

    code, _, errors = run(capsys, "play", str(folder), rows[0]["game"], "--step-limit", "0")
    assert code == 2
    assert "--step-limit is 0, expected 1 or more" in errors


PAUSING = """
import os, signal, sys
from gata.cli import main
from gata.rl.loop import Trainer
real, is_paused = Trainer._report, False
def report(trainer):
    global is_paused
    real(trainer)
    if not is_paused:
        is_paused = True
        os.kill(os.getpid(), signal.SIGSTOP)
Trainer._report = report
sys.exit(main(sys.argv[1:]))
"""
"""``gata`` that stops, as by Ctrl-Z, when a training has reported for the first time."""


def test_a_run_that_is_under_way_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    learning = ("--learn-after", "1", "--update-every", "4", "--batch", "2", "--report-every", "1")
    train = ("train", "--agent", "tr-dqn", "--games", "1", *SHORT, *learning, "--device", "cpu")
    assert run(capsys, *train, "-o", str(tmp_path / "undisturbed"))[0] == 0

    arguments = [*train, "-o", str(folder)]
    env = {
        **os.environ,
        HOME_VARIABLE: str(KERNELS),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "OMP_NUM_THREADS": "1",  # as here: sums of other threads are rounded differently
    }
    with subprocess.Popen(
        [sys.executable, "-c", PAUSING, *arguments],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as first:
        try:
            _, status = os.waitpid(first.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            second = subprocess.run(
                [sys.executable, "-m", "gata", *arguments],
                env=env,
                capture_output=True,
                text=True,
                check=False,
                timeout=100,  # whoever waits for the first waits forever
            )
            resumed = run(capsys, "train", "--resume", str(folder), "--device", "cpu")
            first.send_signal(signal.SIGCONT)
            assert first.wait() == 0
        finally:
            first.kill()
    told = (
        f"gata: {folder}: another process is at work on this run; let it end, or stop it with"
        " Ctrl-C, which saves\n"
    )
    assert (second.returncode, second.stdout, second.stderr) == (1, "", told)
    assert resumed == (1, "", told)
    assert outcome(folder) == outcome(tmp_path / "undisturbed")


def test_floor_and_ceiling(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "evaluate", "random", "walkthrough", "--level", "1", "--json")
    assert code == 0
    floor, ceiling = json.loads(output)
    assert floor["score %"] < 50
    assert ceiling["won %"] == 100
    assert ceiling["± s.e."] == 0
    _, output, _ = run(capsys, "evaluate", "random", "--level", "1", "--json", "--per-game")
    scores = [100 * row["score"] / row["max_score"] for row in json.loads(output)]
    assert floor["± s.e."] == pytest.approx(stdev(scores) / len(scores) ** 0.5)


def test_a_split_is_its_own_games(capsys: pytest.CaptureFixture[str]) -> None:
    scores = set()
    for split in ("valid", "test"):
        arguments = ("evaluate", "random", "--level", "2", "--split", split, "--json")
        episodes = play(RandomAgent(), load_level(2, split))
        code, output, _ = run(capsys, *arguments, "--per-game")
        assert code == 0
        about = {"agent": "random", "level": 2, "split": split}
        assert json.loads(output) == [{**about, **asdict(episode)} for episode in episodes]
        (row,) = json.loads(run(capsys, *arguments)[1])
        summary = summarise(episodes)
        assert row.pop("± s.e.") > 0
        assert row == {
            **about,
            "games": summary.games,
            "score %": summary.score,
            "won %": summary.success,
            "steps": summary.steps,
        }
        scores.add(summary.score)
    assert len(scores) == 2


def test_training_games_are_those_that_were_learnt_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a level's 100 an agent that learnt from 20 plays these, and floor and ceiling with it."""
    few, many = tmp_path / "few.safetensors", tmp_path / "many.safetensors"
    fresh, other = tmp_path / "fresh.safetensors", tmp_path / "other.safetensors"
    brain = small_brain("tr-dqn", tmp_path)
    about = ((few, 1, "20"), (many, 1, "100"), (fresh, 1, "unlimited"), (other, 2, "20"))
    for path, level, games in about:
        save_agent(path, brain, {"settings": {"level": level, "games": games}})
    short = ("--split", "train", "--step-limit", "1", "--device", "cpu", "--json")

    def played(*arguments: str) -> list[tuple[str, int]]:
        code, output, _ = run(capsys, "evaluate", *arguments, *short)
        assert code == 0
        return [(row["split"], row["games"]) for row in json.loads(output)]

    assert played(str(few), "walkthrough") == [("train/20", 20), ("train/20", 20)]
    assert played(str(few), "random", str(many)) == [
        ("train/20", 20),
        ("train", 100),
        ("train/100", 100),
    ]
    # Of another level it learnt from none.
    assert played(str(few), str(other), "--level", "1") == [("train/20", 20), ("train", 100)]
    names = json.loads(run(capsys, "evaluate", str(few), "--per-game", *short)[1])
    assert [row["game"] for row in names] == list(load_level(1, "train", 20).names)
    assert played(str(fresh), "random") == [("train", 100), ("train", 100)]
    _, _, errors = run(capsys, "evaluate", str(fresh), *short)
    assert f"{fresh}: it learnt from unlimited games" in errors


def test_floor_and_ceiling_play_the_level_of_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    agent = "agent/tr-dqn-level2-100games-seed3"
    short = ("--step-limit", "2", "--device", "cpu", "--json")
    code, output, _ = run(capsys, "evaluate", "random", agent, "walkthrough", *short)
    assert code == 0
    assert [(row["agent"], row["level"]) for row in json.loads(output)] == [
        ("random", 2),
        (agent, 2),
        ("walkthrough", 2),
    ]


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (("agent/tr-dqn-level2-100games-seed3", "random"), "random: say on which --level it"),
        (("nowhere.safetensors",), "nowhere.safetensors: no such file"),
        (("--level", "0"), "unknown level 0, expected 1 to 5"),
        (("--step-limit", "0"), "--step-limit is 0, expected 1 or more"),
    ],
)
def test_nobody_plays_before_all_is_checked(
    last: tuple[str, ...],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    played: list[object] = []
    monkeypatch.setattr("gata.agents.playing.play", lambda agent, *_, **__: played.append(agent))
    first = "agent/tr-dqn-level1-100games-seed1"
    code, output, errors = run(capsys, "evaluate", first, *last, "--device", "cpu")
    assert (code != 0, output, played) == (True, "", [])
    assert errors.startswith(f"gata: {told}")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("train", "--agent", "tr-dnq"), "called 'tr-dnq' (did you mean tr-dqn or tr-drqn?);"),
        (("train", "--agent", "nosuch"), "called 'nosuch'; `gata agents` lists all"),
        (("train", "--updater", "encoder/sp-full"), "encoder/sp-full: expected an updater, not an"),
        (("train", "--updater", "updater/cg"), "updater/cg: no updater of continuous graphs"),
        (
            ("evaluate", "updater/coc"),
            "gata: updater/coc: a model of kind 'coc', expected an agent",
        ),
        (("train", "--resume", "nowhere"), "nowhere"),
        (("train", "--batch", "0"), "batch"),
        (("train", "--level", "9"), "level is 9, expected 1 to 5"),
        (("train", "--games", "1", "--replay", "1" + 15 * "0"), "more memory than there is"),
        (("sweep", "--agents", "tr-dqn", "--levels", "1", "9"), "level is 9, expected 1 to 5"),
        (("sweep", "--agents"), "--agents is empty, expected at least one"),
        (("sweep", "--agents", "tr-dqn", "--levels"), "--levels is empty, expected at least one"),
        (("sweep", "--agents", "tr-dqn", "--games"), "--games is empty, expected at least one"),
        (("sweep", "--agents", "tr-dqn", "--seeds"), "--seeds is empty, expected at least one"),
        (("train", "--agent", "gtf", "--updater", "updater/og"), "gtf has no updater, leave"),
        (("train", "--agent", "tr-dqn", "--encoder", "encoder/og"), "tr-dqn has no graph encoder"),
        (
            ("evaluate", "random", "--level", "1", "--step-limit", "0"),
            "--step-limit is 0, expected 1",
        ),
        (
            ("play", "random", "level1/test/56274", "--step-limit", "-1"),
            "gata: --step-limit is -1, expected 1 or more",
        ),
        (("play", "level1/test/56274", "--edges", "-1"), "--edges is -1, expected 0 or more"),
        (("evaluate", "random"), "--level"),
        (("evaluate", "nowhere.safetensors", "--level", "1"), "nowhere.safetensors"),
    ],
)
def test_mistakes_are_told(arguments, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capsys, *arguments)
    assert (code != 0, output) == (True, "")
    assert told in errors


@pytest.mark.parametrize(
    "command",
    [
        *(("train",), ("sweep", "--agents", "tr-dqn"), ("quickstart",)),
        *(("pretrain", "coc"), ("pretrain", "data")),
    ],
)
def test_an_output_that_cannot_be_one(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    code, output, errors = run(capsys, *command, "-o", str(file))
    assert (code, output) == (2, "")
    assert errors == f"gata: --output {file} is a file, expected a folder\n"
    code, output, errors = run(capsys, *command, "-o", "/proc/nope")
    assert (code, output) == (2, "")
    assert errors.startswith("gata: --output /proc/nope: cannot write there (")
    assert errors.count("\n") == 1


def test_a_training_that_cannot_begin_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    command = ("train", "--agent", "gata-coc", "--updater", "no/such.file", "-o", str(folder))
    code, _, errors = run(capsys, *command, *SHORT)
    assert code != 0
    assert "no/such.file" in errors
    assert not folder.exists()


def test_a_human_plays(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("help\n\nopen fridge\n"))
    code, output, _ = run(capsys, "play", "level1/test/56274")
    assert code == 0
    assert output.startswith("Above each prompt: the room, and score/moves (0/1:")
    lines = output.splitlines()
    # TextWorld's name in large letters, in which each row has its place.
    assert lines[2].startswith(20 * " " + "________  ________")
    assert lines[3].startswith(19 * " " + "|        \\|        \\|")
    prompt = lines.index("> help")
    assert lines[prompt - 1] == "-= Kitchen =- 0/1"
    assert lines[prompt + 1] == "examine banana"
    assert lines[-8:] == [
        "take knife from counter",
        "> ",
        "> open fridge",
        "You open the fridge, revealing a parsley.",
        "",
        "-= Kitchen =- 0/2",
        "> ",
        "0 of 4 points, 1 step",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert run(capsys, "play", "level1/test/56274")[1].endswith(
        "\n> quit\n0 of 4 points, 0 steps\n"
    )


def test_floor_and_ceiling_are_watched(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "play", "walkthrough", "level1/test/56274")
    assert code == 0
    assert output.startswith("walkthrough plays level1/test/56274\n\n[0] ")
    assert output.endswith("\nthe agent won: 4 of 4 points, 9 steps\n")
    code, output, _ = run(capsys, "play", "random", "level1/test/56274", "--step-limit", "2")
    assert code == 0
    assert output.count("\n> ") == 2


@pytest.mark.parametrize("agent", ["agent/mine", "random", "mine.safetensors", "FOLDER"])
def test_an_agent_without_a_game(
    agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = agent.replace("FOLDER", str(tmp_path))
    code, output, errors = run(capsys, "play", agent)
    assert (code, output) == (2, "")
    assert errors == (
        f"gata: {agent}: not a game; name one, too, for the agent to play: gata play {agent}"
        " level1/test/56274\n"
    )


@pytest.mark.parametrize(
    "words", [("play", "randm", "level1/test/56274"), ("evaluate", "randm", "--level", "1")]
)
def test_a_misspelt_baseline(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, output, errors = run(capsys, *words)
    assert (code, output) == (2, "")
    assert errors == "gata: no agent is called 'randm' (did you mean random?)\n"
    (tmp_path / "randm").mkdir()  # of a run, perhaps
    assert "randm: not the folder of a run" in run(capsys, *words)[2]


def test_agent_and_game_swapped(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capsys, "play", "level1/test/56274", "agent/mine")
    assert (code, output) == (2, "")
    assert errors == "gata: the agent comes first: gata play agent/mine level1/test/56274\n"
    code, _, errors = run(capsys, "play", "agent/mine", "level1/test/56275")
    assert code == 2
    assert "unknown game 'level1/test/56275' (did you mean level1/test/56274" in errors
