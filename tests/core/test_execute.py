"""The functions that run as tasks are nested on purpose: such functions travel to a worker by value."""

import importlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from concurrent.futures import wait
from pathlib import Path

import joblib
import pytest
from threadpoolctl import threadpool_limits

from rocscope.core.execution import (
    Executor,
    LokyExecutor,
    Outcome,
    Task,
    call,
    count_jobs,
    run_tasks,
    values_of,
)
from rocscope.core.resampling import plan_chunks
from rocscope.errors import PartlyFailedError, ResourceError, RocInputError

pytestmark = pytest.mark.slow

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
WAYS_TO_DIE = [
    lambda: os._exit(1),
    pytest.param(lambda: os.kill(os.getpid(), signal.SIGKILL), marks=pytest.mark.posix),
]
WAIT = 20.0  # seconds, for what should happen at once on a machine that is not overloaded


def squares(n):
    return [Task(f"square/{i}", lambda x: x * x, (i,)) for i in range(n)]


def children():
    """Processes started by this one, other than loky's tracker of temporary files, which stays."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_text()
        except OSError:
            continue
        if parent == os.getpid() and "tracker" not in command:
            found.add(int(entry.name))
    return found


def wait_until(condition):
    end = time.monotonic() + WAIT
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def script(code, **options):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-u", "-W", "error", "-c", textwrap.dedent(code)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, start_new_session=True, **pipes, **options)


# Results


def test_any_number_of_jobs_gives_the_same_bytes_in_the_same_order():
    tasks = [
        Task(str(chunk.start), lambda c: [c.stream().normal(size=3).tobytes() for _ in c.range], (chunk,))
        for chunk in plan_chunks(100, 7, size=9)
    ]
    alone = run_tasks(tasks)
    shared = run_tasks(tasks, n_jobs=2)
    assert [outcome.key for outcome in shared] == [task.key for task in tasks]
    assert values_of(shared) == values_of(alone)


def test_outcomes_come_in_the_order_of_the_tasks_whatever_ends_first():
    tasks = [Task(str(delay), time.sleep, (delay,)) for delay in (0.8, 0.0, 0.1)]
    with LokyExecutor(n_jobs=2) as executor:
        for task in tasks:
            executor.submit(task)
        assert [outcome.key for outcome in executor.as_completed()] == ["0.0", "0.1", "0.8"]
        assert [outcome.key for outcome in run_tasks(tasks, executor=executor)] == ["0.8", "0.0", "0.1"]


def test_seconds_are_those_of_the_call():
    nap, square = run_tasks([Task("nap", time.sleep, (0.5,)), *squares(1)], n_jobs=2)
    assert 0 <= square.seconds < 0.5 <= nap.seconds


def test_no_tasks_have_no_outcomes():
    assert run_tasks([]) == run_tasks([], n_jobs=2) == []


def test_functions_of_a_script_without_a_guard_run_in_workers():
    process = script("""
        from rocscope.core.execution import Task, run_tasks, values_of
        def double(x):
            return 2 * x
        print(values_of(run_tasks([Task(str(i), double, (i,)) for i in range(3)], n_jobs=2)))
    """)
    assert process.communicate(timeout=WAIT) == ("[0, 2, 4]\n", "")


def test_any_class_with_the_two_methods_is_an_executor():
    class Backwards:
        def __init__(self):
            self.tasks = []

        def submit(self, task):
            self.tasks.append(task)

        def as_completed(self):
            while self.tasks:
                yield call(self.tasks.pop())

    executor: Executor = Backwards()
    assert values_of(run_tasks(squares(4), executor=executor)) == [0, 1, 4, 9]


# Workers


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blas_and_openmp_have_one_thread_per_task(n_jobs, monkeypatch):
    def threads():
        import numpy as np
        import scipy.linalg  # noqa: F401
        from threadpoolctl import threadpool_info

        np.ones((2, 2)) @ np.ones((2, 2))
        return [library["num_threads"] for library in threadpool_info()]

    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    with threadpool_limits(2):
        assert set(threads()) == {2}
        for found in values_of(run_tasks([Task("a", threads), Task("b", threads)], n_jobs=n_jobs)):
            assert found
            assert set(found) == {1}
        assert set(threads()) == {2}


def test_one_job_runs_in_this_process_and_two_do_not():
    tasks = [Task(str(i), os.getpid) for i in range(4)]
    assert set(values_of(run_tasks(tasks))) == {os.getpid()}
    workers = set(values_of(run_tasks(tasks, n_jobs=2)))
    assert len(workers) <= 2
    assert os.getpid() not in workers


def test_workers_stay_for_the_next_tasks_until_closed():
    with LokyExecutor(n_jobs=2) as executor:
        tasks = [Task(str(i), lambda: time.sleep(0.05) or os.getpid()) for i in range(4)]
        first = set(values_of(run_tasks(tasks, executor=executor)))
        assert set(values_of(run_tasks(tasks, executor=executor))) == first


@linux
def test_no_process_is_left_behind():
    before = children()
    run_tasks([*squares(3), Task("dies", os._exit, (1,)), Task("raises", abs, ("x",))], n_jobs=2)
    with LokyExecutor(n_jobs=2, timeout=0.5) as executor:
        run_tasks([Task("hangs", time.sleep, (60,)), *squares(2)], executor=executor)
    assert wait_until(lambda: children() <= before)


@linux
def test_giving_up_the_iteration_stops_the_workers_and_drops_the_rest():
    before = children()
    executor = LokyExecutor(n_jobs=2)
    for task in [*squares(1), *(Task(f"hangs/{i}", time.sleep, (60,)) for i in range(5))]:
        executor.submit(task)
    outcomes = executor.as_completed()
    assert next(outcomes).key == "square/0"
    outcomes.close()
    assert wait_until(lambda: children() <= before)
    assert list(executor.as_completed()) == []


SLEEPERS = """
    import os, time
    from rocscope.core.execution import Task, run_tasks
    def nap():
        os.write(1, f"{os.getpid()}\\n".encode())  # in one piece, the other worker writes too
        time.sleep(60)
    run_tasks([Task(str(i), nap) for i in range(2)], n_jobs=2)
"""


@linux
def test_workers_die_with_their_parent():
    process = script(SLEEPERS)
    workers = [int(process.stdout.readline()) for _ in range(2)]
    assert all(map(alive, workers))
    process.kill()
    process.communicate(timeout=WAIT)
    assert wait_until(lambda: not any(map(alive, workers)))


@linux
def test_an_interrupt_stops_the_workers_too():
    process = script(SLEEPERS)
    workers = [int(process.stdout.readline()) for _ in range(2)]
    os.killpg(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=WAIT)
    assert process.returncode == -signal.SIGINT
    assert message.rstrip().endswith("KeyboardInterrupt")
    assert wait_until(lambda: not any(map(alive, workers)))


@pytest.mark.posix
def test_an_interrupt_that_the_parent_survives_fails_no_task():
    process = script("""
        import os, signal, time
        from rocscope.core.execution import Task, run_tasks
        def nap():
            os.write(1, b"begun\\n")
            time.sleep(0.5)
            return "slept"
        signal.signal(signal.SIGINT, lambda *_: None)
        print([outcome.value for outcome in run_tasks([Task(str(i), nap) for i in range(2)], n_jobs=2)])
    """)
    assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=WAIT) == ("['slept', 'slept']\n", "")


# Failures


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_task_that_raises_fails_alone(n_jobs):
    def breaks_here():
        raise KeyError("no such column")

    outcomes = run_tasks([*squares(2), Task("bad", breaks_here), Task("last", abs, (-1,))], n_jobs=n_jobs)
    bad = outcomes[2]
    assert [outcome.ok for outcome in outcomes] == [True, True, False, True]
    assert bad.error == "KeyError: 'no such column'"
    assert "in breaks_here" in bad.traceback
    assert bad.value is None


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_task_that_exits_or_cannot_tell_its_error_fails_alone(n_jobs):
    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError

    def mute():
        raise MuteError

    def long():
        raise ValueError("first line\nsecond line")

    outcomes = run_tasks(
        [Task("exit", sys.exit, (3,)), Task("mute", mute), Task("long", long)], n_jobs=n_jobs
    )
    assert [outcome.error for outcome in outcomes] == [
        "SystemExit: 3",
        "MuteError: <exception str() failed>",
        "ValueError: first line",
    ]
    assert "second line" in outcomes[2].traceback


@pytest.mark.parametrize("die", WAYS_TO_DIE)
def test_a_task_that_kills_its_worker_fails_after_a_second_try_and_harms_no_other(die, tmp_path):
    def work(key, then):
        with (tmp_path / key).open("a") as file:
            file.write("x")
        time.sleep(0.05)
        return then()

    tasks = [Task(f"{i}", work, (f"{i}", lambda: "done")) for i in range(6)]
    tasks.insert(1, Task("dies", work, ("dies", die)))
    outcomes = run_tasks(tasks, n_jobs=2)
    assert [outcome.key for outcome in outcomes if not outcome.ok] == ["dies"]
    assert outcomes[1].error.startswith("TerminatedWorkerError: A worker process")
    assert "exit codes" in outcomes[1].traceback
    tries = {path.name: len(path.read_text()) for path in tmp_path.iterdir()}
    assert tries == {"dies": 2, **{f"{i}": 1 for i in range(6)}}


def test_a_task_whose_worker_dies_once_succeeds_at_the_second_try(tmp_path):
    def unlucky():
        if not (tmp_path / "tried").exists():
            (tmp_path / "tried").touch()
            os._exit(1)
        return "done"

    assert values_of(run_tasks([Task("unlucky", unlucky), *squares(2)], n_jobs=2)) == ["done", 0, 1]


@pytest.mark.posix
def test_a_worker_that_dies_while_idle_is_replaced():
    with LokyExecutor(n_jobs=2) as executor:
        for pid in set(values_of(run_tasks([Task(str(i), os.getpid) for i in range(2)], executor=executor))):
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        assert values_of(run_tasks(squares(3), executor=executor)) == [0, 1, 4]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_task_that_hangs_fails_at_the_timeout(n_jobs):
    start = time.monotonic()
    with LokyExecutor(n_jobs=n_jobs, timeout=2) as executor:
        outcomes = run_tasks(
            [*squares(2), Task("hangs", time.sleep, (60,)), Task("last", abs, (-1,))], executor=executor
        )
    assert [outcome.ok for outcome in outcomes] == [True, True, False, True]
    assert outcomes[2].error == "TimeoutError: no result within 2 s; its worker was killed"
    assert 2 <= outcomes[2].seconds < time.monotonic() - start < WAIT


def test_tasks_without_an_executor_may_have_a_timeout():
    outcomes = run_tasks([Task("quick", abs, (-1,)), Task("hangs", time.sleep, (60,))], timeout=1)
    assert [(outcome.value, outcome.error) for outcome in outcomes] == [
        (1, None),
        (None, "TimeoutError: no result within 1 s; its worker was killed"),
    ]


SLOW_MODULE = """
    import os, time
    if os.getpid() != {parent}:
        time.sleep({seconds})
    def double(x):
        return 2 * x
    def nap(seconds):
        time.sleep(seconds)
"""


@pytest.fixture
def slow_module(tmp_path, monkeypatch):
    """A module that workers take 1.5 s to import, at once imported here."""
    text = textwrap.dedent(SLOW_MODULE.format(parent=os.getpid(), seconds=1.5))
    (tmp_path / "slow_to_import.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("slow_to_import")
    del sys.modules["slow_to_import"]


def test_what_a_worker_imports_is_not_the_time_of_a_task(slow_module):
    """A new worker imports it after each kill: were this its time, every task would fail, and for ever."""
    tasks = [Task("first", slow_module.double, (1,)), Task("hangs", slow_module.nap, (60,))]
    outcomes = run_tasks([*tasks, Task("last", slow_module.double, (2,))], timeout=1)
    assert [(outcome.value, outcome.error) for outcome in outcomes] == [
        (2, None),
        (None, "TimeoutError: no result within 1 s; its worker was killed"),
        (4, None),
    ]


def test_an_import_that_never_ends_fails_its_task(slow_module, monkeypatch):
    monkeypatch.setattr("rocscope.core.execution.LOADING", 0.5)
    outcomes = run_tasks([Task("double", slow_module.double, (1,)), *squares(2)], timeout=10)
    assert [(outcome.value, outcome.error) for outcome in outcomes] == [
        (None, "TimeoutError: its worker was not ready for it within 0.5 s, and was killed"),
        (0, None),
        (1, None),
    ]


def test_a_worker_replaced_before_the_call_takes_the_task_again(monkeypatch):
    """loky replaces a worker whose memory has grown, between the two steps of a task as well."""
    original = LokyExecutor._start_tasks
    forgotten = []

    def drop_loaded():
        from rocscope.core import execution

        n = len(execution._loaded)
        execution._loaded.clear()
        return n

    def forget(self):
        original(self)
        for worker in self._busy:
            if not forgotten:
                wait([worker.future])
                forgotten.append(worker._pool.submit(drop_loaded).result(WAIT))

    monkeypatch.setattr(LokyExecutor, "_start_tasks", forget)
    assert values_of(run_tasks(squares(3), timeout=60)) == [0, 1, 4]
    assert forgotten == [1]


@pytest.mark.parametrize("die", WAYS_TO_DIE)
def test_a_task_that_kills_its_worker_fails_with_a_timeout_too(die):
    outcomes = run_tasks([Task("dies", die), *squares(2)], n_jobs=2, timeout=60)
    assert [outcome.ok for outcome in outcomes] == [False, True, True]
    assert outcomes[0].error.startswith("TerminatedWorkerError: A worker process")


class BreaksOnArrival:
    def __reduce__(self):
        return int, ("not a number",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "task",
    [
        Task("argument", lambda lock: 1, (threading.Lock(),)),
        Task("value", lambda: __import__("threading").Lock()),
        Task("arrival", lambda broken: 1, (BreaksOnArrival(),)),
    ],
)
@pytest.mark.parametrize("timeout", [None, 60])
def test_what_cannot_be_sent_fails_alone(task, timeout):
    outcomes = run_tasks([task, *squares(3)], n_jobs=2, timeout=timeout)
    assert [outcome.ok for outcome in outcomes] == [False, True, True, True]
    assert "pickl" in outcomes[0].error.lower()


def test_workers_that_cannot_start_are_an_error(monkeypatch):
    monkeypatch.setattr("rocscope.core.execution._prepare_worker", lambda parent: os._exit(1))
    with pytest.raises(ResourceError, match="no worker process could be started"):
        run_tasks(squares(2), n_jobs=2)


def test_values_of_names_the_first_failure_and_how_many_there_are():
    outcomes = run_tasks([*squares(1), Task("a/b", abs, ("x",)), Task("c", abs, ("y",))])
    with pytest.raises(PartlyFailedError) as caught:
        values_of(outcomes)
    assert str(caught.value) == (
        "2 of 3 tasks failed; the first is 'a/b': TypeError: bad operand type for abs(): 'str'"
    )
    assert caught.value.__notes__ == [outcomes[1].traceback]


# Progress


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_counts_every_task_that_ends(n_jobs):
    tasks = [*squares(3), Task("raises", abs, ("x",))]
    counts = [(done, 4) for done in range(1, 5)]
    seen, own = [], []
    run_tasks(tasks, n_jobs=n_jobs, progress=lambda *count: seen.append(count))
    with LokyExecutor(n_jobs=n_jobs, progress=lambda *count: own.append(count)) as executor:
        run_tasks(tasks, executor=executor)
        run_tasks(tasks, executor=executor)
    assert seen == counts
    assert own == counts + counts


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_tasks_can_be_added_while_outcomes_come_back(n_jobs):
    seen = []
    with LokyExecutor(n_jobs=n_jobs, progress=lambda *count: seen.append(count)) as executor:
        executor.submit(Task("0", abs, (0,)))
        for outcome in executor.as_completed():
            if outcome.value < 3:
                executor.submit(Task(str(outcome.value + 1), abs, (outcome.value + 1,)))
    assert seen == [(1, 1), (2, 2), (3, 3), (4, 4)]


# Arguments


def test_jobs_are_counted_as_in_joblib():
    cores = joblib.cpu_count()
    found = [count_jobs(n) for n in (None, 1, 5, -1, -2, -1000)]
    assert found == [1, 1, 5, cores, max(1, cores - 1), 1]


@pytest.mark.parametrize("n_jobs", [0, True, 1.0, "all"])
def test_refuses_a_bad_number_of_jobs(n_jobs):
    with pytest.raises(RocInputError) as caught:
        run_tasks([], n_jobs=n_jobs)
    assert str(caught.value) == f"n_jobs must be a whole number other than 0, got {n_jobs!r}"


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (
            lambda: run_tasks(squares(1) + squares(1)),
            "tasks must have distinct keys, got 'square/0' more than once",
        ),
        (
            lambda: run_tasks(squares(1), executor=LokyExecutor(), n_jobs=2),
            "n_jobs must be None when an executor is given, got 2",
        ),
        (
            lambda: run_tasks(squares(1), executor=LokyExecutor(), timeout=2),
            "timeout must be None when an executor is given, got 2",
        ),
        (lambda: run_tasks(squares(1), timeout=-1), "timeout must lie between 0 and 9.22337e+09, got -1"),
        (lambda: LokyExecutor(timeout=0), "timeout must lie between 0 and 9.22337e+09, got 0"),
    ],
)
def test_refuses_what_cannot_be_run(attempt, message):
    with pytest.raises(RocInputError) as caught:
        attempt()
    assert str(caught.value) == message


def test_an_outcome_is_ok_without_an_error():
    assert Outcome(key="a").ok
    assert not Outcome(key="a", error="ValueError: no").ok


def test_importing_the_module_loads_no_heavy_library():
    process = script("""
        import sys, rocscope.core.execution
        print(sorted({"joblib", "numba", "scipy", "threadpoolctl"} & set(sys.modules)))
    """)
    assert process.communicate(timeout=WAIT) == ("[]\n", "")


def test_a_worker_replaced_for_its_memory_is_not_the_users_business():
    with LokyExecutor(n_jobs=2) as executor:
        executor.submit(Task("one", abs, (-1,)))
        list(executor.as_completed())
    # What loky says then; every warning is an error here.
    warnings.warn("A worker stopped while some jobs were given to the executor.", UserWarning, stacklevel=1)
