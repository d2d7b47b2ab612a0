"""The write-ahead log beside a journal: SQLite drops what follows a damaged byte in it without a word."""

from __future__ import annotations

import os
import struct
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

# Sizes and magic numbers of SQLite's file format, section 4, "The Write-Ahead Log".
HEADER, FRAME = 32, 24
BYTE_ORDERS = {0x377F0682: "<", 0x377F0683: ">"}

Sums: TypeAlias = tuple[int, int]


def log_of(path: Path) -> Path:
    """The write-ahead log of a database; SQLite keeps it beside the file itself, not beside a link to it."""
    return Path(f"{os.path.realpath(path)}-wal")


def has_lost_commits(path: Path) -> bool:
    """Whether the log of a database has a damaged commit that a later one follows.

    A log that ends in the midst of a commit is no damage: that is how a killed process leaves it. A commit is
    on the disk before the next one begins, so one that is followed by another was once whole.
    """
    log, before = log_of(path), None
    while log.is_file():
        try:
            content = log.read_bytes()
        except FileNotFoundError:
            break
        if not _is_damaged(content):
            break
        if content == before:
            return True
        before = content  # a run may have begun the log anew while it was read: look again
    return False


def _is_damaged(content: bytes) -> bool:
    if len(content) <= HEADER:
        return False
    magic, _, page_size, _, *salts, first, second = struct.unpack(">8I", content[:HEADER])
    order, sums = BYTE_ORDERS.get(magic), (first, second)
    # The header is on the disk before the first frame is written.
    if order is None or _sums(content[: HEADER - 8], order) != sums:
        return True
    is_whole, commits = True, 0
    for start in range(HEADER, len(content) - FRAME - page_size + 1, FRAME + page_size):
        frame = content[start : start + FRAME + page_size]
        _, size_after_commit, *own_salts, first, second = struct.unpack(">6I", frame[:FRAME])
        if own_salts != salts:  # left from before the log was begun anew, or damaged
            is_whole = False
            continue
        if is_whole:
            sums = _sums(frame[:8] + frame[FRAME:], order, sums)
            is_whole = sums == (first, second)
        if not is_whole:
            if commits:
                return True
            commits += size_after_commit > 0
    return False


def _sums(content: bytes, order: str, sums: Sums = (0, 0)) -> Sums:
    """SQLite's checksum of a log, section 4.2; it goes on from that of the frame before.

    For every two words it does `first += even + second; second += odd + first`, modulo 2^32. Both are sums
    of the words times Fibonacci numbers, the last word times F(0) = 0 and F(1) = 1.

    Examples
    --------
    >>> _sums(bytes([5, 0, 0, 0, 7, 0, 0, 0]), "<", (2, 3)) == (2 + 5 + 3, 3 + 7 + (2 + 5 + 3))
    True
    """
    words = np.frombuffer(content, dtype=f"{order}u4").astype(np.uint32)
    n = len(words)
    series = _fibonacci(n + 2)
    first, second = ((words * series[n - 1 + k :: -1][:n]).sum(dtype=np.uint64) for k in (0, 1))
    before, (even, odd) = [int(number) for number in series[n - 1 :]], sums
    return (
        (int(first) + before[0] * even + before[1] * odd) % 2**32,
        (int(second) + before[1] * even + before[2] * odd) % 2**32,
    )


@lru_cache
def _fibonacci(n: int) -> NDArray[np.uint32]:
    """F(0) to F(n - 1), modulo 2^32."""
    series = [0, 1]
    while len(series) < n:
        series.append((series[-2] + series[-1]) % 2**32)
    return np.array(series, dtype=np.uint32)
