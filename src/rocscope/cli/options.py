"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

File = Annotated[
    str, typer.Argument(metavar="FILE", help="CSV file with a header line; - reads standard input.")
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
