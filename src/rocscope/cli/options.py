"""Arguments and options that several commands share."""

from __future__ import annotations

import functools
import math
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from rocscope.errors import RocInputError, RocUsageError

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Table with named columns: CSV, Parquet or JSON lines; - reads CSV from standard input.",
    ),
]
Format = Annotated[
    Literal["csv", "parquet", "jsonl"] | None,
    typer.Option("--format", help="Format of the file, where its ending does not tell."),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Memory that reading may take, such as 512MB or 2GiB; rows that do not fit are refused.",
    ),
]
TempLimit = Annotated[
    str | None,
    typer.Option(
        "--temp-limit",
        metavar="SIZE",
        help="Disk that temporary files may take, such as an unpacked gzip file; 90% of what is free "
        "unless given.",
    ),
]
Label = Annotated[str, typer.Option("--label", metavar="COLUMN", help="Column of the true classes.")]
Scores = Annotated[
    list[str],
    typer.Option(
        "--score", metavar="COLUMN", help="Column of scores, larger for the positive class; may be repeated."
    ),
]
PosLabel = Annotated[
    str | None,
    typer.Option(
        "--pos-label",
        metavar="LABEL",
        help="The positive class; not needed for 0/1, -1/1 and true/false.",
    ),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level of intervals.")]
Alternative = Annotated[
    Literal["two-sided", "less", "greater"],
    typer.Option("--alternative", help="Side of tests and intervals."),
]
Na = Annotated[
    Literal["error", "drop"],
    typer.Option("--na", help="What to do with rows that lack a value: refuse them, or leave them out."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Out = Annotated[
    str | None,
    typer.Option(
        "--out", metavar="PATH", help="Also write a figure (.png .svg .pdf), a table (.csv) or .json."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
NBoot = Annotated[
    int | None,
    typer.Option(
        "--n-boot", metavar="N", help="Bootstrap replicates, or random exchanges; 2000 unless given."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="Seed of the random numbers; the same seed gives the same numbers."),
]
Features = Annotated[
    list[str] | None,
    typer.Option("--feature", metavar="COLUMN", help="Feature of a model; all numbers unless given."),
]
NJobs = Annotated[
    int | None,
    typer.Option(
        "--n-jobs",
        metavar="N",
        help="Processes; -1 for all cores. Any number of them gives the same numbers.",
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout", metavar="SECONDS", help="Give up trainings that take longer: a fold, or ten replicates."
    ),
]
Fpr = Annotated[
    str | None,
    typer.Option("--fpr", metavar="LOW,HIGH", help="Area over this range of false positive rates alone."),
]
Tpr = Annotated[
    str | None,
    typer.Option("--tpr", metavar="LOW,HIGH", help="Area over this range of true positive rates alone."),
]
Standardize = Annotated[
    bool, typer.Option("--standardize", help="Partial area on a scale from 0.5 (chance) to 1 (perfect).")
]


# ---- Options that are more than one word: numbers of any size, ranges, lists, and the seed ----------------

N_BOOT = 2000
FRESH = "random numbers from seed"


def read_number(text: str) -> float | None:
    """Read a number, or say None; whole numbers stay exact at any size.

    Examples
    --------
    >>> read_number("9007199254740993"), read_number("0.5"), read_number("x")
    (9007199254740993, 0.5, None)
    """
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        return int(text)
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def read_threshold(text: str | None) -> float | None:
    """Read a threshold, which may be infinite.

    Examples
    --------
    >>> read_threshold("9007199254740993"), read_threshold("-inf")
    (9007199254740993, -inf)
    """
    value = None if text is None else read_number(text)
    if text is not None and (value is None or math.isnan(value)):
        raise RocUsageError(f"--threshold must be a number, got {text!r}")
    return value


def read_cost(text: str | None) -> float | tuple[float, float] | None:
    """Read "FN", or "FP,FN".

    Examples
    --------
    >>> read_cost("5"), read_cost("1,5")
    (5.0, (1.0, 5.0))
    """
    if text is None:
        return None
    costs = [read_number(part) for part in text.split(",")]
    known = [float(cost) for cost in costs if cost is not None]
    if len(known) != len(costs) or len(costs) > 2:
        raise RocUsageError(f"--cost must be one number (FN) or two (FP,FN), got {text!r}")
    return known[0] if len(known) == 1 else (known[0], known[1])


def read_range(text: str | None, option: str) -> tuple[float, float] | None:
    """Read "LOW,HIGH"; whether it is a range of rates is for the method to say.

    Examples
    --------
    >>> read_range("0,0.1", "--fpr")
    (0, 0.1)
    """
    if text is None:
        return None
    ends = [read_number(part) for part in text.split(",")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        raise RocUsageError(f"{option} must be two numbers LOW,HIGH, got {text!r}")
    return ends[0], ends[1]


def read_names(text: str, option: str) -> list[str]:
    """Read names between commas.

    Examples
    --------
    >>> read_names("low, middle,high", "--classes")
    ['low', 'middle', 'high']
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) < 2 or "" in names or len(set(names)) < len(names):
        raise RocUsageError(f"{option} must be two or more different names between commas, got {text!r}")
    return names


def check_jobs(n_jobs: int | None) -> None:
    """Refuse a number of processes that is none, also where nothing is left for them to do."""
    from rocscope.core.execution import count_jobs

    if n_jobs is not None:
        count_jobs(n_jobs)


@dataclass(frozen=True, slots=True)
class Draws:
    """The random numbers of a command: how many draws, and the seed that repeats them.

    Without a seed of the user a fresh one is taken and told, so that every number can be had again.
    """

    n_boot: int
    seed: int | None
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, n_boot: int | None, seed: int | None, *, used: bool) -> Draws:
        """The options as they were given; `used` says whether anything is left to chance."""
        number = N_BOOT if n_boot is None else n_boot
        if seed is not None or not used:
            return cls(number, seed if used else None)
        fresh = secrets.randbelow(2**32)
        return cls(number, fresh, (f"{FRESH} {fresh}: --seed {fresh} repeats them",))

    @property
    def told(self) -> dict[str, Any]:
        """The seed as a part of the input, where there is one."""
        return {} if self.seed is None else {"seed": self.seed}

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of a function that draws."""
        return {"n_boot": self.n_boot, "rng": self.seed}


# -----------------------------------------------------------------------------------------------------------
# What the library says, in the words of the command line: options and columns in place of arguments

# Arguments of the library that a command calls otherwise.
OTHERWISE = {"cv": "folds", "algorithms": "models", "scores": "score", "power": "wanted"}
# Parameters of a command that cannot be called like their option.
SPELT = {"wanted": "--power"}
# Columns whose values are such an argument.
COLUMNS = {"y_true": "label", "y": "label", "y_score": "score"}
WITHOUT = ((" must be None or ", " must be "), (" must be None unless ", " must be left out unless "))
SUBJECT = re.compile(r"^(\w+)(?:\['([^']*)'\]|\[\d+\])?(?= must |:)")
CONSTRAINT = re.compile(r"^a constraint(?= must )")
# Arguments of which one must be given.
ONE_OF = re.compile(r"^one of .*$")
OF_LABELS = re.compile(r"(the labels in) y(?:_true)?\b")
# Files may be called like an option.
FILES = ("file", "out", "folder", "test")
ASIDE = re.compile(r"\((\w+_\w+)\)")
SAID_TWICE = re.compile(r"(--[\w-]+ [\w-]+) \(\1\)")
# Words of a message that the data have a part in.
OF_DATA = re.compile(r"\b(in column|labels|data set|cases|smallest class|folder)\b")
# Not of a part of one: "--score x must hold numbers" is about a column.
OF_OPTION = re.compile(r"--[\w-]+ must |one of --")
SETTING = re.compile(r"\b(\w+)=(?:'([^']*)'|(True|False))")


def speaking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command complain about its own options and columns, not about arguments of the library."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        try:
            command(**given)
        except RocInputError as error:
            text = in_options(str(error), given)
            kind = RocUsageError if is_about_an_option(text) else type(error)
            raise kind(text) from error

    return run


def in_options(text: str, given: Mapping[str, Any]) -> str:
    """Name the options of a command, by what it was given, where a message names arguments.

    Examples
    --------
    >>> in_options("n_jobs must be None or a whole number other than 0, got 0", {"n_jobs": 0})
    '--n-jobs must be a whole number other than 0, got 0'
    >>> in_options("cv must be a whole number of at least 2, got 1", {"folds": 1})
    '--folds must be a whole number of at least 2, got 1'
    >>> in_options("y must hold two labels, got 1: 5", {"label": "state"})
    "column 'state' must hold two labels, got 1: 5"
    >>> in_options("leave it out unless rule='best' or fast=True", {"rule": "x", "fast": False})
    'leave it out unless --rule best or --fast'
    """
    text = SUBJECT.sub(lambda found: _subject(found, given), text)
    text = CONSTRAINT.sub("--select", text) if "select" in given else text
    text = ONE_OF.sub(lambda found: _named_options(found[0], given), text)
    if text.startswith("--"):
        for ours, theirs in WITHOUT:
            text = text.replace(ours, theirs)
    if "label" in given:
        text = OF_LABELS.sub(lambda found: f"{found[1]} column {given['label']!r}", text)
    text = ASIDE.sub(lambda found: f"({option_name(found[1])})" if found[1] in given else found[0], text)
    text = SETTING.sub(lambda found: _setting(found, given), text)
    return SAID_TWICE.sub(r"\1", text)


def is_about_an_option(text: str) -> bool:
    """Whether a message refuses the value of an option, whatever the data are.

    Examples
    --------
    >>> is_about_an_option("--level must lie between 0 and 1, got 95")
    True
    >>> is_about_an_option("--pos-label must be one of the labels in column 'y', got 'no'")
    False
    """
    return OF_OPTION.match(text) is not None and not OF_DATA.search(text)


def option_name(name: str) -> str:
    """The option of a parameter of a command.

    Examples
    --------
    >>> option_name("n_boot")
    '--n-boot'
    """
    return SPELT.get(name, f"--{name.replace('_', '-')}")


def _subject(found: re.Match[str], given: Mapping[str, Any]) -> str:
    """The option or column of an argument; what is no argument stays as it is."""
    name, part = found[1], found[2]
    if name == "measure" and _is_of_a_bound(found.string, given):
        return "--select"
    if any(name == Path(str(given.get(key))).name for key in FILES):
        return name
    column = _column(given.get(COLUMNS.get(name, "")))
    if name not in given and column is not None:
        return f"column {column!r}"
    option = name if name in given else OTHERWISE.get(name, "")
    if option not in given:
        return found[0]
    return option_name(option) if part is None else f"{option_name(option)} {part}"


def _is_of_a_bound(text: str, given: Mapping[str, Any]) -> bool:
    """Whether a measure that is refused comes from a bound such as "tpr>=0.9"."""
    got = re.search(r", got '([^']*)'", text)
    return got is not None and any(bound.strip().startswith(got[1]) for bound in given.get("select") or ())


def _named_options(text: str, given: Mapping[str, Any]) -> str:
    """The same with every argument called by its option."""
    names = {name: option_name(OTHERWISE.get(name, name)) for name in (*given, *OTHERWISE)}
    known = {name: option for name, option in names.items() if OTHERWISE.get(name, name) in given}
    return re.sub(r"(?<![-\w])\w+", lambda word: known.get(word[0], word[0]), text)


def _column(value: Any) -> str | None:
    """The one column that was given."""
    if isinstance(value, (list, tuple)):
        return str(value[0]) if len(value) == 1 else None
    return value if isinstance(value, str) else None


def _setting(found: re.Match[str], given: Mapping[str, Any]) -> str:
    name, text, flag = found.groups()
    if name not in given:
        return found[0]
    if flag is None:
        return f"{option_name(name)} {text}"
    return option_name(name) if flag == "True" else option_name(f"no_{name}")
