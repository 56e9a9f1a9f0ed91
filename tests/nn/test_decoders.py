import pytest
import torch

from gata.nn.command_generator import CommandGenerator
from gata.nn.decoders import CommandDecoder, Decoder, ObservationDecoder
from gata.nn.generation import write_greedily
from gata.nn.masking import Encoded
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    NODES,
    RELATIONS,
    WORDS,
    assert_same,
    assert_same_gradients,
    batch,
    lexicon,
    pad,
    rows,
    settings,
    shaken,
    tables,
    texts,
)

BOTH = pytest.mark.parametrize("kind", [ObservationDecoder, CommandDecoder])
BEGIN, END = 2, 3


def decoder(kind: type[Decoder]) -> Decoder:
    return shaken(kind(HIDDEN, WORDS, 24))


@BOTH
def test_follows_the_formula(kind: type[Decoder]) -> None:
    module, words = decoder(kind), tables().words
    written, sources = texts(4, 2), texts(3, 5)
    graphs, encoded = rows(2, 4), rows(3, 5)
    found = module(pad(written, 6), words, batch(graphs, 5), batch(encoded, 7), pad(sources, 7))
    expected = [
        torch.stack(slow.decoder(module, w.tolist(), words, list(g), list(t), s.tolist()))
        for w, g, t, s in zip(written, graphs, encoded, sources, strict=True)
    ]
    found = torch.cat([found[i, : len(w)] for i, w in enumerate(written)])
    assert_same(found, torch.cat(expected))
    assert_same_gradients(module, found, torch.cat(expected))
    torch.testing.assert_close(found.exp().sum(-1), torch.ones(6))


@BOTH
def test_later_words_change_nothing(kind: type[Decoder]) -> None:
    module, words = decoder(kind), tables().words
    ids, other = pad(texts(5)), pad(texts(5))
    other[:, :3] = ids[:, :3]
    given = (words, batch(rows(2)), batch(rows(3)), pad(texts(3)))
    assert_same(module(ids, *given)[:, :3], module(other, *given)[:, :3])


def test_a_copied_word_need_not_be_likely() -> None:
    module, words = decoder(CommandDecoder), tables().words
    with torch.no_grad():
        module.switch[2].weight.zero_()
        module.switch[2].bias.fill_(-30)
    text_ids = torch.tensor([[7, 7, 9]])
    odds = module(pad(texts(1)), words, batch(rows(2)), batch(rows(3)), text_ids).exp()
    assert odds[0, 0, [7, 9]].sum().item() == pytest.approx(1)


@BOTH
def test_an_empty_graph_and_text_leave_a_distribution(kind: type[Decoder]) -> None:
    module, words = decoder(kind), tables().words
    nothing = Encoded(torch.zeros(1, 2, HIDDEN), torch.zeros(1, 2, dtype=torch.bool))
    odds = module(pad(texts(2)), words, nothing, nothing, torch.zeros(1, 2, dtype=torch.long))
    torch.testing.assert_close(odds.exp().sum(-1), torch.ones(1, 2))
    odds.sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in module.parameters())


def rewrite(module: Decoder, words, graph, text, text_ids, limit: int) -> list[int]:
    """Greedy writing of one text without a cache: everything again for every word."""
    written = [BEGIN]
    while len(written) <= limit and written[-1] != END:
        odds = module(torch.tensor([written]), words, graph, text, text_ids)
        written.append(int(odds[0, -1].argmax()))
    return written[1:]


@BOTH
def test_writing_with_a_cache_equals_reading_again(kind: type[Decoder]) -> None:
    lengths = range(1, 5)
    ends = set()
    for more_likely in (0.0, 1.0, 2.0, 3.0, 4.0):
        module, words = decoder(kind), tables().words
        graphs, encoded, sources = rows(*lengths), rows(*lengths), texts(*lengths)
        with torch.no_grad():
            module.vocabulary.bias[END] += more_likely
        written = write_greedily(
            module,
            words,
            batch(graphs),
            batch(encoded),
            pad(sources),
            begin=BEGIN,
            end=END,
            max_length=8,
            look_every=2,
        )
        assert written.shape == (4, 8)
        for i in range(4):
            one = slice(i, i + 1)
            given = batch(graphs[one]), batch(encoded[one]), pad(sources[one])
            alone = rewrite(module, words, *given, limit=8)
            assert written[i].tolist() == alone + [0] * (8 - len(alone))
            ends.add(alone[-1] == END)
    assert ends == {True, False}, "the sample should have texts that end and texts that do not"


def test_the_generator_reads_text_and_graph_and_ignores_company() -> None:
    module = shaken(CommandGenerator(lexicon(), settings(graph_kind="discrete")))
    graph = torch.zeros(2, RELATIONS, NODES, NODES)
    graph[:, 0, 0, 1] = graph[1, 1, 2, 3] = 1
    present = torch.tensor([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]], dtype=torch.bool)
    sources, written = texts(3, 6), texts(4, 5)
    together = module(pad(sources, 8), graph, present, pad(written, 7))
    alone = module(pad(sources[:1]), graph[:1], present[:1], pad(written[:1]))
    assert_same(together[:1, :4], alone)
    text = module.write(pad(sources, 8), graph, present, begin=BEGIN, end=END, max_length=6)
    for i in range(2):
        one = slice(i, i + 1)
        again = module.write(
            pad(sources[one]), graph[one], present[one], begin=BEGIN, end=END, max_length=6
        )
        assert torch.equal(text[one], again)
