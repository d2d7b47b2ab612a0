"""Families of points of the curve: fixed and chosen thresholds, fixed rates, all points at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import integrate

from rocscope.atlas.areas import FEWER, ends
from rocscope.atlas.cells import LEVEL, Cell, Family, Method, draw_scores, grid, register
from rocscope.atlas.laws import ScoreLaw
from rocscope.atlas.results import measure_name
from rocscope.inference.bands import roc_band
from rocscope.inference.cutpoint import ThresholdMethod, cutpoint
from rocscope.inference.grey_zone import grey_zone
from rocscope.inference.point_measures import point_measures
from rocscope.inference.precision_recall import PrecisionMethod, precision_recall
from rocscope.inference.proportions import IntervalMethod
from rocscope.run.study import Size

Floats = NDArray[np.float64]


# ---- A fixed threshold ------------------------------------------------------------------------------------

OWN: tuple[str, ...] = ("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg", "accuracy")
OWN += ("balanced_accuracy", "f1", "youden", "net_benefit", "expected_cost")
# These depend on the prevalence, and are measured at a given one too.
AT_PREVALENCE = ("ppv", "npv", "accuracy", "f1", "net_benefit", "expected_cost")
PREVALENCE = 0.1
PROBABILITY = 0.2  # threshold probability of the net benefit
COST = 5.0  # of a false negative, relative to a false positive


def point_method(interval: IntervalMethod) -> Method:
    """An interval of every measure, of these cases and at a given prevalence."""

    def intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores, threshold = data
        high, positive = scores >= threshold, y == 1
        counts = (np.sum(high & positive), np.sum(~high & positive), np.sum(high & ~positive))
        tp, fn, fp = map(int, counts)
        return point_intervals(tp, fn, fp, len(y) - tp - fn - fp, interval)

    return intervals


@lru_cache(maxsize=100_000)
def point_intervals(
    tp: int, fn: int, fp: int, tn: int, interval: IntervalMethod
) -> list[tuple[float, float]]:
    """The intervals of a table of four counts: in small samples the same tables come again and again."""
    table = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [tp, fn, fp, tn], axis=0)
    how: dict[str, Any] = {"threshold": 1, "threshold_probability": PROBABILITY, "cost": COST, "level": LEVEL}
    how |= {"interval": interval}
    own = point_measures(table[:, 0], table[:, 1], **how).estimates
    other = point_measures(table[:, 0], table[:, 1], prevalence=PREVALENCE, **how).estimates
    return [ends(own[name]) for name in OWN] + [ends(other[name]) for name in AT_PREVALENCE]


def threshold_of(cell: Cell) -> float:
    """The fixed threshold of a cell."""
    return cell.score_law.threshold_near(cell.factor("tpr"))


def draw_at_threshold(cell: Cell, rng: Generator) -> tuple[Any, Any, float]:
    """Labels, scores and the fixed threshold.

    Drawn by "classes" there are always so many cases of each. Drawn as "cases" from a population, the
    positives are binomial: this is what measures without a given prevalence take the data for. A data set
    without one of the classes is drawn again, which the least of the cells needs once in 28,000 times.
    """
    n = cell.n_pos + cell.n_neg
    n_pos = cell.n_pos
    if cell.factor("drawn") == "cases":
        n_pos = 0
        while not 0 < n_pos < n:
            n_pos = int(rng.binomial(n, cell.n_pos / n))
    return *cell.score_law.draw(n_pos, n - n_pos, rng), threshold_of(cell)


def true_measures(cell: Cell) -> list[float]:
    """Every measure of the true rates, at the share of positives in the cell and at the given prevalence.

    Where the sizes of the classes are fixed, their share takes the place of the population's.
    """
    fpr, tpr = cell.score_law.rates(threshold_of(cell))
    own = measures_of(fpr, tpr, cell.n_pos / (cell.n_pos + cell.n_neg))
    other = measures_of(fpr, tpr, PREVALENCE)
    return [own[name] for name in OWN] + [other[name] for name in AT_PREVALENCE]


def measures_of(fpr: float, tpr: float, prevalence: float) -> dict[str, float]:
    """Every measure of two rates at a prevalence.

    Examples
    --------
    >>> {name: round(value, 3) for name, value in measures_of(0.2, 0.8, 0.5).items() if name[:2] == "lr"}
    {'lr_pos': 4.0, 'lr_neg': 0.25}
    """
    tp, fp = prevalence * tpr, (1 - prevalence) * fpr
    fn, tn = prevalence - tp, 1 - prevalence - fp
    return {
        "sensitivity": tpr,
        "specificity": 1 - fpr,
        "ppv": tp / (tp + fp),
        "npv": tn / (tn + fn),
        "lr_pos": tpr / fpr,
        "lr_neg": (1 - tpr) / (1 - fpr),
        "accuracy": tp + tn,
        "balanced_accuracy": (tpr + 1 - fpr) / 2,
        "f1": 2 * tp / (2 * tp + fp + fn),
        "youden": tpr - fpr,
        "net_benefit": tp - fp * PROBABILITY / (1 - PROBABILITY),
        "expected_cost": fp + COST * fn,
    }


def point_cells(size: Size) -> tuple[Cell, ...]:
    """One law: at a fixed threshold the two rates are all that matters, and areas and TPRs vary them."""
    return grid(
        size,
        areas=(0.7, 0.9, 0.99),
        sizes=((10, 10), (20, 20), (50, 50), (200, 200), (10, 40), (10, 190), (50, 200), (50, 950)),
        laws=("normal",),
        categories=(False,),
        others={"tpr": (0.8, 0.95), "drawn": ("cases", "classes")},
    )


register(
    Family(
        name="point_measures",
        title="Measures at a fixed threshold",
        quantities=(
            *(measure_name(name) for name in OWN),
            *(f"{measure_name(name)} at prevalence {PREVALENCE:g}" for name in AT_PREVALENCE),
        ),
        default="wilson",
        methods={name: point_method(name) for name in get_args(IntervalMethod)},
        cells=point_cells,
        draw=draw_at_threshold,
        truth=true_measures,
    )
)


# ---- Chosen thresholds ------------------------------------------------------------------------------------

KEPT = 0.95  # sensitivity of ruling out, and specificity of ruling in
REACHED = 0.9  # sensitivity
CHOSEN_SIZES = ((20, 20), (50, 50), (200, 200), (50, 200), (10, 190))


def bootstrap_cells(size: Size) -> tuple[Cell, ...]:
    """Few laws and sizes: every data set of these families is drawn again some hundred times."""
    return grid(
        size,
        areas=(0.7, 0.9),
        sizes=((20, 20), (50, 50), (200, 200), (50, 200)),
        laws=("normal", "exponential", "heavy"),
        categories=(False,),
    )


def chosen_thresholds(method: ThresholdMethod) -> Method:
    """Intervals of the threshold with the largest Youden index, and of the highest that reaches a TPR.

    Youden's threshold has the interval of the bootstrap by all methods.
    """

    def intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        drawn: dict[str, Any] = {"method": method, "n_boot": FEWER, "rng": rng, "level": LEVEL}
        found = cutpoint(y, scores, rule="youden", **drawn), cutpoint(y, scores, f"tpr>={REACHED}", **drawn)
        return [ends(one) for one in found]

    return intervals


register(
    Family(
        name="cutpoint",
        title="A chosen threshold",
        quantities=("largest Youden index", f"sensitivity of at least {REACHED:g}"),
        default="auto",
        methods={"auto": chosen_thresholds("auto"), "bootstrap": chosen_thresholds("bootstrap")},
        cells=lambda size: grid(size, areas=(0.7, 0.9), sizes=CHOSEN_SIZES, categories=(False,)),
        draw=draw_scores,
        truth=lambda cell: [
            cell.score_law.threshold_at(cell.score_law.youden_fpr()),
            cell.score_law.threshold_near(REACHED),
        ],
    )
)


def zone_thresholds(method: ThresholdMethod) -> Method:
    """Intervals of the thresholds that rule out and in."""

    def intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        # Order statistics draw nothing for their intervals.
        drawn: dict[str, Any] = {"n_boot": FEWER if method == "bootstrap" else 1, "rng": rng, "level": LEVEL}
        zone = grey_zone(y, scores, sensitivity=KEPT, specificity=KEPT, method=method, **drawn)
        pairs = (zone.rule_out_low, zone.rule_out_high), (zone.rule_in_low, zone.rule_in_high)
        return [(np.nan, np.nan) if None in pair else pair for pair in pairs]

    return intervals


register(
    Family(
        name="grey_zone",
        title="Two thresholds that rule out and rule in",
        quantities=(f"rule out at sensitivity {KEPT:g}", f"rule in at specificity {KEPT:g}"),
        default="auto",
        methods={"auto": zone_thresholds("auto"), "bootstrap": zone_thresholds("bootstrap")},
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9),
            sizes=CHOSEN_SIZES,
            laws=("normal", "exponential", "heavy"),
            categories=(False,),
        ),
        draw=draw_scores,
        truth=lambda cell: [
            cell.score_law.threshold_near(KEPT),
            cell.score_law.threshold_at(1 - KEPT),
        ],
    )
)


# ---- Precision and recall ---------------------------------------------------------------------------------

RECALL = 0.8


def precision_method(method: PrecisionMethod) -> Method:
    """Intervals of the average precision, the area and, by the bootstrap, the precision at a recall."""

    def intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        how: dict[str, Any] = {"method": method, "n_boot": FEWER, "rng": rng, "level": LEVEL}
        curve = precision_recall(y, scores, prevalence=PREVALENCE, recall=[RECALL], **how)
        band = curve.band
        return [ends(curve.average_precision), ends(curve.area), (float(band.low[0]), float(band.high[0]))]

    return intervals


def true_precision(law: ScoreLaw, recall: float) -> float:
    """The precision of the true curve at a recall and the given prevalence."""
    tp, fp = PREVALENCE * recall, (1 - PREVALENCE) * law.true_fpr(recall)
    return tp / (tp + fp)


def true_precisions(cell: Cell) -> list[float]:
    """The mean precision over all recalls, twice, and that at one recall."""
    law = cell.score_law
    mean, _ = integrate.quad(lambda recall: true_precision(law, recall), 0, 1, epsabs=1e-9, limit=200)
    return [mean, mean, true_precision(law, RECALL)]


register(
    Family(
        name="precision_recall",
        title=f"Precision at prevalence {PREVALENCE:g}",
        quantities=("average precision", "area", f"precision at recall {RECALL:g}"),
        default="fiducial",
        methods={name: precision_method(name) for name in get_args(PrecisionMethod)},
        cells=bootstrap_cells,
        draw=draw_scores,
        truth=true_precisions,
    )
)


# ---- Bands ------------------------------------------------------------------------------------------------

RATES = np.array([0.02, 0.05, 0.1, 0.3])


def band_method(**options: Any) -> Method:
    """An interval of the TPR at every rate."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        drawn: dict[str, Any] = {"rng": rng, "n_boot": FEWER} if options["method"] == "bootstrap" else {}
        y, scores = data
        band = roc_band(y, scores, x=RATES, level=LEVEL, **options, **drawn)
        return list(zip(band.low.tolist(), band.high.tolist(), strict=True))

    return interval


register(
    Family(
        name="roc_band",
        title="TPR at a fixed FPR",
        quantities=tuple(f"TPR at FPR {rate:g}" for rate in RATES),
        default="fiducial",
        methods={name: band_method(method=name) for name in ("fiducial", "bootstrap", "wilson")},
        cells=lambda size: grid(
            size, areas=(0.7, 0.9, 0.99), sizes=((20, 20), (50, 50), (200, 200), (10, 190), (50, 200))
        ),
        draw=draw_scores,
        truth=lambda cell: [cell.score_law.true_tpr(rate) for rate in RATES.tolist()],
    )
)


@lru_cache(maxsize=1024)
def true_curve(law: ScoreLaw) -> Floats:
    """TPRs of the true curve at the 101 rates of a band."""
    return np.array([law.true_tpr(rate) for rate in np.linspace(0, 1, 101).tolist()])


def draw_with_curve(cell: Cell, rng: Generator) -> tuple[Any, Any, Floats]:
    """Labels, scores, and the true curve, which a whole band is compared with."""
    return *draw_scores(cell, rng), true_curve(cell.score_law)


def whole_band(method: Any) -> Method:
    """An interval around 0 as wide as the band on average; as far beside 0 as the true curve lies outside.

    It holds 0 where the band holds the whole true curve.
    """

    def interval(data: Any, _: Generator) -> list[tuple[float, float]]:
        y, scores, curve = data
        band = roc_band(y, scores, simultaneous=True, method=method, level=LEVEL)
        width = float(np.mean(band.high - band.low))
        too_high, too_low = float(np.max(band.low - curve)), float(np.max(curve - band.high))
        if max(too_high, too_low) <= ROUNDING:
            return [(-width / 2, width / 2)]
        return [(too_high, too_high + width) if too_high >= too_low else (-too_low - width, -too_low)]

    return interval


ROUNDING = 1e-10

register(
    Family(
        name="roc_band simultaneous",
        title="The whole curve at once",
        quantities=("whole curve",),
        default="calibrated",
        methods={name: whole_band(name) for name in ("calibrated", "equal-precision", "dkw")},
        cells=lambda size: grid(size, areas=(0.7, 0.9, 0.99)),
        draw=draw_with_curve,
        truth=lambda cell: (0.0,),
        most=300,
    )
)
