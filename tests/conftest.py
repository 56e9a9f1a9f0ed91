"""Every test works in a cache folder of its own."""

from pathlib import Path

import pytest

from gata.cache import HOME_VARIABLE


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "gata-home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return home
