"""Which rules, and which variants of their messages, a comparison has really seen.

The table is written down in full (``ROWS``), so that a rule nobody met shows as a zero, and a
message nobody thought of shows as a row of its own (rule ``unknown``).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from gata.engine.verify.snapshot import Snapshot, room_of


class Row(NamedTuple):
    """One variant of one rule."""

    rule: str
    variant: str


class Moment(NamedTuple):
    """One compared step, as the rows see it."""

    command: str
    """Empty for the start of a game."""
    message: str
    """The feedback without prompt, score line and ending."""
    before: Snapshot | None
    after: Snapshot
    is_over: bool
    """The game had ended before this command."""


_LIST = r"(?P<list>[^.]+)"
_GONE = "You can't see any such thing."
_GUESS = re.compile(r"^\([^)]+\)\n")
"""What the parser says when words fit several things and it takes one."""
_SCORE_LINE = re.compile(r"Your score has just gone up by \w+ points?\.")
_CUT_VERBS = {"slice": "sliced", "dice": "diced", "chop": "chopped"}
_HEAT = {"stove": "fried", "oven": "roasted", "BBQ": "grilled"}
_STATES = ("raw", "burned", *_HEAT.values(), *_CUT_VERBS.values())
_HOW_MANY = ("one thing", "two things", "three things or more")

Test = Callable[[Moment], bool]


def _says(pattern: str) -> Test:
    compiled = re.compile(pattern, re.DOTALL)
    return lambda moment: compiled.fullmatch(moment.message) is not None


def _shows(pattern: str) -> Test:
    compiled = re.compile(pattern, re.DOTALL)
    return lambda moment: compiled.search(moment.message) is not None


def _holds(*predicates: str) -> Test:
    """The command's first noun satisfied one of ``predicates`` before the command."""

    def test(moment: Moment) -> bool:
        noun = _noun(moment)
        assert moment.before is not None
        return any(
            triple.relation == "is" and triple.source == noun and triple.target in predicates
            for triple in moment.before.full_graph
        )

    return test


def _left(relation: str) -> Test:
    """Something stood in ``relation`` (in, on) to a thing (not the player) and no longer does."""

    def test(moment: Moment) -> bool:
        assert moment.before is not None
        return any(
            fact.predicate == relation and fact.arguments[1].type != "I"
            for fact in moment.before.facts - moment.after.facts
        )

    return test


def _noun(moment: Moment) -> str:
    words = moment.command.split(" ", 1)[1]
    return re.split(r" (?:from|with|on|into) ", words)[0].lower()


def _is_meal(moment: Moment) -> bool:
    return _noun(moment) == "meal"


def _both(*tests: Test) -> Test:
    return lambda moment: all(test(moment) for test in tests)


def _not(test: Test) -> Test:
    return lambda moment: not test(moment)


_CONTAINS = _shows(r"\n\nIn the [^.]+ (?:is|are) [^.]+\.$")
_SUPPORTS = _shows(r"\n\nOn the [^.]+ (?:is|are) [^.]+\.$")
_FLOOR = _shows(r"There is [^.]+ on the floor\.$")


def _through_a_door(moment: Moment) -> bool:
    """Whether a door stands between the room left and the room entered."""
    assert moment.before is not None
    rooms = {room_of(moment.before.facts), room_of(moment.after.facts)}
    return any(
        fact.predicate == "link" and {fact.ids[0], fact.ids[2]} == rooms
        for fact in moment.after.facts
    )


_BY_VERB: Mapping[str, tuple[tuple[str, Test], ...]] = {
    "start": (("things on the floor", _FLOOR), ("empty floor", lambda moment: True)),
    "look": (
        ("things on the floor", _FLOOR),
        ("empty floor", _says(r"-= .*")),
    ),
    "go": (
        ("through a door, things on the floor", _both(_through_a_door, _FLOOR)),
        ("through a door, empty floor", _both(_through_a_door, _says(r"-= .*"))),
        ("no door, things on the floor", _FLOOR),
        ("no door, empty floor", _says(r"-= .*")),
    ),
    "inventory": (
        ("nothing", _says(r"You are carrying nothing\.")),
        ("something", _says(rf"You are carrying: {_LIST}\.")),
    ),
    "examine": (
        ("cookbook", _shows(r"Recipe #1\n")),
        ("supporter with things on it", _SUPPORTS),
        ("open container with things in it", _CONTAINS),
        ("container", _both(_holds("open", "closed"), _not(_CONTAINS))),
        ("nothing special", _says(r"You see nothing special about the [^.]+\.")),
        (
            "changed food (TextWorld does not notice)",
            lambda moment: moment.after.last_action is None,
        ),
        ("anything else", _says(r"[^\[<]+")),
    ),
    "open": (
        ("which of two?", _says(r"\([^)]+\)\nYou open [^.]+\.")),
        # Doors have names of their own, without an article.
        ("door", _says(r"You open (?!the )[^.]+\.")),
        ("container, revealing things", _says(rf"You open the [^.]+, revealing {_LIST}\.")),
        ("empty container", _says(r"You open the [^.]+\.")),
    ),
    "close": (
        ("which of two?", _says(r"\([^)]+\)\nYou close [^.]+\.")),
        # Doors have names of their own, without an article.
        ("door", _says(r"You close (?!the )[^.]+\.")),
        ("container", _says(r"You close the [^.]+\.")),
    ),
    "take": (
        ("from the floor", _says(r"You pick up the [^.]+ from the ground\.")),
        (
            "from a container",
            _both(_left("in"), _says(r"You take the [^.]+ from the [^.]+\.")),
        ),
        (
            "from a supporter",
            _both(_left("on"), _says(r"You take the [^.]+ from the [^.]+\.")),
        ),
        ("too much in hand", _says(r"You're carrying too many things already\.")),
    ),
    "lock": (("", _says(r"You lock [^.]+\.")),),
    "unlock": (("", _says(r"You unlock [^.]+\.")),),
    "drop": (("", _says(r"You drop the [^.]+ on the ground\.")),),
    "put": (("", _says(r"You put the [^.]+ on the [^.]+\.")),),
    "insert": (("", _says(r"You put the [^.]+ into the [^.]+\.")),),
    "eat": (
        ("meal", _both(_is_meal, _says(r"You eat the meal\. Not bad\."))),
        ("food", _says(r"You eat the [^.]+\. Not bad\.")),
    ),
    "drink": (("", _says(r"You drink the [^.]+\. Not bad\.")),),
    **{verb: (("", _says(rf"You {verb} the [^.]+\.")),) for verb in _CUT_VERBS},
    **{
        f"cook with {device}": (
            ("meal", _both(_is_meal, _says(rf"You {cooked} the meal\."))),
            ("meal, burned", _both(_is_meal, _says(r"You burned the meal!"))),
            ("raw food", _both(_holds("raw"), _says(rf"You {cooked} the [^.]+\."))),
            ("food that needs it", _says(rf"You {cooked} the [^.]+\.")),
            ("burned", _says(r"You burned the [^.]+!")),
        )
        for device, cooked in _HEAT.items()
    },
    "prepare": (
        ("meal", _says(r"Adding the meal to your inventory\.")),
        ("something is missing", _says(r"You still miss something\.")),
        ("something is not cooked", _says(r"Something still needs to be cooked\.")),
        ("something is not cut", _says(r"Something still needs to be cut\.")),
    ),
}


_REFUSALS: tuple[tuple[str, Test], ...] = tuple(
    (variant, _says(pattern))
    for variant, pattern in (
        ("no such thing in sight", r"You can't see any such thing\."),
        ("no such verb", r"That's not a verb I recognise\."),
        ("too many words", r"I only understood you as far as wanting to [^.]+\."),
        ("not to be opened or closed", r"It isn't something you can (?:open|close)\."),
        ("open or closed already", r"That's already (?:open|closed)\."),
        ("locked", r"You have to unlock the [^.]+ with the [^.]+ first\."),
        ("locked for ever", r"The [^.]+ is welded shut\."),
        ("fixed in place", r"That's fixed in place\.|The [^.]+ is fixed in place\."),
        ("carried already", r"You already have that\."),
        ("not carried", r"You haven't got that\.|You need to take the [^.]+ first\."),
        ("here already", r"[^.]+ is already here\."),
        ("not to be eaten", r"That's plainly inedible\."),
        ("not to be eaten uncooked", r"You should cook the [^.]+ first\."),
        ("not to be drunk", r"You cannot drink the [^.]+\.|There's nothing [^.]+ drink here\."),
        ("not to be cut", r"Can only cut cuttable food\."),
        ("cut already", r"[^.]+ is already (?:sliced|diced|chopped)\."),
        ("not to be cut with", r"Cutting something requires a knife\."),
        ("not to be cooked", r"Can only cook food\."),
        ("not to be cooked with", r"Cooking requires a source of heat\."),
        ("on or in itself", r"You can't put something (?:on top of|inside) itself\."),
        ("not to be put on", r"Putting things on [^.]+ would achieve nothing\."),
        ("not to be put into", r"That can't contain things\."),
        ("into something closed", r"[^.]+ is closed\."),
        ("no way there", r"You can't go that way\."),
        ("a closed door", r"You have to open the [^.]+ first\."),
        ("not in the kitchen", r"Can only prepare meal in the [^.]+\."),
        ("no lock", r"That doesn't seem to be something you can (?:un)?lock\."),
        ("another key", r"That doesn't seem to fit the lock\."),
        ("locked or unlocked already", r"That's (?:un)?locked at the moment\."),
        ("to be closed before it is locked", r"First you would have to close [^.]+\."),
    )
)
"""What is said to commands that are not admissible."""


def _losses() -> Iterator[tuple[str, Test]]:
    def verb(*verbs: str) -> Test:
        return lambda moment: moment.command.split()[0] in verbs

    burned = _says(r"You burned the [^.]+!")
    yield "burned the meal", _both(verb("cook"), _is_meal, burned)
    yield "burned an ingredient", _both(verb("cook"), burned)
    yield "cooked an ingredient in the wrong way", verb("cook")
    yield "cut an ingredient in the wrong way", verb(*_CUT_VERBS)
    yield "ate an ingredient", verb("eat")
    yield "drank an ingredient", verb("drink")
    yield "took the wrong thing (other challenges)", verb("take")


_LOSSES = tuple(_losses())
_SCORING = ("take", "cook", "cut", "prepare", "eat")
_SCORING_ELSEWHERE = "something else (other challenges)"
_LISTS = ("carried", "on the floor", "in a container", "on a supporter")

UNKNOWN = "unknown"

ROWS: tuple[Row, ...] = (
    *(Row(verb, variant) for verb, variants in _BY_VERB.items() for variant, _ in variants),
    Row("any", "a thing that was drunk, admissible by an oversight"),
    *(Row("refused", variant) for variant, _ in _REFUSALS),
    *(Row("score", f"for {what}") for what in (*_SCORING, _SCORING_ELSEWHERE)),
    Row("end", "won"),
    *(Row("end", f"lost: {how}") for how, _ in _LOSSES),
    Row("end", "any command after the end"),
    *(Row("list", f"{where}: {number}") for where in _LISTS for number in _HOW_MANY),
    *(Row("name", state) for state in _STATES),
    *(
        Row("name", f"{cut} {cooked}")
        for cut in _CUT_VERBS.values()
        for cooked in ("raw", "burned", *_HEAT.values())
    ),
)
"""Every row there is, in the order in which the table is printed."""


def rows_of(moment: Moment) -> Iterator[Row]:
    """The rows one step belongs to: the rule's variant, and what else was on show."""
    if moment.is_over:
        yield Row("end", "any command after the end")
        return
    yield _rule_row(moment)
    verb = moment.command.split(" ", 1)[0]
    if _SCORE_LINE.search(moment.after.feedback):
        what = "cut" if verb in _CUT_VERBS else verb
        yield Row("score", f"for {what if what in _SCORING else _SCORING_ELSEWHERE}")
    if moment.after.won:
        yield Row("end", "won")
    if moment.after.lost:
        how = next((how for how, test in _LOSSES if test(moment)), None)
        yield Row("end", f"lost: {how}") if how else Row(UNKNOWN, f"loss by {verb}")
    yield from _lists(moment.after)
    yield from _names(moment.after)


def _rule_row(moment: Moment) -> Row:
    verb = moment.command.split(" ", 1)[0] or "start"
    without_guess = moment._replace(message=_GUESS.sub("", moment.message))
    if moment.before is not None and moment.command not in moment.before.commands:
        for variant, test in _REFUSALS:
            if test(without_guess):
                return Row("refused", variant)
    if moment.message == _GONE:
        return Row("any", "a thing that was drunk, admissible by an oversight")
    if verb == "cook":
        verb = "cook with " + moment.command.rsplit(" with ", 1)[1]
    for variant, test in _BY_VERB.get(verb, ()):
        if test(moment) or test(without_guess):
            return Row(verb, variant)
    return Row(UNKNOWN, f"{verb}: {moment.message[:60]}")


def _lists(snapshot: Snapshot) -> Iterator[Row]:
    text = f"{snapshot.description}\n{snapshot.inventory}"
    for where, pattern in (
        ("carried", rf"You are carrying: {_LIST}\."),
        ("on the floor", rf"There is {_LIST} on the floor\."),
    ):
        for match in re.finditer(pattern, text):
            yield Row("list", f"{where}: {_how_many(match['list'])}")
    for where, relation, type_ in (("in a container", "in", "c"), ("on a supporter", "on", "s")):
        holders = Counter(
            fact.arguments[1].id
            for fact in snapshot.facts
            if fact.predicate == relation and fact.arguments[1].type == type_
        )
        yield from (Row("list", f"{where}: {_HOW_MANY[min(n, 3) - 1]}") for n in holders.values())


def _how_many(things: str) -> str:
    return _HOW_MANY[min(2, things.count(",") + things.count(" and "))]


def _names(snapshot: Snapshot) -> Iterator[Row]:
    words = re.findall(r"[a-z]+", f"{snapshot.description} {snapshot.inventory}")
    pairs = {" ".join(pair) for pair in pairwise(words)}
    seen = pairs | set(words)
    yield from (row for row in ROWS if row.rule == "name" and row.variant in seen)


def moment(
    command: str, before: Snapshot | None, after: Snapshot, *, is_over: bool = False
) -> Moment:
    """A step as the rows see it."""
    text = after.feedback.split("$$$$$$$ \n")[-1] if before is None else after.feedback
    text = re.split(r"\n>? {128,}-=| {40,}\*\*\* ", text)[0]
    return Moment(command, _SCORE_LINE.sub("", text).strip(), before, after, is_over)


class Coverage:
    """How often each row was seen."""

    def __init__(self, counts: Iterable[tuple[Row, int]] = ()) -> None:
        self._counts: Counter[Row] = Counter(dict(counts))

    def add(self, moment: Moment) -> None:
        """Count one step."""
        self._counts.update(set(rows_of(moment)))

    def update(self, other: "Coverage") -> None:
        """Add another table's counts."""
        self._counts.update(other._counts)

    def table(self) -> list[tuple[Row, int]]:
        """Every row with its count, known rows first, whether they were seen or not."""
        unknown = sorted(row for row in self._counts if row not in _KNOWN)
        return [(row, self._counts[row]) for row in (*ROWS, *unknown)]

    def missing(self) -> list[Row]:
        """The rows that were never seen."""
        return [row for row in ROWS if not self._counts[row]]

    def unknown(self) -> list[Row]:
        """Messages that fit no row."""
        return [row for row in self._counts if row.rule == UNKNOWN]

    def to_json(self) -> list[list[str | int]]:
        """For a report: ``[rule, variant, count]`` per row."""
        return [[*row, count] for row, count in self.table()]

    @classmethod
    def from_json(cls, data: Iterable[list[str | int]]) -> "Coverage":
        """Read what ``to_json`` wrote."""
        return cls((Row(str(rule), str(variant)), int(n)) for rule, variant, n in data)


_KNOWN = frozenset(ROWS)
