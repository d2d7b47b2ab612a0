"""Aslan, Yildiz and Alpaydin (2009): the four cases of AUC test and error test, and figures 1 to 7.

Five learners on the same folds of each data set, under three protocols: the paper's, whose fold models are
all tested on one common third; left-out folds; and five times two halves. One task trains one learner on a
block of folds of one data set.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.problems import Problem, read_problems
from rocscope.algorithms.protocol import Fold, Protocol, ProtocolName, plan_folds, plan_single, read_protocol
from rocscope.algorithms.training import FoldJob, FoldRecord, train_fold
from rocscope.core.resample import as_generator
from rocscope.errors import ResourceError
from rocscope.run.study import Study, StudyTask, seed_of
from rocscope.sources.datasets import load_dataset
from rocscope.studies import aslan_told
from rocscope.studies.base import Options, Told, load_at_hand
from rocscope.studies.learners import DIFFERENCES, one_hot, paper_learners

# The paper's names, and the data sets that are, or most likely are, its own.
DATA = {
    "ada": "ada_train",
    "caravan": "caravan_train",
    "chess": "chess_krk_13_14",
    "connect-4": "connect4_win_loss",
    "mushroom": "mushroom",
    "nursery": "nursery_priority_specprior",
    "pageblock": "pageblock_2class",
    "shuttle": "shuttle",
    "spambase": "spambase",
    "sylva": "sylva_train",
    "thyroid": "thyroid_2class",
    "wave": "wave_2class",
}
QUICK = ("thyroid", "wave", "ada", "spambase")
QUICK_ROWS = 1500
FOLDS, QUICK_FOLDS = 30, 10
# Trainings of one task.
BLOCK = 11
PROTOCOLS: tuple[ProtocolName, ...] = ("holdout", "kfold", "5x2")
LEARNERS = tuple(DIFFERENCES)


def make(options: Options) -> Study:
    """List the tasks; a data set that cannot be had is left out, and one at least must be there."""
    wanted = QUICK if options.is_quick else tuple(DATA)
    found, notes = load_at_hand(wanted, lambda name: problem_of(name, options))
    form = {"quick": options.is_quick, "study_seed": options.seed}
    tasks = [
        StudyTask(
            key=f"{name}/{protocol}/{learner}/{block}",
            function=train_block,
            parameters={"dataset": name, "protocol": protocol, "learner": learner, "block": block} | form,
            shared=(name,),
        )
        for name in found
        for protocol in PROTOCOLS
        for learner in LEARNERS
        for block in range(-(-(plan_of(protocol, options.is_quick).n_values + 1) // BLOCK))
    ]
    return Study(
        name="aslan",
        tasks=tuple(tasks),
        seed=options.seed,
        parameters={"size": options.size, "datasets": list(found)},
        shared=found,
        notes=notes,
    )


def plan_of(protocol: ProtocolName, quick: bool) -> Protocol:
    """How cases are split, and into how many folds.

    Examples
    --------
    >>> plan_of("holdout", quick=False).folds, plan_of("5x2", quick=False).n_values
    (30, 10)
    """
    return read_protocol(protocol, QUICK_FOLDS if quick else FOLDS, None)


def problem_of(name: str, options: Options) -> Problem:
    """A data set with two classes, text as 0/1 columns; in the quick form no more than so many cases."""
    found = load_dataset(DATA[name], options.data)
    (problem,) = read_problems({name: (found.X, found.y)}, None)
    coded = replace(problem, X=one_hot(problem.X, found.is_text))
    if not options.is_quick or len(coded.positive) <= QUICK_ROWS:
        return coded
    return _some_of(coded, seed_of(options.seed, f"cases of {name}"))


def _some_of(problem: Problem, seed: SeedSequence) -> Problem:
    """As many cases as the quick form has, class by class."""
    rng, share = as_generator(seed), QUICK_ROWS / len(problem.positive)
    drawn = [
        rng.permutation(rows)[: round(share * len(rows))]
        for rows in (np.flatnonzero(problem.positive), np.flatnonzero(~problem.positive))
    ]
    rows = np.sort(np.concatenate(drawn))
    return replace(problem, X=problem.X[rows], labels=problem.labels[rows], positive=problem.positive[rows])


def splits_of(problem: Problem, plan: Protocol, study_seed: int) -> list[Fold]:
    """The folds of a data set, and last the one training without cross-validation."""
    rng = as_generator(seed_of(study_seed, f"folds of {problem.name}, {plan.name}"))
    folds = plan_folds(plan, problem.positive, rng)
    return [*folds, plan_single(plan, folds, problem.positive, rng)]


def train_block(
    dataset: str,
    protocol: ProtocolName,
    learner: str,
    block: int,
    quick: bool,
    study_seed: int,
    seed: SeedSequence,
    **shared: Problem,
) -> list[dict[str, Any]]:
    """Train one learner on a block of folds; a fold on which it fails says why."""
    problem = shared[dataset]
    folds = splits_of(problem, plan_of(protocol, quick), study_seed)[BLOCK * block : BLOCK * (block + 1)]
    words = as_generator(seed).integers(2**63, size=len(folds))
    jobs = [
        FoldJob(
            estimator=paper_learners()[learner],
            problem=problem,
            fold=fold,
            seed=SeedSequence(int(word)),
            scorers={},
        )
        for fold, word in zip(folds, words, strict=True)
    ]
    return [_recorded(job) for job in jobs]


def _recorded(job: FoldJob) -> dict[str, Any]:
    try:
        record = train_fold(job)
    except ResourceError:  # a package is missing: no fold will do
        raise
    except Exception as error:  # a learner may fail in any way
        return {"failure": f"{type(error).__name__}: {error}"}
    called = record.called.astype(np.float64)
    return {"score": pack(record.score), "called": pack(called), "warnings": list(record.warnings)}


def pack(values: NDArray[np.float64]) -> str:
    """Numbers as a short text that JSON can hold, every bit of them.

    Examples
    --------
    >>> unpack(pack(np.array([0.1, 0.25]))).tolist()
    [0.1, 0.25]
    """
    return base64.b64encode(zlib.compress(values.astype("<f8").tobytes())).decode("ascii")


def unpack(text: str) -> NDArray[np.float64]:
    """The numbers of such a text.

    Examples
    --------
    >>> unpack(pack(np.array([1.0]))).tolist()
    [1.0]
    """
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8").astype(np.float64)


def record_of(found: Mapping[str, Any], positive: NDArray[np.bool_]) -> FoldRecord:
    """The record of a fold from its line in the journal and the truth about its test cases."""
    if "failure" in found:
        return FoldRecord.failed(found["failure"])
    score, called = unpack(found["score"]), unpack(found["called"]) > 0
    return FoldRecord.judged(positive, score, called, probability=True, warnings=tuple(found["warnings"]))


def tell(results: Mapping[str, Any], options: Options) -> Told:
    """Count the four cases under every protocol and test, and make figures 1 to 7."""
    names = list(dict.fromkeys(key.partition("/")[0] for key in results))
    problems = [problem_of(name, options) for name in names]
    compared: dict[str, AlgorithmComparison] = {}
    for protocol in PROTOCOLS:
        plan = plan_of(protocol, options.is_quick)
        splits = [splits_of(problem, plan, options.seed) for problem in problems]
        records = tuple(
            tuple(
                _records(results, f"{problem.name}/{protocol}/{learner}", problem, folds)
                for learner in LEARNERS
            )
            for problem, folds in zip(problems, splits, strict=True)
        )
        compared[protocol] = aslan_told.compare(LEARNERS, problems, plan, splits, records)
    absent = [name for name in DATA if name not in names]
    return aslan_told.tell(compared, absent, options)


def _records(
    results: Mapping[str, Any], key: str, problem: Problem, folds: list[Fold]
) -> tuple[FoldRecord, ...]:
    blocks = range(-(-len(folds) // BLOCK))
    found = [one for block in blocks for one in results[f"{key}/{block}"]]
    return tuple(record_of(one, problem.positive[fold.test]) for one, fold in zip(found, folds, strict=True))
