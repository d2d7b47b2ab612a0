"""Counting in databases: the same tables from all of them, odd names as names, bad answers refused."""

import csv
import json
import shutil
import sqlite3
from pathlib import Path

import duckdb
import numpy as np
import pytest

import postgres
import rocscope as rs
from rocscope.cli import main
from rocscope.core.bins import BinnedTable
from rocscope.io.counts import read_counts
from rocscope.io.sql import count_query, from_query

LABEL, SCORE = 'la"bel', '"; DROP TABLE cases; --'
RNG = np.random.default_rng(23)
Y = (RNG.random(1500) < 0.3).astype(int)
S = np.where(RNG.random(1500) < 0.2, np.round(RNG.normal(Y), 1), RNG.normal(Y))
S[:4] = [-0.0, 0.0, 1e17, -3.0]
EXACT = rs.BinaryScores.from_arrays(Y, S).table()


def quoted(name, mark='"'):
    return mark + name.replace(mark, 2 * mark) + mark


def fill(connection, place="?"):
    cursor = connection.cursor() if place == "%s" else connection
    names = f"{quoted(LABEL)} INTEGER, {quoted(SCORE)} DOUBLE PRECISION"
    cursor.execute(f"CREATE TABLE cases ({names})")
    rows = list(zip(Y.tolist(), S.tolist(), strict=True))
    cursor.executemany(f"INSERT INTO cases VALUES ({place}, {place})", rows)
    connection.commit()
    return connection


def sqlite():
    return fill(sqlite3.connect(":memory:"))


@pytest.fixture(scope="module")
def address():
    if postgres.program("initdb") is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    pytest.importorskip("psycopg")
    with postgres.server() as found:
        yield found


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "spark"], scope="module")
def engine(request):
    """A connection with the cases, and the function that runs its queries."""
    if request.param == "sqlite":
        yield sqlite()
    elif request.param == "duckdb":
        with duckdb.connect() as connection:
            connection.register("frame", {LABEL: Y, "s": S})
            connection.execute(
                f"CREATE TABLE cases AS SELECT {quoted(LABEL)}, s AS {quoted(SCORE)} FROM frame"
            )
            yield connection
    elif request.param == "postgres":
        import psycopg

        with psycopg.connect(request.getfixturevalue("address")) as connection:
            yield fill(connection, "%s")
    else:
        sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
        if shutil.which("java") is None:
            pytest.skip("Spark needs Java")
        builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config(
            "spark.driver.host", "127.0.0.1"
        )
        session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        rows = list(zip(Y.tolist(), S.tolist(), strict=True))
        session.createDataFrame(
            rows, f"{quoted(LABEL, '`')} INT, {quoted(SCORE, '`')} DOUBLE"
        ).createOrReplaceTempView("cases")
        yield session
        session.stop()


def test_every_engine_counts_the_same(engine):
    columns = {"label": LABEL, "score": SCORE}
    table = from_query(engine, "cases", **columns)
    assert (table.auc, table.sums(), table.name) == (EXACT.auc, EXACT.sums(), SCORE)
    np.testing.assert_array_equal(table.scores, EXACT.scores)
    assert from_query(engine, "cases", step=2**-4, **columns) == rs.ScoreTable.binned(Y, S, step=2**-4)
    assert from_query(engine, "cases", step=4, **columns) == rs.ScoreTable.binned(Y, S, step=4)
    lower = from_query(engine, "cases", step=0.25, direction="lower", **columns)
    reference = rs.ScoreTable.binned(Y, S, step=0.25, direction="lower")
    assert (lower.auc, lower.bound, lower.se_bound) == (reference.auc, reference.bound, reference.se_bound)


def test_passes_over_the_bins_that_hide_most():
    connection = sqlite()
    columns = {"label": LABEL, "score": SCORE}
    binned = from_query(connection, "cases", bins=200, **columns)
    assert 0 < abs(binned.auc - EXACT.auc) <= binned.bound < 0.01
    finer = from_query(connection, "cases", bins=200, tolerance=1e-5, **columns)
    assert abs(finer.auc - EXACT.auc) <= finer.bound <= 1e-5
    assert len(finer.scores) < len(EXACT.scores)
    near = f"SELECT * FROM cases WHERE {quoted(SCORE)} < 100"
    whole = from_query(connection, near, bins=20, tolerance=1e-12, direction="lower", **columns)
    memory = rs.BinaryScores.from_arrays(Y[S < 100], S[S < 100], direction="lower").table()
    assert (whole.bound, whole.auc) == (0, memory.auc)  # every score has a bin of its own


def test_a_query_and_labels_of_text():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (state TEXT, s REAL, year INT)")
    rows = [
        ("ill", 0.9, 1),
        ("it's", 0.2, 1),
        ("ill", 0.2, 1),
        ("x", 1.0, 2),
        (None, 0.3, 3),
        ("ill", None, 3),
    ]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    columns = {"label": "state", "score": "s"}
    table = from_query(connection, "SELECT * FROM t WHERE year = 1", pos_label="ill", **columns)
    assert (table.auc, table.pos_label, table.neg_label) == (0.75, "ill", "it's")
    table = from_query(connection, "SELECT * FROM t WHERE year <> 2", pos_label="ill", na="drop", **columns)
    assert (table.auc, table.warnings) == (0.75, ("2 rows with missing values left out",))


class Answers:
    """A connection that gives rows of its own: first the labels, then the counts."""

    def __init__(self, *rows):
        self.answers = [[(0, 5), (1, 5)], list(rows)]

    def cursor(self):
        return self

    def execute(self, sql):
        self.rows = self.answers.pop(0)

    def fetchmany(self, size):
        rows, self.rows = self.rows, []
        return rows

    def close(self):
        pass


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0.5, 1, -1)], "column 'neg' of the query must hold counts of at least 0, got -1 in row 1"),
        ([(0.5, 1, 1), (0.6, 0.5, 1)], "column 'pos' of the query must hold whole counts, got 0.5 in row 2"),
        ([(0.5, 1, 1), (0.5, 2, 1)], "the query must count each score once, got 0.5 in rows 1 and 2"),
        ([(0.5, 0, 1), (0.6, 0, 1)], "column 'pos' of the query must count at least one case, got none"),
        ([("x", 1, 1)], "column 'score' of the query must hold numbers, got 'x'"),
        ([], "the query must give counts, got none"),
        (
            [(0.5, 1, 1), (None, 2, 1)],
            "the query must have a score and a label for every case, got 3 that lack one of them; na='drop' "
            "leaves them out",
        ),
    ],
)
def test_answers_that_are_no_counts(rows, message):
    with pytest.raises(rs.RocInputError) as caught:
        from_query(Answers(*rows), "t", label="y", score="s", dialect="sqlite")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: from_query(sqlite(), "none", label="y", score="s"),
            "the query was refused by the database: no such table: none",
        ),
        (
            lambda: from_query(sqlite(), "SELECT 1; DROP TABLE cases", label="y", score="s"),
            "table must be one SELECT, got 'SELECT 1; DROP TABLE cases'",
        ),
        (
            lambda: from_query(sqlite(), "a.b.c.d", label="y", score="s"),
            "table must be the name of a table or a SELECT, got 'a.b.c.d'",
        ),
        (
            lambda: from_query(sqlite(), "cases", label=LABEL, score=SCORE, step=0.3),
            "step must be a power of two from 2**-512 to 2**512, got 0.3",
        ),
        (
            lambda: from_query(sqlite(), "cases", label=LABEL, score=SCORE, bins=3, step=1),
            "step must be left out with bins",
        ),
        (
            lambda: from_query(sqlite(), "cases", label=SCORE, score=SCORE),
            f"column {SCORE!r} of the query must hold two labels, got more than 1000",
        ),
        (
            lambda: from_query(sqlite(), "cases", label=LABEL, score=SCORE, pos_label=2),
            f"pos_label must be one of the labels in column {LABEL!r} of the query (2: 0, 1), got 2",
        ),
        (
            lambda: count_query("t", label="y", score="s", bins=8, low=1, high=0),
            "high must be above low (1), got 0",
        ),
    ],
)
def test_wrong_requests(call, message):
    with pytest.raises(rs.RocInputError) as caught:
        call()
    assert str(caught.value) == message


# ---- The printed query, and its answer in a file ----------------------------------------------------------


@pytest.fixture
def answers(tmp_path, monkeypatch, capsys):
    """Save the answers of printed queries as CSV."""
    monkeypatch.chdir(tmp_path)
    connection = sqlite()

    def save(name, *options, where=""):
        table = f"SELECT * FROM cases {where}" if where else "cases"
        request = ["--table", table, "--label", LABEL, "--score", SCORE, "--dialect", "sqlite"]
        assert main(["sql", *request, *options]) == 0
        cursor = connection.execute(capsys.readouterr().out)
        lines = [",".join(column[0] for column in cursor.description)]
        lines += [",".join(map(repr, row)) for row in cursor]
        Path(name).write_text("\n".join(lines) + "\n")

    return save


def test_the_answer_is_read_back(answers, capsys):
    answers("exact.csv", "--exact")
    answers("bins.csv", "--bins", "64", "--range=-4,5")
    assert read_counts("exact.csv").sums() == EXACT.sums()
    binned = read_counts("bins.csv")
    assert binned == rs.ScoreTable.binned(Y, S, step=0.125)
    for part, where in enumerate((f"WHERE {quoted(SCORE)} < 0.3", f"WHERE {quoted(SCORE)} >= 0.3")):
        answers(f"part-{part}.csv", "--bins", "64", "--range=-4,5", where=where)
    assert read_counts("part-*.csv") == binned
    for command in ("auc", "points"):
        assert main([command, "bins.csv", "--counts", "score,pos,neg"]) == 0
        shown = capsys.readouterr()
        assert binned.thinning_text() in shown.err
    assert main(["compare", "exact.csv", "bins.csv", "--counts", "score,pos,neg"]) == 0
    assert "Areas (unpaired, delong): exact" in capsys.readouterr().out


def save_counts(name, titles, rows):
    with open(name, "w", newline="") as file:
        csv.writer(file).writerows([titles, *rows])


@pytest.mark.parametrize("options", [("--exact",), ("--bins", "64", "--range=-4,5")])
def test_the_printed_text_runs_on_every_engine(engine, options, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    module = type(engine).__module__.partition(".")[0].strip("_")
    dialect = {"sqlite3": "sqlite", "psycopg": "postgres", "pyspark": "spark"}.get(module, "duckdb")
    request = ["--table", "cases", "--label", LABEL, "--score", SCORE, "--dialect", dialect]
    assert main(["sql", *request, *options]) == 0
    text = capsys.readouterr().out
    if dialect == "spark":
        answer = engine.sql(text)
        titles, rows = answer.columns, answer.collect()
    else:
        cursor = engine.cursor()
        cursor.execute(text)
        titles, rows = [column[0] for column in cursor.description], cursor.fetchall()
    save_counts("counts.csv", titles, rows)
    table = read_counts("counts.csv")
    if options == ("--exact",):
        assert (table.sums(), table.scores.tolist()) == (EXACT.sums(), EXACT.scores.tolist())
    else:
        assert table == rs.ScoreTable.binned(Y, S, step=0.125)


def test_counts_in_columns_of_odd_names(tmp_path, monkeypatch, capsys):
    """The three columns are names, whatever they hold, and every command reads them."""
    monkeypatch.chdir(tmp_path)
    titles = ['"; DROP TABLE t; --', "it's", "$path"]
    table = rs.ScoreTable.from_counts([1, 2, 3], pos=[2, 5, 9], neg=[8, 4, 1])
    save_counts("odd.csv", titles, zip(table.scores, table.pos, table.neg, strict=True))
    how = ["odd.csv", "--counts", ",".join(titles)]
    assert main(["auc", *how, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["value"] == table.auc
    assert main(["points", *how, "--threshold", "2", "--json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)["results"]
    assert point["confusion"] == {"tp": 14, "fn": 2, "fp": 5, "tn": 8}
    assert main(["report", *how, "--out", "page.html"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert f"The AUC of &#34;; DROP TABLE t; -- was {table.auc:.3f}" in page


def test_a_report_needs_counts_by_score(answers, capsys):
    answers("bins.csv", "--bins", "64", "--range=-4,5")
    assert main(["report", "bins.csv", "--counts", "score,pos,neg", "--out", "page.html"]) == 3
    assert capsys.readouterr().err == "error: bins.csv must count every score for a report, got bins\n"
    assert not Path("page.html").exists()


def test_a_part_may_lack_a_class(tmp_path, monkeypatch):
    """A month without a positive, a machine with one bin: their counts add up all the same."""
    monkeypatch.chdir(tmp_path)
    whole = np.stack([EXACT.scores, EXACT.pos, EXACT.neg], axis=1)
    parts = whole[EXACT.pos == 0], whole[EXACT.pos > 0][:1], whole[EXACT.pos > 0][1:]
    for k, rows in enumerate(parts):
        save_counts(f"part-{k}.csv", ["score", "pos", "neg"], rows.tolist())
    assert read_counts("part-*.csv").sums() == EXACT.sums()
    with pytest.raises(rs.RocInputError) as caught:
        read_counts("part-0.csv")
    assert str(caught.value) == "column 'pos' of part-0.csv must count at least one case, got none"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "score,pos,neg\n1,1,1\n2,-1,0\n",
            "column 'pos' of x.csv must hold counts of at least 0, got -1 in row 2",
        ),
        ("score,pos,neg\n1,1,0.5\n2,1,0\n", "column 'neg' of x.csv must hold whole counts, got 0.5 in row 1"),
        ("score,pos,neg\n1,1,1\n1,1,0\n", "x.csv must count each score once, got 1 in rows 1 and 2"),
        (
            "score,pos,neg\n1,1,1\n,1,0\n2,1,1\n",
            "x.csv must have a score and a label for every case, got cases that lack one of them; na='drop' "
            "leaves them out",
        ),
        (
            "score,pos,neg,bin_low\n1,1,1,1\n2,1,1,2\n",
            "x.csv must have all columns of bins (highest, single, bin_low, bin_width) or none of them, got "
            "none of highest, single, bin_width",
        ),
        (
            "score,highest,single,bin_low,bin_width,pos,neg\n1,1,1,1,1,1,1\n1.5,1.5,1,1.5,0.5,1,1\n",
            "bins must come from one grid, got [1, 2) and [1.5, 2), which overlap",
        ),
        (
            "score,highest,single,bin_low,bin_width,pos,neg\n1,1,1,1,1,1,1\n2.1,2.2,0,2.1,0.7,1,1\n",
            "x.csv must have bins whose widths are powers of two and whose edges are their multiples, got "
            "[2.1, 2.8) in row 2",
        ),
        (
            "score,highest,single,bin_low,bin_width,pos,neg\n1,2.5,0,1,1,1,1\n",
            "x.csv must have the lowest and the highest score of each bin inside it, got [1, 2) in row 1",
        ),
        ("score,pos,neg\n", "x.csv must hold a row of data, got only a header"),
    ],
)
def test_files_that_are_no_counts(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text(text)
    with pytest.raises(rs.RocInputError) as caught:
        read_counts("x.csv")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("sql", "--table", "t", "--label", "y", "--score", "s", "--dialect", "sqlit"),
            2,
            "did you mean 'sqlite' or",
        ),
        (
            ("sql", "--table", "t", "--label", "y", "--score", "s", "--exact", "--bins", "4"),
            2,
            "--exact must be left",
        ),
        (
            ("auc", "x.csv", "--counts", "a,b"),
            2,
            "--counts must be three different columns SCORE,POS,NEG, got 'a,b'",
        ),
        (("auc", "x.csv", "--counts", "a,b,c", "--label", "y"), 2, "--label must be left out with --counts"),
        (("auc", "x.csv", "--counts", "a,b,c", "--by", "y"), 2, "--by must be left out with --counts"),
        (("compare", "x.csv", "--counts", "a,b,c"), 2, "compare --counts needs two or more files"),
        (("auc", "none.csv", "--counts", "a,b,c"), 3, "none.csv cannot be read: no such file or directory"),
    ],
)
def test_wrong_commands(arguments, code, message, capsys):
    assert main(arguments) == code
    assert message in capsys.readouterr().err


def test_binned_tables_of_queries_are_binned_tables():
    assert isinstance(from_query(sqlite(), "cases", label=LABEL, score=SCORE, bins=10), BinnedTable)
