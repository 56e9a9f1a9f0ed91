"""Trained agents by name: shipped in half precision, loaded, listed, evaluated, played."""

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
import torch

import gata
from gata.agents.greedy import GreedyAgent
from gata.agents.playing import play
from gata.agents.stored import load_agent, save_agent
from gata.errors import GataError, UsageError
from gata.evaluation.record_files import read_records
from gata.games.store import load_level
from gata.models import shipped
from tests.agents.brains import small_brain
from tests.cli.test_games import run

ROOT = Path(__file__).parents[2]
SHORT = ("--episodes", "6", "--step-limit", "6", "--parallel", "3", "--replay", "100")
NAME = "agent/tr-dqn-level1-1games-seed1"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package folder."""
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path / "package")
    return tmp_path / "package"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``tools/ship_weights.py``, writing its results elsewhere."""
    spec = spec_from_file_location("ship_weights", ROOT / "tools" / "ship_weights.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "RESULTS", tmp_path / "results")
    return module


def test_a_trained_agent_is_shipped_and_plays_by_name(
    package: Path, tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    arguments = ("train", "--agent", "tr-dqn", "--games", "1", "-o", folder, "--device", "cpu")
    assert run(capsys, *arguments, *SHORT)[0] == 0
    assert tool.ship(Path(folder)) == NAME
    (record,) = read_records(tmp_path / "results" / "agents")
    assert record.name == NAME.partition("/")[2]
    assert (shipped.names(), shipped.agents()) == ([], [NAME])
    file = shipped.find(NAME)
    assert file.stat().st_size < 0.6 * (Path(folder) / "weights.safetensors").stat().st_size

    agent = gata.load(NAME)
    assert isinstance(agent, GreedyAgent)
    assert repr(agent) == "<GreedyAgent tr-dqn on cpu, Tr-DQN: text alone>"
    episodes = play(agent, load_level(1, "test"), step_limit=6)
    code, output, _ = run(capsys, "evaluate", NAME, "--step-limit", "6", "--per-game", "--json")
    assert code == 0
    rows = json.loads(output)
    assert [row["score"] for row in rows] == [episode.score for episode in episodes]

    code, output, _ = run(capsys, "play", NAME, rows[0]["game"], "--step-limit", "6")
    assert code == 0
    assert output.count("\n> ") == rows[0]["steps"]

    code, output, _ = run(capsys, "models", "list", "--json")
    (row,) = json.loads(output)
    assert (row["name"], row["kind"]) == (NAME, "agent")
    assert list(row["metrics"]) == ["test score %", "test won %", "test steps"]
    assert run(capsys, "models", "verify")[0] == 0
    code, output, _ = run(capsys, "models", "cards")
    assert f"| load as | `{NAME}` |" in output
    assert folder not in output
    code, output, _ = run(capsys, "models", "show", NAME)
    assert re.search(r"^stored as +float16$", output, re.MULTILINE)


def test_names_that_are_not_there(package: Path) -> None:
    with pytest.raises(UsageError, match="no model is called 'agent/nobody'"):
        gata.load("agent/nobody")
    with pytest.raises(UsageError, match="no model is called 'agent/nobody'"):
        load_agent("agent/nobody", "cpu")


def test_a_run_without_weights(tmp_path: Path) -> None:
    for load in (gata.load, lambda name: load_agent(name, "cpu")):
        folder = tmp_path / load.__name__
        folder.mkdir()
        with pytest.raises(UsageError, match="not the folder of a run"):
            load(str(folder))
        (folder / "settings.json").write_text("{}")
        with pytest.raises(GataError, match="no weights yet"):
            load(str(folder))


def test_files_are_told_apart(tmp_path: Path) -> None:
    brain = small_brain("gata-coc-text", tmp_path)
    path = tmp_path / "mine.safetensors"
    save_agent(path, brain, {"level": 1})
    assert isinstance(gata.load(path), GreedyAgent)
    with pytest.raises(GataError, match="kind is 'agent', expected og or coc"):
        gata.load(path, role="updater")
    with pytest.raises(
        UsageError, match=r"coc\.safetensors: a model of kind 'coc', expected an ag"
    ):
        load_agent(tmp_path / "coc.safetensors", "cpu")
    with pytest.raises(UsageError, match=r"^updater/coc: a model of kind 'coc', expected an agent"):
        load_agent("updater/coc", "cpu")


def test_weights_that_half_precision_cannot_hold_are_refused(tmp_path: Path) -> None:
    brain = small_brain("tr-dqn", tmp_path)
    with torch.no_grad():
        next(brain.selector.parameters()).fill_(1e6)
    with pytest.raises(GataError, match=r"NaN or infinite in torch\.float16"):
        save_agent(tmp_path / "agent.safetensors", brain, {}, torch.float16)
    assert not (tmp_path / "agent.safetensors").exists()
