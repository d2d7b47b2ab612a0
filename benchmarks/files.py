"""A file larger than the memory it may take: AUC and DeLong interval, against DuckDB's own external sort."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

ROWS = 20_000_000
LIMIT = "512MB"
REPEATS = 3
# Normal scores (Box and Muller) around 0 and 1, one case in ten positive; one thread makes the seed count.
MAKE = """
COPY (
    SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) + y AS score, y::TINYINT AS label
    FROM (SELECT (random() < 0.1)::INTEGER AS y FROM range($rows))
) TO $path (FORMAT parquet)
"""
# The same limit, folder and threads as ours; every sorted row is looked at, or written.
SORT = """
import sys, duckdb
path, folder, limit, sql = sys.argv[1:]
config = {"memory_limit": limit, "temp_directory": folder}
with duckdb.connect(config=config) as connection:
    connection.execute(sql, {"path": path} | ({"out": folder + "/sorted.parquet"} if "$out" in sql else {}))
    connection.fetchall()
"""
SORTED = "SELECT score, label FROM read_parquet($path) ORDER BY score"
PEERS = {
    "DuckDB: ORDER BY score, sorted rows to Parquet": f"COPY ({SORTED}) TO $out (FORMAT parquet)",
    "DuckDB: ORDER BY score, sorted rows scanned": f"SELECT last(score), last(label) FROM ({SORTED})",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and peak memory of a whole process."""

    seconds: float
    megabytes: float


def cost(command: Sequence[str]) -> Cost:
    """Run a process and see what it took."""
    start = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[:3]} ended with {process.returncode}")
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return Cost(perf_counter() - start, used.ru_maxrss / unit)


def best(command: Sequence[str], repeats: int = REPEATS) -> Cost:
    """Least time and largest memory of several runs."""
    costs = [cost(command) for _ in range(repeats)]
    return Cost(min(c.seconds for c in costs), max(c.megabytes for c in costs))


def make(path: Path, rows: int) -> None:
    """Write the file; the same rows every time."""
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(MAKE, {"path": str(path), "rows": rows})


def ours(path: Path, limit: str) -> list[str]:
    """Our command: imports, the digest of the input and the printed answer are part of it."""
    options = ["--label", "label", "--score", "score", "--memory-limit", limit]
    return [sys.executable, "-m", "rocscope", "auc", str(path), *options]


def table(rows: int = ROWS, limit: str = LIMIT) -> str:
    """Show seconds and peak memory, and our time as a multiple of each peer's."""
    lines = ["| whole process | seconds | peak MB | rocscope takes |", "|---|--:|--:|--:|"]
    with tempfile.TemporaryDirectory(prefix="rocscope-bench-") as folder:
        path = Path(folder) / "scores.parquet"
        make(path, rows)
        mine = best(ours(path, limit))
        task = f"rocscope auc --memory-limit {limit}, {rows:,} rows of Parquet"
        lines.append(f"| {task} | {mine.seconds:.2f} | {mine.megabytes:.0f} | |")
        for name, sql in PEERS.items():
            spill = Path(folder) / "spill"
            spill.mkdir(exist_ok=True)
            theirs = best([sys.executable, "-c", SORT, str(path), str(spill), limit, sql])
            ratio = f"{mine.seconds / theirs.seconds:.2f} times as long"
            lines.append(f"| {name}, {limit} | {theirs.seconds:.2f} | {theirs.megabytes:.0f} | {ratio} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
