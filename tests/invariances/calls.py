"""How each function of one classifier is called on a sample, and its answer with the classes swapped."""

import csv
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

import rocscope as rs
from invariances.sample import Figures, Sample

DRAWS = {"n_boot": 100, "rng": 1}
ENDS = ("value", "low", "high")


def distinct(scores: Any) -> list[Any]:
    """The distinct scores, ascending: a threshold that is one of them follows every increasing map."""
    return sorted(set(np.asarray(scores).tolist()))


def numbers(values: Iterable[Any]) -> Any:
    """Numbers as one array; None becomes NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def ends(estimate: rs.Estimate) -> Any:
    """An estimate with the ends of its interval, as an array."""
    return numbers(estimate[name] for name in ENDS)


# ---- Curve and area ---------------------------------------------------------------------------------------


def curve(sample: Sample) -> Figures:
    found = rs.roc_curve(sample.y, sample.scores[0], **sample.options)
    hull = found.hull()
    return {
        "fpr": found.fpr,
        "tpr": found.tpr,
        "thresholds": found.thresholds,
        "auc": found.auc,
        "n_pos": found.n_pos,
        "n_neg": found.n_neg,
        "part": found.partial_auc(fpr=(0.25, 0.75)).value,
        "other part": found.partial_auc(tpr=(0.25, 0.75)).value,
        "hull": np.stack([hull.fpr, hull.tpr]),
        "hull area": hull.auc,
        "chosen": found.select(rule="closest").index,
    }


def swapped_curve(figures: Figures) -> Figures:
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


def area(**method: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.auc(sample.y, sample.scores[0], **method, **sample.options)
        figures = {name: found[name] for name in ("value", "low", "high", "status", "reason")}
        return figures | {"variance": None if found.se is None else found.se**2}

    return call


def swapped_area(figures: Figures) -> Figures:
    """The area stays; which class has too few members is reported by its name."""
    return {name: value for name, value in figures.items() if name != "reason"}


def _from_the_ends(sample: Sample) -> Any:
    """How far each score is from the nearer end of the ranking: the same for any increasing map, and swap."""
    ranks = np.unique(sample.scores[0], return_inverse=True)[1]
    return np.minimum(ranks, ranks.max() - ranks)


def _designed(
    call: Callable[[Sample], Figures], design: Callable[[Any], Figures]
) -> Callable[[Sample], Figures]:
    """The call with more options, made of ranks; sums of influences round by the order of the rows."""

    def designed(sample: Sample) -> Figures:
        options = sample.options | design(_from_the_ends(sample))
        figures = call(Sample(sample.y, sample.scores, options))
        return {
            name: np.round(np.asarray(value, np.float64), 12)
            if "threshold" not in name and isinstance(value, (float, np.ndarray)) and name != "x"
            else value
            for name, value in figures.items()
        }

    return designed


def clustered(call: Callable[[Sample], Figures]) -> Callable[[Sample], Figures]:
    """The call with clusters: scores that are equally far from either end."""
    return _designed(call, lambda ranks: {"groups": ranks})


def weighted(call: Callable[[Sample], Figures]) -> Callable[[Sample], Figures]:
    """The call with survey weights."""
    return _designed(call, lambda ranks: {"sample_weight": 0.5 + ranks % 3, "weight_kind": "survey"})


def area_by_errors(sample: Sample) -> Figures:
    """The threshold is the middle one of the distinct scores."""
    values = distinct(sample.scores[0])
    return area(method="cortes-mohri", threshold=values[len(values) // 2])(sample)


class Known:
    """A fitted estimator whose decision function is the one feature."""

    def fit(self, X: Any, y: Any) -> None: ...

    def get_params(self) -> dict[str, Any]:
        return {}

    def decision_function(self, X: Any) -> Any:
        return X[:, 0]


def scored(sample: Sample) -> Figures:
    # Ranks: outputs of estimators are floats, in which long integers would be tied.
    X = np.unique(sample.scores[0], return_inverse=True)[1].reshape(-1, 1).astype(float)
    asked: dict[str, dict[str, Any]] = {
        "auc": {},
        "partial_auc": {"fpr": (0.25, 0.75)},
        "tpr_at_fpr": {"value": 0.3},
        "neg_fpr_at_tpr": {"value": 0.7},
        "average_precision": {},
    }
    return {
        name: rs.scorer(name, **options, **sample.options)(Known(), X, sample.y)
        for name, options in asked.items()
    }


def swapped_scored(figures: Figures) -> Figures:
    """The point (FPR, TPR) becomes (1 - TPR, 1 - FPR); precision is that of another class."""
    return {
        "auc": figures["auc"],
        "tpr_at_fpr": 1 + figures["neg_fpr_at_tpr"],
        "neg_fpr_at_tpr": figures["tpr_at_fpr"] - 1,
    }


def part(sample: Sample) -> Figures:
    figures = {}
    for name, ranges in {"over FPR": {"fpr": (0.25, 0.75)}, "over TPR": {"tpr": (0.25, 0.75)}}.items():
        found = rs.partial_auc(
            sample.y, sample.scores[0], **ranges, method="bootstrap", **DRAWS, **sample.options
        )
        figures |= {f"{field} {name}": found[field] for field in ("value", "se", "low", "high", "status")}
    return figures


def swapped_part(figures: Figures) -> Figures:
    """A range of FPR becomes one of TPR."""
    return {"value over FPR": figures["value over TPR"], "value over TPR": figures["value over FPR"]}


def zone(sample: Sample) -> Figures:
    found = rs.grey_zone(
        sample.y, sample.scores[0], sensitivity=0.8, specificity=0.8, **DRAWS, **sample.options
    )
    cuts = ("rule_out", "rule_out_low", "rule_out_high", "rule_in", "rule_in_low", "rule_in_high")
    return {
        "cut-offs": np.array([found.rule_out, found.rule_in], dtype=object),
        "ends": np.array([v for v in (getattr(found, cut) for cut in cuts) if v is not None], dtype=object),
        "single": np.array([v for v in (found.single,) if v is not None], dtype=object),
        "shares": numbers(
            value for row in found.shares for value in (row.count, row.value, row.low, row.high)
        ),
        "reached": numbers([found.sensitivity.value, found.specificity.value]),
        "status": found.status,
    }


def swapped_zone(figures: Figures) -> Figures:
    """What rules out rules in: the two rates change places. The draws are other ones."""
    return {"reached": figures["reached"][::-1], "status": figures["status"]}


# ---- Bands ------------------------------------------------------------------------------------------------


def band_at_rates(at: str = "fpr") -> Callable[[Sample], Figures]:
    mean, low, high, fixed = ("mean", "low", "high", "fpr")
    if at == "tpr":
        mean, low, high, fixed = ("fpr", "fpr_low", "fpr_high", "mean")

    def call(sample: Sample) -> Figures:
        figures = {}
        for name, simultaneous in {"pointwise": False, "simultaneous": True}.items():
            found = rs.roc_band(
                sample.y,
                sample.scores[0],
                at=at,
                x=[0, 0.1, 0.5, 1],
                simultaneous=simultaneous,
                **DRAWS,
                **sample.options,
            )
            figures |= {f"{name} low": getattr(found, low), f"{name} high": getattr(found, high)}
        both = {"mean": getattr(found, mean), "fixed": getattr(found, fixed)}
        return figures | both | {"defined": found.defined.tolist()}

    return call


def band_at_thresholds(**kind: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.roc_band(sample.y, sample.scores[0], at="threshold", **kind, **sample.options)
        inner = slice(None, -1)  # the lowest score calls every case positive
        names = ("mean", "low", "high", "fpr", "fpr_low", "fpr_high")
        return {"x": found.x} | {name: getattr(found, name)[inner] for name in names}

    return call


def swapped_band(figures: Figures) -> Figures:
    """Rates change places, from the last threshold to the first, and so do the ends of their intervals."""
    names = {
        "mean": "fpr",
        "low": "fpr_high",
        "high": "fpr_low",
        "fpr": "mean",
        "fpr_low": "high",
        "fpr_high": "low",
    }
    return {name: 1 - figures[other][::-1] for name, other in names.items()}


# ---- One operating point ----------------------------------------------------------------------------------


def measures(**kind: Any) -> Callable[[Sample], Figures]:
    """At the highest score, and at the lowest but one: these two change places with the classes."""

    def call(sample: Sample) -> Figures:
        values = distinct(sample.scores[0])
        figures: Figures = {}
        for name, threshold in {"top": values[-1], "bottom": values[1]}.items():
            figures |= _measures(name, sample, threshold=threshold, **kind)
        return figures

    return call


def _measures(name: str, sample: Sample, **request: Any) -> Figures:
    found = rs.point_measures(
        sample.y, sample.scores[0], cost=(2, 3), threshold_probability=0.25, **request, **sample.options
    )
    counts = {f"{name} counts": np.array([found.tp, found.fp, found.fn, found.tn])}
    result = {f"{name} {measure}": ends(estimate) for measure, estimate in found.estimates.items()}
    return {f"{name} threshold": np.array([found.threshold])} | counts | result


def swapped_measures(figures: Figures) -> Figures:
    """Positives and negatives change places, and with them what was called one and the other."""
    names = {"sensitivity": "specificity", "ppv": "npv", "accuracy": "accuracy", "youden": "youden"}
    both = names | {other: name for name, other in names.items()}
    expected = {}
    for here, there in (("top", "bottom"), ("bottom", "top")):
        expected[f"{here} counts"] = figures[f"{there} counts"][::-1]
        expected |= {f"{here} {name}": figures[f"{there} {other}"] for name, other in both.items()}
    return expected


def chosen_measures(sample: Sample) -> Figures:
    return _measures("chosen", sample, rule="closest")


def cut(*constraints: str, **rule: Any) -> Callable[[Sample], Figures]:
    def call(sample: Sample) -> Figures:
        found = rs.cutpoint(sample.y, sample.scores[0], *constraints, **rule, **DRAWS, **sample.options)
        figures: Figures = {
            "threshold": np.array([found.threshold]),
            "choices": found.choices,
            "share": found.share,
            "lost": [found.n_infeasible, found.n_not_left_out],
            "interval": np.array([] if found.low is None else [found.low, found.high]),
            "status": found.status,
        }
        for row in found.measures:
            figures[f"{row.name} apparent"] = row.apparent
            figures[f"{row.name} judged"] = numbers([row.out_of_bag, row.optimism, row.sd])
        return figures

    return call


# ---- Precision and benefit --------------------------------------------------------------------------------


def precision(sample: Sample) -> Figures:
    found = rs.precision_recall(sample.y, sample.scores[0], recall=[0.25, 0.8], **DRAWS, **sample.options)
    return {
        "thresholds": found.thresholds,
        "recall": found.recall,
        "precision": found.precision,
        "mean": found.band.mean,
        "band": np.stack([found.band.low, found.band.high]),
        "average": found.average_precision.value,
        "average ends": ends(found.average_precision),
        "area": found.area.value,
        "area ends": ends(found.area),
        "prevalence": found.prevalence,
    }


def swapped_precision(figures: Figures) -> Figures:
    """Precision speaks of one class alone; only its share turns."""
    return {"prevalence": 1 - figures["prevalence"]}


def benefit(sample: Sample) -> Figures:
    """The scores become probabilities, the middles of their ranks: what increases alike gives the same."""
    values, rank = np.unique(np.asarray(sample.scores[0]), return_inverse=True)
    probabilities = (rank + 0.5) / len(values)
    found = rs.net_benefit(
        sample.y, probabilities, probabilities=np.arange(1, len(values)) / len(values), **sample.options
    )
    return {
        "mean": found.band.mean,
        "ends": np.stack([found.band.low, found.band.high]),
        "all": found.treat_all,
        "tp": found.tp / found.n_pos,
        "fp": found.fp / found.n_neg,
        "prevalence": found.prevalence,
    }


def smoothed(sample: Sample) -> Figures:
    """The scores become their ranks: smoothing depends on the scale."""
    rank = np.unique(np.asarray(sample.scores[0]), return_inverse=True)[1].astype(np.float64)
    found = rs.smooth_roc(sample.y, rank, bandwidth=2, **sample.options)
    return {
        "auc": round(found.auc, 12),
        "ends": ends(found.area).round(12),
        "empirical": found.empirical_auc,
        "tpr": found.tpr_at([0.1, 0.5]).round(12),
    }


def swapped_benefit(figures: Figures) -> Figures:
    """Between two ranks the same cases are called, by their other names."""
    return {
        "tp": 1 - figures["fp"][::-1],
        "fp": 1 - figures["tp"][::-1],
        "prevalence": 1 - figures["prevalence"],
    }


def calibrated(sample: Sample) -> Figures:
    """The scores become probabilities, as in `benefit`; the smallest one lies above 0."""
    values, rank = np.unique(np.asarray(sample.scores[0]), return_inverse=True)
    found = rs.calibration(sample.y, (rank + 0.5) / len(values), bins=4, **DRAWS, **sample.options)
    return {
        "bins": numbers(row[name] for row in found.bins for name in ("n", "predicted", "observed", "low")),
        "curve": np.stack([found.x, found.recalibrated]),
        "band": np.stack([found.band_x, found.band_low, found.band_high]),
        "intercept": ends(found.intercept),
        "slope": ends(found.slope),
        "scores": numbers([found.brier.value, found.log_score.value]),
        "score errors": numbers([found.brier.se, found.log_score.se]),
        "parts": numbers(row[name] for row in found.decomposition for name in ("miscalibration", "skill")),
        "ratio": found.ratio.value,
        "errors": numbers([found.ece, found.ece_calibrated]),
        "tests": numbers(test.statistic for test in found.tests[:2]),
    }


def swapped_calibration(figures: Figures) -> Figures:
    """Probabilities of the other class: the curve is turned round, the intercept changes its sign."""
    value, low, high = figures["intercept"]
    same = ("slope", "scores", "score errors", "parts", "tests")
    return {
        "curve": 1 - figures["curve"][:, ::-1],
        "intercept": numbers([-value, -high, -low]),
        **{name: figures[name] for name in same},
    }


# ---- Files ------------------------------------------------------------------------------------------------


def file(sample: Sample) -> Figures:
    """The sample goes through a file; options named like columns become columns."""
    columns = {"y": sample.y, "s": sample.scores[0]}
    options = dict(sample.options)
    if "sample_weight" in options:
        columns["w"] = options.pop("sample_weight")
        options["weight"] = "w"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        with path.open("w", newline="", encoding="utf-8") as opened:
            writer = csv.writer(opened)
            writer.writerow(columns)
            writer.writerows(zip(*([_cell(v) for v in c] for c in columns.values()), strict=True))
        table = rs.read_scores(path, label="y", score="s", **options).table()
    return {"auc": table.auc, "n_pos": table.n_pos, "n_neg": table.n_neg, "scores": table.scores}


def database(sample: Sample) -> Figures:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE cases (y, s)")
        cells = [[_cell_of_database(value) for value in column] for column in (sample.y, sample.scores[0])]
        connection.executemany("INSERT INTO cases VALUES (?, ?)", list(zip(*cells, strict=True)))
        table = rs.from_query(connection, "cases", label="y", score="s", **sample.options)
    return {"auc": table.auc, "n_pos": table.n_pos, "n_neg": table.n_neg, "scores": table.scores}


def _cell_of_database(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return float(value) if isinstance(value, np.longdouble) else value


def _cell(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    return repr(float(value)) if isinstance(value, (float, np.longdouble)) else str(value)


def swapped_file(figures: Figures) -> Figures:
    return {
        "auc": figures["auc"],
        "n_pos": figures["n_neg"],
        "n_neg": figures["n_pos"],
        "scores": -figures["scores"][::-1],
    }
