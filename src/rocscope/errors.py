"""The exceptions of rocscope, and the exit code each one has on the command line.

::

    RocscopeError
    ├── RocInputError (also a ValueError)     3   the data or an argument is not allowed
    │   ├── RocArgumentError (also a TypeError)   3   a function has no such argument
    │   └── RocUsageError                     2   a command was called wrongly
    ├── UndefinedError (also an ArithmeticError)  4   the question has no answer on this data
    ├── ResourceError                         5   memory, disk, or a library that is not installed
    └── PartlyFailedError                     6   some tasks failed, the others are done
    RocWarning (a UserWarning)                    the result stands, but read the note
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


class RocscopeError(Exception):
    """Base class: every error that rocscope raises on purpose.

    Parameters
    ----------
    message
        What is wrong; where an argument is refused, what it must be and what came, without its name.
    argument
        Name of the argument that is refused: the text begins with it, and the command line turns it into
        an option. Several names where one of them must be given.
    data_dependent
        Whether other data would allow this value of the argument.
    remedy
        What would help: an argument, its value (or None for any other one) and what it does, in which {}
        stands for the two.

    Examples
    --------
    >>> print(RocInputError("must lie between 0 and 1, got 95", argument="level"))
    level must lie between 0 and 1, got 95
    >>> print(RocInputError("must be given", argument=("power", "half_width")))
    one of power and half_width must be given
    >>> print(RocInputError("2 values are missing", remedy=("na", "drop", "{} leaves such rows out")))
    2 values are missing; na='drop' leaves such rows out
    """

    exit_code = 1

    def __init__(
        self,
        message: str = "",
        *,
        argument: str | tuple[str, ...] | None = None,
        data_dependent: bool = False,
        remedy: tuple[str, str | None, str] | None = None,
    ) -> None:
        self.message, self.argument = message, argument
        self.data_dependent, self.remedy = data_dependent, remedy
        super().__init__(self.text())

    def text(self, name: Callable[[str], str] = str) -> str:
        """Return the message with its arguments, each by the name that its user knows."""
        text = self.message
        if self.argument is not None:
            arguments = (self.argument,) if isinstance(self.argument, str) else self.argument
            *others, last = map(name, arguments)
            several = f"one of {', '.join(others)} and " if others else ""
            text = f"{several}{last} {text}"
        if self.remedy is not None:
            argument, value, effect = self.remedy
            setting = name(argument)
            if value is not None:
                setting += f" {value}" if setting.startswith("--") else f"={value!r}"
            text += f"; {effect.format(setting)}"
        return text


class RocInputError(RocscopeError, ValueError):
    """The data or an argument is not allowed; the message says what is, and what came."""

    exit_code = 3


class RocArgumentError(RocInputError, TypeError):
    """A function has no argument of this name."""


class RocUsageError(RocInputError):
    """A command was called with options that do not go together."""

    exit_code = 2


class UndefinedError(RocscopeError, ArithmeticError):
    """The question has no answer on this data, for example no point meets the constraints."""

    exit_code = 4


class ResourceError(RocscopeError):
    """Memory, disk or an optional library is missing."""

    exit_code = 5


class PartlyFailedError(RocscopeError):
    """Some of the tasks failed; the results of the others are kept."""

    exit_code = 6


class RocWarning(UserWarning):
    """The result stands, but its reader should know something: a report lacks a section."""


# The extra of pyproject.toml that brings a library, by the name it is imported under.
EXTRAS = {
    "anywidget": "notebook",
    "cloudpickle": "dask",
    "dask": "dask",
    "distributed": "dask",
    "docx": "docx",
    "duckdb": "files",
    "jinja2": "report",
    "openpyxl": "excel",
    "pandas": "pandas",
    "pyreadr": "formats",
    "pyreadstat": "formats",
    "python_calamine": "formats",
    "sklearn": "learn",
    "sqlglot": "sql",
    "starlette": "app",
    "traitlets": "notebook",
    "gplearn": "studies",
    "uvicorn": "app",
}


def require(module: str, purpose: str) -> Any:
    """Import a library of an extra, or say how to install it.

    Examples
    --------
    >>> require("duckdb", "a file").__name__
    'duckdb'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing_library(error, purpose) from error


def missing_library(error: ModuleNotFoundError, purpose: str) -> Exception:
    """Return the error that says which extra is missing; the same error where no extra brings the module.

    Examples
    --------
    >>> missing_library(ModuleNotFoundError(name="jinja2.utils"), "a report")
    ResourceError("a report needs jinja2: pip install 'rocscope[report]'")
    """
    root = (error.name or "").partition(".")[0]
    if root not in EXTRAS:
        return error
    library = {
        "sklearn": "scikit-learn",
        "docx": "python-docx",
        "python_calamine": "python-calamine",
    }.get(root, root)
    return ResourceError(f"{purpose} needs {library}: pip install 'rocscope[{EXTRAS[root]}]'")
