"""The atlas: how often every interval holds the true value, and how often every test rejects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from numpy.random import SeedSequence

from rocscope.atlas.cells import LIMITS, Cell, cell_keys, estimated_hours, simulate_cell
from rocscope.atlas.results import Atlas, summary_rows
from rocscope.papers.base import Options, Paper, PaperSummary, Table, register
from rocscope.run.study import Size, Study, StudyTask


def make(options: Options) -> Study:
    """List the tasks: one for each method and cell.

    Examples
    --------
    >>> make(Options(size="quick")).tasks[0].key[:26]
    'auc/delong/normal 0.7 10+1'
    """
    limits = LIMITS[options.size]
    tasks = [
        StudyTask(
            key=key,
            function=measure,
            parameters={
                "family": family,
                "method": method,
                "cell": {name: getattr(cell, name) for name in Cell.__slots__},
                "size": options.size,
                "study_seed": options.seed,
            },
        )
        for key, (family, method, cell) in cell_keys(options.size).items()
    ]
    return options.study(
        "atlas",
        tasks,
        prepare=partial(_prepare, options.size),
        open=True,
        least=limits.least,
        most=limits.most,
        by_name=limits.by_name,
        batch=limits.batch,
    )


def _prepare(size: Size) -> str:
    """Compile, and say how long the study takes by what some data sets take here."""
    from rocscope.core import kernels

    kernels.warm_up()
    hours = estimated_hours(size)
    time = f"{hours:.1f} hours" if hours > 1 else f"{max(2, math.ceil(60 * hours))} minutes"
    return f"all cells take about {time} of one processor, by the time of some data sets"


def measure(
    family: str, method: str, cell: Mapping[str, Any], size: Any, study_seed: int, seed: SeedSequence
) -> Any:
    """What happened in one cell to every quantity of a family."""
    others = tuple((name, value) for name, value in cell["others"])
    return simulate_cell(family, method, Cell(**{**cell, "others": others}), LIMITS[size], study_seed, seed)


def summarise(results: Mapping[str, Any], options: Options) -> PaperSummary:
    """The table of all cells, and one of methods: the worst cell, and how many are within bounds."""
    atlas = Atlas.of(results, cell_keys(options.size))
    rows = summary_rows(atlas)
    findings = tuple(
        f"{row['family']}, {row['quantity']}, {row['method']}: {row['within']} of {row['cells']} cells "
        f"within bounds, {100 * row['lowest']:.1f} to {100 * row['highest']:.1f} %"
        for row in rows
        if row["default"] and row["lowest"] is not None
    )
    return PaperSummary(
        tables=(Table(name="atlas", rows=atlas.to_rows()), Table(name="methods", rows=rows)),
        findings=findings,
        choices=CHOICES,
    )


CHOICES = (
    "Five laws of scores, continuous and in five categories; the true area is exact, that of categories too.",
    "A cell stops when the 99.9 % Wilson interval of its rate no longer holds 93 or 98 % (tests: 6.5 %), "
    f"after {LIMITS['full'].least} data sets at the earliest and {LIMITS['full'].most} at the latest, or "
    f"{LIMITS['full'].by_name} for methods that are no defaults.",
    "All methods of a cell see the same data sets.",
)
CITATION = "A study of rocscope's own: coverage and width of its intervals, size and power of its tests."
register(Paper("atlas", CITATION, make, summarise, "how well intervals and tests keep their word"))
