"""Who may work in a folder: locks of the operating system, which die with their holders."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Self

from rocscope.errors import ResourceError, RocInputError

ATTEMPTS, PAUSE = 5, 0.02
# What a lock file holds: the number of the process that has it, or blanks.
WIDTH = 10
CONTENT = re.compile(rb"(?:[0-9 ]{0,%d}\n)?" % WIDTH)
# Nothing that the name links to is touched, and a pipe of this name keeps no one waiting.
SAFELY = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class FileLock:
    """Hold a lock on a file for as long as this object is open.

    A file that merely exists would outlive a killed process and keep everyone out.

    Parameters
    ----------
    path : Path
        The file, made where it is missing. A link, and what is no file, is refused.
    shared : bool
        Whether others who share may hold the lock at the same time.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        if path.is_symlink():
            raise ResourceError(f"{path} cannot be written: it is a symbolic link")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | SAFELY, 0o644)
        except OSError as error:
            raise ResourceError(f"{path} cannot be written: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            self.close()
            raise ResourceError(f"{path} cannot be written: it is not a file")
        if not _patiently_locked(self._file, shared=shared):
            holder = _holder(self._file)
            self.close()
            raise RocInputError(f"{path.parent} is in use by another run{holder}: wait for it, or end it")
        with suppress(OSError):  # whom to name to others is a courtesy, which a full disk need not stop
            if CONTENT.fullmatch(os.pread(self._file, 64, 0)):  # another file of this name stays as it is
                holder = "" if shared else str(os.getpid())
                os.pwrite(self._file, f"{holder:<{WIDTH}}\n".encode(), 0)

    def close(self) -> None:
        """Let go."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_locked(path: Path) -> bool:
    """Whether anyone holds a lock on the file now."""
    try:
        file = os.open(path, os.O_RDONLY | SAFELY)
    except OSError:
        return False
    try:
        return not _locked(file, shared=False)
    finally:
        os.close(file)


def _patiently_locked(file: int, *, shared: bool) -> bool:
    """Try for a moment: someone may just be asking whether the lock is held."""
    for _ in range(ATTEMPTS):
        if _locked(file, shared=shared):
            return True
        sleep(PAUSE)
    return False


def _holder(file: int) -> str:
    content = os.pread(file, 64, 0)
    number = content.decode().strip() if CONTENT.fullmatch(content) else ""
    return f" (process {number})" if number else ""


def _locked(file: int, *, shared: bool) -> bool:
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
