"""Results on disk as they arrive: a file of JSON lines, each with its checksum, that only ever grows."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any, NamedTuple

from rocscope.core.execution import Outcome
from rocscope.core.result import plain
from rocscope.errors import ResourceError, RocInputError

# Raised with every change of the lines; formats 1 and 2 were SQLite databases.
FORMAT = 3
# Seconds between two syncs at least: a kill takes nothing back, a power failure what came in between.
SYNC = 0.1
# Tries for the lock of a file, and seconds between them: someone may just be checking whether it is held.
ATTEMPTS, PAUSE = 5, 0.02
# A byte that is locked on Windows, far beyond the content: locks there keep others from reading.
LOCKED_BYTE = 1 << 40
# Nothing that the name links to is touched; Windows has no such flag.
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class Row(NamedTuple):
    """A line of the journal: a task with its result as JSON holds it, or with its error."""

    key: str
    value: Any
    error: str | None
    traceback: str | None
    seconds: float


class Journal:
    """The journal of a study, or of a shard of one; `rocscope.run.study` opens it for writing.

    The first line is the manifest, each of the others a result or an error; of two lines of one key the later
    counts. A line without its end is what a killed run leaves, and its task is done again. A line with a
    wrong checksum is damage: the journal is refused.
    """

    def __init__(self, path: Path, manifest: Manifest, file: FileIO | None = None) -> None:
        self.path, self.manifest = path, manifest
        self._study = checksum_of(manifest.text())
        self._file = file
        self._synced = -SYNC

    @classmethod
    def open(cls, path: Path, manifest: Manifest) -> Journal:
        """Open the journal of this study for writing, made where it is missing; no one else may have it open.

        The lock of the operating system dies with its holder: a file that merely exists would outlive it.
        """
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise ResourceError(f"{path} cannot be written: it is a link, or not a file")
        with _named_errors(path):
            # Without a buffer: what could not be written must not be tried again when the file is closed.
            file = FileIO(path, "a+", opener=lambda name, flags: os.open(name, flags | NO_LINK, 0o644))
        journal = cls(path, manifest, file)
        try:
            attempts = 1
            while not _lock(file):
                if attempts == ATTEMPTS:
                    raise in_use(path)
                attempts += 1
                sleep(PAUSE)
            with _named_errors(path):
                content = path.read_bytes()
                if not content:
                    journal._begin()
                elif not content.endswith(b"\n"):
                    cls.look(path).rows()  # a damaged journal stays as it is
                    file.truncate(content.rindex(b"\n") + 1)
        except BaseException:
            journal.close()
            raise
        return journal

    def _begin(self) -> None:
        """Write the first line; a journal that has none is not left behind."""
        text = self.manifest.text()
        try:
            self._append([f"{checksum_of(FORMAT, text)} {text}"])
        except BaseException:
            self.path.unlink(missing_ok=True)
            raise

    @classmethod
    def look(cls, path: str | Path) -> Journal:
        """Open a journal for reading; a run that is under way goes on."""
        place = Path(path)
        first, *_ = _lines(place) or [""]
        if not first and not place.stat().st_size:  # made a moment ago, or by a run that was killed at once
            raise ResourceError(f"{place} is empty: its study has not begun; run it, or wait for it")
        checksum, _, text = first.partition(" ")
        if checksum != checksum_of(FORMAT, text):
            raise _damaged(place, "its first line is not that of a journal")
        return cls(place, Manifest.read(text))

    def record(self, outcome: Outcome) -> None:
        """Take a result: no kill of this process takes it back, and after `flush` no power failure."""
        error, trace = (
            None if text is None else text.encode("utf-8", "backslashreplace").decode()
            for text in (outcome.error, outcome.traceback)
        )
        row = Row(outcome.key, outcome.value, error, trace, outcome.seconds)
        try:
            line = self._line(row)
        except (TypeError, ValueError, RecursionError) as refused:
            error = f"{type(refused).__name__}: the result cannot be kept: {refused}"
            line = self._line(row._replace(value=None, error=error))
        self._append([line])

    def _line(self, row: Row) -> str:
        text = canonical_json(row)
        return f"{checksum_of(self._study, text)} {text}"

    def _append(self, lines: Iterable[str]) -> None:
        assert self._file is not None
        with _named_errors(self.path):
            content = "".join(f"{line}\n" for line in lines).encode("ascii")
            while content:
                content = content[self._file.write(content) :]
        if monotonic() - self._synced >= SYNC:
            self.flush()

    def flush(self) -> None:
        """Wait until everything recorded so far is on the disk."""
        assert self._file is not None
        with _named_errors(self.path):
            os.fsync(self._file.fileno())
        self._synced = monotonic()
        if not self.path.exists():  # the open file would take results that no one finds again
            raise ResourceError(f"{self.path} cannot be used: it was removed while the study was running")

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def keys(self, *, failed: bool) -> set[str]:
        """Keys that have a result; with `failed` also those that have an error."""
        return {row.key for row in self.rows() if failed or row.error is None}

    def results(self) -> Iterator[tuple[str, Any]]:
        """Key and value of every result, in the order of the keys; errors are left out."""
        return ((row.key, row.value) for row in self.rows() if row.error is None)

    def digest(self) -> str:
        """SHA-256 of all results and errors in the order of their keys, times left out."""
        return digest_of_rows(self.rows())

    def rows(self) -> list[Row]:
        """All that is recorded, in the order of the keys, if every checksum is right."""
        rows, damaged = dict[str, Row](), list[int]()
        for number, line in enumerate(_lines(self.path)[1:], start=2):
            checksum, _, text = line.partition(" ")
            if checksum == checksum_of(self._study, text):
                row = Row(*json.loads(text))
                rows[row.key] = row
            else:
                damaged.append(number)
        if damaged:
            raise _damaged(
                self.path, f"{len(damaged)} of its results are damaged, first that in line {damaged[0]}"
            )
        return [rows[key] for key in sorted(rows)]

    def copy_from(self, other: Journal, keys: Collection[str] | None = None) -> None:
        """Take over what another journal of the study holds, of these keys or of all.

        A result stays, whatever error the other journal has.
        """
        known, with_result = self.keys(failed=True), self.keys(failed=False)
        self._append(
            self._line(row)
            for row in other.rows()
            if (keys is None or row.key in keys)
            and row.key not in (known if row.error is not None else with_result)
        )


def is_locked(path: Path) -> bool:
    """Whether a run has the journal open for writing now."""
    try:
        with path.open("rb") as file:
            return not _lock(file)
    except OSError:
        return False


def in_use(path: Path) -> RocInputError:
    """The error of a journal that another run writes."""
    return RocInputError(f"{path.parent} is in use by another run: wait for it, or end it")


def _lock(file: FileIO | IO[bytes]) -> bool:
    """Lock an open file if that is possible now."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def digest_of_rows(rows: Iterable[Row]) -> str:
    """SHA-256 of results and errors in the order of their keys, times left out."""
    digest = hashlib.sha256()
    for row in sorted(rows, key=lambda row: row.key):
        value = canonical_json(row.value) if row.error is None else None
        digest.update(canonical_json([row.key, value, row.error]).encode())
    return digest.hexdigest()


def checksum_of(*content: str | int) -> str:
    """128 bits of SHA-256, in hexadecimal digits.

    Examples
    --------
    >>> checksum_of("a", "b")
    '3554d2b8a1e34099053865de8576d146'
    """
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def _lines(path: Path) -> list[str]:
    """The whole lines of a journal; what follows them was not written to its end."""
    with _named_errors(path):
        content = path.read_bytes()
    return content.decode("ascii", "replace").split("\n")[:-1]


def _damaged(path: Path, what: str) -> ResourceError:
    """What is wrong with a journal, and how to go on."""
    return ResourceError(f"{path} cannot be used: {what}; move it away and run the study again")


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says into an error that names the file."""
    try:
        yield
    except OSError as error:
        raise ResourceError(f"{path} cannot be used: {error.strerror or error}") from error


# ---- What a journal belongs to: one study, by its name, seed, parameters, tasks and data ------------------

# What is said of a digest that differs.
DIGESTS = {"tasks_digest": "the tasks are others", "data_digest": "the data are others"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a journal belongs to.

    Attributes
    ----------
    name, seed, parameters
        Those of the study, the parameters as canonical JSON.
    n_tasks, tasks_digest
        Number of tasks, and a digest of their keys, functions and parameters.
    data_digest
        Digest of the data that tasks share.
    """

    name: str
    seed: int
    parameters: str
    n_tasks: int
    tasks_digest: str
    data_digest: str

    @classmethod
    def of(cls, *, parameters: Mapping[str, Any], **others: Any) -> Manifest:
        """Make it, the parameters as canonical JSON."""
        try:
            text = canonical_json(dict(parameters))
        except (TypeError, ValueError, RecursionError) as error:
            raise RocInputError(f"parameters of a study must be what JSON can hold: {error}") from error
        return cls(parameters=text, **others)

    def text(self) -> str:
        """The manifest as JSON."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return canonical_json(fields | {"parameters": json.loads(self.parameters)})

    @classmethod
    def read(cls, text: str) -> Manifest:
        """Read what `text` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"parameters": canonical_json(fields["parameters"])})

    def differs_from(self, other: Manifest) -> str:
        """Describe what is not the same there."""
        here, there = self._flat(), other._flat()
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        others = [
            f"{name} is {there.get(name)!r} there, {here.get(name)!r} here"
            for name in names
            if name not in DIGESTS
        ]
        # Other digests follow from these.
        return ", ".join(others or [DIGESTS[name] for name in names])

    def _flat(self) -> dict[str, Any]:
        fields: dict[str, Any] = json.loads(self.text())
        parameters: dict[str, Any] = fields.pop("parameters")
        return fields | parameters


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, in ASCII, which any database holds; what has no form in it is refused.

    Examples
    --------
    >>> canonical_json({"b": (1.0, float("nan")), "a": None})
    '{"a": null, "b": [1.0, null]}'
    """

    def refuse(one: Any) -> Any:
        raise TypeError(f"JSON has no form for a value of type {type(one).__name__}")

    return json.dumps(plain(value, other=refuse), allow_nan=False, sort_keys=True)


def digest_of(things: Iterable[tuple[str, Any]]) -> str:
    """Digest of values by their names: equal contents, equal digests, in any process.

    Examples
    --------
    >>> import numpy as np
    >>> digest_of([("x", np.arange(3))]) == digest_of([("x", np.arange(3))])
    True
    >>> digest_of([("x", np.arange(3))]) == digest_of([("x", np.arange(4))])
    False
    """
    import pickle

    import joblib

    digest = hashlib.sha256()
    for name, thing in things:
        try:
            content = joblib.hash(thing, hash_name="sha1")
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
            raise RocInputError(f"must be what pickle can hold: {error}", argument=name) from error
        digest.update(canonical_json([name, content]).encode())
    return digest.hexdigest()
