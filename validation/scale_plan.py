"""The plan of docs/scale.md at small scale: what moves between machines, how even ranges are, and the result.

python validation/scale_plan.py

Machines are arrays here. Each sends a sample of its scores, then every row once to the machine of its range;
that machine sends five integers. For counts in bins it sends its bins instead, up a tree of mergers.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

import rocscope as rs
from rocscope.core.table import NOTHING, sorted_sums, stacked_sums

MACHINES, ROWS, SAMPLE, FAN_IN = 100, 20_000, 512, 10
ROW_BYTES, SUM_BYTES, BIN_BYTES = 9, 40, 56
STEP = 2.0**-10


def main() -> None:
    rng = np.random.default_rng(23)
    y = [rng.random(ROWS) < 0.1 for _ in range(MACHINES)]
    s = [rng.normal(own) for own in y]

    samples = [np.sort(one)[:: ROWS // SAMPLE] for one in s]
    every = np.sort(np.concatenate(samples))
    cuts = every[np.linspace(0, every.size - 1, MACHINES + 1)[1:-1].astype(int)]
    ranges = [[] for _ in range(MACHINES)]
    for own_y, own_s in zip(y, s, strict=True):
        codes = np.searchsorted(cuts, own_s, side="right")
        for k in range(MACHINES):
            ranges[k].append((own_y[codes == k], own_s[codes == k]))
    sums, loads = [], []
    for pieces in ranges:
        flags, scores = (np.concatenate(column) for column in zip(*pieces, strict=True))
        loads.append(scores.size)
        sums.append(sorted_sums(np.sort(scores[flags]), np.sort(scores[~flags])))
    total = reduce(stacked_sums, sums, NOTHING)
    whole = rs.BinaryScores.from_arrays(np.concatenate(y), np.concatenate(s)).sums()
    assert total == whole
    moved = {"samples": 8 * every.size, "rows": ROW_BYTES * MACHINES * ROWS, "sums": SUM_BYTES * MACHINES}
    print("exact, by ranges:", {name: f"{size:,} bytes" for name, size in moved.items()})
    print(f"largest range: {max(loads) / ROWS:.3f} of the mean (sampling alone: {1 + 4 / SAMPLE**0.5:.3f})")

    tables = [rs.ScoreTable.binned(own_y, own_s, step=STEP) for own_y, own_s in zip(y, s, strict=True)]
    sent, level = 0, tables
    while len(level) > 1:
        sent += BIN_BYTES * sum(len(table.scores) for table in level)
        groups = [level[k : k + FAN_IN] for k in range(0, len(level), FAN_IN)]
        most = max(BIN_BYTES * sum(len(table.scores) for table in group) for group in groups)
        level = [reduce(lambda a, b: a.merge(b), group) for group in groups]
    table = level[0]
    assert table == rs.ScoreTable.binned(np.concatenate(y), np.concatenate(s), step=STEP)
    assert abs(table.auc - whole.auc) <= table.bound
    print(f"in {len(table.scores):,} bins: {sent:,} bytes in all, {most:,} to one merger")
    print(f"area off by {abs(table.auc - whole.auc):.1e}, bound {table.bound:.1e}")


if __name__ == "__main__":
    main()
