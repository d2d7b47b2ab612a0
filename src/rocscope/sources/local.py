"""A file that can be read as often as needed: a regular one, or a pipe that is copied into one first."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from rocscope.errors import ResourceError, RocInputError

STDIN = "-"
# DuckDB takes these for patterns, and would then read other files than the one that was named.
GLOB_CHARACTERS = "*?["


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A regular file, with the name its user knows it by."""

    path: Path
    name: str

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
def local_file(path: FilePath) -> Iterator[LocalFile]:
    """Open what the user named: "-" is standard input, and pipes are copied into a temporary file."""
    if isinstance(path, LocalFile):
        yield path
        return
    named = LocalFile(Path(path), "standard input" if path == STDIN else os.fspath(path))
    with ExitStack() as cleanup:
        yield LocalFile(_regular_path(named, path == STDIN, cleanup), named.name)


def _regular_path(named: LocalFile, is_stdin: bool, cleanup: ExitStack) -> Path:
    try:
        if is_stdin:
            return _spool(_stdin_bytes(), cleanup)
        with named.path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _spool(file, cleanup)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        raise RocInputError(f"{named.shown} cannot be read: {_reason(error)}") from error
    return _tame(named.path.absolute(), cleanup)


def _stdin_bytes() -> IO[bytes]:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer


def _spool(pipe: IO[bytes], cleanup: ExitStack) -> Path:
    copy = _temporary_folder(cleanup) / "table.csv"
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
    link = _temporary_folder(cleanup) / "table.csv"
    try:
        link.symlink_to(path)
    except OSError:  # some systems keep links to their administrators
        shutil.copyfile(path, link)
    return link


def _temporary_folder(cleanup: ExitStack) -> Path:
    return Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="rocscope-")))


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
