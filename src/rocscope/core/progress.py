"""A bar with the time left, for work that takes longer than two seconds where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

# Seconds before a bar appears.
PATIENCE = 2.0
_occupied: list[str] = []


@contextmanager
def occupied() -> Iterator[None]:
    """Show no bar meanwhile: somebody else draws one."""
    _occupied.append("")
    try:
        yield
    finally:
        _occupied.pop()


def is_watched() -> bool:
    """Whether standard error is a terminal, or the cell of a notebook."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


@contextmanager
def shown(what: str, total: int, progress: bool | None = None) -> Iterator[Callable[[int], None]]:
    """Yield a function that takes how much of the total is done.

    Parameters
    ----------
    what
        Name of the bar.
    total
        How much there is to do.
    progress
        True shows a bar at once, False none; None shows one after two seconds where somebody watches.

    Examples
    --------
    >>> with shown("replicates", 10, progress=False) as show:
    ...     show(5)
    """
    if progress is False or _occupied or (progress is None and not is_watched()):
        yield lambda done: None
        return
    start = monotonic()
    with ExitStack() as stack:
        update: list[Callable[[float, str], None]] = []

        def show(done: int) -> None:
            if not update and (progress or monotonic() - start > PATIENCE):
                stack.enter_context(occupied())
                update.append(stack.enter_context(bar(what, total)))
            for call in update:
                call(done, what)

        show(0)
        yield show


@contextmanager
def bar(what: str, total: float) -> Iterator[Callable[[float, str], None]]:
    """Show a bar on standard error, or in the cell of a notebook, and yield what moves and names it.

    Nothing of it stays.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done, doing: progress.update(task, completed=done, description=doing)
