import pytest

from gata.engine.messages import in_words, prompt, score_line
from gata.engine.templates import Do, compile_template, objective_text, quotes, room_text
from gata.errors import GataError


def test_single_quotes_become_double_but_for_apostrophes() -> None:
    assert quotes("You haven't read 'Cooking (3rd Ed.)' or 'it'.") == (
        'You haven\'t read "Cooking (3rd Ed.)" or "it".'
    )


def test_white_space_around_line_breaks_of_a_room_is_lost() -> None:
    assert room_text("A room. \n\n There is [if x is open]a[end if]\n\n door") == (
        "A room.\n\nThere is [if x is open]a[end if]\n\ndoor"
    )


def test_an_apostrophe_where_the_objective_is_cut_becomes_a_quote() -> None:
    text = "x" * 199 + "'s"
    assert objective_text(text) == "x" * 199 + '"s'


def test_conditions_jump_over_the_branches_not_taken() -> None:
    code = compile_template("[if c is locked]L[else if open]O[otherwise]C[end if].", "n", "")
    assert [step.do for step in code] == [
        Do.IF_LOCKED,
        Do.SAY,
        Do.JUMP,
        Do.IF_OPEN,
        Do.SAY,
        Do.JUMP,
        Do.SAY,
        Do.SAY,
        Do.END,
    ]
    assert code[0].entity == "c"
    assert code[3].entity == "n"
    assert (code[0].jump, code[2].jump, code[3].jump, code[5].jump) == (3, 7, 6, 7)


@pytest.mark.parametrize(
    "broken", ["[if c is blue]x[end if]", "[if open]x", "x[end if]", "[one of]a[or]b[at random]"]
)
def test_unknown_substitutions_are_refused(broken: str) -> None:
    with pytest.raises(GataError, match="description of the door"):
        compile_template(broken, "n", "description of the door")


def test_numbers_are_spelt() -> None:
    assert [in_words(n) for n in (0, 13, 20, 21, 100, 117)] == [
        "zero",
        "thirteen",
        "twenty",
        "twenty-one",
        "one hundred",
        "one hundred and seventeen",
    ]
    assert score_line(1) == "Your score has just gone up by one point.\n\n"
    assert score_line(3) == "Your score has just gone up by three points.\n\n"


def test_the_status_line_follows_the_prompt() -> None:
    assert prompt("-= Shed =-", 2, 10) == ">" + " " * 128 + "-= Shed =-2/10"
