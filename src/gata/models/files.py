"""One file of tensors with a JSON header: training checkpoints and shipped weights alike.

It is a plain safetensors file, which any tool for that format opens; nothing in it is ever
executed. Its one metadata entry, ``gata``, is JSON: the version of this format, the header, and a
SHA-256 of the whole file (taken with zeros in the place of the digest itself), so that names,
types, shapes, numbers and header are all held by it. The same content gives the same bytes.

A file whose name ends in ``.xz`` is that, compressed; ``xz -d`` gives the plain one. The weights in
the package are such files: numbers in half precision are a sixth smaller then.
"""

import hashlib
import json
import lzma
import struct
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from gata.errors import GataError, UsageError
from gata.files import atomic_write

FORMAT = 1
"""Raise it when files of the old format can no longer be read by the new code or the reverse."""

SUFFIX = ".safetensors"
COMPRESSED = ".xz"
"""Of a compressed file, behind its other suffix."""

_ENTRY = "gata"
_NO_DIGEST = "0" * 64
_LENGTH_BYTES = 8
"""A safetensors file begins with the length of its JSON part."""
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 3, "lp": 1, "pb": 1}]
"""Told that numbers have two bytes, xz finds a twentieth more to leave out."""
_LARGEST = 2**30
"""A compressed file is never unpacked to more bytes than this."""


class DamagedError(GataError):
    """A file that is not as it was written, or was never one of ours."""


def name_of(path: Path) -> str:
    """The name of a file of tensors without what says that it is one."""
    return path.name.removesuffix(COMPRESSED).removesuffix(SUFFIX)


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> None:
    """Write tensors and a header as one file, whole or not at all.

    Args:
        path: the file; an existing one is replaced. It is compressed if its name ends in ``.xz``.
        tensors: by name; on any device, of any type and shape. Tensors that share memory are
            written separately.
        header: anything that JSON can hold: keys come back as strings, tuples as lists, and NaN
            and infinity are refused.
    """
    try:
        # The digest comes first, so that a header with 64 zeros in it cannot be taken for it.
        entry = {"sha256": _NO_DIGEST, "format": FORMAT, "header": header}
        text = json.dumps(entry, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{path}: the header is not JSON ({error})") from error
    copies = {
        name: tensor.detach().cpu().clone(memory_format=torch.contiguous_format)
        for name, tensor in tensors.items()
    }
    data = bytearray(save(copies, {_ENTRY: text}))
    place = data.index(_NO_DIGEST.encode())
    data[place : place + len(_NO_DIGEST)] = hashlib.sha256(data).hexdigest().encode()
    packed = lzma.compress(data, filters=_FILTERS) if path.suffix == COMPRESSED else data
    with atomic_write(path) as stream:
        stream.write(packed)


def read_tensors(
    path: Path, device: torch.device | str = "cpu"
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors, by name, and the header of a file.

    A file that is missing, of another kind, cut short, changed by as little as one byte, or
    written by a later version of gata is refused with a ``GataError`` that says so
    (``DamagedError`` where the bytes themselves are wrong).
    """
    data = _content(path)
    try:
        tensors = load(data)
    except SafetensorError as error:
        raise DamagedError(f"{path}: not a safetensors file, or cut short ({error})") from error
    header = _checked_header(path, data)
    return {name: tensor.to(device) for name, tensor in tensors.items()}, header


def content_digest(path: Path) -> str:
    """The SHA-256 of a file of tensors, the same whether it is compressed or not."""
    try:
        state = path.stat()
    except OSError:
        return hashlib.sha256(_content(path)).hexdigest()  # which says what is wrong
    return _digest_of_state(path, state.st_mtime_ns, state.st_size)


@lru_cache
def _digest_of_state(path: Path, changed_ns: int, size: int) -> str:
    """An agent in training asks with each better version of itself; unpacking takes a second."""
    return hashlib.sha256(_content(path)).hexdigest()


def _content(path: Path) -> bytes:
    """The bytes of a plain safetensors file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise GataError(f"{path}: no such file") from None
    except OSError as error:
        raise GataError(f"{path}: cannot read ({error.strerror or error})") from error
    return _unpacked(path, data) if path.suffix == COMPRESSED else data


def _unpacked(path: Path, packed: bytes) -> bytes:
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        data = unpacker.decompress(packed, _LARGEST)
    except lzma.LZMAError as error:
        raise DamagedError(f"{path}: not an xz file, or damaged ({error})") from error
    if not unpacker.eof:
        raise DamagedError(f"{path}: cut short, or more than {_LARGEST:,} bytes when unpacked")
    if unpacker.unused_data:
        raise DamagedError(f"{path}: damaged ({len(unpacker.unused_data):,} bytes after its end)")
    return data


def _checked_header(path: Path, data: bytes) -> dict[str, Any]:
    """The header of a well-formed safetensors file whose digest is right."""
    (length,) = struct.unpack_from("<Q", data)
    metadata = json.loads(data[_LENGTH_BYTES : _LENGTH_BYTES + length]).get("__metadata__") or {}
    if _ENTRY not in metadata:
        raise DamagedError(
            f"{path}: a safetensors file without the metadata {_ENTRY!r}, so not written by gata"
        )
    try:
        entry = json.loads(metadata[_ENTRY])
        version, digest, header = entry["format"], entry["sha256"], entry["header"]
    except (ValueError, TypeError, KeyError) as error:
        raise DamagedError(f"{path}: damaged (its metadata {_ENTRY!r} cannot be read)") from error
    if isinstance(version, int) and version > FORMAT:
        raise GataError(
            f"{path}: has format {version}, this version of gata reads {FORMAT}: a newer gata"
            " can read it"
        )
    if (
        not isinstance(digest, str)
        or not isinstance(header, dict)
        or digest != _digest(data, digest)
    ):
        raise DamagedError(f"{path}: damaged (its SHA-256 is not the one it was written with)")
    return header


def _digest(data: bytes, written: str) -> str | None:
    """What the digest should be where ``written`` stands; None if it stands nowhere."""
    mark = written.encode()
    place = data.find(mark)
    if place < 0 or len(mark) != len(_NO_DIGEST):
        return None
    parts = memoryview(data)
    digest = hashlib.sha256(parts[:place])
    digest.update(_NO_DIGEST.encode())
    digest.update(parts[place + len(mark) :])
    return digest.hexdigest()
