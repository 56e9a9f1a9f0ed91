"""What a brain calculates at play: beliefs and values, on a GPU as captured pieces."""

from collections.abc import Hashable, Sequence
from functools import partial

import torch
from torch import Tensor

from gata.agents.commands import CommandBook
from gata.agents.making import Brain
from gata.agents.selector import LstmMemory
from gata.belief.interface import Step
from gata.language.vocabulary import SEP
from gata.nn.branch import Branch, side_by_side
from gata.nn.tokens import Grouped, join
from gata.training.capture import Captured, Tensors
from gata.training.rows import round_up

GROWTH_STEP = 32
"""Tensors that became too narrow grow by a multiple of this: each width is captured."""


class Thinking:
    """The calculations of one brain, for any number of games at once.

    Actors of the same brain can share it: what one has captured serves the others.
    """

    def __init__(self, brain: Brain, book: CommandBook) -> None:
        self.brain, self.book = brain, book
        in_one_piece = brain.belief is not None and brain.belief.in_one_piece
        self._believing = Captured(self._believe, brain.device, capture=in_one_piece)
        self._rating = Captured(self._rate, brain.device)
        self._widths: dict[str, int] = {}

    @property
    def _version(self) -> Hashable:
        """Of the commands, and of the weights: who begins to update them moves them."""
        weights = next(self.brain.selector.parameters())
        return self.book.tokens.version, weights.data_ptr()

    def width(self, what: str, least: int, step: int = GROWTH_STEP) -> int:
        """The width of tensors of some kind: as wide as they ever had to be, in steps."""
        self._widths[what] = max(self._widths.get(what, 0), round_up(least, step))
        return self._widths[what]

    @torch.no_grad()
    def believe(
        self,
        beliefs: Tensor,
        starts: Tensor,
        previous: Tensor,
        texts: Grouped,
        edges: Tensor | None,
    ) -> Tensor:
        """The beliefs after a step.

        Args:
            beliefs: (games, *state shape) before it.
            starts: (games,) booleans: where an episode begins, nothing is believed before.
            previous: (games,) numbers of the commands that led here.
            texts: the observations.
            edges: (games, edges) ids of the games' graphs, for a brain that is told them.
        """
        if self.brain.belief is None:
            return beliefs
        given = () if edges is None else (edges,)
        tensors = (beliefs, starts, previous, *given, texts.places, *texts.groups)
        (after,) = self._believing(*tensors, version=self._version)
        return after

    def _believe(self, beliefs: Tensor, starts: Tensor, previous: Tensor, *rest: Tensor) -> Tensors:
        belief = self.brain.belief
        assert belief is not None
        is_given = self.brain.preset.belief == "given"
        edges = rest[0] if is_given else None
        texts = _grouped(rest[is_given:])
        fresh = starts.view(-1, *[1] * (beliefs.dim() - 1))
        before = torch.where(fresh, belief.initial(len(beliefs), beliefs.device), beliefs)
        actions = self.book.words(previous)

        def update(group: Tensor, order: Tensor) -> Tensor:
            given = None if edges is None else edges[order]
            return belief.update(before[order], Step(group, actions[order], given))

        groups = list(zip(texts.groups, texts.order, strict=True))
        after = side_by_side([partial(update, *group) for group in groups])
        return (torch.cat(after).index_select(0, texts.places),)

    @torch.no_grad()
    def rate(
        self,
        beliefs: Tensor,
        previous: Tensor,
        texts: Grouped,
        words: Tensor,
        offered: Tensor,
        allowed: Tensor,
        memory: LstmMemory | None,
    ) -> tuple[Tensor, LstmMemory | None]:
        """Q-values of commands, and the memory after the step.

        Args:
            beliefs: (games, *state shape).
            previous: (games,) numbers of the commands that led here.
            texts: the observations.
            words: (commands, length) ids of different commands.
            offered: (games, most) which of them are candidates.
            allowed: (games, most) booleans.
            memory: of a recurrent brain, from the step before.

        Returns:
            (games, most) values, the lowest number where there is no candidate; the memory.
        """
        tensors = (beliefs, previous, words, offered, allowed, *(memory or ()))
        values, *after = self._rating(*tensors, texts.places, *texts.groups, version=self._version)
        return values, (after[0], after[1]) if after else None

    def _rate(
        self,
        beliefs: Tensor,
        previous: Tensor,
        words: Tensor,
        offered: Tensor,
        allowed: Tensor,
        *rest: Tensor,
    ) -> Tensors:
        selector = self.brain.selector
        tables = selector.tables()
        branch = Branch("commands")
        with branch.aside():
            commands = selector.commands(words, tables)
        texts = self._read(_grouped(rest[2 * selector.recurrent :]), previous)
        state = selector.pool(texts, self.brain.graph_to_encode(beliefs), tables)
        branch.join(commands)
        if not selector.recurrent:
            return (selector.rate(state, commands[offered], allowed),)
        state, memory = selector.remember(state, (rest[0], rest[1]))
        return selector.rate(state, commands[offered], allowed), *memory

    def _read(self, texts: Grouped, previous: Tensor) -> Grouped | None:
        preset = self.brain.preset
        if preset.uses == "graph":
            return None
        return with_actions(texts, self.book.words(previous)) if preset.action_in_text else texts


def with_actions(texts: Grouped, actions: Tensor) -> Grouped:
    """Texts with the commands that led to them: ``texts <sep> command``."""
    joined = (
        join(group, SEP, actions[order])
        for group, order in zip(texts.groups, texts.order, strict=True)
    )
    return Grouped(tuple(joined), texts.places)


def _grouped(tensors: Sequence[Tensor]) -> Grouped:
    places, *groups = tensors
    return Grouped(tuple(groups), places)
