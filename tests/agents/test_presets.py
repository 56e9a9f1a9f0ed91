"""Presets, and the brains made of them."""

from pathlib import Path

import pytest
import torch

from gata.agents.presets import PRESETS, Preset, find
from gata.errors import UsageError
from gata.models import shipped
from tests.agents.brains import small_brain


def test_every_row_of_the_papers_tables_has_a_preset() -> None:
    wanted = {"tr-dqn", "tr-drqn", "tr-drqn+"}
    for text in ("", "-text"):
        wanted |= {f"gata-{task}{text}{init}" for task in ("og", "coc") for init in ("", "-init")}
        wanted |= {
            f"{family}{text}{init}"
            for family in ("gtp", "gtf")
            for init in ("", "-ap", "-sp", "-dgi")
        }
    assert len(wanted) == 27
    assert wanted <= PRESETS.keys()
    assert {name for name in PRESETS if not name.endswith("-frozen")} == wanted


def test_an_unknown_agent_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UsageError, match="tr-drqn"):
        find("tr-dqrn")


@pytest.mark.parametrize(
    "parts",
    [
        {"uses": "graph"},
        {"uses": "text", "belief": "given"},
        {"uses": "both", "belief": "continuous"},
        {"uses": "graph", "belief": "given", "frozen": True},
        {"uses": "text", "encoder": "encoder/coc"},
    ],
)
def test_what_makes_no_sense_is_refused(parts) -> None:
    with pytest.raises(UsageError, match="makes no sense"):
        Preset("mine", "", **parts)


@pytest.mark.parametrize("name", ["gata-coc-text-init", "gtf-dgi"])
def test_encoders_come_from_the_trained_model(name: str, tmp_path: Path) -> None:
    tuned = small_brain(name, tmp_path, seed=1)
    frozen = small_brain(f"{name}-frozen", tmp_path, seed=2)
    trained = shipped.load(tuned.preset.encoder, role="encoder")
    for brain in (tuned, frozen):
        own = brain.selector.encoders
        for part in ("tables", "graph_encoder"):
            mine = getattr(own, part).state_dict()
            for key, tensor in getattr(trained, part).state_dict().items():
                assert torch.equal(mine[key], tensor)
            trainable = {p.requires_grad for p in getattr(own, part).parameters()}
            assert trainable == {brain is tuned}
        assert all(p.requires_grad for p in own.text_encoder.parameters())


def test_the_seed_decides_the_first_weights_and_nothing_else_does(tmp_path: Path) -> None:
    first = small_brain("gtf", tmp_path, seed=3).selector.state_dict()
    torch.rand(5)
    again = small_brain("gtf", tmp_path, seed=3).selector.state_dict()
    other = small_brain("gtf", tmp_path, seed=4).selector.state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)


def test_who_reads_text_alone_has_no_graph_encoder(tmp_path: Path) -> None:
    """Nothing would ever train it; the rest begins with the weights it would have beside one."""
    reader, both = (small_brain(name, tmp_path, seed=1) for name in ("tr-dqn", "gata-coc-text"))
    mine, others = (brain.selector.encoders.state_dict() for brain in (reader, both))
    assert {name.split(".")[0] for name in mine} == {"tables", "text_encoder"}
    assert all(torch.equal(tensor, others[name]) for name, tensor in mine.items())
