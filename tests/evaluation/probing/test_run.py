"""The probing task on real games and shipped weights, and what the probe reads there."""

import numpy as np
import pytest
import torch

from gata.errors import UsageError
from gata.evaluation.belief_slices import believe, mean_graph
from gata.evaluation.probing.controls import COUNTS
from gata.evaluation.probing.pairs import related_pairs, with_negatives
from gata.evaluation.probing.probe import features, train_probes
from gata.evaluation.probing.run import RANDOM, TRUTH, evenly, run_probes
from gata.evaluation.probing.scores import scores
from gata.evaluation.probing.settings import ProbeSettings
from gata.evaluation.probing.sources import Noise, TextMemory, Truth, load_belief, load_sources
from gata.evaluation.probing.walks import Walks, follow

CPU = torch.device("cpu")
SMALL = ProbeSettings(
    train="level2/train",
    train_games=6,
    test="level2/test",
    test_games=3,
    learning_rate=0.02,
    epochs=6,
    batch=64,
    seeds=(1, 2),
)


@pytest.fixture(scope="module")
def walks() -> Walks:
    """Two games of different lengths."""
    return follow([*evenly("level1/test", 1), *evenly("level4/test", 1)])


def test_bounds_hold_and_the_same_seed_gives_the_same() -> None:
    results = run_probes(SMALL, ["text-og"], CPU)
    rows = results["rows"]
    assert list(rows) == [RANDOM, TRUTH, COUNTS, "text-og"]
    for place, seed in enumerate(SMALL.seeds):
        assert rows[TRUTH][place]["seed"] == seed
        assert rows[TRUTH][place]["test"]["exact"]["all"] > 0.9
        assert 0.35 < rows[RANDOM][place]["test"]["exact"]["all"] < 0.65
        assert rows["text-og"][place]["test"].keys() == {"exact", "f1"}
    data = results["data"]["train"]
    assert data["games"] == 6
    assert data["related pairs"] == data["unrelated pairs"] > 300
    assert {"command", "hardware", "torch", "gata", "date", "seconds"} <= results.keys()
    assert run_probes(SMALL, ["text-og"], CPU)["rows"] == rows


@pytest.mark.parametrize("name", ["og", "text-og"])
def test_a_game_is_remembered_alike_alone_and_in_company(name: str, walks: Walks) -> None:
    alone = follow(evenly("level1/test", 1))
    for source in load_sources(name, CPU).values():
        few = related_pairs(alone)
        assert torch.allclose(source.along(alone)(few, 1), source.along(walks)(few, 1), atol=1e-5)


def test_memories_change_from_state_to_state_and_are_the_pairs_own(walks: Walks) -> None:
    (source,) = load_sources("text-og", CPU).values()
    assert isinstance(source, TextMemory)
    pairs = related_pairs(walks)
    read = source.along(walks)(pairs, 1)
    assert read.shape == (len(pairs.state), 64)
    first = read[torch.from_numpy(np.unique(pairs.state, return_index=True)[1])]
    assert (first[1:] - first[:-1]).abs().amax(dim=1).min() > 1e-4


def test_the_probe_reads_the_cells_of_its_pairs(walks: Walks) -> None:
    belief = load_belief("coc", CPU)
    pairs = with_negatives(related_pairs(walks), walks, "any-game", 1)
    assert torch.equal(
        Truth(belief.nodes).along(walks)(pairs, 1), torch.from_numpy(pairs.labels).float()
    )
    graphs_of, read = belief.graphs(walks), belief.along(walks)(pairs, 1)
    for row in (0, len(pairs.state) - 1):
        (graph,) = graphs_of(pairs.state[[row]])
        cell = graph[:, pairs.source[row], pairs.target[row]]
        assert torch.allclose(read[row], cell, atol=1e-6)


def test_mixtures_are_of_the_memory_alone(walks: Walks) -> None:
    pairs = related_pairs(walks)
    sources = load_sources("og", CPU)
    read = {name: source.along(walks)(pairs, 1) for name, source in sources.items()}
    memory, mixed = read["og memory"], read["og memory, mixed"]
    assert mixed.shape == read["og"].shape
    # Linear in the memory, and as large: ten columns of weights explain it.
    weights = torch.linalg.lstsq(memory.double(), mixed.double()).solution
    assert torch.allclose(memory.double() @ weights, mixed.double(), atol=1e-4)


def test_a_seed_decides_the_mixtures(walks: Walks) -> None:
    """And nothing else does."""
    pairs = related_pairs(walks)
    first, again = (load_sources("og", CPU)["og memory, mixed"] for _ in range(2))
    mixed = first.along(walks)(pairs, 1)
    assert torch.equal(again.along(walks)(pairs, 1), mixed)
    other = first.along(walks)(pairs, 2)
    assert (other - mixed).abs().amax(dim=0).min() > 0.01
    # Nor is it the same ten numbers told in another way.
    weights = torch.linalg.lstsq(mixed.double(), other.double())
    assert (mixed.double() @ weights.solution - other).abs().max() > 0.01


def test_each_probe_has_the_mixtures_of_its_own_seed() -> None:
    """The scores of a row are those of a probe that is trained alone on what its seed reads."""
    rows = run_probes(SMALL, ["og"], CPU)["rows"]["og memory, mixed"]
    source = load_sources("og", CPU)["og memory, mixed"]
    for row in rows:
        seed = row["seed"]
        inputs, labels = {}, {}
        for split, games in (
            ("train", evenly(SMALL.train, SMALL.train_games)),
            ("test", evenly(SMALL.test, SMALL.test_games)),
        ):
            walks = follow(games)
            pairs = with_negatives(related_pairs(walks), walks, SMALL.negatives, seed)
            inputs[split] = features(source.along(walks)(pairs, seed), source.nodes, pairs)[None]
            labels[split] = pairs.labels
        wanted = torch.from_numpy(labels["train"]).float()[None]
        probes = train_probes(inputs["train"], wanted, SMALL, [seed])
        for split, part in inputs.items():
            found = scores((probes.logits(part) > 0)[0].numpy(), labels[split])
            assert row[split]["exact"] == pytest.approx(found["exact"], abs=0.005)


def test_noise_is_fixed_and_normal(walks: Walks) -> None:
    noise = Noise(torch.zeros(99, 1))
    pairs = related_pairs(walks)
    values = noise.along(walks)(pairs, 1)
    assert torch.equal(values, noise.along(walks)(pairs, 2))
    assert values.mean().abs() < 0.1
    assert (values.std() - 1).abs() < 0.1


def test_beliefs_less_their_mean(walks: Walks) -> None:
    """The mean is over the states of the other games."""
    belief = load_belief("coc", CPU)
    others = follow(evenly("level3/test", 1))
    every, elsewhere = (
        belief.graphs(some)(np.arange(len(some))).numpy() for some in (walks, others)
    )
    mean = elsewhere.mean(axis=0)
    assert np.allclose(mean_graph(belief, others), mean, atol=1e-5)
    believed = believe(belief, walks, 3, others)
    assert np.allclose(believed.graph, every[3], atol=1e-5)
    assert np.allclose(believed.graph - believed.less_mean, mean, atol=1e-5)


def test_bad_use_is_refused() -> None:
    with pytest.raises(UsageError, match="level2/test: has 20 games, 21 are wanted"):
        evenly("level2/test", 21)
    with pytest.raises(UsageError, match="kind 'dgi' believes in no continuous graph"):
        run_probes(SMALL, ["dgi-seen"], CPU)
    with pytest.raises(UsageError, match="no model is called 'nothing'"):
        run_probes(SMALL, ["nothing"], CPU)
    with pytest.raises(UsageError, match="name the weights"):
        run_probes(SMALL, [], CPU)
