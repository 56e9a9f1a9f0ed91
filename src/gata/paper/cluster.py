"""The runs of a grid on a cluster, through Ray (the ``[ray]`` extra)."""

import json
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from gata import console
from gata.errors import GataError, UsageError
from gata.evaluation.collect import collect
from gata.evaluation.record_files import write_record
from gata.evaluation.records import Record
from gata.nn.settings import NetworkSettings
from gata.paper.reproduce import Outcome
from gata.rl.loop import train
from gata.rl.settings import TrainSettings
from gata.typed_json import read_as

LOCAL = "local"
"""The address that means: start a Ray of your own on this machine."""
RETRIES = 3
"""How often a run is taken up again after its worker died."""
KNOCK_S = 10.0
"""How long a cluster may take to answer."""
PATIENCE_S = 60.0
"""After Ctrl-C, for workers to save their runs."""


def run_on_ray(
    runs: Sequence[TrainSettings],
    *,
    address: str,
    folders: Path,
    results: Path,
    gpus_per_run: float,
    network: NetworkSettings | None = None,
) -> list[Outcome]:
    """Train all runs as tasks of a Ray cluster, and record them here as they end.

    A run whose worker dies is taken up again, by a worker that sees the same folders from its last
    checkpoint on. A run that fails does not stop the others. Ctrl-C lets the workers save.

    Args:
        runs: which.
        address: of the cluster; ``auto``; or ``LOCAL``.
        folders: on the workers: each run gets one of its name in here.
        results: here: each run's record goes here.
        gpus_per_run: the share of a GPU that Ray sets aside for a run.
        network: sizes of the networks, if not the paper's.
    """
    sizes = None if network is None else json.dumps(asdict(network))
    outcomes: dict[str, Outcome] = {}
    with _connection(address) as ray, console.Bar(f"runs on Ray at {address}", len(runs)) as bar:
        task = ray.remote(num_cpus=1, num_gpus=gpus_per_run, max_retries=RETRIES)(work)
        waiting = {
            task.options(name=run.name).remote(
                json.dumps(asdict(run)), sizes, str(folders.absolute())
            ): run
            for run in runs
        }
        try:
            while waiting:
                (ended, *_), _ = ray.wait(list(waiting), num_returns=1)
                name = waiting.pop(ended).name
                outcomes[name] = _outcome(ray, name, ended, results)
                bar.show(len(outcomes), f"{name} is over")
        except KeyboardInterrupt:
            for task in waiting:
                ray.cancel(task)
            ray.wait(list(waiting), num_returns=len(waiting), timeout=PATIENCE_S)
            raise
    return [outcomes[run.name] for run in runs]


def work(run: str, network: str | None, folders: str) -> str:
    """On a worker: train, or go on training.

    Args:
        run: ``TrainSettings`` as JSON.
        network: ``NetworkSettings`` as JSON.
        folders: where the run's folder is.

    Returns:
        The ``Record`` as JSON.
    """
    settings = read_as(TrainSettings, json.loads(run), "a run")
    sizes = None if network is None else read_as(NetworkSettings, json.loads(network), "networks")
    folder = Path(folders) / settings.name
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train(settings, folder, device, network=sizes)
    return json.dumps(asdict(collect(folder)))


def _outcome(ray: Any, name: str, ended: Any, results: Path) -> Outcome:
    try:
        record = read_as(Record, json.loads(ray.get(ended)), name)
        write_record(record, results)
    except GataError as error:
        return Outcome(name, None, str(error))
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1]
        console.note(f"{name}: failed; {reason}")
        return Outcome(name, None, reason)
    return Outcome(name, record)


@contextmanager
def _connection(address: str) -> Iterator[Any]:
    """Ray's module, connected; a Ray of one's own is stopped afterwards."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise UsageError("--ray needs the extra: pip install 'gata[ray]'") from error
    here: dict[str, Any] = {"_node_ip_address": "127.0.0.1", "include_dashboard": False}
    try:
        _knock(address)
        ray.init(address, log_to_driver=False, **(here if address == LOCAL else {}))
    except (OSError, ValueError, RuntimeError) as error:
        raise GataError(f"--ray {address}: no cluster answers there ({error})") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """See that somebody listens at HOST:PORT: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), KNOCK_S).close()
