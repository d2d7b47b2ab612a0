"""Models that commands train: by a short name or a dotted path, on the features of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli.options import Labelled, NJobs
from rocscope.errors import RocInputError, RocUsageError, missing_library

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocscope.core.execution import Progress
    from rocscope.io.files import Table
    from rocscope.io.input_file import InputFile, Watch

DETECTOR = "gaussian-detector"
# Short names, where they live and what they are made with: a full tree would have no scores but 0 and 1.
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "lda": ("sklearn.discriminant_analysis.LinearDiscriminantAnalysis", {}),
    "qda": ("sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis", {}),
    "logistic": ("sklearn.linear_model.LogisticRegression", {"max_iter": 1000}),
    "nb": ("sklearn.naive_bayes.GaussianNB", {}),
    "knn": ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 15}),
    "tree": ("sklearn.tree.DecisionTreeClassifier", {"min_samples_leaf": 5}),
    "c45": ("rocscope.papers._classifiers.PrunedTree", {}),
    "ripper": ("rocscope.papers._classifiers.Ripper", {}),
    "tuned-knn": ("rocscope.papers._classifiers.TunedNeighbours", {}),
    "mlp": ("sklearn.neural_network.MLPClassifier", {"hidden_layer_sizes": (10,), "max_iter": 2000}),
    DETECTOR: ("rocscope.training.detectors.GaussianDetector", {}),
}
# Models that depend on the units of the features; qda by the tolerance of its rank alone.
SCALED = ("logistic", "knn", "mlp", "qda")
# A column with more different texts than this identifies cases, it does not describe them.
MAX_TEXTS = 100


def _refusal(name: str, option: str, why: str) -> RocUsageError:
    known = "one of" if option == "--model" else "names among"
    return RocUsageError(
        f"{option} must be {known} {', '.join(MODELS)} or a dotted path to an estimator, got {name!r}, {why}"
    )


def check_model(name: str, *, option: str = "--model", detector: bool = True) -> None:
    """Refuse a name that is neither known nor a dotted path, before anything is loaded."""
    if name == DETECTOR and not detector:
        raise RocUsageError(f"{option} {DETECTOR} knows no classes: a classifier is needed here")
    if name not in MODELS and ("." not in name or not all(map(str.isidentifier, name.split(".")))):
        raise _refusal(name, option, "which is neither")


def make_model(name: str, *, option: str = "--model") -> Any:
    """Make the estimator of a short name, or the one that a dotted path leads to.

    The path names a class or a function, which is called without arguments, or an estimator itself.

    Examples
    --------
    >>> make_model("nb"), make_model("sklearn.naive_bayes.BernoulliNB")
    (GaussianNB(), BernoulliNB())
    """
    check_model(name, option=option)
    path, settings = MODELS.get(name, (name, {}))
    module, _, attribute = path.rpartition(".")
    try:
        model = getattr(import_module(module), attribute)
        if isinstance(model, type) or not hasattr(model, "fit"):
            model = model(**settings)
    except Exception as error:  # a module of the user may fail in any way
        if name in MODELS and isinstance(error, ModuleNotFoundError):
            raise missing_library(error, "training a model") from error
        why = f"which cannot be made without arguments: {type(error).__name__}: {error}"
        raise _refusal(name, option, why) from error
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise _refusal(name, option, f"which gives a {type(model).__name__} without a method fit")
    if name not in SCALED:
        return model
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How models are trained.

    Parameters
    ----------
    timeout
        Give up trainings that take longer: a fold, or ten replicates.
    """

    n_jobs: NJobs | None = None
    timeout: Annotated[float, Parameter(metavar="SECONDS")] | None = None

    @contextmanager
    def processes(self, watch: Watch | None) -> Iterator[dict[str, Any]]:
        """Processes, their time limit and their progress, as arguments of a function that trains."""
        from rocscope.core.execution import LokyExecutor

        progress = {"progress": training_progress(watch)}
        if self.timeout is None:
            yield progress | {"n_jobs": self.n_jobs}
            return
        with LokyExecutor(self.n_jobs, timeout=self.timeout) as executor:
            yield progress | {"executor": executor}

    def cross_scores(
        self,
        opened: InputFile,
        source: Labelled,
        model: str,
        features: Sequence[str] | None,
        *,
        fold: str | None,
        folds: int,
        target: str | None,
        pos_label: str | list[str] | None,
        seed: int | None,
    ) -> tuple[rs.CrossScores, tuple[str, ...]]:
        """Scores of a model that is trained in every fold; and what there is to note."""
        from rocscope.io.columns import label_like

        estimator = make_model(model)
        cases = read_cases(opened, source, features, fold=fold)
        with self.processes(opened.watch) as processes:
            scores = rs.cross_scores(
                estimator,
                cases.X,
                cases.y,
                cv=folds if cases.fold is None else cases.fold,
                target=label_like(target, cases.labels),
                pos_label=label_like(pos_label, cases.labels),
                rng=seed,
                **processes,
            )
        return scores, cases.notes


def training_progress(watch: Watch | None) -> Progress | None:
    """Show how many trainings are done."""
    return None if watch is None else lambda done, total: watch("training", done / total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """The cases of a file: features, labels, folds where a column names them, and what there is to note.

    `labels` is the profile of the column of the labels, for `label_like`.
    """

    X: NDArray[Any]
    y: NDArray[Any]
    fold: NDArray[Any] | None
    labels: Mapping[str, Any]
    notes: tuple[str, ...]


def read_cases(
    opened: InputFile,
    source: Labelled,
    features: Sequence[str] | None,
    *,
    fold: str | None = None,
    one_hot: bool | None = None,
) -> Cases:
    """Read features and labels of all cases.

    Parameters
    ----------
    opened, source
        The file, and the options that say how it is read.
    features
        Columns of the features; without any all columns of numbers.
    fold
        Column of the folds, where there is one.
    one_hot
        Whether columns of text become columns of 0 and 1; None for a command that does not offer it.
    """
    import numpy as np

    label, names, texts, notes = source.label, list(features or ()), list[str](), tuple[str, ...]()
    if label in names or len(set(names)) < len(names):
        raise RocUsageError("--feature must name other columns than the label, each once")
    if not names or one_hot:
        numbers, texts = _number_columns(opened, names, (label, fold))
        if not one_hot:
            hint = "" if one_hot is None else "; --one-hot takes them in"
            notes = (f"left out as no numbers: {', '.join(texts)}{hint}",) if texts else ()
            if not numbers:
                got = f"text alone in {', '.join(map(repr, texts))}" if texts else "none"
                got += "; --one-hot makes columns of 0 and 1 of them" if texts and one_hot is False else ""
                raise RocInputError(
                    f"{opened.shown} must have a column of numbers besides the label, got {got}"
                )
            texts = []
        names = numbers
    table = source.table(opened, label, names, fold=fold, texts=texts)
    columns = [*(table.arrays[name] for name in names)]
    columns += [column for name in texts for column in _one_hot(table, name)]
    if not columns:
        raise RocInputError(f"{table.name} must have a feature with two values or more, got none")
    return Cases(
        X=np.column_stack(columns).astype(np.float64),
        y=table.arrays[label],
        fold=None if fold is None else table.arrays[fold],
        labels=table.profiles[label],
        notes=(*notes, *table.warnings),
    )


def _number_columns(
    opened: InputFile, names: Sequence[str], leave: tuple[str | None, ...]
) -> tuple[list[str], list[str]]:
    """Of these columns (or all named ones but `leave`) those of numbers, and those of text."""
    from rocscope.io.database import read_counts
    from rocscope.io.files import open_source
    from rocscope.io.input_file import Limits

    if not names:
        with open_source(opened, [], Limits()) as table:
            names = [name for name in table.names if name and name not in leave]
    with open_source(opened, names, Limits()) as table:
        _, _, rows, counts = read_counts(table, dict.fromkeys(names, "number"))
    numbers = [name for name in names if not counts[name]["wrong"] and counts[name]["missing"] < rows]
    return numbers, [name for name in names if name not in numbers]


def _one_hot(table: Table, name: str) -> list[NDArray[Any]]:
    """A column of 0 and 1 for each text; of two texts one column says both."""
    texts = table.arrays[name].astype(str)
    values = sorted(set(texts.tolist()))
    if len(values) > MAX_TEXTS:
        got = f"{len(values)} in {name!r}: leave it out by naming the others with --feature"
        raise RocInputError(f"{table.name} must have at most {MAX_TEXTS} texts in a column, got {got}")
    return [texts == value for value in (values[1:] if len(values) <= 2 else values)]
