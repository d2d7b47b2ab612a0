"""Two classifiers on the same cases: both binormal curves, and the correlations of their latent scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal import latent, maximum
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import Curve, fit_categories, name_zero_variance
from rocscope.binormal.latent import Floats, bivariate_cdf, bivariate_density, cells, normal_density
from rocscope.core import checks, frames, significance
from rocscope.core.frames import Missing
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.core.scores import BinaryScores, holds_scores, join_stacked
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.curve_tests import chi_square_test

ScoreClass: TypeAlias = Literal["neg", "pos"]

PARAMETERS = ("first.a", "first.b", "second.a", "second.b", "rho_neg", "rho_pos")
METHOD = "binormal pair"
ROUNDING = 1e-13
# Influences on a and b whose correlation is nearer to 1 or -1 than this are the same but for rounding: a sum
# over n cases rounds by about 1e-16 times the root of n.
SINGULAR = 1e-12


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
        Names of the classifiers.
    n_pos, n_neg
        Number of cases.
    status, reason
        "ok"; "partial" where a correlation or its standard error is undefined, "undefined" where a curve is.
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
        figures = ", ".join(
            f"{name} undefined"
            if rho is None
            else f"{name} {rho:.3f}" + ("" if se is None else f" (se {se:.3f})")
            for name, rho, se in rhos
        )
        return f"Binormal pair: {areas}; {figures}"

    def columns(self) -> dict[str, Any]:
        """One row per parameter, with its standard error; None where undefined."""
        curves = [getattr(fit, name) for fit in (self.first, self.second) for name in ("a", "b")]
        errors = [
            math.sqrt(self.cov[k, k]) if known else None for k, known in enumerate(self.defined.tolist())
        ]
        return {"parameter": self.parameters, "value": [*curves, self.rho_neg, self.rho_pos], "se": errors}

    def ellipse(self, kind: ScoreClass, share: float = 0.5) -> tuple[Floats, Floats]:
        """Outline around a share of the latent scores of a class, "neg" or "pos": first and second score."""
        checks.check_choice(kind, get_args(ScoreClass), name="kind")
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

    def difference(self, level: float = 0.95, alternative: checks.Alternative = "two-sided") -> Estimate:
        """Area of the first curve minus that of the second, with its standard error and interval."""
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

    def equal_areas(self, alternative: checks.Alternative = "two-sided") -> TestResult:
        """Test that both curves have the same area; the statistic is z, first minus second.

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
        test = chi_square_test(effect, apart @ self.cov[:4, :4] @ apart.T)
        return _test("equal curves", test.statistic, test.df, test.p_value, "two-sided", test.reason)

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


@checks.known_arguments
def fit_binormal_pair(
    y_true: Any,
    score_a: Any = None,
    score_b: Any = None,
    *,
    pos_label: Any = None,
    label: str | None = None,
    score: Sequence[str] | None = None,
    na: Missing = "error",
) -> BinormalPair:
    """Fit the binormal curves of two classifiers on the same cases, and their correlations.

    Each curve is fitted by itself, from all cut-points (`fit_binormal`). Given these, the correlation of the
    latent scores in each class is estimated by maximum likelihood from the counts over both sets of
    categories, thinned to 20 by 20 cells. Covariances come from what each case contributes to every estimate
    (a two-stage sandwich); in the blocks of a single curve they are those of its own fit.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. Or all in one:
        a data frame with `label` and `score`, a `BinaryScores` of two classifiers, or a mapping of their
        names to results of `cross_scores` for the same cases.
    score_a, score_b
        Finite scores of the classifiers on the same cases, larger for the positive class.
    pos_label, label, score, na
        As in `auc`; `score` lists the two columns.

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
    >>> print(pair)
    Binormal pair: AUC 0.8003 and 0.8402; rho_neg 0.725 (se 0.066), rho_pos 0.746 (se 0.085)
    note: the fitted curve lies below chance for FPR from 0.9996 to 1 (a hook: b is not 1)
    >>> print(pair.equal_areas())
    equal areas: statistic -1.298, p = 0.1945 (binormal pair, two-sided)
    """
    data = read_pair(y_true, score_a, score_b, pos_label=pos_label, label=label, score=score, na=na)
    about: dict[str, Any] = {"n_pos": data.n_pos, "n_neg": data.n_neg, "names": data.names}
    first, second = fits = fit_margin(data, 0, fit_categories), fit_margin(data, 1, fit_categories)
    for name, fit in zip(data.names, fits, strict=True):
        if fit.status != "ok" or fit.cov is None:
            reason = f"{name}: {fit.reason or 'the information about its curve is singular'}"
            return BinormalPair(first=first, second=second, status="undefined", reason=reason, **about)
    margins = [Margin.of(fit, column) for fit, column in zip(fits, data.columns, strict=True)]
    curves = [margin.curve_influence() for margin in margins]
    influence, defined, reasons = [], [], []
    for name, margin, curve in zip(data.names, margins, curves, strict=True):
        by_case = _matched(margin.of_cases(curve, data.positive), margin.fit)
        influence.append(np.zeros((2, data.positive.size)) if by_case is None else by_case)
        defined += [by_case is not None] * 2
        if by_case is None:
            why = "the influences of the cases on its curve are singular, so it has no covariance in the pair"
            reasons.append(f"{name}: {why}")
    rhos = []
    for kind, name in enumerate(("negatives", "positives")):
        correlation, on_rho = class_correlation(margins, curves, data, kind)
        influence.append(on_rho[np.newaxis])
        defined.append(correlation.information > 0)
        rhos.append(correlation.rho)
        if correlation.reason is not None:
            value = "undefined" if correlation.rho is None else f"{correlation.rho:g}"
            reasons.append(f"the correlation among the {name} is {value}: {correlation.reason}")
    stacked, known = np.vstack(influence), np.array(defined)
    cov = np.where(np.outer(known, known), maximum.inner(stacked, stacked), np.nan)
    se_neg, se_pos = (math.sqrt(cov[k, k]) if known[k] else None for k in (4, 5))
    return BinormalPair(
        first=first,
        second=second,
        rho_neg=rhos[0],
        rho_pos=rhos[1],
        se_rho_neg=se_neg,
        se_rho_pos=se_pos,
        cov=cov,
        defined=known,
        status="partial" if reasons else "ok",
        reason="; ".join(reasons) or None,
        warnings=tuple(dict.fromkeys((*data.warnings, *(text for fit in fits for text in fit.warnings)))),
        **about,
    )


def read_pair(
    y_true: Any,
    score_a: Any = None,
    score_b: Any = None,
    *,
    pos_label: Any,
    label: str | None = None,
    score: Sequence[str] | None = None,
    na: Missing = "error",
    of: str = "",
) -> BinaryScores:
    """Check labels and two finite scores; the rows come in an order that depends on the cases alone.

    A score has the name of its pandas or polars series. `of` is the argument that holds all of them, if there
    is one.
    """
    if score_a is None and score_b is None and holds_scores(y_true):
        if isinstance(y_true, Mapping):
            y_true = join_stacked(y_true)
        data = BinaryScores.from_arrays(y_true, pos_label=pos_label, label=label, score=score, na=na)
        data = data.counted()
    else:
        columns = {"y_true": y_true, "score_a": score_a, "score_b": score_b}
        for name, value in (("label", label), ("score", score)):
            if value is not None:
                raise RocInputError(
                    f"must be left out unless y_true is a data frame, got {checks.show(value)}", argument=name
                )
        rows, warnings = frames.matched_rows(columns, {}, na=na)
        scores = {name: checks.as_scores(rows[name], name=name) for name in ("score_a", "score_b")}
        data = BinaryScores.from_arrays(rows["y_true"], scores, pos_label=pos_label)
        data = replace(data, warnings=(*data.warnings, *warnings))
    if len(data.columns) != 2:
        raise RocInputError(f"must come with two scores, got {list(data.names)}", argument=of or "y_true")
    for name, column in zip(data.names, data.columns, strict=True):
        wrong = ~np.isfinite(column.astype(np.float64))
        title = f"{of} {name}" if of else name
        checks.refuse_rows(wrong, name=title, required="finite scores", got="infinite values")
    own = [getattr(column, "name", None) for column in (score_a, score_b)]
    names = [name for name in own if isinstance(name, str) and name]
    if len(set(names)) == 2:
        data = replace(data, names=tuple(names))
    # Sums over the cases round the same way in whatever order they came.
    return take(data, np.lexsort((*data.columns[::-1], data.positive)))


def take(data: BinaryScores, rows: NDArray[Any]) -> BinaryScores:
    """Some rows of the data, in the order named, without weights and folds."""
    columns = tuple(column[rows] for column in data.columns)
    return replace(data, positive=data.positive[rows], columns=columns, weight=None, fold=None)


def fit_margin(data: BinaryScores, column: int, fit: Callable[[latent.Categories], Curve]) -> Curve:
    """Fit one of the classifiers by a model."""
    table = data.table(column)
    return name_zero_variance(fit(latent.truth_runs(table)), table)


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


def _matched(influence: Floats, fit: Binormal) -> Floats | None:
    """Influences scaled so that their squares add up to the covariance of the fit itself; None if singular.

    Both estimate the same matrix. The fit's own has less scatter, and so each curve keeps its standard
    errors in the pair, while equal scores still have equal influences. With S the sum of squares the map is
    the root of cov S^-1, the one that means the same in any parameters.
    """
    assert fit.cov is not None
    squares = maximum.inner(influence, influence)
    lengths = np.sqrt(np.diagonal(squares))
    # In almost separated classes a and b rest on one and the same few cases.
    if not abs(squares[0, 1]) < (1 - SINGULAR) * lengths[0] * lengths[1]:
        return None
    root = np.linalg.cholesky(squares)
    back = np.linalg.inv(root)
    values, vectors = np.linalg.eigh(back @ fit.cov @ back.T)
    if not values[0] > SINGULAR * values[1]:
        return None
    scale = root @ (vectors * np.sqrt(values)) @ vectors.T @ back
    return np.asarray(np.einsum("pq,qi->pi", scale, influence))


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
    cutpoints: Floats
    category: NDArray[np.int64]
    arrow: maximum.Arrow
    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, fit: Binormal, scores: NDArray[np.float64]) -> Margin:
        """Take a fit apart; it must have the status "ok"."""
        a, b = fit.parameters()
        assert fit.cutpoints is not None
        assert fit.categories is not None
        cuts, data = fit.cutpoints, fit.categories
        inside = [maximum.categories_between(x, np.arange(len(data))) for x in (cuts, b * cuts - a)]
        return cls(
            fit=fit,
            cutpoints=cuts,
            category=np.searchsorted(data.boundaries, scores, side="right"),
            arrow=maximum.expected_information(cuts, a, b, data.n_neg, data.n_pos),
            lower=np.stack([terms.lower for terms in inside]),
            upper=np.stack([terms.upper for terms in inside]),
        )

    def deviates(self, kind: int) -> Floats:
        """The cut-points on the scale where a class (0: negatives, 1: positives) is standard normal."""
        a, b = self.fit.parameters()
        return b * self.cutpoints - a if kind else self.cutpoints

    def curve_influence(self) -> Floats:
        """Influence of the cases of each category on a and b: (class, parameter, category)."""
        cuts = self.cutpoints
        _, border, schur = self.arrow.eliminate(np.zeros(len(cuts)))
        own = np.zeros((2, 2, len(cuts) + 1))
        ends = np.concatenate([[0.0], cuts, [0.0]])
        own[1] = [self.lower[1] - self.upper[1], ends[1:] * self.upper[1] - ends[:-1] * self.lower[1]]
        alone = np.stack([self._through_cutpoints(row) for row in border], axis=1)
        return np.asarray(np.einsum("pq,kqj->kpj", np.linalg.inv(schur), own - alone))

    def cutpoint_influence(self, weights: Floats, curve: Floats, of_curve: Floats) -> Floats:
        """Influence on a weighted sum of cut-points and of (a, b): (class, category)."""
        solved = maximum.solve_tridiagonal(self.arrow.excess, self.arrow.coupling, weights[np.newaxis])[0]
        rest = curve - maximum.inner(self.arrow.border, solved)
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


# ---- The correlation of the latent scores in one class ----------------------------------------------------
# The margins are taken as fitted; the likelihood of the cells, probabilities of bivariate normal rectangles,
# is a function of the correlation alone.

MAX_STEPS = 200
MAX_HALVINGS = 40
# Steps below the first end the search; those below the second do where rounding keeps them from shrinking.
TOLERANCE, ROUGH = 1e-12, 1e-6
# Share of the log-likelihood that rounding may take from a step.
SLACK = 1e-14
# Cells with less probability are rounding.
LEAST_CELL = 1e-16
# Beyond this, on the scale of Fisher's z, a correlation is 1 in double precision.
FARTHEST = 7.0


def class_correlation(
    margins: list[Margin], curves: list[Floats], data: BinaryScores, kind: int
) -> tuple[CorrelationFit, Floats]:
    """Correlation in one class (0: negatives, 1: positives), and the influence of every case on it.

    `curves` are the influences on the curves of both margins.
    """
    rows = data.positive if kind else ~data.positive
    scores = [column[rows] for column in data.columns]
    cuts = [
        choose_cuts(column, margin.category[rows], margin.deviates(kind))
        for margin, column in zip(margins, scores, strict=True)
    ]
    first, second = (part.cells(column) for part, column in zip(cuts, scores, strict=True))
    n_first, n_second = (len(part.values) + 1 for part in cuts)
    counts = np.bincount(first * n_second + second, minlength=n_first * n_second).reshape(n_first, n_second)
    fitted = fit_correlation(counts, cuts[0].deviates, cuts[1].deviates, order=common_order(*scores))
    influence = np.zeros(len(rows))
    if fitted.information <= 0:
        return fitted, influence
    influence[rows] = fitted.score[first, second]
    for k, by in enumerate((fitted.by_first, fitted.by_second)):
        margin, on_curve = margins[k], np.zeros(2)
        on_cutpoints = cuts[k].spread(by, margin.deviates(kind))
        if kind:  # the fitted deviates of the positives are b t - a
            on_curve = np.array([-on_cutpoints.sum(), maximum.inner(on_cutpoints, margin.cutpoints)])
            on_cutpoints = margin.fit.parameters()[1] * on_cutpoints
        through = margin.cutpoint_influence(on_cutpoints, on_curve, curves[k])
        influence -= margin.of_cases(through, data.positive)
        influence[rows] -= cuts[k].within(by, scores[k], margin.category[rows])
    return fitted, influence / fitted.information


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationFit:
    """The estimate with the score of each cell, and the information about it and about the cut-points.

    `rho` is 1 or -1 where the likelihood rises up to there, and None where no cell depends on it.
    """

    rho: float | None
    reason: str | None
    score: Floats
    information: float
    by_first: Floats
    by_second: Floats


def common_order(first: NDArray[Any], second: NDArray[Any]) -> int:
    """1 if two scores order all cases the same way, ties included, -1 if the opposite way, else 0.

    Examples
    --------
    >>> common_order(np.array([1, 2, 3]), np.array([8, 7, 5]))
    -1
    """
    (values, ranks), (_, others) = (np.unique(scores, return_inverse=True) for scores in (first, second))
    if np.array_equal(ranks, others):
        return 1
    return -1 if np.array_equal(ranks, len(values) - 1 - others) else 0


def fit_correlation(counts: NDArray[np.int64], x: Floats, y: Floats, *, order: int = 0) -> CorrelationFit:
    """Maximum-likelihood correlation, the cut-points x and y given as deviates of the class.

    `order` is 1 or -1 where the scores are known to order the cases alike or oppositely (`common_order`).

    Examples
    --------
    >>> fitted = fit_correlation(np.array([[40, 10], [10, 40]]), np.array([0.0]), np.array([0.0]))
    >>> round(fitted.rho, 6)  # sin(pi / 2 * (4 * 0.4 - 1))
    0.809017
    """
    if min(np.count_nonzero(counts.sum(axis=1)), np.count_nonzero(counts.sum(axis=0))) < 2:
        return _ended(None, "all its cases lie in one category of a score", counts)
    if order:
        how = "alike" if order > 0 else "in opposite ways"
        return _ended(float(order), f"the two scores order its cases {how}", counts)
    if _at(0.0, counts, x, y).information <= 0:
        return _ended(None, "its cut-points lie so far out that no cell depends on it", counts)
    z = _search(counts, x, y)
    if z is None:
        return _ended(None, f"{MAX_STEPS} steps did not reach a maximum of the likelihood", counts)
    if abs(z) >= FARTHEST:
        return _ended(math.copysign(1.0, z), "the likelihood rises up to there", counts)
    return _at(math.tanh(z), counts, x, y)


def _search(counts: NDArray[np.int64], x: Floats, y: Floats) -> float | None:
    """Fisher's scoring on the scale of Fisher's z, where the correlation has no bounds."""
    z, here, last = 0.0, _log_likelihood(0.0, counts, x, y), math.inf
    for _ in range(MAX_STEPS):
        fitted = _at(math.tanh(z), counts, x, y)
        if fitted.information <= 0:
            # Out here no cell changes any more: the likelihood has come up to its limit.
            return math.copysign(FARTHEST, z)
        slope = float((counts * fitted.score).sum()) / math.cosh(z) ** 2
        step = max(-1.0, min(1.0, slope * math.cosh(z) ** 4 / fitted.information))
        if abs(step) <= TOLERANCE or last <= abs(step) < ROUGH:
            return z
        last = abs(step)
        for _ in range(MAX_HALVINGS):
            there = _log_likelihood(z + step, counts, x, y)
            if there >= here - SLACK * abs(here):
                break
            step /= 2
        z, here = z + step, there
        if abs(z) >= FARTHEST:
            return z
    return None


def _log_likelihood(z: float, counts: NDArray[np.int64], x: Floats, y: Floats) -> float:
    mass = np.maximum(cells(bivariate_cdf, x, y, math.tanh(z)), LEAST_CELL)
    return float((counts * np.log(mass)).sum())


def _at(rho: float, counts: NDArray[np.int64], x: Floats, y: Floats) -> CorrelationFit:
    """Score of every cell at a correlation inside (-1, 1), and the expected information."""
    mass = np.maximum(cells(bivariate_cdf, x, y, rho), LEAST_CELL)
    by_rho = cells(bivariate_density, x, y, rho)
    n, score = counts.sum(), by_rho / mass
    return CorrelationFit(
        rho=rho,
        reason=None,
        score=score,
        information=float(n * (by_rho * score).sum()),
        by_first=n * _along(x, y, rho, score),
        by_second=n * _along(y, x, rho, score.T),
    )


def _along(x: Floats, y: Floats, rho: float, score: Floats) -> Floats:
    """Information about rho and each x: a cut-point moves mass from the row above it to the one below."""
    ends = np.concatenate([[-np.inf], y, [np.inf]])
    below = special.ndtr((ends[np.newaxis, :] - rho * x[:, np.newaxis]) / math.sqrt(1 - rho**2))
    flow = normal_density(x)[:, np.newaxis] * np.diff(below, axis=1)
    return np.asarray((flow * (score[:-1] - score[1:])).sum(axis=1))


def _ended(rho: float | None, reason: str, counts: NDArray[np.int64]) -> CorrelationFit:
    """A correlation at its limit or undefined: there is no information about it."""
    nothing = [np.zeros(n - 1) for n in counts.shape]
    return CorrelationFit(
        rho=rho,
        reason=reason,
        score=np.zeros(counts.shape),
        information=0.0,
        by_first=nothing[0],
        by_second=nothing[1],
    )


# ---- Cut-points of one classifier in one class: at most 20 categories of about equal probability ----------
# Cut-points between the categories of the fit have fitted deviates. Inside a run of cases of one class the
# fit has none; there the likelihood of all distinct scores is highest where the class has its share of the
# run's probability, so that every distinct score of the class can be a cut-point.

MAX_CATEGORIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Cut-points between neighbouring scores of a class.

    Attributes
    ----------
    values
        Scores; those not above them lie below the cut-point.
    deviates
        Fitted deviates of the class.
    left, right, share
        The probability below the cut-point is that at the fitted cut-point `left` and a share of that from
        there to `right`. Counted from 0 at minus infinity, `left` and `right` are the ends of the category
        that holds both neighbours. Between two categories any place will do, and the middle is taken.
    mass, members
        Probability between both ends, and how many cases of the class lie there.
    """

    values: NDArray[Any]
    deviates: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    share: Floats
    mass: Floats
    members: NDArray[np.int64]

    def cells(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Number of cut-points below every score."""
        return np.asarray(np.searchsorted(self.values, scores, side="left"))

    def spread(self, by: Floats, fitted: Floats) -> Floats:
        """From derivatives by these deviates to derivatives by all fitted deviates of the class."""
        height = normal_density(_with_ends(fitted))
        weight = by / normal_density(self.deviates)
        total = np.zeros(len(height))
        np.add.at(total, self.left, weight * (1 - self.share) * height[self.left])
        np.add.at(total, self.right, weight * self.share * height[self.right])
        return total[1:-1]

    def within(self, by: Floats, scores: NDArray[Any], category: NDArray[np.int64]) -> Floats:
        """Influence of the cases of the class through the shares inside categories."""
        influence = np.zeros(len(scores))
        for j in np.flatnonzero(self.members):
            inside = category == self.left[j]
            weight = by[j] * self.mass[j] / normal_density(self.deviates[j]) / self.members[j]
            influence[inside] += weight * ((scores[inside] <= self.values[j]) - self.share[j])
        return influence


def choose_cuts(
    scores: NDArray[Any], category: NDArray[np.int64], fitted: Floats, most: int = MAX_CATEGORIES
) -> Cuts:
    """Cut-points of a class whose cases have these scores and categories; `fitted` are its deviates.

    Examples
    --------
    >>> scores, category = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 1, 1, 1])
    >>> cuts = choose_cuts(scores, category, np.array([-0.67449]))
    >>> cuts.values.tolist(), special.ndtr(cuts.deviates).round(3).tolist()
    ([1.0, 2.0, 3.0], [0.25, 0.5, 0.75])
    """
    values, first, counts = np.unique(scores, return_index=True, return_counts=True)
    home, members = category[first], np.bincount(category, minlength=len(fitted) + 1)
    inside = home[:-1] == home[1:]
    left, right = np.where(inside, home[:-1], home[:-1] + 1), np.where(inside, home[:-1] + 1, home[1:])
    before = (np.cumsum(members) - members)[home[:-1]]
    share = np.where(inside, (np.cumsum(counts)[:-1] - before) / members[home[:-1]], 0.5)
    ends = special.ndtr(_with_ends(fitted))
    below = ends[left] + share * (ends[right] - ends[left])
    kept, even = np.arange(len(below)), np.arange(1, most) / most
    if len(below) > len(even):  # those nearest to even shares
        after = np.searchsorted(below, even).clip(1, len(below) - 1)
        kept = np.unique(np.where(even - below[after - 1] < below[after] - even, after - 1, after))
    return Cuts(
        values=values[kept],
        deviates=special.ndtri(below[kept]),
        left=left[kept],
        right=right[kept],
        share=share[kept],
        mass=(ends[right] - ends[left])[kept],
        members=np.where(inside, members[home[:-1]], 0)[kept],
    )


def _with_ends(fitted: Floats) -> Floats:
    return np.concatenate([[-np.inf], fitted, [np.inf]])
