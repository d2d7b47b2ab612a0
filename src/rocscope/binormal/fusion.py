"""What a preview of a fusion shows, beside each other: predictions, counts, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal._fusion_bootstrap import FEWEST, Resampling, Uncertainty, replicates, summarize
from rocscope.binormal.combine import BestWeights, JointScores, best_of
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion_data import (
    SCALES,
    FittedPair,
    LatentMap,
    WeightGrid,
    count,
    fit_both,
    kendall,
    predict,
    read_cases,
    spearman,
    spread_of_negatives,
)
from rocscope.binormal.fusion_target import Target
from rocscope.binormal.normal import Floats
from rocscope.core import checks
from rocscope.core.resampling import Rng
from rocscope.core.result import Result, Row
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.resampling import check_n_boot, percentile_interval

if TYPE_CHECKING:
    from rocscope.binormal.pair import BinormalPair

COLUMNS = ("independent", "correlated", "empirical")


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionChoice(Row):
    """The best or worst weights by one of the three columns.

    Attributes
    ----------
    by, kind
        The column, and "best" or "worst".
    weight_a, weight_b
        The first pair of weights with this ratio; None where the column is undefined.
    value
        What the column has there.
    empirical
        What was counted there.
    loss
        How much worse that is than the best that was counted; 0 for the empirical best itself.
    n_equal
        Pairs in the grid with the same ratio, which are the same choice.
    share
        Share of the bootstrap replicates that chose this ratio; None without a bootstrap.
    """

    by: str
    kind: str
    weight_a: float | None
    weight_b: float | None
    value: float | None
    empirical: float | None
    loss: float | None
    n_equal: int
    share: float | None

    def _summary(self) -> str:
        if self.weight_a is None:
            return f"{self.kind} by {self.by}: undefined"
        share = "" if self.share is None else f", in {100 * self.share:.0f}% of the replicates"
        counted = f"counted {self.empirical:.4f}, loss {self.loss:.4f}"
        told = f"{self.value:.4f}" if self.by == "empirical" else f"{self.value:.4f} ({counted})"
        return f"{self.kind} by {self.by}: weights {self.weight_a:g}, {self.weight_b:g}: {told}{share}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionAgreement(Row):
    """How far two columns agree.

    Attributes
    ----------
    first, second
        The two columns.
    kendall, spearman
        Rank correlations over the different ratios (pairs of one ratio are one combination).
    mean_error, low, high
        Mean over all pairs of weights of the first less the second, and its bootstrap interval.
    mean_abs_error, max_abs_error
        Of the same differences without their sign.
    reason
        Why a figure is None; empty otherwise.
    """

    first: str
    second: str
    kendall: float | None
    spearman: float | None
    mean_error: float | None
    low: float | None
    high: float | None
    mean_abs_error: float | None
    max_abs_error: float | None
    reason: str | None = None

    def _summary(self) -> str:
        if self.mean_error is None:
            return f"{self.first} - {self.second}: undefined, {self.reason}"
        ends = "" if self.low is None else f" ({self.low:+.4f} to {self.high:+.4f})"
        rank = "" if self.kendall is None else f", Kendall's tau {self.kendall:.3f}"
        return f"{self.first} - {self.second}: {self.mean_error:+.4f}{ends} on average{rank}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusionPreview(Result):
    """What combinations of two classifiers are worth: predicted from their curves, and counted.

    Attributes
    ----------
    names
        Names of the two scores.
    target, scale
        The figure in words, and on what scale outputs are added up: "raw", "matched" or "latent".
    weights
        Pairs of weights, (m, 2).
    independent, correlated
        Predicted from the two fitted curves: with scores independent given the class, as in the paper,
        and with the fitted correlations.
    empirical
        Counted on the combined scores of the cases (of the test cases, where there are any).
    defined
        Which of the three columns stand, (m, 3); they hold NaN elsewhere.
    se, low, high
        Standard errors and bootstrap intervals of the three columns, (m, 3); NaN without a bootstrap.
    chosen
        Share of the replicates in which each pair's ratio was best, (m, 3); NaN without a bootstrap.
    directions, direction
        The different ratios of weights, (d, 2), and the one of each pair, (m,).
    first, second
        The fitted curves.
    pair
        The fit of both together, with correlations and their standard errors.
    choices, agreement
        Best and worst weights by each column; how far the columns agree.
    optimum_independent, optimum_correlated
        The weights with the largest predicted AUC of all; None where undefined.
    assumptions
        What the predictions take for granted.
    level, n_boot, n_failed
        Level of the intervals, replicates, and those without a prediction of each kind.
    n_pos, n_neg, n_pos_test, n_neg_test
        Cases of the fit, and those that were counted.
    larger_is_better
        False for a cost.
    status, reason
        "ok"; "partial" where a prediction is undefined, with the reason.
    """

    view: ClassVar[str] = "fusion.fusion_picture"
    topic: ClassVar[str] = "models"

    names: tuple[str, str]
    target: str
    scale: str
    weights: Floats
    independent: Floats
    correlated: Floats
    empirical: Floats
    defined: NDArray[np.bool_]
    se: Floats
    low: Floats
    high: Floats
    chosen: Floats
    directions: Floats
    direction: NDArray[np.int64] = field(repr=False)
    first: Binormal
    second: Binormal
    pair: BinormalPair | None
    choices: tuple[FusionChoice, ...]
    agreement: tuple[FusionAgreement, ...]
    optimum_independent: BestWeights | None
    optimum_correlated: BestWeights | None
    assumptions: tuple[str, ...]
    level: float
    n_boot: int
    n_failed: tuple[int, int]
    n_pos: int
    n_neg: int
    n_pos_test: int
    n_neg_test: int
    larger_is_better: bool
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Find the direction of each pair of weights again: the one it makes no angle with."""
        weights, directions = np.array(fields["weights"]), np.array(fields["directions"])
        lengths = np.linalg.norm(weights, axis=1)[:, np.newaxis] * np.linalg.norm(directions, axis=1)
        cosines = weights @ directions.T / np.where(lengths > 0, lengths, 1.0)
        return fields | {"direction": np.argmax(cosines, axis=1)}

    def __len__(self) -> int:
        return len(self.weights)

    def _summary(self) -> str:
        head = f"{self.target} of weighted sums of {self.names[0]} and {self.names[1]} ({self.scale} scale)"
        best = [str(choice) for choice in self.choices if choice.kind == "best"]
        agreement = [str(row) for row in self.agreement if row.second == "empirical"]
        return "\n  ".join([f"{head}, {len(self)} pairs of weights", *best, *agreement])

    def best(self, by: str = "correlated") -> FusionChoice:
        """The best weights by a column: "independent", "correlated" or "empirical"."""
        return self._choice(by, "best")

    def worst(self, by: str = "correlated") -> FusionChoice:
        """The worst weights by a column."""
        return self._choice(by, "worst")

    def _choice(self, by: str, kind: str) -> FusionChoice:
        checks.check_choice(by, COLUMNS, name="by")
        return next(choice for choice in self.choices if (choice.by, choice.kind) == (by, kind))

    def values(self) -> Floats:
        """The three columns side by side, (m, 3)."""
        return np.stack([self.independent, self.correlated, self.empirical], axis=1)

    def columns(self) -> dict[str, Any]:
        """One row per pair of weights."""
        told: dict[str, Any] = {"weight_a": self.weights[:, 0], "weight_b": self.weights[:, 1]}
        for k, name in enumerate(COLUMNS):
            told |= {name: getattr(self, name)}
            told |= {f"{name}_{end}": getattr(self, end)[:, k] for end in ("low", "high")}
        return told


# ---- Preview a fusion: which weights combine two classifiers best, before the combination is built --------
# References
# ----------
# .. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
#    ICIAP 2005, LNCS 3617.

INDEPENDENT = "independent: the two scores say nothing about each other once the class is known"
SCALE_WORDS = {
    "raw": "raw scale: outputs are added up as they are, and taken to live on the latent scale, where the "
    "negatives have standard deviation 1",
    "matched": "matched scale: outputs are added up as they are, and the latent scale of each is stretched "
    "to them by the standard deviation of their negatives",
    "latent": "latent scale: outputs are mapped to it by the fitted curve before they are added up",
}


def preview_fusion(
    y_true: Any,
    score_a: Any = None,
    score_b: Any = None,
    *,
    weights: Any = None,
    test: Any = None,
    scale: str = "raw",
    target: str = "auc",
    fpr: Any = None,
    cost: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_boot: int = 0,
    rng: Rng = None,
    n_jobs: int | None = None,
    pos_label: Any = None,
) -> FusionPreview:
    """Predict what weighted sums of two classifiers are worth, and count it on the cases.

    For every pair of weights: the prediction of [1] from the two binormal curves, which takes the
    classifiers as independent given the class; the same with the correlations fitted in each class; and
    what the combined scores really give.

    Parameters
    ----------
    y_true, score_a, score_b, pos_label
        Labels and the two scores of the same cases. A `BinaryScores` of two scores may stand alone.
    weights
        Pairs of weights, (m, 2); or a list of values that both weights take. By default the grid of [1],
        0.1 to 1.0 in both. Only the ratio of two weights matters: pairs of one ratio have one value.
    test
        Other cases (y_true, score_a, score_b), or `BinaryScores`: curves are fitted on the first cases,
        and the combinations counted on these. Without it the same cases serve for both.
    scale
        What is added up, see `FusionPreview.assumptions`:

        - "raw": the outputs as they are. The prediction takes them to live on the latent scale, as [1]
          silently does; it goes wrong where the outputs of one classifier spread more than the other's;
        - "matched": the outputs as they are, with each latent scale stretched to the spread of the
          negatives' outputs;
        - "latent": the outputs mapped to the latent scale by the fitted curves, so that weights mean the
          same in the prediction and in the combination.
    target
        "auc"; "partial-auc" over the range `fpr`; "tpr" at one `fpr`; or "cost", the least expected cost
        of a case over all thresholds.
    fpr
        Range (low, high) of a partial area, or the FPR of a TPR.
    cost, prevalence
        Costs as in `RocCurve.select`, and the share of positives; that of the counted cases without it.
    level, n_boot, rng, n_jobs
        Bootstrap intervals of all columns where `n_boot` is given (100 or more): cases are drawn class by
        class and the curves fitted anew; test cases are drawn apart. Scales stay those of the data.

    Returns
    -------
    FusionPreview
        With `independent`, `correlated` and `empirical` for every pair of weights, the best and worst
        weights by each (`choices`), and how far they agree (`agreement`).

    References
    ----------
    .. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
       ICIAP 2005, LNCS 3617.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 300)
    >>> shared = rng.normal(size=600)
    >>> a, b = (0.8 * shared + 0.6 * rng.normal(size=600) + y for _ in range(2))
    >>> found = preview_fusion(y, a, b)
    >>> print(found.best("empirical"))
    best by empirical: weights 0.1, 0.1: 0.8215
    >>> [(row.first, round(row.mean_abs_error, 2)) for row in found.agreement[:2]]
    [('independent', 0.04), ('correlated', 0.0)]
    """
    data = read_cases(y_true, score_a, score_b, pos_label)
    tested = data if test is None else _read_test(test, data.pos_label)
    sizes = tested.n_pos, tested.n_neg
    question = Question(
        data=data,
        tested=tested,
        together=test is None,
        grid=WeightGrid.of(weights),
        target=Target.read(target, fpr=fpr, cost=cost, prevalence=prevalence, class_sizes=sizes),
        scale=checks.check_choice(scale, SCALES, name="scale"),
        level=checks.check_level(level),
        n_boot=_check_draws(n_boot),
    )
    return answer(question, fit_both(data), rng=rng, n_jobs=n_jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, all of it checked; `together` says that the counted cases are those of the fit."""

    data: BinaryScores
    tested: BinaryScores
    together: bool
    grid: WeightGrid
    target: Target
    scale: str
    level: float
    n_boot: int


def answer(ask: Question, fitted: FittedPair, *, rng: Rng, n_jobs: int | None) -> FusionPreview:
    """Predict, count, draw again, and sum up."""
    units = _units(ask.data, ask.scale)
    summed = _mapped(ask, fitted) if ask.scale == "latent" else ask.tested
    predictions = predict(fitted, ask.grid.directions, ask.target, units)
    counted = count(summed, ask.grid.directions, ask.target)
    values = np.stack([*(found.values for found in predictions), counted], axis=1)
    again = Resampling(
        fitted=ask.data,
        counted=summed,
        together=ask.together,
        directions=ask.grid.directions,
        target=ask.target,
        units=units,
    )
    draws = replicates(again, n_boot=ask.n_boot, rng=rng, n_jobs=n_jobs)
    unsure = summarize(draws, level=ask.level, sign=ask.target.sign)
    reason = next((found.reason for found in predictions if found.reason is not None), None)
    return FusionPreview(
        **_table(ask.grid, values, unsure),
        **_about(ask),
        first=fitted.first,
        second=fitted.second,
        pair=fitted.pair,
        choices=choices(ask.grid, values, unsure, ask.target.sign),
        agreement=agreement(ask.grid, values, draws, ask.level),
        optimum_independent=_optimum(fitted.independent, units),
        optimum_correlated=_optimum(fitted.correlated, units),
        assumptions=_assumptions(ask, fitted),
        n_failed=unsure.n_failed,
        status="ok" if reason is None else "partial",
        reason=reason,
        warnings=_warnings(ask, fitted, unsure),
    )


def _table(grid: WeightGrid, values: Floats, unsure: Uncertainty) -> dict[str, Any]:
    """The columns of the result: one row per pair of weights."""
    rows = values[grid.index]
    spread = {name: getattr(unsure, name)[grid.index] for name in ("se", "low", "high", "chosen")}
    return spread | {
        "weights": grid.weights,
        "directions": grid.directions,
        "direction": grid.index,
        "independent": rows[:, 0],
        "correlated": rows[:, 1],
        "empirical": rows[:, 2],
        "defined": ~np.isnan(rows),
    }


def _about(ask: Question) -> dict[str, Any]:
    """What was asked, as the result tells it."""
    return {
        "names": (ask.data.names[0], ask.data.names[1]),
        "target": ask.target.words,
        "scale": ask.scale,
        "level": ask.level,
        "n_boot": ask.n_boot,
        "n_pos": ask.data.n_pos,
        "n_neg": ask.data.n_neg,
        "n_pos_test": ask.tested.n_pos,
        "n_neg_test": ask.tested.n_neg,
        "larger_is_better": ask.target.sign > 0,
    }


def _check_draws(n_boot: Any) -> int:
    whole = checks.check_integer(n_boot, name="n_boot", low=0)
    return check_n_boot(whole) if whole else 0


def _read_test(test: Any, pos_label: Any) -> BinaryScores:
    if isinstance(test, BinaryScores):
        return read_cases(test, None, None, pos_label, what="test ")
    if not isinstance(test, (tuple, list)) or len(test) != 3:
        raise RocInputError(
            f"must be (y_true, score_a, score_b) or BinaryScores, got {checks.show(test)}", argument="test"
        )
    y_true, score_a, score_b = test
    return read_cases(y_true, score_a, score_b, pos_label, what="test ")


def _units(data: BinaryScores, scale: str) -> Floats:
    """What one step on each latent scale is on the scale of the sums."""
    if scale != "matched":
        return np.ones(2)
    # Quarters of the largest numbers do not overflow; only the ratio of both units matters.
    spread = np.array([spread_of_negatives(data.table(column), per=4) for column in range(2)])
    if not spread.all():
        name = data.names[int(np.argmin(spread))]
        raise UndefinedError(f"{name} has no variance among the negatives: the scales cannot be matched")
    return spread


def _mapped(ask: Question, fitted: FittedPair) -> BinaryScores:
    """The counted cases on the latent scales of the fitted curves."""
    fits = fitted.first, fitted.second
    for name, fit in zip(ask.data.names, fits, strict=True):
        if fit.status != "ok":
            raise UndefinedError(f"{name} has no latent scale ({fit.status}): {fit.reason}")
    maps = [LatentMap.of(ask.data.table(k), fit) for k, fit in enumerate(fits)]
    columns = [latent.apply(column) for latent, column in zip(maps, ask.tested.columns, strict=True)]
    return replace(ask.tested, columns=tuple(columns))


def _optimum(scores: Callable[[], JointScores], units: Floats) -> BestWeights | None:
    try:
        return best_of(scores(), units)
    except UndefinedError:
        return None


def _assumptions(ask: Question, fitted: FittedPair) -> tuple[str, ...]:
    """Say what the predictions take for granted, with what the data say about it."""
    told = INDEPENDENT
    if fitted.rho is not None:
        neg, pos = fitted.rho
        told += f" (fitted correlations {neg:.3f} among negatives, {pos:.3f} among positives)"
    words = SCALE_WORDS[ask.scale]
    if ask.scale != "latent":
        spread = [spread_of_negatives(ask.data.table(column)) for column in range(2)]
        words += f" (here {spread[0]:.3g} and {spread[1]:.3g})"
    return told, words


def _warnings(ask: Question, fitted: FittedPair, unsure: Uncertainty) -> tuple[str, ...]:
    told = list(ask.data.warnings)
    for name, fit in zip(ask.data.names, (fitted.first, fitted.second), strict=True):
        told += [f"{name}: {text}" for text in fit.warnings]
    for kind, n in zip(COLUMNS, unsure.n_failed, strict=False):
        if n:
            told.append(f"{n} of {ask.n_boot} replicates have no {kind} prediction and are left out of it")
    return tuple(dict.fromkeys(told))


# ---- Best and worst weights of a preview, and how far its columns agree -----------------------------------

PAIRS = (("independent", "empirical"), ("correlated", "empirical"), ("independent", "correlated"))


def choices(grid: WeightGrid, values: Floats, unsure: Uncertainty, sign: int) -> tuple[FusionChoice, ...]:
    """Best and worst direction by each column of (directions, 3); of equal ones the first."""
    return tuple(_choice(grid, values, unsure, k, sign, kind) for k in range(3) for kind in ("best", "worst"))


def _choice(
    grid: WeightGrid, values: Floats, unsure: Uncertainty, k: int, sign: int, kind: str
) -> FusionChoice:
    if np.isnan(values[:, k]).any():
        return _no_choice(COLUMNS[k], kind)
    merit, counted = sign * values[:, k], sign * values[:, 2]
    at = int(np.argmax(merit) if kind == "best" else np.argmin(merit))
    same = grid.index == at
    first, second = grid.weights[np.argmax(same)].tolist()
    share = float(unsure.chosen[at, k])
    return FusionChoice(
        by=COLUMNS[k],
        kind=kind,
        weight_a=first,
        weight_b=second,
        value=float(values[at, k]),
        empirical=float(values[at, 2]),
        loss=float(counted.max() - counted[at]),
        n_equal=int(same.sum()),
        share=None if np.isnan(share) or kind == "worst" else share,
    )


def _no_choice(by: str, kind: str) -> FusionChoice:
    nothing = dict.fromkeys(("weight_a", "weight_b", "value", "empirical", "loss", "share"))
    return FusionChoice(by=by, kind=kind, n_equal=0, **nothing)


def agreement(grid: WeightGrid, values: Floats, draws: Floats, level: float) -> tuple[FusionAgreement, ...]:
    """Rank correlations of every two columns over directions, and errors over pairs of weights."""
    found = []
    for pair in PAIRS:
        i, j = (COLUMNS.index(name) for name in pair)
        low, high = _error_interval(grid, draws[:, i] - draws[:, j], level)
        figures = _errors(values[grid.index, i] - values[grid.index, j]) | _ranks(values[:, i], values[:, j])
        figures |= {"low": low, "high": high}
        found.append(FusionAgreement(first=pair[0], second=pair[1], **figures, reason=_reason(figures)))
    return tuple(found)


def _reason(figures: Mapping[str, float | None]) -> str | None:
    """Why a figure of an agreement is None."""
    if figures["mean_error"] is None:
        return "one of the columns has no value at some weights"
    reasons = []
    if figures["kendall"] is None:
        reasons.append("a column with one value alone has no ranks")
    if figures["low"] is None:
        reasons.append("too few bootstrap samples have a value at all weights")
    return "; ".join(reasons) or None


def _errors(error: Floats) -> dict[str, float | None]:
    if np.isnan(error).any():
        return dict.fromkeys(("mean_error", "mean_abs_error", "max_abs_error"))
    size = np.abs(error)
    return {
        "mean_error": float(error.mean()),
        "mean_abs_error": float(size.mean()),
        "max_abs_error": float(size.max()),
    }


def _ranks(x: Floats, y: Floats) -> dict[str, float | None]:
    if np.isnan(x).any() or np.isnan(y).any():
        return dict.fromkeys(("kendall", "spearman"))
    return {"kendall": kendall(x, y), "spearman": spearman(x, y)}


def _error_interval(grid: WeightGrid, differences: Floats, level: float) -> tuple[float | None, float | None]:
    """Bootstrap interval of the mean difference of two columns over the pairs of weights."""
    means = differences[:, grid.index].mean(axis=1)
    means = means[~np.isnan(means)]
    if len(means) < FEWEST:
        return None, None
    low, high = percentile_interval(means, level=level)
    return float(low), float(high)
