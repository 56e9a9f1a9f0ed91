"""What stands beside the beliefs that are probed, on real games and shipped weights."""

import numpy as np
import pytest
import torch
from torch import Tensor

from gata.evaluation.probing.controls import with_controls
from gata.evaluation.probing.pairs import Pairs, related_pairs, with_negatives
from gata.evaluation.probing.run import _standardised, evenly, run_probes
from gata.evaluation.probing.settings import ProbeSettings
from gata.evaluation.probing.sources import Source, load_sources
from gata.evaluation.probing.walks import Walks, follow

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def walks() -> Walks:
    """Two games of different lengths."""
    return follow([*evenly("level1/test", 1), *evenly("level4/test", 1)])


@pytest.fixture(scope="module")
def sources(walks: Walks) -> dict[str, Source]:
    """By row."""
    found = load_sources("updater/coc", CPU)
    asked = related_pairs(walks).code
    return with_controls(found, "updater/coc", asked, CPU)


def test_controls_have_the_node_embeddings_of_the_beliefs(sources: dict[str, Source]) -> None:
    """So nothing differs but what is read of a state."""
    assert len(sources) == 7
    assert all(source.nodes is sources["coc"].nodes for source in sources.values())
    assert sources["coc"].nodes.any()


def test_a_pair_reads_the_cell_of_another_and_always_the_same_one(
    sources: dict[str, Source], walks: Walks
) -> None:
    """Of another that is asked for, too."""
    own, others = (sources[name].along(walks) for name in ("coc", "coc, other pairs"))
    code = np.unique(related_pairs(walks).code)

    def whose(state: int, seed: int) -> Tensor:
        """The place of the pair whose cell each pair reads; no two cells are alike."""
        labels = np.zeros((len(code), 10), bool)
        pairs = Pairs(np.full(len(code), state), *np.divmod(code, 99), labels)
        cells, read = own(pairs, seed), others(pairs, seed)
        places, back = (torch.unique(each, dim=0, return_inverse=True)[1] for each in (cells, read))
        return torch.argsort(places)[back]

    first, count = whose(0, 1), len(code)
    assert torch.equal(first.sort().values, torch.arange(count))
    assert (first != torch.arange(count)).float().mean() > 0.9
    assert torch.equal(whose(len(walks) - 1, 1), first)
    assert (whose(0, 2) != first).float().mean() > 0.9


def test_an_untrained_memory_is_of_random_weights(sources: dict[str, Source], walks: Walks) -> None:
    """Of those of the seed; nobody else's random numbers are touched."""
    pairs = related_pairs(walks)
    torch.manual_seed(5)
    before = torch.get_rng_state()
    read = sources["untrained memory, standardised"].along(walks)
    one, again, two = (read(pairs, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(one, again)
    assert (one - two).abs().max() > 0.01
    assert (one - sources["coc memory"].along(walks)(pairs, 1)).abs().max() > 0.1
    # It is a memory: other in each state, and the same for all pairs of it.
    first = one[torch.from_numpy(np.unique(pairs.state, return_index=True)[1])]
    assert (first[1:] - first[:-1]).abs().amax(dim=1).min() > 1e-6
    assert torch.equal(first[torch.from_numpy(pairs.state)], one)


def test_counts_are_of_steps_and_of_edges(sources: dict[str, Source], walks: Walks) -> None:
    pairs = related_pairs(walks)
    read = sources["two counts"].along(walks)(pairs, 1)
    for row, state in enumerate(pairs.state):
        game = walks.game_of[state]
        assert read[row].tolist() == [state - walks.offsets[game], len(walks.seen[state])]


def test_standardised_numbers_are_those_of_the_training_games() -> None:
    torch.manual_seed(1)
    train, test = 3 + 5 * torch.randn(2, 400, 3), 3 + 5 * torch.randn(2, 9, 3)
    train[..., 2] = test[..., 2] = 7
    found = _standardised({"train": train, "test": test})
    assert torch.allclose(found["train"].mean(1), torch.zeros(2, 3), atol=1e-5)
    assert torch.allclose(found["train"].std(1)[:, :2], torch.ones(2, 2), atol=1e-5)
    wanted = (test - train.mean(1, keepdim=True)) / train.std(1, keepdim=True)
    assert torch.allclose(found["test"][..., :2], wanted[..., :2])
    assert not any(each[..., 2].any() for each in found.values())


def test_only_standardised_rows_do_without_the_size_of_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = ProbeSettings(
        train="level2/train", train_games=4, test="level2/test", test_games=2, epochs=2, seeds=(1,)
    )

    def rows(size: float) -> dict[str, list[dict]]:
        def sized(name: str, device: torch.device) -> dict[str, Source]:
            found = load_sources(name, device)
            for memory in (found["og memory"], found["og memory, standardised"]):
                along = memory.along
                monkeypatch.setattr(
                    memory,
                    "along",
                    lambda walks, along=along: lambda *asked: size * along(walks)(*asked),
                )
            return found

        monkeypatch.setattr("gata.evaluation.probing.run.load_sources", sized)
        return run_probes(settings, ["og"], CPU)["rows"]

    small, large = rows(1.0), rows(64.0)
    assert small["og memory, standardised"] == large["og memory, standardised"]
    assert small["og memory"] != large["og memory"]
    assert small["og"] == large["og"]


def test_pairs_that_are_asked_for_are_those_of_both_splits() -> None:
    """A pair that only the test games have exchanges its cell, too."""
    train, test = (follow(evenly(name, 1)) for name in ("level1/train", "level4/test"))
    asked = np.concatenate([related_pairs(each).code for each in (train, test)])
    sources = with_controls(load_sources("og", CPU), "og", asked, CPU)
    pairs = with_negatives(related_pairs(test), test, "any-game", 1)
    assert sources["og, other pairs"].along(test)(pairs, 1).shape == (len(pairs.state), 10)
