"""From games played to a corpus: everything repeated gets a number and is stored once."""

import itertools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from gata.language.tokenizer import tokenize
from gata.language.vocabulary import default
from gata.pretrain.data.corpus import Array, Corpus, Ragged, Request
from gata.pretrain.data.play import Moment, Played
from gata.pretrain.data.updates import update_tokens

_NO_EDGES = b""


class Numbering:
    """Gives equal rows the same number, in the order of their first appearance."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._numbers: dict[bytes, int] = {}

    def number(self, row: bytes) -> int:
        """The row's number."""
        return self._numbers.setdefault(row, len(self._numbers))

    def add(self, rows: Ragged) -> Array:
        """(rows,) int32: the numbers of many."""
        values = np.ascontiguousarray(rows.values, self._dtype).tobytes()
        ends = (rows.offsets * self._dtype.itemsize).tolist()
        numbers = [self.number(values[begin:end]) for begin, end in itertools.pairwise(ends)]
        return np.array(numbers, np.int32)

    def rows(self) -> Ragged:
        """All different rows."""
        sizes = np.fromiter(map(len, self._numbers), np.int64, len(self._numbers))
        return Ragged(
            np.frombuffer(b"".join(self._numbers), self._dtype),
            np.cumsum([0, *(sizes // self._dtype.itemsize)], dtype=np.int64),
        )


class Recorder:
    """Takes games one after another; ``corpus`` is all of them."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._games: list[str] = []
        self._left_out = 0
        self._texts = Numbering(np.int16)
        self._words: dict[str, bytes] = {}
        self._commands = Numbering(np.int16)
        self._graphs = Numbering(np.int32)
        self._graphs.number(_NO_EDGES)
        self._updates = Numbering(np.int16)
        self._records: list[tuple[int, ...]] = []
        self._paths: list[list[int]] = []
        self._path_new: list[int] = []
        self._choices: list[tuple[int, int, int]] = []
        self._choice_offsets = [0]
        self._options: list[tuple[int, int, int]] = []

    def add(self, played: Played) -> None:
        """Record one more game."""
        self._games.append(played.game)
        self._left_out += played.left_out
        walked: list[int] = []
        before = _NO_EDGES
        for moment, branch, options in zip(
            played.walk, played.branches, played.options, strict=True
        ):
            walked.append(self._record(moment, walked[-1] if walked else -1, before))
            before = moment.seen
            self._add_path(walked, moment, branch)
            self._add_choice(moment, options)

    def _add_path(self, walked: list[int], moment: Moment, branch: list[Moment]) -> None:
        path = list(walked)
        for step in branch:
            path.append(self._record(step, path[-1], moment.seen))
            moment = step
        self._paths.append(path)
        self._path_new.append(1 + len(branch))

    def _record(self, moment: Moment, parent: int, seen_before: bytes) -> int:
        self._records.append(
            (
                len(self._games) - 1,
                parent,
                self._texts.number(moment.text),
                self._command(moment.command),
                self._graphs.number(moment.seen),
                self._graphs.number(moment.full),
                self._updates.number(update_tokens(seen_before, moment.seen)),
            )
        )
        return len(self._records) - 1

    def _add_choice(self, moment: Moment, options: list[Moment]) -> None:
        if not options:
            return
        number = self._graphs.number
        self._choices.append((len(self._games) - 1, number(moment.seen), number(moment.full)))
        for option in options:
            self._options.append(
                (self._command(option.command), number(option.seen), number(option.full))
            )
        self._choice_offsets.append(len(self._options))

    def _command(self, command: str) -> int:
        words = self._words.get(command)
        if words is None:
            words = np.array(default().encode(tokenize(command)), np.int16).tobytes()
            self._words[command] = words
        return self._commands.number(words)

    def corpus(self) -> Corpus:
        """Everything recorded so far."""
        records = _columns(self._records, 7)
        choices = _columns(self._choices, 3)
        options = _columns(self._options, 3)
        return Corpus(
            request=self._request,
            games=tuple(self._games),
            left_out=self._left_out,
            texts=self._texts.rows(),
            commands=self._commands.rows(),
            graphs=self._graphs.rows(),
            updates=self._updates.rows(),
            record_game=records[0],
            record_parent=records[1],
            record_text=records[2],
            record_command=records[3],
            record_seen=records[4],
            record_full=records[5],
            record_update=records[6],
            paths=Ragged.of(self._paths, np.int32),
            path_new=np.array(self._path_new, np.int32),
            choice_game=choices[0],
            choice_seen=choices[1],
            choice_full=choices[2],
            choice_offsets=np.array(self._choice_offsets, np.int64),
            option_command=options[0],
            option_seen=options[1],
            option_full=options[2],
        )


def _columns(rows: Iterable[tuple[int, ...]], count: int) -> Array:
    """(count, rows) int32: each column of a table of tuples in one piece."""
    return np.ascontiguousarray(np.array(list(rows), np.int32).reshape(-1, count).T)
