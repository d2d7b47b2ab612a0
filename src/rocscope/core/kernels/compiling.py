"""How the hot loops are compiled; only this folder loads numba, and only large inputs load this folder."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import event

from rocscope.core import progress

Function = TypeVar("Function", bound=Callable[..., Any])

# Makes a comparison the number 0 or 1. To a type checker numba's integers are neither int nor np.int64.
number: Any = np.int64


def compiled(function: Function) -> Function:
    """Compile on first use and keep the machine code on disk, where a folder can be written."""
    try:
        return cast(Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba finds no place for its cache: slower, never fatal
        return cast(Function, numba.njit(nogil=True)(function))


class _FirstCall(event.Listener):
    """Says once, where somebody watches, that a first call compiles."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        ours = event.data["dispatcher"].py_func.__module__.startswith("rocscope.")
        if ours and not self.said and progress.is_watched():
            self.said = True
            sys.stderr.write("rocscope: compiling for the first use on this machine, some seconds\n")

    def on_end(self, event: Any) -> None:
        """Nothing stays to be said."""


event.register("numba:compile", _FirstCall())  # type: ignore[no-untyped-call]


def inlined(function: Function) -> Function:
    """Put the body of a small function into each kernel that calls it."""
    return cast(Function, numba.njit(inline="always")(function))
