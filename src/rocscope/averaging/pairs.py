"""Two classifiers over the same folds, compared at operating points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.point_tests import Method, differences_of, paired_test, read_names, repeated_notes
from rocscope.averaging.points import moments, read_equation
from rocscope.core import checks, formatting, significance
from rocscope.core.result import Result, json_numbers
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.averaging.roc import AveragedRoc

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassifierDifference(Result):
    """The measures of two classifiers at the same places of their averaged ROCs, and their difference.

    Attributes
    ----------
    names
        Names of the two classifiers.
    places
        Where they are compared, as text.
    indices
        The point of each classifier there, [place, classifier].
    measures
        Names of the compared measures.
    mean
        Mean over folds, [classifier, place, measure].
    difference, low, high
        Mean over folds of the first minus the second, [place, measure], and its confidence interval.
    statistic, p_value, df
        The t test of the folds' differences.
    p_adjusted
        Holm's adjustment over all places and measures.
    defined
        Where the test is defined; elsewhere some fold has no value, and the numbers are NaN.
    method, level
        Of the test, as in `AveragedRoc.compare_to`.
    first, second
        The averaged ROCs.
    """

    view: ClassVar[str] = "average.classifier_difference_picture"

    names: tuple[str, str]
    places: tuple[str, ...]
    indices: NDArray[np.int64]
    measures: tuple[str, ...]
    mean: Floats
    difference: Floats
    low: Floats
    high: Floats
    statistic: Floats
    p_value: Floats
    p_adjusted: Floats
    defined: NDArray[np.bool_]
    df: float
    method: str
    level: float
    first: AveragedRoc = field(repr=False)
    second: AveragedRoc = field(repr=False)

    def __len__(self) -> int:
        return self.difference.size

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, with those of the averaged ROCs."""
        fields = Result.to_dict(self) | {"mean": json_numbers(self.mean)}
        return fields | {"first": self.first.to_dict(), "second": self.second.to_dict()}

    def columns(self) -> dict[str, Any]:
        """One row per place and measure."""
        n_places, n_measures = self.difference.shape
        table: dict[str, Any] = {
            "at": [place for place in self.places for _ in self.measures],
            "measure": list(self.measures) * n_places,
        }
        for k, name in enumerate(self.names):
            table[f"point of {name}"] = np.repeat(self.indices[:, k], n_measures)
            table[name] = self.mean[k].ravel()
        for column in ("difference", "low", "high", "statistic", "p_value", "p_adjusted"):
            table[column] = getattr(self, column).ravel()
        return table

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """Without the numbers of the points; the classifiers keep their names."""
        own = {name: values for name, values in self.columns().items() if not name.startswith("point of ")}
        return own, {name: name for name in self.names}, [f"{self.names[0]} minus {self.names[1]}."]

    def _summary(self) -> str:
        lines = [
            f"{self.names[0]} minus {self.names[1]} over {len(self.first.folds)} folds "
            f"({self.method}, {self.df:g} df, {self.level * 100:g}% intervals)"
        ]
        for k, place in enumerate(self.places):
            points = (
                roc.point_name(i) for roc, i in zip((self.first, self.second), self.indices[k], strict=True)
            )
            lines.append(f"at {place}: {' and '.join(points)}")
            for m, name in enumerate(self.measures):
                means = f"  {name} {self.mean[0, k, m]:.4f} and {self.mean[1, k, m]:.4f}"
                if not self.defined[k, m]:
                    lines.append(f"{means}: not tested, it has no value in some fold")
                    continue
                lines.append(f"{means}: {self.figures(k, m)}")
        return "\n".join(lines)

    def _notes(self) -> list[str]:
        return [*Result._notes(self), *repeated_notes(self.method, self.first, self.second)]

    def figures(self, place: int, measure: int) -> str:
        """Difference, interval and p-values of one place and measure as text."""
        at = (place, measure)
        # A difference of no more than rounding is none: it shall not have a sign.
        difference = round(float(self.difference[at]), 12) + 0.0
        text = formatting.with_interval(difference, self.low[at], self.high[at], signed=True)
        holm = f" (Holm {formatting.p_value(self.p_adjusted[at])})" if len(self) > 1 else ""
        return f"{text}, p = {formatting.p_value(self.p_value[at])}{holm}"


def compare_classifiers(
    roc: AveragedRoc,
    other: AveragedRoc,
    *,
    at: Any = "youden",
    measures: Any = None,
    names: Any = ("first", "second"),
    method: Method = "paired-t",
    level: float = 0.95,
    test_over_train: float | None = None,
) -> ClassifierDifference:
    """Compare this classifier with another one at the same places, over the same folds.

    Parameters
    ----------
    roc, other
        Averages of two classifiers over the same folds of the same cases; `AveragedRoc.compare_with` is this
        function. Averages at `points="all"` have a point near every place.
    at
        Where to compare: one place, or a list of places. Each classifier is operated at its own point
        there, which `AveragedRoc.locate` gives:

        - "fpr=0.2", "tpr=0.9" or any other measure: the point where its mean is nearest to that;
        - a constraint such as "tpr>=0.9", a tuple of several, or a rule such as "youden": the point
          that `select` gives;
        - "threshold=0.5": the same threshold, which must be a point of both;
        - a pair of indices, the point of each.
    measures
        Names of any measures; those of this average by default.
    names
        Names of the two classifiers.
    method, level, test_over_train
        As in `AveragedRoc.compare_to`: "corrected" raises the variance for the overlap of training sets.

    Returns
    -------
    ClassifierDifference

    Notes
    -----
    The points are chosen on the cases that test them, separately for each classifier: of two classifiers
    neither is favoured, but both are somewhat too good. At "fpr=0.2" the measure "fpr" itself says how far
    the points are from the same FPR.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> rng = np.random.default_rng(1)
    >>> y, fold = np.tile([0, 1], 50), np.repeat(range(5), 20)
    >>> a, b = y + rng.normal(size=100), y + 2 * rng.normal(size=100)
    >>> first, second = (average_roc(y, score, fold=fold, points="all") for score in (a, b))
    >>> print(first.compare_with(second, at="tpr>=0.6", measures="fpr", names=("a", "b")))
    a minus b over 5 folds (paired-t, 4 df, 95% intervals)
    at tpr>=0.6: point 43 (threshold 0.6861) and point 43 (threshold 0.9969)
      fpr 0.2200 and 0.2800: -0.060 (-0.248 to +0.128), p = 0.426
    """
    if not hasattr(other, "fold_values"):
        raise RocInputError(f"must be an AveragedRoc, got {type(other).__name__}", argument="other")
    same = other.classes == roc.classes and other.folds == roc.folds
    if not same or not np.array_equal(_fold_sizes(other), _fold_sizes(roc)):
        raise RocInputError("must have the same classes, folds and cases in each fold", argument="other")
    labels = checks.check_names(names, name="names", at_least=2)
    if len(labels) != 2:
        raise RocInputError(f"must hold two names, got {checks.show(list(labels))}", argument="names")
    both, measured = (roc, other), roc.measures if measures is None else read_names(measures)
    places = list(at) if isinstance(at, list) else [at]
    if not places:
        raise RocInputError("must hold at least one place, got none", argument="at")
    rows = [_located(roc, other, place) for place in places]
    indices = np.array([found for _, found in rows], dtype=np.int64)
    # [place, measure, fold] of each
    first, second = (
        np.stack([one.fold_values(name)[indices[:, k]] for name in measured], axis=1)
        for k, one in enumerate(both)
    )
    test, _ = paired_test(
        differences_of(first, second),
        roc.test_over_train,
        method=method,
        level=level,
        test_over_train=test_over_train,
    )
    adjusted = np.full(test.p_value.shape, np.nan)
    adjusted[test.defined] = significance.holm(test.p_value[test.defined])
    return ClassifierDifference(
        names=(str(labels[0]), str(labels[1])),
        places=tuple(text for text, _ in rows),
        indices=indices,
        measures=tuple(measured),
        mean=np.stack([moments(first)[0], moments(second)[0]]),
        difference=test.mean,
        low=test.low,
        high=test.high,
        statistic=test.statistic,
        p_value=test.p_value,
        p_adjusted=adjusted,
        defined=test.defined,
        df=test.df,
        method=method,
        level=level,
        first=roc,
        second=other,
    )


def _fold_sizes(roc: AveragedRoc) -> NDArray[np.int64]:
    """Cases by fold and class."""
    return np.asarray(roc.counts[0].sum(axis=-1))


def _located(roc: AveragedRoc, other: AveragedRoc, place: Any) -> tuple[str, tuple[int, int]]:
    """A place as text, and the point of each classifier there."""
    if isinstance(place, str):
        found = roc.locate(place).index, other.locate(place).index
        equation = read_equation(place)
        if equation is not None and equation[0] == "threshold":
            cuts = [
                None if one.thresholds is None else one.thresholds[k]
                for one, k in zip((roc, other), found, strict=True)
            ]
            if cuts != [equation[1]] * 2:
                raise RocInputError(
                    f"must be a threshold of both averages (`also` puts it there), got {checks.show(place)}",
                    argument="at",
                )
        return place.strip(), found
    if isinstance(place, tuple) and place and all(isinstance(part, str) for part in place):
        return " and ".join(place), (roc.locate(place).index, other.locate(place).index)
    if not isinstance(place, tuple) or len(place) != 2:
        raise RocInputError(
            f"must be a place such as 'fpr=0.2' or a pair of indices, got {checks.show(place)}", argument="at"
        )
    first, second = roc.check_index(place[0], name="at"), other.check_index(place[1], name="at")
    return f"points {first} and {second}", (first, second)
