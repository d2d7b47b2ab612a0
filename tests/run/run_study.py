"""Run a study in a process of its own, to be killed: `python run_study.py FOLDER N_TASKS N_JOBS`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import tasks

from rocscope.run.study import Study, StudyTask, run_study


def make_study(n):
    """Tasks of 5 to 45 ms."""
    return Study(
        name="kill",
        seed=5,
        tasks=tuple(
            StudyTask(
                key=f"draw/{k}", function=tasks.draw, parameters={"k": k, "seconds": 0.005 * (k % 9 + 1)}
            )
            for k in range(n)
        ),
    )


if __name__ == "__main__":
    folder, n, jobs = sys.argv[1:]
    sys.stdout.write(f"{run_study(make_study(int(n)), folder, n_jobs=int(jobs)).digest}\n")
