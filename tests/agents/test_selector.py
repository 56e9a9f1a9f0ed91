"""The action selector's memory, against its formula."""

import pytest
import torch

from gata.agents.selector import ActionSelector
from gata.errors import UsageError
from tests.nn import slow
from tests.nn.samples import HIDDEN, lexicon, settings, shaken


def test_what_a_recurrent_selector_knows_is_the_output_of_its_lstm() -> None:
    selector = shaken(ActionSelector(lexicon(), settings(), uses="text", recurrent=True))
    steps, memory = torch.randn(3, 2, HIDDEN), None
    expected = [(torch.zeros(HIDDEN), torch.zeros(HIDDEN)) for _ in range(2)]
    for pooled in steps:
        state, memory = selector.remember(pooled, memory)
        expected = [
            slow.lstm(selector.scorer.memory.cell, one, *before)
            for one, before in zip(pooled, expected, strict=True)
        ]
        outputs, cells = (torch.stack(rows) for rows in zip(*expected, strict=True))
        for found, wanted in ((state, outputs), (memory[0], outputs), (memory[1], cells)):
            torch.testing.assert_close(found, wanted)


def test_a_selector_without_a_memory_cannot_remember() -> None:
    selector = ActionSelector(lexicon(), settings(), uses="text")
    with pytest.raises(UsageError, match="not recurrent"):
        selector.remember(torch.randn(2, HIDDEN), None)
