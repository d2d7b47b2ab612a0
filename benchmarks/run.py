"""What a study costs beside its tasks, and what a second worker gains: `python -m benchmarks.run`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from rocscope.run.study import Study, StudyTask, run_study

TASKS = 10_000
SLEEPS = 200
SECONDS = 0.05


def nothing(k: int, seed: Any) -> int:
    """A task that takes no time."""
    return k


def pause(k: int, seed: Any) -> int:
    """A task of 50 ms, which leaves the cores to the workers of others."""
    time.sleep(SECONDS)
    return k


def reckon(k: int, seed: Any) -> int:
    """A task of about 50 ms that keeps a core busy."""
    end = time.process_time() + SECONDS
    while time.process_time() < end:
        k += 1
    return k


def study(function: Any, n: int) -> Study:
    """So many tasks of one kind."""
    tasks = (StudyTask(key=f"task/{k}", function=function, parameters={"k": k}) for k in range(n))
    return Study(name="benchmark", tasks=tuple(tasks))


def seconds(required: Study, n_jobs: int, timeout: float | None = None) -> float:
    """Time of one run into a new journal; a time limit puts a single job into a worker too."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run_study(required, Path(folder), n_jobs=n_jobs, timeout=timeout)
        return time.perf_counter() - start


def table() -> str:
    """Show overhead per task and speed of two workers."""
    lines = ["| study | measured | required |", "|---|--:|--:|"]
    for jobs in (1, 2):
        cost = min(seconds(study(nothing, TASKS), jobs) for _ in range(2)) / TASKS
        lines.append(f"| {TASKS:,} empty tasks, {jobs} worker(s): ms per task | {cost * 1e3:.2f} | < 2 |")
    for task, how in ((pause, "that wait"), (reckon, "that keep a core busy")):
        one, two = (min(seconds(study(task, SLEEPS), jobs, timeout=60) for _ in range(2)) for jobs in (1, 2))
        lines.append(
            f"| {SLEEPS} tasks of 50 ms {how}: two loky workers against one | {one / two:.2f} | 1.7 |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
