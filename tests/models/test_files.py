"""Tensors and headers come back as they were; anything else is refused by name."""

import json
import lzma
import struct
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from gata.errors import GataError, UsageError
from gata.models import files
from gata.models.files import FORMAT, content_digest, read_tensors, write_tensors

HEADER: dict[str, Any] = {"step": 3, "best": 0.5, "words": ["é", "\u2028", "0" * 64], "none": None}


@pytest.fixture
def tensors() -> dict[str, Tensor]:
    torch.manual_seed(0)
    square = torch.randn(3, 3)
    return {
        "square": square,
        "turned": square.T,
        "row": square[1],
        "tied": square,
        "every.other": torch.arange(10)[::2],
        "scalar": torch.tensor(2.5),
        "count": torch.tensor(7, dtype=torch.int64),
        "bytes": torch.get_rng_state()[:17],
        "flags": torch.tensor([True, False, True]),
        "half": torch.randn(2, 2).half(),
        "brain": torch.randn(5).bfloat16(),
        "double": torch.randn(4, dtype=torch.float64),
        "nothing": torch.zeros(0, 4),
        "odd": torch.tensor([float("nan"), float("inf"), -0.0]),
        "trained": torch.nn.Parameter(torch.randn(2)),
        "expanded": torch.ones(1, 3).expand(4, 3),
    }


@pytest.fixture
def file(tmp_path: Path, tensors: dict[str, Tensor]) -> Path:
    path = tmp_path / "some.safetensors"
    write_tensors(path, tensors, HEADER)
    return path


def test_what_is_written_is_read(file: Path, tensors: dict[str, Tensor]) -> None:
    read, header = read_tensors(file)
    assert header == HEADER
    assert read.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert read[name].dtype == tensor.dtype
        assert read[name].shape == tensor.shape
        torch.testing.assert_close(read[name], tensor.detach(), rtol=0, atol=0, equal_nan=True)
        assert not read[name].requires_grad


def test_tensors_that_shared_memory_are_apart_afterwards(file: Path) -> None:
    read, _ = read_tensors(file)
    before = read["tied"].clone()
    read["square"].zero_()
    assert torch.equal(read["tied"], before)


def test_writing_leaves_the_tensors_alone(tmp_path: Path) -> None:
    weight = torch.nn.Parameter(torch.ones(2))
    write_tensors(tmp_path / "file", {"weight": weight}, {})
    read, _ = read_tensors(tmp_path / "file")
    read["weight"].zero_()
    assert weight.requires_grad
    assert weight.sum() == 2


def test_the_same_content_gives_the_same_bytes(
    file: Path, tmp_path: Path, tensors: dict[str, Tensor]
) -> None:
    write_tensors(tmp_path / "again", dict(reversed(tensors.items())), HEADER)
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_a_name_in_xz_compresses_the_same_file(
    file: Path, tmp_path: Path, tensors: dict[str, Tensor]
) -> None:
    path = tmp_path / "some.safetensors.xz"
    write_tensors(path, tensors, HEADER)
    assert lzma.decompress(path.read_bytes()) == file.read_bytes()
    read, header = read_tensors(path)
    assert header == HEADER
    assert torch.equal(read["square"], tensors["square"])
    assert content_digest(path) == content_digest(file)
    write_tensors(path, {}, HEADER)
    assert content_digest(path) != content_digest(file)


def test_compressed_files_that_are_not_whole_are_refused(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some.safetensors.xz"
    path.write_bytes(file.read_bytes())
    with pytest.raises(GataError, match=r"some\.safetensors\.xz: not an xz file"):
        read_tensors(path)
    packed = lzma.compress(file.read_bytes())
    path.write_bytes(packed[:-30])
    with pytest.raises(GataError, match=r"some\.safetensors\.xz: (cut short|not an xz)"):
        read_tensors(path)
    path.write_bytes(packed + b"!")
    with pytest.raises(GataError, match=r"damaged \(1 bytes after its end\)"):
        read_tensors(path)
    path.write_bytes(packed)
    monkeypatch.setattr(files, "_LARGEST", file.stat().st_size - 1)
    with pytest.raises(GataError, match=r"more than .* bytes when unpacked"):
        read_tensors(path)


def test_other_programs_can_open_it(file: Path, tensors: dict[str, Tensor]) -> None:
    with safe_open(file, "pt") as opened:
        assert json.loads(opened.metadata()["gata"])["header"] == HEADER
        assert torch.equal(opened.get_tensor("turned"), tensors["turned"])


def test_there_may_be_no_tensors(tmp_path: Path) -> None:
    write_tensors(tmp_path / "empty", {}, {"a": 1})
    assert read_tensors(tmp_path / "empty") == ({}, {"a": 1})


def test_tensors_arrive_on_the_device(file: Path) -> None:
    read, _ = read_tensors(file, device="meta")
    assert {tensor.device.type for tensor in read.values()} == {"meta"}


@pytest.mark.parametrize("bad", [{"a": float("nan")}, {"a": object()}])
def test_a_header_that_is_not_json_is_refused(tmp_path: Path, bad: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="file: the header is not JSON"):
        write_tensors(tmp_path / "file", {}, bad)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mask", [0x01, 0x20, 0x29, 0xFF])
def test_one_flipped_byte_anywhere_is_noticed(tmp_path: Path, mask: int) -> None:
    """0x20 changes the case of letters, 0x29 makes a tab of a blank: still JSON, still refused."""
    path = tmp_path / "file"
    write_tensors(path, {"a": torch.arange(3.0), "b": torch.tensor(1)}, HEADER)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ mask]) + whole[place + 1 :])
        with pytest.raises(GataError, match=str(path)):
            read_tensors(path)


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_tensors(path, {"a": torch.arange(3.0)}, HEADER)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(GataError, match=f"{path}: not a safetensors file, or cut short"):
            read_tensors(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(GataError, match="not a safetensors file"):
        read_tensors(path)


@settings(max_examples=200)
@given(noise=st.binary(max_size=64))
def test_noise_is_refused(noise: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("noise") / "file"
    for data in (noise, struct.pack("<Q", len(noise)) + noise):
        path.write_bytes(data)
        with pytest.raises(GataError, match=str(path)):
            read_tensors(path)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(GataError, match="nowhere: no such file"):
        read_tensors(tmp_path / "nowhere")
    with pytest.raises(GataError, match="cannot read"):
        read_tensors(tmp_path)


def test_pickles_are_refused(tmp_path: Path) -> None:
    torch.save({"a": torch.ones(2)}, tmp_path / "file.pt")
    with pytest.raises(GataError, match="not a safetensors file"):
        read_tensors(tmp_path / "file.pt")


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    for metadata in (None, {"format": "pt"}):
        save_file({"a": torch.ones(2)}, tmp_path / "file", metadata)
        with pytest.raises(GataError, match="without the metadata 'gata'"):
            read_tensors(tmp_path / "file")


@pytest.mark.parametrize(
    "entry", ["", "[]", "{}", '{"sha256":"","format":1,"header":{}}', '{"sha256":1,"format":1}']
)
def test_a_broken_entry_is_refused(tmp_path: Path, entry: str) -> None:
    save_file({"a": torch.ones(2)}, tmp_path / "file", {"gata": entry})
    with pytest.raises(GataError, match="file: damaged"):
        read_tensors(tmp_path / "file")


def test_a_newer_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gata.models.files.FORMAT", FORMAT + 1)
    write_tensors(tmp_path / "file", {}, {})
    monkeypatch.undo()
    with pytest.raises(GataError, match=rf"has format {FORMAT + 1}, this version .* {FORMAT}"):
        read_tensors(tmp_path / "file")
