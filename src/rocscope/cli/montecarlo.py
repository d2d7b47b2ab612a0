"""`rocscope montecarlo` and `rocscope components`: what estimates of an AUC are worth, by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from threading import Timer
from typing import Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import RocInputError, RocUsageError

# Seconds of preparation that need no message.
PATIENCE = 3.0

Learner = Literal["qda", "lda", "nearest-mean", "1nn"]


def read_matrices(text: str) -> Any:
    """Read a covariance matrix, or that of the negatives and that of the positives.

    Examples
    --------
    >>> read_matrices("1,0.5;0.5,1"), read_matrices("1/4")
    ([[1, 0.5], [0.5, 1]], ([[1]], [[4]]))
    """
    allowed = "rows of numbers such as 1,0.5;0.5,1, or two such matrices with / between them"
    matrices = [[opt.read_numbers(row, allowed) for row in matrix.split(";")] for matrix in text.split("/")]
    if len(matrices) > 2 or any(len(row) != len(matrix) for matrix in matrices for row in matrix):
        raise RocInputError(f"must be {allowed}, got {text!r}")
    return matrices[0] if len(matrices) == 1 else (matrices[0], matrices[1])


def read_mean(text: str) -> list[float]:
    """Read a number for each feature."""
    return opt.read_numbers(text, "numbers between commas, one for each feature")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """Two normal classes, and the sizes of what is drawn from them.

    Parameters
    ----------
    n
        Training cases of each class; 20, 40, 100 and 200 unless given.
    dimension
        Number of features; 5 unless given.
    separation
        Squared Mahalanobis distance between the classes; 0.8 unless given.
    mean
        Instead of --separation: mean of the positives minus that of the negatives.
    covariance
        Rows of the covariance of both classes, or NEGATIVES/POSITIVES; the unit matrix unless given.
    """

    n: opt.Sizes | None = None
    dimension: opt.Count | None = None
    separation: float | None = None
    mean: Annotated[list[float], opt.text_option(read_mean, "A,B,...")] | None = None
    covariance: Annotated[list[float], opt.text_option(read_matrices, "A,B;C,D")] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of a simulation: what was given."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def montecarlo(
    *,
    learner: Learner = "qda",
    simulated: Simulated = Simulated(),
    trials: opt.Count = 1000,
    n_boot: opt.Count = 100,
    n_test: opt.Count = 1000,
    own_test: opt.Flag = False,
    leave_pair_out: opt.Flag = False,
    rule: Literal["yousef", "efron-tibshirani"] = "yousef",
    show: Literal["estimators", "training", "rescaled"] | None = None,
    n_jobs: opt.NJobs | None = None,
    seed: opt.Seed | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Compare the bootstrap estimates of an AUC with the truth, over many training sets.

    Every trial draws a training set from two normal classes, trains a learner, and estimates its AUC from
    the training set alone; its AUC on a large test set is the truth. Unless changed the setting is that of
    table 1 of Yousef, Wagner and Loew (2004).

    Given are mean, SD, RMS around the mean truth, bias, and correlation with the truth of the same trial. In
    brackets are the Monte-Carlo errors, which more trials reduce.

    Parameters
    ----------
    learner
        What is trained.
    trials
        Training sets of each size.
    n_boot
        Bootstrap replicates of each training set; 0 for true and apparent AUC alone.
    n_test
        Test cases of each class.
    own_test
        A test set for each trial, not one for all.
    leave_pair_out
        Add the leave-pair-out bootstrap with its estimated standard error.
    rule
        Overfitting rate of .632+ where AUC(*) is below chance: 0 (yousef), or 1.
    show
        The figure: estimates, true and apparent AUC, or AUC(*) at n / .632 and n / .5 (figures 4, 3 and 5).

    Examples
    --------
    rocscope montecarlo --seed 1
    rocscope montecarlo --learner lda --n 20,40,80,160 --trials 500 --out estimators.png
    rocscope montecarlo --n 20,32,50,80,126,200,317,400 --show rescaled --own-test --out figure5.png
    rocscope montecarlo --learner 1nn --separation 0 --n 20,40 --rule efron-tibshirani --json
    """
    draws = opt.Draws.read(seed)
    output.check()
    if show in ("estimators", "rescaled") and not n_boot:
        raise RocUsageError(f"--show {show} must have bootstraps, got --n-boot 0")
    smallest = partial(rs.monte_carlo, "lda", n=2, trials=2, n_boot=1, n_test=1, rng=0)
    with _running("montecarlo", n_jobs, smallest) as running:
        result = rs.monte_carlo(
            learner,
            **simulated.options,
            trials=trials,
            n_boot=n_boot,
            n_test=n_test,
            common_test=not own_test,
            leave_pair_out=leave_pair_out,
            rule=rule,
            rng=draws.seed,
            **running,
        )

    output.deliver(
        out.CommandResult(
            command="montecarlo",
            input={"learner": learner, **simulated.options, **draws.input},
            results=lambda: [result.to_dict()],
            rows=lambda: out.rows_of(result),
            blocks=lambda: [result.summary().splitlines()[0], "", _estimators(result)],
            notes=[*result.warnings, *draws.notes],
            picture=out.picture_of(result, **({} if show is None else {"show": show})),
        )
    )


def _estimators(result: rs.bootstrap.MonteCarlo) -> out.TextTable:
    """One line for each estimate and size; estimated standard errors where there are some."""
    from rocscope.bootstrap.monte_carlo import TITLES

    rows = []
    for row in result.rows:
        figures = [
            f"{formatting.number(value)} ({formatting.number(error)})"
            for value, error in ((row.mean, row.mean_error), (row.sd, row.sd_error))
        ]
        figures += [formatting.number(row.rms), formatting.number(row.bias, "+.4f")]
        figures.append("" if row.correlation is None else formatting.number(row.correlation, ".2f"))
        figures.append("" if row.estimated_se is None else formatting.number(row.estimated_se))
        rows.append((TITLES[row.estimator], str(row.n), *figures))
    header = ("estimate", "n", "mean", "SD", "RMS", "bias", "correlation", "mean se")
    last = None if "leave_pair_out" in result.estimators else -1
    return out.TextTable(header[:last], tuple(row[:last] for row in rows))


def components(
    *,
    learner: Annotated[list[Learner], Parameter(negative=())] | None = None,
    simulated: Simulated = Simulated(),
    n_test: opt.Count = 100,
    training_sets: opt.Count = 200,
    test_sets: opt.Count = 200,
    n_jobs: opt.NJobs | None = None,
    seed: opt.Seed | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Split the variance of a measured AUC into what the training set, the test set and their pairing add.

    Every training set is tested on every test set, all of two normal classes. With two learners, both
    trained on the same training sets and tested on the same test sets, the variance of their difference
    (first minus second) is split as well; what they share is not in it.

    Parameters
    ----------
    learner
        What is trained, qda unless given; repeated, two learners and their difference.
    n_test
        Cases of each class in a test set.
    training_sets
        Training sets of each size.
    test_sets
        Test sets, the same for all sizes.

    Examples
    --------
    rocscope components --seed 1 --out components.png
    rocscope components --learner lda --n 20,200 --n-test 1000
    rocscope components --learner lda --learner qda --out difference.png
    """
    draws = opt.Draws.read(seed)
    output.check()
    learners = learner or ["qda"]
    if len(learners) > 2:
        raise RocUsageError(f"--learner must be given once or twice, got {len(learners)}")
    if len(set(learners)) < len(learners):
        raise RocUsageError(f"--learner must name different learners, got {', '.join(learners)}")
    options = {**simulated.options, "n_test": n_test, "training_sets": training_sets, "test_sets": test_sets}
    result: rs.bootstrap.VarianceComponents | rs.bootstrap.DifferenceComponents
    smallest = partial(rs.variance_components, "lda", n=2, n_test=1, training_sets=3, test_sets=3, rng=0)
    with _running("components", n_jobs, smallest) as running:
        if len(learners) == 1:
            result = rs.variance_components(learners[0], **options, rng=draws.seed, **running)
        else:
            first, second = learners
            result = rs.difference_components(first, second, **options, rng=draws.seed, **running)
    output.deliver(
        out.CommandResult(
            command="components",
            input={"learners": learners, **simulated.options, **draws.input},
            results=lambda: [result.to_dict()],
            rows=lambda: out.rows_of(result),
            blocks=lambda: [result.summary(), "", _sources(result)],
            notes=draws.notes,
            picture=out.picture_of(result),
        )
    )


def _sources(result: rs.bootstrap.VarianceComponents | rs.bootstrap.DifferenceComponents) -> out.TextTable:
    """Standard deviation from each source: of the area, or of both areas and of their difference."""
    columns = result.columns()
    shares = ["" if share is None else f"{share:.0%}" for share in columns["share"]]
    header: tuple[str, ...] = ("source", "n", "SD", "share")
    cells = [columns["source"], [str(n) for n in columns["n"]], map(formatting.number, columns["sd"]), shares]
    if isinstance(result, rs.bootstrap.DifferenceComponents):
        header = ("source", "n", f"SD {result.first.learner}", f"SD {result.second.learner}", "SD difference")
        header += ("share", "correlation")
        each = [[formatting.number(row.sd) for row in part.rows] for part in (result.first, result.second)]
        shown = ["" if r is None else formatting.number(r, ".2f") for r in columns["correlation"]]
        cells = [*cells[:2], *each, *cells[2:], shown]
    return out.TextTable(header, tuple(zip(*cells, strict=True)))


@contextmanager
def _running(name: str, n_jobs: int | None, smallest: Callable[[], Any]) -> Iterator[dict[str, Any]]:
    """Processes and progress, as arguments of a simulation.

    The smallest simulation runs first: what it compiles, the processes find on the disk.
    """
    text = f"{name}: getting ready; the first run on a machine compiles, later ones do not"
    note = Timer(PATIENCE, out.note, [text])
    note.daemon = True
    note.start()
    try:
        smallest()
    finally:
        note.cancel()
    with out.watching(name) as watch:
        show = None if watch is None else lambda done, total: watch("trials", done / total)
        yield {"n_jobs": n_jobs, "progress": show}
