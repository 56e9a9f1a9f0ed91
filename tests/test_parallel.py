import os
import signal
import sys

import pytest

from gata.errors import GataError, UsageError
from gata.parallel import run_parallel


def square(number: int) -> int:
    return number * number


def fail_at_three(number: int) -> int:
    if number == 3:
        raise GataError("three is not wanted")
    return number


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_every_task_is_done_once(jobs: int | None) -> None:
    assert sorted(run_parallel(square, range(10), jobs)) == [n * n for n in range(10)]
    assert list(run_parallel(square, [], jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_of_the_work_arrive(jobs: int) -> None:
    with pytest.raises(GataError, match="three is not wanted"):
        list(run_parallel(fail_at_three, range(5), jobs))


def test_a_killed_process_is_reported() -> None:
    with pytest.raises(GataError, match="was killed"):
        list(run_parallel(die, range(4), 2))


def test_no_jobs_are_refused() -> None:
    with pytest.raises(UsageError, match="jobs is 0"):
        list(run_parallel(square, range(2), 0))


@pytest.mark.parametrize("file", ["/a/script.py", None, "absent"])
def test_the_caller_stays_what_it_was(file: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    script = sys.modules["__main__"]
    if file == "absent":
        monkeypatch.delattr(script, "__file__", raising=False)
    else:
        monkeypatch.setattr(script, "__file__", file, raising=False)
    before = dict(vars(script))
    list(run_parallel(square, range(4), 2))
    assert vars(script) == before
