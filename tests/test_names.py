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


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("level9", ""),
        ("level2/tset", " (did you mean level2/test?)"),
        ("level2/test/1", " (did you mean level2/test?)"),
        ("level2/test/97972", " (did you mean level2/test/97971 or level2/test?)"),
        ("levl", " (did you mean level2 or level1?)"),
    ],
)
def test_other_numbers_are_no_slips(name: str, told: str) -> None:
    known = ("level1", "level2", "level1/test", "level2/test", "level2/test/97971")
    assert did_you_mean(name, known) == told
