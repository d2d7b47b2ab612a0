"""Twenty Parquet files of five million rows: DuckDB within 512 MB beside dask with 1, 2 and 4 workers.

Whole processes, with the digest of the files and the printed result; one worker is killed in the last run.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter, sleep

from benchmarks.files import LIMIT, MAKE

PARTS, ROWS = 20, 5_000_000


def make(folder: Path, parts: int, rows: int) -> None:
    """Write the files; the same rows every time."""
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SELECT setseed(0.5)")
        for k in range(parts):
            connection.execute(MAKE, {"path": str(folder / f"part-{k:02}.parquet"), "rows": rows})


def command(folder: str, *options: str) -> list[str]:
    """The arguments of our command."""
    return ["auc", folder, "--label", "label", "--score", "score", "--json", *options]


def client(folder: str, workers: str, kill_after: str) -> None:
    """Run our command on dask in this process, and say what memory it took; kill a worker on the way."""
    from rocscope.cli import main
    from rocscope.run.dask_executor import DaskExecutor

    start, compute, calls = perf_counter(), DaskExecutor.compute, []

    def kill(executor: DaskExecutor) -> None:
        sleep(float(kill_after))
        os.kill(next(iter(executor.client.run(os.getpid).values())), signal.SIGKILL)

    def watched(executor: DaskExecutor, tasks: list[object]) -> list[object]:
        calls.append(len(tasks))
        if float(kill_after) and len(calls) == 2:
            threading.Thread(target=kill, args=(executor,), daemon=True).start()
        return compute(executor, tasks)

    DaskExecutor.compute = watched  # type: ignore[method-assign]
    code = main(command(folder, "--backend", "dask", "--n-jobs", workers))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{perf_counter() - start} {memory} {calls}", file=sys.stderr)
    sys.exit(code)


def table(parts: int = PARTS, rows: int = ROWS) -> str:
    """Show seconds, the memory of the client, and whether all results are equal."""
    lines = ["| 20 Parquet parts of 5,000,000 rows | seconds | client MB | same bits |", "|---|--:|--:|---|"]
    with tempfile.TemporaryDirectory(prefix="rocscope-bench-") as name:
        make(Path(name), parts, rows)
        start = perf_counter()
        done = [sys.executable, "-m", "rocscope", *command(name, "--memory-limit", LIMIT)]
        with subprocess.Popen(done, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            first = json.loads(process.stdout.read())
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0
        took = perf_counter() - start
        lines.append(f"| DuckDB within {LIMIT} | {took:.1f} | {used.ru_maxrss / 1e3:.0f} | |")
        print(lines[-1], flush=True)
        for workers, kill in ((1, 0), (2, 0), (4, 0), (2, 5)):
            arguments = [sys.executable, "-m", "benchmarks.scale", name, str(workers), str(kill)]
            run = subprocess.run(arguments, capture_output=True, text=True, check=True)
            seconds, memory, *_ = run.stderr.splitlines()[-1].split()
            same = json.loads(run.stdout)["results"] == first["results"]
            killed = ", one of them killed" if kill else ""
            row = f"dask, {workers} worker{'s' * (workers > 1)}{killed}"
            lines.append(
                f"| {row} | {float(seconds):.1f} | {float(memory):.0f} | {'yes' if same else 'NO'} |"
            )
            print(lines[-1], flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        client(*sys.argv[1:4])
    print(table(*map(int, sys.argv[1:3])))
