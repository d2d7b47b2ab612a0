"""DuckDB for one input: within limits, fenced in, with its complaints in our words.

It reads the input and its own temporary folder, and nothing else; no extension is fetched or loaded.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray

from rocscope.errors import ResourceError, RocInputError
from rocscope.sources.limits import Limits, show_size
from rocscope.sources.local import LocalFile, temporary_folder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Turns DuckDB's complaint about a file into words that follow the name of the file.
Explain = Callable[[str], str]
POLL_SECONDS = 0.1
# A temporary file that could not be written: the disk is full, or a quota reached.
UNWRITTEN = "No space left|[Cc]ould not write|write failed"
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
# Several threads hand back JSON lines in any order, and a seed must find the rows in theirs.
IN_ORDER: dict[str, str | bool | int | float | list[str]] = {"threads": 1}
# Progress is counted, from the start, and not printed: that is for who watches.
COUNT_PROGRESS = (
    "SET enable_progress_bar = true",
    "SET enable_progress_bar_print = false",
    "SET progress_bar_time = 0",
)


@dataclass(frozen=True, slots=True)
class Database:
    """A connection that may read one file, and write to a temporary folder where it has one."""

    connection: DuckDBPyConnection
    file: LocalFile
    limits: Limits
    folder: Path | None
    explain: Explain

    def query(
        self, sql: str, values: Mapping[str, Any], *, doing: str = "reading"
    ) -> dict[str, NDArray[Any]]:
        """Columns of a query made of our own words alone; what users wrote comes in as values."""
        with self._translated_errors(), self._watched(doing):
            found = self.connection.execute(sql, dict(values))
            return cast("dict[str, NDArray[Any]]", found.fetchnumpy())

    def check_room(self, needed: int) -> None:
        """Refuse a temporary copy that will not fit, before it is begun."""
        assert self.folder is not None
        check_room(self.file, self.folder, self.limits, needed)

    @contextmanager
    def _watched(self, doing: str) -> Iterator[None]:
        """Report the progress of the query, from a thread beside it."""
        watch = self.file.watch
        if watch is None:
            yield
            return
        done = threading.Event()

        def poll() -> None:
            while not done.wait(POLL_SECONDS):
                watch(doing, min(max(self.connection.query_progress(), 0.0), 100.0) / 100)

        thread = threading.Thread(target=poll, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        import duckdb

        name = self.file.shown
        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise ResourceError(self._room_words(str(error))) from error
        except duckdb.Error as error:
            if re.search(UNWRITTEN, str(error)):
                raise ResourceError(self._room_words("max_temp_directory_size")) from error
            if not self.file.path.exists():
                raise RocInputError(f"{name} cannot be read: it is no longer there") from error
            raise RocInputError(f"{name} {self.explain(str(error))}") from error
        except RuntimeError as error:
            if "interrupted" in str(error).lower():  # DuckDB swallows the KeyboardInterrupt
                raise KeyboardInterrupt from error
            raise

    def _room_words(self, text: str) -> str:
        name, limits = self.file.shown, self.limits
        if "max_temp_directory_size" in text:
            where = tempfile.gettempdir() if self.folder is None else self.folder.parent
            return (
                f"{name} needs more room for temporary files than there is in {where}; "
                "TMPDIR names another folder, and a larger memory_limit needs less"
            )
        if limits.memory is None:
            return f"{name} does not fit into memory: {first_line(text)}"
        return (
            f"{name} cannot be read within a memory_limit of {show_size(limits.memory)}: "
            f"{first_line(text)}; a larger one (--memory-limit) helps"
        )


@contextmanager
def open_database(
    file: LocalFile, limits: Limits, explain: Explain, *, spill: bool = False
) -> Iterator[Database]:
    """Connect, with a temporary folder where queries may spill; it is gone afterwards."""
    import duckdb

    with ExitStack() as cleanup:
        folder = temporary_folder(cleanup) if spill else None
        settings = SETTINGS | limits.settings(folder) | (IN_ORDER if file.format == "jsonl" else {})
        connection = duckdb.connect(":memory:", config=settings)
        cleanup.enter_context(connection)
        for statement in COUNT_PROGRESS if file.watch is not None else ():
            connection.execute(statement)
        if folder is not None:  # DuckDB heeds it on a live connection only
            room = f"{limits.room(folder)}B"
            connection.execute("SET max_temp_directory_size = $room", {"room": room})
        _fence(connection, [file.path], [] if folder is None else [folder])
        yield Database(connection, file, limits, folder, explain)


def check_room(file: LocalFile, folder: Path, limits: Limits, needed: int) -> None:
    """Refuse a copy of a file, or of its rows, that is larger than temporary files may be."""
    room = limits.room(folder)
    if needed > room:
        raise ResourceError(
            f"a temporary copy of {file.shown} needs {show_size(needed)} in {folder.parent}, "
            f"where {show_size(room)} may be used; TMPDIR names another folder"
        )


def _fence(connection: DuckDBPyConnection, files: list[Path], folders: list[Path]) -> None:
    connection.execute("SET allowed_paths = $paths", {"paths": [str(path) for path in files]})
    connection.execute("SET allowed_directories = $paths", {"paths": [str(path) for path in folders]})
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def first_line(text: str) -> str:
    r"""The first line of a complaint, without the kind of error that DuckDB puts before it.

    Examples
    --------
    >>> first_line("IO Error: the disk is gone\nmore")
    'the disk is gone'
    """
    line = re.sub(r"^[A-Z][\w ]* Error: ", "", text.partition("\n")[0]).strip()
    return line if line.isprintable() else repr(line)
