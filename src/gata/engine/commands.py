"""Compiling what can be done: commands, the rules behind them, what those need and change."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from gata.engine import messages
from gata.engine.actions import (
    COOKED_WITH,
    MOVING,
    NOUNS,
    Cooking,
    Cutting,
    Kind,
    Op,
    Verb,
    verb_of,
)
from gata.engine.drafting import Draft
from gata.engine.grounding import Grounding
from gata.errors import GataError
from gata.games.game import Entity

FILTERED_VERBS = frozenset({"look", "examine"})
KEPT_COMMAND = "examine cookbook"
"""The filter of the authors' training code: these verbs go, but for this command."""


class _Command(NamedTuple):
    """A command of a game: its words, the rule behind it, the entities it names."""

    command: str
    rule: str
    nouns: tuple[Entity, ...]


def passes_filter(command: str) -> bool:
    """Whether the authors' training code offers ``command`` to the agent."""
    return command == KEPT_COMMAND or command.split(" ", 1)[0] not in FILTERED_VERBS


def compile_actions(draft: Draft) -> None:
    """The commands, sorted, each with its groundings in the order TextWorld prefers them."""
    pools = draft.pools
    extra = deque(_extra_commands(draft))
    for action in draft.groundings.actions:
        if not draft.commands or draft.commands[-1] != action.command:
            while extra and extra[0].command < action.command:
                _add_command(draft, extra.popleft())
            _add_command(draft, _command_of(draft, action))
        room = draft.room_of(action)
        _check_way(draft, action, room)
        pools.add(
            grounding_action=len(draft.commands) - 1,
            grounding_room=-1 if room is None else draft.number[room],
            grounding_needs=len(pools.values["need_fact"]),
            grounding_adds=len(pools.values["add_fact"]),
            grounding_ends=len(pools.values["end_fact"]),
            grounding_shows=len(pools.values["show_edge"]),
            grounding_hides=len(pools.values["hide_edge"]),
        )
        added, removed = action.added, action.removed
        for fact in draft.needs(action):
            pools.add(need_fact=draft.fact_number[fact])
        for fact in sorted(added):
            pools.add(add_fact=draft.fact_number[fact])
        for fact in sorted(removed):
            pools.add(end_fact=draft.fact_number[fact])
        for fact in sorted((frozenset(action.preconditions) | added) - removed):
            if draft.edge_of[fact] >= 0:
                pools.add(show_edge=draft.edge_of[fact])
        for fact in sorted(removed):
            if draft.edge_of[fact] >= 0:
                pools.add(hide_edge=draft.edge_of[fact])
    for command in extra:
        _add_command(draft, command)


def _extra_commands(draft: Draft) -> list[_Command]:
    """Commands that Inform understands though no rule ever offers them, sorted."""
    offered = {action.command for action in draft.groundings.actions}
    commands = []
    for entity in draft.entities:
        kind = draft.kind(entity)
        rules = ["examine"] if kind & ~Kind.ROOM else []
        if kind & (Kind.CONTAINER | Kind.DOOR):
            rules += ["open", "close"]
        commands += [_Command(f"{rule} {entity.name}", rule, (entity,)) for rule in rules]
    different = {c.command: c for c in commands if c.command not in offered}
    return [different[command] for command in sorted(different)]


def _command_of(draft: Draft, action: Grounding) -> _Command:
    nouns = (
        draft.game.entities[action.entities[placeholder]]
        for placeholder in _placeholders(action.rule.command)
    )
    return _Command(action.command, action.rule.name, tuple(nouns))


def _add_command(draft: Draft, command: _Command) -> None:
    verb = _verb(command.rule)
    nouns = command.nouns
    _check_nouns(draft, verb.op, command)
    reply, other, kind = _replies(draft, verb.op, verb.kind, command.rule, nouns)
    clashes = _clashes(draft, nouns[0]) if nouns else []
    draft.pools.add(
        action_command=len(draft.commands),
        action_op=verb.op,
        action_first=draft.number[nouns[0].id] if nouns else -1,
        action_second=draft.number[nouns[1].id] if len(nouns) > 1 else -1,
        action_kind=kind,
        action_text=draft.text(reply),
        action_other_text=draft.text(other),
        action_groundings=len(draft.pools.values["grounding_action"]),
        action_clashes=len(draft.pools.values["clash_entity"]),
        action_clash_text=(
            draft.text(messages.DISAMBIGUATION.format(draft.definite(nouns[0]))) if clashes else 0
        ),
        action_is_recipe=command.command == KEPT_COMMAND,
    )
    for thing in clashes:
        rooms = draft.doorways.get(thing.id, [-1])
        for room in rooms:
            draft.pools.add(clash_entity=draft.number[thing.id], clash_room=room)
    draft.commands.append(command.command)


def _verb(rule: str) -> Verb:
    verb = verb_of(rule)
    if verb is None:
        raise GataError(f"rule text: what '{rule}' does in the game is not known")
    return verb


def _check_way(draft: Draft, action: Grounding, room: str | None) -> None:
    """The kernel goes where the exit leads, so there must be one."""
    verb = _verb(action.rule.name)
    if verb.op == Op.GO and (room, verb.kind) not in draft.exits:
        raise GataError(f"rule text: '{action.command}' leads nowhere from {room}")


def _check_nouns(draft: Draft, op: Op, command: _Command) -> None:
    """The kernel moves things without a second look, so nothing may ever get into itself."""
    nouns = [draft.number[noun.id] for noun in command.nouns]
    is_sound = len(nouns) >= NOUNS[op]
    if is_sound and op in MOVING:
        is_sound = nouns[0] > draft.player  # rooms and the player come first
    if is_sound and op == Op.PUT:
        is_sound = draft.can_hold(nouns[1]) and not draft.can_hold(nouns[0])
    if is_sound and op == Op.PREPARE:
        is_sound = draft.meal is not None
    if not is_sound:
        raise GataError(f"rule text: '{command.command}' ({command.rule}) cannot be done to these")


def _replies(
    draft: Draft, op: Op, kind: int, rule: str, nouns: Sequence[Entity]
) -> tuple[str, str, int]:
    """The reply, the reply in the other case (burned, revealing), and Cooking or Cutting."""
    the = [draft.definite(noun) for noun in nouns]
    if op == Op.TAKE:
        message = messages.TAKE_FROM_HOLDER if len(the) > 1 else messages.TAKE_FROM_FLOOR
    elif op == Op.PUT:
        on = draft.kind(nouns[1]) & Kind.SUPPORTER
        message = messages.PUT_ON if on else messages.PUT_INTO
    elif op == Op.CUT:
        message = messages.CUT[Cutting(kind)]
    elif op == Op.COOK:
        heat = rule.split("/")[1]
        kind = COOKED_WITH[heat]
        return messages.COOK[Cooking(kind)].filled(*the), messages.BURN.filled(*the), kind
    elif op in messages.SIMPLE:
        message = messages.SIMPLE[op]
    else:
        return "", "", kind
    other = messages.OPEN_REVEALING.format(*the) if op == Op.OPEN else ""
    return message.filled(*the), other, kind


def _clashes(draft: Draft, noun: Entity) -> list[Entity]:
    """Things whose words include all the words of ``noun``'s name."""
    words = set(noun.name.lower().split())
    return [
        other
        for other in draft.entities
        if other is not noun
        and other.name
        and words <= understood_words(other)
        and not draft.kind(other) & Kind.ROOM
    ]


def compile_facts(draft: Draft) -> None:
    """For every fact, the groundings that need it and the edge it is."""
    touching: list[list[int]] = [[] for _ in draft.facts]
    for index, action in enumerate(draft.groundings.actions):
        for fact in draft.needs(action):
            touching[draft.fact_number[fact]].append(index)
    for fact, groundings in zip(draft.facts, touching, strict=True):
        draft.pools.add(
            fact_touches=len(draft.pools.values["touch_grounding"]),
            fact_edge=draft.edge_of[fact],
        )
        for index in groundings:
            draft.pools.add(touch_grounding=index)


def _placeholders(template: str) -> list[str]:
    return [part.split("}")[0] for part in template.split("{")[1:]]


def understood_words(entity: Entity) -> set[str]:
    """The words by which the player may call a thing."""
    words = entity.name.lower().split()
    if len(words) > 1:
        words = [word for word in words if word not in ("the", "of")]
    return set(words).union(*(s.lower().split() for s in entity.synonyms))
