"""How commands run a paper's study."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli.echo import say, tell
from rocscope.cli.study_folder import JOURNAL, paper_study
from rocscope.cli.study_pages import export_paper
from rocscope.cli.study_progress import watched
from rocscope.cli.tables import printable
from rocscope.errors import PartlyFailedError, RocUsageError

if TYPE_CHECKING:
    from rocscope.core.execute import Executor
    from rocscope.run.study import Study, StudyStatus
    from rocscope.studies.base import Options

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
        from rocscope.core.execute import count_jobs
        from rocscope.run.dask_executor import DaskExecutor

        workers = LOCAL_WORKERS if self.n_jobs is None else count_jobs(self.n_jobs)
        with DaskExecutor(self.scheduler, n_workers=workers) as executor:
            yield executor


def run_paper(name: str, options: Options, folder: Path, how: How) -> None:
    """Run what is left of a paper's study, then write its tables, figures and README."""
    from rocscope.run.shards import WHOLE, Shard

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
    from rocscope.run.folder import journal_paths
    from rocscope.run.shards import WHOLE
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
