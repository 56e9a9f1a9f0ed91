"""Models to files and back. A file says how its model is built and over which vocabularies."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import torch
from torch import Tensor, nn

from gata.errors import GataError, UsageError
from gata.models.files import name_of, read_tensors, write_tensors
from gata.models.kinds import AGENT, KINDS, WHOLE, build, roles
from gata.models.vocabularies import Vocabularies, shipped
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon, WordTables


@dataclass(frozen=True)
class StoredModel:
    """What a file says about its model."""

    path: Path
    kind: str
    """A name of ``KINDS``, or ``AGENT``."""
    settings: NetworkSettings
    vocabularies: Mapping[str, str]
    """The fingerprints of the vocabularies it was trained with."""
    card: Mapping[str, Any]
    """How it came to be, and how good it is: free JSON."""
    tensors: Mapping[str, Tensor]
    """As they are stored."""
    header: Mapping[str, Any]
    """All of the above but the tensors, as it is stored, and what else its kind needs."""

    @property
    def names(self) -> list[str]:
        """What ``gata.load`` calls it and its parts if it is shipped: ROLE/NAME."""
        return [f"{role}/{name_of(self.path)}" for role in roles(self.kind)]

    @property
    def parameters(self) -> int:
        """How many numbers were trained."""
        return sum(tensor.numel() for tensor in self.tensors.values())

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return self.path.stat().st_size


def save_model(
    path: Path,
    module: nn.Module,
    *,
    kind: str,
    settings: NetworkSettings,
    card: Mapping[str, Any],
    dtype: torch.dtype = torch.float16,
    vocabularies: Vocabularies | None = None,
) -> None:
    """Write a model's weights, and how to build it again.

    Args:
        path: the file.
        module: the model; ``kind`` and ``settings`` must build one of the same shape.
        kind: a name of ``KINDS``.
        settings: what it was built with.
        card: free JSON: task, data, command, seed, hardware, date, seconds, metrics.
        dtype: how floats are stored; half precision halves the file.
        vocabularies: what it was built over, if not the package's. They are not stored.
    """
    if kind not in KINDS:
        raise UsageError(f"{path}: kind is {kind!r}, expected one of {', '.join(KINDS)}")
    vocabularies = vocabularies or shipped()
    _check_tables(path, module, vocabularies.lexicon)
    tensors = stored_as(module, dtype)
    check_tensors(path, tensors, build(kind, vocabularies.lexicon, settings).state_dict())
    write_tensors(
        path,
        tensors,
        {
            "kind": kind,
            "settings": asdict(settings),
            "vocabularies": vocabularies.fingerprints,
            "card": dict(card),
        },
    )


def stored_as(module: nn.Module, dtype: torch.dtype) -> dict[str, Tensor]:
    """The tensors of a module with its floats in ``dtype``."""
    return {
        name: tensor.to(dtype) if tensor.is_floating_point() else tensor
        for name, tensor in module.state_dict().items()
    }


def read_model(path: Path) -> StoredModel:
    """What a file says about its model, without building it."""
    tensors, header = read_tensors(path)
    if "kind" not in header and "about" in header:
        raise UsageError(
            f"{path}: a checkpoint, from which a training goes on; give the run's folder,"
            f" {path.parent}"
        )
    kind, settings, vocabularies, card = (
        _field(path, header, *expected)
        for expected in (("kind", str), ("settings", dict), ("vocabularies", dict), ("card", dict))
    )
    if kind not in (*KINDS, AGENT):
        raise GataError(f"{path}: kind is {kind!r}, expected one of {', '.join((*KINDS, AGENT))}")
    settings = _read_settings(path, settings)
    return StoredModel(path, kind, settings, vocabularies, card, tensors, header)


def load_model(
    path: Path,
    *,
    device: torch.device | str = "cpu",
    role: str | None = None,
    kinds: Collection[str] = (),
    vocabularies: Vocabularies | None = None,
    called: str | None = None,
) -> nn.Module:
    """Build the model of a file: in float32, in evaluation mode.

    Whatever does not fit is refused with a ``GataError`` that names the file and the field.

    Args:
        path: the file.
        device: where to put it.
        role: which part is wanted (``updater``, ``encoder`` ...; see ``KINDS``); all by default.
        kinds: the kinds that will do; any by default.
        vocabularies: what it was trained over, if not the package's.
        called: how the user named it, if not by its path.
    """
    stored = read_model(path)
    kinds = kinds or tuple(KINDS)
    if stored.kind not in kinds:
        raise UsageError(
            f"{called or path}: kind is {stored.kind!r}, expected {' or '.join(kinds)}"
        )
    vocabularies = vocabularies or shipped()
    check_fingerprints(stored, vocabularies)
    module = build(stored.kind, vocabularies.lexicon, stored.settings)
    check_tensors(path, stored.tensors, module.state_dict())
    module.load_state_dict(stored.tensors)
    check_role(stored, role, called)
    return _part(stored, module, role).to(device).eval()


def _part(stored: StoredModel, module: nn.Module, role: str | None) -> nn.Module:
    name = WHOLE if role is None else KINDS[stored.kind].parts[role]
    return module if name == WHOLE else module.get_submodule(name)


def check_role(stored: StoredModel, role: str | None, called: str | None = None) -> None:
    """Refuse a role that a model does not play; None is the whole model, which all have.

    ``called`` is how the user named the model, if not by its path.
    """
    played = roles(stored.kind)
    if role is not None and role not in played:
        raise UsageError(
            f"{called or stored.path}: a model of kind {stored.kind!r} has no {role!r}, only"
            f" {', '.join(sorted(played))}"
        )


def _field(path: Path, header: Mapping[str, Any], name: str, wanted: type) -> Any:
    if name not in header:
        raise GataError(f"{path}: has no field {name!r}, so it is not the file of a model")
    if not isinstance(header[name], wanted):
        found = type(header[name]).__name__
        raise GataError(f"{path}: {name} is a {found}, expected a {wanted.__name__}")
    return header[name]


def _read_settings(path: Path, stored: Mapping[str, Any]) -> NetworkSettings:
    known = {field.name: field for field in fields(NetworkSettings)}
    for name in stored.keys() - known.keys():
        raise GataError(f"{path}: settings.{name} is unknown to this version of gata")
    for name in known.keys() - stored.keys():
        raise GataError(f"{path}: settings.{name} is missing")
    types = get_type_hints(NetworkSettings)
    for name, value in stored.items():
        if get_origin(types[name]) is Literal:
            choices = get_args(types[name])
            expected = " or ".join(map(repr, choices)) if value not in choices else ""
        else:
            expected = types[name].__name__ if type(value) is not types[name] else ""
        if expected:
            raise GataError(f"{path}: settings.{name} is {value!r}, expected {expected}")
    try:
        return NetworkSettings(**stored)
    except UsageError as error:
        raise GataError(f"{path}: settings: {error}") from error


def check_fingerprints(stored: StoredModel, vocabularies: Vocabularies) -> None:
    """Refuse a model that was trained over other vocabularies."""
    for name, expected in vocabularies.fingerprints.items():
        found = stored.vocabularies.get(name)
        if found != expected:
            raise GataError(
                f"{stored.path}: trained over other vocabularies: {name} is {found}, expected"
                f" {expected}"
            )


def _check_tables(path: Path, module: nn.Module, lexicon: Lexicon) -> None:
    """A file must not claim vocabularies that its model was not built over."""
    for tables in module.modules():
        if not isinstance(tables, WordTables):
            continue
        for name in ("word_vectors", "node_words", "relation_words"):
            own: Tensor = getattr(tables, name).cpu()
            claimed: Tensor = getattr(lexicon, name)
            if own.shape != claimed.shape or not torch.equal(own, claimed.to(own.dtype)):
                raise UsageError(f"{path}: the model's {name} are not of these vocabularies")


def check_tensors(path: Path, found: Mapping[str, Tensor], expected: Mapping[str, Tensor]) -> None:
    """Refuse weights that do not fit the model, or are no numbers."""
    for problem, names in (
        ("lacks the tensors", expected.keys() - found.keys()),
        ("has unexpected tensors", found.keys() - expected.keys()),
    ):
        if names:
            raise GataError(f"{path}: {problem} {_some(names)}")
    for name, tensor in found.items():
        wanted = expected[name]
        if tensor.shape != wanted.shape:
            raise GataError(
                f"{path}: {name} has shape {tuple(tensor.shape)}, expected {tuple(wanted.shape)}"
            )
        if tensor.is_floating_point() != wanted.is_floating_point():
            raise GataError(f"{path}: {name} has type {tensor.dtype}, expected {wanted.dtype}")
        if not tensor.isfinite().all():
            raise GataError(f"{path}: {name} has values that are NaN or infinite in {tensor.dtype}")


def _some(names: Collection[str], most: int = 3) -> str:
    shown = ", ".join(sorted(names)[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
