"""Yousef, Wagner and Loew (AIPR 2004): table 1 and figures 3, 4 and 5.

Two normal classes, a quadratic classifier, bootstrap estimates of its AUC from the training set alone. Tasks
are chunks of Monte-Carlo trials of one training size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.bootstrap import engine, monte_carlo
from rocscope.bootstrap.components import VarianceComponents, split, variance_components
from rocscope.bootstrap.engine import Experiment, LearnerName, normal_population, states_of
from rocscope.bootstrap.monte_carlo import MonteCarlo
from rocscope.core.resampling import Chunk
from rocscope.papers.base import Figure, Options, Table, Told, table_row
from rocscope.papers.yousef_table import PRINTED, TRIALS, Beside, beside_table1
from rocscope.run.study import Study, StudyTask, seed_of

LEARNER: LearnerName = "qda"
N_TEST = 1000
N_BOOT = 100
SIZES = (20, 40, 100, 200)
FINER = (20, 25, 32, 40, 63, 80, 100, 126, 158, 200)
DIMENSIONS = (2, 5, 10)
DIMENSION_SIZES = (20, 40, 60, 100, 200, 400)
CHUNK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Trials of one training size; with `common_test` all parts are tested on one test set."""

    name: str
    n: int
    trials: int
    n_boot: int = N_BOOT
    dimension: int = 5
    common_test: bool = False

    def experiment(self) -> Experiment:
        """What is the same in all its trials."""
        return Experiment(
            learner=LEARNER,
            population=normal_population(dimension=self.dimension),
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
    40
    """
    test = states_of(seed_of(options.seed, "the common test set"), 1)[0]
    tasks = [
        StudyTask(key=key, function=run_trials, parameters={"part": part, "number": k, "test": test})
        for part in _all_parts(options)
        for k, key in enumerate(part.task_keys())
    ]
    sets = 20 if options.is_quick else 50
    tasks += [
        StudyTask(key=f"components/{n}", function=cross_sets, parameters={"n": n, "sets": sets})
        for n in SIZES
    ]
    return Study(
        name="yousef",
        tasks=tuple(tasks),
        seed=options.seed,
        parameters={"size": options.size},
        prepare=compile_trials,
    )


def compile_trials() -> None:
    """Run one trial of each kind: what is compiled here, the workers find on the disk."""
    part = Part(name="first", n=SIZES[0], trials=1, n_boot=1)
    run_trials(part, 0, np.empty(0, np.uint64), SeedSequence(0))
    cross_sets(SIZES[0], 3, SeedSequence(0))


def _all_parts(options: Options) -> list[Part]:
    several = [part for p in DIMENSIONS for part in _dimension_parts(p, options)]
    return [*_table_parts(options), *_finer_parts(options), *several]


def _table_parts(options: Options) -> list[Part]:
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
    crossed = variance_components(LEARNER, n=n, n_test=N_TEST, training_sets=sets, test_sets=sets, rng=seed)
    areas: list[list[float]] = crossed.values[0].tolist()
    return areas


def tell(results: Mapping[str, Any], options: Options) -> Told:
    """Put table 1 beside ours, and make figures 3 to 5."""
    table, finer = (_gathered(results, parts(options)) for parts in (_table_parts, _finer_parts))
    crossed = _components(results)
    first, *others = (_gathered(results, _dimension_parts(p, options)) for p in DIMENSIONS)
    rows = beside_table1(table, crossed)
    around = [_around(table, n, estimator) for n in SIZES for estimator in PRINTED[n] if estimator != "true"]
    return Told(
        tables=(
            Table(name="table_1", rows=[_row(row) for row in rows]),
            Table(name="table_1_rms", rows=around),
        ),
        figures=(
            Figure(name="figure_3", result=first, beside=tuple(others)),
            Figure(name="figure_4", result=finer),
            Figure(name="figure_5", result=finer, options={"show": "rescaled"}),
            Figure(name="components", result=crossed),
        ),
        findings=(*_agreement(rows, around), _support(finer)),
        same=SAME,
        chosen=(*CHOSEN, f"Trials: {table.trials:,} of ours for table 1, where the paper has {TRIALS:,}."),
        missing=MISSING,
        inconsistent=INCONSISTENT,
    )


def _gathered(results: Mapping[str, Any], parts: Sequence[Part]) -> MonteCarlo:
    """The trials of several sizes, as `monte_carlo` gives them."""
    found = []
    for part in parts:
        chunks = [results[key] for key in part.task_keys()]
        found.append(
            engine.joined(
                # None in the journal, where a trial was not asked, is NaN again.
                [(np.array(one["values"], np.float64), np.array(one["counters"])) for one in chunks]
            )
        )
    sizes = tuple(part.n for part in parts)
    return monte_carlo.summarised(parts[0].experiment(), sizes, found, "yousef")


def _components(results: Mapping[str, Any]) -> VarianceComponents:
    areas = np.array([results[f"components/{n}"] for n in SIZES])
    return VarianceComponents(
        learner=LEARNER,
        rows=tuple(row for n, table in zip(SIZES, areas, strict=True) for row in split(n, table)),
        n=SIZES,
        n_test=N_TEST,
        mean=tuple(areas.mean(axis=(1, 2)).tolist()),
        training_sets=areas.shape[1],
        test_sets=areas.shape[2],
        values=areas,
    )


def _row(row: Beside) -> dict[str, Any]:
    names = {"n": row.n, "estimator": row.estimator, "figure": row.figure}
    # What a test set does to an RMS is known near our own bias alone: `_around` compares without it.
    known = row.figure != "rms" or row.estimator == "true"
    test = {"test_set_error": row.test_error if known else None, "z": row.z if known else None}
    return table_row(row.printed, row.ours, row.error, **names, **test)


def _around(table: MonteCarlo, n: int, estimator: str) -> dict[str, Any]:
    """RMS around the paper's own mean true AUC: no test set of ours comes in."""
    found = table.row(n, estimator)
    bias = found.mean - PRINTED[n]["true"][0]
    rms = hypot(found.sd, bias)
    error = hypot(found.sd * found.sd_error, bias * found.mean_error) / rms
    # The paper's trials vary as ours do.
    both = error * hypot(1.0, sqrt(table.trials / TRIALS))
    return table_row(PRINTED[n][estimator][2], rms, both, n=n, estimator=estimator)


def _agreement(rows: Sequence[Beside], around: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    exact = [abs(row.z) for row in rows if row.z is not None and row.test_error == 0]
    rms = [abs(row["difference"]) / row["mc_error"] for row in around]
    yield (
        f"Table 1: the {len(exact)} means and SDs of the estimators are within {max(exact):.1f} standard "
        f"errors of the paper's, the {len(rms)} RMS around the paper's own mean true AUC within "
        f"{max(rms):.1f}."
    )
    true = [row for row in rows if (row.estimator, row.figure) == ("true", "mean")]
    words = [f"{row.ours - row.printed:+.4f} at n = {row.n} (SD {row.test_error:.4f})" for row in true]
    yield (
        f"The mean true AUC differs by {', '.join(words)}; in brackets how far two test sets of 1,000 per "
        "class differ. RMS around our own mean moves with it."
    )


def _support(finer: MonteCarlo) -> str:
    """Which share of the sample AUC(*) speaks for: figure 5."""
    n = np.array(finer.n)
    true, star = finer.figures("true", "mean"), finer.figures("star", "mean")
    inner = n[n >= n[0] / 0.5]
    at = np.interp(np.log(inner), np.log(n), star)
    low, high = ((np.interp(np.log(inner * share), np.log(n), true) - at) for share in (0.5, 0.632))
    words = "below" if low.mean() < 0 else "above"
    other = "above" if high.mean() > 0 else "below"
    return (
        f"Figure 5: the true AUC of .5 n training cases is {words} AUC(*) of n by {abs(low.mean()):.4f} on "
        f"average, that of .632 n {other} it by {abs(high.mean()):.4f}; the paper finds something in between."
    )


SAME = (
    "Two normal classes with unit covariance in five features, 20, 40, 100 and 200 training cases per class.",
    "100 bootstraps of each training set; 1,000 test cases per class stand for the population.",
    "RMS is taken around the mean true AUC (section 4.2).",
    "Figure 3: 100 Monte-Carlo trials for each point in the full form.",
)
CHOSEN = (
    "The classifier is quadratic (QDA): the text says Bayes classifier, and LDA gives other numbers.",
    "c^2 p = 0.8 is the squared distance between the means, although the text calls it the distance.",
    "One common test set for all trials of table 1: only so the printed SDs of the true AUC come out.",
    "RMS is compared once more in table_1_rms.csv, around the paper's own mean true AUC, because ours hangs "
    "on another test set.",
    "Bootstraps are drawn class by class. Figures 3 to 5 have a fresh test set for each trial.",
    "Figure 3 is drawn for 2, 5 and 10 features; the paper's text does not list its numbers of features.",
)
MISSING = (
    "The paper's own test set: it moves the true AUC of all trials together, and RMS with it.",
    "Figures 3 to 5 print no numbers, so there is nothing to subtract.",
)
INCONSISTENT = (
    "The text says that Delta is 0.8; the numbers of table 1 need Delta squared = 0.8.",
    "Equation 2 has its threshold inverted, equation 3 swaps c12 and c21, equation 8 prints c21 twice.",
    "The caption of figure 4 calls the .632 estimator .632+ once.",
)
