"""A file that can be read as often as needed: a regular one, or a pipe that is copied into one first."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TypeAlias

from rocscope.errors import ResourceError, RocInputError
from rocscope.sources.formats import Format, format_of

STDIN = "-"
# DuckDB takes these for patterns, and would then read other files than the one that was named.
GLOB_CHARACTERS = "*?["
# Told, again and again, what is being done and which share of it is done.
Watch: TypeAlias = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A regular file, with the name its user knows it by, and who wants to watch it being read."""

    path: Path
    name: str
    format: Format = "csv"
    watch: Watch | None = None

    @property
    def shown(self) -> str:
        """The name for messages: line ends and the like are spelt out."""
        return self.name if self.name.isprintable() else repr(self.name)

    def sha256(self) -> str:
        """Digest of the bytes, which tells one input from another."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


FilePath: TypeAlias = str | os.PathLike[str] | LocalFile


@contextmanager
def local_file(
    path: FilePath, *, format: str | None = None, watch: Watch | None = None
) -> Iterator[LocalFile]:
    """Open what the user named: "-" is standard input, and pipes are copied into a temporary file."""
    if isinstance(path, LocalFile):
        yield path if format is None else replace(path, format=format_of(path.name, format))
        return
    name = "standard input" if path == STDIN else os.fspath(path)
    named = LocalFile(Path(path), name, format_of(name, format), watch)
    with ExitStack() as cleanup:
        yield replace(named, path=_regular_path(named, path == STDIN, cleanup))


def temporary_folder(cleanup: ExitStack) -> Path:
    """A folder of our own that goes when the stack unwinds.

    Its removal is arranged before it is made: an interrupt at any moment leaves nothing behind.
    """
    try:
        folder = Path(tempfile.gettempdir()) / f"rocscope-{secrets.token_hex(8)}"
        cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise ResourceError(f"a temporary folder cannot be made: {_reason(error)}") from error
    return folder


def _regular_path(named: LocalFile, is_stdin: bool, cleanup: ExitStack) -> Path:
    try:
        if is_stdin:
            return _spool(_stdin_bytes(), named, cleanup)
        with named.path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _spool(file, named, cleanup)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        if isinstance(error, RocInputError):
            raise
        raise RocInputError(f"{named.shown} cannot be read: {_reason(error)}") from error
    return _tame(named.path.absolute(), cleanup)


def _stdin_bytes() -> IO[bytes]:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer


def _spool(pipe: IO[bytes], named: LocalFile, cleanup: ExitStack) -> Path:
    if named.format == "parquet":  # its table of contents comes last
        raise RocInputError(f"{named.shown} must be a file to hold Parquet, got a pipe: save it first")
    copy = temporary_folder(cleanup) / "table"
    try:
        with copy.open("wb") as file:
            shutil.copyfileobj(pipe, file, 1 << 20)
    except OSError as error:
        raise ResourceError(f"a pipe cannot be copied to {copy.parent}: {_reason(error)}") from error
    return copy


def _tame(path: Path, cleanup: ExitStack) -> Path:
    """Give a path that DuckDB would misread another name: a link in a temporary folder."""
    if str(path).isprintable() and not set(str(path)) & set(GLOB_CHARACTERS):
        return path
    link = temporary_folder(cleanup) / "table"
    try:
        link.symlink_to(path)
    except OSError:  # some systems keep links to their administrators
        shutil.copyfile(path, link)
    return link


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
