"""One task in one worker process: how it starts, how it dies, and what is told of it."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic, perf_counter, sleep
from typing import Any

from rocscope.errors import ResourceError

MAX_ATTEMPTS = 2
# Seconds at most for what comes before the time of a task: its arguments travel, its modules are imported.
LOADING = 300.0
# Seconds at most until the thread of a pool has taken a task; it needs some thousandths of one.
TAKING = 1.0
PR_SET_PDEATHSIG = 1  # of Linux, <sys/prctl.h>

# Read by the libraries when they are loaded, so they must be set before a worker starts.
ONE_THREAD = dict.fromkeys(
    [
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "BLIS_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "NUMBA_NUM_THREADS",
    ],
    "1",
)


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
    told = traceback.TracebackException.from_exception(error)  # survives errors that cannot be shown
    summary, *_ = f"{type(error).__name__}: {told}".splitlines()
    return Outcome(key=key, error=summary, traceback="".join(told.format()), seconds=seconds)


@dataclass(slots=True)
class Job:
    """A task and how often its worker died."""

    task: Task
    deaths: int = 0


class Lane:
    """One worker process and the task it has in hand.

    Each lane is a pool of one worker, of the class that joblib.Parallel uses: its futures give
    submit and as_completed, and it is certain which task hung or killed the worker. In a
    shared pool every task in hand dies with the guilty one.
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
            found: Outcome = self.future.result()
            return found
        if isinstance(error, BrokenExecutor):
            self.close()
            job.deaths += 1
            if job.deaths < MAX_ATTEMPTS:
                return None
        return _failure(job.task.key, error, seconds)

    def close(self) -> None:
        """Kill the worker."""
        self.closed = True
        self._let_task_be_taken()
        self._pool.shutdown(kill_workers=True)

    def _let_task_be_taken(self) -> None:
        """Wait until the pool's thread has the task in hand.

        It drops what it holds when workers are killed, and stumbles over a task that only waits for it then.
        """
        give_up = monotonic() + TAKING
        while not (self.future.running() or self.future.done()) and monotonic() < give_up:
            sleep(0.001)


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
