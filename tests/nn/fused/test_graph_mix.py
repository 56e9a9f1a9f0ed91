import pytest
import torch

from gata.nn.fused import graph_mix
from gata.nn.fused.graph_mix import mix
from gata.nn.messages import degrees
from tests.nn.fused.comparing import assert_near, assert_near_gradients, of_the_paper


def expected(adjacency: torch.Tensor, coefficients: torch.Tensor) -> torch.Tensor:
    both = torch.cat([adjacency, adjacency.mT], dim=1)
    return torch.einsum("kr,brij->bkij", coefficients.flatten(0, 1), both)


@pytest.mark.parametrize(
    ("batch", "relations", "nodes", "layers", "bases"),
    [
        pytest.param(2, 10, 99, 6, 3, marks=of_the_paper),
        (1, 10, 40, 6, 3),
        (1, 2, 5, 1, 1),
        (3, 17, 33, 2, 2),
    ],
)
def test_mixes_relations_and_inverses(
    batch: int, relations: int, nodes: int, layers: int, bases: int, device: torch.device
) -> None:
    torch.manual_seed(0)
    adjacency = torch.rand(batch, relations, nodes, nodes, device=device) * 2 - 1
    coefficients = torch.randn(layers, bases, 2 * relations, device=device, requires_grad=True)
    mixed, arriving = mix(adjacency, coefficients)
    exact = coefficients.detach().double().requires_grad_()
    right = expected(adjacency.double(), exact)
    assert_near(mixed[..., :nodes], right)
    assert not mixed[..., nodes:].any()
    assert_near(arriving[..., : 2 * relations], degrees(adjacency.double()))
    assert (arriving[..., 2 * relations] == 1).all()
    assert not arriving[..., 2 * relations + 1 :].any()

    wanted = torch.randn_like(mixed)
    mixed.backward(wanted)
    right.backward(wanted[..., :nodes].double())
    assert_near(coefficients.grad, exact.grad)


def test_programs_that_take_several_pieces_add_them_up(
    device: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_mix, "PROGRAMS", 3)
    torch.manual_seed(2)
    # Two graphs of 3 x 3 pieces: six for each program.
    adjacency = torch.randn(2, 2, 20, 20, device=device)
    coefficients = torch.randn(1, 2, 4, device=device, requires_grad=True)
    exact = coefficients.detach().double().requires_grad_()
    mixed, right = mix(adjacency, coefficients)[0], expected(adjacency.double(), exact)
    assert_near_gradients(mixed, right, [coefficients], [exact])


def test_graphs_may_be_strided(device: torch.device) -> None:
    torch.manual_seed(1)
    adjacency = torch.randn(4, 3, 6, 6, device=device)
    coefficients = torch.randn(2, 2, 6, device=device)
    for view in (adjacency[::2], adjacency[:2].mT):
        found = mix(view, coefficients.requires_grad_())[0]
        right = mix(view.contiguous(), coefficients)[0]
        assert_near(found, right.double())
        wanted = torch.randn_like(found)
        (one,) = torch.autograd.grad(found, coefficients, wanted)
        (other,) = torch.autograd.grad(right, coefficients, wanted)
        assert_near(one, other.double())
