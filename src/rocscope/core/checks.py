"""Every argument check, in one wording: the name, what is required, what came."""

import difflib
import functools
import inspect
import math
import numbers
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocscope.errors import RocArgumentError, RocInputError

P = ParamSpec("P")
R = TypeVar("R")

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
ALTERNATIVES = ("two-sided", "less", "greater")

# Beyond this, neighbouring integers share a float64: such scores stay integers.
EXACT_FLOAT_INTEGERS = 2**53
SHOWN_ROWS = 5
# Counts may add up to this, so that doubled sums still fit 64 bits.
MAX_TOTAL = 2**62
# Products of fractional weights neither overflow nor vanish inside this range.
WEIGHT_RANGE = (1e-100, 1e100)

MOST_REPLICATES = 10_000_000  # of a bootstrap


# What other libraries call our arguments.
OTHER_NAMES = {
    "random_state": "rng", "seed": "rng", "random_seed": "rng",
    "alpha": "level", "confidence_level": "level", "conf_level": "level", "confidence": "level",
    "n_bootstraps": "n_boot", "n_bootstrap": "n_boot", "n_resamples": "n_boot", "boot_n": "n_boot",
    "weights": "sample_weight", "positive_label": "pos_label", "positive": "pos_label",
    "y_prob": "y_score", "y_pred_proba": "y_score", "probas_pred": "y_score", "max_fpr": "fpr",
    "force": "overwrite", "data": "y_true", "df": "y_true", "frame": "y_true",
}  # fmt: skip


def known_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a public function: an argument that it does not have is refused with what may be meant.

    Examples
    --------
    >>> @known_arguments
    ... def area(y_true, *, rng=None): ...
    >>> area([0, 1], random_state=1)
    Traceback (most recent call last):
    rocscope.errors.RocArgumentError: area has no argument 'random_state'; did you mean 'rng'?
    """
    names = frozenset(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        if not names >= options.keys():
            unknown = next(name for name in options if name not in names)
            meant = OTHER_NAMES.get(unknown)
            hint = f"; did you mean {meant!r}?" if meant in names else did_you_mean(unknown, names)
            raise RocArgumentError(f"{function.__name__} has no argument {unknown!r}{hint}")
        return function(*args, **options)

    return call


def check_number(
    value: Any, *, name: str, low: float = -math.inf, high: float = math.inf, closed: bool = False
) -> float:
    """Return `value` as a float that lies between the bounds (open unless `closed`).

    Examples
    --------
    >>> check_number(0.95, name="level", low=0, high=1)
    0.95
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise RocInputError(f"must be a number, got {show(value)}", argument=name)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if str(value)[0] != "-" else -math.inf
        closed = False  # no float is that long
    if low <= number <= high if closed else low < number < high:
        return number
    if math.isinf(low) and math.isinf(high):
        allowed = "be finite" if not closed else "be a number other than NaN"
    elif math.isinf(high):
        allowed = f"be {'at least' if closed else 'greater than'} {low:g}"
    else:
        allowed = f"lie between {low:g} and {high:g}" + (" (both allowed)" if closed else "")
    raise RocInputError(f"must {allowed}, got {show(value)}", argument=name)


def check_level(level: Any) -> float:
    """Return the confidence level, a number strictly between 0 and 1."""
    return check_number(level, name="level", low=0, high=1)


def check_integer(value: Any, *, name: str, low: int) -> int:
    """Return `value` as an int that is at least `low`.

    Examples
    --------
    >>> check_integer(10, name="n_folds", low=2)
    10
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or value < low:
        raise RocInputError(f"must be a whole number of at least {low}, got {show(value)}", argument=name)
    return int(value)


def check_n_boot(n_boot: Any, *, none: bool = False) -> int:
    """Refuse fewer than one replicate (with `none`, than 0), and more than any purpose needs."""
    count = check_integer(n_boot, name="n_boot", low=0 if none else 1)
    if count > MOST_REPLICATES:
        raise RocInputError(f"must be at most {MOST_REPLICATES:,}, got {count:,}", argument="n_boot")
    return count


def check_draws(
    *,
    n_boot: Any,
    stratify: Any = True,
    n_jobs: Any = None,
    progress: Any = None,
    max_points: Any = None,
    nothing_drawn: str | None = None,
) -> None:
    """Refuse wrong options of a bootstrap; `nothing_drawn` says what draws nothing and has no use for them.

    Examples
    --------
    >>> check_draws(n_boot=100, stratify=False, nothing_drawn="method 'delong'")
    Traceback (most recent call last):
    rocscope.errors.RocInputError: stratify must be True for method 'delong', which draws nothing
    """
    check_n_boot(n_boot)
    check_flag(stratify, name="stratify")
    count_jobs(n_jobs)
    if progress is not None:
        check_flag(progress, name="progress")
    if max_points is not None:
        check_integer(max_points, name="max_points", low=2)
        if not stratify:
            raise RocInputError(
                f"must be None where classes are drawn together, got {max_points}", argument="max_points"
            )
    if nothing_drawn is None:
        return
    why = f"for {nothing_drawn}, which draws nothing"
    if not stratify:
        raise RocInputError(f"must be True {why}", argument="stratify")
    if max_points is not None:
        raise RocInputError(f"must be None {why}, got {max_points}", argument="max_points")


def count_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of processes, the way joblib counts.

    Parameters
    ----------
    n_jobs : int or None
        None means 1, -1 all cores, -2 all but one, and so on; 0 is refused.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> count_jobs(None), count_jobs(4), count_jobs(-1) >= 1
    (1, 4, True)
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, numbers.Integral)) or n_jobs == 0:
        raise RocInputError(f"must be a whole number other than 0, got {show(n_jobs)}", argument="n_jobs")
    if n_jobs > 0:
        return int(n_jobs)
    from joblib import cpu_count

    return max(1, int(cpu_count()) + 1 + int(n_jobs))


def check_flag(value: Any, *, name: str) -> bool:
    """Return `value` if it is True or False; text such as "no" would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise RocInputError(f"must be True or False, got {show(value)}", argument=name)
    return bool(value)


def check_choice(value: Any, choices: Sequence[str], *, name: str) -> str:
    """Return `value` if it is one of `choices`; otherwise name them and the nearest.

    Examples
    --------
    >>> check_choice("delong", ["delong", "logit"], name="method")
    'delong'
    """
    if isinstance(value, str) and value in choices:
        return value
    allowed = ", ".join(map(repr, choices))
    raise RocInputError(
        f"must be one of {allowed}, got {show(value)}{did_you_mean(value, choices)}", argument=name
    )


def check_alternative(alternative: Any) -> Alternative:
    """Return the alternative hypothesis, one of "two-sided", "less", "greater"."""
    check_choice(alternative, ALTERNATIVES, name="alternative")
    return alternative  # type: ignore[no-any-return]


def check_range(value: Any, *, name: str) -> tuple[float, float]:
    """Return `value` as a pair (low, high) with 0 <= low < high <= 1."""
    try:
        pair = [] if isinstance(value, str) else list(value)
    except TypeError:  # a number, or an array without dimensions
        pair = []
    if len(pair) != 2:
        raise RocInputError(f"must be a pair (low, high), got {show(value)}", argument=name)
    low = check_number(pair[0], name=f"{name}[0]", low=0, high=1, closed=True)
    high = check_number(pair[1], name=f"{name}[1]", low=0, high=1, closed=True)
    if low >= high:
        raise RocInputError(f"must be a pair with low < high, got {show(value)}", argument=name)
    return low, high


def check_same_length(*named: tuple[str, NDArray[Any] | None], **arrays: NDArray[Any] | None) -> None:
    """Refuse arrays of different lengths, naming each with its length; None is passed over."""
    lengths = {name: len(array) for name, array in (*arrays.items(), *named) if array is not None}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise RocInputError(f"must have the same length: {each}", argument=" and ".join(lengths))


def check_same_index(*named: tuple[str, Any], **columns: Any) -> None:
    """Refuse pandas objects whose rows have different labels: they are different rows.

    What has no index of its own (arrays, lists, polars) is matched by position, and so is everything
    beside it. Different lengths are for `check_same_length` to refuse.

    Examples
    --------
    >>> check_same_index(y_true=[0, 1], y_score=np.array([0.2, 0.7]))
    """
    indexed = [(name, values.index) for name, values in (*named, *columns.items()) if _has_index(values)]
    for name, index in indexed[1:]:
        first_name, first = indexed[0]
        if index is first or len(index) != len(first) or index.equals(first):
            continue
        pairs = list(zip(first.tolist(), index.tolist(), strict=True))
        rows = np.flatnonzero([a != b and not (a != a and b != b) for a, b in pairs])  # NaN equals NaN here
        if rows.size:
            a, b = pairs[rows[0]]
            got = f"different labels in {row_list(rows)} ({show(a)} and {show(b)} in row {rows[0]})"
            if Counter(a for a, _ in pairs) == Counter(b for _, b in pairs):
                got += ": the same labels in another order"
        else:  # labels of different types, such as dates and their text
            got = f"labels of the types {first.dtype} and {index.dtype}"
        raise RocInputError(
            f"must have the same pandas index, got {got}; "
            "align them, or give .to_numpy() of each to match them by position",
            argument=f"{first_name} and {name}",
        )


def _has_index(values: Any) -> bool:
    """Whether these are a pandas series or frame, without importing pandas; a list has a method `index`."""
    return hasattr(getattr(values, "index", None), "equals")


def check_instance(value: Any, kind: type, *, name: str) -> None:
    """Refuse what is not an object of the class.

    Examples
    --------
    >>> check_instance(1, str, name="label")
    Traceback (most recent call last):
    rocscope.errors.RocInputError: label must be a str, got 1
    """
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        raise RocInputError(f"must be {article} {kind.__name__}, got {show(value)}", argument=name)


def check_label(label: Any, *, name: str) -> None:
    """Refuse what names no class: arrays, NaN, and objects that are not compared by their value.

    Examples
    --------
    >>> check_label([1, 2], name="positive")
    Traceback (most recent call last):
    rocscope.errors.RocInputError: positive must be a label, got [1, 2]
    """
    kind: Any = type(label)
    is_value = label is None or kind.__eq__ is not object.__eq__  # so that it is the same after saving
    if np.ndim(label) or not is_value or label != label:
        raise RocInputError(f"must be a label, got {show(label)}", argument=name)


def as_path(path: Any) -> Path:
    """Return the path of a file.

    Examples
    --------
    >>> as_path(-1)
    Traceback (most recent call last):
    rocscope.errors.RocInputError: path must be the path of a file, got -1
    """
    if not isinstance(path, (str, os.PathLike)):
        raise RocInputError(f"must be the path of a file, got {show(path)}", argument="path")
    return Path(path)


def check_names(names: Any, *, name: str, at_least: int = 2) -> tuple[Any, ...]:
    """Return names as a tuple of different labels."""
    try:
        listed = tuple(names.tolist() if isinstance(names, np.ndarray) else names)
        different = len(set(listed)) == len(listed)
    except (TypeError, NotImplementedError):  # the latter is that of a memoryview of texts
        raise RocInputError(f"must be a list of names, got {show(names)}", argument=name) from None
    if not different or len(listed) < at_least:
        required = "two or more different names" if at_least == 2 else "different names"
        raise RocInputError(f"must hold {required}, got {show(list(listed))}", argument=name)
    if any(one is None or (isinstance(one, float) and one != one) for one in listed):
        raise RocInputError(f"must hold no missing name, got {show(list(listed))}", argument=name)
    return listed


def as_vector(values: Any, *, name: str) -> NDArray[Any]:
    """Turn an array-like (NumPy, pandas, polars, list) into a one-dimensional, non-empty array."""
    if values is None or isinstance(values, (str, bytes, dict, set, numbers.Number)):
        raise RocInputError(f"must be a one-dimensional array, got {show(values)}", argument=name)
    array = as_array(values, name=name)
    if array.ndim == 0 and array.dtype.kind == "O":
        kind = type(values).__name__
        raise RocInputError(f"must be a one-dimensional array, got an object of type {kind}", argument=name)
    if array.ndim != 1:
        hint = "; of predict_proba pass the column of the positive class" if array.ndim == 2 else ""
        raise RocInputError(f"must be one-dimensional, got shape {array.shape}{hint}", argument=name)
    if array.size == 0:
        raise RocInputError("must have at least one row, got none", argument=name)
    return array


def as_array(values: Any, *, name: str) -> NDArray[Any]:
    """Turn an array-like into a NumPy array; masked values become None."""
    refuse_dask(values, name=name)
    if isinstance(values, np.ma.MaskedArray):
        masked, values = np.ma.getmaskarray(values), values.data.astype(object)
        values[masked] = None
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise RocInputError("must be an array, got rows of unequal length", argument=name) from error
    except Exception as error:  # array libraries raise errors of their own
        raise RocInputError(
            "must be an array that NumPy can read, got one that it cannot", argument=name
        ) from error
    if array.dtype.kind == "f" and isinstance(values, (list, tuple)) and _has_long_integers(values, array):
        return np.asarray(values, dtype=object)  # NumPy has rounded integers on the way
    return array


def is_dask(data: Any) -> bool:
    """Whether data are a data frame, a series or an array of dask."""
    return type(data).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(data, "to_delayed")


def is_dask_frame(data: Any) -> bool:
    """Whether data are a data frame of dask."""
    return is_dask(data) and hasattr(data, "columns") and data.ndim == 2


def refuse_dask(data: Any, *, name: str) -> None:
    """Refuse data of dask, all rows of which NumPy would bring into this process."""
    if is_dask(data):
        raise RocInputError(
            f"must be in memory, got a {type(data).__name__} of dask; auc, auc_by, compare_auc, "
            "partial_auc, point_measures and roc_curve take a data frame of dask with label and score",
            argument=name,
        )


def _has_long_integers(values: Iterable[Any], array: NDArray[Any]) -> bool:
    if array.size == 0 or max(-np.min(array), np.max(array)) < EXACT_FLOAT_INTEGERS:
        return False
    return any(
        isinstance(value, numbers.Integral) and abs(int(value)) > EXACT_FLOAT_INTEGERS for value in values
    )


def as_matrix(values: Any, *, name: str, columns: int, ranks: bool = False) -> NDArray[np.float64]:
    """Turn soft outputs into a float matrix with one column per class, finite and not negative.

    With `ranks` any number is allowed, as for scores that are only ranked.
    """
    matrix = as_array(values, name=name)
    if matrix.ndim != 2 or matrix.shape[1] != columns:
        raise RocInputError(
            f"must have one column per class ({columns}), got shape {matrix.shape}", argument=name
        )
    if matrix.dtype.kind == "O":
        matrix = _numbers_from_objects(matrix.ravel(), name, what="outputs").reshape(matrix.shape)
    if matrix.dtype.kind not in "biuf":
        raise RocInputError(f"must hold numbers, got {_kind_name(matrix)}", argument=name)
    long = matrix.dtype.kind in "iu" and matrix.size
    long = long and max(int(matrix.max()), -int(matrix.min())) > EXACT_FLOAT_INTEGERS
    if matrix.dtype.kind == "f" and not isinstance(values, np.ndarray):
        # Long integers beside fractions, in rows of lists or columns of a frame, became floats.
        objects = values.to_numpy(dtype=object) if _has_index(values) else np.array(values, dtype=object)
        long = _has_long_integers((value for row in objects for value in row), matrix)
    if long:
        raise RocInputError("must hold numbers that float64 holds exactly, got longer ones", argument=name)
    matrix = matrix.astype(np.float64)
    if ranks:
        refuse_rows(np.isnan(matrix), name=name, required="no missing scores", got="NaN")
        return matrix
    refuse_rows(~np.isfinite(matrix), name=name, required="finite outputs", got="NaN or infinite values")
    refuse_rows(matrix < 0, name=name, required="outputs of at least 0", got="negative values")
    return matrix


def as_rates(values: Any, *, name: str) -> NDArray[np.float64]:
    """Turn one rate or several into a float array of numbers from 0 to 1."""
    rates = as_array(values, name=name)
    if rates.dtype.kind not in "iuf" or not bool(((rates >= 0) & (rates <= 1)).all()):
        raise RocInputError(f"must hold rates from 0 to 1, got {show(values)}", argument=name)
    return rates.astype(np.float64)


def as_rate_vector(values: Any, *, name: str) -> NDArray[np.float64]:
    """Turn one rate, or a one-dimensional array of them, into such an array.

    Examples
    --------
    >>> as_rate_vector(0.5, name="x").tolist()
    [0.5]
    """
    rates = np.atleast_1d(as_rates(values, name=name))
    if rates.ndim != 1 or rates.size == 0:
        raise RocInputError(
            f"must be a rate or a one-dimensional array of rates, got {show(values)}", argument=name
        )
    return rates


def as_scores(values: Any, *, name: str = "y_score") -> NDArray[Any]:
    """Turn scores into float64, or into int64 where float64 would merge neighbours.

    Missing values are refused, infinite ones are legal extreme ranks. Nothing is rounded:
    float16 and float32 are widened, wider floats must fit float64 exactly.
    """
    array = _as_numbers(values, name, what="scores")
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):  # longer floats that overflow are refused below
            scores = array.astype(np.float64, copy=False)
        if np.isnan(scores.max()):  # max passes NaN on, and needs no array of its own
            refuse_rows(np.isnan(scores), name=name, required="no missing scores", got="NaN")
        if array.dtype.itemsize > 8:
            required = "scores that float64 holds exactly"
            refuse_rows(scores != array, name=name, required=required, got="longer ones")
        return scores
    if array.dtype.itemsize < 8:
        return array.astype(np.float64)
    low, high = int(array.min()), int(array.max())
    if max(-low, high) <= EXACT_FLOAT_INTEGERS:
        return array.astype(np.float64)
    if high >= 2**63:
        raise RocInputError(f"must hold integers below 2**63, got {high}", argument=name)
    return array.astype(np.int64)


def _as_numbers(values: Any, name: str, *, what: str) -> NDArray[Any]:
    """A vector of numbers of NumPy's own types; text and other things are refused."""
    array = as_vector(values, name=name)
    if array.dtype.kind == "O":
        array = _numbers_from_objects(array, name, what=what)
    if array.dtype.kind not in "biuf":
        raise RocInputError(f"must hold numbers, got {_kind_name(array)}: {show(array[0])}", argument=name)
    return array


def _numbers_from_objects(array: NDArray[Any], name: str, *, what: str) -> NDArray[Any]:
    """Read an object array of Python numbers; text and complex numbers are refused, not parsed."""
    refuse_rows(missing(array), name=name, required=f"no missing {what}", got="missing values")
    wrong = np.fromiter((not isinstance(v, numbers.Real) for v in array), bool, len(array))
    if wrong.any():
        first = array[np.argmax(wrong)]
        refuse_rows(wrong, name=name, required="numbers", got=f"{type(first).__name__} such as {show(first)}")
    whole = all(isinstance(v, numbers.Integral) for v in array)
    try:
        exact = np.array([int(v) for v in array] if whole else [float(v) for v in array])
    except OverflowError:
        exact = array
    if exact.dtype.kind not in "iuf" or len(set(exact.tolist())) < len(set(array.tolist())):
        raise RocInputError("must hold numbers that fit 64 bits, got longer ones", argument=name)
    return exact


def missing(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark None, NaN, NaT and pandas.NA, without importing pandas."""
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array))
    if array.dtype.kind in "Mm":
        return np.asarray(np.isnat(array))
    if array.dtype.kind == "T":  # NumPy's text may have missing values of its own
        array = array.astype(object)
    if array.dtype.kind != "O":
        return np.zeros(array.shape, dtype=bool)
    marks = (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))
        for value in array.ravel()
    )
    return np.fromiter(marks, bool, array.size).reshape(array.shape)


def refuse_rows(wrong: NDArray[np.bool_], *, name: str, required: str, got: str) -> None:
    """Raise if any row is marked wrong, naming how many and the first five (counted from 0)."""
    if not wrong.any():
        return
    where = np.unique(np.nonzero(wrong)[0])
    raise RocInputError(f"must have {required}, got {got} in {row_list(where)}", argument=name)


def row_list(rows: NDArray[Any]) -> str:
    """Row numbers as text, counted from 0: the first five and how many there are.

    Examples
    --------
    >>> row_list(np.array([3, 8]))
    'rows 3, 8'
    >>> row_list(np.arange(100))
    'rows 0, 1, 2, 3, 4 and 95 more'
    """
    shown = ", ".join(str(row) for row in rows[:SHOWN_ROWS])
    more = f" and {len(rows) - SHOWN_ROWS} more" if len(rows) > SHOWN_ROWS else ""
    return f"row{'s' if len(rows) > 1 else ''} {shown}{more}"


def as_weights(values: Any, *, name: str = "sample_weight") -> NDArray[Any]:
    """Turn weights into int64 where all are whole (they count rows), else float64; negatives refused."""
    array = _as_numbers(values, name, what="weights")
    if array.dtype.kind == "f":
        refuse_rows(~np.isfinite(array), name=name, required="finite weights", got="NaN or infinite values")
    refuse_rows(array < 0, name=name, required="weights of at least 0", got="negative values")
    whole = array.dtype.kind != "f" or bool((array == np.floor(array)).all())
    if whole and float(array.max()) <= MAX_TOTAL and array.sum(dtype=np.float64) <= MAX_TOTAL:
        return array.astype(np.int64)
    return array.astype(np.float64)


def check_weight_sizes(weights: NDArray[Any], *, name: str, counts: bool = True) -> None:
    """Refuse weights whose products overflow or vanish, and `counts` that float64 would round."""
    if weights.dtype.kind != "f":
        return
    largest = float(weights.max())
    if counts and largest >= EXACT_FLOAT_INTEGERS and bool((weights == np.floor(weights)).all()):
        raise RocInputError("must add up to less than 2**62 where it counts cases, got more", argument=name)
    if not WEIGHT_RANGE[0] <= largest <= WEIGHT_RANGE[1]:
        raise RocInputError(
            f"must have its largest weight between 1e-100 and 1e100, got {largest:g}", argument=name
        )


def did_you_mean(value: Any, choices: Iterable[str]) -> str:
    """Hint at the nearest allowed name, or say nothing.

    Examples
    --------
    >>> did_you_mean("s100", ["s100b", "ndka"])
    "; did you mean 's100b'?"
    """
    known = list(choices)
    near = [name for name in known if name.lower() == str(value).lower()]
    near = near or difflib.get_close_matches(str(value), known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def show(value: Any, *, limit: int = 60) -> str:
    """Show a value in an error message: short, and plain for NumPy scalars."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _kind_name(array: NDArray[Any]) -> str:
    kinds = {"U": "text", "S": "bytes", "T": "text", "c": "complex numbers", "M": "dates", "m": "durations"}
    return kinds.get(array.dtype.kind, str(array.dtype))
