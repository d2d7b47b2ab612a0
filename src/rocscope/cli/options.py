"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Table with named columns: CSV, Parquet or JSON lines; - reads CSV from standard input.",
    ),
]
Format = Annotated[
    Literal["csv", "parquet", "jsonl"] | None,
    typer.Option("--format", help="Format of the file, where its ending does not tell."),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Memory that reading may take, such as 512MB or 2GiB; rows that do not fit are refused.",
    ),
]
TempLimit = Annotated[
    str | None,
    typer.Option(
        "--temp-limit",
        metavar="SIZE",
        help="Disk that temporary files may take, such as an unpacked gzip file; 90% of what is free "
        "unless given.",
    ),
]
Label = Annotated[str, typer.Option("--label", metavar="COLUMN", help="Column of the true classes.")]
Scores = Annotated[
    list[str],
    typer.Option(
        "--score", metavar="COLUMN", help="Column of scores, larger for the positive class; may be repeated."
    ),
]
PosLabel = Annotated[
    str | None,
    typer.Option(
        "--pos-label",
        metavar="LABEL",
        help="The positive class; not needed for 0/1, -1/1 and true/false.",
    ),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level of intervals.")]
Alternative = Annotated[
    Literal["two-sided", "less", "greater"],
    typer.Option("--alternative", help="Side of tests and intervals."),
]
Na = Annotated[
    Literal["error", "drop"],
    typer.Option("--na", help="What to do with rows that lack a value: refuse them, or leave them out."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Out = Annotated[
    str | None,
    typer.Option(
        "--out", metavar="PATH", help="Also write a figure (.png .svg .pdf), a table (.csv) or .json."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
NBoot = Annotated[
    int | None,
    typer.Option(
        "--n-boot", metavar="N", help="Bootstrap replicates, or random exchanges; 2000 unless given."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="Seed of the random numbers; the same seed gives the same numbers."),
]
Features = Annotated[
    list[str] | None,
    typer.Option("--feature", metavar="COLUMN", help="Feature of a model; all numbers unless given."),
]
NJobs = Annotated[
    int | None,
    typer.Option(
        "--n-jobs",
        metavar="N",
        help="Processes; -1 for all cores. Any number of them gives the same numbers.",
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout", metavar="SECONDS", help="Give up trainings that take longer: a fold, or ten replicates."
    ),
]
Fpr = Annotated[
    str | None,
    typer.Option("--fpr", metavar="LOW,HIGH", help="Area over this range of false positive rates alone."),
]
Tpr = Annotated[
    str | None,
    typer.Option("--tpr", metavar="LOW,HIGH", help="Area over this range of true positive rates alone."),
]
Standardize = Annotated[
    bool, typer.Option("--standardize", help="Partial area on a scale from 0.5 (chance) to 1 (perfect).")
]
