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


def note(k, seconds, ledger, seed):
    """Take a while, and note on the way out that it was done."""
    time.sleep(seconds)
    with open(ledger, "a") as file:
        file.write(f"{k}\n")
    return float(np.random.default_rng(seed).random())


def odd(k, seed):
    """Results of which some cannot be kept."""
    return [1.0, object(), {1, 2}, float("nan"), "\ud800", {"a": (1, np.int64(2))}][k]


def complain(k, seed):
    """An error of characters that no file can hold."""
    raise ValueError("half a character: \ud800")


def other_total(k, big, seconds, seed):
    """Something else of the same parameters."""
    return k - float(big.sum())
