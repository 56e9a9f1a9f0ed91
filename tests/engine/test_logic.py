import pytest

from gata.engine.grounding import ground
from gata.engine.logic import Placeholder, parse
from gata.errors import GataError
from tests.engine.games import some_games

TEXT = """
# things
type t { rules { examine/t :: at(P, r) & $at(t, r) -> at(P, r); }
    inform7 { commands { examine/t :: "examine {t}" :: "examining the {t}"; } } }
type o : t { }
type P { }
type r {
    predicates {
        north_of(r, r);
        south_of(r, r') = north_of(r', r);
    }
    rules { go/south :: at(P, r) & $south_of(r', r) -> at(P, r'); }
    constraints { c1 :: at(P, r) & at(P, r') -> fail(); }
    inform7 { type { kind :: "room"; } code :: \"\"\"say "{ };";\"\"\";
        commands { go/south :: "go south" :: "going south"; } }
}
"""


def test_rules_are_read_with_aliases_replaced() -> None:
    logic = parse(TEXT)
    south = next(rule for rule in logic.rules if rule.name == "go/south")
    assert [p.name for p in south.preconditions] == ["at", "north_of"]
    # Going south from r to r': r lies north of r'.
    assert south.preconditions[1].parameters == (Placeholder("r", "r"), Placeholder("r'", "r"))
    assert south.command == "go south"


def test_types_form_a_tree() -> None:
    logic = parse(TEXT)
    assert logic.is_a("o", "t")
    assert not logic.is_a("t", "o")
    assert logic.constants == ("P",)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ("type t {", "found the end"),
        ("type t : nothing { }", "unknown type 'nothing'"),
        ("type t { rules { a :: b(x) -> b(x); } }", "no type 'x'"),
        ("type t { rules { a :: % -> b(t); } }", "unexpected '%'"),
        (
            "type t { predicates { a(t) = b(t); b(t) = a(t); } rules { x :: a(t) -> a(t); } }",
            "itself",
        ),
    ],
)
def test_a_broken_rule_text_is_refused_with_a_reason(broken: str, complaint: str) -> None:
    with pytest.raises(GataError, match=complaint):
        parse(broken)


def test_groundings_are_sorted_by_command_and_need_possible_facts_only() -> None:
    game = some_games()[0]
    groundings = ground(game)
    commands = [action.command for action in groundings.actions]
    assert commands == sorted(commands)
    possible = set(groundings.facts)
    for action in groundings.actions:
        assert possible.issuperset(action.preconditions)
        assert possible.issuperset(action.postconditions)
    assert set(game.facts) <= possible
