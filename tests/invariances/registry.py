"""Every public function, once: how it is called on a sample, and which figures of its answer stay the same.

A new public function gets one `Entry` here, and every invariance of test_invariances.py is tried on it.
A class is named in NOT_FUNCTIONS. Anything public that is in neither fails a test.
"""

import csv
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
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
    drawn
        Figures that depend on random draws of rows: they stay only while the rows keep their order.
    arrays
        Whether the function takes arrays, of whatever type; a reader of files does not.
    samples
        Names of the samples it is tried on, for a slow function; all without it.
    """

    name: str
    call: Callable[[Sample], dict[str, Any]]
    columns: int = 1
    scores: tuple[str, ...] = ()
    swap: Callable[[dict[str, Any]], dict[str, Any]] = lambda figures: figures
    repeated: tuple[str, ...] = ()
    variances: tuple[str, ...] = ()
    weighted: bool = False
    drawn: tuple[str, ...] = ()
    arrays: bool = True
    samples: tuple[str, ...] | None = None


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


def _part(sample: Sample) -> dict[str, Any]:
    figures = {}
    for name, ranges in {"over FPR": {"fpr": (0.25, 0.75)}, "over TPR": {"tpr": (0.25, 0.75)}}.items():
        found = rs.partial_auc(sample.y, sample.scores[0], **ranges, n_boot=100, rng=1, **sample.options)
        figures |= {f"{field} {name}": found[field] for field in ("value", "se", "low", "high", "status")}
    return figures


def _swapped_part(figures: dict[str, Any]) -> dict[str, Any]:
    """A range of FPR becomes one of TPR."""
    return {"value over FPR": figures["value over TPR"], "value over TPR": figures["value over FPR"]}


def _file(sample: Sample) -> dict[str, Any]:
    """The sample goes through a file; options named like columns become columns."""
    columns = {"y": sample.y, "s": sample.scores[0]}
    options = dict(sample.options)
    if "sample_weight" in options:
        columns["w"] = options.pop("sample_weight")
        options["weight"] = "w"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*([_cell(v) for v in c] for c in columns.values()), strict=True))
        table = rs.read_scores(path, label="y", score="s", **options).table()
    return {"auc": table.auc, "n_pos": table.n_pos, "n_neg": table.n_neg, "scores": table.scores}


def _cell(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    return repr(float(value)) if isinstance(value, (float, np.longdouble)) else str(value)


def _swapped_file(figures: dict[str, Any]) -> dict[str, Any]:
    return {
        "auc": figures["auc"],
        "n_pos": figures["n_neg"],
        "n_neg": figures["n_pos"],
        "scores": -figures["scores"][::-1],
    }


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
    Entry(
        name="partial_auc",
        call=_part,
        swap=_swapped_part,
        repeated=("value over FPR", "value over TPR"),
        drawn=tuple(f"{field} over {rate}" for field in ("se", "low", "high") for rate in ("FPR", "TPR")),
    ),
    Entry(
        name="read_scores",
        call=_file,
        scores=("scores",),
        swap=_swapped_file,
        repeated=("auc", "scores"),
        weighted=True,
        arrays=False,
        samples=("few ties",),
    ),
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
