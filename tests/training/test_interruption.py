"""Being asked to stop."""

import signal

import pytest

from gata.training.interruption import Interruption


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_only_a_second_ctrl_c_interrupts(first: signal.Signals) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with Interruption() as stop:
        assert not stop.wanted
        signal.raise_signal(first)
        assert stop.wanted
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
