"""Figures of a corpus."""

from dataclasses import replace

import numpy as np

from gata.pretrain.data.summary import lengths, shared_outcomes, summarise
from tests.pretrain.tiny import numbers, tiny_corpus


def test_counts() -> None:
    summary = summarise(tiny_corpus())
    assert (summary.games, summary.records, summary.paths, summary.choices) == (1, 4, 2, 1)
    assert (summary.texts, summary.commands, summary.graphs, summary.updates) == (3, 4, 3, 3)
    assert (summary.examples, summary.ambiguous_full, summary.ambiguous_seen) == (2, 0, 0)
    assert 0 < summary.megabytes < 0.01


def test_ambiguous_are_options_of_the_same_choice_with_the_same_graph() -> None:
    corpus = replace(
        tiny_corpus(),
        choice_game=numbers(0, 0),
        choice_seen=numbers(1, 1),
        choice_full=numbers(1, 1),
        choice_offsets=np.array([0, 3, 5], np.int64),
        option_command=numbers(1, 2, 3, 1, 2),
        option_seen=numbers(2, 2, 2, 2, 1),
        option_full=numbers(1, 2, 1, 1, 2),
    )
    full = shared_outcomes(corpus, corpus.option_full)
    assert full.tolist() == [True, False, True, False, False]
    summary = summarise(corpus)
    assert (summary.examples, summary.ambiguous_full, summary.ambiguous_seen) == (5, 2, 3)


def test_lengths_count_repeated_texts_every_time() -> None:
    by_name = {row.what: row for row in lengths(tiny_corpus())}
    texts = by_name["tokens of an observation"]
    assert (texts.instances, texts.mean, texts.median, texts.largest) == (4, 2.5, 2.0, 5)
    assert by_name["tokens of an update"].empty == 2
    assert by_name["records of a path"].largest == 3
    assert by_name["options of a choice"].mean == 2.0
    assert by_name["edges of a seen graph"].largest == 2


def test_lengths_of_nothing() -> None:
    corpus = replace(
        tiny_corpus(),
        choice_game=numbers(),
        choice_seen=numbers(),
        choice_full=numbers(),
        choice_offsets=np.array([0], np.int64),
        option_command=numbers(),
        option_seen=numbers(),
        option_full=numbers(),
    )
    by_name = {row.what: row for row in lengths(corpus)}
    assert by_name["options of a choice"].instances == 0
    assert summarise(corpus).ambiguous_full == 0
