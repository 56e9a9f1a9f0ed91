"""The grid on a real Ray of this machine, with several workers."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from gata.errors import GataError, UsageError
from gata.evaluation.record_files import read_records
from gata.paper.cluster import LOCAL, company, connected, run_on_ray, runs_per_gpu, work
from gata.rl.settings import TrainSettings
from gata.training.run import CHECKPOINT_FILE, METRICS_FILE
from tests.belief.networks import settings as network_settings
from tests.killing import comes
from tests.paper.short_runs import short_grid, stop_after_evaluation

# Not imported here: what it does on this machine is decided before.
pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra [ray]")
looks_at_processes = pytest.mark.skipif(not Path("/proc/net").exists(), reason="looks into /proc")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """One for all tests. Its workers find the compiled engine where this process has it: the cache
    folder of a single test would have them compile it anew, half a minute each.

    It takes its word that there is a GPU, and more CPUs than runs could share that: Ray looks at
    what tasks ask for, not at what they use.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_OVERRIDE_RESOURCES", json.dumps({"CPU": 4, "GPU": 1}))
        with connected(LOCAL) as ray:
            yield ray


class WithoutGpu:
    """A Ray that does not tell of its GPU."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ray, name)

    def nodes(self) -> list[dict[str, Any]]:
        return [
            node | {"Resources": {k: v for k, v in node["Resources"].items() if k != "GPU"}}
            for node in self._ray.nodes()
        ]


def worker_at(run: TrainSettings) -> int | None:
    """The number of the process that says it works at a run."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(f"ray::{run.name}".encode()):
                return int(path.parent.name)
        except OSError:  # gone meanwhile
            continue
    return None


def _boards(folder: Path) -> set[tuple[int, int]]:
    """Each process that takes up a run writes a file for TensorBoard anew."""
    found = set()
    for path in folder.glob("tensorboard/*"):
        with suppress(FileNotFoundError):  # it is being replaced
            state = path.stat()
            found.add((state.st_ino, state.st_mtime_ns))
    return found


def kill_the_worker(run: TrainSettings, folder: Path, killed: list[int]) -> None:
    """As soon as it has taken up the run."""
    begun = _boards(folder)
    has_begun = comes(lambda: not _boards(folder) <= begun)
    number = worker_at(run) if has_begun else None
    if number is not None:
        os.kill(number, signal.SIGKILL)
        killed.append(number)


@looks_at_processes
def test_all_runs_end_although_a_worker_is_killed(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, killed = short_grid(seeds=2), []
    folder = tmp_path / "runs" / runs[0].name
    stop_after_evaluation(runs[0], folder, monkeypatch)
    metrics, before = folder / "metrics.jsonl", tmp_path / "before"
    before.hardlink_to(metrics)
    killer = threading.Thread(target=kill_the_worker, args=(runs[0], folder, killed), daemon=True)
    killer.start()
    outcomes = run_on_ray(
        WithoutGpu(ray),
        runs,
        folders=tmp_path / "runs",
        results=tmp_path / "results",
        network=network_settings(),
    )
    killer.join(timeout=5)
    assert [outcome.problem for outcome in outcomes] == ["", ""]
    assert len(killed) == 1
    assert [record.settings for record in read_records(tmp_path / "results")] == runs
    # It went on from the checkpoint: a run that begins anew begins a new file.
    assert metrics.samefile(before)
    assert "the cluster has no GPU: the runs train on CPUs" in capsys.readouterr().err


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """A process that a shell began in the background ignores Ctrl-C, and would wait for ever."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def pressing_ctrl_c(folders: list[Path]) -> Iterator[threading.Event]:
    """Press it as soon as all runs are well under way, which the event tells: they have reported.

    If one of them never does, it is pressed when patience is lost: the others would go on for ever.
    """
    under_way, is_over = threading.Event(), threading.Event()

    def all_report() -> bool:
        return all((folder / METRICS_FILE).exists() for folder in folders)

    def press() -> None:
        came = comes(lambda: is_over.is_set() or all_report())
        if is_over.is_set():
            return
        if came:
            under_way.set()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press, daemon=True)
    thread.start()
    try:
        yield under_way
    finally:
        is_over.set()
        thread.join()


@pytest.mark.usefixtures("_interruptible")
def test_ctrl_c_lets_the_workers_save(ray: Any, tmp_path: Path) -> None:
    # Far too long to end by themselves, and sooner over than a checkpoint is due.
    runs = short_grid(seeds=2, episodes=1_000_000, report_every=20)
    folders = [tmp_path / run.name for run in runs]
    with pytest.raises(KeyboardInterrupt), pressing_ctrl_c(folders) as under_way:
        run_on_ray(
            ray,
            runs,
            folders=tmp_path,
            results=tmp_path,
            gpus_per_run=0,
            network=network_settings(),
        )
    assert under_way.is_set()
    # At once: a Ray of one's own is stopped next, and its workers with it.
    assert [(folder / CHECKPOINT_FILE).exists() for folder in folders] == [True, True]
    assert read_records(tmp_path) == []


def test_a_failing_run_is_told_with_its_reason(
    ray: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs"
    folder.write_text("no folder")
    (run,) = short_grid()
    (outcome,) = run_on_ray(
        ray,
        [run],
        folders=folder,
        results=tmp_path,
        gpus_per_run=0,
        network=network_settings(),
    )
    assert outcome.record is None
    assert outcome.problem == f"{folder} is a file, expected a folder"
    assert f"{run.name}: failed; {outcome.problem}" in capsys.readouterr().err


def test_a_share_that_no_node_has_is_refused(ray: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--gpus-per-run 0\.25: the cluster has no GPU"):
        run_on_ray(
            WithoutGpu(ray), short_grid(), folders=tmp_path, results=tmp_path, gpus_per_run=0.25
        )


@looks_at_processes
def test_nobody_else_can_reach_a_ray_of_ones_own(ray: Any) -> None:
    # A worker, too, listens.
    assert ray.get(ray.remote(lambda: os.getpid()).remote()) in family(os.getpid())
    addresses = [ip_address(place) for place in listened_at(family(os.getpid()))]
    assert addresses
    assert [str(place) for place in addresses if not place.is_loopback] == []


def family(parent: int) -> set[int]:
    """A process and all that come from it."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # After the name, which may hold anything: the state, the parent.
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:  # gone meanwhile
            continue
    found, size = {parent}, 0
    while len(found) > size:
        size = len(found)
        found |= {number for number, above in parents.items() if above in found}
    return found


def listened_at(processes: set[int]) -> list[str]:
    """The addresses at which processes wait for connections."""
    sockets = set()
    for process in processes:
        for path in Path(f"/proc/{process}/fd").glob("*"):
            try:
                sockets.add(str(path.readlink()))
            except OSError:  # closed meanwhile
                continue
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            is_listening = fields[3] == "0A"
            if is_listening and f"socket:[{fields[9]}]" in sockets:
                found.append(address_of(fields[1].partition(":")[0]))
    return found


def address_of(digits: str) -> str:
    """From how Linux writes it: words of 32 bits, each from its last byte on."""
    data = bytes.fromhex(digits)
    data = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    address = ip_address(data)
    return str(getattr(address, "ipv4_mapped", None) or address)


def test_a_record_says_how_many_runs_shared_the_gpu(tmp_path: Path) -> None:
    assert [runs_per_gpu(share) for share in (0, 1, 0.25, 0.1)] == [None, 1, 4, 10]
    (run,) = short_grid(episodes=20)
    sizes = json.dumps(asdict(network_settings()))
    told = [json.loads(work(json.dumps(asdict(run)), sizes, str(tmp_path), 4)) for _ in range(2)]
    # The second time the run is over: with whom it was trained is not known any more.
    assert [record["at_once"] for record in told] == [4, None]


def test_no_run_is_told_to_have_shared_a_gpu_with_more_than_there_were() -> None:
    one, two = {"CPU": 16.0, "GPU": 1.0}, {"CPU": 16.0, "GPU": 2.0}
    assert [company([one], 0.25, runs) for runs in (1, 3, 4, 9)] == [1, 3, 4, 4]
    # Ray fills the first GPU before it takes the next: with whom a run is depends on which it got.
    for nodes in ([two], [one, one]):
        told = [company(nodes, 0.25, runs) for runs in (1, 2, 5, 7, 8, 9)]
        assert told == [1, None, None, None, 4, 4]
    # Every run needs a CPU, too.
    assert company([{"CPU": 2.0, "GPU": 1.0}], 0.25, 9) == 2
    assert company([{"CPU": 7.0, "GPU": 2.0}], 0.25, 9) is None
    assert company([one, {"CPU": 16.0}], 0.25, 9) == 4
    assert [company([two], 1, 9), company([two], 0.6, 9), company([one], 0, 9)] == [1, 1, None]


def test_ray_sets_the_share_of_the_gpu_aside(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def noting(run: str, *arguments: Any) -> str:
        given = ray.get_runtime_context().get_assigned_resources()
        (tmp_path / f"{json.loads(run)['seed']}.json").write_text(json.dumps(given))
        return work(run, *arguments)

    monkeypatch.setattr("gata.paper.cluster.work", noting)
    outcomes = run_on_ray(
        ray,
        short_grid(seeds=3, episodes=20),
        folders=tmp_path / "runs",
        results=tmp_path / "results",
        gpus_per_run=0.5,
        network=network_settings(),
    )
    given = [json.loads(path.read_text()) for path in tmp_path.glob("*.json")]
    assert given == [{"CPU": 1.0, "GPU": 0.5}] * 3
    assert [outcome.record.at_once for outcome in outcomes] == [2, 2, 2]


def test_a_run_that_had_the_gpu_alone_says_so(ray: Any, tmp_path: Path) -> None:
    (outcome,) = run_on_ray(
        ray,
        short_grid(episodes=20),
        folders=tmp_path / "runs",
        results=tmp_path / "results",
        network=network_settings(),
    )
    assert outcome.problem == ""
    assert outcome.record.at_once == 1


def test_the_folder_of_another_run_is_refused_in_words_of_the_command(tmp_path: Path) -> None:
    run, other = short_grid(episodes=20)[0], short_grid(episodes=21)[0]
    sizes = json.dumps(asdict(network_settings()))
    work(json.dumps(asdict(run)), sizes, str(tmp_path), None)
    with pytest.raises(UsageError, match="episodes 20, not 21; choose another --runs"):
        work(json.dumps(asdict(other)), sizes, str(tmp_path), None)


def test_no_cluster_at_the_address() -> None:
    with (
        pytest.raises(GataError, match=r"--ray 127\.0\.0\.1:1: no cluster answers"),
        connected("127.0.0.1:1"),
    ):
        pass
