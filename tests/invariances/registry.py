"""Every public function, once: how it is called on a sample, and which figures of its answer stay the same.

A new public function gets one `Entry` here, and every invariance of test_invariances.py is tried on it.
A class is named in NOT_FUNCTIONS. Anything public that is in neither fails a test.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import rocscope as rs


@dataclass(frozen=True)
class Sample:
    """Labels and score columns; `options` go to the function as they are (pos_label, sample_weight)."""

    y: Any
    scores: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """One way to call a public function, and its answer as named figures.

    Attributes
    ----------
    call
        From a sample to figures: numbers, None, text or arrays, compared field by field.
    scores
        Figures on the scale of the scores: an increasing map of the scores maps them as well.
    swap
        The figures expected when the classes change places and the scores their sign; without it all
        figures stay.
    repeated
        Figures that stay exactly when every row is there twice.
    variances
        Figures (squared standard errors) that shrink then: each class's part by (m - 1) / (2m - 1).
    weighted
        Whether the function takes `sample_weight`.
    """

    name: str
    call: Callable[[Sample], dict[str, Any]]
    columns: int = 1
    scores: tuple[str, ...] = ()
    swap: Callable[[dict[str, Any]], dict[str, Any]] = lambda figures: figures
    repeated: tuple[str, ...] = ()
    variances: tuple[str, ...] = ()
    weighted: bool = False


# ---- How each function is called --------------------------------------------------------------------------


def _curve(sample: Sample) -> dict[str, Any]:
    curve = rs.roc_curve(sample.y, sample.scores[0], **sample.options)
    hull = curve.hull()
    return {
        "fpr": curve.fpr,
        "tpr": curve.tpr,
        "thresholds": curve.thresholds,
        "auc": curve.auc,
        "n_pos": curve.n_pos,
        "n_neg": curve.n_neg,
        "part": curve.partial_auc(fpr=(0.25, 0.75)),
        "other part": curve.partial_auc(tpr=(0.25, 0.75)),
        "hull": np.stack([hull.fpr, hull.tpr]),
        "hull area": hull.auc,
        "chosen": curve.select(rule="closest"),
    }


def _swapped_curve(figures: dict[str, Any]) -> dict[str, Any]:
    """The point (FPR, TPR) becomes (1 - TPR, 1 - FPR), and a range of FPR one of TPR."""
    return {
        "fpr": 1 - figures["tpr"][::-1],
        "tpr": 1 - figures["fpr"][::-1],
        "auc": figures["auc"],
        "n_pos": figures["n_neg"],
        "n_neg": figures["n_pos"],
        "part": figures["other part"],
        "other part": figures["part"],
        "hull": 1 - figures["hull"][::-1, ::-1],
        "hull area": figures["hull area"],
    }


def _area(**method: Any) -> Callable[[Sample], dict[str, Any]]:
    def call(sample: Sample) -> dict[str, Any]:
        found = rs.auc(sample.y, sample.scores[0], **method, **sample.options)
        figures = {name: found[name] for name in ("value", "low", "high", "status", "reason")}
        return figures | {"variance": None if found.se is None else found.se**2}

    return call


def _swapped_area(figures: dict[str, Any]) -> dict[str, Any]:
    """The area stays; which class has too few members is told by its name."""
    return {name: value for name, value in figures.items() if name != "reason"}


def _comparison(*, paired: bool = True, **more: Any) -> Callable[[Sample], dict[str, Any]]:
    def call(sample: Sample) -> dict[str, Any]:
        scores = dict(zip("abc", sample.scores, strict=False))
        y = sample.y if paired else dict.fromkeys(scores, sample.y)
        found = rs.compare_auc(y, scores, paired=paired, **more, **sample.options)
        rows = {
            f"{row.first}-{row.second} {name}": row[name]
            for row in found.pairs
            for name in ("difference", "low", "high", "statistic", "df", "p_value", "p_adjusted", "reason")
        }
        joint = {name: getattr(found, name) for name in ("kind", "statistic", "df", "p_value", "status")}
        return rows | joint | {"auc": found.auc, "cov": found.cov, "variances": np.diag(found.cov)}

    return call


ENTRIES = [
    Entry(
        name="roc_curve",
        call=_curve,
        scores=("thresholds",),
        swap=_swapped_curve,
        repeated=("fpr", "tpr", "thresholds", "auc", "part", "other part", "hull", "hull area", "chosen"),
        weighted=True,
    ),
    Entry(
        name="auc",
        call=_area(),
        swap=_swapped_area,
        repeated=("value",),
        variances=("variance",),
    ),
    Entry(name="auc", call=_area(method="logit"), swap=_swapped_area, repeated=("value",)),
    Entry(
        name="compare_auc",
        call=_comparison(),
        columns=2,
        repeated=("auc", "a-b difference"),
        variances=("variances",),
    ),
    Entry(name="compare_auc", call=_comparison(), columns=3, repeated=("auc", "kind")),
    Entry(
        name="compare_auc",
        call=_comparison(contrasts=[[1, -2, 1]]),
        columns=3,
        repeated=("auc", "b-c difference"),
    ),
    Entry(name="compare_auc", call=_comparison(paired=False), columns=2, repeated=("auc",)),
]

NOT_FUNCTIONS = {
    "BinaryScores",
    "ClassScores",
    "ClassWeights",
    "CurveComparison",
    "Estimate",
    "OrdinalScores",
    "PairDifference",
    "ResourceError",
    "RocCurve",
    "RocInputError",
    "RocWarning",
    "RocscopeError",
    "ScoreTable",
    "TestResult",
    "Threshold",
    "UndefinedError",
}
