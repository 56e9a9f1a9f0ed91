from pathlib import Path

import pytest

from gata import source


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(source, "PACKAGE", tmp_path)
    (tmp_path / "room").mkdir()
    (tmp_path / "leaf.py").write_text("a = 1\n")
    (tmp_path / "room" / "work.py").write_text("b = 2\n")
    return tmp_path


def test_code_is_known_by_names_and_contents(package: Path) -> None:
    before = source.digest().hexdigest()
    assert source.digest().hexdigest() == before
    (package / "notes.txt").write_text("no code")
    assert source.digest().hexdigest() == before
    (package / "room" / "work.py").write_text("b = 3\n")
    after = source.digest().hexdigest()
    (package / "room" / "work.py").rename(package / "room" / "play.py")
    assert len({before, after, source.digest().hexdigest()}) == 3


def test_parts_are_told_apart_from_the_rest(package: Path) -> None:
    room = source.digest(["room"]).hexdigest()
    (package / "leaf.py").write_text("a = 2\n")
    assert source.digest(["room"]).hexdigest() == room
    assert source.digest(["room", "leaf.py"]).hexdigest() != room


def test_a_fingerprint_is_short() -> None:
    assert len(source.fingerprint()) == source.DIGITS
