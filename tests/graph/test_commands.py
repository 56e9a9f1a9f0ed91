import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gata.graph import commands
from gata.graph.commands import UpdateCommand, apply, difference, parse, parse_generated, to_text
from gata.graph.triples import Triple
from gata.graph.vocabulary import NODES, PAPER, RELATIONS, GraphVocabulary
from gata.language import vocabulary as words
from gata.language.tokenizer import tokenize

triples = st.builds(
    Triple, st.sampled_from(NODES), st.sampled_from(NODES), st.sampled_from(RELATIONS)
)
graphs = st.frozensets(triples, max_size=20)

GO_NORTH = (
    "add player livingroom at <sep> add exit livingroom west_of <sep> add exit livingroom south_of"
    " <sep> add exit livingroom east_of <sep> add livingroom bedroom north_of <sep> add sofa"
    " livingroom at <sep> delete player bedroom at"
)


def graph(*texts: str) -> frozenset[Triple]:
    return frozenset(Triple(*text.split()) for text in texts)


def test_the_worked_example_of_going_north():
    before = graph("player bedroom at", "bed bedroom at")
    after = graph(
        *("player livingroom at", "bed bedroom at", "sofa livingroom at"),
        *("exit livingroom west_of", "exit livingroom east_of", "exit livingroom south_of"),
        "livingroom bedroom north_of",
    )
    assert to_text(difference(before, after)) == GO_NORTH
    assert apply(before, parse(GO_NORTH).commands) == after


def test_recipe_and_states_are_ordered():
    after = graph(
        *("carrot uncut is", "carrot raw is", "carrot fried needs", "carrot fridge in"),
        *("carrot cookbook part_of", "carrot player in", "knife table on", "fridge open is"),
    )
    assert to_text(difference([], after)).split(" <sep> ") == [
        "add carrot player in",
        "add carrot cookbook part_of",
        "add carrot fried needs",
        "add knife table on",
        "add carrot fridge in",
        "add carrot uncut is",
        "add carrot raw is",
        "add fridge open is",
    ]


@given(graphs, graphs)
def test_round_trip_for_any_two_graphs(before, after):
    text = to_text(difference(before, after))
    parsed = parse(text)
    assert parsed.ignored == 0
    assert apply(before, parsed.commands) == after
    assert parse_generated(text + " <eos> <pad> add egg table on") == parsed


@given(graphs, graphs)
def test_tokens_and_text_agree(before, after):
    """What a model reads and writes token by token is the text of the commands."""
    text = to_text(difference(before, after))
    tokens = tokenize(text)
    assert " ".join(tokens) == text
    assert words.UNK not in words.default().encode(tokens)


@given(graphs, graphs)
def test_the_text_depends_on_the_graphs_alone(before, after):
    found = difference(before, after)
    assert commands.ordered(reversed(found)) == found
    assert len(set(found)) == len(found) == len(before ^ after)


few_triples = st.sampled_from([*graph("egg table on", "egg shelf on", "egg raw is")])
updates = st.builds(UpdateCommand, st.sampled_from(commands.VERBS), few_triples)


@given(st.frozensets(few_triples), st.lists(updates))
def test_what_is_read_does_what_the_commands_do_one_by_one(before, written):
    after = set(before)
    for verb, triple in written:
        after = after | {triple} if verb == "add" else after - {triple}
    assert apply(before, parse(to_text(written)).commands) == after


def test_a_repeated_command_is_carried_out_again():
    text = "add egg table on <sep> delete egg table on <sep> add egg table on"
    assert apply([], parse(text).commands) == graph("egg table on")


def test_no_change_is_no_command():
    assert to_text(difference(graph("egg table on"), graph("egg table on"))) == ""
    assert parse("") == ((), 0)


def test_names_of_the_paper_are_never_ambiguous():
    texts = {f"{source} {target}" for source, target in itertools.product(NODES, NODES)}
    assert len(texts) == len(NODES) ** 2


@pytest.mark.parametrize(
    "text",
    [
        "open fridge",
        "add",
        "add at",
        "add player at",
        "add player kitchen",
        "add player spaceship at",
        "add player kitchen under",
        "put egg table on",
        "add egg table shelf on",
        "add sliding kitchen at",
    ],
)
def test_nonsense_is_ignored_and_counted(text):
    good = "add egg table on"
    assert parse(f"{good} <sep> {text} <sep> {good}") == (
        (UpdateCommand("add", Triple("egg", "table", "on")),) * 2,
        1,
    )


def test_a_generation_may_have_its_begin_mark():
    text = "add egg table on <sep> delete egg shelf on <eos>"
    assert parse_generated(f"<bos> {text}") == parse_generated(text)
    assert len(parse_generated(text).commands) == 2
    assert parse_generated("<bos>") == parse_generated("<bos> <eos>") == ((), 0)


def test_a_generation_cut_off_loses_its_last_command():
    assert parse_generated("add egg table on <sep> delete egg shelf on") == (
        (UpdateCommand("add", Triple("egg", "table", "on")),),
        1,
    )
    assert parse_generated("add egg table on") == ((), 1)
    assert parse_generated("add egg table on <sep> ") == (parse("add egg table on").commands, 0)
    assert parse_generated("") == ((), 0)


@given(st.text(st.sampled_from("adelt gops<>kniv_f")))
def test_any_text_can_be_parsed(text):
    parse(text)
    parse_generated(text)


@given(graphs, graphs)
def test_needless_commands_change_nothing(before, other):
    assert apply(before, [UpdateCommand("add", triple) for triple in before]) == before
    absent = [UpdateCommand("delete", triple) for triple in other - before]
    assert apply(before, absent) == before


def test_other_vocabularies_have_their_own_names():
    space = GraphVocabulary(("robot", "robot arm", "arm"), ("on",))
    assert parse("add robot robot arm on", space).commands[0].triple.target == "robot arm"
    assert parse("add robot robot arm on", PAPER).ignored == 1
