"""Damaged copies of a file: bytes changed, cut off, zeroed, repeated."""

from __future__ import annotations

import numpy as np


def damage(content: bytes, rng: np.random.Generator) -> bytes:
    """Return the content with one kind of damage somewhere; never the content itself."""
    data = bytearray(content)
    place = int(rng.integers(len(data)))
    kind = rng.choice(["one byte", "some bytes", "end", "cut", "hole", "zeros", "twice"])
    if kind == "one byte":
        data[place] ^= 1 << int(rng.integers(8))
    elif kind == "some bytes":
        for spot in rng.integers(len(data), size=rng.integers(2, 9)):
            data[spot] = int(rng.integers(256))
    elif kind == "end":  # where Parquet keeps its description, and gzip its checksum
        for spot in rng.integers(max(0, len(data) - 64), len(data), size=rng.integers(1, 4)):
            data[spot] = int(rng.integers(256))
    elif kind == "cut":
        del data[place:]
    elif kind == "hole":
        del data[place : place + int(rng.integers(1, 40))]
    elif kind == "zeros":
        data[place : place + 16] = bytes(len(data[place : place + 16]))
    else:
        data[place:place] = data[place : place + 32]
    return bytes(data) if bytes(data) != content else damage(content, rng)
