"""Progress of a long run, with the time left."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rocscope.cli.echo import tell

if TYPE_CHECKING:
    from rocscope.core.execute import Progress

# Seconds between two lines of progress where no one looks on.
PATIENCE = 10.0
# Tasks by which the others can be judged.
ENOUGH = 4


@contextmanager
def watched(name: str) -> Iterator[Progress]:
    """Show progress with the time left on stderr: a bar on a terminal, else a line now and then."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _Lines(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(name, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # The rate of the whole run foretells the rest: that of the last seconds hangs on the tasks at hand.
    screen = Console(stderr=True)
    with Bar(*columns, console=screen, transient=True, speed_estimate_period=math.inf) as bar:
        task = bar.add_task(name, total=None)

        def show(done: int, total: int) -> None:
            if bar.tasks[0].total is None:  # results of an earlier run must not count as speed
                bar.reset(task, total=total, completed=done)
            else:
                bar.update(task, completed=done)

        yield show


class _Lines:
    """A line of progress every few seconds."""

    def __init__(self, name: str) -> None:
        self._name, self._told = name, monotonic()
        self._first: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        now = monotonic()
        if self._first is None:
            self._first = (now, done)
        if now - self._told < PATIENCE:
            return
        self._told = now
        start, before = self._first
        left = ""
        if done - before >= ENOUGH:
            left = f", about {(now - start) / (done - before) * (total - done):.0f} s left"
        tell(f"{self._name}: {done} of {total} tasks{left}")
