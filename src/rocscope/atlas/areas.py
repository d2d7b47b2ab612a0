"""Families of areas: whole, partial, of three classes, of fits, of clustered or weighted cases, of folds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import integrate, optimize, special

from rocscope.atlas.cells import LEVEL, Cell, Family, Method, draw_scores, grid, register
from rocscope.atlas.laws import RATIO
from rocscope.binormal.fit import fit_binormal
from rocscope.core import significance
from rocscope.core.table import PlacementSums
from rocscope.inference.auc import AreaMethod, Bootstrap, auc, auc_from_sums, partial_auc
from rocscope.inference.cross_auc import cross_auc
from rocscope.inference.multiclass import multiclass_auc
from rocscope.ordinal.roc import ordinal_roc
from rocscope.run.study import Size

FROM_SUMS: tuple[AreaMethod, ...] = ("delong", "logit", "score", "auto", "hanley-mcneil", "bamber", "agarwal")

Floats = NDArray[np.float64]
BOOTSTRAP = 1000  # replicates
FEWER = 500  # of parts and points, which are several to a data set


# ---- The whole area ---------------------------------------------------------------------------------------


def ends(estimate: Any) -> tuple[float, float]:
    """Low and high end; NaN where there is no interval."""
    if estimate.low is None or estimate.high is None:
        return np.nan, np.nan
    return estimate.low, estimate.high


def area_bootstrap(bootstrap: Bootstrap) -> Method:
    """A bootstrap interval of the area."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        drawn: dict[str, Any] = {"bootstrap": bootstrap, "n_boot": BOOTSTRAP, "rng": rng}
        return [ends(auc(y, scores, method="bootstrap", level=LEVEL, **drawn))]

    return interval


def area_from_sums(method: AreaMethod) -> Method:
    """An interval of the area from its placement sums: `auc` without its checks, ten times as quick."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        n_pos = int(y.sum())  # positives come first
        sums = PlacementSums.of_classes(scores[:n_pos].copy(), scores[n_pos:].copy())
        tied = None
        if method == "bamber":
            values, cells = np.unique(scores, return_inverse=True)
            pos, neg = (np.bincount(part, minlength=values.size) for part in (cells[:n_pos], cells[n_pos:]))
            tied = int(pos @ neg)
        return [ends(auc_from_sums(sums, method=method, level=LEVEL, tied_pairs=tied))]

    return interval


register(
    Family(
        name="auc",
        title="Area under the curve",
        quantities=("AUC",),
        default="auto",
        methods={
            **{method: area_from_sums(method) for method in FROM_SUMS},
            "bootstrap": area_bootstrap("percentile"),
            "bootstrap bca": area_bootstrap("bca"),
        },
        cells=grid,
        draw=draw_scores,
        truth=lambda cell: (cell.area,),
    )
)


# ---- Partial areas ----------------------------------------------------------------------------------------

PARTS: dict[str, dict[str, Any]] = {
    "FPR 0-0.1": {"fpr": (0.0, 0.1)},
    "FPR 0-0.2": {"fpr": (0.0, 0.2)},
    "FPR 0-0.5": {"fpr": (0.0, 0.5)},
    "TPR 0.8-1": {"tpr": (0.8, 1.0)},
}


def partial_method(**options: Any) -> Method:
    """An interval of every partial area."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        drawn: dict[str, Any] = {"rng": rng, "n_boot": FEWER} if options["method"] == "bootstrap" else {}
        y, scores = data
        how = {"level": LEVEL, **options, **drawn}
        return [ends(partial_auc(y, scores, **part, **how)) for part in PARTS.values()]

    return interval


def true_parts(cell: Cell) -> list[float]:
    """The partial areas of the true curve."""
    law = cell.score_law
    return [
        law.true_area(*part["fpr"]) if "fpr" in part else law.true_area_over_tpr(*part["tpr"])
        for part in PARTS.values()
    ]


def part_cells(size: Size) -> tuple[Cell, ...]:
    """Continuous scores of every law; categories of two of them."""
    areas = (0.7, 0.9, 0.99)
    return grid(size, areas=areas, sizes=((20, 20), (200, 200), (50, 200)), categories=(False,)) + grid(
        size, areas=areas, sizes=((20, 20), (200, 200)), laws=("normal", "exponential"), categories=(True,)
    )


register(
    Family(
        name="partial_auc",
        title="Area under a part of the curve",
        quantities=tuple(PARTS),
        default="score",
        methods={
            "bootstrap": partial_method(method="bootstrap"),
            "score": partial_method(method="score"),
            "logit": partial_method(method="logit"),
            "delong": partial_method(method="delong"),
        },
        cells=part_cells,
        draw=draw_scores,
        truth=true_parts,
    )
)


# ---- Three classes ----------------------------------------------------------------------------------------
# Of a score for every class, that of the own class is higher: by the shift against the third class, by half
# of it between the first two, which are harder to tell apart. The scores are exponentials of normal ones.

SHIFTS = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])  # class of the case by score


def class_sizes(cell: Cell) -> NDArray[np.int64]:
    """Cases of three classes: of the first two as many as there are negatives in the cell."""
    return np.array([cell.n_neg, cell.n_neg, cell.n_pos])


def pair_areas(shift: float) -> Floats:
    """A(i|j): how often the score of class i is higher in a case of class i than in one of class j."""
    means = shift * SHIFTS
    return np.asarray(special.ndtr((np.diag(means)[:, None] - means.T) / np.sqrt(2)))


@lru_cache(maxsize=64)
def class_shift(area: float) -> float:
    """The shift at which the mean of the six areas of pairs is the area."""
    others = ~np.eye(3, dtype=bool)
    return float(optimize.brentq(lambda shift: pair_areas(shift)[others].mean() - area, 0, 20, xtol=1e-13))


def draw_classes(cell: Cell, rng: Generator) -> tuple[NDArray[np.int64], Floats]:
    """Classes, and a score of each class for every case."""
    y = np.repeat([0, 1, 2], class_sizes(cell))
    return y, np.exp(class_shift(cell.area) * SHIFTS[y] + rng.standard_normal((len(y), 3)))


def true_averages(cell: Cell) -> list[float]:
    """Hand and Till's M, and the mean area of a class against the others, which weigh by their sizes."""
    areas, sizes = pair_areas(class_shift(cell.area)), class_sizes(cell).astype(float)
    np.fill_diagonal(areas, 0.0)
    return [cell.area, float(np.mean(areas @ sizes / (sizes.sum() - sizes)))]


def multiclass_method(**options: Any) -> Method:
    """An interval of both averages."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        drawn: dict[str, Any] = {"rng": rng, "n_boot": FEWER} if options["method"] == "bootstrap" else {}
        y, scores = data
        how = {"level": LEVEL, **options, **drawn}
        return [
            ends(multiclass_auc(y, scores, scheme="ovo", **how)),
            ends(multiclass_auc(y, scores, scheme="ovr", **how)),
        ]

    return interval


register(
    Family(
        name="multiclass_auc",
        title="Average area of three classes",
        quantities=("ovo", "ovr"),
        default="logit",
        methods={
            "delong": multiclass_method(method="delong"),
            "logit": multiclass_method(method="logit"),
            "bootstrap": multiclass_method(method="bootstrap"),
        },
        cells=lambda size: grid(
            size,
            areas=(0.5, 0.7, 0.9, 0.99),
            sizes=((10, 10), (20, 20), (50, 50), (200, 200), (10, 40), (50, 200)),
            laws=("normal",),
            categories=(False,),
        ),
        draw=draw_classes,
        truth=true_averages,
    )
)


# ---- Three ordered classes --------------------------------------------------------------------------------
# Normal estimates around the numbers 1, 2 and 3 of the classes; the cell's area is that of neighbours.

STEPS = np.arange(1, 11) / 11  # of the thresholds in a gap
ORDINAL = {
    "max_auc(2)": "MaxAUC of the middle class",
    "avg_auc(2)": "AvgAUC of the middle class",
    "max_auc macro": "MaxAUC",
    "avg_auc macro": "AvgAUC",
    "adjacent_auc": "AUC of neighbours",
    "vus": "VUS",
}


def ordinal_deviation(cell: Cell) -> float:
    """Standard deviation of the estimates."""
    return float(1 / (np.sqrt(2) * special.ndtri(cell.area)))


def draw_ordered(cell: Cell, rng: Generator) -> tuple[NDArray[np.int64], Floats]:
    """Classes and estimates."""
    y = np.repeat([1, 2, 3], class_sizes(cell))
    return y, y + ordinal_deviation(cell) * rng.standard_normal(len(y))


def true_ordinal(cell: Cell) -> list[float]:
    """The figures of the true rates at the same thresholds, and the volume by quadrature."""
    sd, sizes = ordinal_deviation(cell), class_sizes(cell)

    def areas(code: int, lower: Floats, upper: Floats) -> Floats:
        """Of the curves of a class: each row has its lower threshold, or both if it has a single one."""
        inside = [special.ndtr((upper - c) / sd) - special.ndtr((lower - c) / sd) for c in (1, 2, 3)]
        others = [k for k in range(3) if k != code]
        fpr = sum(sizes[k] * inside[k] for k in others) / sizes[others].sum()
        x, y = (np.pad(rate, ((0, 0), (1, 1))) for rate in (fpr, inside[code]))
        x[:, -1] = y[:, -1] = 1.0
        return np.asarray((np.diff(x) * (y[:, 1:] + y[:, :-1])).sum(axis=1) / 2)

    first = areas(0, np.full((1, 10), -np.inf), 1 + STEPS[None])
    middle = areas(1, 1 + STEPS[:, None], 2 + STEPS[None])
    last = areas(2, 2 + STEPS[None, ::-1], np.full((1, 10), np.inf))

    def ordered(x: float) -> float:
        """Density of the middle class at x, times P(first < x < last)."""
        density = np.exp(-(((x - 2) / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi))
        return float(density * special.ndtr((x - 1) / sd) * special.ndtr((3 - x) / sd))

    volume, _ = integrate.quad(ordered, 2 - 12 * sd, 2 + 12 * sd, epsabs=1e-11, limit=200)
    return [
        float(middle.max()),
        float(middle.mean()),
        float(np.mean([one.max() for one in (first, middle, last)])),
        float(np.mean([one.mean() for one in (first, middle, last)])),
        cell.area,
        volume,
    ]


def ordinal_bootstrap(data: Any, rng: Generator) -> list[tuple[float, float]]:
    """The bootstrap interval of every figure."""
    y, estimates = data
    found = ordinal_roc(y, estimates, n_boot=FEWER, level=LEVEL, rng=rng).estimates
    return [ends(found[name]) for name in ORDINAL]


register(
    Family(
        name="ordinal_roc",
        title="Areas of three ordered classes",
        quantities=tuple(ORDINAL.values()),
        default="bootstrap",
        methods={"bootstrap": ordinal_bootstrap},
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9, 0.95),
            sizes=((20, 20), (50, 50), (200, 200), (50, 200)),
            laws=("normal",),
            categories=(False,),
        ),
        draw=draw_ordered,
        truth=true_ordinal,
    )
)


# ---- Fitted binormal curves -------------------------------------------------------------------------------

FIT_RATE = 0.1


def binormal_method(**options: Any) -> Method:
    """Intervals of the fitted area and TPR; of a and b normal ones by their standard errors."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        fit = fit_binormal(y, scores, **options)
        reach = significance.quantile(LEVEL)
        answers = [ends(fit.auc_estimate(LEVEL)), ends(fit.tpr_estimate(FIT_RATE, LEVEL))]
        for value, se in ((fit.a, fit.se_a), (fit.b, fit.se_b)):
            known = value is not None and se is not None
            answers.append((value - reach * se, value + reach * se) if known else (np.nan, np.nan))
        return answers

    return interval


def true_binormal(cell: Cell) -> list[float]:
    """The curve behind the scores, also behind scores in categories, whose own curve has corners."""
    b = 1 / RATIO if cell.law == "unequal" else 1.0
    a = cell.score_law.shift * b
    rate = special.ndtr(a + b * special.ndtri(FIT_RATE))
    return [float(special.ndtr(a / np.hypot(1, b))), float(rate), a, b]


def binormal_family(
    name: str, title: str, methods: dict[str, Method], categories: tuple[bool, ...]
) -> Family:
    """Fits of a binormal curve to scores that have one."""
    return Family(
        name=name,
        title=title,
        quantities=("AUC", f"TPR at FPR {FIT_RATE:g}", "a", "b"),
        default=next(iter(methods)),
        methods=methods,
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9, 0.95),
            sizes=((20, 20), (50, 50), (200, 200)),
            laws=("normal", "unequal"),
            categories=categories,
        ),
        draw=draw_scores,
        truth=true_binormal,
    )


register(
    binormal_family(
        "fit_binormal",
        "Binormal curve by maximum likelihood",
        {"expected": binormal_method(), "observed": binormal_method(information="observed")},
        (False, True),
    )
)
register(
    binormal_family(
        "fit_binormal moments",
        "Binormal curve by means and standard deviations",
        {"moments": binormal_method(method="moments")},
        (False,),
    )
)


# ---- Dependent and weighted cases -------------------------------------------------------------------------

IN_CLUSTER = 4  # cases


def draw_clusters(cell: Cell, rng: Generator) -> tuple[Any, Floats, NDArray[np.int64]]:
    """Labels, scores and clusters; normal deviates of a cluster have a common part.

    Clusters are "mixed", with both classes in each, or have one class "each". The true area is that of cases
    of different clusters.
    """
    n_pos, n_neg, rho = cell.n_pos, cell.n_neg, cell.factor("correlation")
    if cell.factor("classes") == "mixed":
        n_clusters = (n_pos + n_neg) // IN_CLUSTER
        groups = np.concatenate([np.arange(n_pos) % n_clusters, np.arange(n_neg) % n_clusters])
    else:
        groups = np.concatenate([np.arange(n_pos) // IN_CLUSTER, n_pos + np.arange(n_neg) // IN_CLUSTER])
    common = np.sqrt(rho) * rng.standard_normal(n_pos + n_neg)[groups]
    deviates = common + np.sqrt(1 - rho) * rng.standard_normal(n_pos + n_neg)
    scores = [
        cell.score_law.from_normal(deviates[:n_pos], positive=True),
        cell.score_law.from_normal(deviates[n_pos:], positive=False),
    ]
    return np.repeat([1, 0], [n_pos, n_neg]), np.concatenate(scores), groups


def cluster_method(**options: Any) -> Method:
    """An interval of the area of clustered cases."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        drawn: dict[str, Any] = {"rng": rng, "n_boot": FEWER} if options["method"] == "bootstrap" else {}
        y, scores, groups = data
        return [ends(auc(y, scores, groups=groups, level=LEVEL, **options, **drawn))]

    return interval


register(
    Family(
        name="auc clusters",
        title="Area under the curve of clustered cases",
        quantities=("AUC",),
        default="logit",
        methods={
            "delong": cluster_method(method="delong"),
            "logit": cluster_method(method="logit"),
            "bootstrap": cluster_method(method="bootstrap"),
        },
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9, 0.95),
            sizes=((20, 20), (40, 40), (200, 200), (40, 160)),
            laws=("normal", "exponential"),
            categories=(False,),
            others={"correlation": (0.3, 0.7), "classes": ("mixed", "each")},
        ),
        draw=draw_clusters,
        truth=lambda cell: (cell.area,),
    )
)

RARE = 0.25  # chance of a low score to be taken, where high ones are all taken


def draw_weighted(cell: Cell, rng: Generator) -> tuple[Any, Floats, Floats]:
    """Labels, scores and weights: low scores are taken one time in four, and weigh four times as much.

    High are those that half of the positives reach. The true area is that of the population.
    """
    cut = cell.score_law.threshold_near(0.5)
    taken = list[Floats]()
    for positive, n in ((True, cell.n_pos), (False, cell.n_neg)):
        size = 12 * n + 100  # three in four low scores are left out: enough, by far
        y, scores = cell.score_law.draw(size * positive, size * (not positive), rng)
        taken.append(scores[(scores >= cut) | (rng.random(len(y)) < RARE)][:n])
    drawn = np.concatenate(taken)
    return np.repeat([1, 0], [cell.n_pos, cell.n_neg]), drawn, np.where(drawn >= cut, 1.0, 1 / RARE)


def weighted_method(**options: Any) -> Method:
    """An interval of the area of weighted cases."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores, weights = data
        return [ends(auc(y, scores, sample_weight=weights, level=LEVEL, **options))]

    return interval


register(
    Family(
        name="auc weights",
        title="Area under the curve by survey weights",
        quantities=("AUC",),
        default="auto",
        methods={name: weighted_method(method=name) for name in ("auto", "delong", "logit", "score")},
        cells=lambda size: grid(
            size, areas=(0.7, 0.9, 0.95), sizes=((20, 20), (50, 50), (200, 200), (10, 40), (50, 200))
        ),
        draw=draw_weighted,
        truth=lambda cell: (cell.area,),
    )
)


# ---- Cross-validated areas --------------------------------------------------------------------------------

FOLDS = 5


def draw_folds(cell: Cell, rng: Generator) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64], float]:
    """Labels, scores by the models of the other folds, folds, and the mean true area of these models.

    Features are normal, of unit variance and independent, and the first one alone tells the classes apart:
    the cell's area is that of the best model. Models are differences of the classes' means.
    """
    n = cell.n_pos + cell.n_neg
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    fold = np.concatenate([np.arange(cell.n_pos), np.arange(cell.n_neg)]) % FOLDS
    features = rng.standard_normal((n, int(cell.factor("features"))))
    features[:, 0] += cell.score_law.shift * y
    scores, targets = np.empty(n), list[float]()
    for k in range(FOLDS):
        train, test = fold != k, fold == k
        slope = features[train & (y == 1)].mean(axis=0) - features[train & (y == 0)].mean(axis=0)
        scores[test] = features[test] @ slope
        targets.append(cell.score_law.shift * slope[0] / np.linalg.norm(slope))
    return y, scores, fold, float(special.ndtr(np.array(targets) / np.sqrt(2)).mean())


def cross_method(**options: Any) -> Method:
    """How far the interval reaches to both sides of the mean true area, which differs between data sets."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores, fold, target = data
        low, high = ends(cross_auc(y, scores, fold=fold, level=LEVEL, **options))
        return [(low - target, high - target)]

    return interval


register(
    Family(
        name="cross_auc",
        title="Area of a cross-validated classifier",
        quantities=("mean area of the trained models",),
        default="mean",
        methods={
            "mean": cross_method(method="mean"),
            "pooled": cross_method(method="pooled"),
            "mean influence": cross_method(method="mean", interval="influence"),
        },
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9, 0.99),
            sizes=((20, 20), (50, 50), (200, 200), (10, 40), (50, 200)),
            laws=("normal",),
            categories=(False,),
            others={"features": (2, 20)},
        ),
        draw=draw_folds,
        truth=lambda cell: (0.0,),
    )
)
