"""Every kernel compiles for the GPUs it is meant for; nobody needs one for that."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gata.nn.fused import LEAST_CAPABILITY

SHARED_MEMORY = 99 * 1024
"""Bytes that a block may have on any GPU since Ampere; an A100 has 163 KB, an H200 has 227."""

LEAST = "".join(map(str, LEAST_CAPABILITY))


@pytest.mark.parametrize(
    ("capability", "precision", "unused"),
    # Nothing is rounded in the highest precision.
    [(LEAST, "highest", ["gata.nn.fused.tiles._rounded"]), ("90", "high", [])],
)
def test_all_kernels_compile_and_fit(
    capability: str, precision: str, unused: list[str], tmp_path: Path
) -> None:
    # In the tests' own process kernels are interpreted.
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment["TRITON_CACHE_DIR"] = str(tmp_path)
    result = subprocess.run(
        [sys.executable, "-m", "tests.nn.fused.compiling", capability, precision],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["unused"] == unused
    assert found["shared"]
    assert {name: size for name, size in found["shared"].items() if size > SHARED_MEMORY} == {}
