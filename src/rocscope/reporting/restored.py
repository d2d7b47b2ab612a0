"""Results made again from their JSON: `to_dict()` of a result holds what its picture and its text need.

Of a few types some fields are not saved, because they are as large as the data behind them. What the picture
shows without them is made from the others (`COMPLETED`); where that cannot be, the result does not come back.
"""

from __future__ import annotations

import dataclasses
import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Result
from rocscope.errors import RocInputError, RocscopeError

# Where each type that may be saved lives; no other is ever looked for, whatever a file says.
HOMES = {
    "algorithms.comparison": "AlgorithmComparison DatasetRow Failure Measured PairTests Verdict",
    "algorithms.distribution": "AlgorithmPair FoldDistribution",
    "algorithms.losses": "BestRange LossCurves MeanCrossing",
    "algorithms.paired_tests": "LearnerTest LearnerTests",
    "algorithms.ranks": "RankComparison RankPair",
    "averaging.curves": "AveragedCurve",
    "averaging.point_tests": "IndifferenceRegion PointComparison",
    "averaging.roc": "AveragedRoc",
    "binormal.combine": "BestWeights CombinedScore",
    "binormal.contaminated": "ContaminatedBinormal",
    "binormal.curve": "Binormal",
    "binormal.displays": "Densities DeviatePlot",
    "binormal.fusion": "FusionAgreement FusionChoice FusionPreview",
    "binormal.model_choice": "ModelChoice ModelFit",
    "binormal.pair": "BinormalPair",
    "binormal.proper": "ProperBinormal",
    "binormal.quadrature": "CombinedCurve",
    "bootstrap.components": "VarianceComponent VarianceComponents",
    "bootstrap.learning": "LearningCurve",
    "bootstrap.monte_carlo": "MonteCarlo MonteCarloRow",
    "bootstrap.result": "BootstrapAuc BootstrapEstimate ErrorEstimates",
    "core.curve": "RocCurve",
    "core.result": "Estimate TestResult",
    "inference.bands": "Band RocBand",
    "inference.compare": "CurveComparison PairDifference",
    "inference.crossings": "CurveCrossings",
    "inference.cutpoint": "CutPoint Optimism",
    "inference.decision_curve": "DecisionCurve",
    "inference.multiclass": "ClassArea MulticlassAuc PairArea",
    "inference.point_measures": "PointMeasures",
    "inference.power": "StudyPlan",
    "inference.precision_recall": "PrecisionRecall",
    "ordinal.curves": "ClassCurves ClassFront OrdinalCurve",
    "ordinal.decision": "OrdinalThresholds",
    "ordinal.resampling": "OrdinalFolds",
    "ordinal.roc": "OrdinalRoc OverallAreas",
    "papers.yousef_table": "Beside",
    "run.study": "StudyStatus",
    "training.cross_scores": "CrossScores",
    "training.ordinal_scores": "OrdinalEstimates",
}
HOME_OF = {name: home for home, names in HOMES.items() for name in names.split()}
# What a file that was changed by hand can make of a result: then its numbers are shown as they stand.
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    RuntimeWarning,
    StopIteration,
    TypeError,
    ValueError,
    RocscopeError,
)
# How a type names its arrays.
ARRAYS = ("NDArray", "Floats", "Counts")
INFINITE = ("inf", "-inf")


def restored(fields: Mapping[str, Any]) -> Result | None:
    """Make the result again that was saved; None where its type or its fields do not allow it.

    Examples
    --------
    >>> import rocscope as rs
    >>> area = rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> restored(area.to_dict()) == area
    True
    """
    try:
        with checked():
            return made(fields)
    except BROKEN:
        return None


@contextmanager
def checked() -> Iterator[None]:
    """Take a warning about numbers, as infinite ones make it, for an error that `BROKEN` names."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


def made(fields: Mapping[str, Any]) -> Result:
    """Make a result from its fields, or raise what `BROKEN` names."""
    kind = _kind(fields["type"])
    complete = COMPLETED.get(kind.__name__, dict)(dict(fields))
    known = [field for field in dataclasses.fields(kind) if field.name in complete]  # type: ignore[arg-type]
    return kind(**{field.name: _value(str(field.type), complete[field.name]) for field in known})


def _kind(name: Any) -> type[Result]:
    kind: type[Result] = getattr(import_module(f"rocscope.{HOME_OF[name]}"), name)
    return kind


def _value(annotation: str, value: Any) -> Any:
    """A value of JSON as its field has it: arrays, tuples, mappings, results, numbers."""
    if isinstance(value, Mapping):
        return made(value) if "type" in value else {key: _value("", inner) for key, inner in value.items()}
    if isinstance(value, list):
        is_array = annotation.startswith(ARRAYS)
        inner = next((name for name in ARRAYS if name in annotation), "")
        return as_array(value) if is_array else tuple(_value(inner, one) for one in value)
    is_infinite = annotation == "Any" and isinstance(value, str) and value in INFINITE
    return float(value) if is_infinite else value


def as_array(values: Any) -> NDArray[Any]:
    """Values of JSON as an array: null is NaN, infinite numbers are text, names stay what they are.

    Examples
    --------
    >>> as_array(["inf", 0.5, None]).tolist(), as_array([1, 2]).dtype.kind, as_array(["a", "b"]).tolist()
    ([inf, 0.5, nan], 'i', ['a', 'b'])
    """
    if isinstance(values, np.ndarray):
        return values
    plain = np.array(values)
    names = plain.dtype.kind == "U" and not np.isin(plain, INFINITE).any()
    if plain.dtype.kind in "biu" or names:
        return plain
    if plain.ndim == 1 and any(type(value) is int and abs(value) > 2**53 for value in values):
        return np.array([float(value) if isinstance(value, str) else value for value in values], dtype=object)
    return np.array(values, dtype=np.float64)


# ---- Fields that are not saved as they are ----------------------------------------------------------------


def _curve(fields: dict[str, Any]) -> dict[str, Any]:
    """Count true and false positives again, which a saved curve holds as rates only."""
    thresholds = as_array(["inf", *fields["thresholds"][1:]])  # integers beyond 2**53 stay integers
    counts = {
        name: _counted(np.array(fields[rate], dtype=np.float64), fields[n])
        for name, rate, n in (("tp", "tpr", "n_pos"), ("fp", "fpr", "n_neg"))
    }
    if any(np.any(np.diff(counted, prepend=0) < 0) for counted in counts.values()):
        raise RocInputError("rates of a curve must be numbers that do not fall, from 0 on")
    return fields | counts | {"thresholds": thresholds}


def _counted(rates: NDArray[np.float64], n: Any) -> NDArray[Any]:
    """Cases behind rates; of fractional weights their sums, as near as the rates tell them."""
    return np.round(rates * n).astype(np.int64) if isinstance(n, int) else rates * n


def _open_ended(fields: dict[str, Any]) -> dict[str, Any]:
    """An interval with one end is open at the other: infinite numbers are null in JSON."""
    if (fields["low"] is None) == (fields["high"] is None):
        return fields
    return fields | ({"low": -math.inf} if fields["low"] is None else {"high": math.inf})


def _average(fields: dict[str, Any]) -> dict[str, Any]:
    """Operating points of any kind."""
    points, counts = fields["points"], as_array(fields["counts"])
    if counts.dtype.kind not in "iu" or counts.ndim != 4 or len(counts) != len(points) or counts.min() < 0:
        raise RocInputError(
            "must be numbers of cases of every point, fold, class and decision", argument="counts"
        )
    rules = tuple(map(_rule, points)) if fields["kind"] == "rule" else None
    return fields | {"points": as_array(points) if rules is None else rules}


def _rule(saved: Any) -> Any:
    from rocscope.core import points

    kinds: dict[str, Any] = {"Threshold": points.Threshold, "ClassWeights": points.ClassWeights}
    return kinds[saved["type"]].from_json(json.dumps(saved))


def _fusion(fields: dict[str, Any]) -> dict[str, Any]:
    """Find the direction of each pair of weights again: the one it makes no angle with."""
    weights, directions = np.array(fields["weights"]), np.array(fields["directions"])
    lengths = np.linalg.norm(weights, axis=1)[:, np.newaxis] * np.linalg.norm(directions, axis=1)
    cosines = weights @ directions.T / np.where(lengths > 0, lengths, 1.0)
    return fields | {"direction": np.argmax(cosines, axis=1)}


def _crossings(fields: dict[str, Any]) -> dict[str, Any]:
    """Intervals have two columns even where there are none."""
    names = ("first_above", "second_above", "equal")
    return fields | {name: np.array(fields[name], dtype=np.float64).reshape(-1, 2) for name in names}


def _without_values(fields: dict[str, Any]) -> dict[str, Any]:
    """The values behind a summary, of which neither picture nor text speaks."""
    return {"values": np.empty(0)} | fields


COMPLETED: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "RocCurve": _curve,
    "AveragedRoc": _average,
    "CurveCrossings": _crossings,
    "Estimate": _open_ended,
    "FusionPreview": _fusion,
    "MonteCarlo": _without_values,
    "VarianceComponents": _without_values,
}
