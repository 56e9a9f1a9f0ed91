"""A corpus small enough to be written by hand: one game, a walkthrough of two, one branch."""

import numpy as np

from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import SEP, default
from gata.pretrain.data.corpus import Corpus, Ragged, Request

GRAPHS: tuple[tuple[Triple, ...], ...] = (
    (),
    (Triple("player", "kitchen", "at"), Triple("fridge", "closed", "is")),
    (Triple("player", "kitchen", "at"), Triple("fridge", "open", "is")),
)


def tokens(text: str) -> list[int]:
    return default().encode(tokenize(text))


def numbers(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def tiny_corpus() -> Corpus:
    """start -> open fridge -> eat meal, and from the start a branch: go east."""
    start = [*tokens("add player kitchen at"), SEP, *tokens("add fridge closed is")]
    opened = [*tokens("add fridge open is"), SEP, *tokens("delete fridge closed is")]
    return Corpus(
        request=Request(games="tiny", games_hash="0" * 64, seed=1, branch=1),
        games=("tiny/0",),
        left_out=0,
        texts=Ragged.of(map(tokens, ["a kitchen.", "you open the fridge.", "nothing"]), np.int16),
        commands=Ragged.of(
            map(tokens, ["restart", "open fridge", "go east", "eat meal"]), np.int16
        ),
        graphs=Ragged.of(map(PAPER.edge_ids, GRAPHS), np.int32),
        updates=Ragged.of([[], start, opened], np.int16),
        record_game=numbers(0, 0, 0, 0),
        record_parent=numbers(-1, 0, 0, 1),
        record_text=numbers(0, 1, 2, 2),
        record_command=numbers(0, 1, 2, 3),
        record_seen=numbers(1, 2, 1, 2),
        record_full=numbers(1, 2, 1, 2),
        record_update=numbers(1, 2, 0, 0),
        paths=Ragged.of([[0, 2], [0, 1, 3]], np.int32),
        path_new=numbers(2, 2),
        choice_game=numbers(0),
        choice_seen=numbers(1),
        choice_full=numbers(1),
        choice_offsets=np.array([0, 2], np.int64),
        option_command=numbers(1, 2),
        option_seen=numbers(2, 1),
        option_full=numbers(2, 1),
    )
