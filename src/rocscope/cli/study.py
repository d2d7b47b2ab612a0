"""`rocscope study`: how far a study is, going on with it, and writing what it found."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.output import (
    TextTable,
    csv_text,
    print_table,
    printable,
    say,
    tell,
    write_figure,
    write_text,
)
from rocscope.errors import PartlyFailedError, ResourceError, RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.execution import Executor, Progress
    from rocscope.papers.base import Figure, Options, PaperSummary
    from rocscope.plotting import Picture
    from rocscope.run.journal import Journal, Manifest
    from rocscope.run.study import Study, StudyStatus

EXAMPLES = {
    "status": ("rocscope study status yousef", "rocscope study status yousef --json"),
    "resume": ("rocscope study resume yousef --n-jobs 2", "rocscope study resume yousef --retry-failed"),
    "export": ("rocscope study export yousef",),
}
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of the study, or of its journals.")]


def status(folder: Folder, json: options.Json = False) -> None:
    """Say how far a study is; it may be running."""
    from rocscope.run.folder import is_running, look_at_study

    place = _place(folder)
    with look_at_study(place) as journals:
        found = _status(journals) | {"running": is_running(place)}
    if json:
        say(_text(found))
        return
    errors = found.pop("errors")
    rows = [(name, _shown(value)) for name, value in found.items()]
    print_table(TextTable(rows[0], tuple(rows[1:])))
    for key, error in errors:
        say(f"failed: {printable(key)}: {printable(error)}")


def _shown(value: Any) -> str:
    words = {None: "not yet", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _text(document: Any) -> str:
    import json

    return json.dumps(document, allow_nan=False)


def _status(journals: list[Journal]) -> dict[str, Any]:
    """What the journals of a study, or of its shards, hold together."""
    from rocscope.run.folder import together
    from rocscope.run.journal import digest_of_rows

    manifest, rows = journals[0].manifest, together(journals)
    errors = [(key, row.error) for key, row in sorted(rows.items()) if row.error is not None]
    left = manifest.n_tasks - len(rows)
    return {
        "study": manifest.name,
        "seed": manifest.seed,
        "tasks": manifest.n_tasks,
        "done": len(rows) - len(errors),
        "failed": len(errors),
        "to do": left,
        "seconds": round(sum(row.seconds for row in rows.values()), 1),
        "digest": None if left else digest_of_rows(rows.values()),
        "errors": errors[:5],
    }


def resume(
    folder: Folder,
    data: Data = None,
    n_jobs: NJobs = None,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    timeout: Timeout = None,
    retry_failed: RetryFailed = False,
) -> None:
    """Go on with a study of `rocscope reproduce`, with the seed and the size it was begun with."""
    how = How(n_jobs=n_jobs, backend=backend, scheduler=scheduler, timeout=timeout, retry_failed=retry_failed)
    how.check()
    manifest = _manifest(_place(folder))
    run_paper(manifest.name, _options(manifest, data), Path(folder), how)


def export(folder: Folder, data: Data = None) -> None:
    """Write the tables, figures and README of a finished study; shards are merged first.

    A study of your own, made with rocscope.run, is written as results.jsonl: one key and value per line.
    """
    place = _place(folder)
    manifest = _manifest(place)
    if _is_paper(manifest):
        export_paper(Path(folder), _options(manifest, data))
    else:
        _export_lines(place, Path(folder) / "results.jsonl")


def _export_lines(place: Path, path: Path) -> None:
    with closing(whole_journal(place)) as journal:
        lines = [_text({"key": key, "value": value}) for key, value in journal.results()]
    write_text("".join(f"{line}\n" for line in lines), path, force=True)
    say(f"wrote {printable(str(path))}: {len(lines)} results")


def _place(folder: str) -> Path:
    if not Path(folder).is_dir():
        raise RocInputError(f"{folder} must be the folder of a study, got none")
    return journal_folder(Path(folder))


def _manifest(place: Path) -> Manifest:
    from rocscope.run.folder import look_at_study

    with look_at_study(place) as journals:
        return journals[0].manifest


def _is_paper(manifest: Manifest) -> bool:
    from rocscope.papers.base import all_papers

    return manifest.name in all_papers()


def _options(manifest: Manifest, data: str | None) -> Options:
    import json

    from rocscope.papers.base import Options

    if not _is_paper(manifest):
        raise RocInputError(
            f"study must be one of `rocscope reproduce`, got {manifest.name!r}: run it where it was made"
        )
    size = json.loads(manifest.parameters)["size"]
    return Options(size=size, data=data_folder(data), seed=manifest.seed)


# ---- How commands run a paper's study ---------------------------------------------------------------------

# Seconds of preparation that need no word.
PREPARATION = 3.0
LOCAL_WORKERS = 2

Data = Annotated[
    str | None,
    typer.Option("--data", metavar="DIR", help="Folder of the data sets; or set ROCSCOPE_DATA."),
]
NJobs = Annotated[int | None, typer.Option("--n-jobs", "--jobs", metavar="N", help="Worker processes.")]
Backend = Annotated[
    Literal["loky", "dask"], typer.Option("--backend", help="What runs the tasks: processes here, or dask.")
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="A running dask scheduler, such as tcp://host:8786."),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", min=0, help="Give up a task that takes longer."),
]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Run tasks that failed before once more.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """Where tasks run, and which part of them."""

    n_jobs: int | None
    backend: str
    scheduler: str | None
    timeout: float | None = None
    shard: str | None = None
    retry_failed: bool = False

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.scheduler is not None and self.backend != "dask":
            raise RocUsageError("--scheduler needs --backend dask")
        if self.scheduler is not None and self.n_jobs is not None:
            raise RocUsageError("--n-jobs must be left out with --scheduler, which has its own workers")
        if self.timeout is not None and self.backend != "loky":
            raise RocUsageError("--timeout needs --backend loky")

    @contextmanager
    def executor(self) -> Iterator[Executor | None]:
        """The dask executor; None for processes here."""
        if self.backend == "loky":
            yield None
            return
        from rocscope.core.execution import count_jobs
        from rocscope.run.dask_executor import DaskExecutor

        workers = LOCAL_WORKERS if self.n_jobs is None else count_jobs(self.n_jobs)
        with DaskExecutor(self.scheduler, n_workers=workers) as executor:
            yield executor


def run_paper(name: str, options: Options, folder: Path, how: How) -> None:
    """Run what is left of a paper's study, then write its tables, figures and README."""
    from rocscope.run.folder import WHOLE, Shard

    shard = WHOLE if how.shard is None else Shard.read(how.shard)
    study = paper_study(name, options)
    for note in study.notes:
        tell(f"{name}: {note}")
    status = _run(_patiently_prepared(study), folder, how, options.data, shard)
    say(str(status))
    if status.failed:
        key, error = status.errors[0]
        again = f"{_resume(folder, options.data)} --retry-failed"
        raise PartlyFailedError(
            f"{status.failed} of {status.total} tasks failed; the first is {key!r}: {error}; retry: {again}"
        )
    if shard != WHOLE:
        say(f"when all {shard.count} shards are done: rocscope study export {shlex.quote(str(folder))}")
        return
    export_paper(folder, options, just_run=True)


def _patiently_prepared(study: Study) -> Study:
    """The study, which says what it does when its preparation takes a while."""
    prepare = study.prepare
    if prepare is None:
        return study
    words = f"{study.name}: getting ready; the first run on a machine compiles, later ones do not"

    def told() -> None:
        slow = Timer(PREPARATION, tell, [words])
        slow.daemon = True
        slow.start()
        try:
            prepare()
        finally:
            slow.cancel()

    return replace(study, prepare=told)


def _run(study: Study, folder: Path, how: How, data: Path | None, shard: Any) -> StudyStatus:
    from rocscope.run.folder import WHOLE, journal_paths
    from rocscope.run.study import run_study

    place = folder if journal_paths(folder) else folder / JOURNAL
    try:
        with how.executor() as executor, watched(study.name) as progress:
            return run_study(
                study,
                place,
                executor=executor,
                n_jobs=how.n_jobs if executor is None else None,
                timeout=how.timeout,
                shard=shard,
                retry_failed=how.retry_failed,
                progress=progress,
            )
    except KeyboardInterrupt:
        again = "the same command" if shard != WHOLE else _resume(folder, data)
        tell(f"\nwhat is done is kept in {printable(str(folder))}; to go on: {again}")
        raise


def _resume(folder: Path, data: Path | None) -> str:
    """The command that goes on with a study."""
    where = "" if data is None else f" --data {shlex.quote(str(data))}"
    return f"rocscope study resume {shlex.quote(str(folder))}{where}"


# ---- The folder of a paper's study, and the study that belongs in it --------------------------------------

JOURNAL = "journal"
# Of a digest that readers see.
DIGITS = 16


def data_folder(data: str | None) -> Path | None:
    """The folder that --data names."""
    if data is not None and not Path(data).is_dir():
        raise RocInputError(f"--data must be a folder, got {data!r}")
    return None if data is None else Path(data)


def study_folder(out: str) -> Path:
    """The folder of a study: a new one, an empty one, or that of an earlier run."""
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise RocInputError(f"{folder} must be a folder, got a file")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / JOURNAL).is_dir():
        raise RocInputError(
            f"{folder} must be new, empty or hold an earlier run of the study, got other files"
        )
    return folder


def journal_folder(folder: Path) -> Path:
    """Where the journals are: in the folder itself, or in its folder of this name."""
    inner = folder / JOURNAL
    return inner if inner.is_dir() else folder


def data_digests(study: Study) -> dict[str, str]:
    """Digests of the data sets that the tasks share, by their names."""
    from rocscope.run.journal import digest_of

    return {one: digest_of([(one, value)])[:DIGITS] for one, value in study.shared.items()}


def paper_study(name: str, options: Options) -> Study:
    """The tasks of a paper, named so that a journal tells how they were made, and of which data."""
    from rocscope.papers.base import find_paper

    study = find_paper(name).make(options)
    parameters = {**study.parameters, "size": options.size, "data": data_digests(study)}
    return replace(study, name=name, seed=options.seed, parameters=parameters)


# ---- What a finished study of a paper is told in: tables, figures and a README ----------------------------


def export_paper(folder: Path, options: Options, *, just_run: bool = False) -> None:
    """Write the folder of a study whose tasks are all done; one that was just run knows its data."""
    from rocscope.papers.base import find_paper, readme
    from rocscope.run.study import status_of

    with closing(whole_journal(journal_folder(folder))) as journal:
        status, data = status_of(journal), _data_of(journal)
        results = dict(journal.results())
    if status.done < status.total:
        raise RocInputError(f"{status}: there is nothing to export yet; {_what_next(folder, status)}")
    if not just_run:
        _check_data(status.name, options, data)
    told = find_paper(status.name).summarise(results, options)
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
    from rocscope.papers.base import find_paper

    try:
        found = data_digests(find_paper(name).make(options))
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
    from rocscope.run.folder import WHOLE, merge_shards, shard_paths
    from rocscope.run.journal import Journal

    return merge_shards(place) if shard_paths(place) else Journal.look(place / WHOLE.file_name)


def _write(told: PaperSummary, folder: Path) -> None:
    for table in told.tables:
        write_text(csv_text([_ordered(row) for row in table.rows]), folder / f"{table.name}.csv", force=True)
    for figure in told.figures:
        write_figure(_picture(figure), folder / f"{figure.name}.png", force=True)


def _ordered(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with paper, ours, difference and mc_error last."""
    last = ("paper", "ours", "difference", "mc_error")
    return {**{name: row[name] for name in row if name not in last}, **{name: row[name] for name in last}}


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
    titles = figure.titles or tuple(panel.title for one in pictures for panel in one.panels)
    panels = [panel for one in pictures for panel in one.panels]
    # Legends in one place keep the panels in line.
    named = [replace(panel, title=title, legend="below") for panel, title in zip(panels, titles, strict=True)]
    return plotting.Picture(panels=tuple(named), columns=min(3, len(named)))


# ---- Progress of a long run, with the time left -----------------------------------------------------------

# Seconds between two lines of progress where no one looks on.
PATIENCE = 10.0
# Tasks by which the others can be judged.
ENOUGH = 4


@contextmanager
def watched(name: str) -> Iterator[Progress]:
    """Show progress with the time left on stderr: a bar on a terminal, else a line now and then."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _Lines(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(name, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # The rate of the whole run foretells the rest: that of the last seconds hangs on the tasks at hand.
    screen = Console(stderr=True)
    with Bar(*columns, console=screen, transient=True, speed_estimate_period=math.inf) as bar:
        task = bar.add_task(name, total=None)

        def show(done: int, total: int) -> None:
            if bar.tasks[0].total is None:  # results of an earlier run must not count as speed
                bar.reset(task, total=total, completed=done)
            else:
                bar.update(task, completed=done)

        yield show


class _Lines:
    """A line of progress every few seconds."""

    def __init__(self, name: str) -> None:
        self._name, self._told = name, monotonic()
        self._first: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        now = monotonic()
        if self._first is None:
            self._first = (now, done)
        if now - self._told < PATIENCE:
            return
        self._told = now
        start, before = self._first
        left = ""
        if done - before >= ENOUGH:
            left = f", about {(now - start) / (done - before) * (total - done):.0f} s left"
        tell(f"{self._name}: {done} of {total} tasks{left}")
