"""What a command hands out: text or JSON on stdout, notes on stderr, and a file where one is asked for."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocscope import __version__
from rocscope.cli.echo import say, tell
from rocscope.cli.parse import FRESH
from rocscope.cli.tables import TextTable, print_table, printable
from rocscope.errors import ResourceError, RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.result import Result
    from rocscope.sources.local import LocalFile
    from rocscope.views import Picture

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
    from rocscope import draw

    check_target(path, force=force)
    try:
        draw.save(picture, path)
    except OSError as error:
        raise ResourceError(f"{path} cannot be written: {error.strerror}") from error


def write_text(text: str, path: str | Path, *, force: bool) -> None:
    """Write a file beside its place, then rename it: it appears whole or not at all."""
    from rocscope.draw.files import replace_text

    check_target(path, force=force)
    replace_text(Path(path), text)
