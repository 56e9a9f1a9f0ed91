"""Many compiled games laid end to end, with one table of texts and one of commands."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gata.engine import messages
from gata.engine.actions import MOVING, Kind
from gata.engine.compiler import CompiledGame
from gata.engine.tables import (
    BIT_FIELDS,
    FIELDS,
    GAME_NUMBERS,
    HEAD,
    INFO,
    OUTPUT_NUMBERS,
    OUTPUT_ROWS,
    PER_GAME,
    POOLS,
    SHARED,
    STATE_BITS,
    STATE_ROWS,
    Array,
    Tables,
)
from gata.engine.templates import Do
from gata.errors import GataError
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language.tokenizer import LARGEST_NUMBER, tokenize
from gata.language.vocabulary import Vocabulary

UNSPOKEN = (messages.Fixed.BANNER,)
"""Texts the reader never gets to see: they have no tokens."""

ENDING_PIECES = 12
"""More pieces than a reply has beyond its description: score line, ending, prompt, white space."""


_REPLIES = ("action_text", "action_other_text", "entity_holds_one", "entity_holds_more")
"""Fields of texts of which a reply has at most one."""


@dataclass(frozen=True)
class Pack:
    """Games ready to be played together."""

    tables: Tables
    widths: Mapping[str, int]
    """How wide each part of a state or output row is; see ``tables.HEAD``."""
    texts: tuple[str, ...]
    commands: tuple[str, ...]
    """Every command of every game, sorted; ids of candidates point here."""
    headings: tuple[tuple[str, ...], ...]
    """Room headings of each game."""
    names: tuple[str, ...]
    """The games' names."""
    max_scores: tuple[int, ...]
    vocabulary: Vocabulary
    """The words of its tokens."""
    graph: GraphVocabulary
    """The nodes and relations of its edges."""

    def __post_init__(self) -> None:
        for table in self.tables:
            table.flags.writeable = False  # the kernel follows these numbers wherever they lead

    def __len__(self) -> int:
        return len(self.names)

    def offset(self, part: str) -> int:
        """Where a part of a state's or output's row begins."""
        return int(self.tables.numbers[HEAD.index(part)])

    def game_number(self, game: int, name: str) -> int:
        """One of ``tables.GAME_NUMBERS``."""
        place = self.offset("number") + game * len(GAME_NUMBERS) + GAME_NUMBERS.index(name)
        return int(self.tables.numbers[place])

    @cached_property
    def identity(self) -> int:
        """64 bits by which packs are told apart: the same for the same games in the same order."""
        digest = hashlib.sha256("\n".join(self.names).encode())
        for table in self.tables:
            digest.update(f"{table.dtype} {table.shape}\n".encode())
            digest.update(table.tobytes())
        return int.from_bytes(digest.digest()[:8], "little")


def pack(
    games: Sequence[CompiledGame], vocabulary: Vocabulary, graph: GraphVocabulary = PAPER
) -> Pack:
    """Lay games end to end that were compiled for ``graph``."""
    if not games:
        raise GataError("no games to play: the list is empty")
    texts, text_maps = _shared_texts(games)
    commands = tuple(sorted({command for game in games for command in game.commands}))
    command_number = {command: i for i, command in enumerate(commands)}
    start = np.zeros((len(games) + 1, len(POOLS)), np.int64)
    np.cumsum([game.sizes for game in games], axis=0, out=start[1:])

    tables: dict[str, Array] = {}
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
            parts.append(start[-1:, POOLS.index(field.refers)])
        tables[name] = np.concatenate(parts)

    change = max(1, *(int(game.arrays["quest_reward"].sum()) for game in games))
    tables["score_text"] = np.array(
        [_append(texts, messages.score_line(points)) for points in range(-change, change + 1)]
    )
    tables["token_start"], tables["token"] = _tokens(list(texts), vocabulary)
    tables["number_token"] = np.array(
        vocabulary.encode(str(number) for number in range(LARGEST_NUMBER + 1))
    )
    tables["number"] = np.array([game.numbers for game in games])
    tables["start"] = start
    tables["text"] = np.array([text_maps[i][list(g.game_texts)] for i, g in enumerate(games)])

    bits = {name: _padded([game.bits[name] for game in games]) for name in STATE_BITS}
    widths = _widths(tables, {name: table.shape[1] for name, table in bits.items()})
    return Pack(
        tables=Tables(
            numbers=_flat(tables, widths, change, len(games)),
            mask_all=tables["mask_all"],
            mask_filtered=tables["mask_filtered"],
            initial_bits=np.concatenate(list(bits.values()), axis=1),
        ),
        widths=widths,
        texts=(
            *(messages.FIXED_TEXT[piece] for piece in messages.Fixed),
            *list(texts)[len(messages.Fixed) :],
        ),
        commands=commands,
        headings=tuple(game.headings for game in games),
        names=tuple(game.name for game in games),
        max_scores=tuple(tables["number"][:, GAME_NUMBERS.index("max_score")].tolist()),
        vocabulary=vocabulary,
        graph=graph,
    )


def _flat(tables: Mapping[str, Array], widths: Mapping[str, int], change: int, games: int) -> Array:
    """The tables behind one another, after a head that says where each begins."""
    head: dict[str, int] = {"score_range": change, "games": games}
    for parts, begin, prefix in (
        (STATE_ROWS, len(INFO), "state"),
        (STATE_BITS, 0, "bits"),
        (OUTPUT_ROWS, len(OUTPUT_NUMBERS), "output"),
    ):
        for part in parts:
            head[f"{prefix}_{part}"] = begin
            begin += widths[f"{prefix}_{part}"]
    names = [*(name for name in FIELDS if name not in BIT_FIELDS), *SHARED, *PER_GAME]
    place = len(HEAD)
    for name in names:
        head[name] = place
        place += tables[name].size
    if place >= np.iinfo(np.int32).max:
        raise GataError(f"{games} games are too many for one engine")
    first = np.array([head[name] for name in HEAD])
    return np.concatenate([first, *(tables[name].ravel() for name in names)]).astype(np.int32)


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
    return np.array(start), np.array(tokens)


def _padded(rows: Sequence[Array]) -> Array:
    table = np.zeros((len(rows), max(len(row) for row in rows)), rows[0].dtype)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


def _widths(tables: Mapping[str, Array], words: Mapping[str, int]) -> dict[str, int]:
    """Widths no game can pass: for each part, the largest that any one game needs."""
    widths = {f"bits_{name}": count for name, count in words.items()}
    for game in range(len(tables["number"])):
        for name, width in _game_widths(tables, game).items():
            widths[name] = max(1, width, widths.get(name, 1))
    return widths


def _game_widths(tables: Mapping[str, Array], game: int) -> dict[str, int]:
    number = dict(zip(GAME_NUMBERS, tables["number"][game].tolist(), strict=True))
    length = np.diff(tables["token_start"])

    def own(field: str) -> Array:
        column = POOLS.index(FIELDS[field].pool)
        first, end = tables["start"][game : game + 2, column].tolist()
        extra = FIELDS[field].refers in POOLS  # the end of the last item
        return tables[field][first : end + extra]

    # Each listed thing costs its name and a separator.
    listed, times = _listings(own)
    longest_name = int(length[own("name_plain")].max(initial=0))
    listed_tokens = listed * (1 + int(length[own("name_listed")].max(initial=0)))
    spoken = length[own("program_text")] * (own("program_do") == Do.SAY)
    spoken += longest_name * (own("program_do") == Do.NAME)
    totals = np.concatenate([[0], np.cumsum(spoken)])
    begins = own("entity_program") - tables["start"][game, POOLS.index("program")]
    program_pieces = int(np.diff(begins).max())
    program_tokens = int(np.diff(totals[begins]).max())
    replies = np.concatenate(
        [
            own(f)
            for f in ("action_text", "action_other_text", "entity_holds_one", "entity_holds_more")
        ]
    )
    fixed_tokens = int(length[: len(messages.Fixed)].sum()) + 3 * ENDING_PIECES
    reply_tokens = int(length[replies].max(initial=0)) + int(length[tables["text"][game]].sum())
    reply_tokens += int(length[own("action_clash_text")].max(initial=0))
    score_tokens = int(length[tables["score_text"]].max())
    description = program_pieces + 2 * listed * times + ENDING_PIECES
    description_tokens = program_tokens + listed_tokens * times + fixed_tokens
    return {
        **dict.fromkeys((f"state_{name}" for name in STATE_ROWS[:6]), number["entities"]),
        "state_quests": number["quests"],
        "state_feedback": description + ENDING_PIECES,
        "state_description": description,
        "state_inventory": 2 * listed + 2,
        "output_observation": description_tokens + reply_tokens + score_tokens,
        "output_description": description_tokens,
        "output_inventory": listed_tokens + fixed_tokens,
        "output_candidates": number["actions"],
        "output_full_edges": number["edges"],
        "output_seen_edges": number["edges"],
    }


def _listings(own: Callable[[str], Array]) -> tuple[int, int]:
    """How many things texts can list, and how often the same thing in one text.

    ``own`` gives a game's part of a table. A thing is held by one holder at a time; a text lists
    what a holder holds as often as its program says so, and once more at the end for the room or
    thing that it describes.
    """
    kinds, parents = own("entity_kind"), own("entity_parent")
    is_list = own("program_do") == Do.LIST
    holders = own("program_entity")[is_list]
    can_be_listed = kinds & Kind.PORTABLE != 0
    can_be_listed |= (parents >= 0) & (kinds[parents] & Kind.ROOM == 0)
    can_be_listed[own("action_first")[np.isin(own("action_op"), MOVING)]] = True
    if (kinds[holders] & Kind.ROOM).any():
        can_be_listed[:] = True
    entities = np.arange(len(kinds))
    describes = np.repeat(entities, np.diff(own("entity_program")))[is_list]
    pairs = np.concatenate([describes * len(kinds) + holders, entities * (len(kinds) + 1)])
    return int(can_be_listed.sum()), int(np.unique(pairs, return_counts=True)[1].max())
