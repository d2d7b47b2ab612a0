"""The ROC curve of one weighted sum of two scores: predicted, counted, and those of both scores alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from scipy import special

from rocscope.binormal.fusion_models import Margins, SumCurve, sum_table
from rocscope.binormal.fusion_parts import WeightGrid
from rocscope.binormal.latent import DRAWN, Floats
from rocscope.core import checks
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.errors import UndefinedError

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
