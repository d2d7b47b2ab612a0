"""What a command hands out: text or JSON on stdout, notes on stderr, and a file for --out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import Parameter

from rocscope import __version__
from rocscope.core import formatting
from rocscope.core.files import replace_text
from rocscope.errors import RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.result import Estimate, Result
    from rocscope.core.tables import PaperTable
    from rocscope.io.input_file import InputFile, Watch
    from rocscope.plotting import Picture

FIGURES = (".png", ".svg", ".pdf")
SUFFIXES = (*FIGURES, ".csv", ".json")
LATEX = ".tex"
OFFICE = (".xlsx", ".docx")
# A spreadsheet runs cells that begin so.
# How a note on a seed that the user did not give begins.
FRESH = "random numbers from seed"
WIDTH = 100  # characters of a line, where a table can be cut
NARROWEST = 24  # characters of the first column of a table, below which its names are not broken
GAP = "  "


# A file, or several that are one table.
Paths: TypeAlias = str | list[str]
Force = Annotated[bool, Parameter(show_default=False, help="Overwrite files that exist.")]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A header and rows of text; the first column is set to the left, all others to the right.

    Cells (row, column) of `bold` are bold on a terminal.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bold: frozenset[tuple[int, int]] = frozenset()

    def widths(self) -> list[int]:
        """Width of each column."""
        return [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]

    def __str__(self) -> str:
        """The plain text."""
        return self.text()

    def text(self, *, terminal: bool = False) -> str:
        """Lines of the table, its columns in line; for a terminal with bold cells.

        Examples
        --------
        >>> print(TextTable(("score", "AUC"), (("marker", "0.75"),)))
        score    AUC
        marker  0.75
        """
        first, *others = self.widths()
        lines = []
        for row, (name, *cells) in enumerate((self.header, *self.rows), start=-1):
            aligned = [cell.rjust(width) for cell, width in zip(cells, others, strict=True)]
            for r, column in self.bold if terminal else ():
                if r == row and column:
                    aligned[column - 1] = f"\x1b[1m{aligned[column - 1]}\x1b[22m"
            lines.append(GAP.join([name.ljust(first), *aligned]).rstrip())
        return "\n".join(lines)

    def narrowed(self) -> TextTable:
        """The table with long names of its first column on several lines, where that makes it fit.

        Examples
        --------
        >>> print(TextTable(("score", "n"), (("a long name " * 9, "1" * 20),)).narrowed())
        score                                                                                              n
        a long name a long name a long name a long name a long name a long name a long  11111111111111111111
          name a long name a long name
        """
        first, *others = self.widths()
        room = WIDTH - sum(width + len(GAP) for width in others)
        if first <= room or room < NARROWEST:
            return self
        lines, at = list[tuple[str, ...]](), list[int]()
        for name, *cells in (self.header, *self.rows):
            head, *rest = wrap(name, room, subsequent_indent=GAP) or [""]
            at.append(len(lines) - 1)
            lines += [(head, *cells), *((text, *[""] * len(cells)) for text in rest)]
        bold = frozenset((at[row + 1], column) for row, column in self.bold)
        return TextTable(lines[0], tuple(lines[1:]), bold)

    def parts(self) -> list[TextTable]:
        """The table cut into parts that fit a line of 100 characters, each with the first column.

        Examples
        --------
        >>> wide = TextTable(("case", "a" * 60, "b" * 60), (("1", "2", "3"),))
        >>> [part.rows for part in wide.parts()]
        [(('1', '2'),), (('1', '3'),)]
        """
        first, *widths = (width + len(GAP) for width in self.widths())
        parts, room = [list[int]()], 0
        for column, width in enumerate(widths, start=1):
            if parts[-1] and width > room:
                parts.append([])
            room = (room if parts[-1] else WIDTH + len(GAP) - first) - width
            parts[-1].append(column)
        tables = []
        for part in parts:
            header, *rows = (tuple(line[k] for k in (0, *part)) for line in (self.header, *self.rows))
            bold = frozenset((r, part.index(k) + 1) for r, k in self.bold if k in part)
            tables.append(TextTable(header, tuple(rows), bold))
        return tables


Block: TypeAlias = "str | TextTable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """The result of a command; each of its forms is made when it is needed.

    Attributes
    ----------
    command
        Name of the command.
    input
        Name and digest of the input, and the seed.
    results
        Makes the results for JSON.
    rows
        Makes the rows of a CSV file, at full precision.
    blocks
        Makes lines and tables for people.
    notes
        What a reader should know; goes to stderr.
    picture
        Makes the figure.
    latex
        Makes a table for LaTeX, of a command that has one.
    table
        Makes the table of a Word or Excel file, of a command that has one.
    """

    command: str
    input: Mapping[str, Any]
    results: Callable[[], Sequence[Mapping[str, Any]]]
    rows: Callable[[], Sequence[Mapping[str, Any]]]
    blocks: Callable[[], Sequence[Block]]
    notes: Sequence[str]
    picture: Callable[[], Picture]
    latex: Callable[[], str] | None = None
    table: Callable[[], PaperTable] | None = None

    def to_json(self, *, ascii_only: bool = False) -> str:
        """One strict JSON document, the same for the same seed, whether given or fresh."""
        document = {
            "rocscope": __version__,
            "command": self.command,
            "input": self.input,
            "results": self.results(),
            "notes": [*dict.fromkeys(note for note in self.notes if not note.startswith(FRESH))],
        }
        return json.dumps(document, allow_nan=False, indent=2, ensure_ascii=ascii_only)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where the result goes: as JSON or as text to stdout, and to a file.

    Parameters
    ----------
    json
        Print one JSON document instead of tables.
    out
        Also write a figure (.png .svg .pdf), a table (.csv) or .json.
    """

    json: Annotated[bool, Parameter(show_default=False)] = False
    out: Annotated[str, Parameter(metavar="PATH")] | None = None
    force: Force = False

    @property
    def suffix(self) -> str:
        """The ending of the file."""
        return Path(self.out or "").suffix.lower()

    def check(self, *others: Paths | None, latex: bool = False, table: bool = False) -> None:
        """Refuse a file that cannot be written, or is one of the others, before any work is done."""
        allowed = (*SUFFIXES, *([LATEX] if latex else []), *(OFFICE if table else []))
        if self.out is not None and self.suffix not in allowed:
            raise RocUsageError(f"--out must end in {', '.join(allowed)}, got {self.out!r}")
        if self.out is not None:
            check_target(self.out, force=self.force, unlike=others)

    def save(self, point: Any, path: str | None) -> None:
        """Write an operating point for new scores."""
        if path is not None:
            write_text(point.to_json() + "\n", path, force=self.force)
            note(f"wrote {printable(path)}")

    def deliver(self, result: CommandResult) -> None:
        """Write the file, and print the result."""
        if self.out is not None:  # first: whoever reads stdout may stop reading
            if self.suffix in FIGURES:
                write_figure(result.picture(), self.out, force=self.force)
            elif self.suffix == LATEX and result.latex is not None:
                write_text(result.latex() + "\n", self.out, force=self.force)
            elif self.suffix in OFFICE and result.table is not None:
                check_target(self.out, force=self.force)
                table = result.table()
                (table.to_docx if self.suffix == ".docx" else table.to_excel)(self.out)
            else:
                text = result.to_json() + "\n" if self.suffix == ".json" else csv_text(result.rows())
                write_text(text, self.out, force=self.force)
            note(f"wrote {printable(self.out)}")
        print_notes(result.notes)
        if self.json:
            encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
            say(result.to_json(ascii_only=not encoding.startswith("utf")))
        else:
            print_blocks(result.blocks())


def result_of(command: str, input: Mapping[str, Any], result: Any, **forms: Any) -> CommandResult:
    """The result of a command that is one result of the library, which gives every form but those given."""
    reason = [result.reason] if getattr(result, "reason", None) else []
    own: dict[str, Any] = {
        "results": lambda: [result.to_dict()],
        "rows": lambda: rows_of(result),
        "blocks": lambda: [result.summary()],
        "notes": [*getattr(result, "warnings", ()), *reason],
        "picture": picture_of(result),
    }
    return CommandResult(command=command, input=input, **(own | forms))


def describe(source: InputFile) -> dict[str, str]:
    """Name and digest of an input, so that a result can be traced to its data."""
    return {"path": source.name, "sha256": source.sha256()}


def rows_of(result: Result) -> list[dict[str, Any]]:
    """The rows of a result's own table, at full precision."""
    from rocscope.core.result import plain

    columns = {name: plain(list(values)) for name, values in result.columns().items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def picture_of(result: Result, **options: Any) -> Callable[[], Picture]:
    """Makes the figure of a result by its own view."""

    def picture() -> Picture:
        from rocscope import plotting

        return plotting.picture(result, **options)

    return picture


# ---- Files ------------------------------------------------------------------------------------------------


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV text; text that a spreadsheet would run as a formula is quoted, numbers stay numbers.

    Examples
    --------
    >>> print(csv_text([{"score": "=1+1", "difference": -0.5}]), end="")
    score,difference
    '=1+1,-0.5
    """
    from rocscope.core.tables import FORMULA_STARTS

    content = io.StringIO(newline="")
    writer = csv.writer(content)
    for cells in ([*rows[0]], *([*row.values()] for row in rows)):
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
            for cell in cells
        )
    return content.getvalue()


def check_target(path: str | Path, *, force: bool, unlike: Sequence[Paths | None] = ()) -> None:
    """Refuse to write where something is already, where there is no folder, or over another of our files."""
    target = Path(path)
    others = [[one] if isinstance(one, str) else one for one in unlike if one is not None]
    for other in (path for paths in others for path in paths):
        if target.resolve() == Path(other).resolve():
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
    plotting.save(picture, path)


def write_text(text: str, path: str | Path, *, force: bool) -> None:
    """Write a file beside its place, then rename it: it appears whole or not at all."""
    check_target(path, force=force)
    replace_text(Path(path), text)


# ---- Text on stdout and stderr; a stream that was closed by the caller takes nothing ----------------------


def say(text: str = "") -> None:
    """Print a line of the result."""
    if sys.stdout is not None:
        sys.stdout.write(f"{text}\n")


def note(text: str) -> None:
    """Print a line about the result, which is no part of it."""
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")


def print_notes(notes: Sequence[str]) -> None:
    """Print each note once."""
    for text in dict.fromkeys(notes):
        note(f"note: {printable(text)}")


def print_blocks(blocks: Sequence[Block]) -> None:
    """Print lines and tables, never cut, whatever the width of the terminal.

    Long names of rows and long sentences are broken after 100 characters.
    """
    for block in blocks:
        if isinstance(block, TextTable):
            header, *rows = (tuple(map(printable, cells)) for cells in (block.header, *block.rows))
            table = TextTable(header, tuple(rows), block.bold).narrowed()
            say(table.text(terminal=sys.stdout is not None and sys.stdout.isatty()))
        else:
            say("\n".join(map(wrapped, map(printable, block.split("\n")))))


def wrapped(line: str) -> str:
    """Return a sentence on lines of 100 characters; rows of columns and commands to copy stay as they are.

    Examples
    --------
    >>> print(wrapped("  a" + " word" * 24))
      a word word word word word word word word word word word word word word word word word word word
        word word word word word
    """
    indent = line[: len(line) - len(line.lstrip())]
    if len(line) <= WIDTH or GAP in line.strip() or "rocscope " in line:
        return line
    return "\n".join(
        wrap(
            line,
            WIDTH,
            subsequent_indent=indent + GAP,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


@contextmanager
def watching(name: str) -> Iterator[Watch | None]:
    """Show what is being done on stderr, if that is a terminal; nothing of it stays there."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rocscope.core import progress

    name = printable("standard input" if name == "-" else name)
    with progress.occupied(), progress.bar(name, 1.0) as update:
        yield lambda doing, share: update(share, f"{name}: {doing}")


def printable(text: str) -> str:
    r"""Spell out line ends and control characters: a name must not control the terminal.

    Examples
    --------
    >>> print(printable("a\nb"))
    a\nb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# ---- Numbers ----------------------------------------------------------------------------------------------


def with_interval(estimate: Estimate) -> str:
    """A value with its interval in parentheses."""
    ends = formatting.interval_ends(estimate.low, estimate.high, estimate.alternative)
    return f"{formatting.number(estimate.value)} ({ends or 'no interval'})"
