"""Put the weights of finished pre-training runs into the package, and their raw files into results.

    python tools/ship_weights.py runs/pretrain/og runs/pretrain/coc ...

Weights go to ``src/gata/models/data/NAME.safetensors``; settings, metrics and results of the run to
``results/pretrain/NAME/``. Folders of the machine the run was on are left out of its command.
"""

import json
import shlex
import shutil
import sys
from pathlib import Path

from gata.models.files import read_tensors, write_tensors
from gata.models.shipped import DATA_DIR, SUFFIX
from gata.models.weights import load_model
from gata.training.run import METRICS_FILE, RESULTS_FILE, SETTINGS_FILE, WEIGHTS_FILE, write_json

RESULTS = Path(__file__).parents[1] / "results" / "pretrain"
LOCAL_OPTIONS = ("--data", "--output", "-o")


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


def ship(run: Path) -> str:
    """Ship one run; returns the name of its weights."""
    results = json.loads((run / RESULTS_FILE).read_text(encoding="utf-8"))
    results["command"] = portable(results["command"])
    name: str = results["name"]
    tensors, header = read_tensors(run / WEIGHTS_FILE)
    header["card"]["command"] = results["command"]
    target = DATA_DIR / f"{name}{SUFFIX}"
    write_tensors(target, tensors, header)
    load_model(target)  # refuses what is not whole
    write_json(RESULTS / name / RESULTS_FILE, results)
    for file in (SETTINGS_FILE, METRICS_FILE):
        shutil.copyfile(run / file, RESULTS / name / file)
    return name


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for folder in sys.argv[1:]:
        sys.stdout.write(f"{ship(Path(folder))}\n")
