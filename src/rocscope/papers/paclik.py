"""Paclik, Lai, Novovicova and Duin (ICPR 2008): figures 1, 2 and 3.

The figures show one draw each. How many points are indistinguishable from the selected one differs from draw
to draw, so the counts are taken over many seeds as well.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.averaging import point_tests, search
from rocscope.averaging.roc import AveragedRoc, average_roc
from rocscope.core.resampling import as_generator, spawn_streams
from rocscope.errors import ResourceError
from rocscope.papers import base, datasets
from rocscope.run.study import Study, StudyTask
from rocscope.training.cross_scores import CrossScores, cross_scores
from rocscope.training.detectors import GaussianDetector

Floats = NDArray[np.float64]
SIZES = (50, 100, 200)
METHODS: tuple[point_tests.Method, ...] = ("paclik", "paired-t", "corrected")
TESTS = tuple((measures, method) for measures in (("fpr",), ("tpr", "fpr")) for method in METHODS)
BOUND = "tpr>=0.9"
TARGET = "class 1"
DIGITS = (2, 3, 5)
PER_DIGIT = 100
SCALES = ("raw", "standardized")
# Seeds of one task.
CHUNK = 10


def make(options: base.Options) -> Study:
    """List the tasks; without the digits those of figure 3 are left out.

    Examples
    --------
    >>> tasks = make(base.Options(size="quick")).tasks
    >>> [task.key for task in tasks if task.key.startswith("figure")][:2]
    ['figure/50', 'figure/100']
    """
    digits, notes = load_digits(options)
    counts, seeds = (2, 5) if options.is_quick else (20, 100)
    tasks = [StudyTask(key=f"figure/{n}", function=draw_scores, parameters={"n": n}) for n in SIZES]
    tasks += [
        StudyTask(key=f"counts/{n}/{k}", function=count_points, parameters={"n": n})
        for n in SIZES
        for k in range(counts)
    ]
    if digits is not None:
        tasks.append(StudyTask(key="digits/figure", function=digit_scores, shared=("digits",)))
        tasks += [
            StudyTask(
                key=f"digits/{scale}/{k}",
                function=count_weights,
                parameters={"scale": scale},
                shared=("digits",),
            )
            for scale in SCALES
            for k in range(seeds)
        ]
    shared = {} if digits is None else {"digits": digits}
    return options.study("paclik", tasks, shared=shared, notes=notes, digits=digits is not None)


def load_digits(options: base.Options) -> tuple[tuple[Floats, NDArray[np.int64]] | None, tuple[str, ...]]:
    """Cases of the three digits; None, and the reason, where the data set is not available."""
    try:
        dataset = datasets.load_dataset("mfeat_mor", options.data)
    except ResourceError as error:
        return None, (f"figure 3 is left out: {error}",)
    # Some versions count the classes from 1: they are taken by their order.
    codes = np.unique(dataset.y.astype(np.float64), return_inverse=True)[1]
    rows = np.isin(codes, DIGITS)
    return (dataset.X[rows], codes[rows].astype(np.int64)), ()


def highleyman(n: int, rng: Generator) -> tuple[Floats, NDArray[np.str_]]:
    """Two Gaussian classes, n cases of each.

    Examples
    --------
    >>> X, y = highleyman(5, np.random.default_rng(1))
    >>> X.shape, y[0].item(), y[-1].item()
    ((10, 2), 'class 1', 'class 2')
    """
    first = rng.multivariate_normal([1.0, 1.0], [[1.0, 0.0], [0.0, 0.25]], size=n)
    second = rng.multivariate_normal([2.0, 0.0], [[0.01, 0.0], [0.0, 4.0]], size=n)
    return np.vstack([first, second]), np.repeat([TARGET, "class 2"], n)


def _detected(n: int, rng: Generator) -> CrossScores:
    X, y = highleyman(n, rng)
    # The logarithm of the density has its order, and does not vanish far away.
    return cross_scores(GaussianDetector(log=True), X, y, target=TARGET, rng=rng)


def draw_scores(n: int, seed: SeedSequence) -> dict[str, Any]:
    """Soft outputs of ten folds for one draw of n cases per class."""
    scores = _detected(n, as_generator(seed))
    return {"y": scores.y_true, "score": scores.y_score, "fold": scores.fold}


def count_points(n: int, seed: SeedSequence) -> list[list[int]]:
    """Other points that are indistinguishable, for every seed and every pair of measures and method."""
    counts = []
    for rng in spawn_streams(seed, CHUNK):
        roc = average_roc(_detected(n, rng))
        index = roc.select(BOUND)
        counts.append([_others(roc.compare_to(index, measures=m, method=method)) for m, method in TESTS])
    return counts


def _others(compared: point_tests.PointComparison) -> int:
    """Number of indistinguishable points without the selected one."""
    return int(np.count_nonzero(compared.indistinguishable)) - 1


def _digits_scored(digits: tuple[Floats, Any], scale: str, rng: Generator) -> CrossScores:
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if scale == "raw":
        model = make_pipeline(PCA(3), QuadraticDiscriminantAnalysis())
    else:  # three features are counts: in some folds a class does not vary in one direction
        model = make_pipeline(StandardScaler(), PCA(3), QuadraticDiscriminantAnalysis(reg_param=1e-3))
    X, y = digits
    rows = np.concatenate([rng.choice(np.flatnonzero(y == d), PER_DIGIT, replace=False) for d in DIGITS])
    return cross_scores(model, X[rows], y[rows], rng=rng)


def digit_scores(digits: tuple[Floats, Any], seed: SeedSequence) -> dict[str, Any]:
    """Soft outputs for one draw of the digits, and the weights that the search finds."""
    rng = as_generator(seed)
    scores = _digits_scored(digits, "raw", rng)
    weights = search.search_weights(scores, rng=rng)
    return {"y": scores.y_true, "score": scores.y_score, "fold": scores.fold, "weights": weights}


def count_weights(digits: tuple[Floats, Any], scale: str, seed: SeedSequence) -> list[float]:
    """Other weights indistinguishable by all class errors, for every method, and the largest class error."""
    rng = as_generator(seed)
    scores = _digits_scored(digits, scale, rng)
    roc = average_roc(scores, points=search.search_weights(scores, rng=rng))
    index = roc.select()
    counts = [float(_others(roc.compare_to(index, method=method))) for method in METHODS]
    return [*counts, float(roc.mean[index].max())]


def summarise(results: Mapping[str, Any], options: base.Options) -> base.PaperSummary:
    """Make the three figures, and count the indistinguishable points over the seeds."""
    rocs, compared = dict[int, AveragedRoc](), dict[int, point_tests.PointComparison]()
    for n in SIZES:
        drawn = results[f"figure/{n}"]
        rocs[n] = average_roc(drawn["y"], drawn["score"], fold=drawn["fold"], pos_label=TARGET)
        compared[n] = rocs[n].compare_to(rocs[n].select(BOUND), measures="fpr", method="paclik")
    rows = [
        _mean_row(column, cases_per_class=n, measures=" and ".join(measures), method=method)
        for n in SIZES
        for (measures, method), column in zip(
            TESTS, np.concatenate(_in_order(results, f"counts/{n}/")).T, strict=True
        )
    ]
    means = {
        row["cases_per_class"]: row for row in rows if (row["measures"], row["method"]) == ("fpr", "paclik")
    }
    counts = [
        f"{n} cases per class: {_others(compared[n])} in this draw, {means[n]['ours']:.2f} "
        f"({means[n]['mc_error']:.2f}) on average over {means[n]['seeds']} others "
        f"({means[n]['least']} to {means[n]['most']})"
        for n in SIZES
    ]
    findings = [
        f"Figure 2, other points (of 29) whose FPR is indistinguishable by the paper's test: "
        f"{'; '.join(counts)}. One draw in twenty lies outside the range of twenty others."
    ]
    tables = [base.Table(name="figure_2_counts", rows=rows)]
    small, large = SIZES[0], SIZES[-1]
    titles = tuple(f"{n} cases of each class" for n in (small, large))
    figures = [
        base.Figure(name="figure_1", result=rocs[100]),
        base.Figure(name="figure_2", result=compared[small], beside=(compared[large],), titles=titles),
    ]
    has_digits = "digits/figure" in results
    if has_digits:
        drawn = results["digits/figure"]
        roc = average_roc(
            drawn["y"],
            np.array(drawn["score"]),
            fold=drawn["fold"],
            classes=DIGITS,
            points=np.array(drawn["weights"]),
        )
        digits = roc.compare_to(roc.select(), method="paclik")
        figures.append(base.Figure(name="figure_3", result=digits))
        rows = []
        for scale in SCALES:
            *columns, errors = np.array(_in_order(results, f"digits/{scale}/")).T
            for method, column in zip(METHODS, columns, strict=True):
                rows.append(_mean_row(column, features=scale, count="indistinguishable", method=method))
            rows.append(_mean_row(errors, features=scale, count="largest class error", method=""))
        tables.append(base.Table(name="figure_3_counts", rows=rows))
        raw = rows[METHODS.index("paclik")]
        findings.append(
            f"Figure 3, other weights (of 99) indistinguishable by the paper's test: {_others(digits)} in "
            f"this draw, {raw['ours']:.1f} on average over {raw['seeds']} seeds ({raw['least']:.0f} to "
            f"{raw['most']:.0f}): which cases, folds and weights were drawn matters more than anything else."
        )
    return base.PaperSummary(
        tables=tuple(tables),
        figures=tuple(figures),
        findings=tuple(findings),
        same=SAME,
        choices=CHOICES,
        missing=MISSING if has_digits else (*MISSING, NO_DIGITS),
        inconsistent=INCONSISTENT,
    )


def _in_order(results: Mapping[str, Any], start: str) -> list[Any]:
    return [results[key] for key in sorted(results) if key.startswith(start)]


def _mean_row(column: NDArray[Any], **names: Any) -> dict[str, Any]:
    """Mean over the seeds, with the least and the most; the paper's cell is empty, with the reason."""
    error = float(column.std(ddof=1) / np.sqrt(column.size))
    spread = {"seeds": column.size, "least": column.min().item(), "most": column.max().item()}
    return base.table_row(None, float(column.mean()), error, **names, **spread, why_no_paper=NOT_PRINTED)


SAME = (
    "Highleyman's classes, a Gaussian detector of class 1, ten stratified folds, 30 thresholds.",
    "Figure 2: 50 and 200 cases per class, a point with a TPR of at least 0.9, the FPR compared at 95 %.",
    "Figure 3: digits 2, 3 and 5, six morphological features, 100 cases each, PCA to three dimensions, a "
    "quadratic classifier, 1,000 random weights, five greedy steps that keep 100.",
)
CHOICES = (
    "Soft outputs are log densities, which are in the order of the densities.",
    "The paper selects its point by hand; here it is the one of the smallest FPR with a TPR of at least 0.9, "
    "and in figure 3 that of the smallest largest class error.",
    "The 30 thresholds are evenly spaced in rank; the paper says that it sub-samples the unique values.",
    "The size of the greedy steps; the scale of the features of figure 3, shown raw and counted also "
    "standardized (there with a trace of regularisation).",
    "Figures use the paper's test (2n - 2 degrees of freedom); the tables add the paired t test and the one "
    "corrected for overlapping training sets.",
)
MISSING = (
    "The paper's draws of Highleyman's classes and of the 100 cases of each digit, and its hand-picked "
    "points.",
    "Printed counts: the figures mark the points, the text says only that with 200 cases per class the "
    "selected point differs from its neighbours. So the column paper is empty.",
)
NOT_PRINTED = "the paper draws the points and prints no number"
NO_DIGITS = (
    "Figure 3: the data set mfeat_mor was not found; ROCSCOPE_DATA may name a folder that holds "
    "mfeat_mor/mfeat_mor.csv."
)
INCONSISTENT = (
    "Equation 3 is the t statistic of paired differences, with n - 1 degrees of freedom; the text takes "
    "2n - 2, those of two independent samples.",
    "Training sets of the folds overlap, which no version of equation 3 knows.",
    "Null hypotheses are called accepted; points that are indistinguishable on few cases may well differ.",
)
CITATION = (
    "P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin: Variance estimation for two-class and "
    "multi-class ROC analysis using operating point averaging, ICPR 2008"
)
base.register(base.Paper("paclik", CITATION, make, summarise))
