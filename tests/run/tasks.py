"""Tasks for the tests of studies: importable by workers of any kind."""

import os
import signal
import time

import numpy as np


def draw(k, seed, seconds=0.0):
    """A number that depends on the task alone, after a while."""
    time.sleep(seconds)
    return {"k": k, "drawn": float(np.random.default_rng(seed).random())}


def fail_on(k, bad, seed):
    """Fail for one k."""
    if k == bad:
        raise ValueError(f"{k} is bad")
    return k


def die_once(k, marker, seed):
    """Kill the worker, the first time only."""
    if k == 3 and not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return k


def bulk(k, seed):
    """A result of a kilobyte."""
    return "x" * 1000


def total(k, big, seconds, seed):
    """The sum of a large array, after a while."""
    time.sleep(seconds)
    return k + float(big.sum())
