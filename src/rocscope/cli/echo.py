"""Text on stdout and stderr; a stream that was closed by the caller takes nothing."""

from __future__ import annotations

import sys


def say(text: str = "") -> None:
    """Print a line of the answer."""
    if sys.stdout is not None:
        sys.stdout.write(f"{text}\n")


def tell(text: str) -> None:
    """Print a line about the answer, which is no part of it."""
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
