"""Making sets of games: resumable, exclusive, complete."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.games.archive import Archive
from gata.games.catalogue import GameKey, paper_collections
from gata.games.making import Order, make_archive
from gata.games.settings import Setting
from tests.killing import comes, kill_at

pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
pytestmark = pytest.mark.textworld

SCRIPT = """
import sys
from pathlib import Path
from tests.games.test_making import orders
from gata.games.making import make_archive
make_archive(Path(sys.argv[1]), orders(), jobs=int(sys.argv[2]))
"""


def orders() -> list[Order]:
    entries = paper_collections()["level3"].of_split("train")[:40]
    return [Order(entry.name, entry.key) for entry in entries]


def start(path: Path, jobs: int = 1) -> "subprocess.Popen[str]":
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(jobs)],
        cwd=root,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root), "SET": str(path)},
    )


def hashes(path: Path) -> dict[str, str]:
    archive = Archive(path)
    return {name: archive[name].content_hash for name in archive}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    path = tmp_path_factory.mktemp("undisturbed") / "set.games"
    make_archive(path, orders(), jobs=2)
    return hashes(path)


def test_a_killed_run_goes_on_where_it_was(
    tmp_path: Path, expected: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.games"
    parts = tmp_path / ".set.games.parts"
    assert kill_at(start(path, jobs=2), lambda: any(parts.glob("0*")))
    # The workers notice that their parent is gone, and end too.
    assert comes(lambda: not workers_of(path), every_s=0.1)
    assert not path.exists()
    sound, *others = sorted(parts.glob("0*"))
    # A part with a damaged block is made again, a sound one is kept.
    damaged = parts / "000036.games"
    content = bytearray(sound.read_bytes())
    content[-30] ^= 1
    for other in others:
        other.unlink()
    damaged.write_bytes(content)
    capsys.readouterr()

    make_archive(path, orders(), jobs=1)
    assert "going on, 1 parts are there" in capsys.readouterr().err
    assert hashes(path) == expected
    assert not parts.exists()


def workers_of(path: Path) -> list[str]:
    """Processes whose environment names this set."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(path) in (process / "environ").read_text(errors="replace"):
                found.append(process.name)
    return found


def test_nothing_of_the_users_is_touched(tmp_path: Path) -> None:
    (tmp_path / "set.parts").mkdir()
    (tmp_path / "set.parts" / "thesis.txt").write_text("years of work")
    (tmp_path / "set.lock").write_text("mine")
    make_archive(tmp_path / "set.games", orders()[:1], jobs=1)
    assert (tmp_path / "set.parts" / "thesis.txt").read_text() == "years of work"
    assert (tmp_path / "set.lock").read_text() == "mine"


def test_a_script_without_a_guard_can_make_games(tmp_path: Path) -> None:
    """Workers must not run the user's script again: it would wait for itself for ever."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("jobs=int(sys.argv[2])", "jobs=2"))
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, str(script), str(tmp_path / "set.games"), "2"],
        env={**os.environ, "PYTHONPATH": str(root)},
        timeout=300,
        check=True,
    )
    assert len(Archive(tmp_path / "set.games")) == 40


def test_a_place_that_cannot_be_written_is_named() -> None:
    with pytest.raises(GataError, match=r"/proc/nope\.games: cannot write there"):
        make_archive(Path("/proc/nope.games"), orders()[:1], jobs=1)


def test_a_finished_archive_needs_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "set.games"
    make_archive(path, orders()[:1], jobs=1)
    lock = tmp_path / ".set.games.lock"
    lock.unlink(missing_ok=True)
    make_archive(path, orders()[:1], jobs=1)
    assert not lock.exists()


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
    # Where a game was once made, a failure is an error, not a property of the game.
    failing = next(order for order in wanted if order.name == archive.failures[0].name)
    pinned = Order(failing.name, failing.key, pinned_hash="0" * 32)
    with pytest.raises(GataError, match="elsewhere it could be made"):
        make_archive(tmp_path / "pinned.games", [pinned], jobs=1)


@pytest.mark.parametrize("pin", ["0" * 32, ""])
def test_another_game_than_the_published_one_is_refused(tmp_path: Path, pin: str) -> None:
    order = Order("x/1", orders()[0].key, pinned_hash=pin)
    with pytest.raises(GataError, match="x/1: TextWorld made another game"):
        make_archive(tmp_path / "set.games", [order], jobs=1)
    assert not (tmp_path / "set.games").exists()
