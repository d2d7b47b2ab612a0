"""Two classifiers on the same cases: both binormal curves, and the correlations of their latent scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal._pair_correlation import (
    CorrelationFit,
    choose_cuts,
    common_order,
    count_cells,
    fit_correlation,
)
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import fit_categories, name_zero_variance
from rocscope.binormal.latent import truth_runs
from rocscope.binormal.likelihood import (
    Arrow,
    categories_between,
    expected_information,
    inner,
    solve_tridiagonal,
)
from rocscope.binormal.normal import Floats
from rocscope.core import checks, significance
from rocscope.core.checks import Alternative
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.curve_tests import chi_square_test

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

    view: ClassVar[str] = "binormal.binormal_pair_picture"

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
            ends = significance.interval(value, se, level=level, alternative=alternative, bounds=(-1.0, 1.0))
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
        p = float(significance.p_value(z, alternative=alternative)) if se > 0 else 1.0
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
        gradients = self.first.area_gradient(), -self.second.area_gradient()
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
            raise RocInputError(
                f"must hold the scores of two classifiers, got {len(data.columns)}", argument="y_true"
            )
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


# -----------------------------------------------------------------------------------------------------------
# Correlations of a pair, and the covariance of all six parameters from the influence of every case

CLASSES = ("negatives", "positives")


@dataclass(frozen=True, slots=True, kw_only=True)
class JointEstimates:
    """Both correlations, and the covariance of (a1, b1, a2, b2, rho_neg, rho_pos)."""

    rho: tuple[float | None, float | None]
    cov: Floats
    defined: NDArray[np.bool_]
    reason: str | None

    def se(self, place: int) -> float | None:
        """Standard error of a parameter."""
        return math.sqrt(self.cov[place, place]) if self.defined[place] else None


def joint_estimates(data: BinaryScores, fits: tuple[Binormal, Binormal]) -> JointEstimates:
    """Correlations given the fitted curves, and what the cases say about all parameters together."""
    data = _sorted(data)
    pair = [Margin.of(fit, column) for fit, column in zip(fits, data.columns, strict=True)]
    curves = [margin.curve_influence() for margin in pair]
    of_cases = [m.of_cases(c, data.positive) for m, c in zip(pair, curves, strict=True)]
    found = [_correlation(pair, curves, data, kind) for kind in (0, 1)]
    rows = [_matched(influence, fit) for influence, fit in zip(of_cases, fits, strict=True)]
    known = [row is not None for row in rows]
    nothing = np.zeros((2, len(data.positive)))
    influence = np.vstack(
        [*(nothing if row is None else row for row in rows), *(by_case for _, by_case in found)]
    )
    defined = np.array([*np.repeat(known, 2), *(fitted.information > 0 for fitted, _ in found)])
    cov = np.where(np.outer(defined, defined), inner(influence, influence), np.nan)
    words = [
        f"{name}: the influences of the cases on its curve are singular, so it has no covariance in the pair"
        for name, there in zip(data.names, known, strict=True)
        if not there
    ]
    return JointEstimates(
        rho=(found[0][0].rho, found[1][0].rho),
        cov=cov,
        defined=defined,
        reason="; ".join([*words, *_reasons([fitted for fitted, _ in found])]) or None,
    )


def _sorted(data: BinaryScores) -> BinaryScores:
    """The cases in an order of their own: sums over them round the same way in whatever order they came."""
    rows = np.lexsort((*reversed(data.columns), data.positive))
    columns = tuple(column[rows] for column in data.columns)
    return replace(data, positive=data.positive[rows], columns=columns, weight=None, fold=None)


def _matched(influence: Floats, fit: Binormal) -> Floats | None:
    """Influences scaled so that their squares add up to the covariance of the fit itself; None if singular.

    Both estimate the same matrix. The fit's own has less scatter, and so each curve keeps its standard
    errors in the pair, while equal scores still have equal influences. With S the sum of squares the map is
    the root of cov S^-1, the one that means the same in any parameters.
    """
    assert fit.cov is not None
    try:
        root = np.linalg.cholesky(inner(influence, influence))
    except np.linalg.LinAlgError:  # almost separated classes: a and b rest on one and the same few cases
        return None
    back = np.linalg.inv(root)
    values, vectors = np.linalg.eigh(back @ fit.cov @ back.T)
    if not values[0] > 0:
        return None
    scale = root @ (vectors * np.sqrt(values)) @ vectors.T @ back
    return np.asarray(np.einsum("pq,qi->pi", scale, influence))


def _correlation(
    pair: list[Margin], curves: list[Floats], data: BinaryScores, kind: int
) -> tuple[CorrelationFit, Floats]:
    """Correlation in one class, and the influence of every case on it."""
    rows = data.positive if kind else ~data.positive
    scores = [column[rows] for column in data.columns]
    cuts = [
        choose_cuts(column, margin.category[rows], margin.deviates(kind))
        for margin, column in zip(pair, scores, strict=True)
    ]
    first, second = (part.cells(column) for part, column in zip(cuts, scores, strict=True))
    counts = count_cells(first, second, tuple(len(part.values) + 1 for part in cuts))
    fitted = fit_correlation(counts, cuts[0].deviates, cuts[1].deviates, order=common_order(*scores))
    influence = np.zeros(len(rows))
    if fitted.information <= 0:
        return fitted, influence
    influence[rows] = fitted.score[first, second]
    for k, by in enumerate((fitted.by_first, fitted.by_second)):
        through = _through_margin(pair[k], curves[k], cuts[k].spread(by, pair[k].deviates(kind)), kind)
        influence -= pair[k].of_cases(through, data.positive)
        influence[rows] -= cuts[k].within(by, scores[k], pair[k].category[rows])
    return fitted, influence / fitted.information


def _through_margin(margin: Margin, curve: Floats, by: Floats, kind: int) -> Floats:
    """Influence by way of the fitted deviates of a class, which are b t - a among the positives."""
    if not kind:
        return margin.cutpoint_influence(by, np.zeros(2), curve)
    _, b = margin.fit.parameters()
    cutpoints = margin.deviates(0)
    return margin.cutpoint_influence(b * by, np.array([-by.sum(), inner(by, cutpoints)]), curve)


def _reasons(found: list[CorrelationFit]) -> list[str]:
    words = []
    for name, fitted in zip(CLASSES, found, strict=True):
        if fitted.rho is None:
            words.append(f"the correlation among the {name} is undefined: {fitted.reason}")
        elif fitted.reason is not None:
            words.append(f"the correlation among the {name} is {fitted.rho:g}: {fitted.reason}")
    return words


# ---- One classifier of a pair: its fit, and what every case contributes to it -----------------------------
# A maximum-likelihood estimate is, but for terms of higher order, the truth plus the sum over the cases of
# I^-1 times the case's own score (the derivatives of the log probability of its category). These influences
# of two classifiers on the same cases give the covariance between their estimates.


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """A fitted classifier with the category of every case.

    `lower` and `upper` are the derivatives of the log probability of each category by its ends, on the scale
    where the class is standard normal; the first row is of the negatives, the second of the positives.
    """

    fit: Binormal
    category: NDArray[np.int64]
    arrow: Arrow
    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, fit: Binormal, scores: NDArray[np.float64]) -> Margin:
        """Take a fit apart; it must have the status "ok"."""
        a, b = fit.parameters()
        assert fit.cutpoints is not None
        assert fit.categories is not None
        cuts, data = fit.cutpoints, fit.categories
        inside = [categories_between(x, np.arange(len(data))) for x in (cuts, b * cuts - a)]
        return cls(
            fit=fit,
            category=np.searchsorted(data.boundaries, scores, side="right"),
            arrow=expected_information(cuts, a, b, data.n_neg, data.n_pos),
            lower=np.stack([terms.lower for terms in inside]),
            upper=np.stack([terms.upper for terms in inside]),
        )

    def deviates(self, kind: int) -> Floats:
        """The cut-points on the scale where a class (0: negatives, 1: positives) is standard normal."""
        a, b = self.fit.parameters()
        cuts = self._cutpoints()
        return b * cuts - a if kind else cuts

    def _cutpoints(self) -> Floats:
        assert self.fit.cutpoints is not None
        return self.fit.cutpoints

    def curve_influence(self) -> Floats:
        """Influence of the cases of each category on a and b: (class, parameter, category)."""
        cuts = self._cutpoints()
        _, border, schur = self.arrow.eliminate(np.zeros(len(cuts)))
        own = np.zeros((2, 2, len(cuts) + 1))
        ends = np.concatenate([[0.0], cuts, [0.0]])
        own[1] = [self.lower[1] - self.upper[1], ends[1:] * self.upper[1] - ends[:-1] * self.lower[1]]
        alone = np.stack([self._through_cutpoints(row) for row in border], axis=1)
        return np.asarray(np.einsum("pq,kqj->kpj", np.linalg.inv(schur), own - alone))

    def cutpoint_influence(self, weights: Floats, curve: Floats, of_curve: Floats) -> Floats:
        """Influence on a weighted sum of cut-points and of (a, b): (class, category)."""
        solved = solve_tridiagonal(self.arrow.excess, self.arrow.coupling, weights[np.newaxis])[0]
        rest = curve - inner(self.arrow.border, solved)
        return np.asarray(self._through_cutpoints(solved) + np.einsum("p,kpj->kj", rest, of_curve))

    def _through_cutpoints(self, row: Floats) -> Floats:
        """Product of a row with the scores by the cut-points of the cases of each category."""
        _, b = self.fit.parameters()
        ends = np.concatenate([[0.0], row, [0.0]])
        return np.asarray((ends[1:] * self.upper - ends[:-1] * self.lower) * np.array([[1.0], [b]]))

    def of_cases(self, by_category: Floats, positive: NDArray[np.bool_]) -> Floats:
        """From values for (class, ..., category) to values for (..., case)."""
        return np.asarray(
            np.where(positive, by_category[1][..., self.category], by_category[0][..., self.category])
        )


def fit_margin(data: BinaryScores, column: int) -> Binormal:
    """Fit one of the classifiers."""
    single = replace(data, columns=(data.columns[column],), names=(data.names[column],))
    table = single.table()
    return name_zero_variance(fit_categories(truth_runs(table)), table)
