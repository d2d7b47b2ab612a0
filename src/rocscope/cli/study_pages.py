"""What a finished study of a paper is told in: tables, figures and a README."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocscope.cli.echo import say
from rocscope.cli.output import csv_text, write_figure, write_text
from rocscope.cli.study_folder import data_digests, find_paper, journal_folder
from rocscope.cli.tables import printable
from rocscope.errors import ResourceError, RocInputError

if TYPE_CHECKING:
    from rocscope.run.journal import Journal
    from rocscope.run.study import StudyStatus
    from rocscope.studies.base import Figure, Options, Told
    from rocscope.views import Picture


def export_paper(folder: Path, options: Options, *, just_run: bool = False) -> None:
    """Write the folder of a study whose tasks are all done; one that was just run knows its data."""
    from rocscope.run.study import status_of
    from rocscope.studies.base import find_study
    from rocscope.studies.writing import readme

    with closing(whole_journal(journal_folder(folder))) as journal:
        status, data = status_of(journal), _data_of(journal)
        results = dict(journal.results())
    if status.done < status.total:
        raise RocInputError(f"{status}: there is nothing to export yet; {_what_next(folder, status)}")
    if not just_run:
        _check_data(status.name, options, data)
    told = find_study(status.name).tell(results, options)
    _write(told, folder)
    write_text(readme(told, options, status, data), folder / "README.md", force=True)
    for finding in told.findings:
        say(finding)
    say(f"wrote {printable(str(folder / 'README.md'))}")


def _data_of(journal: Journal) -> dict[str, str]:
    """Digests of the data sets of a study, by their names."""
    found: dict[str, str] = json.loads(journal.manifest.parameters)["data"]
    return found


def _check_data(name: str, options: Options, data: Mapping[str, str]) -> None:
    """What is told of results must not be told of other data."""
    try:
        found = data_digests(find_paper(name, options))
    except ResourceError:  # data that are needed will be missed
        return
    for one, digest in found.items():
        if data.get(one, digest) != digest:
            raise RocInputError(f"data set {one!r} must be that of the run ({data[one]}), got {digest}")


def _what_next(folder: Path, status: StudyStatus) -> str:
    from rocscope.run.folder import is_running

    if is_running(journal_folder(folder)):
        return "a run is under way"
    again = " --retry-failed" if status.failed else ""
    return f"to go on: rocscope study resume {shlex.quote(str(folder))}{again}"


def whole_journal(place: Path) -> Journal:
    """The journal of the whole study; those of shards are merged into it."""
    from rocscope.run.folder import merge_shards, shard_paths
    from rocscope.run.journal import Journal
    from rocscope.run.shards import WHOLE

    return merge_shards(place) if shard_paths(place) else Journal.look(place / WHOLE.file_name)


def _write(told: Told, folder: Path) -> None:
    for table in told.tables:
        write_text(csv_text([_ordered(row) for row in table.rows]), folder / f"{table.name}.csv", force=True)
    for figure in told.figures:
        write_figure(_picture(figure), folder / f"{figure.name}.png", force=True)


def _ordered(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with paper, ours, difference and mc_error last."""
    last = ("paper", "ours", "difference", "mc_error")
    return {**{name: row[name] for name in row if name not in last}, **{name: row[name] for name in last}}


def _picture(figure: Figure) -> Picture:
    from rocscope import views
    from rocscope.bootstrap.monte_carlo_result import MonteCarlo
    from rocscope.views.monte_carlo import dimensions

    results = (figure.result, *figure.beside)
    studies = [result for result in results if isinstance(result, MonteCarlo)]
    if len(results) > 1 and len(studies) == len(results):
        return dimensions(studies)
    pictures = [views.picture(result, **figure.options) for result in results]
    if len(pictures) == 1 and not figure.titles:
        return pictures[0]
    titles = figure.titles or tuple(panel.title for one in pictures for panel in one.panels)
    panels = [panel for one in pictures for panel in one.panels]
    # Legends in one place keep the panels in line.
    named = [replace(panel, title=title, legend="below") for panel, title in zip(panels, titles, strict=True)]
    return views.Picture(panels=tuple(named), columns=min(3, len(named)))
