"""How much memory, disk and how many threads reading may take."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from rocscope.core import checks
from rocscope.errors import RocInputError

Size: TypeAlias = int | str | None
UNITS = {
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
LEAST_MEMORY = 64 * 10**6
MOST_MEMORY = 2**50  # DuckDB reads no much longer number
# DuckDB asks for this much per thread, or scans begin to fail.
THREAD_MEMORY = 64 * 10**6
SHARE_OF_RAM = 0.4
SHARE_OF_DISK = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bytes of memory and of temporary files, and threads; None leaves the choice to DuckDB.

    The memory is shared: one half is DuckDB's, the other half holds what NumPy sorts. Rows that are read into
    memory must fit, and so must what is done with them, if that takes more: `row_bytes` for each row.
    """

    memory: int | None = None
    disk: int | None = None
    threads: int | None = None
    row_bytes: int = 0

    @classmethod
    def read(cls, memory_limit: Size, *, temp_limit: Size = None, threads: int | None = None) -> Limits:
        """Read the arguments that users give.

        Examples
        --------
        >>> Limits.read("512MB", threads=1).memory
        512000000
        """
        if threads is not None:
            checks.check_integer(threads, name="threads", low=1)
        return cls(
            memory=read_size(memory_limit, name="memory_limit", least=LEAST_MEMORY),
            disk=read_size(temp_limit, name="temp_limit"),
            threads=threads,
        )

    def settled(self) -> Limits:
        """The same with a limit of memory: 40 % of the machine's where the user gave none."""
        if self.memory is not None:
            return self
        return replace(self, memory=int(SHARE_OF_RAM * physical_memory()))

    @property
    def half(self) -> int:
        """DuckDB's share, which is also NumPy's."""
        return (self.settled().memory or 0) // 2

    def settings(self, folder: Path | None) -> dict[str, str | bool | int | float | list[str]]:
        """DuckDB's names for the limits; without a folder it writes no temporary files."""
        found: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": "" if folder is None else str(folder)
        }
        threads = self.threads
        if self.memory is not None:
            found["memory_limit"] = f"{min(self.half, MOST_MEMORY)}B"
            threads = threads or max(1, min(os.cpu_count() or 1, self.half // THREAD_MEMORY))
        if threads is not None:
            found["threads"] = threads
        return found

    def room(self, folder: Path) -> int:
        """Bytes that temporary files may take."""
        free = int(SHARE_OF_DISK * shutil.disk_usage(folder).free)
        return free if self.disk is None else min(free, self.disk)


def read_size(value: Any, *, name: str, least: int = 1) -> int | None:
    """Read a number of bytes: a whole number, or text with a unit.

    Examples
    --------
    >>> read_size("1.5GB", name="memory_limit"), read_size("2 GiB", name="memory_limit")
    (1500000000, 2147483648)
    """
    if value is None:
        return None
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*", value)
        if match is None or match[2].lower() not in UNITS:
            raise RocInputError(f"{name} must be a size such as '512MB' or '2GiB', got {checks.show(value)}")
        value = int(float(match[1]) * UNITS[match[2].lower()])
    size = checks.check_integer(value, name=name, low=0)
    if size < least:
        raise RocInputError(f"{name} must be at least {show_size(least)}, got {show_size(size)}")
    return size


def show_size(size: int) -> str:
    """Bytes for people.

    Examples
    --------
    >>> show_size(512_000_000), show_size(1_500_000_000), show_size(10)
    ('512 MB', '1.5 GB', '10 bytes')
    """
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def physical_memory() -> int:
    """Bytes of memory of the machine; 2 GB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2 * 10**9
