"""``gata engine record``: transcripts of real TextWorld, small and yet full of variants."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from gata import console
from gata.engine.verify.coverage import Coverage, Moment, Row, moment, rows_of
from gata.engine.verify.policies import Policy, make_policy
from gata.engine.verify.reference import TextWorldPlayer
from gata.engine.verify.runner import versions
from gata.engine.verify.snapshot import Player
from gata.engine.verify.transcripts import Step, Transcript, TranscriptFile
from gata.games import load_game
from gata.games.game import Game

_ENOUGH = 2
"""An episode is kept if it shows a row of the coverage table that was kept less often so far."""


def record(
    names: Sequence[str], path: Path, *, steps: int, seed: int, made_by: str
) -> tuple[TranscriptFile, Coverage]:
    """Play each game's walkthrough and about ``steps`` commands more; keep what is worth it.

    Half as many again are played with commands among them that are not admissible.
    """
    kept: Counter[Row] = Counter()
    transcripts = []
    for name in console.track(names, "recording", len(names)):
        game = load_game(name)
        player = TextWorldPlayer(game)
        try:
            transcripts.append(_record_game(game, player, kept, steps, seed))
        finally:
            player.close()
    file = TranscriptFile(made_by, versions(), tuple(transcripts))
    file.save(path)
    return file, coverage_of(transcripts)


def coverage_of(transcripts: Sequence[Transcript]) -> Coverage:
    """The rows that transcripts show."""
    coverage = Coverage()
    for transcript in transcripts:
        for episode in transcript.episodes():
            for step in _moments(episode):
                coverage.add(step)
    return coverage


def _record_game(
    game: Game, player: Player, kept: Counter[Row], steps: int, seed: int
) -> Transcript:
    random = Random(f"{seed}/{game.content_hash}")
    transcript = Transcript(game)
    walkthrough = _episode(player, make_policy("walkthrough", game, random))
    kept.update(row for m in _moments(walkthrough) for row in set(rows_of(m)))
    transcript.steps += walkthrough
    policies = [make_policy(name, game, random) for name in ("random", "mixed", "mixed")]
    refused = make_policy("refused", game, random)
    for players, at_least in ((policies, steps), ([refused], steps // 2)):
        tried = 0
        while tried < at_least:
            for policy in players:
                episode = _episode(player, policy)
                tried += len(episode) - 1
                transcript.steps += _worth_keeping(episode, kept)
    return transcript


def _episode(player: Player, policy: Policy) -> list[Step]:
    policy.begin()
    steps = [Step(None, player.reset())]
    while (command := policy.choose(steps[-1].snapshot)) is not None:
        steps.append(Step(command, player.step(command)))
    return steps


def _moments(episode: Sequence[Step]) -> Iterator[Moment]:
    before = None
    is_over = False
    for step in episode:
        yield moment(step.command or "", before, step.snapshot, is_over=is_over)
        before = step.snapshot
        is_over |= before.done


def _worth_keeping(episode: Sequence[Step], kept: Counter[Row]) -> Sequence[Step]:
    """The episode up to the last step that shows something rare; nothing if no step does."""
    end = 0
    rows = [set(rows_of(moment)) for moment in _moments(episode)]
    shown: Counter[Row] = Counter()
    for number, found in enumerate(rows, start=1):
        if any(kept[row] + shown[row] < _ENOUGH for row in found):
            end = number
        shown.update(found)
    for found in rows[:end]:
        kept.update(found)
    return episode[:end]
