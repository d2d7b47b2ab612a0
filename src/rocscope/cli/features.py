"""Features of a file, for the commands that train models on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocscope.errors import RocInputError, RocUsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocscope.core.execute import Progress
    from rocscope.sources.columns import Kind
    from rocscope.sources.files import Table
    from rocscope.sources.local import LocalFile, Watch

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
    from rocscope.sources.profile import dropped_words

    numbers, texts, notes = _chosen_columns(source, features, (label, fold), one_hot)
    table = labelled_table(source, numbers, label=label, fold=fold, na=na, texts=texts)
    return Cases(
        X=_matrix(table, numbers, texts),
        y=table.arrays[label],
        fold=None if fold is None else table.arrays[fold],
        labels=table.profiles[label],
        notes=(*notes, *dropped_words(table.dropped)),
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
    from rocscope.sources.files import read_table

    if fold in (label, *numbers, *texts):
        raise RocUsageError(f"--fold must be a column of its own, got {fold!r}")
    kinds: dict[str, Kind] = {label: "label"}
    kinds |= {} if fold is None else {fold: "label"}
    kinds |= dict.fromkeys(numbers, "number")
    return read_table(source, kinds | dict.fromkeys(texts, "label"), na=na)


@contextmanager
def training_processes(n_jobs: int | None, timeout: float | None) -> Iterator[dict[str, Any]]:
    """Processes for training, as arguments of a function that trains; they may have a time limit."""
    from rocscope.core.execute import LokyExecutor

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
    from rocscope.sources.files import open_source
    from rocscope.sources.limits import Limits
    from rocscope.sources.profile import counts_of

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
