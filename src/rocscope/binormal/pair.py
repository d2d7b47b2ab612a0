"""Two classifiers on the same cases: both binormal curves, and the correlations of their latent scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.area.tests_between import chi_square_test
from rocscope.binormal.areas import area_gradient
from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import Floats
from rocscope.binormal.pair_joint import joint_estimates
from rocscope.binormal.pair_margin import fit_margin
from rocscope.core import checks, wald
from rocscope.core.checks import Alternative
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError

PARAMETERS = ("first.a", "first.b", "second.a", "second.b", "rho_neg", "rho_pos")
METHOD = "binormal pair"
ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BinormalPair(Result):
    """Binormal curves of two classifiers on the same cases, with the correlations of their latent scores.

    Attributes
    ----------
    first, second
        The curve of each classifier, fitted by itself.
    rho_neg, rho_pos
        Correlation of the latent scores among the negatives and among the positives. They are 1 or -1,
        without a standard error, where the likelihood rises up to there.
    se_rho_neg, se_rho_pos
        Their standard errors.
    cov
        Covariance of `parameters`, with NaN in the rows that `defined` marks as undefined.
    parameters, defined
        Names of the six parameters in the order of `cov`, and which of them have a covariance.
    names
        What the classifiers are called.
    n_pos, n_neg
        Number of cases.
    status, reason
        "ok"; "partial" where a correlation or its standard error is undefined, "undefined" where a curve is.

    Examples
    --------
    >>> import numpy as np
    >>> i, y = np.arange(60), np.repeat([0, 1], 30)
    >>> noise = i * 7 % 23
    >>> pair = fit_binormal_pair(y, 8 * y + noise, 9 * y + noise + i * 5 % 13)
    >>> print(pair)
    Binormal pair: AUC 0.8003 and 0.8402; rho_neg 0.725 (se 0.066), rho_pos 0.746 (se 0.085)
    note: the fitted curve lies below chance for FPR from 0.9996 to 1 (a hook: b is not 1)
    """

    first: Binormal
    second: Binormal
    rho_neg: float | None = None
    rho_pos: float | None = None
    se_rho_neg: float | None = None
    se_rho_pos: float | None = None
    cov: Floats = field(default_factory=lambda: np.full((6, 6), np.nan))
    defined: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(6, dtype=bool))
    parameters: tuple[str, ...] = PARAMETERS
    names: tuple[str, ...] = ("score_a", "score_b")
    n_pos: int = 0
    n_neg: int = 0
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    def _summary(self) -> str:
        if self.status == "undefined":
            return f"Binormal pair undefined: {self.reason}"
        areas = f"AUC {self.first.auc:.4f} and {self.second.auc:.4f}"
        rhos = (("rho_neg", self.rho_neg, self.se_rho_neg), ("rho_pos", self.rho_pos, self.se_rho_pos))
        told = ", ".join(f"{name} {_rho_words(rho, se)}" for name, rho, se in rhos)
        return f"Binormal pair: {areas}; {told}"

    def columns(self) -> dict[str, Any]:
        """One row per parameter, with its standard error; None where undefined."""
        curves = [getattr(fit, name) for fit in (self.first, self.second) for name in ("a", "b")]
        errors = [
            math.sqrt(self.cov[k, k]) if known else None for k, known in enumerate(self.defined.tolist())
        ]
        return {"parameter": self.parameters, "value": [*curves, self.rho_neg, self.rho_pos], "se": errors}

    def ellipse(self, kind: str, share: float = 0.5) -> tuple[Floats, Floats]:
        """Outline around a share of the latent scores of a class, "neg" or "pos": first and second score."""
        checks.check_choice(kind, ("neg", "pos"), name="kind")
        rho = self.rho_neg if kind == "neg" else self.rho_pos
        if rho is None:
            raise UndefinedError(f"the correlation has no outline: {self.reason}")
        reach = math.sqrt(-2 * math.log(1 - checks.check_number(share, name="share", low=0, high=1)))
        angle = np.linspace(0, 2 * math.pi, 181)
        x, other = reach * np.cos(angle), reach * np.sin(angle)
        scores = (x, rho * x + math.sqrt(1 - rho**2) * other)
        if kind == "neg":
            return scores
        curves = (self.first.parameters(), self.second.parameters())
        first, second = ((z + a) / b for z, (a, b) in zip(scores, curves, strict=True))
        return first, second

    def difference(self, level: float = 0.95, alternative: Alternative = "two-sided") -> Estimate:
        """Area of the first curve less that of the second, with its standard error and interval."""
        level = checks.check_level(level)
        checks.check_alternative(alternative)
        value, se = self._area_difference()
        ends = None
        if value is not None and se is not None:
            ends = wald.interval(value, se, level=level, alternative=alternative, bounds=(-1.0, 1.0))
        return Estimate(
            name="difference of AUC",
            value=value,
            se=se,
            low=None if ends is None else ends[0],
            high=None if ends is None else ends[1],
            level=level,
            method=METHOD,
            alternative=alternative,
            status="undefined" if value is None else "ok" if ends is not None else "partial",
            reason=None if ends is not None else self._why_no_test(),
        )

    def equal_areas(self, alternative: Alternative = "two-sided") -> TestResult:
        """Test that both curves have the same area; the statistic is z, first less second.

        Equal scores give a difference of 0 without a variance: the statistic is 0 then, and p = 1.
        """
        checks.check_alternative(alternative)
        value, se = self._area_difference()
        if value is None or se is None:
            return _test("equal areas", None, None, None, alternative, self._why_no_test())
        if se == 0 and value != 0:
            reason = "the areas differ but their difference has no variance"
            return _test("equal areas", None, None, None, alternative, reason)
        z = value / se if se > 0 else 0.0
        p = float(wald.p_value(z, alternative=alternative)) if se > 0 else 1.0
        return _test("equal areas", z, None, p, alternative, None)

    def equal_curves(self) -> TestResult:
        """Test that both curves are the same, a and b: chi-square with 2 degrees of freedom."""
        if not self.defined[:4].all():
            return _test("equal curves", None, None, None, "two-sided", self._why_no_test())
        apart = np.concatenate([np.eye(2), -np.eye(2)], axis=1)
        effect = np.array([*self.first.parameters()]) - np.array([*self.second.parameters()])
        found = chi_square_test(effect, apart @ self.cov[:4, :4] @ apart.T)
        return _test("equal curves", found.statistic, found.df, found.p_value, "two-sided", found.reason)

    def _area_difference(self) -> tuple[float | None, float | None]:
        if self.first.auc is None or self.second.auc is None:
            return None, None
        value = self.first.auc - self.second.auc
        if not self.defined[:4].all():
            return value, None
        gradients = area_gradient(*self.first.parameters()), -area_gradient(*self.second.parameters())
        terms = np.outer(np.concatenate(gradients), np.concatenate(gradients)) * self.cov[:4, :4]
        variance = float(terms.sum())
        # Equal classifiers have equal terms, whose differences leave nothing but rounding.
        return value, math.sqrt(variance) if variance > ROUNDING * np.abs(terms).sum() else 0.0

    def _why_no_test(self) -> str:
        return self.reason or "the covariance of the curves is undefined"


def fit_binormal_pair(
    y_true: Any, score_a: Any = None, score_b: Any = None, *, pos_label: Any = None
) -> BinormalPair:
    """Fit the binormal curves of two classifiers on the same cases, and their correlations.

    Each curve is fitted by itself, from all cut-points (`fit_binormal`). Given these, the correlation of the
    latent scores in each class is found by maximum likelihood from the counts over both sets of categories,
    thinned to 20 by 20 cells. Covariances come from what each case contributes to every estimate (a
    two-stage sandwich); in the blocks of a single curve they are those of its own fit.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. A `BinaryScores` of two
        classifiers may stand here alone.
    score_a, score_b
        Finite scores of the classifiers on the same cases, larger for the positive class.
    pos_label
        The label of the positive class.

    Returns
    -------
    BinormalPair
        With `first`, `second`, `rho_neg`, `rho_pos`, standard errors, `equal_areas()` and `equal_curves()`.
        Where a curve is undefined so is the pair, with the reason.

    Examples
    --------
    >>> import numpy as np
    >>> i, y = np.arange(60), np.repeat([0, 1], 30)
    >>> noise = i * 7 % 23
    >>> pair = fit_binormal_pair(y, 8 * y + noise, 9 * y + noise + i * 5 % 13)
    >>> print(pair.equal_areas())
    equal areas: statistic -1.298, p = 0.1945 (binormal pair, two-sided)
    """
    data = _read(y_true, score_a, score_b, pos_label)
    fits = fit_margin(data, 0), fit_margin(data, 1)
    for name, fit in zip(data.names, fits, strict=True):
        if fit.status != "ok" or fit.cov is None:
            reason = f"{name}: {fit.reason or 'the information about its curve is singular'}"
            return BinormalPair(
                first=fits[0], second=fits[1], status="undefined", reason=reason, **_about(data)
            )
    joint = joint_estimates(data, fits)
    return BinormalPair(
        first=fits[0],
        second=fits[1],
        rho_neg=joint.rho[0],
        rho_pos=joint.rho[1],
        se_rho_neg=joint.se(4),
        se_rho_pos=joint.se(5),
        cov=joint.cov,
        defined=joint.defined,
        status="ok" if joint.reason is None else "partial",
        reason=joint.reason,
        warnings=tuple(dict.fromkeys(words for fit in fits for words in fit.warnings)),
        **_about(data),
    )


def _read(y_true: Any, score_a: Any, score_b: Any, pos_label: Any) -> BinaryScores:
    if isinstance(y_true, BinaryScores) and score_a is None and score_b is None:
        data = BinaryScores.from_arrays(y_true, None, pos_label=pos_label).counted()
        if len(data.columns) != 2:
            raise RocInputError(f"y_true must hold the scores of two classifiers, got {len(data.columns)}")
        return data
    given = {"score_a": score_a, "score_b": score_b}
    scores = {name: checks.as_scores(column, name=name) for name, column in given.items()}
    checks.check_same_index(y_true=y_true, score_a=score_a, score_b=score_b)
    return BinaryScores.from_arrays(y_true, scores, pos_label=pos_label)


def _about(data: BinaryScores) -> dict[str, Any]:
    return {"n_pos": data.n_pos, "n_neg": data.n_neg, "names": data.names}


def _rho_words(rho: float | None, se: float | None) -> str:
    if rho is None:
        return "undefined"
    return f"{rho:.3f}" + ("" if se is None else f" (se {se:.3f})")


def _test(
    name: str,
    statistic: float | None,
    df: float | None,
    p_value: float | None,
    alternative: str,
    reason: str | None,
) -> TestResult:
    return TestResult(
        name=name,
        method=METHOD,
        statistic=statistic,
        df=df,
        p_value=p_value,
        alternative=alternative,
        status="ok" if reason is None else "undefined",
        reason=reason,
    )
