"""Games played in real TextWorld, written down so that they can be checked without it.

A transcript file is xz-compressed JSON: for each game the game itself and its steps, each step
with what changed since the one before. Sets (facts, graphs, commands) are written as what was
removed and what was added.
"""

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from gata.engine.verify.snapshot import Snapshot, Tokens
from gata.errors import GataError
from gata.facts import Fact, Variable
from gata.files import atomic_write
from gata.games.game import Game
from gata.graph.triples import Triple

FORMAT = "gata transcripts"
VERSION = 2

EMPTY = Snapshot(
    feedback="",
    description="",
    inventory="",
    commands=(),
    score=0,
    max_score=0,
    moves=0,
    won=False,
    lost=False,
    done=False,
    last_action=None,
    facts=frozenset(),
    full_graph=frozenset(),
    seen_graph=frozenset(),
    tokens=Tokens.of("", "", ""),
)
"""What the first snapshot of a game is written as a change of."""

_SETS = ("facts", "full_graph", "seen_graph")
_DERIVED = "tokens"
"""Follows from the texts and the vocabulary of the day, so it is not written."""


@dataclass(frozen=True)
class Step:
    """A command (None: the game is started anew) and what TextWorld said to it."""

    command: str | None
    snapshot: Snapshot


@dataclass
class Transcript:
    """One game as TextWorld played it."""

    game: Game
    steps: list[Step] = field(default_factory=list)

    def episodes(self) -> Iterator[list[Step]]:
        """The steps from each start to the next."""
        starts = [i for i, step in enumerate(self.steps) if step.command is None]
        for start, end in zip(starts, [*starts[1:], len(self.steps)], strict=True):
            yield self.steps[start:end]


@dataclass(frozen=True)
class TranscriptFile:
    """Transcripts and how they came about."""

    made_by: str
    """The command that recorded them."""
    versions: Mapping[str, str]
    """The software they were recorded with."""
    transcripts: tuple[Transcript, ...]

    def save(self, path: Path) -> None:
        """Write the file."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "made_by": self.made_by,
            "versions": dict(self.versions),
            "transcripts": [_transcript_to_json(transcript) for transcript in self.transcripts],
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        with atomic_write(path) as stream:
            stream.write(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))

    @classmethod
    def load(cls, path: Path) -> "TranscriptFile":
        """Read what ``save`` wrote; anything else is refused with the reason."""
        try:
            data = json.loads(lzma.decompress(path.read_bytes()))
        except OSError as error:
            raise GataError(f"{path}: cannot read the transcripts ({error.strerror})") from error
        except (lzma.LZMAError, ValueError) as error:
            raise GataError(f"{path}: not a transcript file ({error})") from error
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise GataError(f"{path}: not a transcript file (field 'format' is not {FORMAT!r})")
        if data.get("version") != VERSION:
            raise GataError(
                f"{path}: field 'version' is {data.get('version')!r}, expected {VERSION}"
            )
        try:
            transcripts = tuple(map(_transcript_from_json, data["transcripts"]))
            return cls(data["made_by"], data["versions"], transcripts)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise GataError(f"{path}: damaged ({type(error).__name__}: {error})") from error


class TranscriptPlayer:
    """Plays a transcript back: a reference that needs no TextWorld."""

    def __init__(self, transcript: Transcript) -> None:
        self._steps = iter(transcript.steps)

    def reset(self) -> Snapshot:
        """The next start in the transcript."""
        return self._next(None)

    def step(self, command: str) -> Snapshot:
        """The next step, which must be this command."""
        return self._next(command)

    def close(self) -> None:
        """Nothing to give back."""

    def _next(self, command: str | None) -> Snapshot:
        step = next(self._steps, None)
        if step is None or step.command != command:
            raise GataError(
                f"the transcript goes on with {step and step.command!r}, not {command!r}"
            )
        return step.snapshot


def _transcript_to_json(transcript: Transcript) -> dict[str, Any]:
    before = [EMPTY, *(step.snapshot for step in transcript.steps)]
    return {
        "name": transcript.game.name,
        "game": transcript.game.data,
        "steps": [
            [step.command, _change(old, step.snapshot)]
            for old, step in zip(before, transcript.steps, strict=False)
        ],
    }


def _transcript_from_json(data: Mapping[str, Any]) -> Transcript:
    transcript = Transcript(Game.from_json(json.dumps(data["game"]), data["name"]))
    snapshot = EMPTY
    for command, change in data["steps"]:
        snapshot = _changed(snapshot, change)
        transcript.steps.append(Step(command, snapshot))
    return transcript


def _change(old: Snapshot, new: Snapshot) -> dict[str, Any]:
    change: dict[str, Any] = {}
    for name in (each.name for each in fields(Snapshot)):
        before, after = getattr(old, name), getattr(new, name)
        if before == after or name == _DERIVED:
            continue
        if name in _SETS:
            change[name] = [_written(before - after), _written(after - before)]
        elif name == "commands":
            # TextWorld sorts its commands and lists none twice, so a set says it all.
            change[name] = [sorted(set(before) - set(after)), sorted(set(after) - set(before))]
        else:
            change[name] = after
    return change


def _changed(old: Snapshot, change: Mapping[str, Any]) -> Snapshot:
    new: dict[str, Any] = dict(change)
    for name in change.keys() & {*_SETS, "commands"}:
        removed, added = change[name]
        if name == "commands":
            new[name] = tuple(sorted(set(old.commands) - set(removed) | set(added)))
        else:
            read = _fact if name == "facts" else _triple
            new[name] = getattr(old, name) - set(map(read, removed)) | set(map(read, added))
    snapshot = replace(old, **new)
    tokens = Tokens.of(snapshot.feedback, snapshot.description, snapshot.inventory)
    return replace(snapshot, tokens=tokens)


def _written(items: Iterable[Fact | Triple]) -> list[str]:
    return sorted(
        " ".join([item.predicate, *(f"{v.id}:{v.type}" for v in item.arguments)])
        if isinstance(item, Fact)
        else "|".join(item)
        for item in items
    )


def _fact(text: str) -> Fact:
    predicate, *arguments = text.split(" ")
    return Fact(predicate, tuple(Variable(*argument.split(":")) for argument in arguments))


def _triple(text: str) -> Triple:
    return Triple(*text.split("|"))
