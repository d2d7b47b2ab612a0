"""AUC against the number of training cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.bootstrap.training import Judged, Learner, LossRule, Rows, Running, Sample, Split, area, judge
from rocscope.core import checks
from rocscope.core.execution import Executor, Progress
from rocscope.core.resampling import REDRAW_LIMIT, Rng, spawn_streams, stratified_bootstrap
from rocscope.core.result import Result
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]
ESTIMATES = ("auc", "apparent", "star632", "star500")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningCurve(Result):
    """How the AUC grows with the training set, and which training set AUC(*) speaks for.

    Attributes
    ----------
    sizes
        Numbers of training cases, both classes together.
    estimates
        Names of the columns below: "auc" on cases that did not train; "apparent" on those that did; "star632"
        and "star500", AUC(*) of data sets larger by 1/.632 and by 1/.5, whose replicates are said to be worth
        `sizes` training cases.
    values, mc_error
        Mean over the replicates and its standard error, [size, estimate]; NaN where undefined. The error is
        that of the draws from this one data set, not that of the data set itself.
    cases
        Cases behind each value: of the training set, or of the data set that AUC(*) is bootstrapped from.
    defined
        Where there is a value.
    failed
        Trainings that failed, and are left out.
    n_boot
        Replicates of each value.
    classes
        Names of the negative and the positive class.
    warnings
        What a reader should know although the curve stands.
    """

    view: ClassVar[str] = "monte_carlo.learning_curve_picture"

    sizes: NDArray[np.int64]
    estimates: tuple[str, ...]
    values: Floats
    mc_error: Floats
    cases: NDArray[np.int64]
    defined: NDArray[np.bool_]
    failed: NDArray[np.int64]
    n_boot: int
    classes: tuple[Any, Any]
    warnings: tuple[str, ...] = ()

    @property
    def auc(self) -> Floats:
        """AUC on cases that did not train."""
        return self.column("auc")

    @property
    def apparent(self) -> Floats:
        """AUC on the training cases."""
        return self.column("apparent")

    @property
    def star632(self) -> Floats:
        """AUC(*) of data sets of size / .632."""
        return self.column("star632")

    @property
    def star500(self) -> Floats:
        """AUC(*) of data sets of size / .5."""
        return self.column("star500")

    def column(self, name: str) -> Floats:
        """The values of one estimate."""
        checks.check_choice(name, self.estimates, name="name")
        return np.asarray(self.values[:, self.estimates.index(name)])

    def columns(self) -> dict[str, Any]:
        """Return one line per size."""
        named: dict[str, Any] = {"size": self.sizes.tolist()}
        for k, name in enumerate(self.estimates):
            named[name] = _listed(self.values[:, k])
            named[f"{name}_mc_error"] = _listed(self.mc_error[:, k])
        return named

    def _summary(self) -> str:
        lines = [" ".join(["cases".rjust(6), *(name.rjust(9) for name in self.estimates)])]
        for size, row in zip(self.sizes, self.values, strict=True):
            told = ("undefined" if np.isnan(value) else f"{value:.4f}" for value in row)
            lines.append(" ".join([str(size).rjust(6), *(text.rjust(9) for text in told)]))
        return "\n".join(lines)


def _listed(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


# ---- The learning curve of one data set, by drawing smaller data sets from it -----------------------------

# Shares of the data that the default sizes take.
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
# Of a data set, how much a bootstrap replicate is said to be worth ([1] figure 5).
WORTH = {"star632": 0.632, "star500": 0.5}


def learning_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Any = None,
    n_boot: int = 200,
    pos_label: Any = None,
    rng: Rng = None,
    n_jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Return the AUC against the number of training cases, and AUC(*) of data sets larger by 1/.632 and 1/.5.

    At every size training sets are drawn without replacement, each class by its share, and tested on all
    other cases. A bootstrap replicate holds about .632 of the cases of its data set, but is it worth as many,
    or only half ([1] figure 5)? AUC(*) is therefore also taken of data sets of size / .632 and size / .5,
    drawn from this one: the one that meets the AUC at `size` tells.

    Parameters
    ----------
    estimator, X, y, pos_label
        As in `bootstrap_auc`; the estimator must give scores.
    sizes
        Numbers of training cases, both classes together; 20 % to 80 % of the cases unless given.
    n_boot
        Trainings for each value.
    rng, n_jobs, executor, progress
        As in `bootstrap_auc`.

    Returns
    -------
    LearningCurve
        `sizes`, `values[size, estimate]` with Monte-Carlo errors, `defined`. AUC(*) is undefined where the
        larger data set would exceed this one.

    References
    ----------
    .. [1] Yousef, Wagner, Loew: Comparison of non-parametric methods for assessing classifier performance in
       terms of ROC parameters, AIPR 2004, section 4.3.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(40, 5)), rng.normal(0.4, 1, size=(40, 5))])
    >>> y = np.repeat([0, 1], 40)
    >>> curve = learning_curve(LinearDiscriminantAnalysis(), X, y, sizes=[20, 40, 60], n_boot=20, rng=1)
    >>> print(curve)
     cases       auc  apparent   star632   star500
        20    0.6037    0.8495    0.6033    0.6738
        40    0.6204    0.7508    0.7214    0.6221
        60    0.6555    0.7446 undefined undefined
    """
    checks.check_integer(n_boot, name="n_boot", low=2)
    sample = Sample.read(X, y, pos_label=pos_label)
    learner = Learner.read(estimator, LossRule.read())
    if learner.refusal is not None:
        raise RocInputError(f"must give scores: {learner.refusal}", argument="estimator")
    wanted = _read_sizes(sizes, sample)
    draws, seeds = spawn_streams(rng, 2)
    points = [point for size in wanted for point in _points(sample, size, n_boot, draws)]
    splits = [trial.split for point in points for trial in point.trials]
    running = Running(n_jobs=n_jobs, executor=executor, progress=progress)
    judged = judge(learner, sample, splits, rng=seeds, running=running) if splits else []
    return _curve(sample, wanted, points, judged, n_boot)


def _read_sizes(sizes: Any, sample: Sample) -> list[int]:
    if sizes is None:
        return sorted({max(round(share * sample.size), 4) for share in SHARES})
    listed = checks.as_vector(sizes, name="sizes").tolist()
    wanted = [checks.check_integer(size, name="sizes", low=2) for size in listed]
    if wanted != sorted(set(wanted)) or wanted[-1] >= sample.size:
        told = f"increase and stay below the number of cases, {sample.size}"
        raise RocInputError(f"must {told}, got {checks.show(listed)}", argument="sizes")
    return wanted


@dataclass(frozen=True, slots=True)
class _Trial:
    """One training: its split, and the tested rows that did not train."""

    split: Split
    out: Rows


_Make: TypeAlias = Callable[[Sample, Rows, Generator], _Trial]


def _tested(sample: Sample, rows: Rows, stream: Generator) -> _Trial:
    """Train on the rows, and score all: those that trained give the apparent AUC."""
    everyone = np.arange(sample.size)
    return _Trial(Split(rows, everyone), np.setdiff1d(everyone, rows))


def _bootstrapped(sample: Sample, rows: Rows, stream: Generator) -> _Trial:
    train = rows[stratified_bootstrap(sample.positive[rows], stream)]
    out = np.setdiff1d(rows, train)
    return _Trial(Split(train, out), out)


@dataclass(frozen=True, slots=True)
class _Point:
    """Trials of one size: training sets, or bootstrap replicates of data sets."""

    name: str
    cases: int
    trials: Sequence[_Trial]


def _points(sample: Sample, size: int, n_boot: int, stream: Generator) -> list[_Point]:
    """Training sets of one size, and replicates of the data sets that would be worth as much."""
    points = [_Point("auc", size, _trials(sample, size, n_boot, stream, _tested))]
    for name, worth in WORTH.items():
        larger = round(size / worth)
        points.append(_Point(name, larger, _trials(sample, larger, n_boot, stream, _bootstrapped)))
    return points


def _trials(sample: Sample, size: int, n_boot: int, stream: Generator, make: _Make) -> list[_Trial]:
    """Draw data sets of a size, each class by its share; none where the data are too few for it."""
    n_pos = round(size * sample.n_pos / sample.size)
    if not (1 <= n_pos <= sample.n_pos and 1 <= size - n_pos <= sample.n_neg):
        return []
    try:
        return [_trial(sample, (size - n_pos, n_pos), stream, make) for _ in range(n_boot)]
    except UndefinedError:
        return []


def _trial(sample: Sample, sizes: tuple[int, int], stream: Generator, make: _Make) -> _Trial:
    """Draw until both classes are among the rows that did not train."""
    classes = (np.flatnonzero(~sample.positive), np.flatnonzero(sample.positive))
    for _ in range(REDRAW_LIMIT + 1):
        chosen = [stream.choice(rows, n, replace=False) for rows, n in zip(classes, sizes, strict=True)]
        trial = make(sample, np.concatenate(chosen), stream)
        if sample.holds_both(trial.out):
            return trial
    raise UndefinedError(f"no draw of {sum(sizes)} cases left cases of both classes to be tested")


def _curve(
    sample: Sample, sizes: list[int], points: list[_Point], judged: Sequence[Judged], n_boot: int
) -> LearningCurve:
    """Means over the trials, size by size; points come as three for each size."""
    shape = (len(sizes), len(ESTIMATES))
    values, errors = np.full(shape, np.nan), np.full(shape, np.nan)
    cases, failed = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    told: dict[str, None] = {}
    start = 0
    for k, point in enumerate(points):
        part = judged[start : start + len(point.trials)]
        start += len(point.trials)
        told |= dict.fromkeys(f"a training failed: {each.error}" for each in part if each.error)
        for name, areas in _areas(sample, point, part).items():
            place = k // (1 + len(WORTH)), ESTIMATES.index(name)
            cases[place], failed[place] = point.cases, len(part) - len(areas)
            if len(areas) > 1:
                values[place] = np.mean(areas)
                errors[place] = np.std(areas, ddof=1) / np.sqrt(len(areas))
    return LearningCurve(
        sizes=np.array(sizes, np.int64),
        estimates=ESTIMATES,
        values=values,
        mc_error=errors,
        cases=cases,
        defined=~np.isnan(values),
        failed=failed,
        n_boot=n_boot,
        classes=sample.classes,
        warnings=tuple(list(told)[: checks.SHOWN_ROWS]),
    )


def _areas(sample: Sample, point: _Point, judged: Sequence[Judged]) -> dict[str, list[float]]:
    """AUC of every trial that went well: on rows that did not train and, where scored, on those that did."""
    names = ("auc", "apparent") if point.name == "auc" else (point.name,)
    found: dict[str, list[float]] = {name: [] for name in names}
    for trial, each in zip(point.trials, judged, strict=True):
        if each.scores is None:
            continue
        scores = np.full(sample.size, np.nan)
        scores[trial.split.test] = each.scores
        for name, rows in zip(names, (trial.out, np.unique(trial.split.train)), strict=False):
            found[name].append(area(scores[rows], sample.positive[rows]))
    return found
