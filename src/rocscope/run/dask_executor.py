"""Tasks as futures of dask.distributed, on a cluster or on workers of this machine."""

from __future__ import annotations

import gc
import logging
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Self
from uuid import uuid4

from numpy.typing import NDArray

from rocscope.core.workers import Outcome, Task
from rocscope.errors import ResourceError, RocInputError
from rocscope.run.parcels import Packer, call_parcel

# How often a task may lose its worker before it counts as failed.
ALLOWED_DEATHS = 2


class DaskExecutor:
    """Run tasks on dask workers; whatever has `submit` and `as_completed` can stand in for it.

    Parameters
    ----------
    scheduler : str, optional
        Address such as ``tcp://host:8786``; without one a cluster of processes starts here.
    n_workers : int
        Workers of the cluster that starts here.
    timeout : float
        Seconds to wait for the scheduler.

    Notes
    -----
    A task whose worker dies is run again by the scheduler on another one, a few times. A large array that
    several tasks hold travels once. dask moves tasks by pickle: its ports must not be open to strangers. The
    cluster started here listens on the loopback interface alone.
    """

    def __init__(self, scheduler: str | None = None, *, n_workers: int = 2, timeout: float = 20.0) -> None:
        try:
            import distributed  # noqa: F401
        except ImportError as error:
            raise ResourceError("the dask backend needs distributed: pip install 'rocscope[dask]'") from error
        self._cluster: Any = None
        if scheduler is None:
            self._cluster = _local_cluster(n_workers)
        self.client: Any = _connected(self._cluster if scheduler is None else scheduler, timeout)
        if self._cluster is not None:
            self.client.run(_leave_interrupts)
        self._futures: list[Any] = []
        self._packer = Packer(self._send)

    def submit(self, task: Task) -> None:
        """Take a task; the cluster begins it at once."""
        # A scheduler remembers results by their keys, and another run may have tasks of the same names.
        parcel = self._packer.pack(task)
        future = self.client.submit(
            call_parcel,
            parcel.content,
            *parcel.arrays,
            key=f"rocscope-{uuid4().hex}-{task.key}",
            pure=False,
        )
        self._futures.append((task.key, future))

    def _send(self, array: NDArray[Any]) -> Any:
        """An array as a task of its own: a worker that dies with it costs one more sending, not the array."""
        import dask

        # Someone who runs tasks cannot do what dask's warning about large graphs advises.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            return self.client.submit(_same, array, key=f"rocscope-array-{uuid4().hex}", pure=False)

    def as_completed(self) -> Iterator[Outcome]:
        """Hand back the outcome of every task as soon as it is known."""
        from distributed import as_completed

        names = {future.key: key for key, future in self._futures}
        futures, self._futures = [future for _, future in self._futures], []
        # Later tasks send their own arrays: these are let go of when the tasks that use them are done.
        self._packer = Packer(self._send)
        try:
            for future in as_completed(futures):
                yield self._outcome(names[future.key], future)
                future.release()
        except BaseException:
            with suppress(Exception):  # a scheduler that is gone has nothing to cancel
                self.client.cancel(futures, force=True)
            raise

    def _outcome(self, key: str, future: Any) -> Outcome:
        from distributed import CancelledError, KilledWorker

        try:
            # A result whose worker died before it was fetched is computed again: this waits for it.
            found: Outcome = future.result()
        except KilledWorker:
            return Outcome(key=key, error=f"KilledWorker: its worker died {ALLOWED_DEATHS + 1} times")
        except (CancelledError, OSError) as error:  # no fault of the task, which is left to be done
            raise ResourceError("the dask scheduler went away") from error
        except Exception as error:  # the worker could not unpack the task, or send what it found
            first, *_ = str(error).splitlines() or [""]
            return Outcome(key=key, error=f"{type(error).__name__}: {first}")
        return found

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
            f"scheduler must be an address such as tcp://host:8786, got {scheduler!r}"
        )
    except OSError as error:
        refused = ResourceError(f"no dask scheduler answers at {scheduler}: {error}")
    # A client that failed to start goes now: while another one starts it would wait for that one's lock.
    gc.collect()
    raise refused


def _same(array: NDArray[Any]) -> NDArray[Any]:
    return array


def _leave_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all, to the process that started the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _local_cluster(n_workers: int) -> Any:
    import dask
    from distributed import LocalCluster

    with dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS}):
        return LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any free port: None takes 8787, which a second cluster lacks
            silence_logs=logging.ERROR,
        )
