"""Data frames at the doors: columns by their names, of pandas, polars and whatever else narwhals reads."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError

# What happens to rows in which a value is missing.
Missing: TypeAlias = Literal["error", "drop"]


def as_frame(data: Any, *, argument: str = "y_true") -> Any:
    """Return a data frame as narwhals has it; None for anything else, without loading narwhals.

    Examples
    --------
    >>> import pandas as pd
    >>> as_frame(pd.DataFrame({"y": [0, 1]})).columns, as_frame([0, 1]), as_frame(np.zeros((2, 2)))
    (['y'], None, None)
    """
    if not any(hasattr(type(data), name) for name in ("columns", "column_names")):
        return None
    import narwhals.stable.v2 as nw

    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        checks.refuse_dask(data, name=argument)
        raise RocInputError("must be collected first, got a lazy frame", argument=argument)
    return frame if isinstance(frame, nw.DataFrame) else None


def column(frame: Any, name: Any, *, argument: str) -> Any:
    """Return one column of a frame of `as_frame` as its own library has it."""
    if not isinstance(name, str) or name not in frame.columns:
        known = ", ".join(map(repr, frame.columns[:10])) + (", ..." if len(frame.columns) > 10 else "")
        hint = checks.did_you_mean(name, [one for one in frame.columns if isinstance(one, str)])
        raise RocInputError(
            f"must name a column of the frame ({known}), got {checks.show(name)}{hint}", argument=argument
        )
    return frame[name].to_native()


def read_columns(
    y_true: Any, y_score: Any, *, label: Any, score: Any, **others: Any
) -> tuple[Any, Any, dict[str, Any]]:
    """Return labels, scores and other columns; names of columns stand for those of a frame in `y_true`.

    A list of scores is a frame of these columns.

    Examples
    --------
    >>> import pandas as pd
    >>> cases = pd.DataFrame({"state": ["ill", "well"], "marker": [2.0, 1.0], "fold": [0, 1]})
    >>> y, s, others = read_columns(cases, None, label="state", score="marker", fold="fold")
    >>> y.tolist(), s.name, others["fold"].tolist()
    (['ill', 'well'], 'marker', [0, 1])
    """
    frame = as_frame(y_true)
    if frame is None:
        for argument, name in (("label", label), ("score", score)):
            if name is not None:
                raise RocInputError(
                    f"must be left out unless y_true is a data frame, got {checks.show(name)}",
                    argument=argument,
                )
    else:
        if y_score is not None:
            raise RocInputError(
                "must be left out where y_true is a data frame: score names its column", argument="y_score"
            )
        for argument, name in (("label", label), ("score", score)):
            if name is None:
                raise RocInputError("must name a column of the frame, got None", argument=argument)
        y_true = column(frame, label, argument="label")
        if isinstance(score, str):
            y_score = column(frame, score, argument="score")
        else:
            names = checks.check_names(score, name="score", at_least=1)
            for name in names:
                column(frame, name, argument="score")
            y_score = frame.select(*names).to_native()
        others = {
            argument: column(frame, value, argument=argument) if isinstance(value, str) else value
            for argument, value in others.items()
        }
    return y_true, y_score, others


def named_columns(data: Any, *, argument: str = "y_score") -> Any:
    """Return the columns of a frame by their names; anything else as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> list(named_columns(pd.DataFrame({"a": [1, 2], "b": [3, 4]}))), named_columns([1, 2])
    (['a', 'b'], [1, 2])
    """
    frame = as_frame(data, argument=argument)
    if frame is None:
        return data
    return {str(name): frame[name].to_native() for name in frame.columns}


def series_name(values: Any, default: str) -> str:
    """Return the name of a pandas or polars series, or the default.

    Examples
    --------
    >>> import pandas as pd
    >>> series_name(pd.Series([1, 2], name="marker"), "y_score"), series_name([1, 2], "y_score")
    ('marker', 'y_score')
    """
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else default


def matched_rows(
    columns: Mapping[str, Any], others: Mapping[str, Any], *, na: Missing
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the columns and those others that are given, of the same rows, with what `na` has left out.

    Examples
    --------
    >>> matched_rows({"y_true": [0, 1], "y_score": [0.2, 0.7]}, {"fold": None}, na="error")
    ({'y_true': [0, 1], 'y_score': [0.2, 0.7]}, ())
    """
    rows = {**columns, **{name: values for name, values in others.items() if values is not None}}
    checks.check_same_index(*rows.items())
    return complete_rows(rows) if na == "drop" else (rows, ())


def complete_rows(columns: Mapping[str, Any]) -> tuple[dict[str, NDArray[Any]], tuple[str, ...]]:
    """Leave out the rows in which a column has no value; return the columns and what was left out.

    The first column is that of the labels.

    Examples
    --------
    >>> columns, warnings = complete_rows({"y_true": [0, 1, 1], "y_score": [0.2, None, 0.7]})
    >>> columns["y_true"].tolist(), warnings
    ([0, 1], ('1 row with missing values left out: 1 of class 1',))
    """
    arrays = {name: checks.as_array(values, name=name) for name, values in columns.items()}
    for name, array in arrays.items():
        if array.ndim != 2 or not array.size:  # a matrix has one column per class
            checks.as_vector(columns[name], name=name)
    checks.check_same_length(*arrays.items())
    labels = next(iter(arrays.values()))
    gone = np.zeros(len(labels), dtype=bool)
    for array in arrays.values():
        gone |= checks.missing(array).reshape(len(gone), -1).any(axis=1)
    if gone.size and gone.all():
        raise RocInputError("must leave rows without missing values, got none", argument="na")
    dropped = Counter[Any]()
    for label, is_missing in zip(labels[gone].tolist(), checks.missing(labels)[gone], strict=True):
        if is_missing:
            dropped[None] += 1
        else:  # whole numbers beside missing ones came as floats
            dropped[int(label) if isinstance(label, float) and label.is_integer() else label] += 1
    order = sorted(dropped, key=lambda label: (label is None, str(label)))
    return {name: array[~gone] for name, array in arrays.items()}, dropped_warning(
        {label: dropped[label] for label in order}
    )


def dropped_warning(dropped: Mapping[Any, int]) -> tuple[str, ...]:
    """Say how many rows were left out, for the warnings of a result.

    Examples
    --------
    >>> dropped_warning({"ill": 2, None: 1})
    ("3 rows with missing values left out: 2 of class 'ill', 1 without a label",)
    """
    if not dropped:
        return ()
    parts = [
        f"{n} of class {label!r}" if label is not None else f"{n} without a label"
        for label, n in dropped.items()
    ]
    rows = "row" if sum(dropped.values()) == 1 else "rows"
    return (f"{sum(dropped.values())} {rows} with missing values left out: {', '.join(parts)}",)
