"""Which curve suits the data: several models on the same categories, compared by Akaike's criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from rocscope.binormal import contaminated, curve, latent, proper
from rocscope.binormal.fit import fit_categories, read_table
from rocscope.core import checks
from rocscope.core.frames import Missing
from rocscope.core.result import Result, Row, row_columns

Curve: TypeAlias = curve.Binormal | proper.ProperBinormal | contaminated.ContaminatedBinormal

# The fit of each model, and the number of parameters of its curve.
MODELS: dict[str, tuple[Callable[[latent.Categories], Curve], int]] = {
    "binormal": (fit_categories, 2),
    "equal-variance": (contaminated.fit_equal_variance, 1),
    "proper": (proper.fit_proper_categories, 2),
    "contaminated": (contaminated.fit_contaminated_categories, 2),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelFit(Row):
    """One model of a choice.

    Attributes
    ----------
    model
        "binormal", "equal-variance" (b = 1), "proper" or "contaminated".
    parameters
        Number of parameters, those of the curve and the cut-points between the categories.
    log_likelihood, aic, auc
        None where the model has no fit.
    behind
        AIC minus the smallest AIC of all models.
    status, reason
        Those of the fit.
    """

    model: str
    parameters: int
    log_likelihood: float | None
    aic: float | None
    behind: float | None
    auc: float | None
    status: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelChoice(Result):
    """Models of the ROC curve side by side.

    Attributes
    ----------
    rows
        One `ModelFit` for each model.
    best
        The model with the smallest AIC; None where no model has a fit.
    fits
        The fitted curves by model.
    n_pos, n_neg, n_categories
        Cases and categories behind all fits.
    """

    view: ClassVar[str] = "binormal.model_choice_picture"

    rows: tuple[ModelFit, ...]
    best: str | None
    n_pos: int
    n_neg: int
    n_categories: int
    fits: dict[str, Curve]
    warnings: tuple[str, ...] = ()

    def _summary(self) -> str:
        if self.best is None:
            return f"No model has a fit: {self.rows[0].reason}"
        others = (row for row in self.rows if row.model != self.best)
        behind = ", ".join(
            f"{row.model} {row.status if row.behind is None else f'+{row.behind:.2f}'}" for row in others
        )
        return f"Best curve by AIC: {self.best} ({behind})"

    def columns(self) -> dict[str, Any]:
        """One row per model."""
        return row_columns(self.rows)


@checks.known_arguments
def choose_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> ModelChoice:
    """Fit all latent models of the ROC curve to the same categories, and compare them by AIC.

    The models are the binormal curve, the one with equal variances, the proper and the contaminated binormal
    curve. All see the runs of `fit_binormal`, so their log-likelihoods have the same constant. AIC is
    twice the number of parameters minus twice the log-likelihood. It weighs fit against size; it does not
    say whether the best of the models is good enough.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na
        Labels and scores or ratings, as in `fit_binormal`.

    Returns
    -------
    ModelChoice
        With `rows`, `best` and `fits`. A model without a fit has its status and reason in its row.

    Examples
    --------
    >>> from rocscope import ScoreTable
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> choice = choose_binormal(table)
    >>> print(choice)
    Best curve by AIC: equal-variance (binormal +0.72, proper +0.72, contaminated +1.02)
    >>> round(choice.fits["proper"].auc, 4)
    0.9113
    """
    categories = latent.truth_runs(
        read_table(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
    )
    fits = {name: fit(categories) for name, (fit, _) in MODELS.items()}
    counts = {name: size + len(categories) - 1 for name, (_, size) in MODELS.items()}
    criteria = {
        name: 2 * counts[name] - 2 * fit.log_likelihood
        for name, fit in fits.items()
        if fit.log_likelihood is not None
    }
    least = min(criteria.values(), default=None)
    rows = []
    for name, fit in fits.items():
        aic = criteria.get(name)
        rows.append(
            ModelFit(
                model=name,
                parameters=counts[name],
                log_likelihood=fit.log_likelihood,
                aic=aic,
                behind=None if aic is None or least is None else aic - least,
                auc=fit.auc,
                status=fit.status,
                reason=fit.reason,
            )
        )
    return ModelChoice(
        rows=tuple(rows),
        best=min(criteria, key=lambda name: criteria[name], default=None),
        n_pos=categories.n_pos,
        n_neg=categories.n_neg,
        n_categories=len(categories),
        fits=fits,
        warnings=categories.warnings,
    )
