"""What every study of a paper has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from rocscope.core.checks import check_choice
from rocscope.core.result import Result
from rocscope.errors import ResourceError
from rocscope.run.study import Study, StudyStatus

T = TypeVar("T")
Size: TypeAlias = Literal["quick", "full"]
# Name of each study and the paper it repeats.
PAPERS = {
    "paclik": "P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin: Variance estimation for two-class and "
    "multi-class ROC analysis using operating point averaging, ICPR 2008",
    "winkler": "S. M. Winkler, M. Affenzeller, S. Wagner: Sets of receiver operating characteristic curves "
    "and their use in the evaluation of multi-class classification, GECCO 2006",
    "marrocco": "C. Marrocco, M. Molinara, F. Tortorella: Estimating the ROC curve of linearly combined "
    "dichotomizers, ICIAP 2005",
    "aslan": "O. Aslan, O. T. Yildiz, E. Alpaydin: Statistical comparison of classifiers using area under "
    "the ROC curve, technical report FBE-CMPE-06/2009-03, Bogazici University, 2009",
    "yousef": "W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing "
    "classifier performance in terms of ROC parameters, AIPR 2004",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a study is to be run."""

    size: Size = "full"
    data: Path | None = None
    seed: int = 0

    @property
    def is_quick(self) -> bool:
        """Whether a shortened form was asked for."""
        return self.size == "quick"


def load_at_hand(names: Iterable[str], load: Callable[[str], T]) -> tuple[dict[str, T], tuple[str, ...]]:
    """Load what can be had.

    Parameters
    ----------
    names : iterable of str
        What is wanted.
    load : callable
        Loads one of them, or raises a ResourceError.

    Returns
    -------
    found : dict
        By name; one at least.
    notes : tuple of str
        Of each one that is left out: why.

    Raises
    ------
    ResourceError
        When none can be had; it names them all.
    """
    found, absent = dict[str, T](), list[str]()
    for name in names:
        try:
            found[name] = load(name)
        except ResourceError as error:
            absent.append(str(error))
    if not found:
        raise ResourceError("\n".join(absent))
    return found, tuple(f"left out: {why}" for why in absent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a paper: rows with what the paper prints, what we found, the difference and its error.

    The columns "paper", "ours", "difference" and "mc_error" come last; None where the paper prints nothing,
    or no error is known.
    """

    name: str
    rows: Sequence[Mapping[str, Any]]


def table_row(
    paper: float | None, ours: float | None, mc_error: float | None, **names: Any
) -> dict[str, Any]:
    """One row: its names, then paper, ours, difference, Monte-Carlo error.

    Examples
    --------
    >>> table_row(0.5, 0.75, 0.1, n=20)
    {'n': 20, 'paper': 0.5, 'ours': 0.75, 'difference': 0.25, 'mc_error': 0.1}
    """
    known = paper is not None and ours is not None
    difference = ours - paper if known else None  # type: ignore[operator]
    return names | {"paper": paper, "ours": ours, "difference": difference, "mc_error": mc_error}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A result to be drawn, with options of its view; results in `beside` share the figure."""

    name: str
    result: Result
    options: Mapping[str, Any] = field(default_factory=dict)
    beside: tuple[Result, ...] = ()
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a study has to show.

    `same`, `chosen`, `missing` and `inconsistent` say what was as in the paper, what had to be chosen, what
    could not be had, and where the paper contradicts itself.
    """

    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    findings: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    inconsistent: tuple[str, ...] = ()


class PaperStudy(Protocol):
    """What a module of this folder offers."""

    def make(self, options: Options) -> Study:
        """List the tasks."""

    def tell(self, results: Mapping[str, Any], options: Options) -> Told:
        """Make tables, figures and notes of the results, by their keys."""


def find_study(name: str) -> PaperStudy:
    """The study of a paper, by its short name.

    Examples
    --------
    >>> find_study("paclik").__name__
    'rocscope.papers.paclik'
    """
    check_choice(name, tuple(PAPERS), name="study")
    found: Any = import_module(f"rocscope.papers.{name}")
    return found  # type: ignore[no-any-return]


# ---- The words of a study's folder: what was found, what was the same, what was not -----------------------

HEADINGS = {
    "findings": "What came out",
    "same": "What is as in the paper",
    "chosen": "What had to be chosen",
    "missing": "What could not be had",
    "inconsistent": "Where the paper contradicts itself, or mathematics",
}
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
COLUMNS = (
    "The last columns of every table are `paper` (empty where nothing is printed), `ours`, `difference` "
    "(ours less paper) and `mc_error`, the Monte-Carlo standard error of ours, or of the difference where "
    "the paper's own number of trials is known."
)


def readme(told: Told, options: Options, status: StudyStatus, data: Mapping[str, str] | None = None) -> str:
    """Write the README of a folder, in Markdown; `data` are digests of the data sets, by their names.

    Examples
    --------
    >>> status = StudyStatus(name="yousef", total=1, done=1, failed=0, seconds=2.0, digest="ab12")
    >>> told = Told(tables=(), same=("Five features.",))
    >>> text = readme(told, Options(), status)
    >>> print(text.splitlines()[0])
    # yousef: a paper's experiment, repeated
    """
    check_choice(status.name, tuple(PAPERS), name="study")
    parts = [
        f"# {status.name}: a paper's experiment, repeated",
        PAPERS[status.name],
        f"Made by `{_command(status.name, options, data)}`: {status.done} tasks that took "
        f"{status.seconds:.0f} s of computing together. Digest of all results: `{status.digest}`.",
        _circumstances(data or {}),
        *(_section(HEADINGS[name], getattr(told, name)) for name in HEADINGS if getattr(told, name)),
        _section("Tables", [f"`{table.name}.csv`: {len(table.rows)} rows" for table in told.tables]),
        COLUMNS,
    ]
    if told.figures:
        parts.append(_section("Figures", [f"![{one.name}]({one.name}.png)" for one in told.figures]))
    return "\n\n".join(parts) + "\n"


def _command(name: str, options: Options, data: Mapping[str, str] | None) -> str:
    folder = " --data DIR" if data else ""
    return f"rocscope reproduce {name} --{options.size} --seed {options.seed}{folder} --out DIR"


def _circumstances(data: Mapping[str, str]) -> str:
    """With what it was made: versions, and digests of the data."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("rocscope", *LIBRARIES))
    told = f"With Python {python_version()}, {versions}."
    if data:
        told += f" Digests of the data: {', '.join(f'{name} `{digest}`' for name, digest in data.items())}."
    return told


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {title}", "", *(f"- {line}" for line in lines)])
