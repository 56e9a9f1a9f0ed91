import stat
from functools import partial
from pathlib import Path

import pytest

from gata.errors import GataError, UsageError
from gata.files import (
    atomic_write,
    check_file,
    check_folder,
    check_writable,
    check_writable_file,
    expect_folder,
)


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


def test_a_folder_is_tried_before_long_work_and_not_made(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "folder")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match=r"^--output /proc/nope/new: cannot write there \("):
        check_writable(Path("/proc/nope/new"), "--output")


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    for folder in (file, file / "below"):
        for check in (check_folder, check_writable, partial(expect_folder, expected="one")):
            with pytest.raises(UsageError, match=rf"^{file} is a file, expected a folder$"):
                check(folder)
    with pytest.raises(UsageError, match=r"gone: no such folder, expected that of a run$"):
        expect_folder(tmp_path / "gone", "that of a run")
    expect_folder(tmp_path, "one")


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    for check in (check_file, check_writable_file):
        with pytest.raises(UsageError, match=rf"^-o {tmp_path} is a folder, expected a file$"):
            check(tmp_path, "-o")
        check(tmp_path / "new")
    with pytest.raises(UsageError, match=r"^-o /proc/nope: cannot write there \("):
        check_writable_file(Path("/proc/nope/x.png"), "-o")
