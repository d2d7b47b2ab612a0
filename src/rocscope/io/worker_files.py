"""Files that dask workers read: a task for each, and nothing of the rows here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.rules import Direction
from rocscope.core.spread import SpreadScores, delayed
from rocscope.errors import RocInputError
from rocscope.io import files, input_file
from rocscope.io.columns import Kind


def scores_of_files(
    file: input_file.InputFile,
    *,
    label: str,
    score: str | Sequence[str],
    compute: Callable[[Sequence[Any]], Sequence[Any]],
    pos_label: Any = None,
    na: str = "error",
    direction: Direction = "higher",
) -> SpreadScores:
    """Scores of Parquet files, each read whole by one worker, which must see it under the same path.

    Columns and types are checked here, by the ends of the files.
    """
    names = files.score_names(score, label)
    if file.format != "parquet":
        title = input_file.TITLES[file.format]
        got = f"got a file of {title}"
        raise RocInputError(f"{file.shown} must hold Parquet to be read by dask workers, {got}")
    kinds: dict[str, Kind] = {label: "label"}
    kinds |= dict.fromkeys(names, "number")
    with files.open_source(file, kinds, file.limits) as source:
        source.columns(kinds)
    if file.partitions:
        raise RocInputError(f"{file.shown} must lie in folders without partitions to be read by dask workers")
    read = delayed(_read)
    parts = [read(str(part.path), kinds) for part in file.parts or (file,)]
    how: dict[str, Any] = {"compute": compute, "texts_as_labels": True, "shown": file.shown}
    return SpreadScores(parts, label, tuple(names), pos_label, na, direction, **how)


def _read(path: str, kinds: dict[str, Kind]) -> dict[str, NDArray[Any]]:
    """Columns of one file, on the worker."""
    with (
        input_file.local_file(path, format="parquet") as file,
        files.open_source(file, kinds, file.limits) as source,
    ):
        columns = source.columns(kinds)
        cells = source.query(", ".join(f"{column.cell} AS v{k}" for k, column in enumerate(columns)))
        return {column.name: _filled(cells[f"v{k}"]) for k, column in enumerate(columns)}


def _filled(values: NDArray[Any]) -> NDArray[Any]:
    """A column with NaN, or None, in the place of what is missing."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if not np.ma.getmaskarray(values).any():
        return np.asarray(values.data)
    if values.dtype.kind == "f":
        return np.asarray(values.filled(np.nan))
    cells = np.empty(values.size, dtype=object)
    cells[:] = values.tolist()
    return cells
