"""Put the weights of finished runs into the package, and their raw files into results.

    python tools/ship_weights.py runs/pretrain/og runs/train/gata-coc-text-level1-20games-seed1 ...

Weights of pre-training go to ``src/gata/models/data/NAME.safetensors.xz``, trained agents to
``src/gata/models/data/agents/``, in half precision. Settings, metrics and results of a pre-training
go to ``results/pretrain/NAME/``; the record of an agent to ``results/agents/NAME.json``, as
``gata reproduce`` would write it. An agent plays the test games once more, as it is shipped: its
card tells that score. Folders of the machine the run was on are left out of its command.
"""

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import torch

from gata.agents.greedy import GreedyAgent
from gata.agents.playing import play, summarise
from gata.agents.stored import load_agent, save_agent
from gata.evaluation.collect import collect
from gata.evaluation.record_files import write_record
from gata.games.store import load_level
from gata.models import shipped
from gata.models.files import COMPRESSED, SUFFIX, read_tensors, write_tensors
from gata.models.kinds import AGENT
from gata.models.shipped import SETTINGS_FILE, WEIGHTS_FILE
from gata.models.weights import load_model
from gata.training.run import METRICS_FILE, RESULTS_FILE, write_json

RESULTS = Path(__file__).parents[1] / "results"
LOCAL_OPTIONS = ("--data", "--output", "-o", "--resume")


def portable(command: str) -> str:
    """The command without folders."""
    words = shlex.split(command)
    kept = []
    while words:
        word = words.pop(0)
        if word in LOCAL_OPTIONS:
            words.pop(0)
        else:
            kept.append(word)
    return shlex.join(kept)


def ship_model(run: Path, results: dict[str, Any]) -> None:
    """Ship the model of a pre-training."""
    tensors, header = read_tensors(run / WEIGHTS_FILE)
    header["card"]["command"] = results["command"]
    target = _target(shipped.DATA_DIR, results)
    write_tensors(target, tensors, header)
    load_model(target)  # refuses what is not whole
    folder = RESULTS / "pretrain" / results["name"]
    write_json(folder / RESULTS_FILE, results)
    for file in (SETTINGS_FILE, METRICS_FILE):
        shutil.copyfile(run / file, folder / file)


def ship_agent(run: Path, results: dict[str, Any]) -> None:
    """Ship a trained agent."""
    brain, card = load_agent(run, "cpu")
    target = _target(shipped.DATA_DIR / shipped.AGENTS, results)
    save_agent(target, brain, card, torch.float16)
    learnt = card["settings"]
    agent = GreedyAgent(load_agent(target, "cpu").brain)
    games = load_level(learnt["level"], "test")
    episodes = play(agent, games, step_limit=learnt["learning"]["step_limit"])
    summary = summarise(episodes)
    metrics = {
        "test score %": summary.score,
        "test won %": summary.success,
        "test steps": summary.steps,
    }
    card = {**card, "command": results["command"], "metrics": metrics}
    save_agent(target, brain, card, torch.float16)
    write_record(collect(run), RESULTS / "agents")


def _target(folder: Path, results: dict[str, Any]) -> Path:
    return folder / f"{results['name']}{SUFFIX}{COMPRESSED}"


def ship(run: Path) -> str:
    """Ship one run; returns the name under which it can be loaded."""
    results = json.loads((run / RESULTS_FILE).read_text(encoding="utf-8"))
    results["command"] = portable(results["command"])
    _, header = read_tensors(run / WEIGHTS_FILE)
    if header["kind"] == AGENT:
        ship_agent(run, results)
        return f"{AGENT}/{results['name']}"
    ship_model(run, results)
    return str(results["name"])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for folder in sys.argv[1:]:
        sys.stdout.write(f"{ship(Path(folder))}\n")
