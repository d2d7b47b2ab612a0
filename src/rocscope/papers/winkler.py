"""Winkler, Affenzeller and Wagner (GECCO 2006): figure 1, and what its open choices do to MaxAUC and AvgAUC.

The paper's classifier was evolved by genetic programming on a synthetic set that is not published. Here it is
evolved by gplearn (extra `studies`); beside it stand a regression quadratic in the features, and a forest.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.core.resampling import as_generator
from rocscope.ordinal.closure import Closure
from rocscope.ordinal.counts import FIXED
from rocscope.ordinal.roc import ordinal_roc
from rocscope.papers.base import Figure, Options, Paper, PaperSummary, Table, register, table_row
from rocscope.run.study import Study, StudyTask
from rocscope.training.ordinal_scores import OrdinalEstimates, evolved_formula, ordinal_scores

Floats = NDArray[np.float64]
CASES, CLASSES = 2000, 6
LEARNERS = ("quadratic regression", "random forest", "genetic programming")
EVOLVED = LEARNERS[2]
# Folds of each learner; a formula takes a second to evolve.
FOLDS = {EVOLVED: 2}
TREES = 30
CLOSURES: tuple[Closure, ...] = ("diagonal", "flat")
AREAS = {"MaxAUC": "max_auc", "AvgAUC": "avg_auc"}


def make(options: Options) -> Study:
    """List the tasks: one for each synthetic set and learner, and one for the figure.

    Examples
    --------
    >>> [task.key for task in make(Options(size="quick")).tasks][:2]
    ['figure', 'quadratic regression/0']
    """
    sets = dict(zip(LEARNERS, (5, 2, 2) if options.is_quick else (100, 30, 30), strict=True))
    notes = tuple[str, ...]()
    if find_spec("gplearn") is None:
        del sets[EVOLVED]
        notes = (f"{EVOLVED} is left out: it needs gplearn, pip install 'rocscope[studies]'",)
    drawn = EVOLVED if EVOLVED in sets else LEARNERS[0]
    tasks = [StudyTask(key="figure", function=estimate, parameters={"learner": drawn})]
    tasks += [
        StudyTask(key=f"{learner}/{k}", function=areas_of_set, parameters={"learner": learner})
        for learner in sets
        for k in range(sets[learner])
    ]
    return options.study("winkler", tasks, notes=notes)


def synthetic(rng: Generator) -> tuple[Floats, NDArray[np.int64]]:
    """A synthetic set: 2,000 cases in 6 ordered classes of equal size, from four features and noise.

    Examples
    --------
    >>> X, y = synthetic(np.random.default_rng(1))
    >>> X.shape, sorted(set(y.tolist()))
    ((2000, 4), [1, 2, 3, 4, 5, 6])
    """
    X = rng.normal(size=(CASES, 4))
    signal = X[:, 0] + 0.7 * X[:, 1] ** 2 - 0.5 * X[:, 2] * X[:, 3] + 0.35 * rng.normal(size=CASES)
    cuts = np.quantile(signal, np.arange(1, CLASSES) / CLASSES)
    return X, 1 + np.searchsorted(cuts, signal)


def model_of(learner: str) -> Any:
    """The regression quadratic in the features, the forest, or the evolved formula."""
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures

    if learner == EVOLVED:
        return evolved_formula()
    if learner == LEARNERS[0]:
        return make_pipeline(PolynomialFeatures(2), LinearRegression())
    return RandomForestRegressor(TREES, min_samples_leaf=3)


def _estimates(learner: str, seed: SeedSequence) -> OrdinalEstimates:
    rng = as_generator(seed)
    X, y = synthetic(rng)
    return ordinal_scores(model_of(learner), X, y, cv=FOLDS.get(learner, 10), rng=rng)


def estimate(learner: str, seed: SeedSequence) -> dict[str, Any]:
    """Classes and cross-validated estimates of one synthetic set."""
    estimates = _estimates(learner, seed)
    return {"y": estimates.y_true, "estimate": estimates.y_pred}


def areas_of_set(learner: str, seed: SeedSequence) -> list[Any]:
    """MaxAUC and AvgAUC of every class, [closure, fixed, area, class]."""
    estimates = _estimates(learner, seed)
    rocs = [[ordinal_roc(estimates, closure=c, fixed=f) for f in FIXED] for c in CLOSURES]
    return [[[getattr(roc, name).tolist() for name in AREAS.values()] for roc in row] for row in rocs]


def summarise(results: Mapping[str, Any], options: Options) -> PaperSummary:
    """Draw the Multi-ROC chart both ways, and table the areas under every choice."""
    drawn = results["figure"]
    lower, upper = (ordinal_roc(drawn["y"], drawn["estimate"], fixed=fixed) for fixed in FIXED)
    areas, fixed_rows, closure_rows = (list[dict[str, Any]]() for _ in range(3))
    findings, names = list[str](), tuple(AREAS)
    for learner in LEARNERS:
        if not any(key.startswith(f"{learner}/") for key in results):
            continue
        # Values [set, closure, fixed, area, class].
        values = np.array([results[key] for key in sorted(results) if key.startswith(f"{learner}/")])
        areas += [
            _mean_row(
                values[:, closure, fixed, area, label],
                learner=learner,
                closure=CLOSURES[closure],
                fixed=FIXED[fixed],
                area=names[area],
                label=label + 1,
            )
            for closure, fixed, area, label in np.ndindex(values.shape[1:])
        ]
        # How much it changes an area which threshold is fixed; the first and last class have one curve.
        change = np.abs(values[:, :, 1] - values[:, :, 0])[..., 1:-1]
        fixed_rows += [
            _mean_row(
                change[:, closure, area, label],
                learner=learner,
                closure=CLOSURES[closure],
                area=names[area],
                label=label + 2,
            )
            for closure, area, label in np.ndindex(change.shape[1:])
        ]
        # How much larger an area is with the diagonal closure than with the flat one.
        gain = (values[:, 0] - values[:, 1]).mean(axis=-1)
        closure_rows += [
            _mean_row(gain[:, fixed, area], learner=learner, fixed=FIXED[fixed], area=names[area])
            for fixed, area in np.ndindex(gain.shape[1:])
        ]
        largest = change[:, 0].mean(axis=0).max(axis=-1)
        closing = (values[:, 0] - values[:, 1]).mean(axis=(0, 1, 3))
        findings.append(
            f"{learner.capitalize()}, {len(values)} sets: which threshold is fixed changes MaxAUC of a class "
            f"by up to {largest[0]:.3f} on average, AvgAUC by up to {largest[1]:.3f}. Closing diagonally "
            f"instead of flat adds {closing[0]:.3f} to MaxAUC and {closing[1]:.3f} to AvgAUC on average over "
            "the classes."
        )
    return PaperSummary(
        tables=(
            Table(name="areas", rows=areas),
            Table(name="fixed_threshold", rows=fixed_rows),
            Table(name="closure", rows=closure_rows),
        ),
        figures=(
            Figure(name="figure_1", result=lower),
            Figure(name="figure_1_upper_fixed", result=upper),
            Figure(name="points", result=lower, options={"show": "points"}),
            Figure(name="youden", result=lower, options={"show": "youden"}),
        ),
        findings=tuple(findings),
        same=SAME,
        choices=CHOICES,
        missing=MISSING,
        inconsistent=INCONSISTENT,
    )


def _mean_row(values: Floats, **names: Any) -> dict[str, Any]:
    error = float(values.std(ddof=1) / np.sqrt(values.size))
    return table_row(None, float(values.mean()), error, **names, sets=values.size)


SAME = (
    "A synthetic set of 2,000 samples in 6 classes; a model that estimates a number near the class.",
    "10 curves for each inner class, one curve for the first and the last; MaxAUC and AvgAUC as defined.",
)
CHOICES = (
    "The learner: genetic programming of gplearn without the paper's offspring selection, formulas of sums, "
    "differences and products bred for their correlation with the class, 500 in each of 10 generations; "
    "beside it a regression quadratic in the features and a random forest of 30 trees, to see what hangs on "
    "the learner.",
    "The synthetic set, drawn anew for each seed: four normal features, a quadratic signal, noise, six "
    "classes of equal size.",
    "Estimates are cross-validated in ten folds, those of genetic programming in two; the paper does not say "
    "on which samples its chart rests.",
    "Thresholds are evenly spaced inside each gap between classes, ten in each.",
    "How a curve is closed: diagonally to (1, 1) in the figures, and flat beside it in the tables.",
)
MISSING = (
    "The paper's data set, its evolved classifier, and any printed MaxAUC or AvgAUC: the column paper is "
    "empty.",
)
INCONSISTENT = (
    "The text says that it does not significantly change the results which threshold is fixed: the points "
    "are the same, but AvgAUC is not.",
    "How a curve is closed is not said, and decides more than anything else: the published programs of the "
    "authors closed it in two ways at different dates.",
)
CITATION = (
    "S. M. Winkler, M. Affenzeller, S. Wagner: Sets of receiver operating characteristic curves "
    "and their use in the evaluation of multi-class classification, GECCO 2006"
)
register(Paper("winkler", CITATION, make, summarise))
