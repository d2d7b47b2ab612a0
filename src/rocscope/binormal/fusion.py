"""Preview a fusion: which weights combine two classifiers best, before the combination is built [1]_.

References
----------
.. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
   ICIAP 2005, LNCS 3617.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal import combine, fusion_parts, model_choice
from rocscope.binormal.fusion_models import MODELS, FusionCurve, Margins, Model, fusion_curve, sum_table, sums
from rocscope.binormal.fusion_parts import Scale, Target, TargetName, WeightGrid
from rocscope.binormal.latent import Floats
from rocscope.binormal.pair import BinormalPair, read_pair, take
from rocscope.core import checks, frames
from rocscope.core.frames import Missing
from rocscope.core.resampling import Chunk, Rng, Sampling, percentile_interval
from rocscope.core.result import Result, Row
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError

Column: TypeAlias = Literal["independent", "correlated", "empirical"]
# Which cases are positive, and both scores.
Cases: TypeAlias = tuple[NDArray[Any], ...]
COLUMNS = get_args(Column)
SCALES = get_args(Scale)
INDEPENDENT = "independent: the two scores say nothing about each other once the class is known"
SCALE_ASSUMPTIONS = {
    "raw": "raw scale: outputs are added up as they are, and taken to live on the latent scale, where the "
    "negatives have standard deviation 1",
    "matched": "matched scale: outputs are added up as they are, and the latent scale of each is stretched "
    "to them by the standard deviation of their negatives",
    "latent": "latent scale: outputs are mapped to it by the fitted curve before they are added up",
    "empirical": "raw scale: outputs are added up as they are, whatever the spread of their negatives",
}
# What the predictions of the other models rest on, beside independence.
MODEL_ASSUMPTIONS = {
    "proper": "correlated: the normal deviates of both scores in a class are joined by a Gaussian copula "
    "with the correlations of the binormal pair",
    "empirical": "empirical model: independent scores let every output of one meet every output of the other "
    "in its class; with the dependence of the cases themselves the prediction is the count on the cases of "
    "the fit",
}
MODEL_ASSUMPTIONS["contaminated"] = MODEL_ASSUMPTIONS["proper"]
# A prediction further than this from the count is worth a warning where another scale has half the error.
BAD = 0.03
# Replicates of one task: a fit takes long enough for a few to be worth a process.
REPLICATES = 8
# Fewer replicates with a prediction give no interval.
FEWEST = 50


@checks.known_arguments
def preview_fusion(
    y_true: Any,
    score_a: Any = None,
    score_b: Any = None,
    *,
    weights: Any = None,
    test: Any = None,
    scale: Scale = "raw",
    model: Model = "binormal",
    target: TargetName = "auc",
    fpr: Any = None,
    cost: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_boot: int = 0,
    rng: Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    pos_label: Any = None,
    label: str | None = None,
    score: Sequence[str] | None = None,
    na: Missing = "error",
) -> FusionPreview:
    """Predict what weighted sums of two classifiers are worth, and count it on the cases.

    For every pair of weights: the prediction of [1] from the two binormal curves, which takes the
    classifiers as independent given the class; the same with the correlations fitted in each class; and
    what the combined scores give.

    Parameters
    ----------
    y_true, score_a, score_b, pos_label, label, score, na
        Labels and the two scores of the same cases, as in `fit_binormal_pair`; a data frame, a
        `BinaryScores` of two scores, or a mapping of names to results of `cross_scores` may stand alone.
    weights
        Pairs of weights, (m, 2); or a list of values that both weights take. By default the grid of [1],
        0.1 to 1.0 in both. Only the ratio of two weights matters: pairs of one ratio have one value.
    test
        Other cases (y_true, score_a, score_b), `BinaryScores`, or a frame with the same columns: curves are
        fitted on the first cases, and the combinations counted on these. Without it the same cases serve for
        both.
    scale
        What is added up, see `FusionPreview.assumptions`:

        - "raw": the outputs as they are. The prediction takes them to live on the latent scale, as [1]
          silently does; it goes wrong where the outputs of one classifier spread more than the other's;
        - "matched": the outputs as they are, with each latent scale stretched to the spread of the
          negatives' outputs;
        - "latent": the outputs mapped to the latent scale by the fitted curves, so that weights mean the
          same in the prediction and in the combination.
    model
        How each score is modelled, before their sum is predicted:

        - "binormal", as in [1]: the combination has a closed form;
        - "proper", "contaminated": curves without hooks, combined by quadrature (`combine_curves`), which
          takes seconds; correlated predictions join their normal deviates by a Gaussian copula;
        - "empirical": the outputs as they are, on the raw scale alone. Under independence every output of
          one score meets every output of the other in its class (1,000 quantiles stand for more). With
          the dependence of the cases themselves the prediction is the count on the cases of the fit.
    target
        "auc"; "partial-auc" over the range `fpr`; "tpr" at one `fpr`; or "cost", the least expected cost
        of a case over all thresholds.
    fpr
        Range (low, high) of a partial area, or the FPR of a TPR.
    cost, prevalence
        Costs as in `RocCurve.select`, and the share of positives; that of the counted cases without it.
    level, n_boot, rng, n_jobs, progress
        Bootstrap intervals of all columns where `n_boot` is given: cases are drawn class by
        class and the curves fitted anew; test cases are drawn apart. Scales stay those of the data.

    Returns
    -------
    FusionPreview
        With `independent`, `correlated` and `empirical` for every pair of weights, the best and worst
        weights by each (`choices`), and how far they agree (`agreement`).

    References
    ----------
    .. [1] Marrocco, Molinara, Tortorella, ICIAP 2005; in full in `combine_binormals`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 300)
    >>> shared = rng.normal(size=600)
    >>> a, b = (0.8 * shared + 0.6 * rng.normal(size=600) + y for _ in range(2))
    >>> preview = preview_fusion(y, a, b)
    >>> print(preview.best("empirical"))
    best by empirical: weights 0.1, 0.1: 0.8215
    >>> [(row.first, round(row.mean_abs_error, 2)) for row in preview.agreement[:2]]
    [('independent', 0.04), ('correlated', 0.0)]
    """
    data = read_pair(y_true, score_a, score_b, pos_label=pos_label, label=label, score=score, na=na)
    tested = data
    own: dict[str, Any] = {"pos_label": data.pos_label, "na": na, "of": "test"}
    if isinstance(test, BinaryScores):
        tested = read_pair(test, **own)
    elif frames.as_frame(test) is not None:
        tested = read_pair(test, label=label, score=score, **own)
    elif isinstance(test, (tuple, list)) and len(test) == 3:
        tested = read_pair(*test, **own)
    elif test is not None:
        wrong = f"must be (y_true, score_a, score_b), BinaryScores or a frame, got {checks.show(test)}"
        raise RocInputError(wrong, argument="test")
    grid = WeightGrid.of(weights)
    sizes = tested.n_pos, tested.n_neg
    measure = Target.read(target, fpr=fpr, cost=cost, prevalence=prevalence, class_sizes=sizes)
    checks.check_choice(scale, SCALES, name="scale")
    checks.check_choice(model, MODELS, name="model")
    if model == "empirical" and scale != "raw":
        wrong = f"must be 'raw' where model is 'empirical', which takes outputs as they are, got {scale!r}"
        raise RocInputError(wrong, argument="scale")
    level = checks.check_level(level)
    n_boot = checks.check_n_boot(n_boot, none=True)
    # What one step on each latent scale is on the scale of the sums.
    units = np.ones(2)
    if scale == "matched":
        units = negative_spreads(data, per=4)  # quarters of the largest numbers do not overflow
        if not units.all():
            name = data.names[int(np.argmin(units))]
            raise UndefinedError(f"{name} has no variance among the negatives: the scales cannot be matched")
    margins = Margins.fit(data, model, units)
    pair, fits = margins.pair, (margins.first, margins.second)
    assert pair is not None
    counted = on_latent_scale(data, tested, fits) if scale == "latent" else tested
    assumption = SCALE_ASSUMPTIONS["empirical" if model == "empirical" else scale]
    if scale != "latent":
        spread = negative_spreads(data)
        assumption += f" (here {spread[0]:.3g} and {spread[1]:.3g})"
    independent = INDEPENDENT
    if pair.rho_neg is not None and pair.rho_pos is not None:
        independent += (
            f" (fitted correlations {pair.rho_neg:.3f} among negatives, {pair.rho_pos:.3f} among positives)"
        )
    predictions = predict(margins, grid.directions, measure)
    empirical = np.array([measure.count(sum_table(counted, direction)) for direction in grid.directions])
    values = np.stack([*(prediction for prediction, _ in predictions), empirical], axis=1)
    resampling = Resampling(
        margins=margins,
        counted=counted,
        together=test is None,
        directions=grid.directions,
        target=measure,
    )
    draws, few = np.empty((0, 3, len(grid.directions))), tuple[str, ...]()
    if n_boot:
        sampling = Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
        draws = sampling.run_in_processes(replicate, resampling, size=REPLICATES)
        few = sampling.warnings()
    optima: list[combine.BestWeights | None] = []
    for correlated in (False, True):
        try:
            closed = margins.joint_scores(correlated=correlated) if model == "binormal" else None
            optima.append(None if closed is None else combine.best_of(closed, units))
        except UndefinedError:
            optima.append(None)
    reason = next((reason for _, reason in predictions if reason is not None), None)
    warnings = [*data.warnings, *few]
    for name, fit in zip(data.names, fits, strict=True) if model != "empirical" else ():
        warnings += [f"{name}: {text}" for text in fit.warnings]
    if margins.is_thinned():
        warnings.append("1,000 quantiles stand for the outputs of a score in a class, which has more")
    found = preview_of(
        grid,
        values,
        draws,
        larger_is_better=measure.sign > 0,
        names=(data.names[0], data.names[1]),
        target=measure.description,
        scale=scale,
        model=model,
        units=units,
        first=margins.first,
        second=margins.second,
        pair=pair,
        optimum_independent=optima[0],
        optimum_correlated=optima[1],
        assumptions=(independent, assumption, *filter(None, [MODEL_ASSUMPTIONS.get(model)])),
        level=level,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        n_pos_test=tested.n_pos,
        n_neg_test=tested.n_neg,
        status="ok" if reason is None else "partial",
        reason=reason,
        warnings=tuple(warnings),
        fitted=(data.positive, *data.columns),
        counted=(counted.positive, *counted.columns),
    )
    if scale != "raw" or model == "empirical" or measure.name == "cost":
        return found
    return replace(found, scale_warning=why_badly_predicted(found, margins, tested, measure))


def on_latent_scale(
    data: BinaryScores, tested: BinaryScores, fits: tuple[model_choice.Curve, model_choice.Curve]
) -> BinaryScores:
    """Test cases with their outputs mapped to the latent scale of the curves fitted to the data."""
    columns = []
    for k, (name, fit) in enumerate(zip(data.names, fits, strict=True)):
        if fit.auc is None:
            raise UndefinedError(f"{name} has no latent scale ({fit.status}): {fit.reason}")
        columns.append(fusion_parts.LatentMap.of(data.table(k), fit).apply(tested.columns[k]))
    return replace(tested, columns=tuple(columns))


def negative_spreads(data: BinaryScores, *, per: float = 1.0) -> Floats:
    """Standard deviations of both scores among the negatives, divided by `per`."""
    return np.array([fusion_parts.spread_of_negatives(data.table(k), per=per) for k in range(2)])


def why_badly_predicted(
    found: FusionPreview, margins: Margins, tested: BinaryScores, target: Target
) -> str | None:
    """Warn of raw sums that are predicted badly at the best weights, where another scale does better.

    On the latent scale the prediction is the same and the count another; with matched scales the count is
    the same and the prediction another.
    """
    by: Column = "correlated" if found.best("correlated").value is not None else "independent"
    best = found.best(by)
    data = margins.cases
    if data is None or best.value is None or best.empirical is None or not best.is_off:
        return None
    error = abs(best.value - best.empirical)
    direction = WeightGrid.of([[best.weight_a, best.weight_b]]).directions
    mapped = on_latent_scale(data, tested, (margins.first, margins.second))
    spreads, better = negative_spreads(data), []
    count = target.count(sum_table(mapped, direction[0]))
    if abs(best.value - count) < error / 2:
        better.append(f"scale 'latent' (predicted {best.value:.3f}, counted {count:.3f})")
    if spreads.all() and np.isfinite(spreads).all():
        matched = replace(margins, units=spreads)
        value = float(matched.predict(direction, target, correlated=by == "correlated")[0])
        if abs(value - best.empirical) < error / 2:
            better.append(f"scale 'matched' (predicted {value:.3f}, counted {best.empirical:.3f})")
    if not better:
        return None
    return (
        f"raw sums are predicted badly: with weights {best.weight_a:g} : {best.weight_b:g} the {by} "
        f"prediction is {best.value:.3f} and the count {best.empirical:.3f}, as the outputs do not live on "
        f"the latent scale (standard deviations {spreads[0]:.3g} and {spreads[1]:.3g} among the negatives); "
        f"predicted better: {' or '.join(better)}"
    )


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
        The value of the column there.
    empirical
        What was counted there.
    loss
        How much worse that is than the best that was counted; 0 for the empirical best itself.
    n_equal
        Pairs in the grid with the same ratio, which are the same choice.
    share
        Share of the bootstrap replicates in which this ratio was best; None without a bootstrap.
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

    @property
    def is_off(self) -> bool:
        """Whether the value is further than 0.03 from the count."""
        return (
            self.value is not None and self.empirical is not None and abs(self.value - self.empirical) > BAD
        )

    def _summary(self) -> str:
        if self.weight_a is None:
            return f"{self.kind} by {self.by}: undefined"
        share = "" if self.share is None else f", in {100 * self.share:.0f}% of the replicates"
        counted = f"counted {self.empirical:.4f}, loss {self.loss:.4f}"
        value = f"{self.value:.4f}" if self.by == "empirical" else f"{self.value:.4f} ({counted})"
        return f"{self.kind} by {self.by}: weights {self.weight_a:g}, {self.weight_b:g}: {value}{share}"


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
        Mean over all pairs of weights of the first minus the second, and its bootstrap interval.
    mean_abs_error, max_abs_error
        Of the same differences without their sign.
    reason
        Why a value is None; empty otherwise.
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
    target, scale, model
        The measure in words; on what scale outputs are added up: "raw", "matched" or "latent"; and by what
        model each score is predicted: "binormal", "proper", "contaminated" or "empirical".
    scale_warning
        Why raw sums are predicted badly, and which scale predicts better; None where they are not.
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
    best_share
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
    units
        What one step on each latent scale is on the scale of the sums.
    fitted, counted
        The cases themselves (which are positive, both scores), as outputs and on the scale of the sums; None
        where they were not saved.
    larger_is_better
        False for a cost.
    status, reason
        "ok"; "partial" where a prediction is undefined, with the reason.
    """

    view: ClassVar[str] = "binormal.fusion_picture"
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
    best_share: Floats
    directions: Floats
    direction: NDArray[np.int64] = field(repr=False)
    first: model_choice.Curve
    second: model_choice.Curve
    pair: BinormalPair | None
    choices: tuple[FusionChoice, ...]
    agreement: tuple[FusionAgreement, ...]
    optimum_independent: combine.BestWeights | None
    optimum_correlated: combine.BestWeights | None
    assumptions: tuple[str, ...]
    level: float
    n_boot: int
    n_failed: tuple[int, int]
    n_pos: int
    n_neg: int
    n_pos_test: int
    n_neg_test: int
    larger_is_better: bool
    model: str = "binormal"
    units: Floats = field(default_factory=lambda: np.ones(2))
    scale_warning: str | None = None
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    fitted: Cases | None = field(default=None, repr=False)
    counted: Cases | None = field(default=None, repr=False)

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Find the direction of each pair of weights again: the one it makes no angle with."""
        weights, directions = np.array(fields["weights"]), np.array(fields["directions"])
        lengths = np.linalg.norm(weights, axis=1)[:, np.newaxis] * np.linalg.norm(directions, axis=1)
        cosines = weights @ directions.T / np.where(lengths > 0, lengths, 1.0)
        fields.setdefault("best_share", fields.get("chosen"))  # its name before
        return fields | {"direction": np.argmax(cosines, axis=1)}

    def __len__(self) -> int:
        return len(self.weights)

    def _summary(self) -> str:
        head = f"{self.target} of weighted sums of {self.names[0]} and {self.names[1]} ({self.scale} scale)"
        head = f"{head}, {len(self)} pairs of weights"
        if self.model != "binormal":
            head += f", {self.model} model"
        caution = [] if self.scale_warning is None else [self.scale_warning]
        best = [str(choice) for choice in self.choices if choice.kind == "best"]
        agreement = [str(row) for row in self.agreement if row.second == "empirical"]
        return "\n  ".join([head, *caution, *best, *agreement])

    def best(self, by: Column = "correlated") -> FusionChoice:
        """The best weights by a column: "independent", "correlated" or "empirical"."""
        return self._choice(by, "best")

    def worst(self, by: Column = "correlated") -> FusionChoice:
        """The worst weights by a column."""
        return self._choice(by, "worst")

    def _choice(self, by: Column, kind: str) -> FusionChoice:
        checks.check_choice(by, COLUMNS, name="by")
        return next(choice for choice in self.choices if (choice.by, choice.kind) == (by, kind))

    def curve(self, weights: Any) -> FusionCurve:
        """The ROC curve of one combination: predicted, counted, and those of both scores alone.

        Parameters
        ----------
        weights
            Two weights, of the first and the second score; they need not be among those of the preview.

        Returns
        -------
        FusionCurve
            With the areas and the pointwise differences.

        Examples
        --------
        >>> rng = np.random.default_rng(1)
        >>> y = np.repeat([0, 1], 300)
        >>> preview = preview_fusion(y, y + rng.normal(size=600), y + rng.normal(size=600))
        >>> curve = preview.curve([0.4, 0.6])
        >>> round(curve.auc_independent, 3), round(curve.auc_empirical, 3), curve.independent.shape
        (0.853, 0.854, (321,))
        """
        margins = Margins(
            model=self.model,
            first=self.first,
            second=self.second,
            pair=self.pair,
            units=self.units,
            cases=self._scores(self.fitted),
        )
        counted = self._scores(self.counted)
        return fusion_curve(margins, counted, weights, names=self.names, scale=self.scale)

    def _scores(self, cases: Cases | None) -> BinaryScores | None:
        if cases is None:
            return None
        positive, *columns = cases
        return BinaryScores(
            positive=positive, columns=tuple(columns), names=self.names, pos_label=1, neg_label=0
        )

    def values(self) -> Floats:
        """The three columns side by side, (m, 3)."""
        return np.stack([self.independent, self.correlated, self.empirical], axis=1)

    def columns(self) -> dict[str, Any]:
        """One row per pair of weights."""
        columns: dict[str, Any] = {"weight_a": self.weights[:, 0], "weight_b": self.weights[:, 1]}
        for k, name in enumerate(COLUMNS):
            columns |= {name: getattr(self, name)}
            columns |= {f"{name}_{end}": getattr(self, end)[:, k] for end in ("low", "high")}
        return columns


def predict(margins: Margins, directions: Floats, target: Target) -> list[tuple[Floats, str | None]]:
    """Predictions with independent and with correlated scores; NaN, and the reason, where there are none."""
    predictions: list[tuple[Floats, str | None]] = []
    for correlated in (False, True):
        try:
            predictions.append((margins.predict(directions, target, correlated=correlated), None))
        except UndefinedError as error:
            predictions.append((np.full(len(directions), np.nan), str(error)))
    return predictions


# ---- Uncertainty: fits and counts again on cases drawn with replacement, class by class -------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """What every replicate needs.

    `margins` have the cases of the fit, on the scale of the outputs; `counted` are those whose sums are
    counted, on the scale on which they are added up. `together` says that both are the same cases, and are
    drawn so.
    """

    margins: Margins
    counted: BinaryScores
    together: bool
    directions: Floats
    target: Target


def replicate(resampling: Resampling, chunk: Chunk) -> Floats:
    """The three columns of the replicates of a chunk and every direction, (replicates, 3, directions)."""
    state = chunk.state()
    margins, directions = resampling.margins, resampling.directions
    cases, n = margins.cases, len(chunk.range)
    assert cases is not None
    drawn = _draw(cases, n, state)
    values = np.full((n, 3, len(directions)), np.nan)
    for k in range(n):
        again = take(cases, np.repeat(np.arange(len(drawn[k])), drawn[k]))
        fits = Margins.fit(again, margins.model, margins.units)
        predictions = predict(fits, directions, resampling.target)
        values[k, :2] = [prediction for prediction, _ in predictions]
    counted = resampling.counted
    times = drawn if resampling.together else _draw(counted, n, state)
    start = np.zeros((n, 1))
    for d, direction in enumerate(directions):
        # Rates of the replicates at the distinct sums, from (0, 0) to (1, 1).
        scores = sums(counted, direction)
        order = np.argsort(-scores, kind="stable")
        last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
        fpr, tpr = (
            np.hstack([start, above[:, last] / above[:, -1:]])
            for above in (
                np.cumsum(times[:, order] * member[order], axis=1)
                for member in (~counted.positive, counted.positive)
            )
        )
        values[:, 2, d] = resampling.target.of_curves(fpr, tpr)
    return values


def _draw(data: BinaryScores, n: int, state: NDArray[np.uint64]) -> NDArray[np.int32]:
    """How often each case was drawn, (replicates, cases); both classes keep their sizes."""
    from rocscope.core import kernels

    drawn = np.zeros((n, data.positive.size), np.int32)
    drawn[:, ~data.positive] = kernels.draw_counts(data.n_neg, n, state)
    drawn[:, data.positive] = kernels.draw_counts(data.n_pos, n, state)
    return drawn


def summarize(draws: Floats, *, level: float, sign: int) -> tuple[dict[str, Floats], tuple[int, int]]:
    """Standard errors, interval ends and shares of best directions, each (directions, 3), and failures.

    They are those of the replicates that have a prediction; NaN where these are too few.
    """
    shape = draws.shape[:0:-1]
    found = {name: np.full(shape, np.nan) for name in ("se", "low", "high", "best_share")}
    known = ~np.isnan(draws[:, :, 0])
    for k in range(3):
        values = draws[known[:, k], k]
        if len(values) >= FEWEST:
            found["se"][:, k] = values.std(axis=0, ddof=1)
            found["low"][:, k], found["high"][:, k] = percentile_interval(values, level=level)
            best = np.argmax(sign * values, axis=1)
            found["best_share"][:, k] = np.bincount(best, minlength=shape[0]) / len(values)
    failed = (~known).sum(axis=0)
    return found, (int(failed[0]), int(failed[1]))


# ---- The table of a preview, its best and worst weights, and how far its columns agree --------------------

PAIRS = (("independent", "empirical"), ("correlated", "empirical"), ("independent", "correlated"))


def preview_of(
    grid: WeightGrid,
    values: Floats,
    draws: Floats,
    *,
    larger_is_better: bool,
    level: float,
    warnings: tuple[str, ...] = (),
    **fields: Any,
) -> FusionPreview:
    """A preview from the three columns of every direction, (directions, 3), and their replicates.

    `fields` are those of `FusionPreview` that say what was previewed.
    """
    sign = 1 if larger_is_better else -1
    uncertainty, n_failed = summarize(draws, level=level, sign=sign)
    failed = tuple(
        f"{n} of {len(draws)} replicates have no {kind} prediction and are left out of it"
        for kind, n in zip(COLUMNS, n_failed, strict=False)
        if n
    )
    rows = values[grid.index]
    fields |= {name: found[grid.index] for name, found in uncertainty.items()}
    return FusionPreview(
        weights=grid.weights,
        directions=grid.directions,
        direction=grid.index,
        independent=rows[:, 0],
        correlated=rows[:, 1],
        empirical=rows[:, 2],
        defined=~np.isnan(rows),
        choices=choices(grid, values, uncertainty["best_share"], sign),
        agreement=agreement(grid, values, draws, level),
        level=level,
        n_boot=len(draws),
        n_failed=n_failed,
        larger_is_better=larger_is_better,
        warnings=tuple(dict.fromkeys(warnings + failed)),
        **fields,
    )


def choices(grid: WeightGrid, values: Floats, best_share: Floats, sign: int) -> tuple[FusionChoice, ...]:
    """Best and worst direction by each column of (directions, 3); of equal ones the first."""
    rows = []
    counted = sign * values[:, 2]
    for k, by in enumerate(COLUMNS):
        merit = sign * values[:, k]
        for kind in ("best", "worst"):
            if np.isnan(merit).any():
                nothing = dict.fromkeys(("weight_a", "weight_b", "value", "empirical", "loss", "share"))
                rows.append(FusionChoice(by=by, kind=kind, n_equal=0, **nothing))
                continue
            at = int(np.argmax(merit) if kind == "best" else np.argmin(merit))
            same = grid.index == at
            first, second = grid.weights[np.argmax(same)].tolist()
            share = float(best_share[at, k])
            rows.append(
                FusionChoice(
                    by=by,
                    kind=kind,
                    weight_a=first,
                    weight_b=second,
                    value=float(values[at, k]),
                    empirical=float(values[at, 2]),
                    loss=float(counted.max() - counted[at]),
                    n_equal=int(same.sum()),
                    share=None if np.isnan(share) or kind == "worst" else share,
                )
            )
    return tuple(rows)


def agreement(grid: WeightGrid, values: Floats, draws: Floats, level: float) -> tuple[FusionAgreement, ...]:
    """Rank correlations of every two columns over directions, and errors over pairs of weights."""
    rows = []
    for first, second in PAIRS:
        i, j = COLUMNS.index(first), COLUMNS.index(second)
        errors: dict[str, Any] = dict.fromkeys(
            ("kendall", "spearman", "mean_error", "mean_abs_error", "max_abs_error", "low", "high")
        )
        # Bootstrap interval of the mean difference of two columns over the pairs of weights.
        means = (draws[:, i] - draws[:, j])[:, grid.index].mean(axis=1)
        means = means[~np.isnan(means)]
        if len(means) >= FEWEST:
            errors["low"], errors["high"] = map(float, percentile_interval(means, level=level))
        reason: str | None = "one of the columns has no value at some weights"
        error = values[grid.index, i] - values[grid.index, j]
        if not np.isnan(error).any():
            size = np.abs(error)
            errors |= {
                "kendall": fusion_parts.kendall(values[:, i], values[:, j]),
                "spearman": fusion_parts.spearman(values[:, i], values[:, j]),
                "mean_error": float(error.mean()),
                "mean_abs_error": float(size.mean()),
                "max_abs_error": float(size.max()),
            }
            no_ranks = "a column with one value alone has no ranks" if errors["kendall"] is None else ""
            too_few = "too few bootstrap samples have a value at all weights" if errors["low"] is None else ""
            reason = "; ".join(filter(None, (no_ranks, too_few))) or None
        rows.append(FusionAgreement(first=first, second=second, **errors, reason=reason))
    return tuple(rows)
