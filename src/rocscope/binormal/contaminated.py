"""The contaminated binormal curve, in which some positives look like negatives; and equal variances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal import curve, fit, latent, maximum, quadrature
from rocscope.binormal.latent import Floats, normal_density
from rocscope.core import checks
from rocscope.core.frames import Missing

# Beyond this distance the seen positives have left all negatives behind.
FARTHEST = 10.0
REASONS = {
    "chance": "no contaminated curve is likelier than the diagonal, which lies on the boundary of the model",
    "boundary": "alpha = 1 is on the boundary of the model: errors are those of neighbouring curves",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContaminatedBinormal(latent.ConcaveCurve):
    """The ROC curve of positives of which a share `alpha` is seen, and the others look like negatives.

    Negatives are N(0, 1), positives N(mu, 1) with probability alpha and else N(0, 1); the curve rises with a
    falling slope and never lies below chance (Dorfman and Berbaum 2000).

    Attributes
    ----------
    alpha, mu
        Share of the positives that are seen, and their distance; None where the curve is undefined.
    cov
        Covariance matrix of (alpha, mu); None where it is not known.
    auc
        Area, (1 - alpha) / 2 + alpha Phi(mu / sqrt 2).
    log_likelihood, method, n_pos, n_neg, n_categories, categories, cutpoints, warnings
        As for `ProperBinormal`.
    status, reason
        As for `ProperBinormal`; "boundary" where alpha = 1 (no positive is like a negative), "chance" where
        alpha or mu is 0.

    Examples
    --------
    >>> curve = ContaminatedBinormal(alpha=0.8, mu=2.0)
    >>> round(curve.auc, 4), curve.tpr([0.0, 0.1, 1.0]).round(4).tolist()
    (0.8371, [0.0, 0.631, 1.0])
    """

    model: ClassVar[str] = "contaminated binormal"
    PARAMETERS: ClassVar[tuple[str, str]] = ("alpha", "mu")

    alpha: float | None = None
    mu: float | None = None

    def _checked_area(self) -> float:
        alpha = checks.check_number(self.alpha, name="alpha", low=0, high=1, closed=True)
        mu = checks.check_number(self.mu, name="mu", low=0, closed=True)
        checks.check_number(mu, name="mu")
        return (1 - alpha) / 2 + alpha * float(special.ndtr(mu / math.sqrt(2)))

    def shape(self) -> ContaminatedShape:
        """Return the latent shape, or raise `UndefinedError` with the reason where there is none."""
        return ContaminatedShape(*self.parameters())

    def _area_up_to(self, fpr: float) -> float:
        alpha, mu = self.parameters()
        return alpha * curve.area_up_to(mu, 1.0, fpr) + (1 - alpha) * fpr**2 / 2

    def _fpr_inside(self, tpr: Floats) -> Floats:
        alpha, mu = self.parameters()
        positives = quadrature.Law.mixture([0.0, mu], [1.0, 1.0], [1 - alpha, alpha])
        return np.asarray(special.ndtr(-positives.quantile(-special.ndtri(tpr))))


@checks.known_arguments
def fit_contaminated(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> ContaminatedBinormal:
    """Fit a contaminated binormal ROC curve by maximum likelihood.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na
        As in `fit_binormal`.

    Returns
    -------
    ContaminatedBinormal
        With `alpha`, `mu`, `cov`, `auc`, `log_likelihood`, `status` and `reason`.

    Examples
    --------
    >>> from rocscope import ScoreTable
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> print(fit_contaminated(table))
    Contaminated binormal curve (ml): alpha 0.9157 (se 0.0765), mu 2.2618 (se 0.4008), AUC 0.9076 (se 0.0299)
    """
    table = fit.read_table(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
    return fit.name_zero_variance(fit_contaminated_categories(latent.truth_runs(table)), table)


def fit_contaminated_categories(categories: latent.Categories) -> ContaminatedBinormal:
    """Maximum-likelihood fit to counts in categories."""
    undefined = fit.why_no_concave_curve(categories)
    if undefined is not None:
        return ContaminatedBinormal._fitted(categories, **undefined._asdict())
    likelihood = ContaminatedLikelihood(categories)
    best = likelihood.maximum(_starts(categories))
    if best is None:
        return ContaminatedBinormal._fitted(
            categories, status="not-converged", reason=likelihood.no_maximum()
        )
    alpha, mu = best.theta.tolist()
    if mu >= FARTHEST:
        reason = "the likelihood rises with mu without end: a share of the positives lies above all negatives"
        return ContaminatedBinormal._fitted(categories, status="degenerate", reason=reason)
    status = "ok" if 0 < alpha < 1 else "chance" if alpha == 0 else "boundary"
    cov = None
    if status != "chance":
        cov = likelihood.covariance(ContaminatedShape(alpha, mu), best.cutpoints)
    return ContaminatedBinormal._fitted(
        categories,
        alpha=alpha,
        mu=mu,
        cov=cov,
        log_likelihood=best.log_likelihood,
        cutpoints=best.cutpoints,
        status=status,
        reason=maximum.SINGULAR if status == "ok" and cov is None else REASONS.get(status),
    )


def _starts(categories: latent.Categories) -> Iterator[Floats]:
    """Curves of about the area of the data, with many and with few positives seen; and chance."""
    area = min(max(categories.auc, 0.55), 0.99)
    for alpha in (0.95, 0.7, 0.4):
        share = min((area - (1 - alpha) / 2) / alpha, 0.995)
        yield np.array([alpha, math.sqrt(2) * float(special.ndtri(share))])
    yield np.zeros(2)


class ContaminatedLikelihood(maximum.ShapeLikelihood):
    """The curves with 0 <= alpha <= 1 and mu >= 0."""

    def shape(self, theta: Floats) -> ContaminatedShape:
        """The curve with these parameters."""
        return ContaminatedShape(float(theta[0]), float(theta[1]))

    def project(self, theta: Floats, previous: Floats) -> Floats:
        """Stop at the ends of both ranges; where the curve is chance, both parameters are 0."""
        alpha, mu = min(max(float(theta[0]), 0.0), 1.0), min(max(float(theta[1]), 0.0), FARTHEST)
        return np.array([alpha, mu]) if alpha > 0 and mu > 0 else np.zeros(2)

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """At an end of its range a parameter stays if the likelihood rises beyond it."""
        alpha, mu = theta
        if alpha == 0:
            return np.zeros(2, dtype=bool)
        return np.array([alpha < 1 or slope[0] < 0, mu < FARTHEST or slope[1] < 0])


@dataclass(frozen=True, slots=True)
class ContaminatedShape:
    """Positives are N(mu, 1) with probability alpha and else like the negatives, N(0, 1).

    Examples
    --------
    >>> below, above = ContaminatedShape(0.5, 2.0).tails(np.array([0.0]))
    >>> above.round(4).tolist()
    [0.7386]
    """

    alpha: float
    mu: float

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""
        below, above = (
            self.alpha * special.ndtr(sign * (t - self.mu)) + (1 - self.alpha) * special.ndtr(sign * t)
            for sign in (1.0, -1.0)
        )
        return below, above

    def local(self, t: Floats) -> latent.Local:
        """The first of them with all derivatives up to the second, by alpha and mu."""
        below, above = self.tails(t)
        x = t - self.mu
        seen, unseen = normal_density(x), normal_density(t)
        pull = self.alpha * x * seen
        return latent.Local(
            below=below,
            above=above,
            density=self.alpha * seen + (1 - self.alpha) * unseen,
            by_parameters=np.stack([special.ndtr(x) - special.ndtr(t), -self.alpha * seen]),
            density_by_t=-pull - (1 - self.alpha) * t * unseen,
            density_by_parameters=np.stack([seen - unseen, pull]),
            curvature=np.stack([np.stack([np.zeros_like(t), -seen]), np.stack([-seen, -pull])]),
        )


# ---- The binormal curve with equal variances, b = 1: one parameter, and never a hook ----------------------


METHOD = "ml, b = 1"


def fit_equal_variance(categories: latent.Categories) -> curve.Binormal:
    """Maximum-likelihood fit of the curve with b = 1; one point inside the ROC square is enough for it.

    Examples
    --------
    >>> categories = latent.Categories(neg=np.array([84, 16]), pos=np.array([50, 50]), boundaries=[0.5])
    >>> print(fit_equal_variance(categories))
    Binormal curve (ml, b = 1): a 0.9945 (se 0.1960), b 1.0000 (se 0.0000), AUC 0.7590 (se 0.0432)
    """
    undefined, side = fit.why_undefined(categories), fit.curve_along_sides(categories)
    if undefined is None or not (undefined.status in ("perfect", "perverse") or len(categories) == 1):
        # Points along the sides of the square, where a has no end.
        why = f"the {side} curve passes through all ROC points"
        undefined = None if side is None else fit.Undefined("degenerate", why)
    if undefined is not None:
        return curve.Binormal._fitted(categories, method=METHOD, **undefined._asdict())
    likelihood = EqualLikelihood(categories)
    area = min(max(categories.auc, 0.01), 0.99)
    best = likelihood.maximum(
        np.array([a, 1.0]) for a in (math.sqrt(2) * float(special.ndtri(area)), 1.0, 0.0)
    )
    if best is None:
        reason = likelihood.no_maximum()
        return curve.Binormal._fitted(categories, method=METHOD, status="not-converged", reason=reason)
    a = float(best.theta[0])
    about = maximum.expected_information(best.cutpoints, a, 1.0, categories.n_neg, categories.n_pos)
    information = about.eliminate(np.zeros(len(best.cutpoints)))[2][0, 0]
    return curve.Binormal._fitted(
        categories,
        method=METHOD,
        a=a,
        b=1.0,
        cov=np.diag([1 / float(information), 0.0]),
        log_likelihood=best.log_likelihood,
        cutpoints=best.cutpoints,
        warnings=curve.hook_warning(a, 1.0),
    )


class EqualLikelihood(maximum.BinormalLikelihood):
    """The curves with any a and the b of their start."""

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """The slope b stays."""
        return np.array([True, False])
