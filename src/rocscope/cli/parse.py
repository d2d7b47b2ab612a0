"""Options that are more than one word: numbers of any size, ranges, lists, and the seed."""

from __future__ import annotations

import math
import re
import secrets
from dataclasses import dataclass
from typing import Any

from rocscope.errors import RocUsageError

N_BOOT = 2000
FRESH = "random numbers from seed"


def read_number(text: str) -> float | None:
    """Read a number, or say None; whole numbers stay exact at any size.

    Examples
    --------
    >>> read_number("9007199254740993"), read_number("0.5"), read_number("x")
    (9007199254740993, 0.5, None)
    """
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        return int(text)
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def read_threshold(text: str | None) -> float | None:
    """Read a threshold, which may be infinite.

    Examples
    --------
    >>> read_threshold("9007199254740993"), read_threshold("-inf")
    (9007199254740993, -inf)
    """
    value = None if text is None else read_number(text)
    if text is not None and (value is None or math.isnan(value)):
        raise RocUsageError(f"--threshold must be a number, got {text!r}")
    return value


def read_cost(text: str | None) -> float | tuple[float, float] | None:
    """Read "FN", or "FP,FN".

    Examples
    --------
    >>> read_cost("5"), read_cost("1,5")
    (5.0, (1.0, 5.0))
    """
    if text is None:
        return None
    costs = [read_number(part) for part in text.split(",")]
    known = [float(cost) for cost in costs if cost is not None]
    if len(known) != len(costs) or len(costs) > 2:
        raise RocUsageError(f"--cost must be one number (FN) or two (FP,FN), got {text!r}")
    return known[0] if len(known) == 1 else (known[0], known[1])


def read_range(text: str | None, option: str) -> tuple[float, float] | None:
    """Read "LOW,HIGH"; whether it is a range of rates is for the method to say.

    Examples
    --------
    >>> read_range("0,0.1", "--fpr")
    (0, 0.1)
    """
    if text is None:
        return None
    ends = [read_number(part) for part in text.split(",")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        raise RocUsageError(f"{option} must be two numbers LOW,HIGH, got {text!r}")
    return ends[0], ends[1]


def read_names(text: str, option: str) -> list[str]:
    """Read names between commas.

    Examples
    --------
    >>> read_names("low, middle,high", "--classes")
    ['low', 'middle', 'high']
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) < 2 or "" in names or len(set(names)) < len(names):
        raise RocUsageError(f"{option} must be two or more different names between commas, got {text!r}")
    return names


def check_jobs(n_jobs: int | None) -> None:
    """Refuse a number of processes that is none, also where nothing is left for them to do."""
    from rocscope.core.execute import count_jobs

    if n_jobs is not None:
        count_jobs(n_jobs)


@dataclass(frozen=True, slots=True)
class Draws:
    """The random numbers of a command: how many draws, and the seed that repeats them.

    Without a seed of the user a fresh one is taken and told, so that every number can be had again.
    """

    n_boot: int
    seed: int | None
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, n_boot: int | None, seed: int | None, *, used: bool) -> Draws:
        """The options as they were given; `used` says whether anything is left to chance."""
        number = N_BOOT if n_boot is None else n_boot
        if seed is not None or not used:
            return cls(number, seed if used else None)
        fresh = secrets.randbelow(2**32)
        return cls(number, fresh, (f"{FRESH} {fresh}: --seed {fresh} repeats them",))

    @property
    def told(self) -> dict[str, Any]:
        """The seed as a part of the input, where there is one."""
        return {} if self.seed is None else {"seed": self.seed}

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of a function that draws."""
        return {"n_boot": self.n_boot, "rng": self.seed}
