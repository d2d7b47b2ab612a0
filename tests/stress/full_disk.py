"""A disk that is full from the n-th write on: opening, writing, syncing, renaming and making folders fail."""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock


class FullDisk:
    """Counts every operation that needs room below a folder; the n-th fails, alone or with all later ones."""

    def __init__(self, folder: Path, fails_at: int | None = None, *, for_good: bool = True) -> None:
        self.folder, self.fails_at, self.for_good = folder.resolve(), fails_at, for_good
        self.operations: list[str] = []

    def use(self, operation: str, path: Any) -> None:
        """Count one operation, or fail."""
        self.operations.append(f"{operation} {path}")
        n = len(self.operations)
        if self.fails_at is not None and (n == self.fails_at or (self.for_good and n > self.fails_at)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def holds(self, path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        return Path(os.fsdecode(path)).resolve().is_relative_to(self.folder)

    @contextmanager
    def mounted(self) -> Iterator[FullDisk]:
        """Put the disk below Python's own functions for files."""
        real_open, real_fsync = io.open, os.fsync

        def open_file(file: Any, mode: str = "r", *args: Any, **named: Any) -> Any:
            if not set(mode) & set("wxa+") or not self.holds(file):
                return real_open(file, mode, *args, **named)
            self.use("open", file)
            return _File(real_open(file, mode, *args, **named), self)

        def fsync(fd: Any) -> None:
            self.use("fsync", fd)
            real_fsync(fd if isinstance(fd, int) else fd.fileno())

        def wrap(name: str) -> Callable[..., Any]:
            real = getattr(os, name)

            def call(path: Any, *args: Any, **named: Any) -> Any:
                if self.holds(path):
                    self.use(name, path)
                return real(path, *args, **named)

            return call

        with (
            mock.patch.object(builtins, "open", open_file),
            mock.patch.object(io, "open", open_file),
            mock.patch.object(os, "fsync", fsync),
            mock.patch.multiple(os, **{name: wrap(name) for name in ("replace", "rename", "mkdir", "link")}),
        ):
            yield self


class _File:
    """A file on the disk: every write and flush needs room."""

    def __init__(self, file: Any, disk: FullDisk) -> None:
        self._file, self._disk = file, disk

    def write(self, content: Any) -> Any:
        self._disk.use("write", self._file.name)
        return self._file.write(content)

    def flush(self) -> None:
        self._disk.use("flush", self._file.name)
        self._file.flush()

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Any:
        return iter(self._file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
