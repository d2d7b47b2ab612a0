"""`rocscope reproduce`: a paper's own experiment, its numbers beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from rocscope.cli import study
from rocscope.cli.options import check_jobs
from rocscope.cli.study import How, data_folder, run_paper, study_folder

EXAMPLES = (
    "rocscope reproduce yousef --quick --out yousef",
    "rocscope reproduce paclik --full --data data --out paclik --n-jobs 2",
    "rocscope reproduce winkler --out winkler --backend dask --scheduler tcp://host:8786",
    "rocscope reproduce yousef --out yousef --shard 1/3",
)


def reproduce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="paclik, winkler, marrocco, aslan or yousef.")],
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="Folder for tables, figures, README and journal.")
    ],
    quick: Annotated[
        bool, typer.Option("--quick/--full", help="A shortened form of seconds, or all of it.")
    ] = False,
    data: study.Data = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the study.")] = 0,
    n_jobs: study.NJobs = None,
    backend: study.Backend = "loky",
    scheduler: study.Scheduler = None,
    timeout: study.Timeout = None,
    shard: Annotated[
        str | None,
        typer.Option("--shard", metavar="I/N", help="Run part I of N alone, as a batch system wants it."),
    ] = None,
    retry_failed: study.RetryFailed = False,
) -> None:
    """Repeat the experiment of a paper, and write its tables with the paper's numbers beside ours.

    Every result goes to a journal in the folder as it arrives: whatever ends the run, the same command goes
    on where it was. The README in the folder says what was the same as in the paper, what had to be chosen,
    what could not be had, and where the paper contradicts itself.

    Data sets come from --data or ROCSCOPE_DATA, from an installed data package, or from OpenML; with
    ROCSCOPE_OFFLINE=1 OpenML is not asked. What cannot be had is named, and left out.

    Shards share one folder, or their journals are copied into one; `rocscope study export` merges them.
    """
    from rocscope.papers.base import Options, find_paper
    from rocscope.run.folder import Shard

    check_jobs(n_jobs)
    find_paper(name)
    how = How(
        n_jobs=n_jobs,
        backend=backend,
        scheduler=scheduler,
        timeout=timeout,
        shard=shard,
        retry_failed=retry_failed,
    )
    how.check()
    if shard is not None:
        Shard.read(shard)
    options = Options(size="quick" if quick else "full", data=data_folder(data), seed=seed)
    run_paper(name, options, study_folder(out), how)
