"""A study cut into parts that know nothing of each other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from rocscope.core.checks import show
from rocscope.errors import ResourceError, RocInputError
from rocscope.run.journal import Journal, Manifest, Row, in_use, is_locked


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
            raise RocInputError(
                f"must be I/N with I from 1 to N, got {self.index!r}/{self.count!r}", argument="shard"
            )

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
        if match is None:
            raise RocInputError(f"must be I/N with I from 1 to N, got {show(text)}", argument="shard")
        return cls(int(match[1]), int(match[2]))

    def holds(self, key: str) -> bool:
        """Whether the task of this key belongs to the part."""
        return mixed(key) % self.count == self.index - 1

    @property
    def file_name(self) -> str:
        """Name of the part's journal."""
        return "journal.jsonl" if self == WHOLE else f"journal-{self.index}-of-{self.count}.jsonl"


WHOLE = Shard(1, 1)


# ---- The folder of a study: journals of one study only, and no two runs that do the same work -------------

SHARDS = "journal-*-of-*.jsonl"


def journal_paths(folder: str | Path) -> list[Path]:
    """Journals in a folder, that of the whole before those of shards; one that is empty has not begun."""
    whole = Path(folder) / WHOLE.file_name
    return [path for path in (whole, *shard_paths(folder)) if path.is_file() and path.stat().st_size]


def shard_paths(folder: str | Path) -> list[Path]:
    """Journals of shards in a folder."""
    return sorted(Path(folder).glob(SHARDS))


def is_running(folder: str | Path) -> bool:
    """Whether a run works in the folder now."""
    return any(map(is_locked, journal_paths(folder)))


def open_journal(folder: str | Path, manifest: Manifest, shard: Shard = WHOLE) -> Journal:
    """Open the journal of a study, or of a shard of it, for writing; it is made where it is missing.

    Parameters
    ----------
    folder : path
        Made where it is missing.
    manifest : Manifest
        The study. A folder that holds a journal of another one is refused.
    shard : Shard
        Shards may run beside each other in one folder, the whole only alone.

    Returns
    -------
    Journal
        Close it: with it the lock is let go.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResourceError(f"{place} cannot be made: {error.strerror}") from error
    for there in (Journal.look(path).manifest for path in journal_paths(place)):
        if there != manifest:
            raise RocInputError(
                f"{place} holds another study, or other parameters: "
                f"{manifest.differs_from(there)}; take another folder"
            )
    journal = Journal.open(place / shard.file_name, manifest)
    # Its own lock is held before it looks at others: of two runs that begin at once, one at least sees the
    # other.
    for other in journal_paths(place):
        if other != journal.path and WHOLE.file_name in (other.name, shard.file_name) and is_locked(other):
            journal.close()
            raise in_use(other)
    return journal


def look_at_study(folder: str | Path) -> list[Journal]:
    """All journals in a folder, open for reading: there is one at least, and all are of one study."""
    journals = [Journal.look(path) for path in journal_paths(folder)]
    if not journals:
        raise RocInputError(f"{folder} must hold the journal of a study, got none")
    first, *others = journals
    for other in others:
        if other.manifest != first.manifest:
            differing = first.manifest.differs_from(other.manifest)
            raise RocInputError(
                f"{folder} must hold journals of one study, got {other.path.name} beside "
                f"{first.path.name}: {differing}; move one of them away"
            )
    return journals


def merge_shards(folder: str | Path) -> Journal:
    """Put the journals of all shards in a folder together, in the journal of the whole.

    Returns
    -------
    Journal
        Open; close it.
    """
    if not shard_paths(folder):
        raise RocInputError(f"{folder} must hold journals of shards, got none")
    whole = open_journal(folder, look_at_study(folder)[0].manifest)
    try:
        take_over(whole)
    except BaseException:
        whole.close()
        raise
    return whole


def take_over(journal: Journal, keys: Collection[str] | None = None) -> None:
    """Copy what the other journals in the folder hold, of these keys or of all: it need not be done again."""
    for other in look_at_study(journal.path.parent):
        if other.path != journal.path:
            journal.copy_from(other, keys)


def together(journals: Iterable[Journal]) -> dict[str, Row]:
    """What journals hold together, by key; a result stays, whatever error another one has."""
    rows: dict[str, Row] = {}
    for row in (row for journal in journals for row in journal.rows()):
        if row.key not in rows or row.error is None:
            rows[row.key] = row
    return rows
