"""How commands open their input: any format, with a running progress where someone looks on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rocscope.cli.tables import printable

if TYPE_CHECKING:
    from rocscope.sources.local import LocalFile, Watch


@contextmanager
def opened(file: str, format: str | None = None) -> Iterator[LocalFile]:
    """Open the file that the user named, or standard input."""
    from rocscope.sources.local import local_file

    with _progress(file) as watch, local_file(file, format=format, watch=watch) as source:
        yield source


@contextmanager
def _progress(file: str) -> Iterator[Watch | None]:
    """Show what is being done on stderr, if that is a terminal; nothing of it stays there."""
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
