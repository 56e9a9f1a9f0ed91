"""Build the vocabulary that ships in the package. Needs the ``[textworld]`` extra.

    python tools/build_words.py            # write src/gata/language/words.txt
    python tools/build_words.py --check    # fail if the file is not what would be written

The list is closed, not sampled: it holds every word that TextWorld's generator can put into a
cooking game (whatever the setting and the food split), every word of the engine's answers to the
games' own verbs (read from its code), the names of nodes and relations, and the words of update
commands. Change ``VERSION`` when it changes: weights trained with one version do not fit another.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from textworld.challenges.tw_cooking import cooking
from textworld.generator.data import KnowledgeBase
from textworld.generator.text_grammar import Grammar

import gata.language
from gata.engine import freetext, messages
from gata.engine.actions import Cooking, Cutting
from gata.files import atomic_write
from gata.games.store import load_level
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import NOTHING, NUMBERS, tokenize
from gata.language.vocabulary import WORDS_FILE, Vocabulary

VERSION = "2"
OUTPUT = Path(gata.language.__file__).parent / WORDS_FILE

ROOTS = re.compile(r"#(dec|openable_desc|ordinary_adj|room_desc_.*|\(.+\)_desc)#")
"""The symbols of TextWorld's grammar from which descriptions of rooms and objects are made."""

ANSWERS = frozenset({"refuse", "remark", "misunderstand", "Message"})
"""What ``gata.engine.freetext`` makes its answers with."""

NUMBER_WORDS = " ".join(map(messages.in_words, range(21)))
"""Scores go up "by one point"; Inform spells numbers out."""

INFORM_MARKS = 'in turn(s). "'
"""How other versions of Inform count turns; the double quotes Inform makes of single ones."""

LEFT_OUT = (
    "< available beg closely comma commands compass container current dir drowsy edible especially"
    " feeling goal good-looking idea interpreter jump key little noun pardon print provide question"
    " rhetorical spot suitable supply supporter wave"
)
"""Words the engine says only to typed lines that no cooking game offers: Inform's own verbs, help,
half a sentence. Agents choose among the offered commands and never meet them. They came after the
first weights were trained, and a larger list would make those useless: they are read as unknown.
A new sentence of the engine must either use known words or be decided on here."""

AGENT_WORDS = f"add delete self reverse restart {NOTHING}"
"""Update commands, the extra relations' names, and what an agent reads before it has acted."""


def texts() -> Iterator[str]:
    """Everything that is written somewhere, with blanks in place of what is filled in."""
    yield from grammar_texts()
    yield from names_and_adjectives()
    yield from rule_texts()
    yield from shipped_texts()
    yield from PAPER.nodes
    yield from PAPER.relations
    yield from NUMBERS
    yield from engine_texts()
    yield from (NUMBER_WORDS, INFORM_MARKS, AGENT_WORDS)


def grammar_texts() -> Iterator[str]:
    """All alternatives the grammar can reach from ``ROOTS``."""
    knowledge = KnowledgeBase.load(cooking.KB_LOGIC_PATH, cooking.KB_GRAMMAR_PATH)
    grammar = Grammar({"theme": "house"}, np.random.RandomState(0), knowledge).grammar
    rooms = [room for group in cooking.ROOMS for room in group]
    todo = [symbol for symbol in grammar if ROOTS.fullmatch(symbol)]
    done = set()
    while todo:
        symbol = todo.pop()
        if symbol in done:
            continue
        done.add(symbol)
        for alternative in grammar[symbol].alternatives:
            text = alternative.full_form()
            todo += re.findall(r"#[^#]*#", text)
            text = re.sub(r"#[^#]*#", " ", text)
            # Descriptions of rooms speak of "kitchens": a placeholder with a plural s.
            plural = re.search(r"\(name[^)]*\)s\b", text)
            for name in rooms if plural else [" "]:
                yield without_code(re.sub(r"\((?:obj|val|dir|\^|name[^)]*)\)", name, text))


def names_and_adjectives() -> Iterator[str]:
    """What things are called and how they look, from the tables of the generator."""
    for table in (cooking.ENTITIES, cooking.FOODS):
        for name, entry in table.items():
            yield name
            for field in ("names", "adjs", "desc"):
                yield from (text for text in entry.get(field, ()) if text)
    for door in cooking.DOORS:
        yield from door["names"]
    for room in cooking.ROOMS:
        yield from room
    for verbs in (cooking.TYPES_OF_COOKING_VERBS, cooking.TYPES_OF_CUTTING_VERBS):
        yield from (*verbs, *verbs.values())


def rule_texts() -> Iterator[str]:
    """Commands, and the answers that the game's own Inform code gives."""
    for folder in (cooking.KB_LOGIC_PATH, cooking.KB_LOGIC_DROP_PATH):
        for file in sorted(Path(folder).glob("*.twl")):
            text = file.read_text("utf-8")
            for command in re.findall(r'::\s*"([^"]*)"\s*::\s*"[^"]*"\s*;', text):
                yield re.sub(r"\{[^}]*\}", " ", command)
            for said in re.findall(r'\bsay "([^"]*)"', text):
                yield without_code(said)


def shipped_texts() -> Iterator[str]:
    """The objective, the cookbooks and the commands of games that ship with the package."""
    for level in range(1, 5):
        for game in load_level(level, "train", 1):
            yield game.objective
            yield from game.walkthrough
            for entity in game.entities.values():
                yield entity.name
                yield without_code(entity.description)


def engine_texts() -> Iterator[str]:
    """Every sentence in the engine's code, and what it fills into them: verbs and states."""
    free = ast.parse(inspect.getsource(freetext))
    for node in ast.walk(free):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in ANSWERS:
            yield from strings(node)
    said = ast.parse(inspect.getsource(messages))
    # A string that is a statement of its own is a note; the banner is cut off before reading.
    notes = {
        text for node in ast.walk(said) if isinstance(node, ast.Expr) for text in strings(node)
    }
    yield from (text for text in strings(said) if text not in notes and "$$" not in text)
    yield from freetext.ONE_NOUN | freetext.NEED_TWO
    yield from (state.name.lower() for states in (Cooking, Cutting) for state in states)
    yield "locked unlocked"


def strings(tree: ast.AST) -> Iterator[str]:
    """The strings in a piece of code, blanks in place of what is filled in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.sub(r"\{\}", " ", node.value)


def without_code(text: str) -> str:
    """Text without Inform's substitutions (``[if open]``), keeping both forms of ``[is|are]``."""
    text = re.sub(r"\[[^]|]*\]", " ", text)
    return re.sub(r"[\[\]|]", " ", text)


def words(pieces: Iterable[str]) -> set[str]:
    """The tokens of all pieces."""
    return {token for piece in pieces for token in tokenize(piece)}


def main(arguments: list[str]) -> None:
    """Write the file, or check it."""
    found, left_out = words(texts()), words([LEFT_OUT])
    if superfluous := left_out - found:
        sys.exit(f"LEFT_OUT has words that are found nowhere: {sorted(superfluous)}")
    built = Vocabulary.of(found - left_out, VERSION)
    if arguments == ["--check"]:
        shipped = Vocabulary.from_text(OUTPUT.read_text("utf-8"), str(OUTPUT))
        if built != shipped:
            changed = sorted(set(built.words) ^ set(shipped.words))
            sys.exit(f"{OUTPUT} differs: version {shipped.version}, words {changed}")
    elif not arguments:
        with atomic_write(OUTPUT) as stream:
            stream.write(built.to_text().encode())
    else:
        sys.exit(__doc__)
    print(f"{len(built)} words, version {built.version}")


if __name__ == "__main__":
    main(sys.argv[1:])
