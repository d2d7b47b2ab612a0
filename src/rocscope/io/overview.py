"""A first look at a file: its columns and their types, the values of the short ones, its first rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from rocscope.errors import RocInputError
from rocscope.io.columns import BELOW, DECIMAL, WHOLE, Kind, TextColumn, count_of
from rocscope.io.files import open_source
from rocscope.io.input_file import InputFile

SUMMARY_ROWS = 100_000
MOST_UNREAD = 12  # texts beside numbers; a column with more of them is no column of numbers
FIRST_ROWS = 6
# Columns of at most so many distinct values have them listed.
MOST_VALUES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What a file shows before its columns are chosen.

    Attributes
    ----------
    columns
        Its named columns.
    values
        For each column its distinct values as text, the most frequent first; none where there are many.
    rows
        Number of rows.
    first
        The first rows, each cell as text; None where it is empty.
    notes
        How the file was read, where its user should know.
    """

    columns: tuple[ColumnSummary, ...]
    values: tuple[tuple[str, ...], ...]
    rows: int
    first: tuple[tuple[str | None, ...], ...]
    notes: tuple[str, ...]


def read_overview(file: InputFile) -> Overview:
    r"""Look at an open file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rocscope.io.input_file import local_file
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("state,marker\nill,0.9\nwell,0.2\nill,0.2\n")
    >>> with local_file(path) as file:
    ...     overview = read_overview(file)
    >>> [column.type for column in overview.columns], overview.values[0], overview.rows
    (['text', 'number'], ('ill', 'well'), 3)
    """
    summaries = tuple(column_summaries(file))
    if not summaries:
        raise RocInputError(f"{file.shown} must have named columns, got none")
    with open_source(file, {column.name: "label" for column in summaries}, file.limits) as source:
        columns = source.columns({column.name: "label" for column in summaries})
        shown = ", ".join(f"{column.plain_text} AS v{k}" for k, column in enumerate(columns))
        cells = source.query(shown, f"LIMIT {FIRST_ROWS}")
        rows = source.query_one({"n": "count(*)"})["n"]
        values = list[tuple[str, ...]]()
        for column, summary in zip(columns, summaries, strict=True):
            few = 0 < summary.distinct <= MOST_VALUES
            tail = f"WHERE NOT ({column.missing}) GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {MOST_VALUES}"
            found = source.query(f"{column.plain_text} AS v", tail)["v"].tolist() if few else []
            values.append(tuple(map(str, found)))
        notes = source.notes
    arrays = [np.ma.asarray(cells[f"v{k}"]).tolist() for k in range(len(columns))]
    return Overview(
        columns=summaries,
        values=tuple(values),
        rows=rows,
        first=tuple(zip(*arrays, strict=True)),
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """What the first rows of a file show of a column.

    Attributes
    ----------
    name, type
        Its name, and what all its cells are: "truth", "whole", "number", "text" or "empty".
    distinct, missing
        Number of different values and of cells without one.
    example
        One of its values.
    values
        All of them where they are two.
    unread
        Of text that is nearly numbers what is in the way, such as "<0.05" or ".", with the number of cells.
    """

    name: str
    type: str
    distinct: int
    missing: int
    example: str
    values: tuple[str, ...]
    unread: tuple[tuple[str, int], ...] = ()


def column_summaries(file: InputFile) -> list[ColumnSummary]:
    """Type, number of distinct values, missing cells and an example of every named column.

    Only the first 100,000 rows are looked at.
    """
    with open_source(file, [], file.limits) as source:
        names = [name for name in dict.fromkeys(source.names) if name]
    kinds: dict[str, Kind] = dict.fromkeys(names, "label")
    summaries = []
    with open_source(file, kinds, file.limits) as source:
        source = replace(source, relation=f"(SELECT * FROM {source.relation} LIMIT {SUMMARY_ROWS})")
        comma = source.with_comma is not None or file.dialect.decimal == ","
        for column in source.columns(kinds):
            text = f"CASE WHEN NOT ({column.missing}) THEN {column.text} END"
            written = column.bare
            if file.dialect.below == "keep":
                written = f"regexp_replace({written}, '{BELOW}', '')"
            written = f"replace({written}, ',', '.')" if comma else written
            is_number = f"regexp_full_match({written}, '{DECIMAL}')"
            facts = source.query_one(
                {
                    "missing": count_of(column.missing),
                    "n": f"count(DISTINCT {text})",
                    "low": f"min({text})",
                    "high": f"max({text})",
                    "truth": column.all_present(column.is_truth),
                    "whole": column.all_present(f"regexp_full_match({written}, '{WHOLE}')"),
                    "number": column.all_present(is_number),
                    "numbers": f"count(DISTINCT CASE WHEN {is_number} THEN {text} END)",
                }
            )
            known = [name for name in ("truth", "whole", "number") if facts[name]]
            ends = ["" if facts[end] is None else str(facts[end]) for end in ("low", "high")]
            unread = list[tuple[str, int]]()
            if not known and facts["numbers"] > 1 and isinstance(column, TextColumn):
                others = source.query(
                    f"{column.bare} AS v, count(*) AS n",
                    f"WHERE NOT ({column.missing}) AND NOT {is_number} GROUP BY 1 ORDER BY 2 DESC, 1",
                )
                unread = [(str(v), int(n)) for v, n in zip(others["v"], others["n"], strict=True)]
                if sum(re.match(BELOW, text) is None for text, _ in unread) > MOST_UNREAD:
                    unread = []
            summaries.append(
                ColumnSummary(
                    name=column.name,
                    type=known[0] if known else "text" if facts["n"] else "empty",
                    distinct=facts["n"],
                    missing=facts["missing"],
                    example=ends[1],
                    values=tuple(ends) if facts["n"] == 2 else (),
                    unread=tuple(unread),
                )
            )
    return summaries
