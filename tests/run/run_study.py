"""Run a study in a process of its own, to be killed: `python run_study.py FOLDER N_TASKS N_JOBS`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import tasks

from rocscope.run.study import Study, StudyTask, run_study


def make_study(n, ledger):
    """Tasks of 10 to 80 ms that note in a file that they were done."""
    return Study(
        name="kill",
        seed=5,
        tasks=tuple(
            StudyTask(
                key=f"note/{k}",
                function=tasks.note,
                parameters={"k": k, "seconds": 0.01 * (k % 8 + 1)},
                local={"ledger": str(ledger)},
            )
            for k in range(n)
        ),
    )


if __name__ == "__main__":
    folder, n, jobs = sys.argv[1:]
    study = make_study(int(n), f"{folder}.ledger")
    sys.stdout.write(f"{run_study(study, folder, n_jobs=int(jobs)).digest}\n")
