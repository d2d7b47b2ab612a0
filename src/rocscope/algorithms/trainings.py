"""What a comparison trains: every algorithm on every fold of every data set, here or in a journal."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.random import SeedSequence

from rocscope.algorithms.protocol import OwnFolds, Protocol, plan_trainings
from rocscope.algorithms.records import FoldRecord, train_fold
from rocscope.core import checks, execution, resampling
from rocscope.errors import ResourceError, RocInputError
from rocscope.run.study import Study, StudyTask, look_at_study, run_study, together
from rocscope.training.datasets import Dataset, Rows
from rocscope.training.fitting import Scorer, choose_response
from rocscope.training.splits import Split

# What every training of every algorithm on every data set gave; the last one is without cross-validation.
Records: TypeAlias = tuple[tuple[tuple[FoldRecord, ...], ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trainings:
    """The trainings of a comparison; all chance in them follows from `base`.

    Attributes
    ----------
    algorithms, data
        Estimators by name, and the data sets.
    plan
        How the cases of each data set are split.
    base
        The number that seeds are made from: those of the folds with the labels of a data set, that of a
        training with the number of its fold.
    scorers
        Further scorers by name.
    rows
        Row numbers of the cases of a data set, where rows of other classes were left out.
    """

    algorithms: Mapping[str, Any]
    data: tuple[Dataset, ...]
    plan: Protocol
    base: int
    scorers: Mapping[str, Scorer]
    rows: Mapping[str, Rows] = field(default_factory=dict)

    def splits(self) -> list[list[Split]]:
        """The folds of every data set, and last the one training without cross-validation."""
        return [splits_of(one, self.plan, self.base) for one in self.data]

    def run(self, **running: Any) -> Records:
        """Train here; `running` goes to `execution.run_tasks`."""
        splits = self.splits()  # all of them, before anything is trained
        tasks = [
            execution.Task(
                key_of(one.name, name, k),
                train_fold,
                (estimator, one, split, fold_seed(self.base, k), self.scorers),
            )
            for one, of_data in zip(self.data, splits, strict=True)
            for name, estimator in self.algorithms.items()
            for k, split in enumerate(of_data)
        ]
        outcomes = {one.key: one for one in execution.run_tasks(tasks, **running)}

        def record_of(key: str, one: Dataset, split: Split) -> FoldRecord:
            outcome = outcomes[key]
            return outcome.value if outcome.ok else FoldRecord.failed(str(outcome.error), outcome.traceback)

        return self.collect(record_of)

    def collect(self, record_of: Callable[[str, Dataset, Split], FoldRecord], prefix: str = "") -> Records:
        """Records of all trainings with their row numbers, in their order, by the keys of their tasks."""
        return tuple(
            tuple(
                tuple(
                    replace(
                        record_of(prefix + key_of(one.name, name, k), one, split),
                        rows=self.rows[one.name][split.test] if one.name in self.rows else split.test,
                    )
                    for k, split in enumerate(of_data)
                )
                for name in self.algorithms
            )
            for one, of_data in zip(self.data, self.splits(), strict=True)
        )

    def tasks(self, prefix: str = "") -> list[StudyTask]:
        """The trainings as tasks of a study, which shares the data sets by their `shared_name`.

        A task makes the folds of a named protocol again; of the user's own it gets its one.
        """
        own = isinstance(self.plan, OwnFolds)
        return [
            StudyTask(
                key=prefix + key_of(one.name, name, k),
                function=train_and_pack,
                parameters={
                    "estimator": estimator,
                    "base": self.base,
                    "fold": k,
                    "scorers": self.scorers,
                    **({"split": split} if own else {"plan": self.plan}),
                },
                shared=(shared_name(one),),
            )
            for one, of_data in zip(self.data, self.splits(), strict=True)
            for name, estimator in self.algorithms.items()
            for k, split in enumerate(of_data)
        ]

    def run_in(self, folder: str | Path, *, seed: int | None = None, **running: Any) -> Records:
        """Train what the journal in the folder does not hold yet; `running` goes to `run_study`.

        The journal names `seed`, from which `base` was drawn, where it is known.
        """
        study = Study(
            name="compare_algorithms",
            tasks=tuple(self.tasks()),  # what cannot be split is refused before there is a folder
            seed=self.base if seed is None else seed,
            parameters={
                "algorithms": list(self.algorithms),
                "data sets": [one.name for one in self.data],
                "protocol": self.plan.name,
                "folds": self.plan.folds,
                "repeats": self.plan.repeats,
                "scorers": list(self.scorers),
            },
            shared={shared_name(one): one for one in self.data},
        )
        run_study(study, folder, retry_failed=True, **running)
        rows = together(look_at_study(folder))

        def record_of(key: str, one: Dataset, split: Split) -> FoldRecord:
            row = rows[key]
            if row.error is not None:
                return FoldRecord.failed(row.error, row.traceback)
            return FoldRecord.unpacked(row.value, one.positive[split.test])

        return self.collect(record_of)


def key_of(dataset: str, algorithm: str, fold: int) -> str:
    """Name of a training among those of a comparison.

    Examples
    --------
    >>> key_of("iris", "nb", 0)
    "('iris', 'nb', 0)"
    """
    return repr((dataset, algorithm, fold))


def shared_name(data: Dataset) -> str:
    """Name of a data set among the keywords of a task, where it is none of its own.

    Examples
    --------
    >>> shared_name(Dataset.read([[1.0], [2.0]], [0, 1], name="fold"))
    'data set fold'
    """
    return f"data set {data.name}"


def splits_of(data: Dataset, plan: Protocol, base: int) -> list[Split]:
    """The folds of a data set, and last the one training without cross-validation.

    They follow from the labels and the base alone: not from the name of the data set, from others beside it,
    or from which class is positive. The user's own are as they are.
    """
    if isinstance(plan, OwnFolds):
        return plan.trainings(data.name)
    try:
        return plan_trainings(plan, data.strata, SeedSequence([base]))
    except RocInputError:
        apart = ", a third of them set aside for the test" if plan.common_test else ""
        name = checks.show(data.classes[int(np.argmin(data.sizes))])
        raise RocInputError(
            "must be at most the number of cases of each class that they deal: "
            f"data set {data.name!r} has {data.smallest} of class {name}{apart}, got {plan.folds}",
            argument="folds",
            data_dependent=True,
        ) from None


def fold_seed(base: int, fold: int) -> SeedSequence:
    """Seed of the random states in one fold, the same for every algorithm and data set.

    Examples
    --------
    >>> first, again, other = (fold_seed(7, k).generate_state(1)[0] for k in (0, 0, 1))
    >>> bool(first == again), bool(first == other)
    (True, False)
    """
    return SeedSequence([base, fold + 1])


def base_of(rng: resampling.Rng) -> int:
    """Draw the number that all seeds of a comparison are made from.

    Examples
    --------
    >>> base_of(0) == base_of(0)
    True
    """
    return int(resampling.as_generator(rng).integers(2**63))


def train_and_pack(
    estimator: Any,
    base: int,
    fold: int,
    scorers: Mapping[str, Scorer],
    seed: SeedSequence,
    plan: Protocol | None = None,
    split: Split | None = None,
    **shared: Dataset,
) -> dict[str, Any]:
    """Train on one fold, for a journal: what the model says of the test cases, or why it failed.

    The seed of the task is not used: it follows from the names of data set and algorithm.
    """
    (data,) = shared.values()
    if split is None:
        assert plan is not None  # a task has the one or the other
        split = splits_of(data, plan, base)[fold]
    try:
        return train_fold(estimator, data, split, fold_seed(base, fold), scorers).packed()
    except (ResourceError, MemoryError):  # no fault of the algorithm: another run may have more
        raise
    except (Exception, SystemExit) as error:  # an algorithm may fail in any way
        return FoldRecord.failed(f"{type(error).__name__}: {error}", traceback.format_exc()).packed()


@contextmanager
def progress_bar() -> Iterator[execution.Progress]:
    """A bar on stderr with the number of trainings and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# ---- What is compared, checked ----------------------------------------------------------------------------


def read_algorithms(algorithms: Any) -> dict[str, Any]:
    """Check the algorithms: a mapping from names to scikit-learn estimators, at least two.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> list(read_algorithms({"nb": GaussianNB(), "tree": DecisionTreeClassifier()}))
    ['nb', 'tree']
    """
    if not isinstance(algorithms, Mapping):
        raise RocInputError(
            f"must be a mapping from names to estimators, got {checks.show(algorithms)}",
            argument="algorithms",
        )
    if len(algorithms) < 2:
        raise RocInputError(f"must hold at least 2 estimators, got {len(algorithms)}", argument="algorithms")
    for name, estimator in algorithms.items():
        try:
            choose_response(estimator)
        except RocInputError as error:
            raise RocInputError(f"algorithms[{name!r}]: {error}") from None
        if not hasattr(estimator, "predict"):
            raise RocInputError(
                "must be a classifier with predict, got one without", argument=f"algorithms[{name!r}]"
            )
    checks.check_names(map(str, algorithms), name="algorithms")
    return {str(name): estimator for name, estimator in algorithms.items()}


def read_scorers(scorers: Any) -> dict[str, Scorer]:
    """Check the further scorers: names that scikit-learn knows, or a mapping to callables.

    Examples
    --------
    >>> list(read_scorers(["neg_log_loss"]))
    ['neg_log_loss']
    """
    if scorers is None:
        return {}
    if not isinstance(scorers, (Mapping, list, tuple)):
        allowed = "a list of names, or a mapping from names to callables"
        raise RocInputError(f"must be {allowed}, got {checks.show(scorers)}", argument="scorers")
    from sklearn.metrics import get_scorer, get_scorer_names

    named = scorers if isinstance(scorers, Mapping) else {name: name for name in scorers}
    for name, scorer in named.items():
        if not callable(scorer) and scorer not in get_scorer_names():
            hint = checks.did_you_mean(scorer, get_scorer_names())
            raise RocInputError(
                "must be a callable (estimator, X, y) or a name that scikit-learn knows, "
                f"got {checks.show(scorer)}{hint}",
                argument=f"scorers[{name!r}]",
            )
    if taken := {"auc", "error"} & set(map(str, named)):
        raise RocInputError(
            f"must have names other than auc and error, got {sorted(taken)}", argument="scorers"
        )
    return {str(name): scorer if callable(scorer) else get_scorer(scorer) for name, scorer in named.items()}
