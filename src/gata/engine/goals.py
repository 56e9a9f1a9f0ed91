"""Compiling the goals: quests, the recipe, and the game's single numbers."""

from gata.engine.actions import (
    COOKINGS,
    CUTTINGS,
    INITIAL_FLAGS,
    LACKING,
    NO_EQUIVALENT,
    PLACES,
    Check,
)
from gata.engine.drafting import Draft
from gata.errors import GataError
from gata.facts import Fact

MAX_POINTS = 1000
"""In a whole game: every change of the score has a text of its own. A file that pays more is broken
or hostile."""

NO_LIMIT = 100
"""What Inform lets a player carry if nothing else is said."""


def compile_quests(draft: Draft) -> None:
    """Quests in order, each with the events that lose the game and those that complete it."""
    pools = draft.pools
    for quest in draft.game.quests:
        if type(quest.reward) is not int or quest.reward < 0:
            raise GataError("field 'quests': rewards must be whole and not negative")
        if quest.repeatable:
            raise GataError("field 'quests': a quest is repeatable, which is not supported")
    if draft.game.max_score > MAX_POINTS:
        raise GataError(f"field 'quests': more than {MAX_POINTS} points")
    for quest in draft.game.quests:
        pools.add(
            quest_reward=quest.reward,
            quest_must=not quest.optional and bool(quest.win_events),
            quest_fails=len(pools.values["event_conditions"]),
            quest_wins=len(pools.values["event_conditions"]) + len(quest.fail_events),
        )
        for event in (*quest.fail_events, *quest.win_events):
            pools.add(event_conditions=len(pools.values["condition_kind"]))
            for fact in event.conditions:
                _add_condition(draft, fact)


def _add_condition(draft: Draft, fact: Fact) -> None:
    name = fact.predicate
    if name in NO_EQUIVALENT or fact in draft.groundings.static_facts:
        return
    first = draft.number.get(fact.ids[0])
    check: tuple[Check, int] | None = None
    if name in PLACES and first is not None and len(fact.ids) == 2:
        check = Check.HELD_BY, draft.number[fact.ids[1]]
        if fact.ids[0] == "P":
            check = Check.PLAYER_IN, draft.number[fact.ids[1]]
    elif name in COOKINGS:
        check = Check.COOKING_IS, COOKINGS[name]
    elif name in CUTTINGS:
        check = Check.CUTTING_IS, CUTTINGS[name]
    elif name in INITIAL_FLAGS:
        check = Check.HAS_FLAG, INITIAL_FLAGS[name]
    elif name in LACKING:
        check = Check.LACKS_FLAGS, LACKING[name]
    elif name == "eaten":
        check = Check.NOWHERE, 0
    if check is None or first is None:
        raise GataError(f"field 'quests': the condition '{fact}' is not known")
    draft.pools.add(condition_kind=check[0], condition_first=first, condition_second=int(check[1]))


def compile_recipe(draft: Draft) -> None:
    """The recipe's lines in the order in which Inform checks them."""
    base = {f.ids[1]: f.ids[0] for f in draft.game.facts if f.predicate == "base"}
    used = {f.ids[0] for f in draft.game.facts if f.predicate == "in" and f.ids[1] == "RECIPE"}
    states: dict[str, set[str]] = {}
    for fact in draft.game.facts:
        if len(fact.ids) == 1:
            states.setdefault(fact.ids[0], set()).add(fact.predicate)
    for entity in draft.game.entities.values():
        if entity.id not in used:
            continue
        own = states.get(entity.id, set())
        draft.pools.add(
            ingredient_food=draft.number[base[entity.id]],
            ingredient_cooking=max((COOKINGS[s] for s in own & COOKINGS.keys()), default=0),
            ingredient_cutting=max((CUTTINGS[s] for s in own & CUTTINGS.keys()), default=0),
        )


def game_numbers(draft: Draft) -> dict[str, int]:
    """What ``tables.GAME_NUMBERS`` asks for."""
    quests = draft.game.quests
    return {
        "entities": len(draft.entities),
        "groundings": len(draft.groundings.actions),
        "actions": len(draft.commands),
        "edges": len(draft.edges),
        "quests": len(quests),
        "player": draft.player,
        "capacity": _capacity(draft),
        "start_room": draft.start_room,
        "meal": -1 if draft.meal is None else draft.number[draft.meal.id],
        "max_score": draft.game.max_score,
        "can_be_won": any(q.win_events and not q.optional for q in quests),
    }


def _capacity(draft: Draft) -> int:
    """Where the rules know slots, each that exists lets the player carry one thing."""
    if "slot" not in draft.logic.parents:
        return NO_LIMIT
    slots = [f for f in draft.game.facts if [v.type for v in f.arguments] == ["slot"]]
    return len(slots)
