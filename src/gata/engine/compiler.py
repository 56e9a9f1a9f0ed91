"""From a game to flat arrays: all that is known about it before anyone plays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gata.engine import messages
from gata.engine.actions import Kind
from gata.engine.commands import compile_actions, compile_facts
from gata.engine.drafting import Draft, words_to_bits
from gata.engine.goals import compile_quests, compile_recipe, game_numbers
from gata.engine.graphs import compile_edges
from gata.engine.grounding import Groundings, ground
from gata.engine.tables import FIELDS, GAME_NUMBERS, POOLS, Array
from gata.engine.templates import objective_text
from gata.engine.things import compile_entities, compile_rooms
from gata.errors import GataError
from gata.games.game import Game
from gata.graph.vocabulary import PAPER, GraphVocabulary


@dataclass
class CompiledGame:
    """One game as arrays; indices into texts and commands are the game's own."""

    name: str
    arrays: dict[str, Array]
    numbers: tuple[int, ...]
    game_texts: tuple[int, ...]
    bits: dict[str, Array]
    sizes: tuple[int, ...]
    """Items per pool."""
    texts: tuple[str, ...]
    commands: tuple[str, ...]
    headings: tuple[str, ...]
    """'-= Kitchen =-' for each room."""
    entities: tuple[str, ...]
    """Entity ids by number."""
    kinds: tuple[Kind, ...]


def compile_game(
    game: Game, graph: GraphVocabulary = PAPER, groundings: Groundings | None = None
) -> CompiledGame:
    """Compile one game; a broken one raises a ``GataError`` that names it.

    Args:
        game: the game.
        graph: the nodes and relations of graphs; edges among others are left out.
        groundings: the game's, if they are at hand.
    """
    try:
        return _compile(Draft(game, graph, groundings or ground(game)))
    except GataError as error:
        raise GataError(f"{game.name}: {error}") from error
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise GataError(
            f"{game.name}: not a sound TextWorld 1.7 game ({type(error).__name__}: {error})"
        ) from error


def _compile(draft: Draft) -> CompiledGame:
    compile_edges(draft)
    compile_entities(draft)
    compile_rooms(draft)
    compile_actions(draft)
    compile_facts(draft)
    compile_quests(draft)
    compile_recipe(draft)
    arrays = {}
    for name, values in draft.pools.values.items():
        arrays[name] = _checked(name, values)
    numbers = game_numbers(draft)
    true_now = {draft.fact_number[fact] for fact in draft.game.facts}
    ready = [
        i
        for i, action in enumerate(draft.groundings.actions)
        if all(draft.fact_number[f] in true_now for f in draft.needs(action))
    ]
    bits = {
        "facts": words_to_bits(true_now, len(draft.facts)),
        "ready": words_to_bits(ready, len(draft.groundings.actions)),
        "full": words_to_bits(draft.initial_full, len(draft.edges)),
        "seen": words_to_bits(draft.initial_seen, len(draft.edges)),
    }
    game_texts = (
        draft.text(objective_text(draft.game.objective)),
        draft.text(messages.OUT_OF_POSSIBLE.format(numbers["max_score"])),
    )
    texts = list(draft.texts)
    for piece, text in messages.FIXED_TEXT.items():
        texts[piece] = text
    return CompiledGame(
        name=draft.game.name,
        arrays=arrays,
        numbers=tuple(numbers[name] for name in GAME_NUMBERS),
        game_texts=game_texts,
        bits=bits,
        sizes=tuple(draft.pools.size(pool) for pool in POOLS),
        texts=tuple(texts),
        commands=tuple(draft.commands),
        headings=tuple(messages.HEADING.format(room.name.title()) for room in draft.rooms),
        entities=tuple(entity.id for entity in draft.entities),
        kinds=tuple(draft.kind(entity) for entity in draft.entities),
    )


def _checked(name: str, values: list[Any]) -> Array:
    """An array of the field's type; numbers that do not fit mean a game beyond our limits."""
    dtype = FIELDS[name].dtype
    limits = np.iinfo(dtype)
    if values and not (limits.min <= min(values) and max(values) <= limits.max):
        raise GataError(f"the game is too large ({name} up to {max(values)})")
    return np.array(values, dtype)
