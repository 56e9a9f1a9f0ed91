from hypothesis import given
from hypothesis import strategies as st

from gata.belief.command_reader import CommandReader, EdgeChange, apply_changes
from gata.graph.commands import apply, parse_generated
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from tests.belief.networks import WORDS

READER = CommandReader(WORDS, PAPER)
PLAYER_AT = PAPER.triple_id(Triple("player", "shed", "at"))


def read(text: str) -> list[EdgeChange]:
    return READER.read(WORDS.encode(text.split()))


def test_commands_are_edges() -> None:
    text = "add player shed at <sep> delete frosted-glass door kitchen north_of <eos>"
    other = PAPER.triple_id(Triple("frosted-glass door", "kitchen", "north_of"))
    assert read(text) == [EdgeChange(True, PLAYER_AT), EdgeChange(False, other)]


def test_what_follows_the_end_and_a_cut_off_command_are_ignored() -> None:
    assert read("add player shed at <eos> add player kitchen at") == [EdgeChange(True, PLAYER_AT)]
    assert read("add player shed at <sep> add player kitchen at") == [EdgeChange(True, PLAYER_AT)]
    assert read("add player shed at") == []
    assert read("<eos>") == []
    assert read("<bos> add player shed at <eos>") == [EdgeChange(True, PLAYER_AT)]
    assert read("") == []


def test_a_repeated_command_is_carried_out_again() -> None:
    text = "add player shed at <sep> delete player shed at <sep> add player shed at <eos>"
    assert apply_changes([], read(text), room=5) == {PLAYER_AT}


WORD = st.one_of(
    st.sampled_from(["add", "delete", "player", "kitchen", "red", "apple", "at", "in", "wooden"]),
    st.sampled_from(["<sep>", "<eos>", "<pad>", "<unk>", "<bos>"]),
)
COMMAND = st.builds(
    lambda verb, a, b, r: f"{verb} {a} {b} {r}".split(),
    st.sampled_from(["add", "delete"]),
    st.sampled_from(["player", "red apple", "wooden door"]),
    st.sampled_from(["kitchen", "player", "closed"]),
    st.sampled_from(["at", "in"]),
)
PIECE = st.one_of(COMMAND, st.lists(WORD, max_size=4), st.just(["<sep>"]), st.just(["<eos>"]))


@given(st.lists(PIECE, max_size=12), st.sets(st.integers(0, PAPER.edge_count - 1), max_size=3))
def test_reads_and_applies_as_the_text_would_be(pieces: list[list[str]], start: set[int]) -> None:
    words = [word for piece in pieces for word in piece]
    commands = parse_generated(" ".join(words)).commands
    after = apply(map(PAPER.triple_from_id, start), commands)
    found = apply_changes(start, READER.read(WORDS.encode(words)), room=256)
    assert found == set(PAPER.edge_ids(after))


def test_a_full_graph_takes_no_more_edges() -> None:
    changes = [EdgeChange(True, 5), EdgeChange(False, 1), EdgeChange(True, 6)]
    assert apply_changes({1, 2}, changes, room=2) == {2, 6}
