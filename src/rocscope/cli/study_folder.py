"""The folder of a paper's study, and the study that belongs in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.run.study import Study
    from rocscope.studies.base import Options

JOURNAL = "journal"
# Of a digest that readers see.
DIGITS = 16


def data_folder(data: str | None) -> Path | None:
    """The folder that --data names."""
    if data is not None and not Path(data).is_dir():
        raise RocInputError(f"--data must be a folder, got {data!r}")
    return None if data is None else Path(data)


def study_folder(out: str) -> Path:
    """The folder of a study: a new one, an empty one, or that of an earlier run."""
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise RocInputError(f"{folder} must be a folder, got a file")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / JOURNAL).is_dir():
        raise RocInputError(
            f"{folder} must be new, empty or hold an earlier run of the study, got other files"
        )
    return folder


def journal_folder(folder: Path) -> Path:
    """Where the journals are: in the folder itself, or in its folder of this name."""
    inner = folder / JOURNAL
    return inner if inner.is_dir() else folder


def find_paper(name: str, options: Options) -> Study:
    """The tasks of a paper, as its module makes them."""
    from rocscope.studies.base import find_study

    return find_study(name).make(options)


def data_digests(study: Study) -> dict[str, str]:
    """Digests of the data sets that the tasks share, by their names."""
    from rocscope.run.manifest import digest_of

    return {one: digest_of([(one, value)])[:DIGITS] for one, value in study.shared.items()}


def paper_study(name: str, options: Options) -> Study:
    """The tasks of a paper, named so that a journal tells how they were made, and of which data."""
    study = find_paper(name, options)
    parameters = {**study.parameters, "size": options.size, "data": data_digests(study)}
    return replace(study, name=name, seed=options.seed, parameters=parameters)
