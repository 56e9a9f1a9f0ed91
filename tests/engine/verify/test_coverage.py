"""Steps are counted under the rule and the variant they show."""

from dataclasses import replace

import pytest

from gata.engine.verify.coverage import ROWS, Coverage, Row, moment, rows_of
from gata.engine.verify.transcripts import EMPTY
from gata.facts import Fact, Variable
from gata.graph.triples import Triple

PROMPT = "\n\n\n>" + " " * 128 + "-= Kitchen =-0/7"
KITCHEN = frozenset({Fact("at", (Variable("P", "P"), Variable("r_0", "r")))})
IN_FRIDGE = Fact("in", (Variable("f_0", "f"), Variable("c_0", "c")))
ON_STOVE = Fact("on", (Variable("o_0", "o"), Variable("stove_0", "stove")))
BEFORE = replace(
    EMPTY,
    facts=KITCHEN | {IN_FRIDGE, ON_STOVE},
    full_graph=frozenset(
        {
            Triple("carrot", "fridge", "in"),
            Triple("carrot", "raw", "is"),
            Triple("knife", "table", "on"),
            Triple("fridge", "closed", "is"),
        }
    ),
)


def rows(command, message, *, is_admissible=True, **after):
    before = replace(BEFORE, commands=(command,) if is_admissible else ())
    now = replace(before, feedback=f"\n{message}{PROMPT}", last_action=command, **after)
    return {row for row in rows_of(moment(command, before, now)) if row.rule != "list"}


@pytest.mark.parametrize(
    ("command", "message", "row"),
    [
        ("inventory", "You are carrying nothing.", Row("inventory", "nothing")),
        ("open fridge", "You open the fridge.", Row("open", "empty container")),
        (
            "open fridge",
            "You open the fridge, revealing a carrot and an egg.",
            Row("open", "container, revealing things"),
        ),
        ("open barn door", "You open barn door.", Row("open", "door")),
        (
            "open patio door",
            "(patio door)\nYou open patio door.",
            Row("open", "which of two?"),
        ),
        ("cook carrot with BBQ", "You grilled the carrot.", Row("cook with BBQ", "raw food")),
        ("cook egg with oven", "You roasted the egg.", Row("cook with oven", "food that needs it")),
        ("cook egg with oven", "You burned the egg!", Row("cook with oven", "burned")),
        ("cook meal with stove", "You burned the meal!", Row("cook with stove", "meal, burned")),
        (
            "prepare meal",
            "Something still needs to be cut.",
            Row("prepare", "something is not cut"),
        ),
        (
            "drop water",
            "You can't see any such thing.",
            Row("any", "a thing that was drunk, admissible by an oversight"),
        ),
        (
            "examine table",
            "The table is huge.\n\nOn the table is a knife.",
            Row("examine", "supporter with things on it"),
        ),
        ("examine fridge", "The fridge is closed.", Row("examine", "container")),
    ],
)
def test_variant(command, message, row):
    found = rows(command, message)
    assert row in found
    assert row in ROWS


@pytest.mark.parametrize(
    ("left", "row"),
    [(IN_FRIDGE, Row("take", "from a container")), (ON_STOVE, Row("take", "from a supporter"))],
)
def test_takes_are_told_apart_by_the_facts(left, row):
    """Names do not help: those of other challenges are in no vocabulary."""
    message = "You take the passkey from the American crate."
    found = rows("take passkey from American crate", message, facts=BEFORE.facts - {left})
    assert found == {row}
    assert row in ROWS


@pytest.mark.parametrize(
    ("command", "message", "row"),
    [
        ("take egg", "You're carrying too many things already.", Row("take", "too much in hand")),
        ("lock safe with key", "You lock the safe.", Row("lock", "")),
        ("unlock gate with key", "You unlock gate.", Row("unlock", "")),
        ("open gate", "(American gate)\nYou open American gate.", Row("open", "which of two?")),
        ("open gate", "You open gate.", Row("open", "door")),
        (
            "take key",
            "(the key)\nYou pick up the key from the ground.",
            Row("take", "from the floor"),
        ),
    ],
)
def test_variants_of_other_games(command, message, row):
    assert rows(command, message) == {row}
    assert row in ROWS


@pytest.mark.parametrize(
    ("command", "message", "variant"),
    [
        ("open fridge", "That's already open.", "open or closed already"),
        ("open barn door", "(barn door)\nThat's already open.", "open or closed already"),
        ("take egg", "You can't see any such thing.", "no such thing in sight"),
        ("lock safe with key", "That doesn't seem to fit the lock.", "another key"),
    ],
)
def test_refusals_are_rows_of_their_own(command, message, variant):
    assert rows(command, message, is_admissible=False) == {Row("refused", variant)}
    assert Row("refused", variant) in ROWS
    # To a command on offer the same words would be something nobody thought of.
    assert Row("refused", variant) not in rows(command, message)


def test_score_and_win_are_rows_of_their_own():
    text = "You eat the meal. Not bad.\n\n\nYour score has just gone up by one point."
    assert rows("eat meal", text, won=True) == {
        Row("eat", "meal"),
        Row("score", "for eat"),
        Row("end", "won"),
    }


def test_ways_to_lose_are_told_apart():
    assert Row("end", "lost: ate an ingredient") in rows(
        "eat carrot", "You eat the carrot. Not bad.", lost=True
    )
    assert Row("end", "lost: burned an ingredient") in rows(
        "cook carrot with oven", "You burned the carrot!", lost=True
    )


def test_message_nobody_thought_of_is_unknown_not_ignored():
    coverage = Coverage()
    now = replace(BEFORE, feedback=f"\nThe carrot bites back.{PROMPT}")
    coverage.add(moment("eat carrot", BEFORE, now))
    assert coverage.unknown() == [Row("unknown", "eat: The carrot bites back.")]


def test_table_lists_every_row_even_unseen_and_survives_json():
    coverage = Coverage([(Row("drink", ""), 3)])
    again = Coverage.from_json(coverage.to_json())
    assert [row for row, _ in again.table()] == list(ROWS)
    assert dict(again.table())[Row("drink", "")] == 3
    assert Row("drop", "") in again.missing()
    assert Row("drink", "") not in again.missing()
