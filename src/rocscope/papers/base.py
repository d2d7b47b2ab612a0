"""What the papers' experiments have in common: options, tables, figures, the registry, and the README."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from platform import python_version
from typing import Any, TypeVar

from rocscope.core import checks
from rocscope.core.result import Result
from rocscope.errors import ResourceError
from rocscope.run.study import Size, Study, StudyStatus, StudyTask

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a paper's experiment is run."""

    size: Size = "full"
    data: Path | None = None
    seed: int = 0

    @property
    def is_quick(self) -> bool:
        """Whether this is the shortened form."""
        return self.size == "quick"

    def study(
        self,
        name: str,
        tasks: Iterable[StudyTask],
        *,
        shared: Mapping[str, Any] | None = None,
        notes: tuple[str, ...] = (),
        prepare: Callable[[], str | None] | None = None,
        open: bool = False,
        **parameters: Any,
    ) -> Study:
        """The study of these tasks, with the seed and the size of these options."""
        return Study(
            name=name,
            tasks=tuple(tasks),
            seed=self.seed,
            parameters={"size": self.size} | parameters,
            shared={} if shared is None else shared,
            prepare=prepare,
            notes=notes,
            open=open,
        )


def load_at_hand(names: Iterable[str], load: Callable[[str], T]) -> tuple[dict[str, T], tuple[str, ...]]:
    """Load what is available.

    Parameters
    ----------
    names : iterable of str
        What to load.
    load : callable
        Loads one of them, or raises a ResourceError.

    Returns
    -------
    loaded : dict
        By name; one at least.
    notes : tuple of str
        Of each one that is left out: why.

    Raises
    ------
    ResourceError
        When none is available; it names them all.
    """
    loaded, absent = dict[str, T](), list[str]()
    for name in names:
        try:
            loaded[name] = load(name)
        except ResourceError as error:
            absent.append(str(error))
    if not loaded:
        raise ResourceError("\n".join(absent))
    return loaded, tuple(f"left out: {why}" for why in absent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a paper: rows with the printed number, ours, the difference and its error.

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
class PaperSummary:
    """Tables, figures and notes of a paper's experiment.

    `same`, `choices`, `missing` and `inconsistent` say what was as in the paper, what had to be chosen, what
    could not be had, and where the paper contradicts itself.
    """

    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    findings: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    inconsistent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper's experiment: what lists its tasks, and what summarises their results, by their keys.

    A study of our own has another `heading`, and its tables have columns of their own.
    """

    name: str
    citation: str
    make: Callable[[Options], Study]
    summarise: Callable[[Mapping[str, Any], Options], PaperSummary]
    heading: str = "a paper's experiment, repeated"


_REGISTRY: dict[str, Paper] = {}


def register(paper: Paper) -> None:
    """Make a paper's experiment available by its name; its module calls this at its end."""
    _REGISTRY[paper.name] = paper


def all_papers() -> dict[str, Paper]:
    """Every paper's experiment by its name; the modules of this folder are imported.

    Examples
    --------
    >>> sorted(all_papers())
    ['aslan', 'atlas', 'marrocco', 'paclik', 'winkler', 'yousef']
    """
    for module in iter_modules([str(Path(__file__).parent)]):
        if not module.name.startswith("_"):
            import_module(f"{__package__}.{module.name}")
    return _REGISTRY


def find_paper(name: str) -> Paper:
    """The experiment of a paper, by its short name.

    Examples
    --------
    >>> find_paper("paclik").citation[:10]
    'P. Paclik,'
    """
    papers = all_papers()
    checks.check_choice(name, tuple(papers), name="study")
    return papers[name]


# ---- The README of a folder -------------------------------------------------------------------------------

HEADINGS = {
    "findings": "What came out",
    "same": "What is as in the paper",
    "choices": "What had to be chosen",
    "missing": "What could not be had",
    "inconsistent": "Where the paper contradicts itself, or mathematics",
}
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
COLUMNS = (
    "The last columns of every table are `paper` (empty where nothing is printed), `ours`, `difference` "
    "(ours minus paper) and `mc_error`, the Monte-Carlo standard error of ours, or of the difference where "
    "the paper's own number of trials is known."
)


def readme(
    summary: PaperSummary, options: Options, status: StudyStatus, data: Mapping[str, str] | None = None
) -> str:
    """Write the README of a folder, in Markdown; `data` are digests of the data sets, by their names.

    Examples
    --------
    >>> status = StudyStatus(name="yousef", total=1, done=1, failed=0, seconds=2.0, digest="ab12")
    >>> summary = PaperSummary(tables=(), same=("Five features.",))
    >>> text = readme(summary, Options(), status)
    >>> print(text.splitlines()[0])
    # yousef: a paper's experiment, repeated
    """
    folder = " --data DIR" if data else ""
    command = f"rocscope reproduce {status.name} --{options.size} --seed {options.seed}{folder} --out DIR"
    versions = ", ".join(f"{name} {version(name)}" for name in ("rocscope", *LIBRARIES))
    software = f"With Python {python_version()}, {versions}."
    if data:
        digests = ", ".join(f"{name} `{digest}`" for name, digest in data.items())
        software += f" Digests of the data: {digests}."
    sections = {title: getattr(summary, name) for name, title in HEADINGS.items()}
    sections["Tables"] = tuple(f"`{one.name}.csv`: {len(one.rows)} rows" for one in summary.tables)
    figures = tuple(f"![{one.name}]({one.name}.png)" for one in summary.figures)
    lists = {
        title: "\n".join([f"## {title}", "", *(f"- {line}" for line in lines)])
        for title, lines in (sections | {"Figures": figures}).items()
        if lines or title == "Tables"
    }
    if any("paper" in row for one in summary.tables for row in one.rows):
        lists["Tables"] += f"\n\n{COLUMNS}"
    paper = find_paper(status.name)
    parts = [
        f"# {status.name}: {paper.heading}",
        paper.citation,
        f"Made by `{command}`: {status.done} tasks that took {status.seconds:.0f} s of computing together. "
        f"Digest of all results: `{status.digest}`.",
        software,
        *lists.values(),
    ]
    return "\n\n".join(parts) + "\n"
