"""Models come back as they were; what does not fit is refused with file, field and expectation."""

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from gata.errors import GataError, UsageError
from gata.graph.vocabulary import PAPER
from gata.models.files import read_tensors, write_tensors
from gata.models.kinds import KINDS, build
from gata.models.vocabularies import Vocabularies, shipped
from gata.models.weights import load_model, read_model, save_model
from gata.nn.command_generator import CommandGenerator
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.encoders import Encoders
from gata.nn.models import TransitionModel
from gata.nn.settings import NetworkSettings
from tests.models.samples import CARD, SMALL, model, saved


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


def buffers_and_weights(module: nn.Module) -> dict[str, Tensor]:
    return dict(module.named_parameters()) | dict(module.named_buffers())


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_comes_back(path: Path, kind: str) -> None:
    before = saved(path, kind)
    after = load_model(path)
    assert type(after) is type(before)
    assert not after.training
    expected = buffers_and_weights(before)
    found = buffers_and_weights(after)
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        torch.testing.assert_close(found[name], tensor, rtol=0, atol=0)
        assert found[name].requires_grad == tensor.requires_grad


def test_it_answers_as_before(path: Path) -> None:
    before = saved(path, "cg").eval()
    after = load_model(path)
    texts = torch.tensor([[20, 30, 40, 0], [7, 8, 9, 10]])
    graph = (torch.rand(2, 10, 99, 99) < 0.01).float()
    present = torch.ones(2, 99, dtype=torch.bool)
    commands = torch.tensor([[2, 11, 12], [2, 13, 0]])
    with torch.no_grad():
        answers = [module(texts, graph, present, commands) for module in (before, after)]
    assert torch.equal(*answers)


def test_the_file_says_what_it_is(path: Path) -> None:
    saved(path, "sp")
    stored = read_model(path)
    assert (stored.kind, stored.settings, stored.card) == ("sp", SMALL, CARD)
    assert stored.vocabularies == shipped().fingerprints
    made = model("sp")
    assert stored.parameters == sum(parameter.numel() for parameter in made.parameters())
    assert stored.bytes == path.stat().st_size
    assert {tensor.dtype for tensor in stored.tensors.values()} == {torch.float16}


def test_half_precision_halves_the_file_and_words_are_not_stored(path: Path) -> None:
    saved(path, "dgi")
    half = path.stat().st_size
    saved(path, "dgi", dtype=torch.float32)
    stored = read_model(path)
    # Places in the file take a few more digits to write.
    assert 0 <= path.stat().st_size - half - 2 * stored.parameters < 100
    assert not [name for name in stored.tensors if "word" in name or "signal" in name]


def test_other_precisions_are_read_as_float32(path: Path) -> None:
    torch.manual_seed(0)
    made = build("ap", shipped().lexicon, SMALL)
    for dtype, close in ((torch.float32, 0.0), (torch.float16, 1e-3), (torch.bfloat16, 1e-2)):
        save_model(path, made, kind="ap", settings=SMALL, card={}, dtype=dtype)
        for name, parameter in load_model(path).named_parameters():
            assert parameter.dtype == torch.float32
            expected = made.get_parameter(name)
            torch.testing.assert_close(parameter, expected, rtol=close, atol=1e-6)


def test_loading_leaves_random_numbers_and_defaults_alone(path: Path) -> None:
    saved(path, "ap")
    state = torch.get_rng_state()
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    try:
        loaded = load_model(path)
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)
    assert torch.equal(torch.get_rng_state(), state)
    for tensor in buffers_and_weights(loaded).values():
        assert tensor.device.type == "cpu"
        assert tensor.dtype in (torch.float32, torch.int64)


def test_a_model_arrives_on_the_device(path: Path) -> None:
    saved(path, "ap")
    loaded = load_model(path, device="meta")
    assert {tensor.device.type for tensor in buffers_and_weights(loaded).values()} == {"meta"}


@pytest.mark.parametrize(
    ("kind", "role", "expected"),
    [
        ("og", "updater", ContinuousUpdater),
        ("coc", "updater", ContinuousUpdater),
        ("cg", "updater", CommandGenerator),
        ("og", "encoder", Encoders),
        ("cg", "encoder", Encoders),
        ("dgi", "encoder", Encoders),
        ("sp", "pretrain", TransitionModel),
    ],
)
def test_parts_by_role(path: Path, kind: str, role: str, expected: type) -> None:
    before = saved(path, kind)
    part = load_model(path, role=role)
    assert type(part) is expected
    of_whole = dict(before.named_parameters())
    for name, parameter in part.named_parameters():
        place = ".".join(filter(None, [KINDS[kind].parts[role], name]))
        assert torch.equal(parameter, of_whole[place])


def test_every_part_of_every_kind_is_there() -> None:
    for name, kind in KINDS.items():
        made = model(name)
        for part in kind.parts.values():
            made.get_submodule(part)


def test_a_role_a_kind_does_not_play(path: Path) -> None:
    saved(path, "text-og")
    with pytest.raises(UsageError, match=rf"{path}.* 'text-og' has no 'updater', only pretrain"):
        load_model(path, role="updater")


def test_only_the_kinds_asked_for(path: Path) -> None:
    saved(path, "ap")
    assert load_model(path, kinds=("ap", "sp"))
    with pytest.raises(GataError, match=f"{path}: kind is 'ap', expected og or coc"):
        load_model(path, kinds=("og", "coc"))


def rewritten(path: Path, change: Callable[[dict[str, Tensor], dict[str, Any]], Any]) -> Path:
    """The same file with tensors or header changed; its digest is right."""
    tensors, header = read_tensors(path)
    change(tensors, header)
    write_tensors(path, tensors, header)
    return path


WEIGHT = "encoders.tables.projection.weight"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _, header: header.pop("kind"), "has no field 'kind', so it is not"),
        (
            lambda _, header: header.update(about=header.pop("kind")),
            "a checkpoint, from which a training goes on; give the run's folder, ",
        ),
        (lambda _, header: header.update(kind="tx"), "kind is 'tx', expected one of og, coc"),
        (lambda _, header: header.update(settings=[]), "settings is a list, expected a dict"),
        (lambda _, header: header.update(card=None), "card is a NoneType, expected a dict"),
        (lambda _, header: header["settings"].pop("bases"), r"settings\.bases is missing"),
        (lambda _, header: header["settings"].update(heads=8), r"settings\.heads is unknown"),
        (
            lambda _, header: header["settings"].update(hidden="8"),
            r"settings\.hidden is '8', expected int",
        ),
        (lambda _, header: header["settings"].update(hidden=7), "hidden is 7, expected an even"),
        (
            lambda _, header: header["settings"].update(graph_kind="round"),
            r"settings\.graph_kind is 'round', expected 'continuous' or 'discrete'",
        ),
        (
            lambda _, header: header["vocabularies"].update({"words version": "0"}),
            "other vocabularies: words version is 0, expected",
        ),
        (lambda _, header: header["vocabularies"].update(words="ab"), "words is ab, expected"),
        (lambda _, header: header["vocabularies"].pop("word vectors"), "word vectors is None"),
        (lambda _, header: header["vocabularies"].update(graph="ab"), "graph is ab, expected"),
        (lambda tensors, _: tensors.pop(WEIGHT), f"lacks the tensors {WEIGHT}"),
        (
            lambda tensors, _: tensors.update({"extra": torch.ones(1)}),
            "has unexpected tensors extra",
        ),
        (
            lambda tensors, _: tensors.update({WEIGHT: tensors[WEIGHT].T}),
            rf"{WEIGHT} has shape \(100, 8\), expected \(8, 100\)",
        ),
        (
            lambda _, header: header["settings"].update(hidden=16),
            r"has shape .*8.*, expected .*16",
        ),
        (
            lambda tensors, _: tensors.update({WEIGHT: torch.zeros(8, 100, dtype=torch.int64)}),
            f"{WEIGHT} has type torch.int64, expected torch.float32",
        ),
        (
            lambda tensors, _: tensors[WEIGHT][3, 5].fill_(float("nan")),
            f"{WEIGHT} has values that are NaN or infinite",
        ),
        (
            lambda tensors, _: tensors[WEIGHT][3, 5].fill_(float("-inf")),
            f"{WEIGHT} has values that are NaN or infinite",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    path: Path, change: Callable[[dict[str, Tensor], dict[str, Any]], Any], message: str
) -> None:
    saved(path, "dgi")
    with pytest.raises(GataError, match=f"{path}: .*{message}"):
        load_model(rewritten(path, change))


def test_many_missing_tensors_are_counted(path: Path) -> None:
    saved(path, "dgi")
    count = len(read_tensors(path)[0])
    with pytest.raises(GataError, match=f"and {count - 3} more"):
        load_model(rewritten(path, lambda tensors, _: tensors.clear()))


def test_models_over_other_vocabularies(path: Path) -> None:
    """One's own vectors and nodes work, as long as they are named when saving and loading."""
    words = shipped().words
    vectors = replace(shipped().vectors, matrix=np.ones((len(words), 20), dtype=np.float32))
    own = Vocabularies(words, vectors, PAPER.extended(["green table"]))
    made = build("og", own.lexicon, SMALL)
    with pytest.raises(UsageError, match=f"{path}: the model's word_vectors are not of these"):
        save_model(path, made, kind="og", settings=SMALL, card={})
    save_model(path, made, kind="og", settings=SMALL, card={}, vocabularies=own)
    with pytest.raises(GataError, match=r"word vectors is .*, expected"):
        load_model(path)
    loaded = load_model(path, role="updater", vocabularies=own)
    assert isinstance(loaded, ContinuousUpdater)
    assert loaded.graph(loaded.initial(1)).shape == (1, 10, 100, 100)


def test_each_vocabulary_has_a_fingerprint_of_its_own() -> None:
    ours = shipped()
    matrix = ours.vectors.matrix.copy()
    matrix[7, 7] = np.nextafter(matrix[7, 7], np.float32(1))
    others = {
        "words": replace(ours, words=replace(ours.words, words=ours.words.words[:-1])),
        "words version": replace(ours, words=replace(ours.words, version="x")),
        "word vectors": replace(ours, vectors=replace(ours.vectors, matrix=matrix)),
        "graph": replace(ours, graph=replace(PAPER, nodes=PAPER.nodes[::-1])),
    }
    for name, other in others.items():
        different = {
            part
            for part in ours.fingerprints
            if other.fingerprints[part] != ours.fingerprints[part]
        }
        assert different == {name}


def test_only_models_that_can_be_read_are_written(path: Path) -> None:
    made = model("dgi")
    with pytest.raises(UsageError, match=f"{path}: kind is 'x', expected one of og"):
        save_model(path, made, kind="x", settings=SMALL, card={})
    with pytest.raises(GataError, match="lacks the tensors"):
        save_model(path, made, kind="og", settings=SMALL, card={})
    with pytest.raises(GataError, match="has shape"):
        save_model(path, made, kind="dgi", settings=replace(SMALL, hidden=16), card={})
    with torch.no_grad():
        made.get_parameter(WEIGHT)[0, 0] = 70_000
    with pytest.raises(GataError, match=f"{WEIGHT} has values .* infinite in torch.float16"):
        save_model(path, made, kind="dgi", settings=SMALL, card={})
    assert not path.exists()
    save_model(path, made, kind="dgi", settings=SMALL, card={}, dtype=torch.float32)


def test_all_settings_are_written(path: Path) -> None:
    odd = replace(
        SMALL, relation_weights="bottleneck", relation_labels=False, separable_convolutions=True
    )
    save_model(path, model("cg", odd), kind="cg", settings=odd, card={})
    assert read_tensors(path)[1]["settings"] == asdict(odd)
    assert read_model(path).settings == odd
    assert asdict(odd).keys() == asdict(NetworkSettings()).keys()
    load_model(path)
