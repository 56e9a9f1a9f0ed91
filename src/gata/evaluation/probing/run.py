"""The probing task from games to scores."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from gata import console
from gata.errors import UsageError
from gata.evaluation.probing.pairs import Pairs, related_pairs, with_negatives
from gata.evaluation.probing.probe import features, predict, train_probe
from gata.evaluation.probing.scores import scores
from gata.evaluation.probing.settings import ProbeSettings
from gata.evaluation.probing.sources import Noise, Reader, Truth, load_source
from gata.evaluation.probing.walks import Walks, follow
from gata.games.game import Game
from gata.games.store import load_set
from gata.pretrain.tasks.walking import spread
from gata.training.checkpoint import circumstances

RANDOM, TRUTH = "random", "ground-truth"
"""The rows that bound the others."""


@dataclass(frozen=True)
class _Split:
    """The games of a split and their related pairs."""

    walks: Walks
    positives: Pairs

    def describe(self, pairs: Pairs) -> dict[str, int]:
        return {
            "games": len(self.walks.games),
            "states": len(self.walks),
            "related pairs": len(pairs.state) // 2,
            "unrelated pairs": len(pairs.state) // 2,
            "left out, always related": len(self.positives.state) - len(pairs.state) // 2,
        }


def run_probes(
    settings: ProbeSettings, weights: Sequence[str], device: torch.device
) -> dict[str, Any]:
    """Probe some weights and the two bounds.

    Args:
        settings: of the task.
        weights: names of shipped weights (og, coc, text-og) or files.
        device: where to compute.

    Returns:
        The results as JSON. The node embeddings of the bounds are those of the first weights.
    """
    began = time.monotonic()
    sources = {name: load_source(name, device) for name in weights}
    if not sources:
        raise UsageError("name the weights to probe, such as og, coc or text-og")
    nodes = next(iter(sources.values())).nodes
    splits = {
        "train": _played(load_set(settings.train), settings.train_games, settings.train),
        "test": _played(load_set(settings.test), settings.test_games, settings.test),
    }
    pairs = {
        seed: {
            name: with_negatives(split.positives, split.walks, settings.negatives, seed)
            for name, split in splits.items()
        }
        for seed in settings.seeds
    }
    every = {RANDOM: Noise(nodes), TRUTH: Truth(nodes), **sources}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in every}
    with console.Bar("probing", len(settings.seeds) * len(every)) as bar:
        for name, source in every.items():
            readers = {part: source.along(split.walks) for part, split in splits.items()}
            for seed in settings.seeds:
                scored = _score(readers, source.nodes, pairs[seed], settings, seed)
                rows[name].append({"seed": seed, **scored})
                bar.show(sum(map(len, rows.values())), name)
    data = {name: split.describe(pairs[settings.seeds[0]][name]) for name, split in splits.items()}
    return {
        "settings": asdict(settings),
        "data": data,
        "rows": rows,
        "seconds": round(time.monotonic() - began, 1),
        **circumstances(device),
    }


def _played(games: Sequence[Game], at_most: int, name: str) -> _Split:
    if len(games) < at_most:
        raise UsageError(f"{name}: has {len(games)} games, expected {at_most} or more")
    walks = follow([games[number] for number in spread(len(games), at_most)])
    return _Split(walks, related_pairs(walks))


def _score(
    readers: Mapping[str, Reader],
    nodes: Tensor,
    pairs: Mapping[str, Pairs],
    settings: ProbeSettings,
    seed: int,
) -> dict[str, Any]:
    """Train a probe on one split; its scores on both."""
    inputs = {
        name: features(read(pairs[name]), nodes, pairs[name]) for name, read in readers.items()
    }
    probe = train_probe(inputs["train"], pairs["train"].labels, settings, seed)
    return {name: scores(predict(probe, inputs[name]), pairs[name].labels) for name in inputs}
