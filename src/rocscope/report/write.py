"""The report: results in, one HTML file out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocscope.core import checks
from rocscope.draw.files import replace_text
from rocscope.errors import RocInputError
from rocscope.report.contents import sections_of
from rocscope.report.items import read_items
from rocscope.report.page import page
from rocscope.report.reading import counted
from rocscope.report.sections import Section

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
        together. Sections come in a fixed order, and only for what is given.
    path
        The file, whose name must end in .html or .htm.
    title
        Title of the page.
    force
        Whether a file of this name is replaced.

    Returns
    -------
    Path
        The file, which appears whole or not at all. It is smaller than 8 MB.

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
    items = read_items(results)
    return page_of(sections_of(items), title=title, made=f"From {counted(len(items), 'result')}.")


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


def page_of(sections: Sequence[Section], *, title: str | None, made: str) -> str:
    """Return the page of sections under a title of the user, or ours."""
    if title is not None and not isinstance(title, str):
        raise RocInputError(f"title must be a text, got {checks.show(title)}")
    return page(distinct(sections), title=TITLE if title is None else title, made=made)


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
