"""The ROC curve of kernel estimates of both classes [1]_.

Every score becomes a normal distribution around it, with the bandwidth of its class as standard deviation:

    TPR(t) = mean Phi((x_i - t) / h+),   FPR(t) = mean Phi((y_j - t) / h-),

x of the positives, y of the negatives. The area is that of a positive and a negative, each moved by its
kernel, and has a closed form:

    A = mean Phi((x_i - y_j) / sqrt(h+^2 + h-^2)).

For fixed bandwidths this is a two-sample U-statistic, as the empirical area is, with Phi in the place of the
step from 0 to 1: DeLong's variance holds for it. It is the area of scores with noise added, nearer to 1/2
than that of the scores themselves, by a bias of order h^2.

References
----------
.. [1] Lloyd: Using smoothed receiver operating characteristic curves to summarize and compare diagnostic
   systems, Journal of the American Statistical Association 93, 1998.
.. [2] Silverman: Density estimation for statistics and data analysis, 1986.
.. [3] Hall, Hyndman: Improved methods for bandwidth selection when estimating ROC curves, Statistics and
   Probability Letters 64, 2003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, partial_area
from rocscope.core.frames import Missing
from rocscope.core.result import CurveResult, Estimate, TwoClassResult
from rocscope.core.scores import BinaryScores
from rocscope.core.table import BELOW, check_higher
from rocscope.errors import ResourceError, RocInputError
from rocscope.inference.auc import SEPARATED, UNIT, area_interval, exact_bound

Floats = NDArray[np.float64]
Bandwidth: TypeAlias = Literal["silverman", "hall-hyndman"]

MOST_PAIRS = 100_000_000  # a second or two; so many cases need no smoothing
CELLS = 4_000_000  # numbers held at once
REACH = 9.0  # bandwidths from a score beyond which its kernel is nothing in float64
# Places of the curve: quantiles of all scores, and steps of a bandwidth around each.
QUANTILES, STEPS = 65, 9
LEAST_STEP = 1e-4  # vertices that are nearer to each other add nothing to the curve
LARGEST = 1e300  # differences of such scores are finite
OUTSIDE = 0.01  # share of the kernels beyond 0 or 1 that a reader should know of
HOOK = 0.001  # a curve less below chance does not show it
WIDEST = 2.0  # times the standard deviation over the cube root of the cases
NO_PARTIAL = "no interval is known for a part of a smoothed curve"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothRoc(TwoClassResult, CurveResult):
    """ROC curve of kernel estimates of both classes.

    Attributes
    ----------
    fpr, tpr, thresholds
        Vertices of the curve, from (0, 0) to (1, 1); between them it is known exactly, see `tpr_at`.
    auc, area
        Area under the smoothed curve, and the same with its interval.
    empirical_auc
        Area under the empirical curve, which smoothing brings nearer to 1/2.
    bandwidth, bandwidth_pos, bandwidth_neg
        How the bandwidths were found ("given" for a number), and those of positives and negatives.
    pos, neg
        The scores of both classes, ascending.
    """

    view: ClassVar[str] = "roc_curves.smooth_picture"
    topic: ClassVar[str] = "models"

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    auc: float
    area: Estimate
    empirical_auc: float
    bandwidth: str
    bandwidth_pos: float
    bandwidth_neg: float
    pos: Floats
    neg: Floats

    def __len__(self) -> int:
        return len(self.fpr)

    def columns(self) -> dict[str, Any]:
        """Thresholds and rates, one row per vertex."""
        return {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}

    def _summary(self) -> str:
        widths = f"{self.bandwidth_pos:.4g} and {self.bandwidth_neg:.4g}"
        return (
            f"Smoothed ROC curve ({self._cases}): {self.area.summary()}\n"
            f"  bandwidths of positives and negatives {widths} ({self.bandwidth}), "
            f"empirical AUC {self.empirical_auc:.4f}"
        )

    def rates_at(self, threshold: Any) -> tuple[Floats, Floats]:
        """FPR and TPR at given thresholds.

        Examples
        --------
        >>> curve = smooth_roc([0, 0, 1, 1], [-1.0, 0.0, 0.0, 1.0], bandwidth=1)
        >>> [rate.round(3).tolist() for rate in curve.rates_at([0.0, 1.0])]
        [[0.329, 0.091], [0.671, 0.329]]
        """
        t = checks.as_scores(np.atleast_1d(checks.as_array(threshold, name="threshold")), name="threshold")
        t = t.astype(np.float64)
        return _share_above(t, self.neg, self.bandwidth_neg), _share_above(t, self.pos, self.bandwidth_pos)

    def tpr_at(self, fpr: Any) -> Floats:
        """TPR at given FPR.

        Examples
        --------
        >>> curve = smooth_roc([0, 0, 1, 1], [-1.0, 0.0, 0.0, 1.0], bandwidth=1)
        >>> curve.tpr_at([0, 0.5, 1]).round(3).tolist()
        [0.0, 0.812, 1.0]
        """
        rates = checks.as_rate_vector(fpr, name="fpr")
        at = _thresholds_at(rates, self.neg, self.bandwidth_neg)
        return _share_above(at, self.pos, self.bandwidth_pos)

    def fpr_at(self, tpr: Any) -> Floats:
        """FPR at given TPR.

        Examples
        --------
        >>> curve = smooth_roc([0, 0, 1, 1], [-1.0, 0.0, 0.0, 1.0], bandwidth=1)
        >>> curve.fpr_at([0.5]).round(3).tolist()
        [0.188]
        """
        rates = checks.as_rate_vector(tpr, name="tpr")
        at = _thresholds_at(rates, self.pos, self.bandwidth_pos)
        return _share_above(at, self.neg, self.bandwidth_neg)

    def partial_auc(self, *, fpr: Any = None, tpr: Any = None, standardize: bool = False) -> Estimate:
        """Return the area of a part of the curve, as `RocCurve.partial_auc`; by trapezoids, to about 1e-5.

        Examples
        --------
        >>> curve = smooth_roc([0, 0, 1, 1], [-1.0, 0.0, 0.0, 1.0], bandwidth=1)
        >>> f"{curve.partial_auc(fpr=(0, 0.5)):.4f}"
        '0.2611'
        """
        checks.check_flag(standardize, name="standardize")
        ranges = partial_area.read_ranges(fpr, tpr)
        value = float(partial_area.partial_areas(self.fpr, self.tpr, ranges, standardize=standardize))
        below = standardize and value < 0.5 - partial_area.SAME
        return Estimate(
            name=partial_area.area_name(ranges, standardize),
            value=value,
            se=None,
            low=None,
            high=None,
            level=self.area.level,
            method="kernel",
            status="partial",
            reason=NO_PARTIAL,
            warnings=self.warnings + ((partial_area.BELOW_CHANCE,) if below else ()),
        )


@checks.known_arguments
def smooth_roc(
    y_true: Any,
    y_score: Any = None,
    *,
    bandwidth: Bandwidth | float = "silverman",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> SmoothRoc:
    """Return the ROC curve of kernel estimates of both classes, with its area and interval.

    Smoothing is wise for scores that are continuous, of few cases, where a smooth curve is to be shown or
    read off between its steps, and no binormal curve is believed in (`fit_binormal`). It is unwise where
    scores are tied, since kernels spread ties as if they had been rounded at random, and where scores are
    bounded, as probabilities are: kernels reach beyond the ends, and the curve is biased near them; smooth
    the logits of probabilities. The area, too, is biased towards 1/2, as that of `auc` is not. And the curve
    depends on the scale of the scores: that of their logarithms is another one.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na
        As in `auc`; scores must be finite. At most 100,000,000 pairs of a positive and a negative.
    bandwidth
        Standard deviation of the kernels: "silverman", 0.9 min(SD, IQR / 1.34) n^(-1/5) of each class, R's
        bw.nrd0; "hall-hyndman", the normal-reference form of the bandwidths that are best for the curve, of
        order n^(-1/3); or a number for both classes.
    level, alternative
        Confidence level and side of the interval of the area.

    Returns
    -------
    SmoothRoc
        With `fpr`, `tpr`, `thresholds`, `auc`, `area`, `tpr_at`, `fpr_at` and `partial_auc`. The interval of
        the area is normal with DeLong's variance, the bandwidths taken as known; of separated classes it is
        the exact bound of the empirical area.

    Notes
    -----
    Of two normal classes one standard deviation apart, with 20 cases each, the mean squared error of the
    curve is 0.7 times that of the empirical curve, and the area 0.017 too small on average ("hall-hyndman":
    0.028); with 200 cases each 0.8 times and 0.009 (0.007). The 95 % intervals of the area hold it in 91 to
    95 % of samples (validation/smoothing_simulation.py).

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [1, 3, 4, 6, 5, 7, 8, 9]
    >>> print(smooth_roc(y, s))
    Smoothed ROC curve (4 of class 1, 4 of class 0): AUC 0.9125 (95% interval 0.7410-1.0000, delong)
      bandwidths of positives and negatives 0.8908 and 1.018 (silverman), empirical AUC 0.9375
    """
    checks.check_level(level)
    checks.check_alternative(alternative)
    if isinstance(bandwidth, str):
        checks.check_choice(bandwidth, get_args(Bandwidth), name="bandwidth")
    else:
        checks.check_number(bandwidth, name="bandwidth", low=0)
    data = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
    check_higher(data.direction, "smoothed curves")
    data = data.single().counted()
    if data.n_pos * data.n_neg > MOST_PAIRS:
        raise ResourceError(
            f"smooth_roc compares every positive with every negative, at most {MOST_PAIRS:,} pairs, got "
            f"{data.n_pos * data.n_neg:,}: so many cases need no smoothing"
        )
    scores = data.columns[0].astype(np.float64)
    checks.refuse_rows(~np.isfinite(scores), name="y_score", required="finite scores", got="infinite values")
    pos, neg = np.sort(scores[data.positive]), np.sort(scores[~data.positive])
    widths = (float(bandwidth),) * 2 if not isinstance(bandwidth, str) else _bandwidths(pos, neg, bandwidth)
    largest = max(abs(pos[0]), abs(pos[-1]), abs(neg[0]), abs(neg[-1]))
    if not (min(widths) > 0 and largest + REACH * max(widths) < LARGEST):
        raise RocInputError(
            "must have a spread that float64 holds, got scores or a bandwidth too large, or too near to 0",
            argument="y_score" if isinstance(bandwidth, str) else "bandwidth",
        )
    empirical = data.sums().auc
    area = _area(pos, neg, math.hypot(*widths), empirical, level=level, alternative=alternative)
    fpr, tpr, thresholds = _vertices(pos, neg, *widths)
    notes = (*_smoothing_warnings(pos, neg, *widths), *_below_chance(fpr, tpr))
    return SmoothRoc(
        fpr=fpr,
        tpr=tpr,
        thresholds=thresholds,
        auc=float(area),
        area=area,
        empirical_auc=empirical,
        bandwidth=bandwidth if isinstance(bandwidth, str) else "given",
        bandwidth_pos=widths[0],
        bandwidth_neg=widths[1],
        pos=pos,
        neg=neg,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=(*data.warnings, *notes),
    )


def _smoothing_warnings(pos: Floats, neg: Floats, h_pos: float, h_neg: float) -> tuple[str, ...]:
    """Say that scores are tied, or bounded by 0 and 1."""
    both = np.concatenate([pos, neg])
    texts = []
    if np.unique(both).size <= both.size / 2:
        texts.append("half of the scores or more are tied: kernels spread them as if they had been rounded")
    if both.min() >= 0 and both.max() <= 1:
        outside = np.concatenate(
            [special.ndtr(-x / h) + special.ndtr((x - 1) / h) for x, h in ((pos, h_pos), (neg, h_neg))]
        )
        if outside.mean() > OUTSIDE:
            texts.append(
                "kernels reach beyond 0 and 1, which the scores do not: smooth the logits of probabilities"
            )
    return tuple(texts)


def _below_chance(fpr: Floats, tpr: Floats) -> tuple[str, ...]:
    """Name the stretches on which the curve can be seen to lie below chance.

    Examples
    --------
    >>> _below_chance(np.array([0.0, 0.5, 0.75, 1.0]), np.array([0.0, 0.75, 0.5, 1.0]))
    ('the smoothed curve lies below chance for FPR from 0.5 to 1: kernels of unequal widths make such hooks',)
    """
    below = np.concatenate([[False], tpr < fpr, [False]])
    starts, ends = (np.flatnonzero(change) for change in (below[1:] > below[:-1], below[1:] < below[:-1]))
    depth = fpr - tpr
    seen = [
        f"{fpr[max(a - 1, 0)]:.3g} to {fpr[min(b, fpr.size - 1)]:.3g}"
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        if depth[a:b].max() > HOOK
    ]
    if not seen:
        return ()
    where = f"for FPR from {' and from '.join(seen)}"
    return (f"the smoothed curve lies below chance {where}: kernels of unequal widths make such hooks",)


# ---- Rates, thresholds and the area ------------------------------------------------------------------------


def _share_above(thresholds: Floats, scores: Floats, h: float) -> Floats:
    """Share of the kernels of the scores above each threshold."""
    parts = np.array_split(thresholds, max(1, thresholds.size * scores.size // CELLS))
    with np.errstate(over="ignore"):  # far from a score its kernel lies on one side
        shares = [special.ndtr((scores - t[:, None]) / h).mean(axis=1) for t in parts]
    return np.concatenate(shares)


def _thresholds_at(rates: Floats, scores: Floats, h: float) -> Floats:
    """Thresholds with these shares of the kernels above them, by bisection."""
    # A share p lies above the threshold of one score at x - h z(p): that of all scores lies among these.
    z = -special.ndtri(rates)
    low, high = scores[0] + h * z, scores[-1] + h * z
    inside = np.isfinite(z)
    low, high = low[inside], high[inside]
    for _ in range(80):
        middle = low + (high - low) / 2
        above = _share_above(middle, scores, h) > rates[inside]
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    thresholds = np.array(z)
    thresholds[inside] = high
    return thresholds


def _vertices(pos: Floats, neg: Floats, h_pos: float, h_neg: float) -> tuple[Floats, Floats, Floats]:
    """Vertices of the curve, dense where the kernels are."""
    both = np.sort(np.concatenate([pos, neg]))
    places = both[np.unique(np.linspace(0, both.size - 1, QUANTILES).round().astype(np.intp))]
    steps = np.linspace(-4, 4, STEPS)
    around = [(places[:, None] + h * steps).ravel() for h in (h_pos, h_neg)]
    widest = max(h_pos, h_neg)
    ends = [both[0] - REACH * widest, both[-1] + REACH * widest]
    thresholds = np.unique(np.concatenate([*around, ends]))[::-1]
    fpr, tpr = _share_above(thresholds, neg, h_neg), _share_above(thresholds, pos, h_pos)
    fpr[0] = tpr[0] = 0.0
    fpr[-1] = tpr[-1] = 1.0
    kept = np.unique(((fpr + tpr) / LEAST_STEP).astype(np.int64), return_index=True)[1]
    kept = np.unique([0, *kept.tolist(), thresholds.size - 1])
    return np.maximum.accumulate(fpr[kept]), np.maximum.accumulate(tpr[kept]), thresholds[kept]


def _area(
    pos: Floats,
    neg: Floats,
    h: float,
    empirical: float,
    *,
    level: float,
    alternative: checks.Alternative,
) -> Estimate:
    """Mean of Phi((x - y) / h) over all pairs, with DeLong's variance."""
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    m, n = pos.size, neg.size
    of_pos = _share_above(-pos, -neg, h)  # P(y + noise < x)
    of_neg = _share_above(neg, pos, h)
    value = min(max(math.fsum(of_pos.tolist()) / m, 0.0), 1.0)
    fields: dict[str, Any] = {"name": "AUC", "value": value, "se": None, "low": None, "high": None}
    fields |= {"method": "delong"} | side
    if min(m, n) < 2:
        which = "positive" if m < 2 else "negative"
        reason = f"the variance needs two cases in each class, the {which} class has one"
        return Estimate(**fields, status="partial", reason=reason)
    variance = float(np.var(of_pos - of_pos[0], ddof=1) / m + np.var(of_neg - of_neg[0], ddof=1) / n)
    fields["se"] = math.sqrt(variance)
    warnings: tuple[str, ...] = ()
    if value < 0.5:
        warnings += (BELOW,)
    if empirical in UNIT:
        low, high = exact_bound(empirical, min(m, n), **side)
        warnings += (SEPARATED.format(empirical),)
    elif variance == 0:
        reason = "all scores are equal, so their variance is 0 and gives no interval"
        return Estimate(**fields, status="partial", reason=reason, warnings=warnings)
    else:
        low, high = area_interval(value, fields["se"], **side)
    fields |= {"low": min(low, value), "high": max(high, value)}
    return Estimate(**fields, warnings=warnings)


# ---- Bandwidths --------------------------------------------------------------------------------------------


def _bandwidths(pos: Floats, neg: Floats, rule: str) -> tuple[float, float]:
    """Bandwidths of the positives and of the negatives."""
    for scores, which in ((pos, "positive"), (neg, "negative")):
        if scores.size < 2 or scores[0] == scores[-1]:
            raise RocInputError(
                f"must be a number where the {which} class has one score alone, got {rule!r}",
                argument="bandwidth",
                data_dependent=True,
            )
    if rule == "silverman":
        widths = silverman(pos), silverman(neg)
    else:
        widths = hall_hyndman(pos, neg), hall_hyndman(neg, pos)
    return widths


def silverman(scores: Floats) -> float:
    """Silverman's rule of thumb for a density ([2] eq. 3.31), as R's bw.nrd0.

    Examples
    --------
    >>> round(silverman(np.array([1.0, 2.0, 4.0, 7.0])), 4)
    1.527
    """
    with np.errstate(over="ignore", invalid="ignore"):
        sd = float(np.std(scores, ddof=1))
        low, high = np.quantile(scores, [0.25, 0.75])
        spread = min(sd, float(high - low) / 1.34) or sd
    return float(0.9 * spread * scores.size**-0.2)


def hall_hyndman(scores: Floats, others: Floats) -> float:
    """Bandwidth of the distribution F of one class that is best for the curve [3], f and g normal.

    The integrated squared error of the curve, weighted by the density g of the other class, is least at

        h^3 = int f g^2 / (sqrt(pi) n int (f' g)^2),

    1 / sqrt(pi) being the constant of the normal kernel. All integrals are of products of normal densities.
    For classes far apart it grows without end, where the curve is near its corner: it is bounded by
    2 SD n^(-1/3).

    Examples
    --------
    >>> round(hall_hyndman(np.array([1.0, 2.0, 4.0, 7.0]), np.array([0.0, 1.0, 3.0])), 4)
    2.5859
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        sd, other = (float(np.std(x, ddof=1)) for x in (scores, others))
        apart = (float(np.mean(others)) - float(np.mean(scores))) / sd  # in units of sd from here on
        ratio = np.float64(other / sd) ** 2
        # log of int f g^2 over int (f' g)^2, without what cancels.
        above = -0.5 * np.log(1 + ratio / 2) - apart**2 / (2 + ratio)
        below = -0.5 * np.log((1 + ratio) / 2) - apart**2 / (1 + ratio)
        moment = ratio / (2 * (1 + ratio)) + (apart / (1 + ratio)) ** 2
        cubed = 2.0 * np.exp(above - below) / moment  # sqrt(pi) cancels
        times = min(float(np.cbrt(cubed)), WIDEST)
    return sd * times / math.cbrt(scores.size)
