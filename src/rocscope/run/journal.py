"""Results on disk as they arrive: one SQLite file, each commit on the disk before it counts."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Full, Queue
from typing import Any, NamedTuple

from rocscope.core.workers import Outcome
from rocscope.errors import ResourceError
from rocscope.run.manifest import Manifest, canonical_json

SCHEMA = """
CREATE TABLE manifest (one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL);
CREATE TABLE results (
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
# Results that wait for the disk at most, while it is busy with the ones before.
WAITING = 8


class Row(NamedTuple):
    """A line of the journal: a task with the JSON of its result, or with its error."""

    key: str
    value: str | None
    error: str | None
    traceback: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Counts:
    """Results and errors of a journal, and the time they took."""

    done: int
    failed: int
    seconds: float


def make_journal(path: Path, manifest: Manifest) -> None:
    """Make the file under another name first: a journal that is there says what it belongs to."""
    new = path.with_suffix(".new")
    try:
        with _told(path):
            new.unlink(missing_ok=True)
            with closing(sqlite3.connect(new)) as connection, connection:
                connection.executescript(SCHEMA)
                connection.execute("INSERT INTO manifest VALUES (1, ?)", (manifest.text(),))
            for end in ("-wal", "-shm"):  # of a journal that was removed: SQLite would take them for its own
                path.with_name(path.name + end).unlink(missing_ok=True)
            new.replace(path)
    finally:
        for left in (new, new.with_name(f"{new.name}-journal")):
            left.unlink(missing_ok=True)


class Journal:
    """The journal of a study, or of a shard of one; `rocscope.run.folder` opens it for writing.

    Results are handed to a thread that commits whatever has arrived in one transaction: while the disk is
    busy with one commit a few more results gather, so many small tasks cost few commits.
    """

    def __init__(self, path: Path, manifest: Manifest, connection: sqlite3.Connection) -> None:
        self.path, self.manifest = path, manifest
        self._connection = connection
        self._held = ExitStack()
        self._queue: Queue[Outcome | threading.Event | None] = Queue(WAITING)
        self._failure: BaseException | None = None
        self._writer: threading.Thread | None = None

    @classmethod
    def open(cls, path: Path, manifest: Manifest) -> Journal:
        """Open the journal of this study for writing."""
        return cls(path, manifest, _connected(path))

    def hold(self, locks: ExitStack) -> None:
        """Keep these locks until the journal is closed."""
        self._held.push(locks)

    @classmethod
    def look(cls, path: str | Path) -> Journal:
        """Open a journal for reading; a run that is under way goes on."""
        place = Path(path)
        with _told(place):
            connection = _reading(place)
            row = connection.execute("SELECT text FROM manifest").fetchone()
        try:
            manifest = Manifest.read(row[0])
        except (KeyError, TypeError, ValueError) as error:
            raise ResourceError(f"{path} cannot be used: it does not say what study it belongs to") from error
        return cls(place, manifest, connection)

    def record(self, outcome: Outcome) -> None:
        """Take a result; it is on the disk after the next commit, at the latest after `flush`."""
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
            self._writer.start()
        self._hand_over(outcome)

    def flush(self) -> None:
        """Wait until everything recorded so far is on the disk."""
        if self._writer is not None:
            written = threading.Event()
            self._hand_over(written)
            while not written.wait(0.1) and self._failure is None:
                pass
        if self._failure is not None:
            raise self._failure
        if not self.path.exists():  # the open file would take results that no one finds again
            raise ResourceError(f"{self.path} cannot be used: it was removed while the study was running")

    def _hand_over(self, item: Outcome | threading.Event) -> None:
        """Give it to the writer, and wait where the disk lags behind."""
        while self._failure is None:
            try:
                self._queue.put(item, timeout=0.1)
            except Full:
                continue
            return
        raise self._failure

    def close(self) -> None:
        """Commit what is left and let go of the file."""
        if self._writer is not None:
            while self._writer.is_alive():
                with suppress(Full):
                    self._queue.put(None, timeout=0.1)
                    self._writer.join()
        self._connection.close()
        self._held.close()

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
        return {key for (key,) in self._read(wanted)}

    def counts(self) -> Counts:
        """How many results and errors there are."""
        ((count, failed, seconds),) = self._read(
            "SELECT COUNT(*), COUNT(error), COALESCE(SUM(seconds), 0) FROM results"
        )
        return Counts(count - failed, failed, float(seconds))

    def results(self) -> Iterator[tuple[str, Any]]:
        """Key and value of every result, in the order of the keys; errors are left out."""
        rows = self._read("SELECT key, value FROM results WHERE error IS NULL ORDER BY key")
        return ((key, self._value(key, text)) for key, text in rows)

    def errors(self, limit: int) -> tuple[tuple[str, str], ...]:
        """Key and error of the first failed tasks."""
        rows = self._read(
            "SELECT key, error FROM results WHERE error IS NOT NULL ORDER BY key LIMIT ?", (limit,)
        )
        return tuple((key, error) for key, error in rows)

    def digest(self) -> str:
        """SHA-256 of all results and errors in the order of their keys, times left out."""
        return digest_of_rows(self.rows())

    def rows(self) -> list[Row]:
        """All that is recorded."""
        return list(map(Row._make, self._read("SELECT key, value, error, traceback, seconds FROM results")))

    def copy_from(self, other: Journal, keys: Collection[str] | None = None) -> None:
        """Take over what another journal of the study holds, of these keys or of all."""
        rows = [row for row in other.rows() if keys is None or row.key in keys]
        with _told(self.path), self._connection:
            self._connection.executemany(MERGE, rows)

    def _read(self, query: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with _told(self.path):
            return self._connection.execute(query, parameters).fetchall()

    def _value(self, key: str, text: str) -> Any:
        try:
            return json.loads(text)
        except (TypeError, ValueError) as error:
            raise ResourceError(f"{self.path} cannot be used: the result of {key!r} is damaged") from error


def digest_of_rows(rows: Iterable[Row]) -> str:
    """SHA-256 of results and errors in the order of their keys, times left out."""
    found = hashlib.sha256()
    for row in sorted(rows, key=lambda row: row.key):
        found.update(canonical_json([row.key, row.value, row.error]).encode())
    return found.hexdigest()


def _row(outcome: Outcome) -> Row:
    value, error = None, outcome.error
    if error is None:
        try:
            value = canonical_json(outcome.value)
        except (TypeError, ValueError, RecursionError) as refused:
            error = f"{type(refused).__name__}: the result cannot be kept: {refused}"
    return Row(outcome.key, value, _storable(error), _storable(outcome.traceback), outcome.seconds)


def _storable(text: str | None) -> str | None:
    """Text of any characters as UTF-8 can hold it."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _reading(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        if not path.exists() or (log.exists() and log.stat().st_size):
            raise
        # Where nothing can be written SQLite cannot share the file; no one else can change it there.
        connection = sqlite3.connect(f"{address}&immutable=1", uri=True, check_same_thread=False)
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    with _told(path):
        connection = sqlite3.connect(path, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        # A commit is on the disk when it returns: not even a power failure takes it back.
        connection.execute("PRAGMA synchronous=FULL")
    return connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say into an error that names the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise ResourceError(f"{path} cannot be used: {error}") from error
    except OSError as error:
        raise ResourceError(f"{path} cannot be used: {error.strerror}") from error
