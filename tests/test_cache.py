import os
import time
from pathlib import Path

from gata.cache import KEPT_DAYS, forget_old_neighbours


def test_what_nobody_used_for_long_is_removed(tmp_path: Path) -> None:
    long_ago = time.time() - (KEPT_DAYS + 1) * 24 * 3600
    for name in ("used", "old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
        (tmp_path / f"{name}.file").touch()
    for name in ("used", "old", "old.file"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    forget_old_neighbours(tmp_path / "used")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["new", "new.file", "used", "used.file"]
    assert (tmp_path / "used").stat().st_mtime > long_ago + 1000


def test_a_folder_that_is_not_there_is_no_obstacle(tmp_path: Path) -> None:
    forget_old_neighbours(tmp_path / "nowhere" / "file")
