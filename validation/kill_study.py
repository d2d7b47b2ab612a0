"""Kill a study again and again, at random moments: does it end with the results of an undisturbed one?

    python validation/kill_study.py [--rounds 20] [--tasks 600] [--jobs 2] [--seed 1]

Every round starts or goes on with a study of tasks of 10 to 80 ms, waits for a random number of results and
kills -9 the process alone, its whole group, or one of its workers and then the process. After each kill every
result that was there must still be there, none of these may have been computed again, and no process may live
on. At the end the digest must be that of a run without a kill, every task there once.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from rocscope.errors import RocscopeError
from rocscope.run.journal import Journal
from rocscope.run.study import Study, StudyTask, run_study

JOURNAL = "journal.jsonl"
LEDGER = "ledger"


def work(k: int, seconds: float, ledger: str, seed: Any) -> float:
    """Take a while, draw a number, and note on the way out that it was done."""
    time.sleep(seconds)
    with open(ledger, "a") as file:
        file.write(f"{k}\n")
    return float(np.random.default_rng(seed).random())


def make_study(folder: Path, n: int) -> Study:
    lengths = np.random.default_rng(0).uniform(0.01, 0.08, n)
    tasks = (
        StudyTask(
            key=f"task/{k}",
            function=work,
            parameters={"k": k, "seconds": float(lengths[k])},
            local={"ledger": str(folder / LEDGER)},
        )
        for k in range(n)
    )
    return Study(name="killed", tasks=tuple(tasks), seed=7)


def start(folder: Path, n: int, jobs: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--run", str(folder), "--tasks", str(n), "--jobs", str(jobs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)


def group(pid: int) -> list[int]:
    """Processes of a group, its leader left out."""
    found = subprocess.run(["ps", "-o", "pid=", "-g", str(pid)], capture_output=True, text=True).stdout
    return [int(word) for word in found.split() if int(word) != pid]


def keys_of(folder: Path) -> set[str]:
    try:
        return Journal.look(folder / JOURNAL).keys(failed=True)
    except RocscopeError:  # not yet there
        return set()


def ledger_of(folder: Path) -> list[str]:
    """Keys of the tasks that were done, as often as they were."""
    ledger = folder / LEDGER
    return [f"task/{line}" for line in ledger.read_text().split()] if ledger.exists() else []


def kill(process: subprocess.Popen[str], rng: random.Random) -> str:
    kind = rng.choice(("process", "group", "worker"))
    workers = group(process.pid)
    if kind == "group":
        os.killpg(process.pid, signal.SIGKILL)
    if kind == "worker" and workers:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(workers), signal.SIGKILL)
        time.sleep(rng.uniform(0.0, 0.5))
    process.kill()  # does nothing to one that is gone
    process.communicate()
    return kind


def wait(process: subprocess.Popen[str], folder: Path, required: int) -> None:
    """Wait until so many results are recorded."""
    while process.poll() is None and len(keys_of(folder)) < required:
        time.sleep(0.01)


def one_round(folder: Path, n: int, jobs: int, most: int, rng: random.Random) -> str:
    """Start, kill, check; returns a line about it."""
    begun, noted = keys_of(folder), len(ledger_of(folder))
    process = start(folder, n, jobs)
    wait(process, folder, len(begun) + rng.randint(0, most))
    time.sleep(rng.uniform(0.0, 0.1))
    before = keys_of(folder)
    kind = kill(process, rng)
    after = keys_of(folder)
    assert begun <= before <= after, "a result was lost"
    deadline = time.monotonic() + 10
    while group(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not group(process.pid), "a process lives on"
    done = ledger_of(folder)[noted:]
    assert not begun & set(done), "a recorded task was run again"
    lost = len(set(done) - after)
    # Tasks under way, and outcomes that had not reached the journal.
    assert lost <= 2 * jobs, "too much was lost"
    return f"{kind}: {len(after)} results kept, {lost} that were done not yet recorded"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run")
    options = parser.parse_args()
    if options.run:
        folder = Path(options.run)
        print(run_study(make_study(folder, options.tasks), folder, n_jobs=options.jobs).digest)
        return
    with tempfile.TemporaryDirectory() as name:
        check(Path(name), options)


def check(base: Path, options: argparse.Namespace) -> None:
    whole, folder = base / "whole", base / "killed"
    for place in (whole, folder):
        place.mkdir()
    reference = run_study(make_study(whole, options.tasks), whole, n_jobs=options.jobs).digest
    rng = random.Random(options.seed)
    most = int(1.6 * options.tasks / options.rounds)
    for number in range(options.rounds):
        print(f"round {number + 1}: {one_round(folder, options.tasks, options.jobs, most, rng)}", flush=True)
    process = start(folder, options.tasks, options.jobs)
    digest = process.communicate()[0].strip()
    count = len(Journal.look(folder / JOURNAL).rows())
    runs = ledger_of(folder)
    kept = sorted(path.name for path in folder.iterdir())
    print(f"digest {'equal' if digest == reference else 'DIFFERENT'}; {count} results")
    print(f"{len(runs)} runs of {len(set(runs))} tasks: {len(runs) - len(set(runs))} done again after a kill")
    print(f"files: {', '.join(kept)}")
    assert digest == reference
    assert count == options.tasks


if __name__ == "__main__":
    main()
