"""Many files as one table: a glob, a folder of Parquet parts, or a list of paths."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.rules import Direction
from rocscope.core.spread import SpreadScores, delayed
from rocscope.errors import RocInputError
from rocscope.io import files, input_file
from rocscope.io.columns import Kind
from rocscope.io.input_file import GLOB_CHARACTERS, PARQUET_ENDINGS, STDIN, TITLES, InputFile


def part_paths(path: Any) -> tuple[str, list[str]] | None:
    """What several files are called together, and the path of each; None where one file is named.

    A file whose name has the characters of a pattern is a file. Of a folder all Parquet files count, those of
    its folders as well, unless their names begin with a point or an underscore.

    Examples
    --------
    >>> part_paths("scores.csv")
    >>> part_paths(["a.csv", "b.csv", "c.csv"])
    ('a.csv and 2 others', ['a.csv', 'b.csv', 'c.csv'])
    """
    if isinstance(path, Sequence) and not isinstance(path, (str, bytes)):
        paths = [_text(one) for one in path]
        if not paths:
            raise RocInputError("must name one or more files, got none", argument="path")
        if STDIN in paths:
            raise RocInputError("must be files where there are several, got standard input", argument="path")
        every = [one for part in paths for one in (part_paths(part) or ("", [part]))[1]]
        if len(every) < 10_000 and (twice := [part for part in every if every.count(part) > 1]):
            raise RocInputError(f"must be different files, got {_shown(twice[0])} twice", argument="path")
        others = len(paths) - 1
        return paths[0] + (f" and {others} other{'s' * (others > 1)}" if others else ""), every
    text = _text(path)
    if text == STDIN or "\0" in text or os.path.isfile(text):
        return None
    if os.path.isdir(text):
        parts = sorted(
            part
            for part in Path(text).rglob("*")
            if part.suffix.lower() in PARQUET_ENDINGS
            and not any(name[0] in "._" for name in part.relative_to(text).parts)
            and part.is_file()
        )
        if not parts:
            endings = " or ".join(PARQUET_ENDINGS)
            raise RocInputError(f"{_shown(text)} must be a folder of Parquet files ({endings}), got none")
        return text, list(map(str, parts))
    if not set(text) & set(GLOB_CHARACTERS):
        return None
    found = sorted(one for one in glob.glob(text, recursive=True) if os.path.isfile(one))
    if not found:
        raise RocInputError(f"{_shown(text)} must match a file, got none")
    return text, found


def _text(path: Any) -> str:
    checks.as_path(path)
    text: str = os.fspath(path)
    return text


def _shown(path: str) -> str:
    return path if path.isprintable() else repr(path)


@contextmanager
def open_parts(name: str, paths: Sequence[str], **how: Any) -> Iterator[InputFile]:
    """Open every file, and one that stands for all of them."""
    with ExitStack() as cleanup:
        parts = list[InputFile]()
        for path in paths:
            part = cleanup.enter_context(input_file.local_file(path, **how))
            if part.format not in input_file.TEXTS_AND_PARQUET:
                kinds = "CSV, Parquet or JSON lines"
                got = f"got a file of {TITLES[part.format]}"
                raise RocInputError(f"{part.shown} must hold {kinds} to be one of several files, {got}")
            if parts and part.format != parts[0].format:
                formats = TITLES[parts[0].format], TITLES[part.format]
                raise RocInputError(
                    f"{part.shown} must be a file of {formats[0]} as {parts[0].shown} is, got {formats[1]}"
                )
            if part.stream is not None:  # a system opens some hundred files at once, no more
                part.stream.close()
            parts.append(replace(part, stream=None))
        notes = tuple(f"{part.shown}: {text}" for part in parts for text in part.notes)
        # Columns that the names of the folders hold, such as site in site=North/part-0.parquet.
        keys = {
            tuple(name.partition("=")[0] for name in part.path.parts[:-1] if name.find("=") > 0)
            for part in parts
        }
        yield replace(
            parts[0],
            name=name,
            parts=tuple(parts),
            partitions=keys.pop() if len(keys) == 1 else (),
            notes=notes,
            state=None,
            original=None,
        )


# ---- Files that dask workers read: a task for each, and nothing of the rows here --------------------------


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
