"""Marginal models of a fusion: the curve of a weighted sum of two scores, predicted from each score alone.

Each score has its distribution in each class, by one of four models. That of the sum follows under
independence given the class ([1]_ eqs. 6 to 11), or with a correlation of the normal deviates inside each
class. It is a closed form for binormal curves, a quadrature for proper and contaminated ones, and for the
empirical distributions a sum over all pairs of their values.

References
----------
.. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
   ICIAP 2005, LNCS 3617.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal import combine, model_choice, quadrature
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion_parts import Target, WeightGrid
from rocscope.binormal.latent import DRAWN, Floats
from rocscope.binormal.pair import BinormalPair, fit_binormal_pair, fit_margin
from rocscope.core import checks
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable, collect
from rocscope.errors import RocInputError, UndefinedError

Model: TypeAlias = Literal["binormal", "proper", "contaminated", "empirical"]
MODELS = get_args(Model)
# Scores below 2 to this power have weighted sums, and differences of them, that float64 holds.
MOST_BITS = 1000
# Values of one score in one class: of more, so many quantiles stand for all.
MOST_VALUES = 1000
# FPR at which a curve by quadrature is read for targets other than its area.
DENSE = np.concatenate([[0.0], special.ndtr(np.linspace(-8.0, 8.0, 4001)), [1.0]])


class SumCurve(NamedTuple):
    """The predicted ROC curve of a weighted sum: its area, and TPR as a function of FPR."""

    auc: float
    tpr: Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Margins:
    """Both scores by one model, and what is known of their dependence.

    Attributes
    ----------
    model
        "binormal", "proper", "contaminated" or "empirical".
    first, second
        The fitted curves; binormal ones where the model is "empirical", which uses `cases` alone.
    pair
        The binormal fit of both, whose correlations of the normal deviates serve all fitted models.
    units
        What one step on each latent scale is on the scale of the sums.
    cases
        The cases of the fit; None where they are not at hand.
    """

    model: str
    first: model_choice.Curve
    second: model_choice.Curve
    pair: BinormalPair | None
    units: Floats
    cases: BinaryScores | None = None

    @classmethod
    def fit(cls, data: BinaryScores, model: str, units: Floats) -> Margins:
        """Fit both scores of checked data."""
        pair = fit_binormal_pair(data)
        first: model_choice.Curve = pair.first
        second: model_choice.Curve = pair.second
        if model in ("proper", "contaminated"):
            first, second = (fit_margin(data, k, model_choice.MODELS[model][0]) for k in range(2))
        return cls(model=model, first=first, second=second, pair=pair, units=units, cases=data)

    def joint_scores(self, *, correlated: bool) -> combine.JointScores:
        """Latent scores of binormal curves, independent given the class or with their correlations."""
        fits = [self.first, self.second]
        independent = combine.JointScores.of(fits)  # a curve that is lacking is the better reason
        if not correlated:
            return independent
        neg, pos = self.correlations()
        return combine.JointScores.of(fits, corr_neg=neg, corr_pos=pos)

    def correlations(self) -> tuple[float, float]:
        """Correlations of the normal deviates among negatives and positives, where both are known."""
        if self.pair is None or self.pair.rho_neg is None or self.pair.rho_pos is None:
            reason = "there is no fit of both scores" if self.pair is None else self.pair.reason
            raise UndefinedError(f"the correlations are not known: {reason}")
        return self.pair.rho_neg, self.pair.rho_pos

    def predict(self, directions: Floats, target: Target, *, correlated: bool) -> Floats:
        """The target for the weights in each row; `UndefinedError` where the model has no prediction."""
        if self.model == "binormal":
            scores = self.joint_scores(correlated=correlated)
            weights = combine.times_units(directions, self.units)
            return target.predict(*combine.combined_parameters(scores, weights))
        if self.model == "empirical":
            tables = (self.sum_table(direction, correlated=correlated) for direction in directions)
            return np.array([target.count(table) for table in tables])
        curves = self.quadratures(directions, correlated=correlated)
        if target.name == "auc":
            return np.array([curve.auc for curve in curves])
        heights = np.stack([curve.tpr(DENSE) for curve in curves])
        return target.of_curves(np.broadcast_to(DENSE, heights.shape), heights)

    def curve(self, direction: Floats, *, correlated: bool) -> SumCurve:
        """The curve of one combination; `UndefinedError` where the model has no prediction."""
        if self.model == "binormal":
            scores = self.joint_scores(correlated=correlated)
            a, b = combine.combined_parameters(scores, combine.times_units(direction, self.units))
            combined = Binormal(a=float(a), b=float(b), method="combined")
            return SumCurve(float(combined.auc or 0.0), combined.tpr)
        if self.model == "empirical":
            counted = RocCurve.from_table(self.sum_table(direction, correlated=correlated))
            return SumCurve(counted.auc, counted.tpr_at)
        return self.quadratures(direction[np.newaxis], correlated=correlated)[0]

    def quadratures(self, directions: Floats, *, correlated: bool) -> list[SumCurve]:
        """Curves by quadrature; correlated ones have normal deviates joined by a Gaussian copula."""
        first, second = (
            quadrature.laws_of(fit, name=f"fits[{k}]") for k, fit in enumerate((self.first, self.second))
        )
        rho = self.correlations() if correlated else (0.0, 0.0)
        curves = []
        for weights in combine.times_units(directions, self.units):
            found = quadrature.combine_curves(first, second, weights, rho=rho)
            curves.append(SumCurve(found.auc, _along_deviates(found.fpr, found.tpr)))
        return curves

    def sum_table(self, direction: Floats, *, correlated: bool) -> ScoreTable:
        """Counts of the weighted sums: of all pairs of values in a class, or of the cases as they are.

        Under independence every value of the first score meets every value of the second in its class. With
        the dependence of the cases themselves that is the count on the cases of the fit.
        """
        if self.cases is None:
            raise UndefinedError("the cases behind the empirical distributions are not at hand")
        if correlated:
            return sum_table(self.cases, direction)
        parts = weighted(self.cases, direction)
        scores, counts = [], []
        for rows in (self.cases.positive, ~self.cases.positive):
            (a, n_a), (b, n_b) = (_distribution(part[rows]) for part in parts)
            scores.append(np.add.outer(a, b).ravel())
            counts.append(np.outer(n_a, n_b).ravel())
        nothing = [np.zeros_like(count) for count in counts]
        return collect(
            np.concatenate(scores),
            np.concatenate([counts[0], nothing[1]]),
            np.concatenate([nothing[0], counts[1]]),
        )

    def is_thinned(self) -> bool:
        """Whether quantiles stand for the values of a score in the empirical model."""
        if self.model != "empirical" or self.cases is None:
            return False
        classes = (self.cases.positive, ~self.cases.positive)
        return any(len(np.unique(c[rows])) > MOST_VALUES for c in self.cases.columns for rows in classes)


def _distribution(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Distinct values and their counts; quantiles of equal share where they are too many."""
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= MOST_VALUES:
        return distinct, counts
    shares = (np.arange(MOST_VALUES) + 0.5) / MOST_VALUES
    return np.quantile(values, shares, method="inverted_cdf"), np.ones(MOST_VALUES, dtype=np.int64)


def _along_deviates(fpr: Floats, tpr: Floats) -> Callable[[Floats], Floats]:
    """TPR as a function of FPR between points of a smooth curve, joined on the scale of normal deviates."""
    from scipy.interpolate import PchipInterpolator

    inside = (fpr > 0) & (fpr < 1) & (tpr > 0) & (tpr < 1)
    x, first = np.unique(special.ndtri(fpr[inside]), return_index=True)
    line = PchipInterpolator(x, special.ndtri(tpr[inside])[first])

    def height(at: Floats) -> Floats:
        at = np.asarray(at, dtype=np.float64)
        open_rates = (at > 0) & (at < 1)
        deviates = special.ndtri(np.where(open_rates, at, 0.5)).clip(x[0], x[-1])
        return np.where(open_rates, special.ndtr(line(deviates)), at)

    return height


def weighted(data: BinaryScores, direction: Floats) -> tuple[Floats, Floats]:
    """Both scores of every case times their weights; of huge scores a fraction of it, in the same order."""
    for name, column in zip(data.names, data.columns, strict=True):
        if column.dtype.kind != "f":
            raise RocInputError(
                "must hold numbers that float64 holds exactly to be added up as they are, got longer "
                "integers; scale 'latent' takes them as ranks",
                argument=name,
            )
    first, second = data.columns
    _, exponent = np.frexp(max(np.abs(first).max(), np.abs(second).max()))
    # A power of two changes no digit, and with this one neither sums nor their differences overflow.
    parts = np.ldexp(direction, min(0, MOST_BITS - int(exponent)))
    return parts[0] * first, parts[1] * second


def sums(data: BinaryScores, direction: Floats) -> Floats:
    """The weighted sum of both scores of every case, up to a power of two."""
    first, second = weighted(data, direction)
    return np.asarray(first + second)


def sum_table(data: BinaryScores, direction: Floats) -> ScoreTable:
    """Counts of the weighted sums of the cases."""
    scores = sums(data, direction)
    return ScoreTable.from_sorted(np.sort(scores[data.positive]), np.sort(scores[~data.positive]))


# ---- The curve of one weighted sum: predicted, counted, and those of both scores alone --------------------

Prediction: TypeAlias = Literal["independent", "correlated"]
PREDICTIONS: tuple[Prediction, ...] = ("independent", "correlated")
CURVES = (*PREDICTIONS, "empirical", "first", "second")
# FPR at which a curve is given: even steps, and even steps of its normal deviate.
GRID = np.unique(np.concatenate([np.linspace(0.0, 1.0, 201), special.ndtr(DRAWN)]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusionCurve(Result):
    """The ROC curve of one weighted sum of two scores: predicted, counted, and both parents.

    Attributes
    ----------
    names, weights
        Names of the two scores, and the weight of each.
    scale, model
        As in `FusionPreview`.
    fpr
        False positive rates at which all curves are given.
    independent, correlated
        TPR predicted for scores that are independent given the class, and with their dependence.
    empirical
        TPR of the counted sums, linear between vertices; at a vertical step its upper end.
    first, second
        TPR of each score alone, by the model.
    auc_independent, auc_correlated, auc_empirical, auc_first, auc_second
        The areas under the whole curves; None, with NaN in the curve, where one is undefined.
    n_pos, n_neg
        Cases that were counted; None where they were not saved.
    status, reason
        "ok"; "partial" where a curve is undefined, with the reason.
    """

    view: ClassVar[str] = "binormal.fusion_curve_picture"
    topic: ClassVar[str] = "models"

    names: tuple[str, str]
    weights: Floats
    scale: str
    model: str
    fpr: Floats
    independent: Floats
    correlated: Floats
    empirical: Floats
    first: Floats
    second: Floats
    auc_independent: float | None
    auc_correlated: float | None
    auc_empirical: float | None
    auc_first: float | None
    auc_second: float | None
    n_pos: int | None
    n_neg: int | None
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The combination in words.

        Examples
        --------
        >>> from rocscope import preview_fusion
        >>> rng = np.random.default_rng(1)
        >>> y = np.repeat([0, 1], 30)
        >>> preview_fusion(y, y + rng.normal(size=60), rng.normal(size=60)).curve([0.5, 2]).title
        '0.5 score_a + 2 score_b'
        """
        (first, second), (a, b) = self.names, self.weights.tolist()
        return f"{a:g} {first} {'-' if b < 0 else '+'} {abs(b):g} {second}"

    def difference(self, by: Prediction = "correlated") -> Floats:
        """Predicted TPR minus the counted one at every FPR."""
        checks.check_choice(by, PREDICTIONS, name="by")
        return np.asarray(getattr(self, by) - self.empirical)

    def _summary(self) -> str:
        def area(name: str) -> str:
            value = getattr(self, f"auc_{name}")
            return "undefined" if value is None else f"{value:.4f}"

        lines = [
            f"{self.title} ({self.scale} scale, {self.model} model): AUC {area('independent')} predicted "
            f"(independent), {area('correlated')} predicted (correlated), {area('empirical')} counted; alone "
            f"{self.names[0]} {area('first')}, {self.names[1]} {area('second')}"
        ]
        for by in PREDICTIONS:
            error = self.difference(by)
            if not np.isnan(error).any():
                # At rates of 0 and 1 predicted curves end, whatever was counted there.
                at = int(np.argmax(np.where((self.fpr > 0) & (self.fpr < 1), np.abs(error), -1.0)))
                size = f"{np.abs(error).mean():.4f} on average"
                lines.append(
                    f"{by} - counted TPR: {size}, largest {error[at]:+.4f} at FPR {self.fpr[at]:.3g}"
                )
        return "\n  ".join(lines)

    def columns(self) -> dict[str, Any]:
        """One row per FPR; the curves of the scores have their names, as in "a alone"."""
        alone = dict(zip(("first", "second"), self.names, strict=True))
        curves = {
            f"{alone[name]} alone" if name in alone else name: getattr(self, name)
            for name in ("fpr", *CURVES)
        }
        return curves | {f"{by}_minus_empirical": getattr(self, by) - self.empirical for by in PREDICTIONS}


def fusion_curve(
    margins: Margins, counted: BinaryScores | None, weights: Any, *, names: tuple[str, str], scale: str
) -> FusionCurve:
    """The curve of one pair of weights; `counted` are the cases, on the scale on which they are added up."""
    grid = WeightGrid.of([weights])
    direction, reasons = grid.directions[0], list[str]()
    fields: dict[str, Any] = {}

    def one(name: str) -> SumCurve:
        if name in PREDICTIONS:
            return margins.curve(direction, correlated=name == "correlated")
        if name == "empirical":
            if counted is None:
                raise UndefinedError("the cases are not among the saved numbers")
            vertices = RocCurve.from_table(sum_table(counted, direction))
            return SumCurve(vertices.auc, vertices.tpr_at)
        place = ("first", "second").index(name)
        if margins.model == "empirical" and margins.cases is not None:
            vertices = curve_of(margins.cases, place)
            return SumCurve(vertices.auc, vertices.tpr_at)
        fit = (margins.first, margins.second)[place]
        if fit.auc is None:
            raise UndefinedError(f"{names[place]} has no curve ({fit.status}): {fit.reason}")
        return SumCurve(fit.auc, fit.tpr)

    for name in CURVES:
        try:
            found = one(name)
            fields |= {name: found.tpr(GRID), f"auc_{name}": found.auc}
        except UndefinedError as error:
            fields |= {name: np.full(len(GRID), np.nan), f"auc_{name}": None}
            reasons.append(f"{name}: {error}")
    return FusionCurve(
        names=names,
        weights=grid.weights[0],
        scale=scale,
        model=margins.model,
        fpr=GRID,
        **fields,
        n_pos=None if counted is None else counted.n_pos,
        n_neg=None if counted is None else counted.n_neg,
        status="partial" if reasons else "ok",
        reason="; ".join(reasons) or None,
    )
