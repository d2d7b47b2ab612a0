"""A file that can be read as often as needed: a regular one, or a pipe that is copied into one first."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    name = "standard input" if path == STDIN else os.fspath(path)
    with contextlib.ExitStack() as cleanup:
        yield LocalFile(_regular_path(path, name, cleanup), name)


def _regular_path(path: str | os.PathLike[str], name: str, cleanup: contextlib.ExitStack) -> Path:
    try:
        if path == STDIN:
            return _spool(_stdin_bytes(), cleanup)
        with open(path, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _spool(file, cleanup)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        raise RocInputError(f"{name!r} cannot be read: {_reason(error)}") from error
    return _tame(Path(path).absolute(), cleanup)


def _stdin_bytes() -> IO[bytes]:
    if sys.stdin is None:
        raise RocInputError("standard input cannot be read: it is closed")
    return sys.stdin.buffer


def _spool(pipe: IO[bytes], cleanup: contextlib.ExitStack) -> Path:
    try:
        file = cleanup.enter_context(tempfile.NamedTemporaryFile(prefix="rocscope-", suffix=".csv"))
        shutil.copyfileobj(pipe, file, 1 << 20)
        file.flush()
    except OSError as error:
        raise ResourceError(
            f"a pipe cannot be copied to {tempfile.gettempdir()!r}: {_reason(error)}"
        ) from error
    return Path(file.name)


def _tame(path: Path, cleanup: contextlib.ExitStack) -> Path:
    """Give a path that DuckDB would misread another name: a link in a temporary folder."""
    text = str(path)
    if text.isprintable() and not set(text) & set(GLOB_CHARACTERS):
        return path
    link = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="rocscope-"))) / "table.csv"
    try:
        link.symlink_to(path)
    except OSError:  # some systems keep links to their administrators
        shutil.copyfile(path, link)
    return link


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
