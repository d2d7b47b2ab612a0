"""`rocscope sql`: the query that counts cases where they are, for any database."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.errors import RocUsageError

BINS = 4096


def sql(
    *,
    table: Annotated[str, Parameter(metavar="NAME | SELECT")],
    label: opt.Label,
    score: Annotated[str, Parameter(metavar="COLUMN")],
    dialect: str = "duckdb",
    bins: opt.Count | None = None,
    exact: opt.Flag = False,
    range: Annotated[tuple[float, float], opt.text_option(opt.read_range, "LOW,HIGH")] | None = None,
    pos_label: opt.PosLabel = "1",
    neg_label: Annotated[str, Parameter(metavar="LABEL")] | None = None,
) -> None:
    """Print a query that counts the cases of a table of a database by score, or by bins of the scores.

    Save its answer as CSV or Parquet: rocscope auc, points and compare read it with --counts score,pos,neg,
    and report reads counts by score. These are exact. Counts by bins are few whatever the table, and results
    say how far they may be from those of the scores; answers for parts of the cases add up where the bins are
    the same.

    Cases without a label, or with another one than the two, are counted in a row without a score, which is
    refused when it is read, unless by --na drop.

    Parameters
    ----------
    table
        Table or view, with points between the parts of its path; or a SELECT.
    score
        Column of scores.
    dialect
        Language of the database: duckdb, postgres, sqlite, spark, bigquery, snowflake, mysql, trino and
        others that sqlglot knows.
    bins
        Count by bins, about so many between LOW and HIGH; 4096 unless given.
    exact
        Count by score.
    range
        Where most scores lie; 0,1 unless given. Others are counted in bins of the same width.
    pos_label
        The positive class; text that looks like a number or like true and false is one.
    neg_label
        The negative class; unless given 0, or with --pos-label every other label.

    Examples
    --------
    rocscope sql --table cases --label y --score s --dialect postgres
    rocscope sql --table shop.orders --label fraud --score risk --bins 65536 --dialect bigquery
    rocscope sql --table "SELECT * FROM cases WHERE year = 2024" --label y --score s --exact
    """
    from rocscope.io.sql import check_dialect, count_query

    if exact and (bins is not None or range is not None):
        raise RocUsageError("--exact must be left out with --bins and --range")
    if range is not None and not range[0] < range[1]:
        raise RocUsageError(f"--range must be a pair with low < high, got {range}")
    check_dialect(dialect)
    query = count_query(
        table,
        label=label,
        score=score,
        pos_label=read_label(pos_label),
        neg_label=None if neg_label is None else read_label(neg_label),
        bins=None if exact else BINS if bins is None else bins,
        low=0.0 if range is None else range[0],
        high=1.0 if range is None else range[1],
        dialect=dialect,
    )
    out.say(query)


def read_label(text: str) -> str | int | float | bool:
    """Read a label as what it looks like.

    Examples
    --------
    >>> read_label("1"), read_label("true"), read_label("ill"), read_label("0.5")
    (1, True, 'ill', 0.5)
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
