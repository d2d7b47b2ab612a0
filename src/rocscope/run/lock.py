"""One process at a time: a lock of the operating system, which dies with its holder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from rocscope.errors import ResourceError, RocInputError


class FolderLock:
    """Hold a lock on a file for as long as this object is open.

    A file that merely exists would outlive a killed process and keep everyone out.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise ResourceError(f"{path} cannot be written: {error.strerror}") from error
        if not _locked(self._file):
            holder = os.pread(self._file, 32, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            by = f" (process {holder})" if holder else ""
            raise RocInputError(f"{path.parent} is in use by another run{by}: wait for it, or end it")
        os.truncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def close(self) -> None:
        """Let go."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(file: int) -> bool:
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
