import stat
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.files import atomic_write, check_writable


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.bin"
    with atomic_write(path) as stream:
        stream.write(b"first")
        assert not path.exists()
    assert path.read_bytes() == b"first"

    def fail_half_way() -> None:
        with atomic_write(path) as stream:
            stream.write(b"second")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert path.read_bytes() == b"first"
    assert list(path.parent.iterdir()) == [path]


def test_the_file_is_readable_like_any_other(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "ours") as stream:
        stream.write(b"x")
    (tmp_path / "theirs").write_bytes(b"x")
    ours, theirs = ((tmp_path / name).stat().st_mode for name in ("ours", "theirs"))
    assert stat.S_IMODE(ours) == stat.S_IMODE(theirs)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    path = tmp_path / "file" / "below.bin"
    with pytest.raises(GataError, match=r"below\.bin: cannot write"), atomic_write(path):
        pass


def test_a_folder_is_made_and_tried_before_long_work(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    file = tmp_path / "file"
    file.write_bytes(b"x")
    for folder, reason in ((file, "File exists"), (file / "below", "Not a directory")):
        with pytest.raises(GataError, match=rf"{folder}: cannot write there \({reason}\)"):
            check_writable(folder)
