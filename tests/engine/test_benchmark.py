import importlib.util
import sys
from pathlib import Path

import pytest

from gata.cli.bench import BenchEngine
from gata.engine import VectorEnv
from gata.engine.benchmark.measure import Speed, express_speed, our_speed, row_bytes
from gata.engine.benchmark.run import Benchmark
from gata.errors import UsageError
from gata.games.settings import LEVELS
from tests.engine.games import some_games

EXPRESS = """
class TextWorldExpressEnv:
    def __init__(self, envStepLimit):
        pass

    def load(self, gameName, gameParams):
        assert gameName == "cookingworld"
        assert "numLocations=1" in gameParams.split(",")

    def reset(self, seed, gameFold, generateGoldPath):
        self.left = 3
        return "", {"validActions": ["look"]}

    def step(self, command):
        assert command == "look"
        assert self.left > 0, "played on after the end"
        self.left -= 1
        return "", 0, self.left == 0, {"validActions": ["look"]}

    def close(self):
        pass
"""


def test_our_speed_is_measured_by_both_clocks() -> None:
    games = some_games()[:2]
    one = our_speed("some", games, batch=4, threads=1, seconds=0.02)
    assert (one.engine, one.games, one.batch, one.threads) == ("gata", "some", 4, 1)
    assert (one.steps_per_second or 0) > 0
    assert (one.steps_per_cpu_second or 0) > 0
    # Processor time of several threads says nothing about one.
    many = our_speed("some", games, batch=128, threads=2, seconds=0.02)
    assert many.steps_per_cpu_second is None


def test_memory_is_told_for_states_and_outputs() -> None:
    state, outputs = row_bytes(some_games()[:2])
    env = VectorEnv(some_games()[:2], 3)
    env.reset()
    assert state == sum(array[0].nbytes for array in env.save()[:3])
    assert outputs == env.outputs.numbers[0].nbytes


def test_textworld_express_is_measured_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a stand-in for the package, which needs Java."""
    (tmp_path / "textworld_express.py").write_text(EXPRESS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    speed = express_speed("level1/valid", LEVELS[1], 0.02, sys.executable)
    assert (speed.steps_per_second or 0) > 0, speed.remark
    assert speed.remark == "another game"


@pytest.mark.skipif(
    importlib.util.find_spec("textworld_express") is not None, reason="it is installed"
)
def test_what_is_not_installed_is_not_measured() -> None:
    speed = express_speed("level1/valid", LEVELS[1], 0.02, sys.executable)
    assert speed.steps_per_second is None
    assert "textworld_express" in speed.remark
    nowhere = express_speed("level1/valid", LEVELS[1], 0.02, "/nowhere/python")
    assert "not measured" in nowhere.remark


@pytest.mark.parametrize("python", ["/nowhere/python", sys.executable])
def test_a_python_that_was_named_must_have_textworld_express(python: str) -> None:
    if importlib.util.find_spec("textworld_express") is not None:
        pytest.skip("it is installed")
    with pytest.raises(UsageError, match=f"--express-python is {python}, which"):
        BenchEngine(express_python=python).run()


def test_ratios_are_by_one_clock_each() -> None:
    textworld = Speed("TextWorld", "a", 1, 1, 100.0, 200.0)
    single = Speed("gata", "a", 8, 1, 1000.0, 4000.0)
    threaded = Speed("gata", "a", 8, 2, 3000.0)
    elsewhere = Speed("gata", "b", 8, 1, 1000.0, 4000.0)
    unmeasured = Speed("TextWorldExpress", "a", 1, 1, None)
    result = Benchmark(
        (textworld, single, threaded, elsewhere, unmeasured), 1.0, {"a": 1}, {"a": 2}
    )
    assert result.times_textworld(single) == 10
    assert result.times_textworld(single, "cpu") == 20
    assert result.times_textworld(threaded) == 30
    assert result.times_textworld(threaded, "cpu") is None
    assert result.times_textworld(elsewhere) is None
    assert result.times_textworld(unmeasured) is None
    assert result.to_json()["output_bytes"] == {"a": 2}
