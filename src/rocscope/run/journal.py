"""Results on disk as they arrive: one SQLite file, each commit on the disk before it counts."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rocscope.core.result import plain
from rocscope.core.workers import Outcome
from rocscope.errors import ResourceError, RocInputError
from rocscope.run.lock import FolderLock
from rocscope.run.shards import WHOLE, Shard

SCHEMA = """
CREATE TABLE IF NOT EXISTS manifest (one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, value TEXT, error TEXT, traceback TEXT, seconds REAL NOT NULL
) WITHOUT ROWID;
"""
INSERT = "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)"
# Of two journals: a result stays, whatever error the other one tells.
MERGE = """
INSERT INTO results VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    value = excluded.value, error = excluded.error, traceback = excluded.traceback, seconds = excluded.seconds
WHERE results.error IS NOT NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a journal belongs to."""

    name: str
    seed: int
    parameters: str
    n_tasks: int
    tasks_digest: str

    @classmethod
    def of(cls, *, parameters: Mapping[str, Any], **others: Any) -> Manifest:
        """Make it, the parameters as canonical JSON."""
        return cls(parameters=_json(dict(parameters)), **others)

    def text(self) -> str:
        """The manifest as JSON."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return _json(fields | {"parameters": json.loads(self.parameters)})

    @classmethod
    def read(cls, text: str) -> Manifest:
        """Read what `text` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"parameters": _json(fields["parameters"])})


@dataclass(frozen=True, slots=True)
class Counts:
    """Results and errors of a journal, and the time they took."""

    done: int
    failed: int
    seconds: float


def _json(value: Any) -> str:
    return json.dumps(plain(value), allow_nan=False, sort_keys=True, ensure_ascii=False)


class Journal:
    """The journal of a study, or of a shard of one; open it with `Journal.open` or `Journal.look`.

    Results are handed to a thread that commits whatever has arrived in one transaction: while the disk is
    busy with one commit the next results gather, so many small tasks cost few commits.
    """

    def __init__(
        self, path: Path, manifest: Manifest, connection: sqlite3.Connection, lock: FolderLock | None
    ) -> None:
        self.path, self.manifest = path, manifest
        self._connection, self._lock = connection, lock
        self._queue: SimpleQueue[Outcome | threading.Event | None] = SimpleQueue()
        self._failure: BaseException | None = None
        self._writer: threading.Thread | None = None

    @classmethod
    def open(cls, folder: str | Path, manifest: Manifest, shard: Shard = WHOLE) -> Journal:
        """Open the journal of this study for writing, or make it; that of another study is refused."""
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResourceError(f"{place} cannot be made: {error.strerror}") from error
        path = place / shard.file_name
        lock = FolderLock(path.with_suffix(".lock"))
        try:
            connection = _connected(path)
            _check_manifest(connection, manifest, path)
        except BaseException:
            lock.close()
            raise
        return cls(path, manifest, connection, lock)

    @classmethod
    def look(cls, path: str | Path) -> Journal:
        """Open a journal for reading; a run that is under way goes on."""
        with _told(Path(path)):
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
            row = connection.execute("SELECT text FROM manifest").fetchone()
        if row is None:
            raise RocInputError(f"{path} is no journal of a study")
        return cls(Path(path), Manifest.read(row[0]), connection, None)

    def record(self, outcome: Outcome) -> None:
        """Take a result; it is on the disk after the next commit, at the latest after `flush`."""
        if self._failure is not None:
            raise self._failure
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
            self._writer.start()
        self._queue.put(outcome)

    def flush(self) -> None:
        """Wait until everything recorded so far is on the disk."""
        if self._writer is not None and self._failure is None:
            written = threading.Event()
            self._queue.put(written)
            while not written.wait(0.1) and self._failure is None:
                pass
        if self._failure is not None:
            raise self._failure
        if not self.path.exists():  # the open file would take results that no one finds again
            raise ResourceError(f"{self.path} cannot be used: it was removed while the study was running")

    def close(self) -> None:
        """Commit what is left and let go of the file."""
        if self._writer is not None:
            self._queue.put(None)
            self._writer.join()
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def _write(self) -> None:
        """Commit what waits, one transaction at a time, until told to stop."""
        open_ = True
        while open_:
            items = [self._queue.get()]
            while not self._queue.empty():
                items.append(self._queue.get())
            try:
                with _told(self.path), self._connection:
                    self._connection.executemany(
                        INSERT, [_row(one) for one in items if isinstance(one, Outcome)]
                    )
            except BaseException as error:
                self._failure = error
                return
            for item in items:
                if isinstance(item, threading.Event):
                    item.set()
            open_ = None not in items

    def keys(self, *, failed: bool) -> set[str]:
        """Keys that have a result; with `failed` also those that have an error."""
        wanted = "SELECT key FROM results" + ("" if failed else " WHERE error IS NULL")
        return {key for (key,) in self._connection.execute(wanted)}

    def counts(self) -> Counts:
        """How many results and errors there are."""
        row = self._connection.execute(
            "SELECT COUNT(*), COUNT(error), COALESCE(SUM(seconds), 0) FROM results"
        ).fetchone()
        return Counts(row[0] - row[1], row[1], float(row[2]))

    def results(self) -> Iterator[tuple[str, Any]]:
        """Key and value of every result, in the order of the keys; errors are left out."""
        rows = self._connection.execute("SELECT key, value FROM results WHERE error IS NULL ORDER BY key")
        return ((key, json.loads(value)) for key, value in rows)

    def errors(self, limit: int) -> tuple[tuple[str, str], ...]:
        """Key and error of the first failed tasks."""
        rows = self._connection.execute(
            "SELECT key, error FROM results WHERE error IS NOT NULL ORDER BY key LIMIT ?", (limit,)
        )
        return tuple((key, error) for key, error in rows)

    def digest(self) -> str:
        """SHA-256 of all results and errors in the order of their keys, times left out."""
        found = hashlib.sha256()
        for row in self._connection.execute("SELECT key, value, error FROM results ORDER BY key"):
            found.update(_json(list(row)).encode())
        return found.hexdigest()

    def copy_from(self, other: Journal) -> None:
        """Take over the results of a shard."""
        rows = other._connection.execute(
            "SELECT key, value, error, traceback, seconds FROM results"
        ).fetchall()
        with _told(self.path), self._connection:
            self._connection.executemany(MERGE, rows)


def merge_shards(folder: str | Path) -> Journal:
    """Put the journals of all shards in a folder together, in the journal of the whole.

    Returns
    -------
    Journal
        Open; close it.
    """
    parts = sorted(Path(folder).glob("journal-*-of-*.sqlite"))
    if not parts:
        raise RocInputError(f"{folder} must hold journals of shards, got none")
    journals = [Journal.look(part) for part in parts]
    try:
        manifests = {journal.manifest.text() for journal in journals}
        if len(manifests) > 1:
            raise RocInputError(
                f"{folder} must hold shards of one study, got {len(manifests)} different ones"
            )
        whole = Journal.open(folder, journals[0].manifest)
        for journal in journals:
            whole.copy_from(journal)
        return whole
    finally:
        for journal in journals:
            journal.close()


def _row(outcome: Outcome) -> tuple[Any, ...]:
    value = None if outcome.error is not None else _json(outcome.value)
    return outcome.key, value, outcome.error, outcome.traceback, outcome.seconds


def _connected(path: Path) -> sqlite3.Connection:
    with _told(path):
        connection = sqlite3.connect(path, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        # A commit is on the disk when it returns: not even a power failure takes it back.
        connection.execute("PRAGMA synchronous=FULL")
        connection.executescript(SCHEMA)
    return connection


def _check_manifest(connection: sqlite3.Connection, manifest: Manifest, path: Path) -> None:
    with _told(path):
        row = connection.execute("SELECT text FROM manifest").fetchone()
        if row is None:
            with connection:
                connection.execute("INSERT INTO manifest VALUES (1, ?)", (manifest.text(),))
            return
    if row[0] != manifest.text():
        found = _differing(row[0], manifest)
        raise RocInputError(
            f"{path.parent} holds another study, or other parameters: {found}; take another folder"
        )


def _differing(known: str, manifest: Manifest) -> str:
    old, new = json.loads(known), json.loads(manifest.text())
    old |= old.pop("parameters")
    new |= new.pop("parameters")
    names = [name for name in {**old, **new} if old.get(name) != new.get(name) and name != "tasks_digest"]
    return (
        ", ".join(f"{name} is {old.get(name)!r} there, {new.get(name)!r} here" for name in names)
        or "other tasks"
    )


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what SQLite says into an error that names the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise ResourceError(f"{path} cannot be used: {error}") from error
