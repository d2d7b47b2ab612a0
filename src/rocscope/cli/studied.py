"""How commands run a paper's study and write its folder."""

from __future__ import annotations

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

from rocscope.cli.echo import say, tell
from rocscope.cli.output import csv_text, write_figure, write_text
from rocscope.cli.tables import printable
from rocscope.errors import PartlyFailedError, RocInputError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.execute import Executor, Progress
    from rocscope.run.journal import Journal
    from rocscope.run.study import Study, StudyStatus
    from rocscope.studies.base import Figure, Options, Told
    from rocscope.views import Picture

JOURNAL = "journal"
# Seconds between two lines of progress where no one looks on.
PATIENCE = 10.0
# Seconds of preparation that need no word.
PREPARATION = 3.0
# Tasks by which the others can be judged.
ENOUGH = 4
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
        from rocscope.core.execute import count_jobs
        from rocscope.run.dask_executor import DaskExecutor

        workers = LOCAL_WORKERS if self.n_jobs is None else count_jobs(self.n_jobs)
        with DaskExecutor(self.scheduler, n_workers=workers) as executor:
            yield executor


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


def run_paper(name: str, options: Options, folder: Path, how: How) -> None:
    """Run what is left of a paper's study, then write its tables, figures and README."""
    from rocscope.run.shards import WHOLE, Shard

    shard = WHOLE if how.shard is None else Shard.read(how.shard)
    study = paper_study(name, options)
    for note in study.notes:
        tell(f"{name}: {note}")
    status = _run(_patiently_prepared(study), folder, how, shard)
    say(str(status))
    if status.failed:
        key, error = status.errors[0]
        again = f"rocscope study resume {shlex.quote(str(folder))} --retry-failed"
        raise PartlyFailedError(
            f"{status.failed} of {status.total} tasks failed; the first is {key!r}: {error}; retry: {again}"
        )
    if shard != WHOLE:
        say(f"when all {shard.count} shards are done: rocscope study export {shlex.quote(str(folder))}")
        return
    export_paper(folder, options)


def paper_study(name: str, options: Options) -> Study:
    """The tasks of a paper, named so that a journal tells how they were made."""
    from rocscope.studies.base import find_study

    study = find_study(name).make(options)
    parameters = {**study.parameters, "size": options.size}
    return replace(study, name=name, seed=options.seed, parameters=parameters)


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


def _run(study: Study, folder: Path, how: How, shard: Any) -> StudyStatus:
    from rocscope.run.folder import journal_paths, merge_shards, shard_paths
    from rocscope.run.shards import WHOLE
    from rocscope.run.study import run_study

    place = folder if journal_paths(folder) else folder / JOURNAL
    if shard == WHOLE and shard_paths(place):
        merge_shards(place).close()
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
        again = "the same command" if shard != WHOLE else f"rocscope study resume {shlex.quote(str(folder))}"
        tell(f"\nwhat is done is kept in {printable(str(folder))}; to go on: {again}")
        raise


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


def export_paper(folder: Path, options: Options) -> None:
    """Write the folder of a study whose tasks are all done."""
    from rocscope.run.study import status_of
    from rocscope.studies.base import find_study
    from rocscope.studies.writing import readme

    with closing(whole_journal(journal_folder(folder))) as journal:
        status = status_of(journal)
        results = dict(journal.results())
    if status.done < status.total:
        raise RocInputError(f"{status}: there is nothing to export yet; {_what_next(folder)}")
    told = find_study(status.name).tell(results, options)
    _write(told, folder)
    command = f"rocscope reproduce {status.name} --{options.size} --seed {options.seed}"
    write_text(readme(told, options, status, command), folder / "README.md", force=True)
    for finding in told.findings:
        say(finding)
    say(f"wrote {printable(str(folder / 'README.md'))}")


def _what_next(folder: Path) -> str:
    from rocscope.run.folder import is_running

    if is_running(journal_folder(folder)):
        return "a run is under way"
    return f"to go on: rocscope study resume {shlex.quote(str(folder))}"


def whole_journal(place: Path) -> Journal:
    """The journal of the whole study; those of shards are merged into it."""
    from rocscope.run.folder import journal_paths, merge_shards, shard_paths
    from rocscope.run.journal import Journal

    if shard_paths(place):
        return merge_shards(place)
    paths = journal_paths(place)
    if not paths:
        raise RocInputError(f"{place} must hold the journal of a study, got none")
    return Journal.look(paths[0])


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
