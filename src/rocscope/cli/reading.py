"""How commands open their input: any format, with a running progress where someone looks on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rocscope.cli.output import printable

if TYPE_CHECKING:
    from rocscope.io.local import LocalFile, Watch

# Bytes for each row that bootstrap samples take, where areas are kept of them, and where curves are.
DRAWN_AREAS, DRAWN_CURVES = 100, 250


@contextmanager
def opened(
    file: str, format: str | None = None, memory_limit: str | None = None, temp_limit: str | None = None
) -> Iterator[LocalFile]:
    """Open the file that the user named, or standard input; the limits hold for all that is read of it."""
    from rocscope.io.local import Limits, local_file

    limits = Limits.read(memory_limit, temp_limit=temp_limit)
    with (
        watching(file) as watch,
        local_file(file, format=format, watch=watch, limits=limits) as source,
    ):
        yield source


def needing(source: LocalFile, row_bytes: int) -> LocalFile:
    """The same file, for work that takes so many bytes for each row: rows that would not fit are refused."""
    return replace(source, limits=replace(source.limits, row_bytes=row_bytes))


def is_limited(source: LocalFile) -> bool:
    """Whether the user gave a limit of memory."""
    return source.limits.memory is not None


@contextmanager
def watching(file: str) -> Iterator[Watch | None]:
    """Show what is being done with a file on stderr, if that is a terminal; nothing of it stays there."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    text = TextColumn("{task.description}", markup=False)
    console = Console(stderr=True)
    with Progress(text, BarColumn(), TaskProgressColumn(), console=console, transient=True) as progress:
        name = printable("standard input" if file == "-" else file)
        task = progress.add_task(name, total=1.0)

        def watch(doing: str, share: float) -> None:
            progress.update(task, description=f"{name}: {doing}", completed=share)

        yield watch
