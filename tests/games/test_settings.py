import pytest

from gata.errors import UsageError
from gata.games.settings import DIFFICULTIES, LEVELS, Setting


def test_the_shorthand_round_trips() -> None:
    text = "recipe3+take2+cook+cut+open+drop+go12"
    setting = Setting.parse(text)
    assert setting == Setting(recipe=3, take=2, cook=True, cut=True, open=True, drop=True, go=12)
    assert str(setting) == text
    assert str(Setting.parse("go6+cut+recipe1")) == "recipe1+cut+go6"


def test_the_papers_levels() -> None:
    assert LEVELS[1] == Setting(recipe=1, take=1, go=1, cut=True, cook=False, open=True)
    assert LEVELS[2] == Setting(recipe=1, take=1, go=1, cut=True, cook=True, open=True)
    assert LEVELS[3] == Setting(recipe=1, take=1, go=9, cut=False, cook=False, open=True)
    assert LEVELS[4] == Setting(recipe=3, take=3, go=6, cut=True, cook=True, open=True)
    assert len(set(DIFFICULTIES.values())) == 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cut",
        "recipe6",
        "recipe0",
        "recipe1+take2",
        "recipe1+go7",
        "recipe1+fly",
        "recipe",
        "recipe1+cut2",
        "recipe1+recipe2",
        "recipe1++cut",
        "Recipe1",
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="setting"):
        Setting.parse(text)
