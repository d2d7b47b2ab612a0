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

from rocscope.core.checks import show
from rocscope.errors import ResourceError, RocInputError
from rocscope.sources.formats import Format, format_of
from rocscope.sources.limits import Limits, show_size

STDIN = "-"
# DuckDB takes these for patterns, and would then read other files than the one that was named.
GLOB_CHARACTERS = "*?["
GZIP = b"\x1f\x8b"
COPY_BYTES = 1 << 20
# Told, again and again, what is being done and which share of it is done.
Watch: TypeAlias = Callable[[str, float], None]
FileState: TypeAlias = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A regular file, with the name its user knows it by.

    `watch` is told how far reading is; `limits` hold for every reading that names no others; `state` is what
    the file was when it was opened: DuckDB opens it anew for each query, and must find the same bytes.
    """

    path: Path
    name: str
    format: Format = "csv"
    watch: Watch | None = None
    limits: Limits = field(default_factory=Limits)
    state: FileState | None = None

    @property
    def shown(self) -> str:
        """The name for messages: line ends and the like are spelt out."""
        return self.name if self.name and self.name.isprintable() else repr(self.name)

    def sha256(self) -> str:
        """Digest of the bytes that were read, which tells one input from another."""
        with self.unchanged(), self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Refuse what is done with the file if it is replaced, cut or appended to meanwhile.

        A complaint about a file that changed is a complaint about the change.
        """
        try:
            yield
        except (RocInputError, OSError) as error:
            self._check_unchanged(error)
            raise
        self._check_unchanged()

    def _check_unchanged(self, cause: Exception | None = None) -> None:
        if self.state is None:
            return
        try:
            now: FileState | None = file_state(self.path)
        except OSError as error:
            now, cause = None, cause or error
        if now is None:
            raise RocInputError(f"{self.shown} cannot be read: it is no longer there") from cause
        if now != self.state:
            raise RocInputError(
                f"{self.shown} must stay as it is while it is read, but it changed"
            ) from cause


def file_state(path: Path) -> FileState:
    """What changes with the bytes of a file: device, inode, size, and the times of its last changes."""
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


FilePath: TypeAlias = str | os.PathLike[str] | LocalFile


@contextmanager
def local_file(
    path: FilePath, *, format: str | None = None, watch: Watch | None = None, limits: Limits | None = None
) -> Iterator[LocalFile]:
    """Open what the user named: "-" is standard input, and pipes are copied into a temporary file."""
    if isinstance(path, LocalFile):
        yield path if format is None else replace(path, format=format_of(path.name, format))
        return
    if not isinstance(path, (str, os.PathLike)):
        raise RocInputError(f"path must be the path of a file, got {show(path)}")
    name = "standard input" if path == STDIN else os.fspath(path)
    named = LocalFile(Path(path), name, format_of(name, format), watch, limits or Limits())
    with ExitStack() as cleanup:
        yield _regular_file(named, path == STDIN, cleanup)


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


def _regular_file(named: LocalFile, is_stdin: bool, cleanup: ExitStack) -> LocalFile:
    """The file itself, or a copy that nobody else writes to."""
    try:
        if is_stdin:
            return _unpacked(_spool(_stdin_bytes(), named, cleanup), cleanup)
        with named.path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _unpacked(_spool(file, named, cleanup), cleanup)
        path = named.path.absolute()
        file_itself = replace(named, path=path, state=file_state(path))
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        if isinstance(error, RocInputError):
            raise
        hint = "; it must be a file of this machine: download it first" if "://" in named.name else ""
        raise RocInputError(f"{named.shown} cannot be read: {_reason(error)}{hint}") from error
    return _tame(_unpacked(file_itself, cleanup), cleanup)


def _stdin_bytes() -> IO[bytes]:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer


def _spool(pipe: IO[bytes], named: LocalFile, cleanup: ExitStack) -> LocalFile:
    if named.format == "parquet":  # its table of contents comes last
        raise RocInputError(f"{named.shown} must be a file to hold Parquet, got a pipe: save it first")
    return replace(named, path=copied(pipe, temporary_folder(cleanup), "a pipe", named.limits))


def _unpacked(file: LocalFile, cleanup: ExitStack) -> LocalFile:
    """The same file, or what a gzip file holds; Parquet packs its own columns."""
    with file.path.open("rb") as stream:
        packed = stream.read(len(GZIP)) == GZIP
    if not packed or file.format == "parquet":
        return file
    try:
        with file.unchanged(), gzip.open(file.path) as stream:
            copy = copied(stream, temporary_folder(cleanup), f"{file.shown}, unpacked,", file.limits)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise RocInputError(f"{file.shown} must be a whole gzip file, got a damaged one: {error}") from error
    return replace(file, path=copy, state=None)


def copied(stream: IO[bytes] | gzip.GzipFile, folder: Path, what: str, limits: Limits) -> Path:
    """The rest of a stream as a file in a temporary folder, no larger than temporary files may be."""
    copy = folder / "table"
    try:
        room = limits.room(folder)
        with copy.open("wb") as file:
            while piece := stream.read(COPY_BYTES):
                if file.tell() + len(piece) > room:
                    raise ResourceError(_too_large(what, folder, room, limits))
                file.write(piece)
    except gzip.BadGzipFile:  # an OSError to Python, but no fault of the disk
        raise
    except OSError as error:
        raise ResourceError(f"{what} cannot be copied to {folder}: {_reason(error)}") from error
    return copy


def _too_large(what: str, folder: Path, room: int, limits: Limits) -> str:
    hint = "TMPDIR names another folder"
    if limits.disk is not None:
        hint = f"a larger temp_limit (--temp-limit) helps, or {hint}"
    return f"{what} needs more than the {show_size(room)} that may be used in {folder.parent}: {hint}"


def _tame(file: LocalFile, cleanup: ExitStack) -> LocalFile:
    """Give a path that DuckDB would misread another name: a link in a temporary folder."""
    path = file.path
    if str(path).isprintable() and not set(str(path)) & set(GLOB_CHARACTERS):
        return file
    link = temporary_folder(cleanup) / "table"
    try:
        link.symlink_to(path)
    except OSError:  # some systems keep links to their administrators
        with file.unchanged():
            shutil.copyfile(path, link)
        return replace(file, path=link, state=None)
    return replace(file, path=link)


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
