"""Update commands: how a belief changes from one step to the next, as text.

The difference of two graphs is a set of ``add`` and ``delete`` commands. Written out in a fixed
order they are what the command generator learns to write::

    add player livingroom at <sep> add exit livingroom west_of <sep> delete player bedroom at

(The paper prints the separator as ``<|>``; in the vocabulary it is ``<sep>``.)
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from gata.graph.extract import DIRECTIONS
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER, GraphVocabulary

Verb = Literal["add", "delete"]
VERBS: tuple[Verb, ...] = get_args(Verb)

SEPARATOR = "<sep>"
BEGIN = "<bos>"
END = "<eos>"


class UpdateCommand(NamedTuple):
    """Add an edge to a graph, or delete it."""

    verb: Verb
    triple: Triple

    def __str__(self) -> str:
        return f"{self.verb} {self.triple}"


class Parsed(NamedTuple):
    """What could be read of a text of commands."""

    commands: tuple[UpdateCommand, ...]
    """In the order of the text. Repeated ones count: what stands between may undo them."""
    ignored: int
    """How many commands made no sense, or were cut off, and have no effect."""


def difference(before: Iterable[Triple], after: Iterable[Triple]) -> tuple[UpdateCommand, ...]:
    """The commands, in the paper's order, that turn the graph ``before`` into ``after``."""
    before, after = frozenset(before), frozenset(after)
    added = [UpdateCommand("add", triple) for triple in after - before]
    deleted = [UpdateCommand("delete", triple) for triple in before - after]
    return ordered(added + deleted)


def ordered(commands: Iterable[UpdateCommand]) -> tuple[UpdateCommand, ...]:
    """The commands in the paper's order, each once.

    Additions first; then what concerns the player, the map, the recipe, where things are, what
    state they are in; ties by target and source in reverse alphabetical order.
    """
    return tuple(sorted(set(commands), key=_rank, reverse=True))


def _rank(command: UpdateCommand) -> tuple[bool | str, ...]:
    source, target, relation = command.triple
    return (
        command.verb == "add",
        source == "player",
        target == "player",
        relation in DIRECTIONS,
        relation == "part_of",
        relation != "is",
        relation == "needs",
        target,
        source,
        relation,
    )


def apply(graph: Iterable[Triple], commands: Iterable[UpdateCommand]) -> frozenset[Triple]:
    """The graph after the commands, in their order; needless ones change nothing."""
    edges = set(graph)
    for verb, triple in commands:
        if verb == "add":
            edges.add(triple)
        else:
            edges.discard(triple)
    return frozenset(edges)


def to_text(commands: Iterable[UpdateCommand]) -> str:
    """The commands in one line; empty if there are none."""
    return f" {SEPARATOR} ".join(map(str, commands))


def parse(text: str, vocabulary: GraphVocabulary = PAPER) -> Parsed:
    """Read commands that ``to_text`` or a model wrote.

    A command is a verb, two names of nodes and a relation. Names have several words and nothing
    stands between them, so they are told apart by the vocabulary: the first name is the shortest
    that is followed by a name. (Among the paper's nodes there is never a choice.)
    """
    pieces = [words for piece in text.split(SEPARATOR) if (words := piece.split())]
    read = [_parse_command(words, vocabulary) for words in pieces]
    commands = tuple(command for command in read if command is not None)
    return Parsed(commands, ignored=read.count(None))


def parse_generated(text: str, vocabulary: GraphVocabulary = PAPER) -> Parsed:
    """Read what a model generated, after its ``<bos>`` if it has one, up to its ``<eos>``.

    Without one the generation was cut off; its last command may be half a command and is ignored.
    """
    text = text.lstrip().removeprefix(BEGIN)
    finished, end, _ = text.partition(END)
    if end:
        return parse(finished, vocabulary)
    whole, _, rest = text.rpartition(SEPARATOR)
    commands, ignored = parse(whole, vocabulary)
    return Parsed(commands, ignored + bool(rest.strip()))


def _parse_command(words: list[str], vocabulary: GraphVocabulary) -> UpdateCommand | None:
    verb, names, relation = words[0], words[1:-1], words[-1]
    if verb not in VERBS or not vocabulary.is_relation(relation):
        return None
    for i in range(1, len(names)):
        source, target = " ".join(names[:i]), " ".join(names[i:])
        if vocabulary.is_node(source) and vocabulary.is_node(target):
            return UpdateCommand(verb, Triple(source, target, relation))
    return None
