"""A first look at a file: its columns, the values of the short ones, its first rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocscope.errors import RocInputError
from rocscope.io.files import ColumnSummary, column_summaries, open_source
from rocscope.io.input_file import InputFile

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
