"""A study cut into parts that know nothing of each other."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any, Self

from rocscope.core.checks import show
from rocscope.errors import ResourceError, RocInputError
from rocscope.run.journal import Journal, Manifest, Row, make_journal


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
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise RocInputError(f"must be I/N with I from 1 to N, got {show(text)}", argument="shard")
        return cls(int(match[1]), int(match[2]))

    def holds(self, key: str) -> bool:
        """Whether the task of this key belongs to the part."""
        return mixed(key) % self.count == self.index - 1

    @property
    def file_name(self) -> str:
        """Name of the part's journal."""
        return "journal.sqlite" if self == WHOLE else f"journal-{self.index}-of-{self.count}.sqlite"


WHOLE = Shard(1, 1)


# ---- The folder of a study: journals of one study only, and no two runs that do the same work -------------

# Runs of shards share this lock, a run of the whole has it alone.
LOCK = "study.lock"
SHARDS = "journal-*-of-*.sqlite"


def journal_paths(folder: str | Path) -> list[Path]:
    """Journals in a folder, that of the whole before those of shards."""
    whole = Path(folder) / WHOLE.file_name
    return [*([whole] if whole.is_file() else []), *shard_paths(folder)]


def shard_paths(folder: str | Path) -> list[Path]:
    """Journals of shards in a folder."""
    return sorted(Path(folder).glob(SHARDS))


def is_running(folder: str | Path) -> bool:
    """Whether a run works in the folder now."""
    return is_locked(Path(folder) / LOCK)


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
    path = place / shard.file_name
    with ExitStack() as stack:
        stack.enter_context(FileLock(place / LOCK, shared=shard != WHOLE))
        if shard != WHOLE:
            stack.enter_context(FileLock(path.with_suffix(".lock")))
        if path.is_symlink():
            raise ResourceError(f"{path} cannot be written: it is a symbolic link")
        is_new = not path.exists()
        if is_new:
            make_journal(path, manifest)
        try:
            # Its own journal is there before it looks at others: of two runs that begin at once, one at
            # least sees the other.
            for other in journal_paths(place):
                try:
                    with look_at([other]) as (journal,):
                        there = journal.manifest
                except ResourceError:
                    if other.exists():
                        raise
                    continue  # another run made it, and took it back
                if there != manifest:
                    raise RocInputError(
                        f"{place} holds another study, or other parameters: "
                        f"{manifest.differs_from(there)}; take another folder"
                    )
        except BaseException:
            if is_new:
                path.unlink()
            raise
        journal = Journal.open(path, manifest)
        journal.hold(stack.pop_all())
        return journal


@contextmanager
def look_at(paths: Iterable[Path]) -> Iterator[list[Journal]]:
    """Journals open for reading; runs that are under way go on."""
    with ExitStack() as stack:
        journals = []
        for path in paths:
            journals.append(Journal.look(path))
            stack.callback(journals[-1].close)
        yield journals


@contextmanager
def look_at_study(folder: str | Path) -> Iterator[list[Journal]]:
    """All journals in a folder, open for reading: there is one at least, and all are of one study."""
    paths = journal_paths(folder)
    if not paths:
        raise RocInputError(f"{folder} must hold the journal of a study, got none")
    with look_at(paths) as journals:
        first = journals[0]
        for other in journals[1:]:
            if other.manifest != first.manifest:
                differing = first.manifest.differs_from(other.manifest)
                raise RocInputError(
                    f"{folder} must hold journals of one study, got {other.path.name} beside "
                    f"{first.path.name}: {differing}; move one of them away"
                )
        yield journals


def merge_shards(folder: str | Path) -> Journal:
    """Put the journals of all shards in a folder together, in the journal of the whole.

    Returns
    -------
    Journal
        Open; close it.
    """
    if not shard_paths(folder):
        raise RocInputError(f"{folder} must hold journals of shards, got none")
    with look_at_study(folder) as journals:
        manifest = journals[0].manifest
    whole = open_journal(folder, manifest)
    try:
        take_over(whole)
    except BaseException:
        whole.close()
        raise
    return whole


def take_over(journal: Journal, keys: Collection[str] | None = None) -> None:
    """Copy what the other journals in the folder hold, of these keys or of all: it need not be done again."""
    paths = journal_paths(journal.path.parent)
    with look_at(path for path in paths if path != journal.path) as others:
        for other in others:
            journal.copy_from(other, keys)


def together(journals: Iterable[Journal]) -> dict[str, Row]:
    """What journals hold together, by key; a result stays, whatever error another one has."""
    rows: dict[str, Row] = {}
    for row in (row for journal in journals for row in journal.rows()):
        if row.key not in rows or row.error is None:
            rows[row.key] = row
    return rows


# ---- Who may work in a folder: locks of the operating system, which die with their holders ----------------

ATTEMPTS, PAUSE = 5, 0.02
# What a lock file holds: the number of the process that has it, or blanks.
WIDTH = 10
# Bytes that are locked where the system locks ranges, beyond the content; and how many may share.
RANGE_START, SHARERS = 1 << 20, 256
CONTENT = re.compile(rb"(?:[0-9 ]{0,%d}\n)?" % WIDTH)
# Nothing that the name links to is touched, and a pipe of this name keeps no one waiting; Windows has
# flags of its own.
FLAGS = ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOINHERIT", "O_BINARY")
SAFELY = sum(getattr(os, name, 0) for name in FLAGS)


class FileLock:
    """Hold a lock on a file for as long as this object is open.

    A file that merely exists would outlive a killed process and keep everyone out. The package filelock has
    locks of this kind that are shared in a database only, and it empties a file of the lock's name.

    Parameters
    ----------
    path : Path
        The file, made where it is missing. A link, and what is no file, is refused.
    shared : bool
        Whether others who share may hold the lock at the same time.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        if path.is_symlink():
            raise ResourceError(f"{path} cannot be written: it is a symbolic link")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | SAFELY, 0o644)
        except OSError as error:
            raise ResourceError(f"{path} cannot be written: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            self.close()
            raise ResourceError(f"{path} cannot be written: it is not a file")
        attempts = 1  # more than one: someone may just be checking whether the lock is held
        while not _locked(self._file, shared=shared):
            if attempts == ATTEMPTS:
                content = os.read(self._file, 64)
                number = content.decode().strip() if CONTENT.fullmatch(content) else ""
                holder = f" (process {number})" if number else ""
                self.close()
                raise RocInputError(f"{path.parent} is in use by another run{holder}: wait for it, or end it")
            attempts += 1
            sleep(PAUSE)
        with suppress(OSError):  # the holder's name helps others; a full disk must not stop the run
            os.lseek(self._file, 0, os.SEEK_SET)
            if CONTENT.fullmatch(os.read(self._file, 64)):  # another file of this name stays as it is
                holder = "" if shared else str(os.getpid())
                os.lseek(self._file, 0, os.SEEK_SET)
                os.write(self._file, f"{holder:<{WIDTH}}\n".encode())

    def close(self) -> None:
        """Let go."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_locked(path: Path) -> bool:
    """Whether anyone holds a lock on the file now."""
    try:
        file = os.open(path, os.O_RDONLY | SAFELY)
    except OSError:
        return False
    try:
        return not _locked(file, shared=False)
    finally:
        os.close(file)


def _locked(file: int, *, shared: bool) -> bool:
    """Lock an open file if that is possible now."""
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
    return _locked_range(file, shared=shared)


def _locked_range(file: int, *, shared: bool) -> bool:
    """The same on Windows, whose locks of the C library are of ranges of bytes and never shared.

    Beyond the content of the file every sharer locks one byte of a range, who is alone the whole range.
    """
    import msvcrt

    locking: Any = msvcrt  # has these names on Windows alone
    for first in range(SHARERS) if shared else (0,):
        os.lseek(file, RANGE_START + first, os.SEEK_SET)
        try:
            locking.locking(file, locking.LK_NBLCK, 1 if shared else SHARERS)
        except OSError:
            continue
        os.lseek(file, 0, os.SEEK_SET)
        return True
    os.lseek(file, 0, os.SEEK_SET)
    return False
