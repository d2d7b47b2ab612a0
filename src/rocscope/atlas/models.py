"""Families of models and their folds: trained, averaged, calibrated and combined ones."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import integrate, special
from sklearn.base import BaseEstimator, ClassifierMixin

from rocscope.atlas.areas import ends
from rocscope.atlas.cells import LEVEL, Cell, Family, grid, register
from rocscope.averaging.curves import average_curves
from rocscope.binormal.fusion import preview_fusion
from rocscope.bootstrap.estimates import bootstrap_auc
from rocscope.inference.calibration import calibration

Floats: TypeAlias = NDArray[np.float64]


# ---- Trained without a test set ---------------------------------------------------------------------------

TRAININGS = 200  # bootstrap replicates
TRAINED = ("star", "point632", "point632plus", "leave_pair_out")


class MeanDifference(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose score is the projection on the difference of the classes' means."""

    def fit(self, X: Floats, y: Any) -> MeanDifference:
        """Take the means of the classes 0 and 1."""
        means = [X[y == k].mean(axis=0) for k in (0, 1)]
        self.classes_ = np.array([0, 1])
        self.slope_, self.middle_ = means[1] - means[0], (means[0] + means[1]) / 2
        return self

    def decision_function(self, X: Floats) -> Floats:
        """The projection, 0 half way between the means."""
        return np.asarray((X - self.middle_) @ self.slope_)

    def predict(self, X: Floats) -> NDArray[np.int64]:
        """1 on the side of the positives."""
        return (self.decision_function(X) > 0).astype(np.int64)


def draw_training(cell: Cell, rng: Generator) -> tuple[Floats, NDArray[np.int64], float]:
    """Features, labels, and the true area of the model that is trained on all of them.

    Features are as in the family of `cross_auc`.
    """
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    X = rng.standard_normal((y.size, int(cell.factor("features"))))
    X[:, 0] += cell.score_law.shift * y
    slope = MeanDifference().fit(X, y).slope_
    return X, y, float(special.ndtr(cell.score_law.shift * slope[0] / np.linalg.norm(slope) / math.sqrt(2)))


def trained_intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
    """How far the intervals reach to both sides of the true area, which differs between data sets."""
    X, y, target = data
    found = bootstrap_auc(
        MeanDifference(), X, y, n_boot=TRAININGS, cv=2, leave_one_out=False, level=LEVEL, rng=rng, n_jobs=1
    )
    reach = [ends(getattr(found, name)) for name in TRAINED]
    return [(low - target, high - target) for low, high in reach]


register(
    Family(
        name="bootstrap_auc",
        title="Area of a model without a test set",
        quantities=("AUC(*)", ".632", ".632+", "leave-pair-out"),
        default="influence",
        methods={"influence": trained_intervals},
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9),
            sizes=((20, 20), (50, 50)),
            laws=("normal",),
            categories=(False,),
            others={"features": (2, 10)},
        ),
        most=2000,
        draw=draw_training,
        truth=lambda cell: (0.0,) * len(TRAINED),
    )
)


# ---- Averages over folds ----------------------------------------------------------------------------------

FOLDS = 10
AT_FPR, AT_TPR, AT = 0.2, 0.8, 0.8


def draw_folds(cell: Cell, rng: Generator) -> tuple[Any, Floats, NDArray[np.int64], float]:
    """Labels and scores of a fixed model, folds of the same shares, and a threshold."""
    y, scores = cell.score_law.draw(cell.n_pos, cell.n_neg, rng)
    fold = np.concatenate([np.arange(cell.n_pos), np.arange(cell.n_neg)]) % FOLDS
    return y, scores, fold, cell.score_law.threshold_near(AT)


def averaged_intervals(data: Any, _: Generator) -> list[tuple[float, float]]:
    """The t intervals over folds: vertically, horizontally, and of both rates at a threshold."""
    y, scores, fold, threshold = data
    vertical = average_curves(y, scores, fold=fold, along="fpr", x=[AT_FPR], level=LEVEL)
    horizontal = average_curves(y, scores, fold=fold, along="tpr", x=[AT_TPR], level=LEVEL)
    fixed = average_curves(y, scores, fold=fold, along="threshold", x=[threshold], level=LEVEL)
    pairs = [(one.low[0], one.high[0]) for one in (vertical, horizontal, fixed)]
    return [(float(low), float(high)) for low, high in [*pairs, (fixed.fpr_low[0], fixed.fpr_high[0])]]


def true_averages(cell: Cell) -> list[float]:
    """The rates of the true curve."""
    law = cell.score_law
    fpr, tpr = law.rates(law.threshold_near(AT))
    return [law.true_tpr(AT_FPR), law.true_fpr(AT_TPR), tpr, fpr]


register(
    Family(
        name="average_curves",
        title=f"Averages over {FOLDS} folds",
        quantities=(
            f"TPR at FPR {AT_FPR:g} (vertical)",
            f"FPR at TPR {AT_TPR:g} (horizontal)",
            "TPR at a threshold",
            "FPR at a threshold",
        ),
        default="t",
        methods={"t": averaged_intervals},
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9),
            sizes=((20, 20), (50, 50), (200, 200), (50, 200)),
            laws=("normal", "exponential"),
            categories=(False,),
        ),
        draw=draw_folds,
        truth=true_averages,
    )
)


# ---- Calibration ------------------------------------------------------------------------------------------


def draw_probabilities(cell: Cell, rng: Generator) -> tuple[Any, Floats]:
    """Labels of cases of a population, and their true probabilities."""
    n, share = cell.n_pos + cell.n_neg, cell.n_pos / (cell.n_pos + cell.n_neg)
    y = np.zeros(1)
    while not 0 < y.sum() < y.size:
        y = (rng.random(n) < share).astype(np.int64)
    scores = rng.standard_normal(n) + cell.score_law.shift * y
    return y, special.expit(true_log_odds(scores, cell.score_law.shift, share))


def true_log_odds(score: Any, shift: float, share: float) -> Any:
    """Of the positive class, given a normal score."""
    return shift * score - shift**2 / 2 + math.log(share / (1 - share))


def calibration_intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
    """Intervals of the slope, the intercept, the ratio and the Brier score."""
    y, probability = data
    found = calibration(y, probability, n_boot=10, level=LEVEL, rng=rng)  # they need none of these draws
    return [ends(one) for one in (found.intercept, found.slope, found.ratio, found.brier)]


@lru_cache(maxsize=64)
def true_brier(shift: float, share: float) -> float:
    """The mean of p (1 - p)."""

    def product(x: float) -> float:
        p = float(special.expit(true_log_odds(x, shift, share)))
        density = (1 - share) * math.exp(-(x**2) / 2) + share * math.exp(-((x - shift) ** 2) / 2)
        return p * (1 - p) * density / math.sqrt(2 * math.pi)

    return float(integrate.quad(product, -12, 12 + shift, epsabs=1e-12, limit=200)[0])


register(
    Family(
        name="calibration",
        title="Calibration of true probabilities",
        quantities=("intercept", "slope", "ratio", "Brier score"),
        default="wald",
        methods={"wald": calibration_intervals},
        cells=lambda size: grid(
            size,
            areas=(0.7, 0.9),
            sizes=((20, 20), (50, 50), (200, 200), (10, 90), (50, 450)),
            laws=("normal",),
            categories=(False,),
        ),
        draw=draw_probabilities,
        truth=lambda cell: (
            0.0,
            1.0,
            1.0,
            true_brier(cell.score_law.shift, cell.n_pos / (cell.n_pos + cell.n_neg)),
        ),
    )
)


# ---- Predicted combinations -------------------------------------------------------------------------------

REFITS = 100  # bootstrap replicates, each with a fit of both curves
COLUMNS = ("independent", "correlated", "empirical")


def draw_two_scores(cell: Cell, rng: Generator) -> tuple[Any, Floats, Floats]:
    """Labels and two normal scores of the same cases; the second is as far from chance by half."""
    n_pos, n_neg, rho = cell.n_pos, cell.n_neg, cell.factor("correlation")
    y = np.repeat([1, 0], [n_pos, n_neg])
    first, other = rng.standard_normal((2, y.size))
    shift = cell.score_law.shift
    return y, first + shift * y, rho * first + math.sqrt(1 - rho**2) * other + shift / 2 * y


def fusion_intervals(data: Any, rng: Generator) -> list[tuple[float, float]]:
    """Intervals of the area of the plain sum: predicted without and with correlation, and counted."""
    preview = preview_fusion(*data, weights=[[1.0, 1.0]], n_boot=REFITS, level=LEVEL, rng=rng, n_jobs=1)
    return list(zip(preview.low[0].tolist(), preview.high[0].tolist(), strict=True))


def true_sums(cell: Cell) -> list[float]:
    """The areas of the sum of independent scores, and of these scores, twice."""
    distance = 1.5 * cell.score_law.shift
    areas = [
        float(special.ndtr(distance / math.sqrt(2 * (2 + 2 * rho))))
        for rho in (0, cell.factor("correlation"))
    ]
    return [areas[0], areas[1], areas[1]]


register(
    Family(
        name="preview_fusion",
        title="Area of a sum of two scores",
        quantities=COLUMNS,
        default="bootstrap",
        methods={"bootstrap": fusion_intervals},
        cells=lambda size: grid(
            size,
            areas=(0.8,),
            sizes=((20, 20), (50, 50)) if size == "full" else ((20, 20),),
            laws=("normal",),
            categories=(False,),
            others={"correlation": (0.0, 0.5)},
        ),
        most=250,
        draw=draw_two_scores,
        truth=true_sums,
    )
)
