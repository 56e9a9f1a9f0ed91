"""The comparison finds what differs and shows it in as few commands as possible."""

from dataclasses import replace

import pytest

from gata.engine.verify.compare import Duel, Move, replay, shortest
from gata.engine.verify.transcripts import EMPTY

COMMANDS = ("a", "b", "c", "d", "e")


class Counting:
    """A tiny world: commands are letters, the score counts them."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def reset(self):
        self.said = []
        return self.snapshot()

    def step(self, command):
        self.said.append(command)
        return self.snapshot()

    def close(self):
        pass

    def snapshot(self):
        return replace(
            EMPTY,
            commands=COMMANDS,
            score=len(self.said),
            feedback=self.said[-1:] and self.said[-1],
        )


class WrongAfter(Counting):
    """Miscounts once all of ``needed`` were said in this order (with anything between)."""

    def __init__(self, *needed):
        super().__init__()
        self.needed = needed

    def snapshot(self):
        rest = iter(self.said)
        is_wrong = all(letter in rest for letter in self.needed)
        right = super().snapshot()
        return replace(right, score=-1) if is_wrong else right


class Raising(Counting):
    def step(self, command):
        if command == "d":
            raise IndexError("out of bounds")
        return super().step(command)


def play(duel, commands):
    """Play letters; ``x`` is never admissible."""
    return replay(duel, [Move(command, command == "x") for command in commands])


def test_equal_players_do_not_differ():
    assert play(Duel(Counting(), Counting()), "abcdeedcba" * 3) is None


def test_difference_names_field_and_both_values():
    mismatch = play(Duel(Counting(), WrongAfter("c")), "abc")
    assert mismatch.commands == ("a", "b", "c")
    assert [tuple(difference) for difference in mismatch.differences] == [("score", 3, -1)]
    assert "score" in str(mismatch)
    assert "expected 3" in str(mismatch)


@pytest.mark.parametrize("needed", ["c", "ad", "eda", "bbb"])
def test_shortest_sequence_is_exactly_what_is_needed(needed):
    duel = Duel(Counting(), WrongAfter(*needed))
    mismatch = play(duel, "abecdacbdeabcedbacdeabbecda")
    assert shortest(duel, mismatch).commands == tuple(needed)


def test_exception_of_our_player_is_a_mismatch():
    duel = Duel(Counting(), Raising())
    found = shortest(duel, play(duel, "abcabcd"))
    assert found.commands == ("d",)
    assert "IndexError: out of bounds" in str(found)


def test_shrinking_never_uses_commands_that_no_longer_make_sense():
    class Opening(Counting):
        """``b`` is admissible only after ``a``."""

        def snapshot(self):
            commands = COMMANDS if "a" in self.said else ("a", "c")
            return replace(super().snapshot(), commands=commands)

    class OpeningWrong(Opening):
        def snapshot(self):
            right = super().snapshot()
            return replace(right, score=-1) if "b" in self.said else right

    duel = Duel(Opening(), OpeningWrong())
    found = shortest(duel, play(duel, "cacab"))
    assert found.commands == ("a", "b")


def test_refused_command_is_shown_with_its_own_refusal():
    class Refusing(Counting):
        """``x`` is never admissible; what is said to it depends on whether ``a`` was said."""

        def snapshot(self):
            text = "again" if "a" in self.said else "what"
            return replace(super().snapshot(), feedback=f"{text}>")

    class Silent(Refusing):
        def snapshot(self):
            right = super().snapshot()
            is_wrong = self.said[-1:] == ["x"] and "a" in self.said
            return replace(right, feedback="") if is_wrong else right

    duel = Duel(Refusing(), Silent())
    found = shortest(duel, play(duel, "bcxabdx"))
    assert found.commands == ("a", "x")


def test_commands_that_only_make_sense_together_go_together():
    class Door(Counting):
        """``a`` opens, ``b`` closes; ``c`` only while it is closed."""

        def snapshot(self):
            is_open = self.said.count("a") > self.said.count("b")
            return replace(super().snapshot(), commands=("b",) if is_open else ("a", "c"))

    class DoorWrong(Door):
        def snapshot(self):
            right = super().snapshot()
            return replace(right, score=-1) if self.said.count("c") == 2 else right

    duel = Duel(Door(), DoorWrong())
    found = shortest(duel, play(duel, "cabababc"))
    assert found.commands == ("c", "c")
