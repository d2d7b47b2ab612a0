"""A study cut into parts that know nothing of each other."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from rocscope.core.checks import show
from rocscope.errors import RocInputError


def mixed(key: str) -> int:
    """A number that follows from a task's key, and is as good as drawn.

    Examples
    --------
    >>> sorted(["a/1", "a/2", "b/1", "b/2"], key=mixed)
    ['a/2', 'b/2', 'a/1', 'b/1']
    """
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `index` of `count`, counted from 1; which one a task is in follows from its key alone.

    Examples
    --------
    >>> [sum(Shard(i, 3).holds(f"task/{k}") for k in range(300)) for i in (1, 2, 3)]
    [104, 103, 93]
    """

    index: int
    count: int

    def __post_init__(self) -> None:
        numbers = (self.index, self.count)
        if not all(type(number) is int for number in numbers) or not 1 <= self.index <= self.count:
            raise RocInputError(f"shard must be I/N with I from 1 to N, got {self.index!r}/{self.count!r}")

    @classmethod
    def read(cls, text: str | Shard) -> Shard:
        """Read "2/5"; a shard is one already.

        Examples
        --------
        >>> Shard.read("2/5")
        Shard(index=2, count=5)
        """
        if isinstance(text, Shard):
            return text
        match = re.fullmatch(r"(\d{1,18})/(\d{1,18})", text) if isinstance(text, str) else None
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise RocInputError(f"shard must be I/N with I from 1 to N, got {show(text)}")
        return cls(int(match[1]), int(match[2]))

    def holds(self, key: str) -> bool:
        """Whether the task of this key belongs to the part."""
        return mixed(key) % self.count == self.index - 1

    @property
    def file_name(self) -> str:
        """Name of the part's journal."""
        return "journal.sqlite" if self == WHOLE else f"journal-{self.index}-of-{self.count}.sqlite"


WHOLE = Shard(1, 1)
