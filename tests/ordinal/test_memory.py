"""With every distinct estimate as a threshold, memory grows with the cases and not with their pairs."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from rocscope.ordinal.roc import ordinal_roc

TESTS = Path(__file__).parent.parent
N = 20_000
# A single matrix of the points of a class, (N / 6)^2 numbers, would take 88 MB.
BYTES_PER_CASE = 1000


def sample(n, seed=7):
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 7, n)
    return y, y + rng.normal(0, 0.6, n)


def peak(n, **options):
    """Bytes that NumPy and Python hold at most during a call."""
    y, e = sample(n)
    ordinal_roc(y, e, thresholds="all", **options)  # what is loaded once does not count
    tracemalloc.start()
    try:
        ordinal_roc(y, e, thresholds="all", **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fixed": "upper", "closure": "flat"},
        {"objective": "kappa", "cuts": "range"},
        {"fold": np.arange(N) % 5},
        {"n_boot": 100, "rng": 1},
    ],
    ids=["lower", "upper", "kappa", "folds", "intervals"],
)
def test_memory_is_linear_in_the_cases(options):
    assert len(np.unique(sample(N)[1])) == N
    assert peak(N, **options) < BYTES_PER_CASE * N


def held():
    """Kilobytes that this process has held at most (not its parent, as getrusage would say)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


WHOLE_PROCESS = """
import numpy as np
from ordinal.test_memory import N, held, sample
from rocscope.core import kernels
from rocscope.ordinal.roc import ordinal_roc
one = np.array([0, 1])
kernels.best_by_false_positives(one, one, one + 1, one + 1, 2)  # loads numba
before = held()
result = ordinal_roc(*sample(N), thresholds="all")
print(held() - before, sum(one.lower.size * one.upper.size for one in result.curves))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory that Linux reports")
def test_compiled_loops_hold_no_matrix_either():
    done = subprocess.run(
        [sys.executable, "-c", WHOLE_PROCESS], capture_output=True, text=True, check=True, cwd=TESTS
    )
    kilobytes, pairs = map(int, done.stdout.split())
    assert pairs > 2e7
    assert kilobytes < 40_000
