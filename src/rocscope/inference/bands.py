"""A curve with an interval at each of its points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, resampling, significance
from rocscope.core.curve import RocCurve, curve_of, height_at, left_at, vertices_at
from rocscope.core.formatting import sentence
from rocscope.core.frames import Missing
from rocscope.core.influence import Design, share_influence
from rocscope.core.result import Result, json_thresholds
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, WeightKind
from rocscope.core.table import own_scores
from rocscope.errors import RocInputError
from rocscope.inference import equal_precision, proportions

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band(Result):
    """A curve and its band.

    Attributes
    ----------
    x, mean, low, high
        Positions, the curve at each, and the ends of the interval there.
    defined
        Where the interval is defined. Elsewhere its ends are NaN, and the curve too where it has no value.
    level, method
        Confidence level and how the interval was made.
    simultaneous
        Whether the band holds the whole curve with probability `level`; otherwise each interval holds its
        own point with that probability, and some points will lie outside.
    name, x_label, y_label
        What the curve is, and what the axes are.
    warnings
        What a reader should know although the band stands.

    Examples
    --------
    >>> x = np.array([0.5, 1.0])
    >>> band = Band(name="precision", x=x, mean=x, low=x - 0.25, high=x + 0.25, defined=x > 0, level=0.95,
    ...             method="bootstrap", x_label="recall", y_label="precision")
    >>> print(band)
    precision at 2 places of recall, 95% pointwise intervals (bootstrap)
    """

    view: ClassVar[str] = "bands.band_picture"
    topic: ClassVar[str] = "curves"

    name: str
    x: Floats
    mean: Floats
    low: Floats
    high: Floats
    defined: NDArray[np.bool_]
    level: float
    method: str
    x_label: str
    y_label: str
    simultaneous: bool = False
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)

    def _summary(self) -> str:
        kind = "simultaneous band" if self.simultaneous else "pointwise intervals"
        undefined = len(self) - int(np.count_nonzero(self.defined))
        without = f", {undefined} without an interval" if undefined else ""
        return (
            f"{self.name} at {len(self)} places of {self.x_label}, {self.level * 100:g}% {kind} "
            f"({self.method}){without}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; infinite places are text."""
        return Result.to_dict(self) | {"x": json_thresholds(self.x)}

    def columns(self) -> dict[str, Any]:
        """One row per place."""
        return {name: getattr(self, name) for name in ("x", "mean", "low", "high", "defined")}

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        kind = "Simultaneous band." if self.simultaneous else "Pointwise intervals."
        return self.columns(), {"x": sentence(self.x_label), "mean": sentence(self.y_label)}, [kind]


# ---- Bands around a ROC curve: at fixed rates of either kind, or at fixed thresholds ----------------------

BandAxis: TypeAlias = Literal["fpr", "tpr", "threshold"]
BandMethod: TypeAlias = Literal["fiducial", "bootstrap", "wilson", "calibrated", "equal-precision", "dkw"]
TPR, FPR = "true positive rate", "false positive rate"
ROUNDING = 1e-12  # sums of squares below this share of their largest are those of a rate of 0 or 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocBand(Band):
    """A band of the true positive rate, with the interval of the false positive rate beside it.

    At fixed FPR the three columns of the FPR are equal to `x`; at fixed TPR those of the TPR are, `mean low
    high`; at thresholds each point has an interval in both directions.
    """

    fpr: Floats
    fpr_low: Floats
    fpr_high: Floats

    def columns(self) -> dict[str, Any]:
        """One row per place, both rates with their intervals."""
        more = {name: getattr(self, name) for name in ("fpr", "fpr_low", "fpr_high")}
        return Band.columns(self) | more

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """The rate that is the place itself stands once."""
        columns, headings, notes = Band._paper(self)
        rates = {FPR: {"fpr", "fpr_low", "fpr_high"}, TPR: {"mean", "low", "high"}}
        twice = rates.get(self.x_label, set())
        named = headings | {"mean": sentence(TPR), "fpr": sentence(FPR)}
        return {name: values for name, values in columns.items() if name not in twice}, named, notes


@checks.known_arguments
def roc_band(
    y_true: Any,
    y_score: Any = None,
    *,
    at: BandAxis = "fpr",
    x: Any = None,
    method: BandMethod | None = None,
    simultaneous: bool = False,
    level: float = 0.95,
    n_boot: int = 2000,
    stratify: bool = True,
    max_points: int | None = None,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> RocBand:
    """Return the ROC curve with a confidence band.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na, direction
        Labels and scores, as in `auc`.
    at
        "fpr": the band of the TPR at fixed false positive rates. "tpr": the band of the FPR,
        1 - specificity, at fixed true positive rates. "threshold": both rates at fixed thresholds.
    x
        The rates or thresholds; by default 101 rates from 0 to 1, or every observed score.
    method
        Of pointwise bands at fixed rates None is "fiducial": the place of the rate among the sorted cases of
        its class is as uncertain as a binomial count, the other rate at that place as a beta variable, and
        the ends are quantiles of both together (docs/methods.md); it holds where few cases reach the rate,
        and nothing is drawn. "bootstrap": percentiles of bootstrap curves, linear between their vertices;
        None for clusters, and where `stratify` or `max_points` ask for it. "wilson", for None at thresholds,
        where each rate is a proportion; at fixed rates Wilson's interval is that of fewer cases, as
        many as have the variance t (1 - t) / m + r^2 f (1 - f) / n [1]_: t and f are the rates, m and n the
        cases of their classes, r the slope of the curve between f - w and f + w, w the bandwidth of Hall
        and Sheather [2]_. Nothing is drawn, so it serves millions of cases. Simultaneous
        bands are "calibrated", "equal-precision" or "dkw"; None is the first of these that serves.
    simultaneous
        Whether the whole curve shall lie inside with probability `level`. Each class then has limits of its
        share at every threshold, of the same small probability everywhere, and at fixed rates the band is
        what the limits of both classes allow (Campbell 1994). "calibrated", at fixed rates, with at most 5000
        cases of a class and levels up to 0.99: the probability is such that the band holds the curve in
        `level` of a thousand samples from a smooth curve near the observed one (`equal_precision`; the same
        samples in every call). "equal-precision": such that all limits of a class hold at once with
        probability sqrt(level), exactly, for any scores, tied ones too; a guarantee, which makes the band
        half as wide again and lets it hold curves in 99.6 to 100 % of samples at level 0.95. "dkw": by the
        constant of Dvoretzky, Kiefer, Wolfowitz and Massart, as wide at the corners as in the middle; it
        takes over beyond 5000 cases of a class. Bands from bootstrap deviations are narrower still, but with
        100 cases in each class the true curve left them in four simulations of ten.
    level
        Confidence level.
    n_boot, stratify, max_points, rng, n_jobs, progress
        The bootstrap, as in `auc`.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`, for pointwise bands. The bootstrap draws whole
        clusters, and takes no survey weights: for these the method is "wilson". Wilson's interval is that of
        as many independent cases as have the variance by the influences of the cases: at a threshold that of
        the rate, as in `point_measures`; at fixed rates the number above over the design effect, the
        variance of t - r f by influences over that of independent cases. No bound of Dvoretzky, Kiefer and
        Wolfowitz is known for them, so simultaneous bands are refused.

    Returns
    -------
    RocBand
        With `x mean low high level method` for the TPR, and `fpr fpr_low fpr_high`. `method` is the one that
        was used. An FPR below 1 / n that n negatives do not reach, or a TPR so near to 1, is warned of: the
        bootstrap and Wilson's intervals fall short of their level there (docs/coverage.md), and the fiducial
        one takes the curve as bent towards the corner.

    References
    ----------
    .. [1] K. Linnet, "Comparison of quantitative diagnostic tests: type I error, power, and sample size",
       Statistics in Medicine 6, 1987.
    .. [2] P. Hall, S. J. Sheather, "On the distribution of a Studentized quantile", Journal of the Royal
       Statistical Society B 50, 1988.

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]
    >>> band = roc_band(y, s, at="threshold", x=[0.5])
    >>> band.mean.tolist(), band.low.round(3).tolist(), band.fpr.tolist(), band.fpr_high.round(3).tolist()
    ([1.0], [0.51], [0.25], [0.699])
    """
    checks.check_choice(at, get_args(BandAxis), name="at")
    level = checks.check_level(level)
    checks.check_flag(simultaneous, name="simultaneous")
    data = BinaryScores.from_arrays(
        y_true,
        y_score,
        sample_weight=sample_weight,
        weight_kind=weight_kind,
        groups=groups,
        clustered=True,
        pos_label=pos_label,
        label=label,
        score=score,
        na=na,
        direction=direction,
    ).single()
    if simultaneous and not data.is_plain:
        raise RocInputError(
            "must be False for weighted or clustered cases, for which no such band is known",
            argument="simultaneous",
        )
    options: dict[str, Any] = {"n_boot": n_boot, "stratify": stratify, "max_points": max_points}
    options |= {"n_jobs": n_jobs, "progress": progress}
    usual: tuple[BandMethod, ...] = ("fiducial", "bootstrap", "wilson")
    if simultaneous:
        usual = ("equal-precision", "dkw")
        most = max(data.n_pos, data.n_neg)
        if at != "threshold" and most <= equal_precision.MOST and level <= equal_precision.HIGHEST_LEVEL:
            usual = ("calibrated", *usual)
    elif at == "threshold":
        usual = ("wilson",)
    first: BandMethod = usual[-1] if data.is_survey else usual[0]
    if first == "fiducial" and (data.groups is not None or not stratify or max_points is not None):
        first = "bootstrap"
    way = first if method is None else checks.check_choice(method, usual, name="method")
    if way == "fiducial" and (data.is_survey or data.groups is not None):
        raise RocInputError(
            "must be 'bootstrap' or 'wilson' for weighted or clustered cases, got 'fiducial'",
            argument="method",
        )
    checks.check_draws(**options, nothing_drawn=None if way == "bootstrap" else f"method {way!r}")
    if way == "bootstrap" or not data.is_survey:
        data = data.counted(clustered=True)
    if at == "threshold":
        return _threshold_band(data, x, way, level)
    notes = data.warnings
    grid = equal_precision.RATES if x is None else checks.as_rate_vector(x, name="x")
    rate_at = height_at if at == "fpr" else left_at
    rate = rate_at(*_rates(data), grid)
    if simultaneous:
        low, high = _simultaneous_ends(curve_of(data), at, grid, way, level)
    elif way == "fiducial":
        certain = grid == 1 if at == "fpr" else grid == 0
        low, high = (np.where(certain, rate, end) for end in _fiducial_ends(data, at, grid, level))
        low, high = np.minimum(low, rate), np.maximum(high, rate)
    elif way == "wilson":
        low, high = _wilson_ends(data, at, grid, rate, level)
    elif min(data.n_pos, data.n_neg) < 2:
        low = high = np.full(len(grid), np.nan)
        notes += (resampling.FEW,)
    else:
        counted, sampling = tpr_at if at == "fpr" else tnr_at, resampling.Sampling(rng=rng, **options)
        replicates = resampling.bootstrap_curves(data, partial(counted, at=grid), sampling)
        replicates = replicates if at == "fpr" else 1 - replicates
        notes += sampling.warnings(data.table() if max_points else None)
        # TPR 1 at FPR 1 and FPR 0 at TPR 0 are certain; elsewhere replicates that agree say nothing.
        certain = grid == 1 if at == "fpr" else grid == 0
        silent = (np.ptp(replicates, axis=0) == 0) & ~certain
        ends = resampling.percentile_interval(replicates, level=level, value=rate)
        low, high = (np.where(silent, np.nan, end) for end in ends)
        notes += (f"{resampling.AGREE} at {np.count_nonzero(silent)} places",) if silent.any() else ()
    if not simultaneous:
        notes += _unresolved(data, at, grid)
    fixed, varied = (grid, grid, grid), (rate, low, high)
    tpr, fpr = (varied, fixed) if at == "fpr" else (fixed, varied)
    return RocBand(
        name="ROC curve",
        x=grid,
        mean=tpr[0],
        low=tpr[1],
        high=tpr[2],
        defined=~np.isnan(low),
        level=level,
        method=way,
        x_label=FPR if at == "fpr" else TPR,
        y_label=TPR,
        simultaneous=simultaneous,
        warnings=notes,
        fpr=fpr[0],
        fpr_low=fpr[1],
        fpr_high=fpr[2],
    )


def tpr_at(counts: resampling.VertexCounts, at: Floats) -> Floats:
    """TPR of every replicate at given FPRs, (replicates, places); at a vertical step its upper end."""
    from rocscope.core import kernels

    return kernels.heights_at(counts.fp, counts.tp, at)


def tnr_at(counts: resampling.VertexCounts, at: Floats) -> Floats:
    """TNR of every replicate at given TPRs, (replicates, places); of a horizontal step its left end."""
    from rocscope.core import kernels

    return kernels.specificities_at(counts.fp, counts.tp, at)


def _rates(data: BinaryScores) -> tuple[Floats, Floats]:
    """FPR and TPR at every vertex; of millions of cases a whole curve would take twice the memory."""
    if data.is_survey:
        curve = curve_of(data)
        return curve.fpr, curve.tpr
    counts = resampling.VertexCounts.of_table(data.table())
    return counts.fpr[0], counts.tpr[0]


def _unresolved(data: BinaryScores, at: BandAxis, grid: Floats) -> tuple[str, ...]:
    """A warning of rates that less than one case of their class reaches on average."""
    n, apart = (data.n_neg, grid) if at == "fpr" else (data.n_pos, 1 - grid)
    places = int(np.count_nonzero((apart > 0) & (apart < (1 - ROUNDING) / n)))
    if not places:
        return ()
    of, rate = (
        ("negatives", f"an FPR below 1/{n}") if at == "fpr" else ("positives", f"a TPR above 1 - 1/{n}")
    )
    have = "1 place has" if places == 1 else f"{places} places have"
    return (f"{have} {rate}, which {n} {of} do not resolve: no interval is sure to hold there",)


# ---- The fiducial interval: an uncertain place, and an uncertain rate there -------------------------------

NODES = 64
EDGE, SHIFT = 4.0, 0.25


def _fiducial_ends(data: BinaryScores, at: BandAxis, grid: Floats, level: float) -> tuple[Floats, Floats]:
    """Quantiles of the rate at an uncertain place, of independent cases.

    Of n negatives K ~ binomial(n, f) lie above the score whose true FPR is f. Given K, the true FPRs of the
    two negatives beside it are f times the largest of K uniform variables and 1 - (1 - f) times the largest
    of n - K, so that f divides the gap between them at w, and its place is K + w. The positives above the
    negatives, ties half, lead from that place to x positives, linearly between neighbours, from (0, 0) to
    (n + 1, m + 1); the TPR there is beta(x, m + 1 - x), as the x-th of m uniform variables. Near the ends,
    where this is Jeffreys' interval of few successes or failures and falls short, x moves outwards by
    up to SHIFT. Before the first negative a curve that bends down lies above the line: the upper end
    takes all positives above the first negative, and after the last one all of them.
    """
    counts = resampling.VertexCounts.of_table(data.table())
    above, reached = counts.fp[0].astype(np.float64), counts.tp[0].astype(np.float64)
    if at == "tpr":  # specificity over 1 - sensitivity: the curve of the other class
        above, reached = (reached[-1] - reached)[::-1], (above[-1] - above)[::-1]
        grid = 1 - grid
    n, m = float(above[-1]), float(reached[-1])
    tied, rise = np.diff(above), np.diff(reached)
    with_cases = tied > 0
    before, start, tied, rise = (one[with_cases] for one in (above[:-1], reached[:-1], tied, rise))
    ends = (1.0, tied)  # the first and the last negative of those with one score
    ranks = np.column_stack([before + k for k in ends]).ravel()
    places = np.column_stack([start + 0.5 + rise * (k - 0.5) / tied for k in ends]).ravel()
    ranks, places = np.concatenate([[0.0], ranks, [n + 1]]), np.concatenate([[0.0], places, [m + 1]])
    low, high = np.empty(len(grid)), np.empty(len(grid))
    for k in range(0, len(grid), 1000):
        part = slice(k, k + 1000)
        rank, weight = _ranks_of_rate(grid[part], n)
        x = np.interp(rank, ranks, places)
        highest = np.where(rank < 1, places[1], np.where(rank > n, m + 1, x))
        tail = (1 - level) / 2
        low[part] = _beta_quantile(x - _shift(x, m), m, weight, tail)
        high[part] = _beta_quantile(highest + _shift(highest, m), m, weight, 1 - tail)
    return (low, high) if at == "fpr" else (1 - high, 1 - low)


def _shift(x: Floats, m: float) -> Floats:
    return np.asarray(SHIFT * np.maximum(0.0, 1 - np.minimum(x, m + 1 - x) / EDGE))


def _ranks_of_rate(rates: Floats, n: float) -> tuple[Floats, Floats]:
    """Where each true rate lies among n sorted cases, (places, nodes), and the weights of the nodes.

    A node is a quantile of the count, dense in the tails, with a point each of two low-discrepancy sequences.
    """
    i = np.arange(NODES)
    v = (i + 0.5) / NODES
    u, weight = v * v * (3 - 2 * v), 6 * v * (1 - v)
    first, second = (i * 0.7548776662466927 + 0.5) % 1, (i * 0.5698402909980532 + 0.5) % 1
    f = rates[:, None]
    inner = np.clip(f, 1e-12, 1 - 1e-12)
    count = np.clip(np.ceil(special.bdtrik(u, n, inner)), 0, n)
    fewer = np.maximum(count - 1, 0)
    enough = special.betainc(n - fewer, fewer + 1, 1 - inner) >= u  # P(K <= fewer)
    count = np.where(enough, fewer, count)
    below = np.where(count > 0, first ** (1 / np.maximum(count, 1)), 0.0)
    above = np.where(count < n, 1 - second ** (1 / np.maximum(n - count, 1)), 1.0)
    left, right = f * (1 - below), (1 - f) * above
    return count + left / (left + right), weight / weight.sum()


def _beta_quantile(x: Floats, m: float, weight: Floats, p: float) -> Floats:
    """Quantile of the mixture of beta(x, m + 1 - x) in every row, by Newton's method inside a bracket."""
    least = 1e-9 * (m + 1)
    x = np.clip(x, least, m + 1 - least)
    found = np.where(
        (x <= least) @ weight >= p, 0.0, np.where((x < m + 1 - least) @ weight <= p, 1.0, np.nan)
    )
    rows = np.flatnonzero(np.isnan(found))  # the others are surely 0 or 1
    low, high = np.zeros(len(found)), np.ones(len(found))
    t = np.clip(x @ weight / (m + 1), 1e-9, 1 - 1e-9)
    for _ in range(100):
        if not rows.size:
            break
        of, at = x[rows], t[rows]
        share = special.betainc(of, m + 1 - of, at[:, None]) @ weight
        low[rows], high[rows] = np.where(share < p, at, low[rows]), np.where(share < p, high[rows], at)
        # On the scale of log odds, where tails are nearly straight.
        logs = special.xlogy(of, at[:, None]) + special.xlog1py(m + 1 - of, -at[:, None])
        density = np.exp(logs - special.betaln(of, m + 1 - of)) @ weight
        share = np.clip(share, 1e-300, 1 - 1e-16)
        rise = np.maximum(density / (share * (1 - share)), 1e-300)
        step = special.expit(special.logit(at) - (special.logit(share) - special.logit(p)) / rise)
        inside = (step > low[rows]) & (step < high[rows])
        t[rows] = np.where(inside, step, (low[rows] + high[rows]) / 2)
        rows = rows[np.abs(t[rows] - at) > 1e-10]
    return np.where(np.isnan(found), t, found)


def _wilson_ends(
    data: BinaryScores, at: BandAxis, grid: Floats, rate: Floats, level: float
) -> tuple[Floats, Floats]:
    """Wilson's interval of a rate at fixed other rates, with as many cases as have its variance."""
    sizes = (data.n_pos, data.n_neg) if at == "fpr" else (data.n_neg, data.n_pos)
    rate_at = height_at if at == "fpr" else left_at
    z = significance.critical_value(level)
    with np.errstate(divide="ignore"):
        score = special.ndtri(grid)
    density = np.exp(-(score**2)) / (2 * math.pi)  # of the normal, squared
    width = np.cbrt(1.5 * z * z * density / (2 * score**2 + 1) / sizes[1])
    left, right = np.maximum(grid - width, 0.0), np.minimum(grid + width, 1.0)
    rates = _rates(data)
    rise = rate_at(*rates, right) - rate_at(*rates, left)
    slope = np.divide(rise, right - left, out=np.zeros_like(rise), where=right > left)
    # Half a case of each kind more keeps the variances above 0.
    spread, place = (
        p * (1 - p)
        for p in ((rate * sizes[0] + 0.5) / (sizes[0] + 1), (grid * sizes[1] + 0.5) / (sizes[1] + 1))
    )
    cases = spread / (spread / sizes[0] + slope**2 * place / sizes[1])
    if not data.is_plain:
        cases = cases / _design_effects(data, at, rate, grid, slope)
    low, high = proportions.wilson_ends(rate, cases, z)
    certain = grid == 1 if at == "fpr" else grid == 0
    low, high = (np.where(certain, rate, end) for end in (low, high))
    return np.minimum(low, rate), np.maximum(high, rate)


def _design_effects(data: BinaryScores, at: BandAxis, rate: Floats, grid: Floats, slope: Floats) -> Floats:
    """Variance of each rate at a fixed other rate, over that of independent cases that count the same."""
    design, positive, curve = Design.of(data), data.positive, curve_of(data)
    scores, ascending = data.columns[0], own_scores(curve.thresholds[:0:-1], curve.direction)
    of, others = (positive, ~positive) if at == "fpr" else (~positive, positive)
    fixed = curve.fpr if at == "fpr" else curve.tpr
    vertices = np.searchsorted(fixed, grid, "right") - 1 if at == "fpr" else np.searchsorted(fixed, grid)
    weights = np.ones(scores.size) if data.weight is None else data.weight.astype(np.float64)
    alone = max(
        float(design.by_cluster(w) @ design.by_cluster(w)) / (w @ w) for w in (weights * of, weights * others)
    )
    effects = np.empty(len(grid))
    for k, (vertex, r) in enumerate(zip(vertices.tolist(), slope.tolist(), strict=True)):
        test_positive = scores >= ascending[-vertex] if vertex else np.zeros(scores.size, bool)
        (t, of_t), (f, of_f) = (
            share_influence(test_positive & who, who, data.weight) for who in (of, others)
        )
        plain = t * (1 - t) / of.sum() + r * r * f * (1 - f) / others.sum()
        # Where nothing varies: as if the cases of a cluster were all alike.
        effects[k] = design.variance(of_t - r * of_f) / plain if plain > 0 else alone
    return np.maximum(effects, 1e-9)


def _simultaneous_ends(
    curve: RocCurve, at: BandAxis, grid: Floats, way: str, level: float
) -> tuple[Floats, Floats]:
    """Lowest and highest TPR at each FPR, or FPR at each TPR, that the bands of the two classes allow.

    At every threshold the true rates lie in a rectangle of the limits of both classes around an observed
    vertex: that of the least observed score from the threshold on. Where the population has ties, at an
    observed score, its curve runs straight from a point of one rectangle to a point of the next, so in the
    convex hull of the two. The upper edge of all these hulls joins the upper left corners, the lower edge the
    lower right ones.
    """
    if way == "calibrated":
        tail = equal_precision.calibrated_tail(curve.tp, curve.fp, level)
        left, right = equal_precision.tail_limits(curve.fp, int(curve.n_neg), tail)
        low, high = equal_precision.tail_limits(curve.tp, int(curve.n_pos), tail)
    else:
        left, right = _class_limits(curve.fp, curve.n_neg, way, level)
        low, high = _class_limits(curve.tp, curve.n_pos, way, level)
    if at == "tpr":  # specificity over 1 - sensitivity: the curve of the other class
        left, right, low, high = (1 - end[::-1] for end in (high, low, right, left))
        grid = 1 - grid
    lowest, highest = height_at(right, low, grid, end="lower"), height_at(left, high, grid)
    ends = np.maximum(lowest, 0.0), np.minimum(highest, 1.0)
    return ends if at == "fpr" else (1 - ends[1], 1 - ends[0])


def _class_limits(count: NDArray[Any], n: Any, way: str, level: float) -> tuple[Floats, Floats]:
    """Limits of the share that tests positive at every threshold; the two classes share the level.

    "dkw" has Massart's constant, P(sup |F_n - F| > d) <= 2 exp(-2 n d^2), and limits beyond 0 and 1.
    """
    outside = 1 - math.sqrt(level) or (1 - level) / 2  # nearest to 1 the root rounds to 1
    if way == "dkw" or n > equal_precision.MOST:
        half = math.sqrt(math.log(2 / outside) / (2 * n))
        return count / n - half, count / n + half
    return equal_precision.share_limits(count, int(n), outside)


def _threshold_band(data: BinaryScores, x: Any, way: str, level: float) -> RocBand:
    """Both rates at fixed thresholds, which need not be observed scores."""
    curve = curve_of(data)
    thresholds, vertices = curve.thresholds[1:], np.arange(1, len(curve))
    if x is not None:
        thresholds = checks.as_scores(x if np.ndim(x) else [x], name="x").copy()
        vertices = vertices_at(curve, thresholds)
    tp, fp = curve.tp[vertices], curve.fp[vertices]

    def ends(count: NDArray[Any], n: int, of_class: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        if way != "wilson":
            low, high = _class_limits(count, n, way, level)
            return np.maximum(low, 0.0), np.minimum(high, 1.0)
        if data.is_plain:
            return proportions.wilson_interval(count, n, level=level)
        return _designed_ends(data, of_class, curve, vertices, level)

    low, high = ends(tp, curve.n_pos, data.positive)
    fpr_low, fpr_high = ends(fp, curve.n_neg, ~data.positive)
    return RocBand(
        name="ROC curve",
        x=thresholds,
        mean=tp / curve.n_pos,
        low=low,
        high=high,
        defined=~(np.isnan(low) | np.isnan(fpr_low)),
        level=level,
        method=way,
        x_label="threshold",
        y_label=TPR,
        simultaneous=way != "wilson",
        warnings=curve.warnings,
        fpr=fp / curve.n_neg,
        fpr_low=fpr_low,
        fpr_high=fpr_high,
    )


def _designed_ends(
    data: BinaryScores,
    of_class: NDArray[np.bool_],
    curve: RocCurve,
    vertices: NDArray[np.int64],
    level: float,
) -> tuple[Floats, Floats]:
    """Wilson's interval of the rate of a class at every vertex, as `point_measures` has it of one.

    With a_k and b_k the weight of cluster k that tests positive and that it has of the class, the squares of
    the influences add up to sum (a_k - t b_k)^2 / W^2; the next case in order changes one a_k.
    """
    rows = np.flatnonzero(of_class)
    rows = rows[np.argsort(data.columns[0][rows], kind="stable")[::-1]]
    weight = np.ones(rows.size) if data.weight is None else data.weight[rows].astype(np.float64)
    clusters = (
        np.arange(rows.size) if data.groups is None else np.unique(data.groups[rows], return_inverse=True)[1]
    )
    by_cluster = np.argsort(clusters, kind="stable")
    whole, n = np.bincount(clusters, weight), int(clusters.max()) + 1
    running = np.empty(rows.size)
    running[by_cluster] = np.cumsum(weight[by_cluster])
    running -= (np.cumsum(whole) - whole)[clusters]  # weight of the cluster up to this case
    squares, products = (
        np.concatenate([[0.0], np.cumsum(steps)])
        for steps in (running**2 - (running - weight) ** 2, weight * whole[clusters])
    )
    ascending = np.sort(data.columns[0][rows])
    cuts = own_scores(curve.thresholds[vertices], curve.direction)
    reached = rows.size - np.searchsorted(ascending, cuts)
    total, most = float(weight.sum()), float(whole @ whole)
    share = np.minimum(np.concatenate([[0.0], np.cumsum(weight)])[reached] / total, 1.0)
    summed = squares[reached] - 2 * share * products[reached] + share**2 * most
    varies = summed > ROUNDING * most
    cases = np.full(len(share), total**2 / most)
    variance = summed[varies] / total**2 * (n / max(n - 1, 1))
    cases[varies] = share[varies] * (1 - share[varies]) / variance * (rows.size / max(rows.size - 1, 1))
    low, high = proportions.wilson_ends(share, cases, significance.critical_value(level))
    if n < 2:
        low = high = np.full(len(share), np.nan)
    return np.minimum(low, share), np.maximum(high, share)
