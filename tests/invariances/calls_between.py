"""How the functions of several curves or classes, and those that plan a study, are called on a sample."""

from collections.abc import Callable
from typing import Any

import numpy as np

import rocscope as rs
from invariances.calls import ends, numbers
from invariances.sample import Figures, Sample

ROW = ("difference", "low", "high", "statistic", "df", "p_value", "p_adjusted", "reason", "p_equivalence")


def comparison(*, paired: bool = True, **more: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        scores = dict(zip("abc", sample.scores, strict=False))
        y = sample.y if paired else dict.fromkeys(scores, sample.y)
        found = rs.compare_auc(y, scores, paired=paired, **more, **sample.options)
        rows = {f"{row.first}-{row.second} {name}": row[name] for row in found.pairs for name in ROW}
        joint = {name: getattr(found, name) for name in ("kind", "statistic", "df", "p_value", "status")}
        return rows | joint | {"auc": found.auc, "cov": found.cov, "variances": np.diag(found.cov)}

    return call


def calibrations(sample: Sample) -> Figures:
    """The scores become probabilities, the middles of their ranks."""
    scores = {}
    for name, column in zip("ab", sample.scores, strict=True):
        values, rank = np.unique(np.asarray(column), return_inverse=True)
        scores[name] = (rank + 0.5) / len(values)
    found = rs.compare_calibration(sample.y, scores, n_boot=100, rng=1, **sample.options)
    names = ("difference", "se", "low", "high", "p_value", "p_adjusted")
    rows = [numbers(row[name] for name in names) for row in found.differences]
    return {"values": found.values, "score tests": np.stack(rows[:2]), "miscalibration": rows[2]}


def crossing(sample: Sample) -> Figures:
    first, second = (rs.roc_curve(sample.y, scores, **sample.options) for scores in sample.scores)
    found = rs.crossings(first, second)
    names = ("fpr", "tpr", "first_above", "second_above", "equal")
    result = {name: getattr(found, name) for name in names}
    return result | {"dominant": found.dominant, "crossings": len(found.fpr)}


def reader_study(**how: Any) -> Callable[[Sample], Figures]:
    """Three readers, each with two of the three scores, which are two modalities."""

    def call(sample: Sample) -> Figures:
        y, (a, b, c) = np.asarray(sample.y), map(np.asarray, sample.scores)
        cells = [("1", "x", a), ("1", "y", b), ("2", "x", b), ("2", "y", c), ("3", "x", a), ("3", "y", c)]
        found = rs.reader_study(
            np.concatenate([y] * len(cells)),
            np.concatenate([scores for _, _, scores in cells]),
            reader=np.repeat([reader for reader, _, _ in cells], len(y)),
            modality=np.repeat([modality for _, modality, _ in cells], len(y)),
            case=np.tile(np.arange(len(y)), len(cells)),
            **how,
            **sample.options,
        )
        names = ("difference", "se", "low", "high", "statistic", "df", "p_value", "status", "reason")
        rows = np.stack(
            [numbers(row[name] for name in ("value", "se", "low", "high")) for row in found.means]
        )
        return {name: getattr(found, name) for name in (*names, "auc", "cov")} | {"means": rows}

    return call


# ---- Several classes --------------------------------------------------------------------------------------


def classes(**how: Any) -> Callable[[Sample], Figures]:
    """Two classes with a column each; scores must not be negative, so each column is moved up to 0."""

    def call(sample: Sample) -> Figures:
        matrix = np.stack([_from_zero(column) for column in sample.scores], axis=1)
        return _class_figures(sample, matrix, **how)

    return call


def one_score(**how: Any) -> Callable[[Sample], Figures]:
    """One score of both classes."""
    return lambda sample: _class_figures(sample, sample.scores[0], **how)


def labels(sample: Sample) -> Figures:
    """Two labels that the same cases have, with a score each."""
    positive = np.asarray(sample.y) == sample.options.get("pos_label", 1)
    indicators = np.stack([positive, positive], axis=1)
    return _area_figures(
        rs.multiclass_auc(indicators, np.stack([_from_zero(c) for c in sample.scores], axis=1))
    )


def _class_figures(sample: Sample, scores: Any, **how: Any) -> Figures:
    positive = sample.options.get("pos_label", 1)
    labels = set(np.asarray(sample.y).tolist())
    names = [*(label for label in labels if label != positive), positive]
    return _area_figures(rs.multiclass_auc(sample.y, scores, classes=names, **how))


def _area_figures(found: Any) -> Figures:
    rows = np.stack([ends(row) for row in found.rows])
    return {
        "value": found.value,
        # A sum over the rows in floats: its last bits follow their order.
        "se": None if found.se is None else float(f"{found.se:.12g}"),
        "ends": ends(found).round(12),
        "rows": rows,
        "row values": rows[:, 0],
        "status": found.status,
    }


def _from_zero(scores: Any) -> Any:
    """Scores from 0 on, as far apart as they were; ranks where they are infinite."""
    values = np.asarray(scores)
    values = values.astype(np.float64) if values.dtype.kind == "O" else values
    if values.dtype.kind == "f" and np.isinf(values).any():
        return np.unique(values, return_inverse=True)[1].astype(np.float64)
    return (values - values.min()).astype(np.float64)


# ---- Plans ------------------------------------------------------------------------------------------------


def plan(sample: Sample) -> Figures:
    """The power of a study like this one."""
    pilot = rs.roc_curve(sample.y, sample.scores[0], **sample.options)
    size = {"n_pos": pilot.n_pos, "n_neg": pilot.n_neg}
    one = rs.power(pilot.auc, **size, method="binormal")
    two = rs.power(pilot.auc, 0.6, **size, corr=0.5)
    return {"one": numbers([one.power, one.half_width]), "two": numbers([two.power, two.half_width])}


def plan_size(sample: Sample) -> Figures:
    """The size of a study that shows this area."""
    pilot = rs.roc_curve(sample.y, sample.scores[0], **sample.options)
    found = rs.sample_size(pilot.auc, power=0.9, ratio=pilot.n_neg / pilot.n_pos, method="binormal")
    return {"n_pos": found.real_n_pos, "n_neg": found.real_n_neg, "half_width": found.half_width}


def pilot_size(sample: Sample) -> Figures:
    """The size of a study that shows the difference of two scores."""
    scores = dict(zip("ab", sample.scores, strict=True))
    found = rs.sample_size(rs.compare_auc(sample.y, scores, **sample.options), power=0.9)
    return {"n_pos": found.real_n_pos, "n_neg": found.real_n_neg, "half_width": found.half_width}


def swapped_size(figures: Figures) -> Figures:
    return {"n_pos": figures["n_neg"], "n_neg": figures["n_pos"], "half_width": figures["half_width"]}
