"""Seeds of the cases of one test: always the same ones, or new ones for as long as the budget allows."""

import itertools
import os
import time
import zlib
from collections.abc import Iterator

import numpy as np

from stress.budget import seconds


def seeds(count: int, *, tests: int) -> Iterator[int]:
    """Yield 0, 1, ... : `count` of them, or with ROCSCOPE_STRESS_SECONDS until this test's share is over.

    `tests` is the number of tests in the file, which divide the seconds of the file. ROCSCOPE_STRESS_SEED is
    the first seed, so that one night does not repeat the cases of the last.
    """
    first = int(os.environ.get("ROCSCOPE_STRESS_SEED", 0))
    allowed = seconds(0) / tests
    if not allowed:
        yield from range(first, first + count)
        return
    end = time.monotonic() + allowed
    for seed in itertools.count(first):
        if seed - first >= count and time.monotonic() > end:
            return
        yield seed


def generator(name: str, seed: int) -> np.random.Generator:
    """The random numbers of one case of one test."""
    return np.random.default_rng([zlib.crc32(name.encode()), seed])
