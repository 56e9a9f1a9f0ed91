"""Steps are counted under the rule and the variant they show."""

from dataclasses import replace

import pytest

from gata.engine.verify.coverage import ROWS, Coverage, Row, moment, rows_of
from gata.engine.verify.transcripts import EMPTY
from gata.facts import Fact, Variable
from gata.graph.triples import Triple

PROMPT = "\n\n\n>" + " " * 128 + "-= Kitchen =-0/7"
KITCHEN = frozenset({Fact("at", (Variable("P", "P"), Variable("r_0", "r")))})
BEFORE = replace(
    EMPTY,
    facts=KITCHEN,
    full_graph=frozenset(
        {
            Triple("carrot", "fridge", "in"),
            Triple("carrot", "raw", "is"),
            Triple("knife", "table", "on"),
            Triple("fridge", "closed", "is"),
        }
    ),
)


def rows(command, message, **after):
    now = replace(BEFORE, feedback=f"\n{message}{PROMPT}", last_action=command, **after)
    return set(rows_of(moment(command, BEFORE, now)))


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
            Row("open", "which of two doors?"),
        ),
        (
            "take carrot from fridge",
            "You take the carrot from the fridge.",
            Row("take", "from a container"),
        ),
        (
            "take knife from table",
            "You take the knife from the table.",
            Row("take", "from a supporter"),
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
