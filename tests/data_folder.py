"""The folder of the data sets that are not part of the repository."""

import os
from pathlib import Path

import pytest

VARIABLE = "ROCSCOPE_DATA"
# What messages about rows of a file add.
COUNTED = "data rows are counted from 1"


def data_dir() -> Path:
    """The folder ROCSCOPE_DATA names; without it the test is skipped."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"{VARIABLE} is not set: it must name the folder of the data sets")
    if not Path(folder).is_dir():
        pytest.fail(f"{VARIABLE} must name a folder, got {folder!r}")
    return Path(folder)


def data_file(*parts: str) -> Path:
    """A file below `data_dir()`; a missing one fails the test, it is never skipped."""
    path = data_dir().joinpath(*parts)
    if not path.is_file():
        pytest.fail(f"{VARIABLE} is set but holds no {'/'.join(parts)}")
    return path
