import pytest

from gata.errors import UsageError
from gata.nn.encoders import Encoders
from gata.nn.settings import NetworkSettings
from tests.nn.samples import lexicon, pad, settings, texts


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("hidden", 0, "1 or more"),
        ("hidden", 7, "an even number"),
        ("kernel", 4, "an odd number"),
        ("max_length", 0, "1 or more"),
        ("graph_layers", 0, "1 or more"),
        ("bases", -3, "1 or more"),
        ("convolutions", -1, "0 or more"),
        ("node_embedding", -1, "0 or more"),
        ("relation_embedding", -1, "0 or more"),
    ],
)
def test_what_no_network_can_have_is_refused(field: str, value: int, expected: str) -> None:
    with pytest.raises(UsageError, match=f"{field} is {value}, expected {expected}"):
        NetworkSettings(**{field: value})


def test_networks_may_go_without() -> None:
    bare = settings(convolutions=0, node_embedding=0, relation_embedding=0)
    encoders = Encoders(lexicon(), bare)
    tables = encoders.tables()
    assert encoders.text(pad(texts(3, 1)), tables).values.isfinite().all()
    assert tables.nodes.shape[1] == tables.relations.shape[1] == bare.hidden


def test_the_defaults_are_the_paper_s() -> None:
    paper = NetworkSettings()
    assert (paper.hidden, paper.convolutions, paper.kernel) == (64, 5, 5)
    assert (paper.graph_layers, paper.bases) == (6, 3)
    assert (paper.node_embedding, paper.relation_embedding) == (100, 32)
    assert paper.relation_weights == "basis"
    assert paper.relation_labels
    assert paper.self_loops
    assert not paper.separable_convolutions
