import torch
from torch import nn

from gata.nn.words import WordTables
from tests.nn import slow
from tests.nn.samples import HIDDEN, assert_same, assert_same_gradients, lexicon, shaken


def test_a_name_is_its_own_vector_and_the_mean_of_its_words() -> None:
    known = lexicon()
    module = shaken(WordTables(known, HIDDEN, 4, 3))
    found = module()
    words = [module.projection.weight @ v for v in known.word_vectors]
    assert_same(found.words, torch.stack(words))
    for own, names, table in (
        (module.node_embedding.weight, known.node_words, found.nodes),
        (module.relation_embedding.weight, known.relation_words, found.relations),
    ):
        spoken = [slow.mean([words[w] for w in name.tolist() if w]) for name in names]
        expected = torch.cat([own, torch.stack(spoken)], dim=1)
        assert_same(table, expected)
        assert_same_gradients(module, table, expected)


def test_every_node_and_relation_learns_and_words_do_not() -> None:
    module = WordTables(lexicon(), HIDDEN, 4, 3)
    assert "word_vectors" not in dict(module.named_parameters())
    found = module()
    (found.nodes.sum() + found.relations.sum()).backward()
    for embedding in (module.node_embedding, module.relation_embedding):
        assert embedding.weight.grad.any(dim=1).all()


def test_a_node_that_was_never_met_goes_by_its_name() -> None:
    module = WordTables(lexicon(), HIDDEN, 4, 3)
    assert not module().nodes[:, :4].any()
    nn.init.normal_(module.node_embedding.weight)
    known = torch.tensor([1.0, 0.0, 1.0, 1.0, 0.0])
    nodes = module(known).nodes
    assert nodes[:, :4].any(dim=1).tolist() == known.bool().tolist()
    assert torch.equal(nodes[:, 4:], module().nodes[:, 4:])


def test_the_lexicon_counts_relations_without_inverses_and_self() -> None:
    assert (lexicon().nodes, lexicon().relations) == (5, 2)
