"""Unknown names are answered with close ones."""

import pytest

from gata.names import did_you_mean


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tr-dnq", " (did you mean tr-dqn or tr-drqn?)"),
        ("gata-cco", " (did you mean gata-coc?)"),
        ("nosuch", ""),
    ],
)
def test_close_names(name: str, told: str) -> None:
    assert did_you_mean(name, (each for each in ("tr-dqn", "tr-drqn", "gata-coc"))) == told
