"""Models for `--model`: a short name, or a dotted path to an estimator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocscope.errors import RocInputError, RocUsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocscope.core.execution import Progress
    from rocscope.io.columns import Kind
    from rocscope.io.files import Table
    from rocscope.io.local import LocalFile, Watch

DETECTOR = "gaussian-detector"
# Short names, where they live and what they are made with: a full tree would have no scores but 0 and 1.
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "lda": ("sklearn.discriminant_analysis.LinearDiscriminantAnalysis", {}),
    "qda": ("sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis", {}),
    "logistic": ("sklearn.linear_model.LogisticRegression", {"max_iter": 1000}),
    "nb": ("sklearn.naive_bayes.GaussianNB", {}),
    "knn": ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 15}),
    "tree": ("sklearn.tree.DecisionTreeClassifier", {"min_samples_leaf": 5}),
    DETECTOR: ("rocscope.training.detectors.GaussianDetector", {}),
}
# Models that depend on the units of the features.
SCALED = ("logistic", "knn")


def check_model(name: str, *, option: str = "--model") -> None:
    """Refuse a name that is neither known nor a dotted path, before anything is loaded."""
    if name not in MODELS and not all(part.isidentifier() for part in name.split(".")):
        raise _refusal(name, option, "which is no path")
    if name not in MODELS and "." not in name:
        raise _refusal(name, option, "which has no dot")


def make_model(name: str, *, option: str = "--model") -> Any:
    """Make the estimator of a short name, or the one that a dotted path leads to.

    The path names a class or a function, which is called without arguments, or an estimator itself. `option`
    is the one that the name was given by.

    Examples
    --------
    >>> make_model("nb"), make_model("sklearn.naive_bayes.BernoulliNB")
    (GaussianNB(), BernoulliNB())
    """
    check_model(name, option=option)
    path, settings = MODELS.get(name, (name, {}))
    refuse = partial(_refusal, name, option)
    found = _found(path, refuse)
    model = found if _is_estimator(found) else _made(found, settings, refuse)
    if not _is_estimator(model):
        raise refuse(f"which gives a {type(model).__name__} without a method fit")
    return _scaled(model) if name in SCALED else model


def _is_estimator(found: Any) -> bool:
    return hasattr(found, "fit") and not isinstance(found, type)


def _found(path: str, refuse: Callable[[str], RocUsageError]) -> Any:
    module, _, attribute = path.rpartition(".")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:  # a module of the user may fail in any way
        raise refuse(f"which cannot be imported: {_words(error)}") from error


def _made(found: Callable[..., Any], settings: dict[str, Any], refuse: Callable[[str], RocUsageError]) -> Any:
    try:
        return found(**settings)
    except Exception as error:
        raise refuse(f"which cannot be made without arguments: {_words(error)}") from error


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _refusal(name: str, option: str, why: str) -> RocUsageError:
    known = "one of" if option == "--model" else "names among"
    return RocUsageError(
        f"{option} must be {known} {', '.join(MODELS)} or a dotted path to an estimator, got {name!r}, {why}"
    )


def _scaled(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


# ---- Features of a file, for the commands that train models on them ---------------------------------------

# A column with more different texts than this tells cases apart, it does not describe them.
MAX_TEXTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """The cases of a file: features, labels, folds where they were asked for, and what there is to note.

    `labels` is what was found out about the column of the labels, for `label_like`.
    """

    X: NDArray[Any]
    y: NDArray[Any]
    fold: NDArray[Any] | None
    labels: Mapping[str, Any]
    notes: tuple[str, ...]


def read_cases(
    source: LocalFile,
    *,
    label: str,
    features: Sequence[str] = (),
    fold: str | None = None,
    na: str = "error",
    one_hot: bool | None = None,
) -> Cases:
    """Read features and labels of all cases.

    Parameters
    ----------
    source
        The file.
    label, fold
        Columns of the labels, and of the folds where there is one.
    features
        Columns of the features; without any all columns of numbers.
    na
        What to do with rows that lack a value.
    one_hot
        Whether columns of text become columns of 0 and 1; None for a command that does not offer it.
    """
    from rocscope.io.database import dropped_warning

    numbers, texts, notes = _chosen_columns(source, features, (label, fold), one_hot)
    table = labelled_table(source, numbers, label=label, fold=fold, na=na, texts=texts)
    return Cases(
        X=_matrix(table, numbers, texts),
        y=table.arrays[label],
        fold=None if fold is None else table.arrays[fold],
        labels=table.profiles[label],
        notes=(*notes, *dropped_warning(table.dropped)),
    )


def labelled_table(
    source: LocalFile,
    numbers: Sequence[str],
    *,
    label: str,
    fold: str | None,
    na: str,
    texts: Sequence[str] = (),
) -> Table:
    """Read the column of labels, that of folds, and others of numbers or of text."""
    from rocscope.io.files import read_table

    if fold in (label, *numbers, *texts):
        raise RocUsageError(f"--fold must be a column of its own, got {fold!r}")
    kinds: dict[str, Kind] = {label: "label"}
    kinds |= {} if fold is None else {fold: "label"}
    kinds |= dict.fromkeys(numbers, "number")
    return read_table(source, kinds | dict.fromkeys(texts, "label"), na=na)


@contextmanager
def training_processes(n_jobs: int | None, timeout: float | None) -> Iterator[dict[str, Any]]:
    """Processes for training, as arguments of a function that trains; they may have a time limit."""
    from rocscope.core.execution import LokyExecutor

    if timeout is None:
        yield {"n_jobs": n_jobs}
        return
    with LokyExecutor(n_jobs, timeout=timeout) as executor:
        yield {"executor": executor}


def training_progress(watch: Watch | None) -> Progress | None:
    """Tell whoever watches how many trainings are done."""
    return None if watch is None else lambda done, total: watch("training", done / total)


def _chosen_columns(
    source: LocalFile, features: Sequence[str], leave: tuple[str, str | None], one_hot: bool | None
) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Features of numbers, features of text, and a note on those that were left out."""
    if features and (leave[0] in features or len(set(features)) < len(features)):
        raise RocUsageError("--feature must name other columns than the label, each once")
    if features and not one_hot:
        return list(features), [], ()
    names, numbers = _number_columns(source, features, leave)
    texts = [name for name in names if name not in numbers]
    if one_hot:
        return numbers, texts, ()
    if not numbers:
        raise RocInputError(_no_numbers(source, texts, one_hot))
    hint = "; --one-hot takes them in" if one_hot is False else ""
    return numbers, [], ((f"left out as no numbers: {', '.join(texts)}{hint}",) if texts else ())


def _no_numbers(source: LocalFile, texts: Sequence[str], one_hot: bool | None) -> str:
    told = f"text alone in {', '.join(map(repr, texts))}" if texts else "none"
    hint = "; --one-hot makes columns of 0 and 1 of them" if texts and one_hot is False else ""
    return f"{source.shown} must have a column of numbers besides the label, got {told}{hint}"


def _number_columns(
    source: LocalFile, wanted: Sequence[str], leave: tuple[str | None, ...]
) -> tuple[list[str], list[str]]:
    """The wanted columns (or all named ones but these), and those of them that hold numbers and no text."""
    from rocscope.io.database import counts_of
    from rocscope.io.files import open_source
    from rocscope.io.local import Limits

    names = list(wanted)
    if not names:
        with open_source(source, [], Limits()) as table:
            names = [name for name in table.names if name and name not in leave]
    with open_source(source, names, Limits()) as table:
        rows, found = counts_of(table, table.columns(dict.fromkeys(names, "number")))
    return names, [name for name in names if not found[name]["wrong"] and found[name]["missing"] < rows]


def _matrix(table: Table, numbers: Sequence[str], texts: Sequence[str]) -> NDArray[Any]:
    import numpy as np

    coded = [column for name in texts for column in _one_hot(table, name)]
    columns = [*(table.arrays[name] for name in numbers), *coded]
    if not columns:
        raise RocInputError(f"{table.name} must have a feature with two values or more, got none")
    return np.column_stack(columns).astype(np.float64)


def _one_hot(table: Table, name: str) -> list[NDArray[Any]]:
    """A column of 0 and 1 for each text; of two texts one column tells both."""
    texts = table.arrays[name].astype(str)
    values = sorted(set(texts.tolist()))
    if len(values) > MAX_TEXTS:
        got = f"{len(values)} in {name!r}: leave it out by naming the others with --feature"
        raise RocInputError(f"{table.name} must have at most {MAX_TEXTS} texts in a column, got {got}")
    return [texts == value for value in (values[1:] if len(values) <= 2 else values)]
