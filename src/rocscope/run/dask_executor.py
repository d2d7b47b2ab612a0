"""Tasks as futures of dask.distributed, on a cluster or on workers of this machine."""

import gc
import io
import logging
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Self
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from rocscope.core.execution import Outcome, Task, call
from rocscope.core.spread import lost_workers
from rocscope.errors import ResourceError, RocInputError, require

# How often a task may lose its worker before it counts as failed.
ALLOWED_DEATHS = 2
# Tasks that the cluster has in hand: enough that no worker waits for the next one.
PER_THREAD, AT_LEAST = 4, 32


class DaskExecutor:
    """Run tasks on dask workers; whatever has `submit` and `as_completed` can stand in for it.

    Parameters
    ----------
    scheduler : str, optional
        Address such as ``tcp://host:8786``; without one a cluster of processes starts here.
    n_workers : int
        Workers of the cluster that starts here.
    timeout : float
        Seconds to wait for the scheduler, and for a worker where it has none.

    Notes
    -----
    Work starts when `as_completed` is iterated, and what is left unfinished when that iteration is given up
    is dropped. A task whose worker dies is run again by the scheduler on another one, a few times. A large
    array that several tasks hold travels once. dask moves tasks by pickle: its ports must not be open to
    others. The cluster started here listens on the loopback interface alone.
    """

    def __init__(self, scheduler: str | None = None, *, n_workers: int = 2, timeout: float = 20.0) -> None:
        require("distributed", "the dask backend")
        self._cluster: Any = None
        self._timeout = timeout
        if scheduler is None:
            import dask
            from distributed import LocalCluster

            with dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS}):
                self._cluster = LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    # Any free port: None takes 8787, which a second cluster lacks.
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.ERROR,
                )
        self.client: Any = _connected(self._cluster if scheduler is None else scheduler, timeout)
        if self._cluster is not None:
            self.client.run(_leave_interrupts)
        self._waiting: deque[Task] = deque()
        self._packer = Packer(self._send)

    def submit(self, task: Task) -> None:
        """Take a task; also allowed while outcomes are being handed back."""
        self._waiting.append(task)

    def _send(self, array: NDArray[Any]) -> Any:
        """An array as a task of its own: a worker that dies with it costs one more sending, not the array."""
        import dask

        # Someone who runs tasks cannot do what dask's warning about large graphs advises.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            return self._submit("array", np.asarray, array)

    def as_completed(self) -> Iterator[Outcome]:
        """Run the tasks taken and hand back the outcome of each as soon as it is known.

        The cluster has a few tasks per thread in hand, and gets others as outcomes are handed back: were all
        sent before the first outcome is looked at, a crash on the way would cost every one of them.
        """
        from distributed import as_completed

        # Later tasks send their own arrays: these are let go of when the tasks that use them are done.
        packer, self._packer = self._packer, Packer(self._send)
        in_hand: dict[Any, str] = {}
        ended = as_completed(loop=self.client.loop)
        at_once = before_next_count = 0
        try:
            while self._waiting or in_hand:
                if before_next_count == 0:  # workers come and go
                    at_once = before_next_count = self._tasks_at_once()
                while self._waiting and len(in_hand) < at_once:
                    task = self._waiting.popleft()
                    try:
                        payload = packer.pack(task)
                    except ResourceError:
                        raise
                    except Exception as error:  # an argument that cannot be sent
                        yield _failed(task.key, error)
                        continue
                    future = self._submit(task.key, call_payload, *payload)
                    in_hand[future] = task.key
                    ended.add(future)
                if in_hand:
                    future = next(ended)
                    yield self._outcome(in_hand.pop(future), future)
                    future.release()
                    before_next_count -= 1
        except BaseException:
            self._waiting.clear()
            with suppress(Exception):  # a scheduler that is gone has nothing to cancel
                self.client.cancel(list(in_hand), force=True)
            raise

    def compute(self, tasks: Sequence[Any]) -> list[Any]:
        """Compute tasks that were made by `dask.delayed`; the results stay in their order.

        What a worker that died had done or held is computed again by the others.
        """
        from distributed import wait

        with _reached():
            futures = self.client.compute(list(tasks))
        with lost_workers():
            while True:
                try:
                    wait(futures, timeout=self._timeout)
                    return list(self.client.gather(futures))
                except TimeoutError:
                    self._expect_workers()

    def _expect_workers(self) -> None:
        """Wait for a worker, where there is none; not without end."""
        with _reached():
            if self.client.nthreads():
                return
        try:
            self.client.wait_for_workers(1, timeout=self._timeout)
        except TimeoutError as error:
            raise ResourceError(
                f"the dask scheduler has had no worker for {self._timeout:g} seconds"
            ) from error

    def _tasks_at_once(self) -> int:
        with _reached():
            n_threads: int = sum(self.client.nthreads().values())
        return max(AT_LEAST, PER_THREAD * n_threads)

    def _submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        # A scheduler remembers results by their keys, and another run may have tasks of the same names.
        with _reached():
            return self.client.submit(function, *arguments, key=f"rocscope-{uuid4().hex}-{name}", pure=False)

    def _outcome(self, key: str, future: Any) -> Outcome:
        from distributed import CancelledError, KilledWorker

        try:
            # A result whose worker died before it was fetched is computed again: this waits for it.
            outcome: Outcome = future.result()
        except KilledWorker:
            return Outcome(key=key, error=f"KilledWorker: its worker died {ALLOWED_DEATHS + 1} times")
        except (CancelledError, OSError) as error:  # no fault of the task, which is left to be done
            raise ResourceError("the dask scheduler went away") from error
        except Exception as error:  # the worker could not unpack the task, or send its result
            return _failed(key, error)
        return outcome

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _connected(scheduler: Any, timeout: float) -> Any:
    from distributed import Client

    try:
        return Client(scheduler, timeout=timeout)
    except ValueError:
        refused: Exception = RocInputError(
            f"must be an address such as tcp://host:8786, got {scheduler!r}", argument="scheduler"
        )
    except OSError as error:
        refused = ResourceError(f"no dask scheduler answers at {scheduler}: {error}")
    # A client that failed to start goes now: while another one starts it would wait for that one's lock.
    gc.collect()
    raise refused


@contextmanager
def _reached() -> Iterator[None]:
    """Whatever a client raises that cannot reach its scheduler, it is no fault of a task."""
    try:
        yield
    except Exception as error:
        raise ResourceError("the dask scheduler went away") from error


def _failed(key: str, error: Exception) -> Outcome:
    first, *_ = str(error).splitlines() or [""]
    return Outcome(key=key, error=f"{type(error).__name__}: {first}")


def _leave_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all, to the process that started the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ---- Tasks as bytes, large arrays aside: what many tasks share travels to a cluster once ------------------

# Bytes from which an array is sent on its own.
LARGE = 1 << 18


class Packer:
    """Packs tasks; an array that several of them hold is sent once.

    Parameters
    ----------
    send : callable
        Takes an array, and returns what stands for it, such as a future.

    Examples
    --------
    >>> sent = []
    >>> packer = Packer(lambda array: sent.append(array) or len(sent))
    >>> big = np.arange(LARGE, dtype=float)
    >>> payloads = [packer.pack(Task(str(k), np.sum, (big + 0 * k if k > 1 else big,))) for k in range(3)]
    >>> [arrays for _, *arrays in payloads], len(sent)
    ([[1], [1], [2]], 2)
    """

    def __init__(self, send: Callable[[NDArray[Any]], Any]) -> None:
        self._send = send
        # With the array, which keeps its number from being given to another one.
        self._known: dict[int, tuple[NDArray[Any], Any]] = {}

    def pack(self, task: Task) -> tuple[Any, ...]:
        """Put a task into bytes without its large arrays, followed by what stands for each of them."""
        import cloudpickle

        numbers: list[int] = []

        class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
            def persistent_id(inner, thing: Any) -> int | None:  # noqa: N805
                return self._place(thing, numbers)

        content = io.BytesIO()
        Pickler(content, protocol=pickle.HIGHEST_PROTOCOL).dump(task)
        return (content.getvalue(), *(self._known[number][1] for number in numbers))

    def _place(self, thing: Any, numbers: list[int]) -> int | None:
        """Where a large array stands in the payload; None for anything else."""
        if type(thing) is not np.ndarray or thing.nbytes < LARGE or thing.dtype.hasobject:
            return None
        number = id(thing)
        if number not in self._known:
            self._known[number] = (thing, self._send(thing))
        if number not in numbers:
            numbers.append(number)
        return numbers.index(number)


def call_payload(content: bytes, *arrays: NDArray[Any]) -> Outcome:
    """Unpack a task and make its call.

    Examples
    --------
    >>> payload = Packer(lambda array: array).pack(Task("sum", np.sum, (np.ones(LARGE),)))
    >>> len(payload[0]) < 1000, float(call_payload(*payload).value)
    (True, 262144.0)
    """
    # Each task has copies of its own, as at home. Besides, what came over a wire may lie across the borders
    # of words, and sums over such memory differ in their last bits.
    own = [array.copy(order="K") for array in arrays]

    class Unpickler(pickle.Unpickler):
        def persistent_load(inner, place: Any) -> Any:  # noqa: N805
            return own[place]

    return call(Unpickler(io.BytesIO(content)).load())
