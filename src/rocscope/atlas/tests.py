"""Families of tests: their size where the null hypothesis is true, their power where it is not.

Two curves are compared where their areas are equal because both scores have the same law; where they are
equal although the curves cross, the second score being normal with unequal variance, which a test of areas
should ignore and a test of whole curves should notice; and where the second area is smaller. Points,
subgroups, learners, modalities and decisions are compared where nothing differs, by construction or by
symmetry, and where something does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import optimize, special

from rocscope.algorithms.decisions import compare_decisions
from rocscope.algorithms.paired_tests import METHODS as FOLD_TESTS
from rocscope.algorithms.paired_tests import NEED_HALVES, paired_tests
from rocscope.algorithms.ranks import compare_ranks, friedman_tests, mean_ranks, quade_test
from rocscope.algorithms.records import OVER_CASES, FoldRecord, compare_over_cases
from rocscope.atlas.areas import ends
from rocscope.atlas.cells import LEVEL, Cell, Family, Method, grid, register
from rocscope.atlas.laws import LawName, ScoreLaw, draw_pair, score_law
from rocscope.averaging.roc import average_roc
from rocscope.inference.compare import compare_auc
from rocscope.inference.reader_study import reader_study
from rocscope.inference.subgroups import auc_by
from rocscope.run.study import Size

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

BOOTSTRAP = 500  # replicates, and random exchanges
DIFFERENCE = 0.1  # of areas, where the null hypothesis is false


def as_p(p_value: float | None) -> float:
    """A p-value; NaN where there is none."""
    return np.nan if p_value is None else float(p_value)


def distinct(*grids: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of several grids, each once."""
    return tuple(dict.fromkeys(cell for one in grids for cell in one))


def is_null(cell: Cell) -> tuple[float, ...]:
    """Whether there is no difference."""
    return (float(cell.factor("difference") == 0),)


# ---- Two curves -------------------------------------------------------------------------------------------


def two_laws(cell: Cell) -> tuple[ScoreLaw, ScoreLaw]:
    """The laws of both scores; the second may be another one, or have a smaller area."""
    other = cell.factor("second")
    area = round(cell.area - cell.factor("difference"), 6)
    return cell.score_law, score_law(cell.law if other == "same" else other, area, cell.categories)


def equal_curves(cell: Cell) -> tuple[float, ...]:
    """Whether both curves are the same."""
    return (float(cell.factor("second") == "same" and cell.factor("difference") == 0),)


def draw_paired(cell: Cell, rng: Generator) -> tuple[Any, Any]:
    """Labels, and two scores of the same cases."""
    y, first, second = draw_pair(*two_laws(cell), cell.factor("correlation"), cell.n_pos, cell.n_neg, rng)
    return y, {"first": first, "second": second}


def draw_unpaired(cell: Cell, rng: Generator) -> tuple[Any, Any]:
    """Labels and scores of two samples; the second has so many times as many cases."""
    times = cell.factor("times")
    first, second = two_laws(cell)
    samples = {
        "first": first.draw(cell.n_pos, cell.n_neg, rng),
        "second": second.draw(times * cell.n_pos, times * cell.n_neg, rng),
    }
    return {name: y for name, (y, _) in samples.items()}, {name: s for name, (_, s) in samples.items()}


def two_curves(*, paired: bool, **options: Any) -> Method:
    """A test of two curves."""

    def p_value(data: Any, rng: Generator) -> list[float]:
        y, scores = data
        drawn: dict[str, Any] = {"rng": rng, "n_boot": BOOTSTRAP}
        return [as_p(compare_auc(y, scores, paired=paired, **options, **drawn).p_value)]

    return p_value


def two_curve_cells(
    size: Size,
    *,
    areas: Sequence[float],
    large: tuple[int, int],
    crossing: tuple[int, int],
    **factor: Sequence[Any],
) -> tuple[Cell, ...]:
    """Every law and kind of scores in samples of two sizes; more sizes and areas of normal scores.

    `large` is the largest sample, since exchanges and replicates cost, `crossing` that of curves that cross.
    `factor` is the one of the family, such as correlation; where much else varies it has its first level.
    """
    ((name, (first, *levels)),) = factor.items()

    def cells(difference: float, second: str, levels: Sequence[Any] = (first,), **factors: Any) -> Any:
        others = {name: levels, "second": [second], "difference": [difference]}
        return grid(size, others=others, **factors)

    normal: dict[str, Any] = {"laws": ("normal",), "categories": (False,)}
    if size == "quick":
        small: dict[str, Any] = {"areas": (0.7,), "sizes": ((20, 20),)}
        return distinct(
            cells(0.0, "same", laws=("normal", "exponential"), **small),
            cells(0.0, "unequal", **normal, **small),
            cells(DIFFERENCE, "same", **normal, **small),
        )
    wide = ((10, 10), (50, 50))
    return distinct(
        cells(0.0, "same", areas=areas, sizes=wide),
        cells(0.0, "same", areas=(0.5, 0.99), sizes=wide, **normal),
        cells(0.0, "same", levels, areas=areas, sizes=((20, 20), (10, 90), large), **normal),
        cells(0.0, "unequal", areas=areas, sizes=(*wide, crossing), **normal),
        cells(0.0, "unequal", levels[-1:], areas=areas, sizes=((10, 90), large), **normal),
        cells(DIFFERENCE, "same", areas=areas, sizes=wide, laws=("normal",)),
        cells(DIFFERENCE, "same", levels, areas=areas, sizes=(large,), **normal),
    )


AREA_TESTS: dict[str, dict[str, Any]] = {
    "auto": {"method": "auto"},
    "score": {"method": "score"},
    "delong": {"method": "delong"},
    "hanley-mcneil": {"method": "hanley-mcneil"},
    "bootstrap": {"method": "bootstrap"},
    "bootstrap percentile": {"method": "bootstrap", "bootstrap": "percentile"},
    "permutation": {"method": "permutation"},
}
CURVE_TESTS: dict[str, dict[str, Any]] = {"venkatraman": {"method": "venkatraman"}}


register(
    Family(
        name="compare_auc paired",
        title="Two areas of the same cases",
        kind="test",
        quantities=("equal areas",),
        default="auto",
        methods={name: two_curves(paired=True, **options) for name, options in AREA_TESTS.items()},
        cells=lambda size: two_curve_cells(
            size, areas=(0.7, 0.95), large=(100, 100), crossing=(100, 100), correlation=(0.5, 0.0, 0.8)
        ),
        draw=draw_paired,
        truth=is_null,
    )
)
register(
    Family(
        name="compare_auc unpaired",
        title="Two areas of different cases",
        kind="test",
        quantities=("equal areas",),
        default="auto",
        methods={name: two_curves(paired=False, **options) for name, options in AREA_TESTS.items()},
        cells=lambda size: two_curve_cells(
            size, areas=(0.7, 0.95), large=(50, 50), crossing=(200, 200), times=(1, 2, 10)
        ),
        draw=draw_unpaired,
        truth=is_null,
    )
)
register(
    Family(
        name="curves paired",
        title="Two whole curves of the same cases",
        kind="test",
        quantities=("equal curves",),
        default="venkatraman",
        methods={name: two_curves(paired=True, **options) for name, options in CURVE_TESTS.items()},
        cells=lambda size: two_curve_cells(
            size, areas=(0.7, 0.95), large=(100, 100), crossing=(100, 100), correlation=(0.5, 0.0, 0.8)
        ),
        draw=draw_paired,
        truth=equal_curves,
        most=1000,
    )
)
register(
    Family(
        name="curves unpaired",
        title="Two whole curves of different cases",
        kind="test",
        quantities=("equal curves",),
        default="venkatraman",
        methods={name: two_curves(paired=False, **options) for name, options in CURVE_TESTS.items()},
        cells=lambda size: two_curve_cells(
            size, areas=(0.8,), large=(50, 50), crossing=(200, 200), times=(1, 2)
        ),
        draw=draw_unpaired,
        truth=equal_curves,
        most=1000,
    )
)


def area_difference(**options: Any) -> Method:
    """The interval of the difference of two areas."""

    def interval(data: Any, rng: Generator) -> list[tuple[float, float]]:
        y, scores = data
        (pair,) = compare_auc(y, scores, level=LEVEL, **options, rng=rng, n_boot=BOOTSTRAP).pairs
        return [ends(pair)]

    return interval


def difference_cells(size: Size, name: str, levels: Sequence[float]) -> tuple[Cell, ...]:
    """Equal areas and different ones, of every law."""
    others: dict[str, Sequence[Any]] = {name: levels, "second": ["same"], "difference": [0.0, DIFFERENCE]}
    sizes = ((10, 10), (20, 20), (50, 50), (200, 200), (10, 90))
    return grid(size, areas=(0.7, 0.95), sizes=sizes, categories=(False,), others=others)


register(
    Family(
        name="compare_auc difference paired",
        title="Difference of two areas of the same cases",
        quantities=("difference",),
        default="auto",
        methods={
            name: area_difference(method=name)
            for name in ("auto", "score", "delong", "hanley-mcneil", "bootstrap")
        },
        cells=lambda size: difference_cells(size, "correlation", [0.5]),
        draw=draw_paired,
        truth=lambda cell: (float(cell.factor("difference")),),
    )
)
register(
    Family(
        name="compare_auc difference unpaired",
        title="Difference of two areas of different cases",
        quantities=("difference",),
        default="auto",
        methods={
            name: area_difference(paired=False, method=name)
            for name in ("auto", "score", "delong", "bootstrap")
        },
        cells=lambda size: difference_cells(size, "times", [1, 10]),
        draw=draw_unpaired,
        truth=lambda cell: (float(cell.factor("difference")),),
    )
)


# ---- Two points of an averaged curve ----------------------------------------------------------------------

FEATURES = 5  # of a linear discriminant
LOG_ODDS = 1.0  # the threshold of discriminants
ROOT = 1e-12


@lru_cache(maxsize=256)
def equal_thresholds(law: ScoreLaw) -> tuple[float, float, float]:
    """Two thresholds with the same TPR - FPR, on either side of the best one, and the best one."""
    best = law.youden_fpr()
    few = best / 3

    def excess(fpr: float) -> float:
        return (law.true_tpr(fpr) - fpr) - (law.true_tpr(few) - few)

    many = float(optimize.brentq(excess, best, 1.0, xtol=ROOT))
    return law.threshold_at(few), law.threshold_at(many), law.threshold_at(best)


def draw_features(areas: Sequence[float], n: int, rng: Generator) -> list[Floats]:
    """For every area normal features of the same n positives and n negatives, the best discriminant's area.

    The classes lie at the same distance on either side of 0.
    """
    sides = np.repeat([0.5, -0.5], n)[:, None]
    shifts = [math.sqrt(2 / FEATURES) * float(special.ndtri(area)) for area in areas]
    return [rng.standard_normal((2 * n, FEATURES)) + sides * shift for shift in shifts]


def left_out_scores(X: Floats, positive: Flags, fold: NDArray[np.int64]) -> Floats:
    """Log odds of the cases of every fold, by the linear discriminant of the others."""
    scores = np.empty(len(X))
    for k in range(int(fold.max()) + 1):
        kept, own = fold != k, fold == k
        scores[own] = log_odds(X[own], X[kept & positive], X[kept & ~positive])
    return scores


def log_odds(X: Floats, pos: Floats, neg: Floats) -> Floats:
    """Log odds of cases by the linear discriminant of others."""
    means = pos.mean(axis=0), neg.mean(axis=0)
    pooled = sum((x - mean).T @ (x - mean) for x, mean in zip((pos, neg), means, strict=True))
    w = np.linalg.solve(pooled / (len(pos) + len(neg) - 2), means[0] - means[1])
    return np.asarray((X - (means[0] + means[1]) / 2) @ w)


def draw_folds(cell: Cell, rng: Generator) -> tuple[Any, Floats, Any, list[float]]:
    """Labels, scores, folds, and two thresholds.

    Fixed scores are those of a law. Trained ones are those of discriminants, each trained on the other folds;
    exchanging the classes turns their signs, so that thresholds on either side of 0 have the same TPR - FPR
    in the mean of all training sets, and 0 has a higher one.
    """
    n_pos, n_neg, folds = cell.n_pos, cell.n_neg, int(cell.factor("folds"))
    fold = np.concatenate([np.arange(n_pos) % folds, np.arange(n_neg) % folds])
    if cell.factor("scores") == "fixed":
        y, scores = cell.score_law.draw(n_pos, n_neg, rng)
        first, second, best = equal_thresholds(cell.score_law)
    else:
        y = np.repeat([1, 0], [n_pos, n_neg])
        (X,) = draw_features([cell.area], n_pos, rng)
        scores = left_out_scores(X, y == 1, fold)
        first, second, best = LOG_ODDS, -LOG_ODDS, 0.0
    return y, scores, fold, [first, second if cell.factor("thresholds") == "equal" else best]


def two_points(method: Any) -> Method:
    """A test of two points over folds."""

    def p_value(data: Any, _: Generator) -> list[float]:
        y, scores, fold, thresholds = data
        roc = average_roc(y, scores, fold=fold, points=thresholds, measures="youden")
        return [float(roc.compare_to(0, method=method).p_value[1, 0])]

    return p_value


def fold_cells(size: Size) -> tuple[Cell, ...]:
    """Fixed scores of every law, and trained ones."""

    def cells(scores: str, folds: Sequence[int], thresholds: str, **factors: Any) -> Any:
        others: dict[str, Sequence[Any]] = {"scores": [scores], "folds": folds, "thresholds": [thresholds]}
        return grid(size, areas=(0.7, 0.9), categories=(False,), others=others, **factors)

    two, normal = ((50, 50), (200, 200)), ("normal",)
    grids = [
        cells("fixed", (10,), "equal", sizes=(*two, (50, 200))),
        cells("trained", (5, 10), "equal", sizes=((20, 20), *two), laws=normal),
        cells("fixed", (10,), "apart", sizes=two, laws=normal),
        cells("trained", (10,), "apart", sizes=two, laws=normal),
    ]
    if size == "full":
        grids.append(cells("fixed", (5,), "equal", sizes=two, laws=normal))
    return distinct(*grids)


register(
    Family(
        name="compare_to",
        title="Two points of an averaged curve",
        kind="test",
        quantities=("TPR - FPR",),
        default="paired-t",
        methods={name: two_points(name) for name in ("paired-t", "paclik", "corrected")},
        cells=fold_cells,
        draw=draw_folds,
        truth=lambda cell: (float(cell.factor("thresholds") == "equal"),),
    )
)


# ---- Areas of subgroups -----------------------------------------------------------------------------------

GROUPS = {"equal": (1, 1, 1), "unequal": (1, 2, 4)}  # cases of three groups, in those of the first


def draw_groups(cell: Cell, rng: Generator) -> tuple[Any, Floats, Any]:
    """Labels, scores and groups; the first group, one of the smallest, may have a smaller area."""
    parts = list[tuple[Any, Floats]]()
    times = GROUPS[cell.factor("groups")]
    for k, many in enumerate(times):
        lower = cell.factor("difference") if k == 0 else 0.0
        law = score_law(cell.law, round(cell.area - lower, 6), cell.categories)
        parts.append(law.draw(many * cell.n_pos, many * cell.n_neg, rng))
    group = np.repeat(np.arange(len(times)), [y.size for y, _ in parts])
    return np.concatenate([y for y, _ in parts]), np.concatenate([s for _, s in parts]), group


def subgroup_tests(data: Any, _: Generator) -> list[float]:
    """P-values of homogeneity, of the first group against the rest, and the smallest adjusted one."""
    y, scores, group = data
    found = auc_by(y, scores, by=group)
    adjusted = [row.p_adjusted for row in found.groups if row.p_adjusted is not None]
    return [as_p(p) for p in (found.tests[0].p_value, found.groups[0].p_value, min(adjusted, default=None))]


def group_cells(size: Size) -> tuple[Cell, ...]:
    """Groups of the same size and of different sizes."""

    def cells(difference: float, groups: Sequence[str], **factors: Any) -> Any:
        return grid(size, others={"groups": groups, "difference": [difference]}, **factors)

    normal: dict[str, Any] = {"laws": ("normal",), "categories": (False,)}
    both = ("equal", "unequal")
    if size == "quick":
        return distinct(
            cells(0.0, both, areas=(0.7,), sizes=((10, 10),), categories=(False,)),
            cells(DIFFERENCE, both, areas=(0.7,), sizes=((10, 10),), **normal),
        )
    return distinct(
        cells(0.0, both, areas=(0.7, 0.95), sizes=((10, 10), (50, 50), (20, 80))),
        cells(0.0, both, areas=(0.5, 0.8, 0.99), sizes=((20, 20), (200, 200)), **normal),
        cells(DIFFERENCE, both, areas=(0.7, 0.95), sizes=((20, 20), (50, 50), (200, 200)), **normal),
    )


register(
    Family(
        name="auc_by",
        title="Areas of three subgroups",
        kind="test",
        quantities=("homogeneity", "first minus the rest", "any difference (Holm)"),
        default="auto",
        methods={"auto": subgroup_tests},
        cells=group_cells,
        draw=draw_groups,
        truth=lambda cell: is_null(cell) * 3,
    )
)


# ---- Two learners over folds ------------------------------------------------------------------------------


def draw_learners(cell: Cell, rng: Generator) -> tuple[Floats, Floats, int, int]:
    """Areas and errors over folds of two discriminants, and the cases a fold trains and tests with.

    Each learner has features of its own. Where these separate the classes equally well the learners are
    exchangeable. Two arrays (measure, fold), for five repeats of two halves (measure, repeat, half).
    """
    n, folds, repeats = cell.n_pos, int(cell.factor("folds")), int(cell.factor("repeats"))
    y = np.repeat([True, False], n)
    features = draw_features([cell.area, round(cell.area - cell.factor("difference"), 6)], n, rng)
    found = np.empty((2, 2, repeats, folds))
    for repeat in range(repeats):
        fold = np.concatenate([rng.permutation(n) % folds, rng.permutation(n) % folds])
        for learner, X in enumerate(features):
            scores = left_out_scores(X, y, fold)
            for k in range(folds):
                pos, neg = scores[(fold == k) & y], scores[(fold == k) & ~y]
                found[learner, 0, repeat, k] = (pos[:, None] > neg).mean()
                found[learner, 1, repeat, k] = (np.sum(pos < 0) + np.sum(neg >= 0)) / (pos.size + neg.size)
    if repeats == 1:
        found = found[:, :, 0]
    n_test = 2 * n // folds
    return found[0], found[1], 2 * n - n_test, n_test


def two_learners(method: str) -> Method:
    """A test of two learners; the posterior of "bayes-t" counts as twice the smaller of worse and better."""

    def p_values(data: Any, rng: Generator) -> list[float]:
        first, second, n_train, n_test = data
        answers = list[float]()
        for a, b in zip(first, second, strict=True):
            row = paired_tests(a, b, n_train=n_train, n_test=n_test, rng=rng)[method]
            if row.posterior is None:
                answers.append(as_p(row.p_value))
            else:
                answers.append(2 * min(row.posterior[0], row.posterior[2]))
        return answers

    return p_values


def learner_cells(size: Size, folds: Sequence[int], repeats: int) -> tuple[Cell, ...]:
    """Cells of two learners."""

    def cells(difference: float, **factors: Any) -> Any:
        others: dict[str, Sequence[Any]] = {
            "folds": folds,
            "repeats": [repeats],
            "difference": [difference],
        }
        return grid(size, laws=("normal",), categories=(False,), others=others, **factors)

    if size == "quick":
        small: dict[str, Any] = {"areas": (0.7,), "sizes": ((20, 20),)}
        return distinct(cells(0.0, **small), cells(DIFFERENCE, **small))
    sizes = ((20, 20), (50, 50), (150, 150))
    return distinct(
        cells(0.0, areas=(0.7, 0.9), sizes=sizes), cells(DIFFERENCE, areas=(0.7, 0.9), sizes=((50, 50),))
    )


register(
    Family(
        name="paired_tests",
        title="Two learners over the folds of a cross-validation",
        kind="test",
        quantities=("AUC", "error"),
        default="corrected-t",
        methods={name: two_learners(name) for name in FOLD_TESTS if name not in NEED_HALVES},
        cells=lambda size: learner_cells(size, (5, 10), 1),
        draw=draw_learners,
        truth=lambda cell: is_null(cell) * 2,
    )
)
register(
    Family(
        name="paired_tests 5x2",
        title="Two learners over five repeats of two halves",
        kind="test",
        quantities=("AUC", "error"),
        default="corrected-t",
        methods={name: two_learners(name) for name in FOLD_TESTS},
        cells=lambda size: learner_cells(size, (2,), 5),
        draw=draw_learners,
        truth=lambda cell: is_null(cell) * 2,
    )
)


# ---- Two learners on a common test set ---------------------------------------------------------------------

TESTED = 3  # one case in so many
MODELS = 10


def draw_holdout(cell: Cell, rng: Generator) -> list[list[FoldRecord]]:
    """What the models of two learners say of a common test set, a third of the cases.

    Each model lacks one tenth of the other cases. The learners are those of `draw_learners`.
    """
    n = cell.n_pos
    y, part = np.repeat([True, False], n), np.tile(np.arange(n), 2)
    tested = part < n // TESTED
    found = list[list[FoldRecord]]()
    for X in draw_features([cell.area, round(cell.area - cell.factor("difference"), 6)], n, rng):
        records = list[FoldRecord]()
        for k in range(MODELS):
            kept = ~tested & (part % MODELS != k)
            score = log_odds(X[tested], X[kept & y], X[kept & ~y])
            records.append(FoldRecord(positive=y[tested], score=score, called=score >= 0))
        found.append(records)
    return found


def over_cases(data: Any, _: Generator) -> list[float]:
    """The tests of areas and of errors over the cases of a common test set."""
    return [as_p(compare_over_cases(measure, *data, level=LEVEL).p_value) for measure in OVER_CASES]


def holdout_cells(size: Size) -> tuple[Cell, ...]:
    """Two learners, from few cases to many."""

    def cells(difference: float, sizes: Sequence[tuple[int, int]]) -> Any:
        normal: dict[str, Any] = {"laws": ("normal",), "categories": (False,), "areas": (0.7, 0.9)}
        return grid(size, sizes=sizes, others={"difference": [difference]}, **normal)

    sizes = ((30, 30), (60, 60), (150, 150), (450, 450))
    return distinct(cells(0.0, sizes), cells(DIFFERENCE, ((150, 150),)))


register(
    Family(
        name="compare_algorithms holdout",
        title="Two learners on a common test set",
        kind="test",
        quantities=("AUC", "error"),
        default="over cases",
        methods={"over cases": over_cases},
        cells=holdout_cells,
        draw=draw_holdout,
        truth=lambda cell: is_null(cell) * 2,
    )
)


# ---- Several algorithms over data sets --------------------------------------------------------------------

HARDER = 0.15  # how far the true areas of data sets reach to both sides of the cell's


def draw_datasets(cell: Cell, rng: Generator) -> Floats:
    """Areas of algorithms on data sets, one row a data set, each counted on test cases of its own.

    The true area differs between data sets, and is the same for all algorithms but, where there is a
    difference, the first, whose area is smaller by it.
    """
    shape = int(cell.factor("datasets")), int(cell.factor("algorithms"))
    area = rng.uniform(cell.area - HARDER, cell.area + HARDER, shape[0])[:, None] * np.ones(shape[1])
    area[:, 0] -= cell.factor("difference")
    shift = math.sqrt(2) * special.ndtri(area)
    pos = rng.standard_normal((*shape, cell.n_pos, 1)) + shift[:, :, None, None]
    neg = rng.standard_normal((*shape, 1, cell.n_neg))
    return np.asarray((pos > neg).mean(axis=(2, 3)))


def over_datasets(method: str) -> Method:
    """A test that all algorithms rank equally; of tests of pairs the smallest adjusted p-value."""

    def p_value(values: Any, _: Generator) -> list[float]:
        if method in ("friedman", "iman-davenport"):
            friedman, davenport = friedman_tests(mean_ranks(values))
            return [as_p((friedman if method == "friedman" else davenport).p_value)]
        if method == "quade":
            return [as_p(quade_test(values, mean_ranks(values)).p_value)]
        pairs = compare_ranks(values, [f"algorithm {k}" for k in range(values.shape[1])]).pairs
        return [min(pair[f"p_{method}"] for pair in pairs)]

    return p_value


def rank_cells(size: Size) -> tuple[Cell, ...]:
    """Few and many data sets and algorithms."""

    def cells(difference: float, datasets: Sequence[int], algorithms: Sequence[int]) -> Any:
        others: dict[str, Sequence[Any]] = {
            "datasets": datasets,
            "algorithms": algorithms,
            "difference": [difference],
        }
        normal: dict[str, Any] = {"laws": ("normal",), "categories": (False,), "areas": (0.8,)}
        return grid(size, sizes=((20, 20), (50, 50)), others=others, **normal)

    if size == "quick":
        return distinct(cells(0.0, (10,), (3,)), cells(DIFFERENCE, (10,), (3,)))
    return distinct(cells(0.0, (5, 10, 30), (3, 6)), cells(DIFFERENCE, (10, 30), (3, 6)))


register(
    Family(
        name="compare_ranks",
        title="Several algorithms over data sets",
        kind="test",
        quantities=("equal ranks",),
        default="friedman",
        methods={
            name: over_datasets(name)
            for name in ("friedman", "iman-davenport", "quade", "nemenyi", "holm", "shaffer")
        },
        cells=rank_cells,
        draw=draw_datasets,
        truth=is_null,
    )
)


# ---- Readers and cases ------------------------------------------------------------------------------------

# Variances of reader and of reader by modality; of case, case by modality, reader by case, and error: the
# structures HL and LH of Roe and Metz (Academic Radiology 4, 1997) for an area of 0.855.
READERS = {"HL": (0.0055, (0.3, 0.3, 0.2, 0.2)), "LH": (0.03, (0.1, 0.1, 0.2, 0.6))}


def reader_deviates(structure: str, readers: int, n: int, rng: Generator) -> Floats:
    """Standard normal deviates of the readings of a class, (modality, reader, case)."""
    of_reader, (case, by_modality, by_reader, error) = READERS[structure]
    shapes = {(1, readers, 1): of_reader, (2, readers, 1): of_reader, (1, 1, n): case, (2, 1, n): by_modality}
    shapes |= {(1, readers, n): by_reader, (2, readers, n): error}
    total = sum(shapes.values())
    parts = (math.sqrt(variance / total) * rng.standard_normal(shape) for shape, variance in shapes.items())
    return np.asarray(sum(parts))


def draw_readings(cell: Cell, rng: Generator) -> tuple[Any, Floats, tuple[Any, Any, Any]]:
    """Labels, scores, and of every reading the modality, the reader and the case.

    A positive and a negative have no effect in common, so that the area of the law is that of readers in the
    mean, in either modality; the second may have a smaller one.
    """
    readers, structure = int(cell.factor("readers")), cell.factor("structure")
    far = rng.random(cell.n_pos) < 0.5 if cell.law == "mixture" else None
    pos, neg = (reader_deviates(structure, readers, n, rng) for n in (cell.n_pos, cell.n_neg))
    lower = round(cell.area - cell.factor("difference"), 6)
    laws = (cell.score_law, score_law(cell.law, lower, cell.categories))
    scores = np.stack(
        [
            np.concatenate(
                [law.from_normal(z, positive=True, far=far), law.from_normal(other, positive=False)], axis=1
            )
            for law, z, other in zip(laws, pos, neg, strict=True)
        ]
    )
    modality, reader, case = (index.ravel() for index in np.indices(scores.shape))
    return (case < cell.n_pos).astype(int), scores.ravel(), (modality, reader, case)


def two_modalities(method: Any) -> Method:
    """The test of two modalities, of readers and cases at random."""

    def p_value(data: Any, _: Generator) -> list[float]:
        y, scores, (modality, reader, case) = data
        study = reader_study(y, scores, reader=reader, modality=modality, case=case, method=method)
        return [as_p(study.p_value)]

    return p_value


def reader_cells(size: Size) -> tuple[Cell, ...]:
    """Few and many readers, of little and of much variance."""

    def cells(difference: float, readers: Sequence[int], structures: Sequence[str], **factors: Any) -> Any:
        others: dict[str, Sequence[Any]] = {
            "readers": readers,
            "structure": structures,
            "difference": [difference],
        }
        return grid(size, others=others, **factors)

    both, normal = tuple(READERS), {"laws": ("normal",), "categories": (False,)}
    if size == "quick":
        small: dict[str, Any] = {"areas": (0.7,), "sizes": ((20, 20),), **normal}
        return distinct(cells(0.0, (3,), both, **small), cells(DIFFERENCE, (3,), both, **small))
    sizes = ((20, 20), (50, 50), (10, 90))
    return distinct(
        cells(0.0, (5,), ("LH",), areas=(0.8,), sizes=((20, 20),)),
        cells(0.0, (3, 10), both, areas=(0.7, 0.95), sizes=sizes, **normal),
        cells(DIFFERENCE, (3, 10), both, areas=(0.95,), sizes=((50, 50),), **normal),
    )


register(
    Family(
        name="reader_study",
        title="Two modalities, read by several readers",
        kind="test",
        quantities=("equal areas",),
        default="delong",
        methods={name: two_modalities(name) for name in ("delong", "jackknife", "unbiased", "gallas")},
        cells=reader_cells,
        draw=draw_readings,
        truth=is_null,
    )
)


# ---- Decisions of two classifiers -------------------------------------------------------------------------

DECISION_FPR = 0.2


def draw_decisions(cell: Cell, rng: Generator) -> tuple[Any, dict[str, Any]]:
    """Labels and the decisions of two classifiers.

    With thresholds at one FPR both have the same FPR and, without a difference of areas, the same TPR.
    Mirrored thresholds exchange one kind of error for the other: with as many positives as negatives the
    error stays the same.
    """
    first, second = two_laws(cell)
    y, *scores = draw_pair(first, second, cell.factor("correlation"), cell.n_pos, cell.n_neg, rng)
    if cell.factor("thresholds") == "mirrored":
        thresholds = equal_thresholds(first)[:2]
    else:
        thresholds = first.threshold_at(DECISION_FPR), second.threshold_at(DECISION_FPR)
    decided = [(s >= x).astype(int) for s, x in zip(scores, thresholds, strict=True)]
    return y, {"first": decided[0], "second": decided[1]}


def mcnemar(field: str) -> Method:
    """McNemar's test."""

    def p_value(data: Any, _: Generator) -> list[float]:
        (pair,) = compare_decisions(*data).pairs
        return [as_p(pair[field])]

    return p_value


def decision_cells(size: Size) -> tuple[Cell, ...]:
    """Errors of one kind in all sizes, and of different kinds in as many positives as negatives."""

    def cells(difference: float, thresholds: str, sizes: Sequence[tuple[int, int]]) -> Any:
        others: dict[str, Sequence[Any]] = {
            "correlation": (0.0, 0.5, 0.8),
            "second": ["same"],
            "thresholds": [thresholds],
            "difference": [difference],
        }
        normal: dict[str, Any] = {"laws": ("normal",), "categories": (False,)}
        return grid(size, areas=(0.7, 0.9), sizes=sizes, others=others, **normal)

    balanced = ((10, 10), (20, 20), (50, 50), (200, 200))
    return distinct(
        cells(0.0, "same FPR", (*balanced, (10, 90), (50, 450))),
        cells(0.0, "mirrored", balanced),
        cells(DIFFERENCE, "same FPR", balanced),
    )


register(
    Family(
        name="compare_decisions",
        title="Errors of two classifiers on the same cases",
        kind="test",
        quantities=("equal errors",),
        default="exact",
        methods={"exact": mcnemar("p_value"), "chi2": mcnemar("p_chi2")},
        cells=decision_cells,
        draw=draw_decisions,
        truth=is_null,
    )
)


# ---- One rate of two curves -------------------------------------------------------------------------------

AT = 0.1  # FPR


@lru_cache(maxsize=256)
def same_rate(law: ScoreLaw, name: LawName) -> ScoreLaw:
    """Another continuous law with the same TPR at the fixed FPR; its area differs."""

    def excess(area: float) -> float:
        return ScoreLaw(name, area).true_tpr(AT) - law.true_tpr(AT)

    return ScoreLaw(name, float(optimize.brentq(excess, 0.3, 0.999, xtol=1e-11)))


def draw_rates(cell: Cell, rng: Generator) -> tuple[Any, Any]:
    """Labels and two scores of the same cases; another law has the same TPR at the FPR, not the same area."""
    first, second = two_laws(cell)
    if second.name != first.name:
        second = same_rate(first, second.name)
    y, *scores = draw_pair(first, second, cell.factor("correlation"), cell.n_pos, cell.n_neg, rng)
    return y, {"first": scores[0], "second": scores[1]}


register(
    Family(
        name="compare_auc rates",
        title="Sensitivity of two scores at an FPR of 0.1",
        kind="test",
        quantities=("TPR at FPR 0.1",),
        default="t",
        methods={
            name: two_curves(paired=True, method="sensitivity", at=AT, bootstrap=name)
            for name in ("t", "normal", "percentile")
        },
        cells=lambda size: two_curve_cells(
            size, areas=(0.8,), large=(200, 200), crossing=(200, 200), correlation=(0.5, 0.0, 0.8)
        ),
        draw=draw_rates,
        truth=is_null,
    )
)
