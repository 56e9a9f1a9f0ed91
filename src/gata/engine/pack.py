"""Many compiled games laid end to end, with one table of texts and one of commands."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gata.engine import messages
from gata.engine.actions import Kind
from gata.engine.compiler import CompiledGame
from gata.engine.tables import FIELDS, GAME_BITS, GAME_NUMBERS, POOLS, Array, Tables
from gata.engine.templates import Do
from gata.errors import GataError
from gata.language.tokenizer import LARGEST_NUMBER, tokenize
from gata.language.vocabulary import Vocabulary

UNSPOKEN = (messages.Fixed.BANNER,)
"""Texts the reader never gets to see: they have no tokens."""


@dataclass(frozen=True)
class Pack:
    """Games ready to be played together."""

    tables: Tables
    texts: tuple[str, ...]
    commands: tuple[str, ...]
    """Every command of every game, sorted; ids of candidates point here."""
    headings: tuple[tuple[str, ...], ...]
    """Room headings of each game."""
    names: tuple[str, ...]
    """The games' names."""

    def __len__(self) -> int:
        return len(self.names)

    def numbers(self, name: str) -> Array:
        """One of ``GAME_NUMBERS`` for every game."""
        column: Array = self.tables.number[:, GAME_NUMBERS.index(name)]
        return column


def pack(games: Sequence[CompiledGame], vocabulary: Vocabulary) -> Pack:
    """Lay compiled games end to end."""
    if not games:
        raise GataError("no games to play: the list is empty")
    texts, text_maps = _shared_texts(games)
    commands = tuple(sorted({command for game in games for command in game.commands}))
    command_number = {command: i for i, command in enumerate(commands)}
    start = np.zeros((len(games) + 1, len(POOLS)), np.int64)
    np.cumsum([game.sizes for game in games], axis=0, out=start[1:])
    if start.max() >= np.iinfo(np.int32).max:
        raise GataError(f"{len(games)} games are too many for one batch")

    merged: dict[str, Array] = {}
    for name, field in FIELDS.items():
        parts = []
        for index, game in enumerate(games):
            values = game.arrays[name]
            if field.refers == "text":
                values = text_maps[index][values]
            elif field.refers == "command":
                values = np.array([command_number[c] for c in game.commands], np.int32)
            elif field.refers is not None:
                values = values + start[index, POOLS.index(field.refers)]
            parts.append(values)
        if field.refers in POOLS:
            parts.append(start[-1:, POOLS.index(str(field.refers))])
        merged[name] = np.concatenate(parts).astype(field.dtype)

    change = max(1, *(int(np.abs(game.arrays["quest_reward"]).sum()) for game in games))
    score_text = np.array(
        [_append(texts, messages.score_line(points)) for points in range(-change, change + 1)],
        np.int32,
    )
    token_start, token = _tokens(list(texts), vocabulary)
    tables = Tables(
        **merged,
        number=np.array([game.numbers for game in games], np.int32),
        start=start.astype(np.int32),
        text=np.array(
            [text_maps[i][list(game.game_texts)] for i, game in enumerate(games)], np.int32
        ),
        **{f"initial_{name}": _padded([game.bits[name] for game in games]) for name in GAME_BITS},
        token_start=token_start,
        token=token,
        number_token=np.array(
            [vocabulary.id(str(number)) for number in range(LARGEST_NUMBER + 1)], np.int32
        ),
        score_text=score_text,
    )
    return Pack(
        tables=tables,
        texts=(*messages.FIXED_TEXT.values(), *list(texts)[len(messages.Fixed) :]),
        commands=commands,
        headings=tuple(game.headings for game in games),
        names=tuple(game.name for game in games),
    )


def _shared_texts(games: Sequence[CompiledGame]) -> tuple[dict[str, int], list[Array]]:
    """All texts once, fixed pieces first, and for each game the new numbers of its texts."""
    fixed = len(messages.Fixed)
    # Fixed pieces keep their numbers even where two have the same text.
    texts: dict[str, int] = {f"\0{i}": i for i in range(fixed)}
    maps: list[Array] = []
    for game in games:
        own = [*range(fixed), *(_append(texts, text) for text in game.texts[fixed:])]
        maps.append(np.array(own, np.int32))
    return texts, maps


def _append(texts: dict[str, int], text: str) -> int:
    return texts.setdefault(text, len(texts))


def _tokens(texts: list[str], vocabulary: Vocabulary) -> tuple[Array, Array]:
    start = [0]
    tokens: list[int] = []
    for number, text in enumerate(texts):
        if number < len(messages.Fixed):
            piece = messages.Fixed(number)
            text = "" if piece in UNSPOKEN else messages.FIXED_TEXT[piece]
        tokens.extend(vocabulary.encode(tokenize(text)))
        start.append(len(tokens))
    return np.array(start, np.int32), np.array(tokens, np.int32)


def _padded(rows: Sequence[Array]) -> Array:
    table = np.zeros((len(rows), max(len(row) for row in rows)), rows[0].dtype)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


ENDING_PIECES = 12
"""More pieces than a reply has beyond its description: score line, ending, prompt, white space."""


@dataclass(frozen=True)
class Widths:
    """How wide the rows of a state and of the outputs must be: no game can pass these."""

    entities: int
    quests: int
    description: int
    feedback: int
    inventory: int
    description_tokens: int
    feedback_tokens: int
    inventory_tokens: int
    candidates: int
    edges: int

    @classmethod
    def of(cls, tables: Tables) -> "Widths":
        """The widths for the largest of the packed games, each measured on its own."""
        rows = [cls._of_game(tables, game) for game in range(len(tables.number))]
        return cls(*(max(1, *column) for column in zip(*rows, strict=True)))

    @staticmethod
    def _of_game(tables: Tables, game: int) -> tuple[int, ...]:
        number = dict(zip(GAME_NUMBERS, tables.number[game].tolist(), strict=True))
        length = np.diff(tables.token_start)

        def own(pool: str) -> slice:
            column = POOLS.index(pool)
            return slice(*map(int, tables.start[game : game + 2, column]))

        portable = int(np.sum(tables.entity_kind[own("entity")] & Kind.PORTABLE != 0))
        listed = portable * (1 + int(length[tables.name_listed[own("name")]].max(initial=0)))
        entities = own("entity")
        starts = tables.entity_program[entities.start : entities.stop + 1]
        longest_name = int(length[tables.name_plain[own("name")]].max(initial=0))
        spoken = length[tables.program_text] * (tables.program_do == Do.SAY) + longest_name * (
            tables.program_do == Do.NAME
        )
        totals = np.concatenate([[0], np.cumsum(spoken)])
        pieces = int(np.diff(starts).max()) + 2 * portable + ENDING_PIECES
        tokens = int(np.diff(totals[starts]).max()) + listed
        said = [tables.action_text[own("action")], tables.action_other_text[own("action")]]
        longest_reply = int(length[np.concatenate(said)].max(initial=0))
        ending = int(sum(length[piece] for piece in messages.Fixed)) + 3 * ENDING_PIECES
        intro = int(length[tables.text[game]].sum())
        score = int(length[tables.score_text].max())
        return (
            number["entities"],
            number["quests"],
            pieces,
            pieces + ENDING_PIECES,
            2 * portable + 2,
            tokens + ending,
            tokens + longest_reply + ending + intro + score,
            listed + ending,
            number["actions"],
            number["edges"],
        )
