"""Results on disk as they arrive: one SQLite file, each commit on the disk before it counts."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rocscope.core.result import plain
from rocscope.core.workers import Outcome
from rocscope.errors import ResourceError

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

    def differs_from(self, other: Manifest) -> str:
        """What is not the same there, in words."""
        here, there = self._flat(), other._flat()
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        told = [name for name in names if name != "tasks_digest"]
        return (
            ", ".join(f"{name} is {there.get(name)!r} there, {here.get(name)!r} here" for name in told)
            or "other tasks"
        )

    def _flat(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text())
        parameters: dict[str, Any] = found.pop("parameters")
        return found | parameters

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
    busy with one commit the next results gather, so many small tasks cost few commits.
    """

    def __init__(self, path: Path, manifest: Manifest, connection: sqlite3.Connection) -> None:
        self.path, self.manifest = path, manifest
        self._connection = connection
        self._held = ExitStack()
        self._queue: SimpleQueue[Outcome | threading.Event | None] = SimpleQueue()
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
        with _told(Path(path)):
            address = f"{Path(path).absolute().as_uri()}?mode=ro"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            row = connection.execute("SELECT text FROM manifest").fetchone()
        if row is None:
            raise ResourceError(f"{path} cannot be used: it is no journal of a study")
        return cls(Path(path), Manifest.read(row[0]), connection)

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


def _row(outcome: Outcome) -> tuple[Any, ...]:
    value = None if outcome.error is not None else _json(outcome.value)
    return outcome.key, value, outcome.error, outcome.traceback, outcome.seconds


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
