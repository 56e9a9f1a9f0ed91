"""Every test works in a cache folder of its own."""

from pathlib import Path

import pytest
from hypothesis import settings

from gata.cache import HOME_VARIABLE

# The first example may compile or import for seconds, and a busy machine is no failure.
settings.register_profile("gata", deadline=None)
settings.load_profile("gata")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "gata-home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return home
