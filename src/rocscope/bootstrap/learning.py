"""AUC against the number of training cases."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypedDict, Unpack, overload

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.bootstrap.estimates import read_response
from rocscope.bootstrap.left_out import train_splits
from rocscope.core import checks, execution, formatting, resampling
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from rocscope.training.datasets import Dataset
from rocscope.training.fitting import Floats, FoldScores, area
from rocscope.training.splits import Split

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
            for key, table in ((name, self.values), (f"{name}_mc_error", self.mc_error)):
                named[key] = [None if np.isnan(value) else float(value) for value in table[:, k]]
        return named

    def _summary(self) -> str:
        lines = [" ".join(["cases".rjust(6), *(name.rjust(9) for name in self.estimates)])]
        for size, row in zip(self.sizes, self.values, strict=True):
            lines.append(
                " ".join([str(size).rjust(6), *(formatting.number(value).rjust(9) for value in row)])
            )
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningCurves(Result):
    """Learning curves of several learners, trained and tested on the same sets.

    Attributes
    ----------
    curves
        The `LearningCurve` of each learner, by its name; `curves["lda"]`.
    """

    view: ClassVar[str] = "monte_carlo.learning_curves_picture"

    curves: Mapping[str, LearningCurve]

    def columns(self) -> dict[str, Any]:
        """Return one line per learner and size."""
        parts = {name: curve.columns() for name, curve in self.curves.items()}
        lengths = {name: len(part["size"]) for name, part in parts.items()}
        learners = [name for name, length in lengths.items() for _ in range(length)]
        keys = next(iter(parts.values()))
        return {"learner": learners} | {
            key: [v for part in parts.values() for v in part[key]] for key in keys
        }

    def _summary(self) -> str:
        width = max(map(len, ("learner", *self.curves)))
        tables = {name: curve.summary().splitlines() for name, curve in self.curves.items()}
        head = next(iter(tables.values()))[0]
        lines = [f"{name.ljust(width)} {line}" for name, table in tables.items() for line in table[1:]]
        return "\n".join([f"{'learner'.ljust(width)} {head}", *lines])

    def _notes(self) -> list[str]:
        return [f"{name}: {text}" for name, curve in self.curves.items() for text in curve.warnings]


# ---- The learning curve of one data set, by drawing smaller data sets from it -----------------------------

# Shares of the data that the default sizes take.
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
# Of a data set, how much a bootstrap replicate is said to be worth ([1] figure 5).
WORTH = {"star632": 0.632, "star500": 0.5}


class LearningOptions(TypedDict, total=False):
    """Types of the options of `learning_curve`, which is overloaded."""

    sizes: Any
    n_boot: int
    pos_label: Any
    rng: resampling.Rng
    n_jobs: int | None
    executor: execution.Executor | None
    progress: execution.Progress | None


@overload
def learning_curve(
    estimator: Mapping[str, Any], X: Any, y: Any, **options: Unpack[LearningOptions]
) -> LearningCurves: ...
@overload
def learning_curve(estimator: Any, X: Any, y: Any, **options: Unpack[LearningOptions]) -> LearningCurve: ...
@checks.known_arguments
def learning_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Any = None,
    n_boot: int = 200,
    pos_label: Any = None,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    executor: execution.Executor | None = None,
    progress: execution.Progress | None = None,
) -> LearningCurve | LearningCurves:
    """Return the AUC against the number of training cases, and AUC(*) of data sets larger by 1/.632 and 1/.5.

    At every size training sets are drawn without replacement, each class by its share, and tested on all
    other cases. A bootstrap replicate holds about .632 of the cases of its data set, but is it worth as many,
    or only half ([1] figure 5)? AUC(*) is therefore also taken of data sets of size / .632 and size / .5,
    drawn from this one: the one that meets the AUC at `size` is worth as much.

    Parameters
    ----------
    estimator, X, y, pos_label
        As in `bootstrap_auc`; the estimator must give scores. A mapping from names to estimators compares
        several learners on the same training sets; each has the curve that it has alone.
    sizes
        Numbers of training cases, both classes together; 20 % to 80 % of the cases by default.
    n_boot
        Trainings for each value.
    rng, n_jobs, executor, progress
        As in `bootstrap_auc`.

    Returns
    -------
    LearningCurve
        `sizes`, `values[size, estimate]` with Monte-Carlo errors, `defined`. AUC(*) is undefined where the
        larger data set would exceed this one. Of several learners `LearningCurves`, whose `curves` are these.

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
    >>> from sklearn.naive_bayes import GaussianNB
    >>> learners = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}
    >>> both = learning_curve(learners, X, y, sizes=[20, 40, 60], n_boot=20, rng=1)
    >>> both.curves["lda"] == curve
    True
    """
    checks.check_integer(n_boot, name="n_boot", low=2)
    data = Dataset.read(X, y, pos_label=pos_label, two_classes=True)
    learners = _read_learners(estimator)
    if sizes is None:
        n_train = sorted({max(round(share * data.size), 4) for share in SHARES})
    else:
        n_train = read_sizes(sizes)
        if n_train[-1] >= data.size:
            raise RocInputError(
                f"must stay below the number of cases, {data.size}, got {checks.show(n_train)}",
                argument="sizes",
                data_dependent=True,
            )
    draws, seeds = resampling.spawn_streams(rng, 2)
    points = [draw_points(data, size, n_boot, draws) for size in n_train]
    splits = [split for of_size in points for point in of_size for split in point.splits]
    curves = {}
    for k, (name, (learner, response)) in enumerate(learners.items()):
        shown = progress
        if len(learners) > 1 and callable(progress):  # the progress of one, as that of all of them
            shown = lambda done, total, k=k: progress(k * total + done, len(learners) * total)  # noqa: E731
        running: dict[str, Any] = {"n_jobs": n_jobs, "executor": executor, "progress": shown}
        stream = copy.deepcopy(seeds)  # of each learner the one that it has alone
        folds = train_splits(learner, data, splits, stream, response=response, **running) if splits else []
        curves[name] = _summarised(data, n_train, points, folds, n_boot)
    return LearningCurves(curves=curves) if isinstance(estimator, Mapping) else curves[""]


def _read_learners(estimator: Any) -> dict[str, tuple[Any, str | None]]:
    """Learners by their names, each with the method that gives its scores; one alone has the name ""."""
    several = isinstance(estimator, Mapping)
    if several and not (estimator and all(isinstance(name, str) and name for name in estimator)):
        raise RocInputError(
            f"must be a classifier, or map names to classifiers, got {checks.show(list(estimator))}",
            argument="estimator",
        )
    learners = {}
    for name, learner in (estimator if several else {"": estimator}).items():
        response, refusal = read_response(learner)
        if refusal is not None:
            argument = f"estimator[{name!r}]" if several else "estimator"
            raise RocInputError(f"must give scores: {refusal}", argument=argument)
        learners[name] = learner, response
    return learners


def _summarised(
    data: Dataset, n_train: list[int], points: list[list[Point]], trained: list[FoldScores], n_boot: int
) -> LearningCurve:
    """Mean areas of the trainings of every point, in their order."""
    folds = iter(trained)
    shape = (len(n_train), len(ESTIMATES))
    values, errors = np.full(shape, np.nan), np.full(shape, np.nan)
    cases, failed = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    failures: dict[str, None] = {}
    for k, point in ((k, point) for k, of_size in enumerate(points) for point in of_size):
        areas: dict[str, list[float]] = {name: [] for name in point.estimates}
        for split, fold in zip(point.splits, folds, strict=False):
            if fold.scores is None:
                failures[f"a training failed: {fold.failure}"] = None
                continue
            scores = np.full(data.size, np.nan)
            scores[split.test] = fold.scores
            for name, rows in zip(areas, (split_out(split), np.unique(split.train)), strict=False):
                areas[name].append(area(scores[rows], data.positive[rows]))
        for name, of_trials in areas.items():
            place = k, ESTIMATES.index(name)
            cases[place], failed[place] = point.cases, len(point.splits) - len(of_trials)
            if len(of_trials) > 1:
                values[place] = np.mean(of_trials)
                errors[place] = np.std(of_trials, ddof=1) / np.sqrt(len(of_trials))
    return LearningCurve(
        sizes=np.array(n_train, np.int64),
        estimates=ESTIMATES,
        values=values,
        mc_error=errors,
        cases=cases,
        defined=~np.isnan(values),
        failed=failed,
        n_boot=n_boot,
        classes=(data.classes[0], data.classes[1]),
        warnings=tuple(list(failures)[: checks.SHOWN_ROWS]),
    )


class Point(NamedTuple):
    """Trainings behind one size: from training sets, or from bootstrap replicates of larger data sets."""

    estimates: tuple[str, ...]
    cases: int
    splits: list[Split]


def read_sizes(sizes: Any) -> list[int]:
    """Check numbers of training cases as far as that needs no data.

    Examples
    --------
    >>> read_sizes([20, 40])
    [20, 40]
    """
    listed = checks.as_vector(sizes, name="sizes").tolist()
    n_train = [checks.check_integer(size, name="sizes", low=2) for size in listed]
    if not n_train or n_train != sorted(set(n_train)):
        raise RocInputError(f"must increase, got {checks.show(listed)}", argument="sizes")
    return n_train


def draw_points(data: Dataset, size: int, n_boot: int, stream: Generator) -> list[Point]:
    """Training sets of one size, and replicates of the data sets that would be worth as much.

    Each class is drawn by its share; there are no splits where the data are too few for it.
    """
    points = []
    worths = {("auc", "apparent"): 1.0} | {(name,): worth for name, worth in WORTH.items()}
    for estimates, worth in worths.items():
        cases = round(size / worth)
        n_pos = round(cases * data.n_pos / data.size)
        splits: list[Split] = []
        if 1 <= n_pos <= data.n_pos and 1 <= cases - n_pos <= data.n_neg:
            for _ in range(n_boot):
                split = _draw_split(data, (cases - n_pos, n_pos), stream, bootstrap=worth < 1)
                if split is None:
                    splits = []
                    break
                splits.append(split)
        points.append(Point(estimates, cases, splits))
    return points


def _draw_split(data: Dataset, sizes: tuple[int, int], stream: Generator, *, bootstrap: bool) -> Split | None:
    """Draw until both classes are among the rows that did not train; None where that does not come about.

    A training set is tested on all rows: those that trained give the apparent AUC.
    """
    classes = [np.flatnonzero(data.codes == code) for code in (0, 1)]
    for _ in range(resampling.REDRAW_LIMIT + 1):
        rows = np.concatenate(
            [stream.choice(of_class, n, replace=False) for of_class, n in zip(classes, sizes, strict=True)]
        )
        if bootstrap:
            train = rows[resampling.stratified_bootstrap(data.codes[rows], stream)]
            split = Split(train, np.setdiff1d(rows, train))
        else:
            split = Split(rows, np.arange(data.size))
        if not data.lacking(split_out(split)):
            return split
    return None


def split_out(split: Split) -> NDArray[np.intp]:
    """Tested rows that did not train."""
    return np.setdiff1d(split.test, split.train)
