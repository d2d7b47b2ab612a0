"""Results on disk as they arrive: one SQLite file, each commit on the disk before it counts."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import struct
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from queue import Full, Queue
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core.execution import Outcome
from rocscope.core.result import plain
from rocscope.errors import ResourceError, RocInputError

# Raised with every change of the tables; the first format had no checksums, and no number.
FORMAT = 2
# The seal is the exclusive or of the checksums of all rows: a row that is missing breaks it.
TABLES = (
    """CREATE TABLE manifest (
    one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL, checksum TEXT NOT NULL, seal TEXT NOT NULL
)""",
    """CREATE TABLE results (
    key TEXT PRIMARY KEY, value TEXT, error TEXT, traceback TEXT, seconds REAL NOT NULL,
    checksum TEXT NOT NULL
) WITHOUT ROWID""",
)
SCHEMA = f"PRAGMA user_version = {FORMAT}; {TABLES[0]}; {TABLES[1]};"
# One statement, so that rows and seal are of one moment; without a row it gives the seal alone.
SELECT = "SELECT manifest.seal, results.* FROM manifest LEFT JOIN results"
INSERT = "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)"
EMPTY = f"{0:032x}"
# What SQLite returns when the content of a file is at fault, not the disk or the rights of the user.
FAULTY_CONTENT = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
# A file that is made must not be a link; Windows has no such flags.
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# Results that wait for the disk at most, while it is busy with the ones before.
WAITING = 8


class Row(NamedTuple):
    """A line of the journal: a task with the JSON of its result, or with its error."""

    key: str
    value: str | None
    error: str | None
    traceback: str | None
    seconds: float


def make_journal(path: Path, manifest: Manifest) -> None:
    """Make the file under another name first: a journal that is there says what it belongs to."""
    new = path.with_suffix(".new")
    try:
        with _named_errors(path):
            new.unlink(missing_ok=True)
            os.close(os.open(new, os.O_CREAT | os.O_EXCL | NO_LINK, 0o644))
            with closing(sqlite3.connect(new)) as connection, connection:
                connection.executescript(SCHEMA)
                text = manifest.text()
                row = (text, checksum_of(text), EMPTY)
                connection.execute("INSERT INTO manifest VALUES (1, ?, ?, ?)", row)
                connection.commit()
                # Now, while the file has its other name: the change itself may leave a file if it fails.
                connection.execute("PRAGMA journal_mode=WAL")
            for end in ("-wal", "-shm"):  # of a journal that was removed: SQLite would take them for its own
                path.with_name(path.name + end).unlink(missing_ok=True)
            new.replace(path)
            if sys.platform != "win32":  # a name is on the disk when its folder is; Windows syncs no folder
                folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
    finally:
        for left in (new, *(new.with_name(new.name + end) for end in ("-journal", "-wal", "-shm"))):
            with suppress(OSError):  # the next run tries again
                left.unlink(missing_ok=True)


class Journal:
    """The journal of a study, or of a shard of one; `rocscope.run.folder` opens it for writing.

    Results are handed to a thread that commits whatever has arrived in one transaction: while the disk is
    busy with one commit a few more results gather, so many small tasks cost few commits.
    """

    def __init__(self, path: Path, manifest: Manifest, connection: sqlite3.Connection) -> None:
        self.path, self.manifest = path, manifest
        self._study = checksum_of(manifest.text())
        self._connection = connection
        self._held = ExitStack()
        self._queue: Queue[Outcome | threading.Event | None] = Queue(WAITING)
        self._failure: BaseException | None = None
        self._writer: threading.Thread | None = None

    @classmethod
    def open(cls, path: Path, manifest: Manifest) -> Journal:
        """Open the journal of this study for writing."""
        with _named_errors(path):
            connection = sqlite3.connect(path, check_same_thread=False)
            connection.text_factory = _decoded
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                # A commit is on the disk when it returns: not even a power failure takes it back.
                connection.execute("PRAGMA synchronous=FULL")
            except BaseException:
                connection.close()
                raise
        return cls(path, manifest, connection)

    def hold(self, locks: ExitStack) -> None:
        """Keep these locks until the journal is closed."""
        self._held.push(locks)

    @classmethod
    def look(cls, path: str | Path) -> Journal:
        """Open a journal for reading, if it is sound; a run that is under way goes on."""
        place = Path(path)
        with _named_errors(place), ExitStack() as stack:
            if place.stat().st_size == 0:  # SQLite would remove the log of an empty file
                raise _damaged(place, "the file is empty")
            if has_lost_commits(place):
                raise _damaged(place, f"a commit in {log_of(place).name} is damaged")
            connection = _reading(place)
            stack.callback(connection.close)
            ((problem,), *_) = connection.execute("PRAGMA integrity_check(1)").fetchall()
            if problem != "ok":
                raise _damaged(place, "the database is damaged (" + " ".join(problem.split()) + ")")
            manifest = _read_manifest(place, connection)
            stack.pop_all()
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
        """Commit what waits, one transaction at a time, until None arrives."""
        open_ = True
        while open_:
            items = [self._queue.get()]
            while not self._queue.empty():
                items.append(self._queue.get())
            try:
                self._put([_row(one) for one in items if isinstance(one, Outcome)])
            except BaseException as error:
                self._failure = error
                return
            for item in items:
                if isinstance(item, threading.Event):
                    item.set()
            open_ = None not in items

    def _put(self, rows: Iterable[Row], *, keep_results: bool = False) -> None:
        """Write rows in one transaction, each with its checksum."""
        with _named_errors(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            ((seal,),) = self._connection.execute("SELECT seal FROM manifest")
            sealed = int(seal, 16)
            for row in rows:
                query = "SELECT error, checksum FROM results WHERE key = ?"
                for error, checksum in self._connection.execute(query, (row.key,)).fetchall():
                    if keep_results and error is None:
                        break
                    sealed ^= int(checksum, 16)
                else:
                    checksum = self._checksum(row)
                    self._connection.execute(INSERT, (*row, checksum))
                    sealed ^= int(checksum, 16)
            self._connection.execute("UPDATE manifest SET seal = ?", (f"{sealed:032x}",))

    def _checksum(self, row: Row) -> str:
        return checksum_of(self._study, *row)

    def keys(self, *, failed: bool) -> set[str]:
        """Keys that have a result; with `failed` also those that have an error."""
        return {row.key for row in self.rows() if failed or row.error is None}

    def results(self) -> Iterator[tuple[str, Any]]:
        """Key and value of every result, in the order of the keys; errors are left out."""
        return ((row.key, json.loads(row.value or "")) for row in self.rows() if row.error is None)

    def digest(self) -> str:
        """SHA-256 of all results and errors in the order of their keys, times left out."""
        return digest_of_rows(self.rows())

    def rows(self) -> list[Row]:
        """All that is recorded, in the order of the keys, if every checksum is right."""
        with _named_errors(self.path):
            read = self._connection.execute(SELECT).fetchall()
        rows, damaged, sealed = list[Row](), list[Any](), 0
        for _, key, *others, checksum in read:
            if key is None and checksum is None:  # there is no row yet
                continue
            row = Row(key, *others)
            try:
                is_right = checksum == self._checksum(row)
            except TypeError:  # bytes, where there was text
                is_right = False
            if is_right:
                rows.append(row)
                sealed ^= int(checksum, 16)
            else:
                damaged.append(key)
        if len(damaged) == 1:
            raise _damaged(self.path, f"the result of {damaged[0]!r} is damaged")
        if damaged:
            first = f"of {damaged[0]!r} and of {damaged[1]!r} first"
            raise _damaged(self.path, f"{len(damaged)} results are damaged, {first}")
        if f"{sealed:032x}" != read[0][0]:
            raise _damaged(self.path, "results are missing, or their seal is damaged")
        return sorted(rows)

    def copy_from(self, other: Journal, keys: Collection[str] | None = None) -> None:
        """Take over what another journal of the study holds, of these keys or of all.

        A result stays, whatever error the other journal has.
        """
        self._put((row for row in other.rows() if keys is None or row.key in keys), keep_results=True)


def digest_of_rows(rows: Iterable[Row]) -> str:
    """SHA-256 of results and errors in the order of their keys, times left out."""
    digest = hashlib.sha256()
    for row in sorted(rows, key=lambda row: row.key):
        digest.update(canonical_json([row.key, row.value, row.error]).encode())
    return digest.hexdigest()


def checksum_of(*content: str | float | None) -> str:
    """128 bits of SHA-256, in hexadecimal digits.

    Examples
    --------
    >>> checksum_of("a", None, 0.5)
    '347707ea6ce932ef9dcc140b64dbaad3'
    """
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def _row(outcome: Outcome) -> Row:
    value, error = None, outcome.error
    if error is None:
        try:
            value = canonical_json(outcome.value)
        except (TypeError, ValueError, RecursionError) as refused:
            error = f"{type(refused).__name__}: the result cannot be kept: {refused}"
    seconds = float(outcome.seconds) + 0.0  # SQLite has no -0.0
    return Row(outcome.key, value, _storable(error), _storable(outcome.traceback), seconds)


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
    connection.text_factory = _decoded
    return connection


def _decoded(text: bytes) -> str:
    """Text of any bytes: those that are damaged are found by their checksum, and must not hide the key."""
    return text.decode("utf-8", "surrogateescape")


def _read_manifest(path: Path, connection: sqlite3.Connection) -> Manifest:
    ((version,),) = connection.execute("PRAGMA user_version")
    if version == 0:
        raise _damaged(path, "an earlier version of rocscope wrote it, without checksums")
    if version != FORMAT:
        raise _damaged(path, f"its format is number {version}, and this version of rocscope reads {FORMAT}")
    if tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master")) != TABLES:
        raise _damaged(path, "its tables are not those of a journal")
    rows = connection.execute("SELECT text, checksum FROM manifest").fetchall()
    with suppress(KeyError, TypeError, ValueError):
        ((text, checksum),) = rows
        if checksum == checksum_of(text):
            return Manifest.read(text)
    raise _damaged(path, "what it says of its study is damaged")


def _damaged(path: Path, what: str) -> ResourceError:
    """What is wrong with a journal, and how to go on."""
    log = log_of(path).name
    return ResourceError(
        f"{path} cannot be used: {what}; move it away ({log} too, if it is there) and run the study again"
    )


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say into an error that names the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # those of Python itself have none
        if (code & 0xFF) in FAULTY_CONTENT and path.exists():
            raise _damaged(path, str(error)) from error
        raise ResourceError(f"{path} cannot be used: {error}") from error
    except UnicodeDecodeError as error:  # of names in a damaged schema
        raise _damaged(path, "the database is damaged") from error
    except OSError as error:
        raise ResourceError(f"{path} cannot be used: {error.strerror}") from error


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


# -----------------------------------------------------------------------------------------------------------
# The write-ahead log beside a journal: SQLite drops what follows a damaged byte in it without a word

# Sizes and magic numbers of SQLite's file format, section 4, "The Write-Ahead Log".
HEADER, FRAME = 32, 24
BYTE_ORDERS = {0x377F0682: "<", 0x377F0683: ">"}

Sums: TypeAlias = tuple[int, int]


def log_of(path: Path) -> Path:
    """The write-ahead log of a database; SQLite keeps it beside the file itself, not beside a link to it."""
    return Path(f"{os.path.realpath(path)}-wal")


def has_lost_commits(path: Path) -> bool:
    """Whether the log of a database has a damaged commit that a later one follows.

    A log that ends in the midst of a commit is no damage: that is how a killed process leaves it. A commit is
    on the disk before the next one begins, so one that is followed by another was once whole.
    """
    log, before = log_of(path), None
    while log.is_file():
        try:
            content = log.read_bytes()
        except FileNotFoundError:
            break
        if not _is_damaged(content):
            break
        if content == before:
            return True
        before = content  # a run may have begun the log anew while it was read: look again
    return False


def _is_damaged(content: bytes) -> bool:
    if len(content) <= HEADER:
        return False
    magic, _, page_size, _, *salts, first, second = struct.unpack(">8I", content[:HEADER])
    order, sums = BYTE_ORDERS.get(magic), (first, second)
    # The header is on the disk before the first frame is written.
    if order is None or _sums(content[: HEADER - 8], order) != sums:
        return True
    is_whole, commits = True, 0
    for start in range(HEADER, len(content) - FRAME - page_size + 1, FRAME + page_size):
        frame = content[start : start + FRAME + page_size]
        _, size_after_commit, *own_salts, first, second = struct.unpack(">6I", frame[:FRAME])
        if own_salts != salts:  # left from before the log was begun anew, or damaged
            is_whole = False
            continue
        if is_whole:
            sums = _sums(frame[:8] + frame[FRAME:], order, sums)
            is_whole = sums == (first, second)
        if not is_whole:
            if commits:
                return True
            commits += size_after_commit > 0
    return False


def _sums(content: bytes, order: str, sums: Sums = (0, 0)) -> Sums:
    """SQLite's checksum of a log, section 4.2; it goes on from that of the frame before.

    For every two words it does `first += even + second; second += odd + first`, modulo 2^32. Both are sums
    of the words times Fibonacci numbers, the last word times F(0) = 0 and F(1) = 1.

    Examples
    --------
    >>> _sums(bytes([5, 0, 0, 0, 7, 0, 0, 0]), "<", (2, 3)) == (2 + 5 + 3, 3 + 7 + (2 + 5 + 3))
    True
    """
    words = np.frombuffer(content, dtype=f"{order}u4").astype(np.uint32)
    n = len(words)
    series = _fibonacci(n + 2)
    first, second = ((words * series[n - 1 + k :: -1][:n]).sum(dtype=np.uint64) for k in (0, 1))
    before, (even, odd) = [int(number) for number in series[n - 1 :]], sums
    return (
        (int(first) + before[0] * even + before[1] * odd) % 2**32,
        (int(second) + before[1] * even + before[2] * odd) % 2**32,
    )


@lru_cache
def _fibonacci(n: int) -> NDArray[np.uint32]:
    """F(0) to F(n - 1), modulo 2^32."""
    series = [0, 1]
    while len(series) < n:
        series.append((series[-2] + series[-1]) % 2**32)
    return np.array(series, dtype=np.uint32)
