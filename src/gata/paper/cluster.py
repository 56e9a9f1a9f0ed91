"""The runs of a grid on a cluster, through Ray (the ``[ray]`` extra)."""

import json
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from gata import console
from gata.errors import GataError, UsageError, in_words, install_extra
from gata.evaluation.collect import collect
from gata.evaluation.record_files import record_as_text, record_from, write_record
from gata.nn.settings import NetworkSettings
from gata.paper.begun import is_begun
from gata.paper.reproduce import FOLDERS_OPTION, Outcome
from gata.rl.opening import Job
from gata.rl.settings import TrainSettings
from gata.training.checkpoint import hardware
from gata.typed_json import read_as

Resources = Mapping[str, float]
"""What a node of a cluster has, by Ray's names: ``CPU``, ``GPU``."""
LOCAL = "local"
"""The address that means: start a Ray of your own on this machine."""
LOOPBACK = "127.0.0.1"
GPU_SHARE = 0.25
"""Of a GPU, for each run, if nobody says otherwise."""
RETRIES = 3
"""How often a run is taken up again after its worker died."""
KNOCK_S = 10.0
"""How long a cluster may take to answer."""
PATIENCE_S = 60.0
"""After Ctrl-C, for workers to save their runs."""


def run_on_ray(
    ray: Any,
    runs: Sequence[TrainSettings],
    *,
    folders: Path,
    results: Path,
    gpus_per_run: float | None = None,
    network: NetworkSettings | None = None,
) -> list[Outcome]:
    """Train all runs as tasks of a Ray cluster, and record them here as they end.

    A run whose worker dies is taken up again, by a worker that sees the same folders from its last
    checkpoint on. A run that fails does not stop the others. Ctrl-C lets the workers save.

    Args:
        ray: what ``connected`` gives.
        runs: which.
        folders: on the workers: each run gets one of its name in here.
        results: here: each run's record goes here.
        gpus_per_run: the share of a GPU that Ray sets aside for a run, 0 to 1; by default
            ``GPU_SHARE``, or none where the cluster has no GPU.
        network: sizes of the networks, if not the paper's.
    """
    nodes = _nodes(ray)
    share = _feasible(nodes, gpus_per_run)
    at_once = company(nodes, share, len(runs))
    sizes = None if network is None else json.dumps(asdict(network))
    outcomes: dict[str, Outcome] = {}
    with console.Bar("runs on Ray", len(runs)) as bar:
        remote = ray.remote(num_cpus=1, num_gpus=share, max_retries=RETRIES)(work)
        waiting = {
            remote.options(name=run.name).remote(
                json.dumps(asdict(run)), sizes, str(folders.absolute()), at_once
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


def hardware_of(address: str, gpus_per_run: float | None) -> str | None:
    """What each run will be trained on, in the words of records; None if nobody knows.

    Args:
        address: of the cluster.
        gpus_per_run: as ``run_on_ray`` has it.
    """
    if address != LOCAL:
        return None
    kind = "cuda" if expected_share(address, gpus_per_run) else "cpu"
    # Ray gives the worker of a run one thread, that of its CPU.
    return hardware(torch.device(kind), threads=1)


def expected_share(address: str, gpus_per_run: float | None) -> float:
    """Of a GPU, for each run, as far as that can be told before Ray is asked.

    The arguments are those of ``hardware_of``.
    """
    if address == LOCAL and not torch.cuda.is_available():
        return 0.0
    return GPU_SHARE if gpus_per_run is None else gpus_per_run


def runs_per_gpu(share: float) -> int | None:
    """How many runs can share a GPU; None if they use none."""
    return int(1 / share) if share else None


def company(nodes: Sequence[Resources], share: float, runs: int) -> int | None:
    """How many runs share a GPU with each other; None if they use none, or if nobody can tell.

    Each run takes a CPU of its node, too. Of several GPUs, Ray may fill one and leave another
    empty, so there the number is only known if all are filled, or if no GPU can have two runs.

    Args:
        nodes: of the cluster.
        share: of a GPU, for each run.
        runs: how many there are.
    """
    most = min(runs_per_gpu(share) or 0, runs)
    if most <= 1:
        return most or None
    rooms = [(int(node["CPU"]), int(node["GPU"])) for node in nodes if node.get("GPU", 0.0) >= 1]
    gpus = sum(gpu for _, gpu in rooms)
    if gpus == 1:
        return min(most, rooms[0][0])
    is_full = runs >= most * gpus and all(cpus >= most * gpu for cpus, gpu in rooms)
    return most if is_full else None


def work(run: str, network: str | None, folders: str, at_once: int | None) -> str:
    """On a worker: train, or go on training.

    Args:
        run: ``TrainSettings`` as JSON.
        network: ``NetworkSettings`` as JSON.
        folders: where the run's folder is.
        at_once: how many runs share the GPU, if that is known.

    Returns:
        The record, as the text of its file.
    """
    settings = read_as(TrainSettings, json.loads(run), "a run")
    sizes = None if network is None else read_as(NetworkSettings, json.loads(network), "networks")
    folder = Path(folders) / settings.name
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # With how many others an earlier part of the run was trained, nobody knows.
    is_new = not is_begun(folder)
    Job(settings, folder, network=sizes, folder_option=FOLDERS_OPTION).train(device)
    return record_as_text(collect(folder, at_once if is_new else None))


def _nodes(ray: Any) -> list[Resources]:
    """Those that can have runs."""
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    found = [node for node in nodes if node.get("CPU", 0.0) >= 1]
    if not found:
        raise UsageError("--ray: no node of the cluster has a CPU for a run")
    return found


def _feasible(nodes: Sequence[Resources], share: float | None) -> float:
    """The share of a GPU for a run: Ray would wait for ever, silently, for one it has not."""
    gpus = [node.get("GPU", 0.0) for node in nodes]
    if share is None and max(gpus) < GPU_SHARE:
        console.note("the cluster has no GPU: the runs train on CPUs")
        return 0.0
    share = GPU_SHARE if share is None else share
    if share > max(gpus):
        raise UsageError(
            f"--gpus-per-run {share:g}: the cluster has no GPU; --gpus-per-run 0 trains on CPUs"
        )
    return share


def _outcome(ray: Any, name: str, ended: Any, results: Path) -> Outcome:
    try:
        record = record_from(json.loads(ray.get(ended)), name)
        write_record(record, results)
    except (GataError, ray.exceptions.RayError) as error:
        # What a task raised arrives as an error of Ray, too, whose text is a remote traceback.
        problem = " ".join(in_words(getattr(error, "cause", None) or error).split())
        console.note(f"{name}: failed; {problem}")
        return Outcome(name, None, problem)
    return Outcome(name, record)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Ray's module, connected to a cluster; a Ray of one's own is stopped afterwards.

    Args:
        address: of the cluster; ``auto``; or ``LOCAL``, which nobody outside can reach. A process
            that had one of its own can connect to no other afterwards.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    here: dict[str, Any] = {}
    if address == LOCAL:
        # Ray reads this when it is imported. Without it, it listens on all interfaces; an address
        # given to ``init`` is no help, it makes an outer one of the loopback.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        here = {"include_dashboard": False}
    try:
        import ray
    except ImportError as error:
        raise UsageError(f"--ray needs Ray: {install_extra('ray')}") from error
    try:
        _knock(address)
        ray.init(address, log_to_driver=False, **here)
    except (OSError, ValueError, RuntimeError) as error:
        raise GataError(f"--ray {address}: no cluster answers there ({error})") from error
    try:
        if address == LOCAL:
            _require_loopback(ray)
        yield ray
    finally:
        ray.shutdown()


def _require_loopback(ray: Any) -> None:
    if any(node["NodeManagerAddress"] != LOOPBACK for node in ray.nodes()):
        raise GataError("--ray local: others could reach it, as ray was imported too early")


def _knock(address: str) -> None:
    """See that somebody listens at HOST:PORT: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), KNOCK_S).close()
