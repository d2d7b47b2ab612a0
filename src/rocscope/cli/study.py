"""`rocscope reproduce` and `rocscope study`: a paper's own experiment, its numbers beside ours.

A study runs in a folder with a journal; it may be looked at, gone on with, and exported.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from rocscope.cli import output
from rocscope.cli.options import Draws, Execution, Flag, Seed
from rocscope.errors import PartlyFailedError, ResourceError, RocInputError

if TYPE_CHECKING:
    from rocscope.core.execution import Progress
    from rocscope.papers.base import Figure, Options
    from rocscope.plotting import Picture
    from rocscope.run.journal import Journal, Manifest
    from rocscope.run.study import Study, StudyStatus

JOURNAL = "journal"
LAST = ("paper", "ours", "difference", "mc_error")  # columns of a table of a paper's numbers
# Digits of a digest that readers see.
DIGITS = 16
# Seconds between two lines of progress that are no bar.
PATIENCE = 10.0
# Tasks by which the time of the others is predicted.
ENOUGH = 4

Folder = Annotated[str, Parameter(help="Folder of the study, or of its journals.")]
Data = Annotated[str, Parameter(metavar="DIR", help="Folder of the data sets; or set ROCSCOPE_DATA.")]


# ---- The commands -----------------------------------------------------------------------------------------


def reproduce(
    name: Annotated[str, Parameter(help="paclik, winkler, marrocco, aslan, yousef, or atlas.")],
    /,
    *,
    out: Annotated[str, Parameter(metavar="DIR")],
    quick: Annotated[bool, Parameter(negative="--full", show_default=False)] = False,
    data: Data | None = None,
    seed: Seed = 0,
    execution: Execution = Execution(),
    shard: Annotated[str, Parameter(metavar="I/N")] | None = None,
) -> None:
    """Repeat the experiment of a paper, and write its tables with the paper's numbers beside ours.

    "atlas" is a study of our own: how often every interval holds the true value, and how often every test
    rejects. A cell that is in the folder already is measured again only if its method answers otherwise now.

    Every result goes to a journal in the folder as it arrives: whatever ends the run, the same command goes
    on where it was. The README in the folder says what was the same as in the paper, what had to be chosen,
    what was not available, and where the paper contradicts itself.

    Data sets come from --data or ROCSCOPE_DATA, from an installed data package, or from OpenML; with
    ROCSCOPE_OFFLINE=1 nothing is downloaded. What is not available is named, and left out.

    Shards share one folder, or their journals are copied into one; `rocscope study export` merges them.

    Parameters
    ----------
    out
        Folder for tables, figures, README and journal.
    quick
        A shortened form of seconds, or all of it (--full, unless given).
    seed
        Seed of the study.
    shard
        Run part I of N alone, for a batch system.

    Examples
    --------
    rocscope reproduce yousef --quick --out yousef
    rocscope reproduce paclik --full --data data --out paclik --n-jobs 2
    rocscope reproduce winkler --out winkler --backend dask --scheduler tcp://host:8786
    rocscope reproduce yousef --out yousef --shard 1/3
    """
    from rocscope.papers.base import Options, find_paper
    from rocscope.run.study import WHOLE, Shard

    find_paper(name)
    execution.check()
    part = WHOLE if shard is None else Shard.read(shard)
    options = Options(
        size="quick" if quick else "full", data=_data_folder(data), seed=Draws.read(seed).seed or 0
    )
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise RocInputError(f"{folder} must be a folder, got a file")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / JOURNAL).is_dir():
        raise RocInputError(
            f"{folder} must be new, empty or hold an earlier run of the study, got other files"
        )
    _run_paper(name, options, folder, execution, part)


study = App(name="study", help="Look at a long study, go on with it, write its results.")


@study.command
def status(folder: Folder, /, *, json: Flag = False) -> None:
    """Show how far a study is; it may be running.

    Parameters
    ----------
    json
        Print one JSON document instead of a table.

    Examples
    --------
    rocscope study status yousef
    rocscope study status yousef --json
    """
    from rocscope.run.journal import digest_of_rows
    from rocscope.run.study import is_running, look_at_study, together

    place = _journal_folder(folder)
    journals = look_at_study(place)
    manifest, rows = journals[0].manifest, together(journals)
    errors = [(key, row.error) for key, row in sorted(rows.items()) if row.error is not None]
    is_open = manifest.n_tasks == 0
    left = None if is_open else manifest.n_tasks - len(rows)
    document = {
        "study": manifest.name,
        "seed": manifest.seed,
        "tasks": None if is_open else manifest.n_tasks,
        "done": len(rows) - len(errors),
        "failed": len(errors),
        "to do": left,
        "seconds": round(sum(row.seconds for row in rows.values()), 1),
        "digest": digest_of_rows(rows.values()) if left == 0 else None,
        "errors": errors[:5],
        "running": is_running(place),
    }
    if json:
        output.say(_json_line(document))
        return
    texts = {None: "not yet", True: "yes", False: "no"}
    cells = [
        (name, texts[value] if value is None or isinstance(value, bool) else str(value))
        for name, value in document.items()
        if name != "errors" and not (is_open and value is None)
    ]
    failed = [f"failed: {output.printable(key)}: {output.printable(error)}" for key, error in errors[:5]]
    output.print_blocks([output.TextTable(cells[0], tuple(cells[1:])), *failed])


@study.command
def resume(folder: Folder, /, *, data: Data | None = None, execution: Execution = Execution()) -> None:
    """Go on with a study of `rocscope reproduce`, with the seed and the size it was begun with.

    Examples
    --------
    rocscope study resume yousef --n-jobs 2
    rocscope study resume yousef --retry-failed
    """
    from rocscope.run.study import WHOLE, look_at_study

    execution.check()
    manifest = look_at_study(_journal_folder(folder))[0].manifest
    _run_paper(manifest.name, _options(manifest, data), Path(folder), execution, WHOLE)


@study.command
def export(folder: Folder, /, *, data: Data | None = None) -> None:
    """Write the tables, figures and README of a finished study; shards are merged first.

    A study of your own, made with rocscope.run, is written as results.jsonl: one key and value per line.

    Examples
    --------
    rocscope study export yousef
    """
    from rocscope.papers.base import all_papers
    from rocscope.run.study import look_at_study

    place = _journal_folder(folder)
    manifest = look_at_study(place)[0].manifest
    if manifest.name in all_papers():
        _export_paper(Path(folder), _options(manifest, data))
        return
    path = Path(folder) / "results.jsonl"
    with closing(_whole_journal(place)) as journal:
        lines = [_json_line({"key": key, "value": value}) for key, value in journal.results()]
    output.write_text("".join(f"{line}\n" for line in lines), path, force=True)
    output.say(f"wrote {output.printable(str(path))}: {len(lines)} results")


def _json_line(document: Any) -> str:
    return json.dumps(document, allow_nan=False)


# ---- The folder of a study --------------------------------------------------------------------------------


def _data_folder(data: str | None) -> Path | None:
    """The folder that --data names."""
    if data is not None and not Path(data).is_dir():
        raise RocInputError(f"--data must be a folder, got {data!r}")
    return None if data is None else Path(data)


def _journal_folder(folder: str | Path) -> Path:
    """Where the journals are: in the folder itself, or in its folder of this name."""
    if not Path(folder).is_dir():
        raise RocInputError(f"{folder} must be the folder of a study, got none")
    inner = Path(folder) / JOURNAL
    return inner if inner.is_dir() else Path(folder)


def _whole_journal(place: Path) -> Journal:
    """The journal of the whole study; those of shards are merged into it."""
    from rocscope.run.journal import Journal
    from rocscope.run.study import WHOLE, merge_shards, shard_paths

    return merge_shards(place) if shard_paths(place) else Journal.look(place / WHOLE.file_name)


def _options(manifest: Manifest, data: str | None) -> Options:
    from rocscope.papers.base import Options, all_papers

    if manifest.name not in all_papers():
        raise RocInputError(
            f"study must be one of `rocscope reproduce`, got {manifest.name!r}: run it where it was made"
        )
    size = json.loads(manifest.parameters)["size"]
    return Options(size=size, data=_data_folder(data), seed=manifest.seed)


def _data_digests(study: Study) -> dict[str, str]:
    """Digests of the data sets that the tasks share, by their names."""
    from rocscope.run.journal import digest_of

    return {name: digest_of([(name, value)])[:DIGITS] for name, value in study.shared.items()}


# ---- Running and writing the study of a paper -------------------------------------------------------------


def _run_paper(name: str, options: Options, folder: Path, execution: Execution, shard: Any) -> None:
    """Run what is left of a paper's study, then write its tables, figures and README."""
    from rocscope.papers.base import find_paper
    from rocscope.run.study import WHOLE, journal_paths, run_study

    tasks = find_paper(name).make(options)
    # A journal records how the tasks were made, and of which data.
    parameters = {**tasks.parameters, "size": options.size, "data": _data_digests(tasks)}
    tasks = replace(tasks, name=name, seed=options.seed, parameters=parameters)
    if tasks.prepare is not None:
        tasks = replace(tasks, prepare=partial(_prepare, name, tasks.prepare))
    for text in tasks.notes:
        output.note(f"{name}: {text}")
    where = "" if options.data is None else f" --data {shlex.quote(str(options.data))}"
    resume = f"rocscope study resume {shlex.quote(str(folder))}{where}"
    try:
        with execution.executor() as executor, watched(name) as progress:
            status = run_study(
                tasks,
                folder if journal_paths(folder) else folder / JOURNAL,
                executor=executor,
                n_jobs=execution.n_jobs if executor is None else None,
                timeout=execution.timeout,
                shard=shard,
                retry_failed=execution.retry_failed,
                progress=progress,
            )
    except KeyboardInterrupt:
        again = "the same command" if shard != WHOLE else resume
        output.note(f"\nwhat is done is kept in {output.printable(str(folder))}; to go on: {again}")
        raise
    output.say(str(status))
    if status.failed:
        key, error = status.errors[0]
        raise PartlyFailedError(
            f"{status.failed} of {status.total} tasks failed; the first is {key!r}: {error}; "
            f"retry: {resume} --retry-failed"
        )
    if shard != WHOLE:
        output.say(
            f"when all {shard.count} shards are done: rocscope study export {shlex.quote(str(folder))}"
        )
        return
    _export_paper(folder, options, just_run=True)


def _prepare(name: str, prepare: Callable[[], str | None]) -> None:
    """Prepare a study, which takes a while on a new machine."""
    output.note(f"{name}: getting ready; the first run on a machine compiles, later ones do not")
    if text := prepare():
        output.note(f"{name}: {text}")


def _export_paper(folder: Path, options: Options, *, just_run: bool = False) -> None:
    """Write the folder of a study whose tasks are all done; the data of an earlier run are compared."""
    from rocscope.papers.base import find_paper, readme
    from rocscope.run.study import is_running, status_of

    place = _journal_folder(folder)
    with closing(_whole_journal(place)) as journal:
        keys = None
        if journal.manifest.n_tasks == 0:  # an open study: its tasks are those of today
            keys = {task.key for task in find_paper(journal.manifest.name).make(options).tasks}
        status: StudyStatus = status_of(journal, keys)
        results = {key: value for key, value in journal.results() if keys is None or key in keys}
        data = json.loads(journal.manifest.parameters)["data"]
    if status.done < status.total:
        again = " --retry-failed" if status.failed else ""
        next_step = f"to go on: rocscope study resume {shlex.quote(str(folder))}{again}"
        next_step = "a run is under way" if is_running(place) else next_step
        raise RocInputError(f"{status}: there is nothing to export yet; {next_step}")
    paper = find_paper(status.name)
    if not just_run:
        try:
            digests = _data_digests(paper.make(options))
        except ResourceError:  # a data set that the results need is reported as missing below
            digests = {}
        for name, digest in digests.items():
            if data.get(name, digest) != digest:
                raise RocInputError(f"data set {name!r} must be that of the run ({data[name]}), got {digest}")
    summary = paper.summarise(results, options)
    for table in summary.tables:
        rows = [
            {name: row[name] for name in (*(n for n in row if n not in LAST), *(n for n in LAST if n in row))}
            for row in table.rows
        ]
        output.write_text(output.csv_text(rows), folder / f"{table.name}.csv", force=True)
    for figure in summary.figures:
        output.write_figure(_picture(figure), folder / f"{figure.name}.png", force=True)
    output.write_text(readme(summary, options, status, data), folder / "README.md", force=True)
    for finding in summary.findings:
        output.say(finding)
    output.say(f"wrote {output.printable(str(folder / 'README.md'))}")


def _picture(figure: Figure) -> Picture:
    from rocscope import plotting
    from rocscope.bootstrap.monte_carlo import MonteCarlo
    from rocscope.plotting.monte_carlo import dimensions

    results = (figure.result, *figure.beside)
    studies = [result for result in results if isinstance(result, MonteCarlo)]
    if len(results) > 1 and len(studies) == len(results):
        return dimensions(studies)
    pictures = [plotting.picture(result, **figure.options) for result in results]
    if len(pictures) == 1 and not figure.titles:
        return pictures[0]
    panels = [panel for one in pictures for panel in one.panels]
    titles = figure.titles or tuple(panel.title for panel in panels)
    # Legends in one place keep the panels in line.
    named = [replace(panel, title=title, legend="below") for panel, title in zip(panels, titles, strict=True)]
    return plotting.Picture(panels=tuple(named), columns=min(3, len(named)))


@contextmanager
def watched(name: str) -> Iterator[Progress]:
    """Show progress with the time left on stderr: a bar on a terminal, else a line now and then."""
    with output.watching(name) as watch:
        start = last = monotonic()
        before: int | None = None  # results of an earlier run say nothing of the speed

        def show(done: int, total: int) -> None:
            nonlocal last, before
            if watch is not None:
                watch(f"{done}/{total}", done / total)
                return
            now, before = monotonic(), done if before is None else before
            if now - last < PATIENCE:
                return
            last, left = now, ""
            if done - before >= ENOUGH:
                left = f", about {(now - start) / (done - before) * (total - done):.0f} s left"
            output.note(f"{name}: {done} of {total} tasks{left}")

        yield show
