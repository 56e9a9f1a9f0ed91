"""Making sets of games: resumable, exclusive, complete."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.games.archive import Archive
from gata.games.catalogue import GameKey, paper_collections
from gata.games.making import Order, make_archive
from gata.games.settings import Setting

pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
pytestmark = pytest.mark.textworld

SCRIPT = """
import sys
from pathlib import Path
from tests.games.test_making import orders
from gata.games.making import make_archive
make_archive(Path(sys.argv[1]), orders(), jobs=1)
"""


def orders() -> list[Order]:
    entries = paper_collections()["level3"].of_split("train")[:40]
    return [Order(entry.name, entry.key) for entry in entries]


def start(path: Path) -> "subprocess.Popen[str]":
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path)],
        cwd=root,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )


def hashes(path: Path) -> dict[str, str]:
    archive = Archive(path)
    return {name: archive[name].content_hash for name in archive}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    path = tmp_path_factory.mktemp("undisturbed") / "set.games"
    make_archive(path, orders(), jobs=2)
    return hashes(path)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, expected: dict[str, str]) -> None:
    path = tmp_path / "set.games"
    first_part = tmp_path / "set.parts" / "000000.games"
    process = start(path)
    deadline = time.monotonic() + 120
    while not first_part.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert first_part.exists()
    assert not path.exists()
    written = first_part.stat().st_mtime_ns
    # A damaged part is made again, a sound one is kept.
    (tmp_path / "set.parts" / "000012.games").write_bytes(b"gata-games 1\nrubbish")
    first_part.touch()
    os.utime(first_part, ns=(written, written))

    make_archive(path, orders(), jobs=1)
    assert hashes(path) == expected
    assert not first_part.exists()


def test_two_processes_make_one_set(tmp_path: Path, expected: dict[str, str]) -> None:
    path = tmp_path / "set.games"
    processes = [start(path), start(path)]
    messages = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sum("another process is making it; waiting" in text for text in messages) == 1
    assert hashes(path) == expected


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    path = tmp_path / "set.games"
    make_archive(path, orders()[:3], jobs=1)
    modified = path.stat().st_mtime_ns
    make_archive(path, orders()[:3], jobs=1)
    assert path.stat().st_mtime_ns == modified
    with pytest.raises(GataError, match="other games than asked for"):
        make_archive(path, orders()[:4], jobs=1)


def test_a_game_that_cannot_be_made_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    setting = Setting.parse("recipe5+take5+cut+go12")
    wanted = [Order(f"x/{seed}", GameKey(setting, "train", seed, "folded")) for seed in range(25)]
    archive = make_archive(tmp_path / "some.games", wanted, jobs=1)
    assert archive.failures
    assert len(archive) + len(archive.failures) == 25
    for failure in archive.failures:
        assert failure.name in failure.reason
        assert "ValueError" in failure.reason


def test_another_game_than_the_published_one_is_refused(tmp_path: Path) -> None:
    order = Order("x/1", orders()[0].key, pinned_hash="0" * 32)
    with pytest.raises(GataError, match="x/1: TextWorld made another game"):
        make_archive(tmp_path / "set.games", [order], jobs=1)
    assert not (tmp_path / "set.games").exists()
