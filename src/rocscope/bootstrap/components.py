"""Where the variance of an area, or of the difference of two, comes from: training set, test set, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap import engine, monte_carlo
from rocscope.core import checks, execution, resampling
from rocscope.core.result import Result, Row

Floats = NDArray[np.float64]
SOURCES: Final = ("training", "test", "both")
# Of the jackknife; more add little.
MOST_GROUPS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceComponent(Row):
    """One source of variance at one training size; `error` is the variance's Monte-Carlo standard error."""

    n: int
    source: str
    variance: float
    error: float
    share: float | None

    @property
    def sd(self) -> float:
        """Standard deviation; 0 where the variance is estimated below 0."""
        return float(np.sqrt(max(self.variance, 0.0)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VarianceComponents(Result):
    """Variance of the area that one training set and one test set give, split by its sources.

    Attributes
    ----------
    rows
        Per size one `VarianceComponent` for each of "training", "test" and "both" (what is particular
        to the pair): an estimate may be slightly below 0 where there is nothing.
    n, n_test
        Cases per class in training and test sets.
    mean
        Mean area of each size.
    training_sets, test_sets
        How many were crossed.
    values
        Every area, (sizes, training sets, test sets); not in `to_dict()`.
    """

    view: ClassVar[str] = "monte_carlo.components_picture"

    learner: str
    rows: tuple[VarianceComponent, ...]
    n: tuple[int, ...]
    n_test: int
    mean: tuple[float, ...]
    training_sets: int
    test_sets: int
    values: Floats = field(repr=False)

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """The values of every trial are not saved; neither picture nor text needs them."""
        return {"values": np.empty(0)} | fields

    def row(self, n: int, source: str) -> VarianceComponent:
        """Return the component of one size and source."""
        checks.check_choice(source, SOURCES, name="source")
        monte_carlo.check_size(n, self.n)
        return self.rows[self.n.index(n) * len(SOURCES) + SOURCES.index(source)]

    def columns(self) -> dict[str, Any]:
        """Return one row per size and source."""
        names = ("n", "source", "variance", "error", "sd", "share")
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def _summary(self) -> str:
        crossed = f"{self.training_sets} training and {self.test_sets} test sets"
        lines = [f"{self.learner}, {crossed} of {self.n_test} cases per class crossed"]
        for n, mean in zip(self.n, self.mean, strict=True):
            parts = [f"{row.source} {row.sd:.4f}" for row in self.rows if row.n == n]
            lines.append(f"  n = {n}: mean area {mean:.4f}, SD from {', '.join(parts)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DifferenceComponents(Result):
    """Variance of the difference of two learners' areas, split by its sources, beside that of each area.

    Attributes
    ----------
    first, second, difference
        `VarianceComponents` of the two areas and of first minus second, over the same sets.
    mean_error
        Monte-Carlo standard error of the mean difference of each size, `difference.mean`.
    correlation
        Of the two learners' effects, [size, source]: 1 where what a set does to one it does to the other.
        NaN where a variance is not above 0.
    defined
        Where there is a correlation.
    """

    view: ClassVar[str] = "monte_carlo.difference_components_picture"

    first: VarianceComponents
    second: VarianceComponents
    difference: VarianceComponents
    mean_error: tuple[float, ...]
    correlation: Floats
    defined: NDArray[np.bool_]

    @property
    def n(self) -> tuple[int, ...]:
        """Cases per class in training sets."""
        return self.difference.n

    @property
    def mean(self) -> tuple[float, ...]:
        """Mean difference of each size."""
        return self.difference.mean

    @property
    def sd(self) -> Floats:
        """Standard deviation of a difference from one training set and one test set, of each size."""
        variances = np.array([row.variance for row in self.difference.rows]).reshape(-1, len(SOURCES))
        return np.asarray(np.sqrt(np.maximum(variances.sum(axis=1), 0.0)))

    def columns(self) -> dict[str, Any]:
        """Return one row per size and source: variances of both areas and of their difference."""
        flat = zip(self.correlation.ravel().tolist(), self.defined.ravel().tolist(), strict=True)
        return {
            "n": [row.n for row in self.difference.rows],
            "source": [row.source for row in self.difference.rows],
            "first": [row.variance for row in self.first.rows],
            "second": [row.variance for row in self.second.rows],
            "difference": [row.variance for row in self.difference.rows],
            "error": [row.error for row in self.difference.rows],
            "sd": [row.sd for row in self.difference.rows],
            "share": [row.share for row in self.difference.rows],
            "correlation": [value if known else None for value, known in flat],
        }

    def _summary(self) -> str:
        crossed = f"{self.difference.training_sets} training and {self.difference.test_sets} test sets"
        lines = [
            f"{self.difference.learner}, {crossed} of {self.difference.n_test} cases per class crossed",
        ]
        for k, n in enumerate(self.n):
            parts = [f"{row.source} {row.sd:.4f}" for row in self.difference.rows if row.n == n]
            mean = f"mean difference {self.mean[k]:+.4f} +- {self.mean_error[k]:.4f}"
            lines.append(f"  n = {n}: {mean}, SD {self.sd[k]:.4f}, from {', '.join(parts)}")
        return "\n".join(lines)


@checks.known_arguments
def variance_components(
    learner: engine.LearnerName = "qda",
    *,
    n: Any = (20, 40, 100, 200),
    n_test: int = 100,
    dimension: int | None = None,
    separation: float | None = None,
    mean: Any = None,
    covariance: Any = None,
    training_sets: int = 200,
    test_sets: int = 200,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: execution.Progress | None = None,
) -> VarianceComponents:
    """Split the variance of a measured area into what training sets, test sets and their pairing add.

    Every training set is tested on every test set. In area = mean + training set + test set + pair, the
    three variances are those of a two-way random-effects table; together they are the variance of an area
    from one fresh training set and one fresh test set.

    Parameters
    ----------
    learner, n, dimension, separation, mean, covariance, rng, n_jobs, progress
        As in `monte_carlo`.
    n_test
        Cases per class of each test set.
    training_sets, test_sets
        How many of each are crossed, at least 3.

    Returns
    -------
    VarianceComponents

    Examples
    --------
    >>> parts = variance_components("lda", n=[20, 200], training_sets=50, test_sets=50, rng=1)
    >>> [parts.row(n, "training").sd > parts.row(n, "test").sd for n in (20, 200)]
    [True, False]
    """
    population = engine.normal_population(
        dimension=dimension, separation=separation, mean=mean, covariance=covariance
    )
    name = checks.check_choice(learner, engine.LEARNERS, name="learner")
    (areas,) = _crossed_areas(
        [name],
        population,
        n,
        n_test,
        training_sets,
        test_sets,
        rng,
        n_jobs=n_jobs,
        progress=progress,
    )
    return summarised(name, monte_carlo.read_sizes(n), n_test, areas)


@checks.known_arguments
def difference_components(
    first: engine.LearnerName,
    second: engine.LearnerName,
    *,
    n: Any = (20, 40, 100, 200),
    n_test: int = 100,
    dimension: int | None = None,
    separation: float | None = None,
    mean: Any = None,
    covariance: Any = None,
    training_sets: int = 200,
    test_sets: int = 200,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: execution.Progress | None = None,
) -> DifferenceComponents:
    """Split the variance of the difference of two learners, trained and tested on the same sets.

    Both learners are trained on every training set and tested on every test set, and the difference of their
    two areas is split as `variance_components` splits one area. What the learners have in common, such as a
    test set that is easy for both, is not in the difference: that is what a paired comparison gains ([1]_).

    Parameters
    ----------
    first, second
        The learners, see `monte_carlo`; the difference is first minus second.
    n, n_test, dimension, separation, mean, covariance, training_sets, test_sets, rng, n_jobs, progress
        As in `variance_components`, which gives the same areas for the same seed.

    Returns
    -------
    DifferenceComponents

    References
    ----------
    .. [1] S. V. Beiden, M. A. Maloof, R. F. Wagner: A general model for finite-sample effects in training and
       testing of competing classifiers, IEEE PAMI 25, 2003.

    Examples
    --------
    >>> parts = difference_components("lda", "qda", n=[20, 100], training_sets=40, test_sets=40, rng=1)
    >>> bool(parts.mean[0] > parts.mean[1] > 0)  # the classes have one covariance, so LDA is right
    True
    >>> parts.difference.row(100, "test").sd < parts.first.row(100, "test").sd
    True
    """
    population = engine.normal_population(
        dimension=dimension, separation=separation, mean=mean, covariance=covariance
    )
    names = [
        checks.check_choice(learner, engine.LEARNERS, name=argument)
        for argument, learner in (("first", first), ("second", second))
    ]
    areas = _crossed_areas(
        names, population, n, n_test, training_sets, test_sets, rng, n_jobs=n_jobs, progress=progress
    )
    sizes = monte_carlo.read_sizes(n)
    parts = [summarised(name, sizes, n_test, one) for name, one in zip(names, areas, strict=True)]
    difference = summarised(f"{first} minus {second}", sizes, n_test, areas[0] - areas[1])
    one, two, both = (
        np.array([row.variance for row in part.rows]).reshape(-1, len(SOURCES))
        for part in (*parts, difference)
    )
    # Var(A - B) = Var(A) + Var(B) - 2 Cov(A, B), source by source.
    known = (one > 0) & (two > 0)
    product = np.sqrt(np.where(known, one * two, 1.0))
    shared = np.where(known, np.clip((one + two - both) / (2 * product), -1.0, 1.0), np.nan)
    counts = np.array([training_sets, test_sets, training_sets * test_sets])
    return DifferenceComponents(
        first=parts[0],
        second=parts[1],
        difference=difference,
        mean_error=tuple(np.sqrt(np.maximum(both / counts, 0.0).sum(axis=1)).tolist()),
        correlation=shared,
        defined=known,
    )


def _crossed_areas(
    learners: Sequence[str],
    population: engine.Population,
    n: Any,
    n_test: Any,
    training_sets: Any,
    test_sets: Any,
    rng: resampling.Rng,
    **running: Any,
) -> list[Floats]:
    """Areas of each learner, (sizes, training sets, test sets); all learners have the same sets."""
    training_sets = checks.check_integer(training_sets, name="training_sets", low=3)
    test_sets = checks.check_integer(test_sets, name="test_sets", low=3)
    experiments = [
        engine.Experiment(
            learner=learner,
            population=population,
            n_boot=0,
            n_test=checks.check_integer(n_test, name="n_test", low=1),
            common_test=True,
            pairs=False,
        )
        for learner in learners
    ]
    sizes = monte_carlo.read_sizes(n)
    for experiment in experiments:
        engine.check_cells(experiment, sizes)
    generator = resampling.as_generator(rng)
    tests = engine.states_of(resampling.plan_chunks(1, generator)[0].seed, test_sets)
    plans = [
        (size, chunk)
        for size in sizes
        for chunk in resampling.plan_chunks(training_sets, generator, size=engine.TRIALS_PER_TASK)
    ]
    tasks = [
        execution.Task(
            f"learner {k}, n = {size}, training sets {chunk.start}", _cross, (experiment, size, tests, chunk)
        )
        for k, experiment in enumerate(experiments)
        for size, chunk in plans
    ]
    chunks = execution.values_of(execution.run_tasks(tasks, **running))
    shape = (len(learners), len(sizes), training_sets, test_sets)
    return list(np.concatenate(chunks).reshape(shape))


def _cross(
    experiment: engine.Experiment, n: int, tests: NDArray[np.uint64], chunk: resampling.Chunk
) -> Floats:
    from rocscope.core import kernels

    population, learner = experiment.population, engine.LEARNERS.index(experiment.learner)
    states = engine.states_of(chunk.seed, len(chunk.range))
    return kernels.cross_areas(
        learner, (n, n), population.means, population.roots, experiment.n_test, tests, states
    )


def summarised(learner: str, sizes: tuple[int, ...], n_test: int, areas: Floats) -> VarianceComponents:
    """Components of the areas of every size, (sizes, training sets, test sets)."""
    return VarianceComponents(
        learner=learner,
        rows=tuple(row for size, table in zip(sizes, areas, strict=True) for row in split(size, table)),
        n=sizes,
        n_test=n_test,
        mean=tuple(areas.mean(axis=(1, 2)).tolist()),
        training_sets=areas.shape[1],
        test_sets=areas.shape[2],
        values=areas,
    )


def split(n: int, areas: Floats) -> list[VarianceComponent]:
    """Components of a two-way table without repetition, by its mean squares.

    Examples
    --------
    >>> rows = split(20, np.array([[0.5, 0.6, 0.7], [0.6, 0.7, 0.8], [0.7, 0.8, 0.9]]))
    >>> [(row.source, round(row.variance, 4)) for row in rows]
    [('training', 0.01), ('test', 0.01), ('both', 0.0)]
    """
    variances = _variances(areas)
    total = float(variances.sum())
    # Which sets were drawn matters both ways: the same test sets judge all training sets.
    errors = np.hypot(_jackknife(areas, axis=0), _jackknife(areas, axis=1))
    return [
        VarianceComponent(
            n=n,
            source=source,
            variance=float(variance),
            error=float(error),
            share=float(variance) / total if total > 0 else None,
        )
        for source, variance, error in zip(SOURCES, variances, errors, strict=True)
    ]


def _variances(areas: Floats) -> Floats:
    """Variances of rows, of columns, and of what is left."""
    r, c = areas.shape
    rest = areas - areas.mean(axis=0) - areas.mean(axis=1, keepdims=True) + areas.mean()
    error = (rest**2).sum() / ((r - 1) * (c - 1))
    rows, columns = (areas.mean(axis=axis).var(ddof=1) for axis in (1, 0))
    return np.array([rows - error / c, columns - error / r, error])


def _jackknife(areas: Floats, *, axis: int) -> Floats:
    """Standard errors of the variances, leaving out groups of training sets (0) or of test sets (1)."""
    n = areas.shape[axis]
    groups = np.array_split(np.arange(n), min(n, MOST_GROUPS))
    left = np.array([_variances(np.delete(areas, group, axis=axis)) for group in groups])
    return np.asarray(np.sqrt((len(groups) - 1) * left.var(axis=0)))
