"""The words of a study's folder: what was found, what was the same, what was not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from platform import python_version

from rocscope.core.checks import check_choice
from rocscope.run.study import StudyStatus
from rocscope.studies.base import PAPERS, Options, Told

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
