"""What a command hands out: text or JSON on stdout, notes on stderr, and a file where one is asked for."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocscope import __version__
from rocscope.cli.options import FRESH
from rocscope.errors import ResourceError, RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.result import Result
    from rocscope.io.local import LocalFile
    from rocscope.plotting import Picture

FIGURES = (".png", ".svg", ".pdf")
SUFFIXES = (*FIGURES, ".csv", ".json")
# A spreadsheet runs cells that begin so.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """All that a command found, in the forms it may be asked for.

    Attributes
    ----------
    command
        Name of the command.
    source
        Name and digest of the input.
    results
        The results for JSON.
    rows
        The rows of a CSV file, at full precision.
    blocks
        Lines and tables for people.
    notes
        What a reader should know; goes to stderr.
    picture
        Makes the figure.
    """

    command: str
    source: Mapping[str, str]
    results: Sequence[Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]
    blocks: Sequence[str | TextTable]
    notes: Sequence[str]
    picture: Callable[[], Picture]

    def to_json(self, *, ascii_only: bool = False) -> str:
        """One strict JSON document, the same for the same seed, whoever chose it."""
        document = {
            "rocscope": __version__,
            "command": self.command,
            "input": self.source,
            "results": self.results,
            "notes": [*dict.fromkeys(note for note in self.notes if not note.startswith(FRESH))],
        }
        return json.dumps(document, allow_nan=False, indent=2, ensure_ascii=ascii_only)


@dataclass(frozen=True, slots=True)
class Output:
    """Where the answer goes: as JSON or as text to stdout, and to a file."""

    json: bool
    out: str | None
    force: bool

    @property
    def is_figure(self) -> bool:
        """Whether a figure is to be written."""
        return self.out is not None and Path(self.out).suffix.lower() in FIGURES

    def check(self, *others: str | None) -> None:
        """Refuse a file that cannot be written, or is one of the others, before any work is done."""
        if self.out is None:
            return
        if Path(self.out).suffix.lower() not in SUFFIXES:
            raise RocUsageError(f"--out must end in {', '.join(SUFFIXES)}, got {self.out!r}")
        check_target(self.out, force=self.force, unlike=others)

    def deliver(self, answer: Answer) -> None:
        """Write the file, and print the answer."""
        if self.out is not None:  # first: whoever reads stdout may stop reading
            self._write(answer, self.out)
        for note in dict.fromkeys(answer.notes):
            tell(f"note: {printable(note)}")
        if self.json:
            encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
            say(answer.to_json(ascii_only=not encoding.startswith("utf")))
        else:
            print_blocks(answer.blocks)

    def _write(self, answer: Answer, out: str) -> None:
        suffix = Path(out).suffix.lower()
        if suffix in FIGURES:
            write_figure(answer.picture(), out, force=self.force)
        else:
            text = answer.to_json() + "\n" if suffix == ".json" else csv_text(answer.rows)
            write_text(text, out, force=self.force)
        tell(f"wrote {printable(out)}")


def describe(source: LocalFile) -> dict[str, str]:
    """Name and digest of an input, so that a result can be traced to its data."""
    return {"path": source.name, "sha256": source.sha256()}


def rows_of(result: Result) -> list[dict[str, Any]]:
    """The lines of a result's own table, at full precision."""
    from rocscope.core.result import plain

    columns = {name: plain(list(values)) for name, values in result.columns().items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def print_blocks(blocks: Sequence[str | TextTable]) -> None:
    """Print lines and tables to stdout."""
    for block in blocks:
        if isinstance(block, TextTable):
            print_table(block)
        else:
            say(block)


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV text; text that a spreadsheet would run as a formula is quoted, numbers stay numbers.

    Examples
    --------
    >>> print(csv_text([{"score": "=1+1", "difference": -0.5}]), end="")
    score,difference
    '=1+1,-0.5
    """
    content = io.StringIO(newline="")
    writer = csv.writer(content)
    writer.writerow(map(_cell, rows[0]))
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return content.getvalue()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def check_target(path: str | Path, *, force: bool, unlike: Sequence[str | None] = ()) -> None:
    """Refuse to write where something is already, where there is no folder, or over another of our files."""
    target = Path(path)
    for other in unlike:
        if other is not None and target.resolve() == Path(other).resolve():
            raise RocUsageError(f"{target} is read or written already: --out and --save need other names")
    if target.is_dir():
        raise RocInputError(f"{target} cannot be written: it is a folder")
    if target.exists() and not force:
        raise RocInputError(f"{target} exists already; --force overwrites it")
    if not target.parent.is_dir():
        raise RocInputError(f"{target} cannot be written: there is no folder {target.parent}")


def write_figure(picture: Picture, path: str | Path, *, force: bool) -> None:
    """Draw a figure into a file, which appears whole or not at all."""
    from rocscope import plotting

    check_target(path, force=force)
    try:
        plotting.save(picture, path)
    except OSError as error:
        raise ResourceError(f"{path} cannot be written: {error.strerror}") from error


def write_text(text: str, path: str | Path, *, force: bool) -> None:
    """Write a file beside its place, then rename it: it appears whole or not at all."""
    from rocscope.plotting.files import replace_text

    check_target(path, force=force)
    replace_text(Path(path), text)


# -----------------------------------------------------------------------------------------------------------
# Tables of text: plain and never cut where they are piped, ruled where a terminal has room for it

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


# ---- Text on stdout and stderr; a stream that was closed by the caller takes nothing ----------------------


def say(text: str = "") -> None:
    """Print a line of the answer."""
    if sys.stdout is not None:
        sys.stdout.write(f"{text}\n")


def tell(text: str) -> None:
    """Print a line about the answer, which is no part of it."""
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
