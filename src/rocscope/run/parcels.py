"""Tasks as bytes, large arrays aside: what many tasks share travels to a cluster once."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.workers import Outcome, Task, call

# Bytes from which an array is sent on its own.
LARGE = 1 << 18


@dataclass(frozen=True, slots=True)
class Parcel:
    """A task without its large arrays, and what stands for each of them."""

    content: bytes
    arrays: tuple[Any, ...]


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
    >>> parcels = [packer.pack(Task(str(k), np.sum, (big + 0 * k if k > 1 else big,))) for k in range(3)]
    >>> [parcel.arrays for parcel in parcels], len(sent)
    ([(1,), (1,), (2,)], 2)
    """

    def __init__(self, send: Callable[[NDArray[Any]], Any]) -> None:
        self._send = send
        # With the array, which keeps its number from being given to another one.
        self._known: dict[int, tuple[NDArray[Any], Any]] = {}

    def pack(self, task: Task) -> Parcel:
        """Put a task into bytes."""
        import cloudpickle

        numbers: list[int] = []

        class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
            def persistent_id(inner, thing: Any) -> int | None:  # noqa: N805
                return self._place(thing, numbers)

        content = io.BytesIO()
        Pickler(content, protocol=pickle.HIGHEST_PROTOCOL).dump(task)
        return Parcel(content.getvalue(), tuple(self._known[number][1] for number in numbers))

    def _place(self, thing: Any, numbers: list[int]) -> int | None:
        """Where a large array stands in the parcel; None for anything else."""
        if type(thing) is not np.ndarray or thing.nbytes < LARGE or thing.dtype.hasobject:
            return None
        number = id(thing)
        if number not in self._known:
            self._known[number] = (thing, self._send(thing))
        if number not in numbers:
            numbers.append(number)
        return numbers.index(number)


def call_parcel(content: bytes, *arrays: NDArray[Any]) -> Outcome:
    """Unpack a task and make its call.

    Examples
    --------
    >>> parcel = Packer(lambda array: array).pack(Task("sum", np.sum, (np.ones(LARGE),)))
    >>> len(parcel.content) < 1000, float(call_parcel(parcel.content, *parcel.arrays).value)
    (True, 262144.0)
    """
    return call(_unpacked(content, arrays))


def _unpacked(content: bytes, arrays: Sequence[NDArray[Any]]) -> Task:
    # Each task has copies of its own, as at home. Besides, what came over a wire may lie across the borders
    # of words, and sums over such memory differ in their last bits.
    own = [array.copy(order="K") for array in arrays]

    class Unpickler(pickle.Unpickler):
        def persistent_load(inner, place: Any) -> Any:  # noqa: N805
            return own[place]

    task: Task = Unpickler(io.BytesIO(content)).load()
    return task
