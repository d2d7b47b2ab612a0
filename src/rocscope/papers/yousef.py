"""Yousef, Wagner and Loew (AIPR 2004) [1]_: table 1 and figures 1 to 5.

The experiment: two normal classes in five features with unit covariance and c^2 p = 0.8, 20 to 200 training
cases per class, 1,000 Monte-Carlo trials, 100 bootstraps, 1,000 test cases per class; a quadratic classifier,
and bootstrap estimates of its AUC from the training set alone. The text leaves two things open that the
numbers decide: the classifier is the quadratic one, and all trials share one test set. Tasks are chunks of
trials of one training size.

The chance of that test set moves the true areas of all trials together. It cannot be drawn again, so the mean
of the true area, and the bias in every RMS, may differ from the printed ones by more than the trials explain.

References
----------
.. [1] W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing classifier
   performance in terms of ROC parameters, 33rd Applied Imagery Pattern Recognition Workshop, 2004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any, Final

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray
from scipy import stats

from rocscope.binormal.fit import fit_binormal
from rocscope.bootstrap import components, engine, monte_carlo
from rocscope.core.resampling import Chunk
from rocscope.core.result import Row
from rocscope.errors import RocInputError
from rocscope.papers.base import Figure, Options, Paper, PaperSummary, Table, register, table_row
from rocscope.run.study import Study, StudyTask, seed_of

LEARNER: engine.LearnerName = "qda"
N_TEST = 1000
N_BOOT = 100
SIZES = (20, 40, 100, 200)
# At n up to 200 figure 5 has AUC(*) of n / .632 and of n / .5 cases, so the sizes go on to 400.
FINER = (20, 25, 32, 40, 50, 63, 80, 100, 126, 158, 200, 252, 316, 400)
# Training cases per class behind figures 1 and 2.
EXAMPLE = 200
DIMENSIONS = (2, 5, 10)
DIMENSION_SIZES = (20, 40, 60, 100, 200, 400)
CHUNK = 100
EXAMPLE_NAME = f"Log likelihood ratio of a QDA trained on {EXAMPLE} cases per class"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Trials of one training size; with `common_test` all parts are tested on one test set."""

    name: str
    n: int
    trials: int
    n_boot: int = N_BOOT
    dimension: int = 5
    common_test: bool = False

    def experiment(self) -> engine.Experiment:
        """What is the same in all its trials."""
        return engine.Experiment(
            learner=LEARNER,
            population=engine.normal_population(dimension=self.dimension),
            n_boot=self.n_boot,
            n_test=N_TEST,
            common_test=self.common_test,
            pairs=False,
        )

    def task_keys(self) -> list[str]:
        """Keys of its tasks, one for each chunk of trials."""
        return [f"{self.name}/{self.n}/{k}" for k in range(-(-self.trials // CHUNK))]


def make(options: Options) -> Study:
    """List the tasks.

    Examples
    --------
    >>> len(make(Options(size="quick")).tasks)
    45
    """
    test = engine.states_of(seed_of(options.seed, "the common test set"), 1)[0]
    parts = [*table_parts(options), *_finer_parts(options)]
    parts += [part for p in DIMENSIONS for part in _dimension_parts(p, options)]
    tasks = [
        StudyTask(key=key, function=run_trials, parameters={"part": part, "number": k, "test": test})
        for part in parts
        for k, key in enumerate(part.task_keys())
    ]
    sets = 20 if options.is_quick else 50
    tasks += [
        StudyTask(key=f"components/{n}", function=cross_sets, parameters={"n": n, "sets": sets})
        for n in SIZES
    ]
    tasks.append(StudyTask(key="ratios", function=log_ratios, parameters={"n": EXAMPLE}))
    return options.study("yousef", tasks, prepare=compile_trials)


def compile_trials() -> None:
    """Run one trial of each kind: what is compiled here, the workers find on the disk."""
    part = Part(name="first", n=SIZES[0], trials=1, n_boot=1)
    run_trials(part, 0, np.empty(0, np.uint64), SeedSequence(0))
    cross_sets(SIZES[0], 3, SeedSequence(0))


def table_parts(options: Options) -> list[Part]:
    """Trials of table 1, all tested on one test set."""
    trials = 200 if options.is_quick else 5 * TRIALS
    return [Part(name="table", n=n, trials=trials, common_test=True) for n in SIZES]


def _finer_parts(options: Options) -> list[Part]:
    trials = 50 if options.is_quick else 500
    return [Part(name="finer", n=n, trials=trials) for n in FINER]


def _dimension_parts(p: int, options: Options) -> list[Part]:
    trials = 40 if options.is_quick else 100
    return [Part(name=f"dimension {p}", n=n, trials=trials, n_boot=0, dimension=p) for n in DIMENSION_SIZES]


def run_trials(part: Part, number: int, test: NDArray[np.uint64], seed: SeedSequence) -> dict[str, Any]:
    """Run one chunk of trials, and return what the compiled trials give."""
    start = number * CHUNK
    chunk = Chunk(start, min(start + CHUNK, part.trials), seed)
    common = test if part.common_test else np.empty(0, np.uint64)
    values, counters = engine.run_chunk(part.experiment(), part.n, common, chunk)
    return {"values": values, "counters": counters}


def cross_sets(n: int, sets: int, seed: SeedSequence) -> list[list[float]]:
    """Areas of so many training sets on so many test sets."""
    crossed = components.variance_components(
        LEARNER, n=n, n_test=N_TEST, training_sets=sets, test_sets=sets, rng=seed
    )
    areas: list[list[float]] = crossed.values[0].tolist()
    return areas


def log_ratios(n: int, seed: SeedSequence) -> dict[str, list[float]]:
    """Log likelihood ratios of test cases, by two normal densities fitted to n training cases per class."""
    rng, population = np.random.default_rng(seed), engine.normal_population()
    training, test = (
        [mean + rng.normal(size=(size, population.dimension)) for mean in population.means]
        for size in (n, N_TEST)
    )
    fits = [stats.multivariate_normal(cases.mean(axis=0), np.cov(cases.T)) for cases in training]
    negatives, positives = ((fits[1].logpdf(cases) - fits[0].logpdf(cases)).tolist() for cases in test)
    return {"negatives": negatives, "positives": positives}


def summarise(results: Mapping[str, Any], options: Options) -> PaperSummary:
    """Put table 1 beside ours, and make the figures."""
    table, finer = (_gathered(results, parts(options)) for parts in (table_parts, _finer_parts))
    first, *others = (_gathered(results, _dimension_parts(p, options)) for p in DIMENSIONS)
    areas = np.array([results[f"components/{n}"] for n in SIZES])
    crossed = components.summarised(LEARNER, SIZES, N_TEST, areas)
    ratios = results["ratios"]
    labels = np.repeat([False, True], [len(ratios[name]) for name in ("negatives", "positives")])
    line = fit_binormal(labels, [*ratios["negatives"], *ratios["positives"]])
    rows = beside_table1(table, crossed)
    table_rows = []
    for row in rows:
        # What a test set does to an RMS is known near our own bias alone: table_1_rms compares without it.
        known = row.figure != "rms" or row.estimator == "true"
        names = {"n": row.n, "estimator": row.estimator, "figure": row.figure}
        names |= {"test_set_error": row.test_error if known else None, "z": row.z if known else None}
        table_rows.append(table_row(row.printed, row.ours, row.error, **names))
    rms_rows = [
        _rms_row(table, n, estimator) for n in SIZES for estimator in PRINTED[n] if estimator != "true"
    ]
    exact = [abs(row.z) for row in rows if row.z is not None and row.test_error == 0]
    rms = [abs(row["difference"]) / row["mc_error"] for row in rms_rows]
    true = ", ".join(
        f"{row.ours - row.printed:+.4f} at n = {row.n} (SD {row.test_error:.4f})"
        for row in rows
        if (row.estimator, row.figure) == ("true", "mean")
    )
    return PaperSummary(
        tables=(Table(name="table_1", rows=table_rows), Table(name="table_1_rms", rows=rms_rows)),
        figures=(
            Figure(name="figure_1", result=line, options={"axes": "density", "name": EXAMPLE_NAME}),
            Figure(name="figure_2", result=line, options={"axes": "deviate", "name": "QDA"}),
            Figure(name="figure_3", result=first, beside=tuple(others)),
            Figure(name="figure_4", result=finer),
            Figure(name="figure_5", result=finer, options={"show": "rescaled"}),
            Figure(name="components", result=crossed),
        ),
        findings=(
            f"Table 1: the {len(exact)} means and SDs of the estimators are within {max(exact):.1f} standard "
            f"errors of the paper's, the {len(rms)} RMS around the paper's own mean true AUC within "
            f"{max(rms):.1f}.",
            f"The mean true AUC differs by {true}; in brackets how far two test sets of 1,000 per class "
            "differ. RMS around our own mean moves with it.",
            f"Figure 2: on normal-deviate axes the curve of a QDA trained on {EXAMPLE} cases per class is "
            f"fitted by the line {line.a:.3f} + {line.b:.3f} z; that of the ideal classifier is "
            f"{sqrt(engine.SEPARATION):.3f} + 1.000 z.",
            _support(finer),
        ),
        same=SAME,
        choices=(*CHOICES, f"Trials: {table.trials:,} of ours for table 1, where the paper has {TRIALS:,}."),
        missing=MISSING,
        inconsistent=INCONSISTENT,
    )


def _rms_row(table: monte_carlo.MonteCarlo, n: int, estimator: str) -> dict[str, Any]:
    """RMS around the paper's own mean true AUC: no test set of ours comes in."""
    row = table.row(n, estimator)
    bias = row.mean - PRINTED[n]["true"][0]
    rms = hypot(row.sd, bias)
    error = hypot(row.sd * row.sd_error, bias * row.mean_error) / rms
    # The paper's trials vary as ours do.
    both = error * hypot(1.0, sqrt(table.trials / TRIALS))
    return table_row(PRINTED[n][estimator][2], rms, both, n=n, estimator=estimator)


def _support(finer: monte_carlo.MonteCarlo) -> str:
    """Which share of the sample AUC(*) stands for: figure 5."""
    n = np.array(finer.n)
    true, star = finer.figures("true", "mean"), finer.figures("star", "mean")
    inner = n[n >= n[0] / 0.5]
    at = np.interp(np.log(inner), np.log(n), star)
    half, most = ((np.interp(np.log(inner * share), np.log(n), true) - at).mean() for share in (0.5, 0.632))
    return (
        f"Figure 5: the true AUC of .5 n training cases is {'below' if half < 0 else 'above'} AUC(*) of n by "
        f"{abs(half):.4f} on average, that of .632 n {'above' if most > 0 else 'below'} it by "
        f"{abs(most):.4f}; the paper finds something in between."
    )


def _gathered(results: Mapping[str, Any], parts: Sequence[Part]) -> monte_carlo.MonteCarlo:
    """The trials of several sizes, as `monte_carlo` gives them."""
    trials = []
    for part in parts:
        chunks = [results[key] for key in part.task_keys()]
        # None in the journal, where a trial has no value, is NaN again.
        arrays = [(np.array(one["values"], np.float64), np.array(one["counters"])) for one in chunks]
        trials.append(engine.joined(arrays))
    sizes = tuple(part.n for part in parts)
    return monte_carlo.summarised(parts[0].experiment(), sizes, trials, "yousef")


# ---- Table 1 as printed, and our figures beside it ---------------------------------------------------------

TRIALS: Final = 1000
# Mean, SD and RMS as printed, by size and estimator.
PRINTED: Final = {
    20: {
        "true": (0.6181, 0.0434, 0.0434),
        "star": (0.5914, 0.0947, 0.0984),
        "point632": (0.7012, 0.0749, 0.1119),
        "point632plus": (0.6431, 0.0858, 0.0894),
        "apparent": (0.8897, 0.0475, 0.2757),
    },
    40: {
        "true": (0.6571, 0.0308, 0.0308),
        "star": (0.6244, 0.0711, 0.0783),
        "point632": (0.6981, 0.0598, 0.0725),
        "point632plus": (0.6595, 0.0739, 0.0739),
        "apparent": (0.8246, 0.0431, 0.1730),
    },
    100: {
        "true": (0.6965, 0.0158, 0.0158),
        "star": (0.6738, 0.0454, 0.0507),
        "point632": (0.7119, 0.0399, 0.0428),
        "point632plus": (0.7004, 0.0452, 0.0453),
        "apparent": (0.7772, 0.0312, 0.0866),
    },
    200: {
        "true": (0.7141, 0.0090, 0.0090),
        "star": (0.6991, 0.0298, 0.0334),
        "point632": (0.7205, 0.0272, 0.0279),
        "point632plus": (0.7170, 0.0285, 0.0286),
        "apparent": (0.7573, 0.0228, 0.0489),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Row):
    """One figure of ours beside the printed one.

    Attributes
    ----------
    n, estimator, figure
        Cases per class; the estimator; "mean", "sd" or "rms".
    ours, printed
        The two figures.
    error
        Monte-Carlo standard error of their difference: ours, and that of the paper's 1,000 trials.
    test_error
        What two different test sets add to the error of a figure that depends on them; 0 for the others,
        None where it is not known.
    """

    n: int
    estimator: str
    figure: str
    ours: float
    printed: float
    error: float
    test_error: float | None

    @property
    def z(self) -> float | None:
        """Difference over its whole error; None where this is not known."""
        if self.test_error is None:
            return None
        whole = hypot(self.error, self.test_error)
        return (self.ours - self.printed) / whole if whole > 0 else 0.0


def beside_table1(
    result: monte_carlo.MonteCarlo, crossed: components.VarianceComponents | None = None
) -> tuple[Beside, ...]:
    """Put the figures of a Monte-Carlo study beside the printed ones, size by size.

    Parameters
    ----------
    result
        With bootstraps, and at least one of the sizes of the table.
    crossed
        Of the same learner, sizes and test sets: how much the one test set matters.

    Examples
    --------
    >>> from rocscope.bootstrap.monte_carlo import monte_carlo
    >>> rows = beside_table1(monte_carlo("qda", n=20, trials=100, rng=1))
    >>> len(rows), rows[0].estimator, rows[0].figure, rows[0].printed, rows[0].z
    (15, 'true', 'mean', 0.6181, None)
    """
    known = [n for n in result.n if n in PRINTED]
    if not known or "star" not in result.estimators:
        raise RocInputError(
            "must have bootstraps and one of the sizes 20, 40, 100, 200 of the table",
            argument="result",
        )
    rows = []
    for n in known:
        for estimator, printed in PRINTED[n].items():
            row = result.row(n, estimator)
            # Two different test sets move the mean of the true area, and its spread a little.
            test_errors: dict[str, float | None] = {"mean": 0.0, "sd": 0.0, "rms": None}
            if crossed is not None:
                areas = crossed.values[crossed.n.index(n)]
                offset = float(sqrt(2) * areas.mean(axis=0).std(ddof=1))
                if estimator == "true":
                    spread = float(sqrt(2) * areas.std(axis=0, ddof=1).std(ddof=1))
                    test_errors = {"mean": offset, "sd": spread, "rms": spread}
                else:
                    test_errors["rms"] = offset * abs(row.bias) / row.rms
            elif estimator == "true":
                test_errors = dict.fromkeys(test_errors)
            for figure, value in zip(test_errors, printed, strict=True):
                error = row[f"{figure}_error"]
                rows.append(
                    Beside(
                        n=n,
                        estimator=estimator,
                        figure=figure,
                        ours=row[figure],
                        printed=value,
                        # The paper's trials vary as ours do, and there are 1,000 of them.
                        error=hypot(error, error * sqrt(result.trials / TRIALS)),
                        test_error=test_errors[figure],
                    )
                )
    return tuple(rows)


def table1_text(rows: tuple[Beside, ...]) -> str:
    """Write ours beside the paper's, one line per size and estimator."""
    parts = (f" | {name:>4} ours  paper      z" for name in ("mean", "SD", "RMS"))
    lines = [f"{'n':>4} {'estimator':10}{''.join(parts)}"]
    for k in range(0, len(rows), 3):
        line = f"{rows[k].n:>4} {monte_carlo.TITLES[rows[k].estimator]:10}"
        for row in rows[k : k + 3]:
            z = "" if row.z is None else f"{row.z:+.1f}"
            line += f" | {row.ours:9.4f} {row.printed:6.4f} {z:>6}"
        lines.append(line)
    return "\n".join(lines)


# ---- Notes ------------------------------------------------------------------------------------------------

SAME = (
    "Two normal classes with unit covariance in five features, 20, 40, 100 and 200 training cases per class.",
    "100 bootstraps of each training set; 1,000 test cases per class stand for the population.",
    "RMS is taken around the mean true AUC (section 4.2).",
    "Figure 3: 100 Monte-Carlo trials for each point in the full form.",
)
CHOICES = (
    "The classifier is quadratic (QDA): the text says Bayes classifier, and LDA gives other numbers.",
    "c^2 p = 0.8 is the squared distance between the means, although the text calls it the distance.",
    "One common test set for all trials of table 1: only so the printed SDs of the true AUC come out.",
    "RMS is compared once more in table_1_rms.csv, around the paper's own mean true AUC, because ours hangs "
    "on another test set.",
    "Bootstraps are drawn class by class. Figures 3 to 5 have a fresh test set for each trial.",
    f"Figures 1 and 2 are drawings in the paper. Here they are of one QDA, trained on {EXAMPLE} cases "
    "per class and tested on 1,000, with normal densities fitted to its log likelihood ratio.",
    "Figure 3 is drawn for 2, 5 and 10 features; the paper's text does not list its numbers of features.",
)
MISSING = (
    "The paper's own test set: it moves the true AUC of all trials together, and RMS with it.",
    "The figures print no numbers, so there is nothing to subtract.",
)
INCONSISTENT = (
    "The text says that Delta is 0.8; the numbers of table 1 need Delta squared = 0.8.",
    "Equation 2 has its threshold inverted, equation 3 swaps c12 and c21, equation 8 prints c21 twice.",
    "The caption of figure 4 calls the .632 estimator .632+ once.",
)
CITATION = (
    "W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing "
    "classifier performance in terms of ROC parameters, AIPR 2004"
)
register(Paper("yousef", CITATION, make, summarise))
