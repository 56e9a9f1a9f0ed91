"""The probing task from games to scores."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gata import console
from gata.errors import UsageError
from gata.evaluation.probing.controls import with_controls
from gata.evaluation.probing.pairs import Pairs, related_pairs, with_negatives
from gata.evaluation.probing.probe import features, train_probes
from gata.evaluation.probing.scores import scores
from gata.evaluation.probing.settings import ProbeSettings
from gata.evaluation.probing.sources import (
    BeliefSource,
    Noise,
    Reader,
    Source,
    Truth,
    load_sources,
)
from gata.evaluation.probing.walks import Walks, follow
from gata.games.game import Game
from gata.games.store import load_set
from gata.pretrain.order import spread
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
        The results as JSON; ``rows`` has the scores by row, then for each seed. The node
        embeddings of the bounds are those of the first weights.
    """
    began = time.monotonic()
    sources: dict[str, Source] = {}
    updater = None
    for name in weights:
        found = load_sources(name, device)
        sources |= found
        if updater is None and any(isinstance(each, BeliefSource) for each in found.values()):
            updater = name
    if not sources:
        raise UsageError("name the weights to probe, such as og, coc or text-og")
    nodes = next(iter(sources.values())).nodes
    games = {
        "train": evenly(settings.train, settings.train_games),
        "test": evenly(settings.test, settings.test_games),
    }
    _check_apart(games["train"], games["test"])
    splits = {name: _played(some) for name, some in games.items()}
    pairs = {
        seed: {
            name: with_negatives(split.positives, split.walks, settings.negatives, seed)
            for name, split in splits.items()
        }
        for seed in settings.seeds
    }
    asked = np.concatenate([split.positives.code for split in splits.values()])
    controlled = with_controls(sources, updater, asked, device)
    every = {RANDOM: Noise(nodes), TRUTH: Truth(nodes), **controlled}
    rows: dict[str, list[dict[str, Any]]] = {}
    with console.Bar("probing", len(every)) as bar:
        for name, source in every.items():
            readers = {part: source.along(split.walks) for part, split in splits.items()}
            rows[name] = _score(source, readers, pairs, settings)
            bar.show(len(rows), name)
    data = {name: split.describe(pairs[settings.seeds[0]][name]) for name, split in splits.items()}
    return {
        "settings": asdict(settings) | {"seeds": list(settings.seeds)},
        "data": data,
        "rows": rows,
        "seconds": round(time.monotonic() - began, 1),
        **circumstances(device),
    }


def evenly(name: str, count: int) -> list[Game]:
    """Some games of a set, evenly spread over it."""
    games = load_set(name)
    if not 1 <= count <= len(games):
        raise UsageError(
            f"{name}: has {len(games)} games, {count} are wanted, expected 1 to {len(games)}"
        )
    return [games[number] for number in spread(len(games), count)]


def _check_apart(train: Sequence[Game], test: Sequence[Game]) -> None:
    """Refuse to test on games that are learnt from, also under another name."""
    learnt = {game.content_hash for game in train}
    if shared := [game.name for game in test if game.content_hash in learnt]:
        raise UsageError(
            f"{len(shared)} of the {len(test)} games of --test are among those of --train, such as"
            f" {shared[0]}; take sets that have none in common"
        )


def _played(games: Sequence[Game]) -> _Split:
    walks = follow(games)
    return _Split(walks, related_pairs(walks))


@torch.no_grad()
def _score(
    source: Source,
    readers: Mapping[str, Reader],
    pairs: Mapping[int, Mapping[str, Pairs]],
    settings: ProbeSettings,
) -> list[dict[str, Any]]:
    """Train the probes of all seeds on one split; their scores on both."""
    own = {name: [of_seed[name] for of_seed in pairs.values()] for name in readers}
    signals = {
        name: torch.stack([read(*asked) for asked in zip(own[name], pairs, strict=True)])
        for name, read in readers.items()
    }
    if source.standardised:
        signals = _standardised(signals)
    inputs = {
        name: torch.stack(
            [
                features(signal, source.nodes, some)
                for signal, some in zip(of_seeds, own[name], strict=True)
            ]
        )
        for name, of_seeds in signals.items()
    }
    labels = {name: np.stack([some.labels for some in of_seeds]) for name, of_seeds in own.items()}
    wanted = torch.from_numpy(labels["train"]).to(inputs["train"])
    probes = train_probes(inputs["train"], wanted, settings, list(pairs))
    predicted = {name: (probes.logits(part) > 0).cpu().numpy() for name, part in inputs.items()}
    return [
        {"seed": seed}
        | {name: scores(predicted[name][place], labels[name][place]) for name in readers}
        for place, seed in enumerate(pairs)
    ]


def _standardised(signals: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """(seeds, pairs, S) of each split, by the means and spreads of the training games."""
    train = signals["train"]
    mean, spread = train.mean(1, keepdim=True), train.std(1, keepdim=True)
    # What never varies tells nothing.
    return {name: (each - mean) / spread.clamp(min=1e-12) for name, each in signals.items()}
