"""The report: results in, one HTML file out."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocscope.core import checks
from rocscope.draw.files import replace_text
from rocscope.errors import RocInputError, RocscopeError, RocWarning
from rocscope.report.contents import left_out, missing_line, sections_of
from rocscope.report.items import read_items
from rocscope.report.page import page
from rocscope.report.reading import counted
from rocscope.report.render import render_section
from rocscope.report.sections import Section
from rocscope.report.thinning import LIMIT

TITLE = "ROC analysis"


def report(
    *results: Any, path: str | os.PathLike[str], title: str | None = None, force: bool = False
) -> Path:
    """Write results as one interactive HTML page that needs no network.

    Parameters
    ----------
    *results
        Results of rocscope; `BinaryScores`, of which the curves are shown; or mappings from the name of a
        classifier to a result or a list of results. A curve, its band and its areas under one name are shown
        together, at the cut-off of the first `PointMeasures` of that name. Sections come in a fixed order,
        and only for what is given.
    path
        The file, whose name must end in .html or .htm.
    title
        Title of the page.
    force
        Whether a file of this name is replaced; without it an existing file is refused, as by the commands
        without --force.

    Returns
    -------
    Path
        The file, which appears whole or not at all. It is smaller than 8 MB.

    Warns
    -----
    RocWarning
        If a result cannot be shown. It costs no other one; the page says at its end what is missing and why.

    Examples
    --------
    >>> import tempfile
    >>> import rocscope as rs
    >>> y, score = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = report({"marker": [rs.roc_curve(y, score), rs.auc(y, score)]}, path=f"{folder}/roc.html")
    ...     file.name, "0.889 (95% interval" in file.read_text()
    ('roc.html', True)
    """
    target = check_page_path(path, force)
    return write_page(report_html(*results, title=title), target)


def report_html(*results: Any, title: str | None = None) -> str:
    """Return the page of `report` as text.

    Examples
    --------
    >>> import rocscope as rs
    >>> report_html(rs.roc_curve([0, 1], [0, 1]), title="One curve").count("<h1>One curve</h1>")
    1
    """
    items, missing = read_items(results), list[str]()
    sections = sections_of(items, missing)
    text = page_of(sections, title=title, made=f"From {counted(len(items), 'result')}.", missing=missing)
    for line in missing:
        warnings.warn(line, RocWarning, stacklevel=2)
    return text


def distinct(sections: Sequence[Section]) -> list[Section]:
    """Number the sections of one title, so that the links to them can be told apart.

    Examples
    --------
    >>> [section.title for section in distinct([Section(title="Areas", body=())] * 2)]
    ['Areas (1)', 'Areas (2)']
    """
    totals, seen, found = Counter(section.title for section in sections), Counter[str](), list[Section]()
    for section in sections:
        seen[section.title] += 1
        title = f"{section.title} ({seen[section.title]})" if totals[section.title] > 1 else section.title
        found.append(replace(section, title=title))
    return found


def page_of(
    sections: Sequence[Section], *, title: str | None, made: str, missing: list[str] | None = None
) -> str:
    """Return the page of sections under a title of the user, or ours.

    Lines in `missing` become its last section. A section that cannot be drawn costs no other one: it is left
    out, and the list gets a line that says why.
    """
    if title is not None and not isinstance(title, str):
        raise RocInputError(f"title must be a text, got {checks.show(title)}")
    title, missing = TITLE if title is None else title, [] if missing is None else missing
    try:
        return page([*distinct(sections), *left_out(missing)], title=title, made=made)
    except RocscopeError:
        raise
    except Exception:
        drawn = [section for section in distinct(sections) if _can_be_drawn(section, missing)]
    return page([*drawn, *left_out(missing)], title=title, made=made)


def _can_be_drawn(section: Section, missing: list[str]) -> bool:
    try:
        render_section(section, "s", LIMIT)
    except Exception as error:
        missing.append(missing_line(section.title, error))
        return False
    return True


def write_page(text: str, target: Path) -> Path:
    """Write a page whole or not at all."""
    replace_text(target, text)
    return target


def check_page_path(path: str | os.PathLike[str], force: bool) -> Path:
    """Refuse a file that is no page, lies nowhere, or is there already."""
    target = Path(path)
    checks.check_flag(force, name="force")
    if target.suffix.lower() not in (".html", ".htm"):
        raise RocInputError(f"path must end in .html or .htm, got {checks.show(os.fspath(path))}")
    if not target.parent.is_dir():
        raise RocInputError(f"path must lie in an existing folder, got {checks.show(os.fspath(path))}")
    if target.is_dir():
        raise RocInputError(f"path must be a file, got the folder {checks.show(os.fspath(path))}")
    if target.exists() and not force:
        raise RocInputError(f"{target} exists already; force=True replaces it")
    return target
