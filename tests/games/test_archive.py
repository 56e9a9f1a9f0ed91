"""The archive keeps games exactly, and never hands out a wrong one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gata.errors import GataError
from gata.games.archive import Archive, Failure, join_archives, write_archive
from gata.games.game import Game, canonical_json
from gata.games.store import load_set

NAMES = ("level1/valid", "level4/valid")


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [game for name in NAMES for game in load_set(name)[:8]]


@pytest.fixture(scope="module")
def written(games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "some.games"
    write_archive(path, games, [Failure("x/y/1", "TextWorld raised")])
    return path


def test_games_come_back_to_the_letter(written: Path, games: list[Game]) -> None:
    archive = Archive(written)
    assert list(archive) == [game.name for game in games]
    for game in reversed(games):
        back = archive[game.name]
        assert canonical_json(back.data) == canonical_json(game.data)
        assert back.content_hash == game.content_hash == archive.games[game.name].hash
    assert archive.failures == (Failure("x/y/1", "TextWorld raised"),)


def test_rule_texts_are_stored_once(written: Path) -> None:
    archive = Archive(written)
    assert len(archive._read_block(0)) == 1
    assert {game["KB"] for game in archive._read_block(1)} == {0}


def test_a_file_that_unpacks_without_end_is_refused(tmp_path: Path, games: list[Game]) -> None:
    path = tmp_path / "bomb.games"
    bomb = Game("bomb/1", {**games[0].data, "objective": " " * (1 << 28)})
    write_archive(path, [bomb])
    assert path.stat().st_size < 1 << 20
    with pytest.raises(GataError, match="far too large"):
        Archive(path)["bomb/1"]


def test_joining_keeps_every_game(tmp_path: Path, games: list[Game]) -> None:
    other_rules = [
        Game("own/1", {**games[0].data, "KB": {**games[0].data["KB"], "logic": "type x {}\n"}})
    ]
    shares = [games[:5], other_rules, [*games[5:9]], games[9:]]
    parts = []
    for i, share in enumerate(shares):
        part = tmp_path / f"{i}.games"
        write_archive(part, share, [Failure(f"failed/{i}", "why")])
        parts.append(Archive(part))
    joined = tmp_path / "joined.games"
    join_archives(joined, parts)
    archive = Archive(joined)
    for game in (game for share in shares for game in share):
        assert canonical_json(archive[game.name].data) == canonical_json(game.data)
    assert [failure.name for failure in archive.failures] == [f"failed/{i}" for i in range(4)]


def test_a_name_can_only_be_used_once(tmp_path: Path, games: list[Game]) -> None:
    path = tmp_path / "twice.games"
    with pytest.raises(GataError, match="same name"):
        write_archive(path, [games[0], games[0]])
    assert not path.exists()


def test_an_unknown_game_is_refused(written: Path) -> None:
    with pytest.raises(GataError, match="has no game 'level1/valid/0'"):
        Archive(written)["level1/valid/0"]


@pytest.mark.parametrize("keep", [0, 5, 13, 40, 60, 2000, -1])
def test_truncated_files_are_refused(written: Path, tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.games"
    path.write_bytes(written.read_bytes()[:keep])
    with pytest.raises(GataError, match=r"cut\.games: (truncated|not a game archive)"):
        Archive(path)


def test_another_version_is_refused(written: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.games"
    path.write_bytes(written.read_bytes().replace(b"gata-games 1", b"gata-games 2", 1))
    with pytest.raises(GataError, match="another version"):
        Archive(path)


@given(data=st.data())
@settings(max_examples=60)
def test_a_changed_byte_never_gives_a_wrong_game(
    written: Path, games: list[Game], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = bytearray(written.read_bytes())
    position = data.draw(st.integers(0, len(content) - 1))
    content[position] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.mktemp("flip") / "flipped.games"
    path.write_bytes(content)
    try:
        archive = Archive(path)
        read = {name: archive[name] for name in archive}
    except GataError as error:
        message = str(error)
    else:
        message = "flipped.games: read in full"
        for game in games:
            assert canonical_json(read[game.name].data) == canonical_json(game.data)
    assert "flipped.games" in message


def test_an_altered_game_with_a_sound_block_is_refused(tmp_path: Path, games: list[Game]) -> None:
    """Even a well-formed archive must not pass off one game as another."""
    altered = json.loads(canonical_json(games[0].data))
    altered["objective"] = "Something else."
    path = tmp_path / "altered.games"
    write_archive(path, [Game(games[0].name, altered)])
    content = path.read_bytes()
    right, wrong = games[0].content_hash, Game("", altered).content_hash
    # A header that claims the original's hash, with its own checksum made to fit.
    import hashlib

    start = len(b"gata-games 1\n") + 40
    length = int.from_bytes(content[start - 40 : start - 32], "little")
    header = content[start : start + length].replace(wrong.encode(), right.encode())
    path.write_bytes(
        content[: start - 32] + hashlib.sha256(header).digest() + header + content[start + length :]
    )
    with pytest.raises(GataError, match="does not match its hash"):
        Archive(path)[games[0].name]


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    """A limit on file sizes makes the real write fail half-way, as a full disk would."""
    resource = pytest.importorskip("resource", reason="limits on file sizes are a Unix matter")
    path = tmp_path / "full.games"
    path.write_bytes(b"what was there before")
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from gata.errors import GataError\n"
        "from gata.games.archive import write_archive\n"
        "from gata.games.store import load_set\n"
        "try:\n"
        f"    write_archive(Path({str(path)!r}), load_set('level1/valid'))\n"
        "except GataError as error:\n"
        "    sys.exit(str(error))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert f"{path}: cannot write" in result.stderr
    assert path.read_bytes() == b"what was there before"
    assert list(tmp_path.iterdir()) == [path]
