"""Numbers below each other have equally many decimals."""

import pytest

from gata.cells import as_text


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        ([0.0, 100.0, 22.5], ["0.0", "100.0", "22.5"]),
        ([0.0], ["0.0"]),
        ([22.28, 0.6813, None], ["22.280", "0.681", "-"]),
        ([1234.56, 0.5], ["1234.6", "0.5"]),
        ([-0.25, 3.0], ["-0.25", "3.00"]),
        ([8.228e-05, 1.0], ["8.23e-05", "1.0"]),
        ([float("nan"), 1.5], ["nan", "1.5"]),
        ([0, 100, True, "x", None], ["0", "100", "yes", "x", "-"]),
    ],
)
def test_a_column_has_one_number_of_decimals(column, shown: list[str]) -> None:
    rows = as_text([["name", value, 7.25] for value in column])
    assert rows == [["name", text, "7.2"] for text in shown]


def test_an_empty_table() -> None:
    assert as_text([]) == []
