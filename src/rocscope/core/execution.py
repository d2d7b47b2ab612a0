"""Run independent tasks, here or in worker processes, and keep what succeeded.

An executor takes tasks by `submit` and hands their outcomes back by `as_completed`; whatever does
both (a cluster, say) can stand in for `LokyExecutor`. A task that raises, hangs or kills its
process becomes a failed outcome, and the others go on.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic, perf_counter, sleep
from typing import Any, Protocol, Self, TypeAlias

from rocscope.core.checks import check_number, count_jobs, show
from rocscope.errors import PartlyFailedError, ResourceError, RocInputError

Progress: TypeAlias = Callable[[int, int], None]


class Executor(Protocol):
    """Whatever can run tasks."""

    def submit(self, task: Task) -> None:
        """Take a task."""

    def as_completed(self) -> Iterator[Outcome]:
        """Hand back the outcome of every task taken, each as soon as it is known."""


def run_tasks(
    tasks: Iterable[Task],
    *,
    executor: Executor | None = None,
    n_jobs: int | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Run the tasks and return their outcomes in the order of the tasks.

    Parameters
    ----------
    tasks : iterable of Task
        With distinct keys.
    executor : Executor, optional
        One with no other task in hand; it stays open. By default a `LokyExecutor`, closed at the end.
    n_jobs : int, optional
        Number of processes as in joblib; only without `executor`, which has its own.
    timeout : float, optional
        Seconds a task may take before it has failed, see `LokyExecutor`; only without `executor`.
    progress : callable, optional
        Called as ``progress(done, total)`` after each task.

    Returns
    -------
    list of Outcome

    Examples
    --------
    >>> outcomes = run_tasks([Task("root", pow, (9, 0.5)), Task("log", pow, (0, -1))])
    >>> [(outcome.key, outcome.value) for outcome in outcomes]
    [('root', 3.0), ('log', None)]
    >>> outcomes[1].error
    'ZeroDivisionError: 0.0 cannot be raised to a negative power'
    """
    listed = list(tasks)
    check_distinct([task.key for task in listed])
    if executor is not None:
        check_executor(executor, n_jobs=n_jobs, timeout=timeout)
    if progress is not None and not callable(progress):
        raise RocInputError(f"must be a function of two numbers, got {show(progress)}", argument="progress")
    outcomes = dict[str, Outcome]()
    with nullcontext(executor) if executor is not None else LokyExecutor(n_jobs, timeout=timeout) as runner:
        for task in listed:
            runner.submit(task)
        for outcome in runner.as_completed():
            outcomes[outcome.key] = outcome
            if progress is not None:
                progress(len(outcomes), len(listed))
    return [outcomes[task.key] for task in listed]


def check_executor(executor: Any, **others: Any) -> None:
    """See that it can run tasks, and that what belongs to processes here was not given beside it.

    Examples
    --------
    >>> check_executor("dask")
    Traceback (most recent call last):
    rocscope.errors.RocInputError: executor must have submit and as_completed, got 'dask'
    """
    if not (hasattr(executor, "submit") and hasattr(executor, "as_completed")):
        raise RocInputError(f"must have submit and as_completed, got {show(executor)}", argument="executor")
    for name, value in others.items():
        if value is not None:
            raise RocInputError(f"must be None when an executor is given, got {show(value)}", argument=name)


def check_distinct(keys: Iterable[str]) -> None:
    """Refuse tasks of the same name.

    Examples
    --------
    >>> check_distinct(["a", "b", "a"])
    Traceback (most recent call last):
    rocscope.errors.RocInputError: tasks must have distinct keys, got 'a' more than once
    """
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise RocInputError(f"must have distinct keys, got {show(key)} more than once", argument="tasks")
        seen.add(key)


def values_of(outcomes: Sequence[Outcome]) -> list[Any]:
    """Return the values, or raise one error for all the tasks that failed.

    Parameters
    ----------
    outcomes : sequence of Outcome
        From `run_tasks`.

    Returns
    -------
    list
        In the order of the outcomes.

    Raises
    ------
    PartlyFailedError
        Names the first failed task and how many failed; its note is that task's traceback.

    Examples
    --------
    >>> values_of(run_tasks([Task("a", abs, (-1,)), Task("b", abs, (2,))]))
    [1, 2]
    """
    failed = [outcome for outcome in outcomes if not outcome.ok]
    if not failed:
        return [outcome.value for outcome in outcomes]
    first = failed[0]
    error = PartlyFailedError(
        f"{len(failed)} of {len(outcomes)} tasks failed; the first is {show(first.key)}: {first.error}"
    )
    if first.traceback is not None:
        error.add_note(first.traceback)
    raise error


class LokyExecutor:
    """Run tasks in this process (one job) or in worker processes of loky (more jobs).

    Parameters
    ----------
    n_jobs : int or None
        Number of processes, see `count_jobs`.
    progress : callable, optional
        Called in this process as ``progress(done, total)`` after each task.
    timeout : float, optional
        Seconds a task may take, from the call of its function until its value is here; then its worker
        is killed and the task has failed. What a worker imports for it, and the sending of its arguments,
        does not count. Nothing can stop a call in this process, so one job gets a worker too.

    Notes
    -----
    Work starts when `as_completed` is iterated, and what is left unfinished when that iteration
    is given up is dropped. Workers stay for further tasks until `close`, or the end of a ``with``
    block. A task whose worker dies is tried once more in a new one. BLAS and OpenMP have one thread
    per task, in this process too.

    Examples
    --------
    >>> with LokyExecutor(n_jobs=1) as executor:
    ...     executor.submit(Task("three", abs, (-3,)))
    ...     [outcome.value for outcome in executor.as_completed()]
    [3]
    """

    def __init__(
        self, n_jobs: int | None = 1, progress: Progress | None = None, timeout: float | None = None
    ) -> None:
        self._n_jobs = count_jobs(n_jobs)
        self._progress = progress
        self._timeout = timeout
        if timeout is not None:
            self._timeout = check_number(timeout, name="timeout", low=0, high=threading.TIMEOUT_MAX)
        self._waiting: deque[Job] = deque()
        self._idle: list[Worker] = []
        self._busy: dict[Worker, Job] = {}
        self._submitted = 0

    def submit(self, task: Task) -> None:
        """Take a task; also allowed while outcomes are being handed back."""
        self._waiting.append(Job(task))
        self._submitted += 1

    def as_completed(self) -> Iterator[Outcome]:
        """Run the tasks taken and hand back the outcome of each as soon as it is known."""
        here = self._n_jobs == 1 and self._timeout is None
        try:
            for done, outcome in enumerate(self._run_here() if here else self._run_in_workers(), start=1):
                if self._progress is not None:
                    self._progress(done, self._submitted)
                yield outcome
        except BaseException:
            self.close()
            raise
        self._submitted = 0

    def close(self) -> None:
        """Stop the workers and drop the tasks not yet done."""
        for worker in [*self._idle, *self._busy]:
            worker.close()
        self._idle.clear()
        self._busy.clear()
        self._waiting.clear()
        self._submitted = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run_here(self) -> Iterator[Outcome]:
        while self._waiting:
            yield call(self._waiting.popleft().task)

    def _run_in_workers(self) -> Iterator[Outcome]:
        while self._waiting or self._busy:
            self._start_tasks()
            # Wait until a task is done or late, or is loaded and can be called.
            first = min(worker.deadline for worker in self._busy)
            left = None if self._timeout is None else max(0.0, first - monotonic())
            wait([worker.future for worker in self._busy], timeout=left, return_when=FIRST_COMPLETED)
            outcomes = []
            for worker in [worker for worker in self._busy if worker.is_ready()]:
                job = self._busy.pop(worker)
                outcome = worker.finish(job)
                if not worker.closed:
                    self._idle.append(worker)
                if outcome is None:
                    self._waiting.append(job)
                else:
                    outcomes.append(outcome)
            # The next tasks start before the caller looks at these outcomes.
            self._start_tasks()
            yield from outcomes

    def _start_tasks(self) -> None:
        """Give every idle worker a task, opening workers up to the number of jobs."""
        needed = min(self._n_jobs - len(self._busy), len(self._waiting))
        # All are opened before the first is used: processes start side by side.
        self._idle += [Worker() for _ in range(needed - len(self._idle))]
        while self._idle and self._waiting:
            worker, job = self._idle.pop(), self._waiting.popleft()
            self._busy[worker] = job
            worker.start(job.task, self._timeout)


# ---- One task in one worker process: how it starts, how it dies, and how it is reported -------------------

MAX_ATTEMPTS = 2
# Seconds at most for what comes before the time of a task: its arguments travel, its modules are imported.
LOADING = 300.0
# Seconds at most until the thread of a pool has taken a task; it needs some thousandths of one.
TAKING = 1.0
PR_SET_PDEATHSIG = 1  # of Linux, <sys/prctl.h>

# Read by the libraries when they are loaded, so they must be set before a worker starts.
LIBRARIES = ("OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "BLIS_NUM", "VECLIB_MAXIMUM", "NUMEXPR_NUM", "NUMBA_NUM")
ONE_THREAD = {f"{library}_THREADS": "1" for library in LIBRARIES}


@dataclass(frozen=True, slots=True)
class Task:
    """A call to make: a name of its own, a function and its arguments.

    The function must not change its arguments, and takes chance from a seed among them: a worker
    has a copy of each, this process has the originals.
    """

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a task: its value, or the error and where it arose."""

    key: str
    value: Any = None
    error: str | None = None
    traceback: str | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the task gave a value."""
        return self.error is None


def call(task: Task) -> Outcome:
    """Make the call and catch what it raises.

    Parameters
    ----------
    task : Task
        What to call.

    Returns
    -------
    Outcome

    Examples
    --------
    >>> call(Task("three", abs, (-3,))).value
    3
    """
    start = perf_counter()
    try:
        with _libraries(len(sys.modules)).limit(limits=1):
            value = task.function(*task.arguments)
    except (Exception, SystemExit) as error:  # library code that exits is one failed task, no more
        return _failure(task.key, error, perf_counter() - start)
    return Outcome(key=task.key, value=value, seconds=perf_counter() - start)


# The task that a worker has loaded and not yet called.
_loaded: list[Task] = []


def load(task: Task) -> None:
    """Keep a task that has arrived, its modules imported, until `call_loaded` is called in this process."""
    _loaded[:] = [task]
    _libraries(len(sys.modules))


def call_loaded() -> Outcome | None:
    """Call the task that `load` kept; None where there is none.

    Examples
    --------
    >>> load(Task("three", abs, (-3,)))
    >>> call_loaded().value, call_loaded()
    (3, None)
    """
    return call(_loaded.pop()) if _loaded else None


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> Any:
    """The libraries that have threads; looked for again when further modules were loaded."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _failure(key: str, error: BaseException, seconds: float) -> Outcome:
    trace = traceback.TracebackException.from_exception(error)  # survives errors that cannot be shown
    summary, *_ = f"{type(error).__name__}: {trace}".splitlines()
    return Outcome(key=key, error=summary, traceback="".join(trace.format()), seconds=seconds)


@dataclass(slots=True)
class Job:
    """A task and how often its worker died."""

    task: Task
    deaths: int = 0


class Worker:
    """One worker process and the task it has in hand.

    It is a pool of one process, of the class that joblib.Parallel uses: its futures give submit and
    as_completed, and it is certain which task hung or killed the process. In a shared pool every task
    in hand dies with the guilty one.
    """

    def __init__(self) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        # A worker whose memory has grown is replaced between two tasks; no one need do anything about it.
        warnings.filterwarnings("ignore", message="A worker stopped while some jobs", category=UserWarning)
        self.closed = False
        self._pool = ProcessPoolExecutor(
            1, initializer=_prepare_worker, initargs=(os.getpid(),), env=ONE_THREAD
        )
        with _must_start():
            self._awake: Future[int] = self._pool.submit(os.getpid)
        self.future: Future[Any] = self._awake

    def start(self, task: Task, timeout: float | None) -> None:
        """Hand a task to the worker.

        With a timeout it goes in two steps: what a worker imports on its arrival, and must import again after
        every kill, is not the task's time.
        """
        # A worker takes a while to start; that must not count as the task's time.
        with _must_start():
            self._awake.result()
        self._task, self._timeout = task, timeout
        self._is_loading = timeout is not None
        if self._is_loading:
            self._submit(LOADING, load, task)
        else:
            self._submit(math.inf, call, task)

    def is_ready(self) -> bool:
        """Whether the task is done or late; one that the worker has loaded is called now."""
        if self._timeout is not None and self.future.done() and self.future.exception() is None:
            if self._is_loading:
                self._is_loading = False
                self._submit(self._timeout, call_loaded)
            elif self.future.result() is None:  # the worker was replaced between the two steps
                self.start(self._task, self._timeout)
        return self.future.done() or self.deadline <= monotonic()

    def _submit(self, seconds: float, function: Callable[..., Any], *arguments: Any) -> None:
        self.started = monotonic()
        self.deadline = self.started + seconds
        try:
            self.future = self._pool.submit(function, *arguments)
        except BrokenExecutor as error:  # the worker died while it was idle
            self.future = Future()
            self.future.set_exception(error)

    def finish(self, job: Job) -> Outcome | None:
        """Return the outcome of a task that is done or late, or None if it may be tried again."""
        seconds = monotonic() - self.started
        if not self.future.done():
            self.close()
            late = (
                f"its worker was not ready for it within {LOADING:g} s, and was killed"
                if self._is_loading
                else f"no result within {self._timeout:g} s; its worker was killed"
            )
            return _failure(job.task.key, TimeoutError(late), seconds)
        error = self.future.exception()
        if error is None:
            outcome: Outcome = self.future.result()
            return outcome
        if isinstance(error, BrokenExecutor):
            self.close()
            job.deaths += 1
            if job.deaths < MAX_ATTEMPTS:
                return None
        return _failure(job.task.key, error, seconds)

    def close(self) -> None:
        """Kill the process."""
        self.closed = True
        # The pool's thread drops what it holds when processes are killed, and fails over a task that only
        # waits for it then: so wait until it has the task in hand.
        give_up = monotonic() + TAKING
        while not (self.future.running() or self.future.done()) and monotonic() < give_up:
            sleep(0.001)
        self._pool.shutdown(kill_workers=True)


@contextmanager
def _must_start() -> Iterator[None]:
    try:
        yield
    except (OSError, BrokenExecutor) as error:
        raise ResourceError(f"no worker process could be started: {error}") from error


def _prepare_worker(parent: int) -> None:
    """Let the worker die with its parent, and leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)
