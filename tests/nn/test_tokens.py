import torch
from hypothesis import given
from hypothesis import strategies as st

from gata.language import vocabulary
from gata.nn.tokens import PAD, distinct, join
from tests.nn.samples import pad, texts


def test_padding_is_the_vocabulary_s() -> None:
    assert PAD == vocabulary.PAD


def test_joined_texts_have_no_gap() -> None:
    first, second = texts(3, 0, 5), texts(2, 4, 0)
    joined = join(pad(first), vocabulary.SEP, pad(second))
    assert joined.shape == (3, 5 + 1 + 4)
    for row, a, b in zip(joined.tolist(), first, second, strict=True):
        text = [*a.tolist(), vocabulary.SEP, *b.tolist()]
        assert row == text + [PAD] * (10 - len(text))


@given(st.lists(st.integers(0, 12), min_size=1, max_size=20), st.integers(0, 5))
def test_distinct_values_can_be_looked_up(ids: list[int], spare: int) -> None:
    given_ids = torch.tensor(ids)
    values, lookup = distinct(given_ids, 13, len(set(ids)) + spare)
    assert values[lookup].tolist() == ids
    assert values.tolist() == sorted(set(ids)) + [0] * spare


def test_distinct_keeps_the_shape() -> None:
    ids = torch.tensor([[3, 1], [1, 3]])
    values, lookup = distinct(ids, 5, 4)
    assert torch.equal(values[lookup], ids)
