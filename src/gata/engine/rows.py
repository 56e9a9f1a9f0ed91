"""Kernel: outputs, and many rows at once. These are the functions that Python calls.

``o`` are the outputs: a row of numbers per game (``OUTPUT_NUMBERS``, then ``OUTPUT_ROWS``).
"""

from typing import Any

import numpy as np

from gata.engine.jit import kernel
from gata.engine.memory import (
    at,
    borrowed,
    game_number,
    has_bit,
    head,
    info,
    lowest_bit,
    number,
    output,
    pool,
    start,
)
from gata.engine.tracking import (
    STALE_ALL,
    STALE_CANDIDATES,
    STALE_DESCRIPTION,
    STALE_FEEDBACK,
    STALE_FULL,
    STALE_INVENTORY,
    STALE_SEEN,
    can_be_done,
)
from gata.engine.turn import LOST, RUNNING, WON, act, begin
from gata.language.tokenizer import LARGEST_NUMBER

_GAME = info("game")
_ROOM = info("room")
_SHOWN_SCORE = info("shown_score")
_STEPS = info("steps")
_ENDING = info("ending")
_TRUNCATED = info("truncated")
_EPISODE = info("episode")
_FEEDBACK_LENGTH = info("feedback_length")
_DESCRIPTION_LENGTH = info("description_length")
_INVENTORY_LENGTH = info("inventory_length")
_STALE = info("stale")

_N_ACTIONS = game_number("actions")
_N_GROUNDINGS = game_number("groundings")
_N_EDGES = game_number("edges")
_MAX_SCORE = game_number("max_score")
_ACTIONS = pool("action")
_GROUNDINGS = pool("grounding")
_EDGES = pool("edge")
_MASKS = pool("mask")

_FEEDBACK = head("state_feedback")
_DESCRIPTION = head("state_description")
_INVENTORY = head("state_inventory")
_READY = head("bits_ready")
_FULL = head("bits_full")
_SEEN = head("bits_seen")
_TOKEN_START = head("token_start")
_TOKEN = head("token")
_NUMBER_TOKEN = head("number_token")
_ACTION_COMMAND = head("action_command")
_ACTION_GROUNDINGS = head("action_groundings")
_GROUNDING_ACTION = head("grounding_action")
_EDGE_ID = head("edge_id")
_EDGE_BLOCKER = head("edge_blocker")
_GAMES = head("games")

_OUT_OBSERVATION = head("output_observation")
_OUT_DESCRIPTION = head("output_description")
_OUT_INVENTORY = head("output_inventory")
_OUT_CANDIDATES = head("output_candidates")
_OUT_FULL = head("output_full_edges")
_OUT_SEEN = head("output_seen_edges")
_O_OBSERVATION_LENGTH = output("observation_length")
_O_DESCRIPTION_LENGTH = output("description_length")
_O_INVENTORY_LENGTH = output("inventory_length")
_O_CANDIDATE_COUNT = output("candidate_count")
_O_FULL_COUNT = output("full_count")
_O_SEEN_COUNT = output("seen_count")
_O_REWARD = output("reward")
_O_SCORE = output("score")
_O_MAX_SCORE = output("max_score")
_O_STEPS = output("steps")
_O_GAME = output("game")
_O_DONE = output("done")
_O_WON = output("won")
_O_LOST = output("lost")
_O_TRUNCATED = output("truncated")

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_FNV_START = np.uint64(0xCBF29CE484222325)
_FNV_PRIME = np.uint64(0x100000001B3)


@kernel
def clear_rest(o: Any, i: int, begin_: int, length: int, length_before: int) -> int:
    """Write zeros over what is left of a longer row; return ``length``."""
    for k in range(begin_ + length, begin_ + length_before):
        o[i, k] = 0
    return length


@kernel
def write_number(t: Any, o: Any, i: int, n: int, value: int) -> int:
    """The tokens of a number: itself, or its digits if it is large."""
    if value <= LARGEST_NUMBER:
        o[i, n] = at(t, _NUMBER_TOKEN, value)
        return n + 1
    power = 1
    while power * 10 <= value:
        power *= 10
    while power > 0:
        o[i, n] = at(t, _NUMBER_TOKEN, value // power % 10)
        n += 1
        power //= 10
    return n


@kernel
def write_tokens(
    t: Any, s: Any, o: Any, i: int, pieces: int, info_: int, part: int, out: int
) -> None:
    """Expand a text's pieces to tokens.

    ``pieces`` and ``info_``: where the state has them and their number; ``part`` and ``out``:
    where the output has the tokens and their number.
    """
    first_piece = t[pieces]
    begin_ = t[part]
    n = begin_
    for k in range(first_piece, first_piece + s[i, info_]):
        piece = s[i, k]
        if piece >= 0:
            first = at(t, _TOKEN_START, piece)
            count = at(t, _TOKEN_START, piece + 1) - first
            source = t[_TOKEN] + first
            for m in range(count):
                o[i, n + m] = t[source + m]
            n += count
        else:
            n = write_number(t, o, i, n, -1 - piece)
    o[i, out] = clear_rest(o, i, begin_, n - begin_, o[i, out])


@kernel
def write_candidates(t: Any, masks: Any, s: Any, w: Any, o: Any, i: int) -> int:
    """The ids of the commands that can be given now, ascending; return how many."""
    game = s[i, _GAME]
    words = (number(t, game, _N_GROUNDINGS) + 63) >> 6
    m0 = start(t, game, _MASKS) + s[i, _ROOM] * words
    g0 = t[_GROUNDING_ACTION] + start(t, game, _GROUNDINGS)
    a0 = t[_ACTION_COMMAND] + start(t, game, _ACTIONS)
    ready = t[_READY]
    begin_ = t[_OUT_CANDIDATES]
    n = begin_
    last = -1
    for k in range(words):
        bits = w[i, ready + k] & masks[m0 + k]
        while bits != _ZERO:
            action = t[g0 + (k << 6) + lowest_bit(bits)]
            bits &= bits - _ONE
            # Groundings stand in the order of their commands.
            if action != last:
                o[i, n] = t[a0 + action]
                n += 1
                last = action
    return clear_rest(o, i, begin_, n - begin_, o[i, _O_CANDIDATE_COUNT])


@kernel
def write_edges(
    t: Any, w: Any, o: Any, i: int, game: int, part: int, begin_: int, length_before: int
) -> int:
    """The ids of a graph's edges, ascending; burned food hides how it was cooked."""
    ids = t[_EDGE_ID] + start(t, game, _EDGES)
    blockers = t[_EDGE_BLOCKER] + start(t, game, _EDGES)
    base = t[part]
    n = begin_
    for k in range((number(t, game, _N_EDGES) + 63) >> 6):
        bits = w[i, base + k]
        while bits != _ZERO:
            edge = (k << 6) + lowest_bit(bits)
            bits &= bits - _ONE
            blocker = t[blockers + edge]
            if blocker < 0 or not has_bit(t, w, i, part, blocker):
                o[i, n] = t[ids + edge]
                n += 1
    return clear_rest(o, i, begin_, n - begin_, length_before)


@kernel
def write_outputs(t: Any, masks: Any, s: Any, w: Any, o: Any, i: int) -> None:
    """Bring row ``i`` of the outputs up to date; what has not changed is left as it is."""
    stale = s[i, _STALE]
    game = s[i, _GAME]
    if stale & STALE_FEEDBACK:
        write_tokens(
            t, s, o, i, _FEEDBACK, _FEEDBACK_LENGTH, _OUT_OBSERVATION, _O_OBSERVATION_LENGTH
        )
    if stale & STALE_DESCRIPTION:
        write_tokens(
            t, s, o, i, _DESCRIPTION, _DESCRIPTION_LENGTH, _OUT_DESCRIPTION, _O_DESCRIPTION_LENGTH
        )
    if stale & STALE_INVENTORY:
        write_tokens(t, s, o, i, _INVENTORY, _INVENTORY_LENGTH, _OUT_INVENTORY, _O_INVENTORY_LENGTH)
    if stale & STALE_CANDIDATES:
        o[i, _O_CANDIDATE_COUNT] = write_candidates(t, masks, s, w, o, i)
    if stale & STALE_FULL:
        o[i, _O_FULL_COUNT] = write_edges(
            t, w, o, i, game, _FULL, t[_OUT_FULL], o[i, _O_FULL_COUNT]
        )
    if stale & STALE_SEEN:
        o[i, _O_SEEN_COUNT] = write_edges(
            t, w, o, i, game, _SEEN, t[_OUT_SEEN], o[i, _O_SEEN_COUNT]
        )
    s[i, _STALE] = 0
    o[i, _O_SCORE] = s[i, _SHOWN_SCORE]
    o[i, _O_MAX_SCORE] = number(t, game, _MAX_SCORE)
    o[i, _O_STEPS] = s[i, _STEPS]
    o[i, _O_GAME] = game
    o[i, _O_WON] = s[i, _ENDING] == WON
    o[i, _O_LOST] = s[i, _ENDING] == LOST
    o[i, _O_TRUNCATED] = s[i, _TRUNCATED]
    o[i, _O_DONE] = s[i, _ENDING] != RUNNING or s[i, _TRUNCATED] != 0


@kernel
def mix(value: Any) -> Any:
    """A well-mixed 64-bit number from another (splitmix64)."""
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def next_game(t: Any, s: Any, seeds: Any, i: int, stride: int) -> int:
    """The game of a row's next episode: by turns if ``stride`` is positive, else by its seed."""
    episode = s[i, _EPISODE]
    if stride > 0:
        return (i + np.int64(episode) * stride) % t[_GAMES]
    # Signed, like the other branch: numba would unify signed and unsigned to a float.
    drawn: Any = np.int64(mix(seeds[i] + mix(np.uint64(episode))) % np.uint64(t[_GAMES]))
    return drawn


@kernel
def find_action(t: Any, game: int, command: int) -> int:
    """The number a command has in a game, -1 if the game does not know it."""
    a0 = start(t, game, _ACTIONS)
    low = a0
    high = a0 + number(t, game, _N_ACTIONS)
    end = high
    while low < high:
        middle = (low + high) >> 1
        if at(t, _ACTION_COMMAND, middle) < command:
            low = middle + 1
        else:
            high = middle
    return low - a0 if low < end and at(t, _ACTION_COMMAND, low) == command else -1


@kernel
def is_admissible(t: Any, s: Any, w: Any, i: int, action: int) -> bool:
    """Whether a command can be given now."""
    game = s[i, _GAME]
    a = start(t, game, _ACTIONS) + action
    g0 = start(t, game, _GROUNDINGS)
    for g in range(at(t, _ACTION_GROUNDINGS, a), at(t, _ACTION_GROUNDINGS, a + 1)):
        if can_be_done(t, w, i, g0, g - g0, s[i, _ROOM]):
            return True
    return False


@kernel
def is_over(s: Any, i: int) -> bool:
    """Whether a row's episode is over: it takes no command, the next one begins instead."""
    return s[i, _ENDING] != RUNNING or s[i, _TRUNCATED] != 0


@kernel
def read_commands(
    t: Any, s: Any, w: Any, commands: Any, actions: Any, order: Any, low: int, high: int
) -> int:
    """Translate command ids to the games' own numbers (-1 for rows that take none).

    Returns the lowest row whose command is bad, -1 if none is.
    """
    t, s, w = borrowed(t), borrowed(s), borrowed(w)
    bad = -1
    for k in range(low, high):
        i = order[k]
        actions[i] = -1
        if not is_over(s, i):
            action = find_action(t, s[i, _GAME], commands[i])
            if action >= 0 and is_admissible(t, s, w, i, action):
                actions[i] = action
            elif bad < 0 or i < bad:
                bad = i
    return bad


@kernel
def read_choices(
    t: Any, s: Any, o: Any, choices: Any, actions: Any, order: Any, low: int, high: int
) -> int:
    """The same for places among the candidates, which are all admissible."""
    t, s, o = borrowed(t), borrowed(s), borrowed(o)
    bad = -1
    for k in range(low, high):
        i = order[k]
        actions[i] = -1
        if not is_over(s, i):
            choice = choices[i]
            if 0 <= choice < o[i, _O_CANDIDATE_COUNT]:
                command = o[i, t[_OUT_CANDIDATES] + choice]
                actions[i] = find_action(t, s[i, _GAME], command)
            elif bad < 0 or i < bad:
                bad = i
    return bad


@kernel
def step_rows(
    t: Any,
    masks: Any,
    initial_bits: Any,
    s: Any,
    w: Any,
    seeds: Any,
    o: Any,
    actions: Any,
    order: Any,
    limit: int,
    stride: int,
    low: int,
    high: int,
) -> None:
    """One step of the rows at ``low`` to ``high`` of ``order``.

    A row whose episode is over begins the next one.
    """
    t, s, w, o = borrowed(t), borrowed(s), borrowed(w), borrowed(o)
    for k in range(low, high):
        i = order[k]
        if actions[i] < 0:
            s[i, _EPISODE] += 1
            begin(t, initial_bits, s, w, i, next_game(t, s, seeds, i, stride))
            o[i, _O_REWARD] = 0
        else:
            before = s[i, _SHOWN_SCORE]
            act(t, s, w, i, actions[i])
            s[i, _STEPS] += 1
            if limit > 0 and s[i, _STEPS] >= limit and s[i, _ENDING] == RUNNING:
                s[i, _TRUNCATED] = 1
            o[i, _O_REWARD] = s[i, _SHOWN_SCORE] - before
        write_outputs(t, masks, s, w, o, i)


@kernel
def begin_rows(
    t: Any,
    masks: Any,
    initial_bits: Any,
    s: Any,
    w: Any,
    seeds: Any,
    o: Any,
    rows: Any,
    games: Any,
    stride: int,
) -> None:
    """Begin an episode in each of ``rows``; a game below 0 is chosen by the row's own order."""
    t, s, w, o = borrowed(t), borrowed(s), borrowed(w), borrowed(o)
    for k in range(rows.shape[0]):
        i = rows[k]
        game = games[k]
        if game < 0:
            s[i, _EPISODE] += 1
            game = next_game(t, s, seeds, i, stride)
        begin(t, initial_bits, s, w, i, game)
        o[i, _O_REWARD] = 0
        write_outputs(t, masks, s, w, o, i)


@kernel
def refresh_rows(t: Any, masks: Any, s: Any, w: Any, o: Any, rows: Any) -> None:
    """Write all outputs of ``rows`` anew, after their states were put in place from outside."""
    t, s, w, o = borrowed(t), borrowed(s), borrowed(w), borrowed(o)
    for k in range(rows.shape[0]):
        i = rows[k]
        s[i, _STALE] = STALE_ALL
        o[i, _O_REWARD] = 0
        write_outputs(t, masks, s, w, o, i)


@kernel
def seal_rows(identity: Any, s: Any, w: Any, seeds: Any, seals: Any) -> None:
    """A checksum for each row (FNV's, on words): any one number changed gives another."""
    for i in range(seals.shape[0]):
        seal = identity ^ _FNV_START
        for k in range(s.shape[1]):
            seal = (seal ^ np.uint64(s[i, k])) * _FNV_PRIME
        for k in range(w.shape[1]):
            seal = (seal ^ w[i, k]) * _FNV_PRIME
        seals[i] = mix((seal ^ seeds[i]) * _FNV_PRIME)
