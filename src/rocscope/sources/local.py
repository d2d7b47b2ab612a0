"""A file that can be read as often as needed: a regular one, or a copy of a pipe or of a packed file."""

from __future__ import annotations

import gzip
import hashlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TypeAlias

from rocscope.errors import ResourceError, RocInputError
from rocscope.sources.formats import Format, format_of
from rocscope.sources.limits import Limits

STDIN = "-"
# DuckDB takes these for patterns, and would then read other files than the one that was named.
GLOB_CHARACTERS = "*?["
GZIP = b"\x1f\x8b"
# Told, again and again, what is being done and which share of it is done.
Watch: TypeAlias = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A regular file, with the name its user knows it by.

    `watch` is told how far reading is; `limits` hold for every reading that names no others.
    """

    path: Path
    name: str
    format: Format = "csv"
    watch: Watch | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def shown(self) -> str:
        """The name for messages: line ends and the like are spelt out."""
        return self.name if self.name and self.name.isprintable() else repr(self.name)

    def sha256(self) -> str:
        """Digest of the bytes, which tells one input from another."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


FilePath: TypeAlias = str | os.PathLike[str] | LocalFile


@contextmanager
def local_file(
    path: FilePath, *, format: str | None = None, watch: Watch | None = None, limits: Limits | None = None
) -> Iterator[LocalFile]:
    """Open what the user named: "-" is standard input, and pipes are copied into a temporary file."""
    if isinstance(path, LocalFile):
        yield path if format is None else replace(path, format=format_of(path.name, format))
        return
    name = "standard input" if path == STDIN else os.fspath(path)
    named = LocalFile(Path(path), name, format_of(name, format), watch, limits or Limits())
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
            return _unpacked(_spool(_stdin_bytes(), named, cleanup), named, cleanup)
        with named.path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _unpacked(_spool(file, named, cleanup), named, cleanup)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        if isinstance(error, RocInputError):
            raise
        hint = "; it must be a file of this machine: download it first" if "://" in named.name else ""
        raise RocInputError(f"{named.shown} cannot be read: {_reason(error)}{hint}") from error
    return _tame(_unpacked(named.path.absolute(), named, cleanup), cleanup)


def _stdin_bytes() -> IO[bytes]:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer


def _spool(pipe: IO[bytes], named: LocalFile, cleanup: ExitStack) -> Path:
    if named.format == "parquet":  # its table of contents comes last
        raise RocInputError(f"{named.shown} must be a file to hold Parquet, got a pipe: save it first")
    return copied(pipe, temporary_folder(cleanup), "a pipe")


def _unpacked(path: Path, named: LocalFile, cleanup: ExitStack) -> Path:
    """The same file, or what a gzip file holds; Parquet packs its own columns."""
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
    if not packed or named.format == "parquet":
        return path
    try:
        with gzip.open(path) as stream:
            return copied(stream, temporary_folder(cleanup), f"{named.shown}, unpacked,")
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise RocInputError(f"{named.shown} must be a whole gzip file, got a damaged one: {error}") from error


def copied(stream: IO[bytes] | gzip.GzipFile, folder: Path, what: str) -> Path:
    """The rest of a stream as a file in a temporary folder."""
    copy = folder / "table"
    try:
        with copy.open("wb") as file:
            shutil.copyfileobj(stream, file, 1 << 20)
    except gzip.BadGzipFile:  # an OSError to Python, but no fault of the disk
        raise
    except OSError as error:
        raise ResourceError(f"{what} cannot be copied to {folder}: {_reason(error)}") from error
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
