"""Counting where the rows are: one GROUP BY query in the language of any database, and its answer as a table.

sqlglot writes the languages from one tree of expressions. Names of tables and columns are identifiers in
quotes, labels are literals: whatever a name holds, it names a column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.bins import EXACT, BinnedTable, check_step, step_for
from rocscope.core.rules import Direction
from rocscope.core.scores import read_binary_labels
from rocscope.core.table import LabelledTable
from rocscope.errors import RocInputError, require
from rocscope.io.counts import check_classes, counted_table

if TYPE_CHECKING:
    from sqlglot import exp

# Literals that every database knows as whole numbers.
FINEST, COARSEST = 2.0**-52, 2.0**52
# Beyond these, scores do not set the width of bins.
LARGEST = "1e300"
BINS = 65_536
COARSE = 8  # bins of the first pass over the rows, as a part of all
SPLIT, MOST_PASSES, MOST_BINS = 6, 12, 4_000_000  # cells are cut into 2^6, as often as so
CELLS_AT_ONCE = 5_000  # in one query
ROWS_AT_ONCE = 100_000
MOST_LABELS = 1_000
# The language of a connection, by the library it comes from.
LANGUAGES = {
    "sqlite3": "sqlite",
    "duckdb": "duckdb",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pg8000": "postgres",
    "pyspark": "spark",
    "google": "bigquery",
    "snowflake": "snowflake",
    "pymysql": "mysql",
    "MySQLdb": "mysql",
    "clickhouse_driver": "clickhouse",
    "trino": "trino",
    "databricks": "databricks",
}


def count_query(
    table: str,
    *,
    label: str,
    score: str,
    pos_label: Any = 1,
    neg_label: Any = None,
    bins: int | None = None,
    low: float = 0.0,
    high: float = 1.0,
    dialect: str = "duckdb",
) -> str:
    """Return the query that counts positives and negatives by score, or by bin.

    Parameters
    ----------
    table
        Name of a table, with points between the parts of its path; or a SELECT in the language of `dialect`.
    label, score
        Columns.
    pos_label, neg_label
        The two labels: 1 and 0 unless given; with `pos_label` alone all other labels are the negative class.
        Cases without a label, or with a third one, are counted in a row without a score.
    bins
        Count by bins; None counts by score.
    low, high
        Where most scores lie: about so many bins lie there, others have the same width.
    dialect
        What the database is called by sqlglot: duckdb, postgres, sqlite, spark, bigquery, snowflake, ...

    Examples
    --------
    >>> print(count_query("cases", label="y", score="s", pos_label="ill", dialect="sqlite"))
    SELECT
      score,
      SUM(positive) AS pos,
      SUM(1 - positive) AS neg
    FROM (
      SELECT
        CASE WHEN NOT "y" IS NULL THEN "s" END AS score,
        CASE WHEN "y" = 'ill' THEN 1 ELSE 0 END AS positive
      FROM "cases"
    ) AS cells
    GROUP BY
      score
    """
    default = pos_label == 1 and not isinstance(pos_label, bool)
    labels = [0] if neg_label is None and default else [] if neg_label is None else [neg_label]
    check_dialect(dialect)
    query = _Query(table, label, score, [pos_label], labels, dialect)
    if bins is None:
        return query.text(query.by_score())
    checks.check_integer(bins, name="bins", low=1)
    low, high = checks.check_number(low, name="low"), checks.check_number(high, name="high")
    if not low < high:
        raise RocInputError(f"must be above low ({low:g}), got {high:g}", argument="high")
    return query.text(query.by_bin(_step(step_for(low, high, bins))))


def from_query(
    connection: Any,
    table: Any = None,
    *,
    label: str,
    score: str,
    pos_label: Any = None,
    bins: int | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    na: str = "error",
    direction: Direction = "higher",
    dialect: str | None = None,
) -> LabelledTable:
    """Count the cases of a table of a database, which does the work.

    Parameters
    ----------
    connection
        A connection of DB-API or ADBC, a session of Spark, a connection of ibis; or an ibis table alone.
    table
        Name of a table or view, with points between the parts of its path; or a SELECT.
    label, score
        Columns.
    pos_label
        The label of the positive class, as in `auc`.
    bins, step
        Count in bins instead of by score: about so many, narrow where they hide most (two passes over the
        rows); or bins of one width, a power of two, whose tables add up.
    tolerance
        Make bins narrower until the area is known to within this, in up to twelve passes.
    na
        What to do with cases that lack a score or a label: "error", or "drop" to leave them out.
    direction
        Which scores stand for the positive class: "higher" ones, or "lower" ones; never guessed.
    dialect
        The language of the database, where its connection does not show it.

    Returns
    -------
    LabelledTable
        The exact table; a `BinnedTable`, with its bounds, where there are bins. More passes than two are made
        where a few scores lie far from the others.

    Examples
    --------
    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> _ = connection.execute("CREATE TABLE cases (y INT, s REAL)")
    >>> _ = connection.execute("INSERT INTO cases VALUES (1, 0.9), (0, 0.2), (1, 0.2)")
    >>> from_query(connection, "cases", label="y", score="s").auc
    0.75
    """
    checks.check_choice(na, ("error", "drop"), name="na")
    if bins is not None and step is not None:
        raise RocInputError("must be left out with bins", argument="step")
    if bins is not None:
        checks.check_integer(bins, name="bins", low=1)
    if tolerance is not None:
        checks.check_number(tolerance, name="tolerance", low=0)
    engine = _engine(connection, table, dialect)
    columns = _Query(engine.table, label, score, [], [], engine.dialect)
    found = engine.rows(columns.text(columns.labels()))
    present = [value for value, _ in found if value is not None]
    where = f"column {label!r} of the query"
    if not present:
        raise RocInputError("the query must give rows with labels, got none")
    if len(present) > MOST_LABELS:
        raise RocInputError(f"{where} must hold two labels, got more than {MOST_LABELS}")
    labels = np.array([_plain(value) for value in present])
    positive, neg_name, pos_name = read_binary_labels(labels, pos_label, name=where)
    values = [_plain(value) for value, one in zip(present, positive.tolist(), strict=True) if one]
    query = _Query(engine.table, label, score, values, [], engine.dialect)
    reading = _Reading(
        engine, query, na, direction, {"name": score, "pos_label": pos_name, "neg_label": neg_name}
    )
    if bins is None and step is None and tolerance is None:
        return reading.table(query.by_score())
    if step is None:
        low, high = engine.rows(query.text(query.ends()))[0]
        known = low is not None and high is not None
        ends = (float(low), float(high)) if known else (0.0, 1.0)
        step = _step(step_for(*ends, max((bins or BINS) // COARSE, 1)))
    else:
        step = _step(check_step(step))
        if tolerance is None:
            return reading.table(query.by_bin(step))
    binned = reading.table(query.by_bin(step))
    assert isinstance(binned, BinnedTable)
    for done in range(MOST_PASSES if tolerance is None else 0):
        times = binned.halvings(bins or BINS)
        if times.max() <= min(done, 1):  # one pass, unless a few scores lie far from the others
            break
        binned = reading.refined(binned, times)
    if tolerance is None:
        return binned
    for _ in range(MOST_PASSES):
        if binned.bound <= tolerance:
            break
        # The bins that hide most, until what the others hide is a small part of the tolerance.
        order = np.argsort(-binned.hidden)
        rest = binned.hidden.sum() - np.cumsum(binned.hidden[order])
        enough = np.searchsorted(-rest, -tolerance / 4 * 2.0 * binned.n_pos * binned.n_neg) + 1
        times = np.zeros(order.size, dtype=np.int64)
        times[order[: min(enough, MOST_BINS >> SPLIT)]] = SPLIT
        times[binned.hidden == 0] = 0
        binned = reading.refined(binned, times)
    return binned


def _step(step: float) -> float:
    return min(max(step, FINEST), COARSEST)


def check_dialect(dialect: Any) -> None:
    """Refuse a language that sqlglot does not know."""
    checks.check_choice(dialect, _dialects(), name="dialect")


def _dialects() -> list[str]:
    sqlglot = require("sqlglot", "a query for a database")
    return sorted(one.value for one in sqlglot.Dialects if one.value)


# ---- The query --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Query:
    """Cases of one table of a database, counted."""

    table: str
    label: str
    score: str
    positive: Sequence[Any]
    negative: Sequence[Any]
    dialect: str

    def text(self, tree: exp.Expression) -> str:
        """The query in the language of the database."""
        return tree.sql(dialect=self.dialect, pretty=True)

    def by_score(self) -> exp.Expression:
        """Counts of every score."""
        from sqlglot import exp

        cells = self._cells(exact=True)
        return exp.select("score", *_sums()).from_(cells.subquery("cells")).group_by("score")

    def by_bin(self, step: float, within: tuple[float, Sequence[float]] | None = None) -> exp.Expression:
        """Counts of the cells of this width; of those within some wider cells alone."""
        from sqlglot import exp

        cells = self._cells(exact=False).subquery("cells")
        placed = exp.select("score", "positive", exp.alias_(_edge(step), "bin_low")).from_(cells)
        if within is not None:
            width, edges = within
            numbers = [
                exp.Literal.number(repr(int(edge / width)))
                if edge >= 0
                else exp.Neg(this=exp.Literal.number(repr(-int(edge / width))))
                for edge in edges
            ]
            placed = placed.where(exp.In(this=_scaled_floor(width), expressions=numbers))
        width_ = exp.Div(this=_double(_whole(step)), expression=_whole(1 / step))
        ends = "MIN(score) AS score", "MAX(score) AS highest"
        single = "CASE WHEN MIN(score) = MAX(score) THEN 1 ELSE 0 END AS single"
        return (
            exp.select(*ends, single, "bin_low", exp.alias_(width_, "bin_width"), *_sums())
            .from_(placed.subquery("placed"))
            .group_by("bin_low")
        )

    def ends(self) -> exp.Expression:
        """The lowest and the highest score."""
        from sqlglot import exp

        cells = self._cells(exact=False).subquery("cells")
        return (
            exp.select("MIN(score) AS low", "MAX(score) AS high")
            .from_(cells)
            .where(f"score BETWEEN -{LARGEST} AND {LARGEST}")
        )

    def labels(self) -> exp.Expression:
        """The different labels, and how many cases have each."""
        from sqlglot import exp

        label = exp.alias_(_column(self.label), "label")
        cells = exp.select(label).from_(self._source()).subquery("cells")
        query = exp.select("label", "COUNT(*) AS n").from_(cells).group_by("label")
        return query.limit(MOST_LABELS + 2)

    def _cells(self, *, exact: bool) -> exp.Select:
        """Score and class of every case; no score where the class is unknown."""
        from sqlglot import exp

        label, score = _column(self.label), _column(self.score)
        is_positive = _is_one_of(label, self.positive)
        known: exp.Expression = label.is_(exp.null()).not_()
        if self.negative:
            known = _is_one_of(_column(self.label), [*self.positive, *self.negative])
        value = score if exact else _double(score)
        return exp.select(
            exp.alias_(exp.Case().when(known, value), "score"),
            exp.alias_(exp.Case().when(is_positive, "1").else_("0"), "positive"),
        ).from_(self._source())

    def _source(self) -> exp.Expression:
        sqlglot = require("sqlglot", "a query for a database")
        from sqlglot import exp

        words = self.table.split(None, 1)
        if words and words[0].lower() in ("select", "with"):
            try:
                trees = sqlglot.parse(self.table, read=self.dialect)
            except (sqlglot.errors.SqlglotError, ValueError) as error:
                text = str(error).partition("\n")[0]
                got = f"got what cannot be read: {text}"
                raise RocInputError(f"must be one SELECT, {got}", argument="table") from error
            tree = trees[0]
            if len(trees) > 1 or not isinstance(tree, exp.Query):
                raise RocInputError(f"must be one SELECT, got {checks.show(self.table)}", argument="table")
            return tree.subquery("source")
        parts = self.table.split(".")
        if not 1 <= len(parts) <= 3 or not all(parts):
            raise RocInputError(
                f"must be the name of a table or a SELECT, got {checks.show(self.table)}", argument="table"
            )
        names = [exp.to_identifier(part, quoted=True) for part in reversed(parts)]
        return exp.Table(**dict(zip(("this", "db", "catalog"), names, strict=False)))


def _column(name: str) -> exp.Expression:
    from sqlglot import exp

    checks.check_instance(name, str, name="the name of a column")
    return exp.column(exp.to_identifier(name, quoted=True))


def _sums() -> tuple[str, str]:
    return "SUM(positive) AS pos", "SUM(1 - positive) AS neg"


def _literal(value: Any) -> exp.Expression:
    """A label as a literal of its own type."""
    from sqlglot import exp

    if isinstance(value, (bool, np.bool_)):
        return exp.true() if value else exp.false()
    if isinstance(value, (int, np.integer, float, np.floating)):
        number = exp.Literal.number(repr(abs(value.item() if isinstance(value, np.generic) else value)))
        return exp.Neg(this=number) if value < 0 else number
    return exp.Literal.string(str(value))


def _is_one_of(column: exp.Expression, values: Sequence[Any]) -> exp.Expression:
    from sqlglot import exp

    if len(values) == 1:
        return exp.EQ(this=column, expression=_literal(values[0]))
    return exp.In(this=column, expressions=[_literal(value) for value in values])


def _double(value: exp.Expression) -> exp.Expression:
    from sqlglot import exp

    return exp.cast(value, exp.DataType.Type.DOUBLE)


def _whole(number: float) -> exp.Expression:
    """A power of two as a whole number; 1 where it is a fraction, whose inverse is written elsewhere."""
    from sqlglot import exp

    return exp.Literal.number(str(int(max(number, 1.0))))


def _scaled_floor(step: float) -> exp.Expression:
    """The number of the cell of a score; products and quotients of powers of two are exact everywhere."""
    from sqlglot import exp

    score = exp.column("score")
    scaled = (
        exp.Mul(this=score, expression=_whole(1 / step))
        if step <= 1
        else exp.Div(this=score, expression=_whole(step))
    )
    return _double(exp.Floor(this=scaled))


def _edge(step: float) -> exp.Expression:
    """The lower edge of the cell of a score, as `core.bins.lower_edges` has it."""
    from sqlglot import exp

    floor = _scaled_floor(step)
    edge = (
        exp.Div(this=floor, expression=_whole(1 / step))
        if step <= 1
        else exp.Mul(this=floor, expression=_whole(step))
    )
    largest = exp.Literal.number(str(int(EXACT * step)))
    alone = exp.GTE(this=exp.Abs(this=exp.column("score")), expression=largest)
    return exp.Case().when(alone, exp.column("score")).else_(edge)


# ---- Its answer -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Engine:
    """What answers a query, and its language."""

    table: str
    dialect: str
    rows: Callable[[str], list[Sequence[Any]]]


def _engine(connection: Any, table: Any, dialect: str | None) -> _Engine:
    """How a connection is spoken to."""
    root = type(connection).__module__.partition(".")[0].removeprefix("_")
    if root == "ibis":
        return _ibis_engine(connection, table)
    checks.check_instance(table, str, name="table")
    language = dialect or LANGUAGES.get(root)
    if root == "adbc_driver_manager" and dialect is None:
        vendor = str(connection.adbc_get_info().get("vendor_name", "")).lower()
        language = {"postgresql": "postgres"}.get(vendor, vendor) or None
    if language is None:
        got = f"for a connection of {root}"
        raise RocInputError(f"must be given {got}: {', '.join(_dialects())}", argument="dialect")
    check_dialect(language)
    if root == "pyspark":
        return _Engine(table, language, lambda sql: [tuple(row) for row in connection.sql(sql).collect()])
    if not hasattr(connection, "cursor"):
        raise RocInputError(
            f"must be a connection of DB-API or ADBC, a session of Spark or a table of ibis, got "
            f"{checks.show(connection)}",
            argument="connection",
        )

    def rows(sql: str) -> list[Sequence[Any]]:
        # A cursor of DuckDB does not see what its connection has registered.
        cursor = connection if root == "duckdb" else connection.cursor()
        try:
            answer = cursor.execute(sql)
            source = answer if hasattr(answer, "fetchmany") else cursor
            every = list[Sequence[Any]]()
            while some := source.fetchmany(ROWS_AT_ONCE):
                every += some
        except MemoryError:
            raise
        except Exception as error:
            text = str(error).strip().partition("\n")[0] or type(error).__name__
            raise RocInputError(f"the query was refused by the database: {text}") from error
        finally:
            if cursor is not connection:
                cursor.close()
        return every

    return _Engine(table, language, rows)


def _ibis_engine(connection: Any, table: Any) -> _Engine:
    """An ibis table, or a connection of ibis with the name of a table or a SELECT."""
    import ibis

    source, backend = table, connection
    if hasattr(connection, "get_backend"):
        source, backend = str(ibis.to_sql(connection)), connection.get_backend()
    checks.check_instance(source, str, name="table")
    dialect = str(backend.name)

    def rows(sql: str) -> list[Sequence[Any]]:
        found = backend.sql(sql, dialect=dialect).to_pyarrow()
        return list(zip(*(column.to_pylist() for column in found.columns), strict=True))

    return _Engine(source, {"pyspark": "spark"}.get(dialect, dialect), rows)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The answers to queries as tables."""

    engine: _Engine
    query: _Query
    na: str
    direction: Direction
    labels: dict[str, Any]

    def table(self, *trees: exp.Expression, kept: BinnedTable | None = None) -> LabelledTable:
        """One table of all answers, and of bins that are known already."""
        rows = [row for tree in trees for row in self.engine.rows(self.query.text(tree))]
        names = [one.alias_or_name for one in trees[0].selects]  # type: ignore[attr-defined]
        columns = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}
        numbers = {name: _numbers(values, name) for name, values in columns.items()}
        if not rows:
            raise RocInputError("the query must give counts, got none")
        lacking = np.array([_is_missing(value) for value in columns["score"]])
        warnings = tuple[str, ...]()
        if lacking.any():
            n = int(sum(np.asarray(numbers[name])[lacking].sum() for name in ("pos", "neg")))
            if self.na == "error":
                raise RocInputError(
                    f"the query must have a score and a label for every case, got {n} that lack one of them",
                    remedy=("na", "drop", "{} leaves them out"),
                )
            left = f"{n} row{'s' * (n > 1)} with missing values left out"
            warnings = (left,)
        numbers = {name: values[~lacking] for name, values in numbers.items()}
        if kept is not None:
            warnings = kept.warnings
            numbers = {
                name: np.concatenate([numbers[name], values]) for name, values in _columns(kept).items()
            }
        where = {name: f"column {name!r} of the query" for name in numbers}
        labels = {**self.labels, "warnings": warnings}
        table = counted_table(numbers, where, what="the query", direction=self.direction, **labels)
        check_classes(table, where)
        return table

    def refined(self, binned: BinnedTable, times: NDArray[np.int64]) -> BinnedTable:
        """The table with the cells of some bins halved so many times: only their rows are counted again."""
        times = np.minimum(times, np.log2(np.maximum(binned.width, FINEST) / FINEST).astype(np.int64))
        trees = []
        low = binned.low if self.direction == "higher" else 0 - (binned.low + binned.width)
        for width, halved in sorted({*zip(binned.width[times > 0], times[times > 0], strict=True)}):
            chosen = low[(binned.width == width) & (times == halved)]
            for start in range(0, chosen.size, CELLS_AT_ONCE):
                edges = chosen[start : start + CELLS_AT_ONCE].tolist()
                trees.append(self.query.by_bin(float(width / 2.0**halved), (float(width), edges)))
        if not trees:
            return binned
        kept = times == 0
        # Of the bins that stay, their sums alone are of use.
        names = ("scores", "pos", "neg", "highest", "single", "low", "width")
        rest = replace(binned, **{name: getattr(binned, name)[kept] for name in names})
        table = self.table(*trees, kept=rest)
        assert isinstance(table, BinnedTable)
        return table


def _columns(binned: BinnedTable) -> dict[str, NDArray[Any]]:
    """A table of bins in the columns of a query."""
    lower = binned.direction == "lower"
    return {
        "score": 0 - binned.highest if lower else binned.scores,
        "highest": 0 - binned.scores if lower else binned.highest,
        "single": binned.single.astype(np.int64),
        "bin_low": 0 - (binned.low + binned.width) if lower else binned.low,
        "bin_width": np.where(binned.width > 0, binned.width, 1.0),
        "pos": binned.pos,
        "neg": binned.neg,
    }


def _plain(value: Any) -> Any:
    """A label of a database as plain Python."""
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _numbers(values: Iterable[Any], name: str) -> NDArray[Any]:
    """A column of numbers; whole ones stay whole."""
    cells = [0 if _is_missing(value) else _plain(value) for value in values]
    if not all(isinstance(cell, (int, float, np.integer, np.floating)) for cell in cells):
        wrong = next(cell for cell in cells if not isinstance(cell, (int, float)))
        raise RocInputError(f"column {name!r} of the query must hold numbers, got {checks.show(wrong)}")
    return np.array(cells)
