"""Preview a fusion: which weights combine two classifiers best, before the combination is built.

References
----------
.. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
   ICIAP 2005, LNCS 3617.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocscope.area.resampled import check_n_boot
from rocscope.binormal.fusion_data import FittedPair, count, fit_both, predict, read_cases
from rocscope.binormal.fusion_grid import WeightGrid
from rocscope.binormal.fusion_resampled import Resampling, Uncertainty, replicates, summarize
from rocscope.binormal.fusion_result import COLUMNS, FusionPreview
from rocscope.binormal.fusion_scale import SCALES, LatentMap, spread_of_negatives
from rocscope.binormal.fusion_summary import agreement, choices
from rocscope.binormal.fusion_target import Target
from rocscope.binormal.joint import Floats, JointScores
from rocscope.binormal.weights import BestWeights, best_of
from rocscope.core import checks
from rocscope.core.resample import Rng
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError

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
            f"test must be (y_true, score_a, score_b) or BinaryScores, got {checks.show(test)}"
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
