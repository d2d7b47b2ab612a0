"""The columns of a file, for who does not name them yet, and a guess of the command line."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from rocscope.cli.output import TextTable, printable
from rocscope.errors import RocscopeError

if TYPE_CHECKING:
    from rocscope.io.overview import ColumnSummary

# Commands that take scores; all others train on the columns.
SCORED = ("auc", "compare", "points", "average", "binormal", "fuse", "report", "ordinal")
READING = ("--sheet", "--format", "--decimal")
MOST_COLUMNS, WIDEST = 40, 30
MOST_SCORES = 6  # of a guessed report


def columns_text(tokens: Sequence[str]) -> str:
    """The columns of the file that a command line names, and how to go on; nothing where there is no file."""
    command, *others = tokens
    file = next((token for token in others if not token.startswith("-") and Path(token).is_file()), None)
    if file is None:
        return ""
    given = dict(pairwise(others))
    from rocscope.io.files import open_source
    from rocscope.io.input_file import Dialect, local_file
    from rocscope.io.overview import column_summaries

    try:
        dialect = Dialect.read(sheet=given.get("--sheet"), decimal=given.get("--decimal"))
        with local_file(file, format=given.get("--format"), dialect=dialect) as opened:
            columns = column_summaries(opened)
            with open_source(opened, [], opened.limits) as source:
                notes = source.notes
    except RocscopeError as error:
        return str(error)
    rows = list[tuple[str, ...]]()
    for one in columns[:MOST_COLUMNS]:
        unread = ", ".join(text for text, _ in one.unread)  # what is in the way of numbers
        kind = _short(f"{one.type}, not numeric: {unread}") if unread else one.type
        rows.append((_short(one.name), kind, f"{one.distinct}", f"{one.missing}", _short(one.example)))
    table = TextTable(("column", "type", "distinct", "missing", "example"), tuple(rows))
    more = f"\n... and {len(columns) - MOST_COLUMNS} more" if len(columns) > MOST_COLUMNS else ""
    more += "".join(f"\nnote: {printable(note)}" for note in notes)  # other sheets of a workbook, for one
    if any(column.unread for column in columns):
        more += "\nNot numeric: --missing CODE reads a text as missing, --below keep reads <0.05 as 0.05"
    reading = [part for name in READING if name in given for part in (name, given[name])]
    guess = _guess(command, file, columns, reading, given.get("--label"))
    return f"Columns of {printable(file)}:\n{table}{more}" + (f"\nPerhaps: {guess}" if guess else "")


def _short(text: str) -> str:
    shown = printable(text)
    return shown if len(shown) <= WIDEST else f"{shown[: WIDEST - 3]}..."


def _guess(
    command: str,
    file: str,
    columns: Sequence[ColumnSummary],
    reading: Sequence[str],
    known: str | None,
) -> str:
    """A command line with a column of two values as the label; which of them is positive is not guessed."""
    labels = [column for column in columns if column.distinct == 2 and known in (None, column.name)]
    if not labels:
        return ""
    label = labels[0]
    numbers = [column for column in columns if column.type in ("number", "whole") and column is not label]
    parts = ["rocscope", command, file, *reading, "--label", label.name]
    either = ""
    if set(label.values) not in ({"0", "1"}, {"-1", "1"}, {"true", "false"}):
        parts += ["--pos-label", label.values[0]]
        either = f" (or --pos-label {shlex.quote(label.values[1])})"
    if command in SCORED:
        # Whole numbers are often numbers of cases.
        scores = sorted(numbers, key=lambda column: (column.type == "whole", -column.distinct))
        if not scores:
            return ""
        fractions = sum(column.type == "number" for column in scores)
        needed = {"compare": 2, "fuse": 2, "report": min(max(fractions, 1), MOST_SCORES)}.get(command, 1)
        parts += [part for column in scores[:needed] for part in ("--score", column.name)]
    if command == "report":
        parts += ["--out", "report.html"]
    return printable(shlex.join(parts)) + printable(either)
