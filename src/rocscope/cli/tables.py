"""Tables of text: plain and never cut where they are piped, ruled where a terminal has room for it."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass

from rocscope.cli.echo import say

GAP = "  "


@dataclass(frozen=True, slots=True)
class TextTable:
    """A header and rows of text; the first column is set to the left, all others to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def widths(self) -> list[int]:
        """Width of each column."""
        return [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]


def print_table(table: TextTable) -> None:
    """Print a table to stdout."""
    table = TextTable(_printable(table.header), tuple(map(_printable, table.rows)))
    room = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 0
    if room > sum(table.widths()) + 3 * len(table.header):
        _print_ruled(table)
    else:
        say(plain(table))


def plain(table: TextTable) -> str:
    """Lines of the table, its columns in line.

    Examples
    --------
    >>> print(plain(TextTable(("score", "AUC"), (("marker", "0.75"),))))
    score    AUC
    marker  0.75
    """
    first, *others = table.widths()
    lines = []
    for name, *cells in (table.header, *table.rows):
        aligned = [cell.rjust(width) for cell, width in zip(cells, others, strict=True)]
        lines.append(GAP.join([name.ljust(first), *aligned]).rstrip())
    return "\n".join(lines)


def printable(text: str) -> str:
    r"""Spell out line ends and control characters: a name must not rule the terminal.

    Examples
    --------
    >>> print(printable("a\nb"))
    a\nb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _printable(cells: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(printable, cells))


def _print_ruled(table: TextTable) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    ruled = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for k, name in enumerate(table.header):
        ruled.add_column(Text(name), justify="right" if k else "left", no_wrap=True)
    for row in table.rows:
        ruled.add_row(*map(Text, row))
    Console(highlight=False).print(ruled)


def interval_name(level: float, alternative: str) -> str:
    """What the numbers in parentheses are.

    Examples
    --------
    >>> interval_name(0.95, "two-sided"), interval_name(0.9, "greater")
    ('95% interval', '90% lower bound')
    """
    kinds = {"two-sided": "interval", "greater": "lower bound", "less": "upper bound"}
    return f"{100 * level:g}% {kinds[alternative]}"


def number(value: float | None, style: str = ".4f") -> str:
    """A number for people; "undefined" where there is none.

    Examples
    --------
    >>> number(0.73137), number(None)
    ('0.7314', 'undefined')
    """
    return "undefined" if value is None or value != value else format(value, style)


def interval_ends(low: float | None, high: float | None, alternative: str = "two-sided") -> str:
    """The ends of an interval, or its one bound; nothing where it has none.

    Examples
    --------
    >>> interval_ends(0.63, 0.8326), interval_ends(-0.1, 0.2), interval_ends(0.63, 1, "greater")
    ('0.6300-0.8326', '-0.1000 to 0.2000', '>= 0.6300')
    """
    if low is None or high is None:
        return ""
    if alternative != "two-sided":
        return f">= {low:.4f}" if alternative == "greater" else f"<= {high:.4f}"
    return f"{low:.4f}{'-' if low >= 0 else ' to '}{high:.4f}"
