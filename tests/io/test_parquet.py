"""Parquet: types are taken as they are, nothing is rounded, and what cannot serve is refused by name."""

import contextlib
import os
import threading
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from data_folder import COUNTED
from rocscope.errors import RocInputError
from rocscope.io.files import read_scores

# Labels


@pytest.mark.parametrize(
    ("rows", "pos_label", "named"),
    [
        ("(0, 1), (1, 2), (1, 3)", None, (1, 0)),
        ("(-1::TINYINT, 1), (1::TINYINT, 2), (1::TINYINT, 3)", None, (1, -1)),
        ("(0.0::DOUBLE, 1), (1, 2), (1, 3)", None, (1, 0)),
        ("(0::DECIMAL(5, 2), 1), (1, 2), (1, 3)", None, (1, 0)),
        ("(false, 1), (true, 2), (true, 3)", None, (True, False)),
        ("(1::UBIGINT, 1), (2, 2), (2, 3)", "2", (2, 1)),
        ("('well', 1), ('ill', 2), ('ill', 3)", "ill", ("ill", "well")),
        ("('0', 1), ('1', 2), ('1', 3)", "1", ("1", "0")),
        ("('NA', 1), ('EU', 2), ('EU', 3)", "EU", ("EU", "NA")),  # a typed file has NULL for nothing
        ("(DATE '2020-01-01', 1), ('2020-01-02', 2), ('2020-01-02', 3)", "2020-01-02", None),
    ],
)
def test_labels(parquet, both, rows, pos_label, named):
    data = both(parquet(rows), pos_label=pos_label)
    assert data.positive.tolist() == [False, True, True]
    assert (data.pos_label, data.neg_label) == (named or ("2020-01-02", "2020-01-01"))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "('0', 1), ('1', 2)",
            "pos_label must be given for labels other than 0/1, -1/1 and booleans, got '0' and '1'",
        ),
        ("(1, 1), (1, 2)", "column 'y' of t.parquet must hold two classes, got only 1"),
        ("(0, 1), (1, 2), (2, 3)", "column 'y' of t.parquet must hold two labels, got 3: 0, 1, 2"),
        ("('a'::BLOB, 1), ('b', 2)", "must hold labels, got values that are neither text nor numbers (BLOB)"),
        ("([1], 1), ([2], 2)", "must hold labels, got values that are neither text nor numbers (INTEGER[])"),
        (
            "({'a': 1}, 1), ({'a': 2}, 2)",
            "must hold labels, got values that are neither text nor numbers (STRUCT(a INTEGER))",
        ),
    ],
)
def test_labels_that_will_not_do(parquet, says, rows, message):
    assert says(parquet(rows)).endswith(message)


def test_very_many_labels(parquet):
    path = parquet("SELECT range AS y, range AS s FROM range(5000)")
    with pytest.raises(RocInputError) as caught:
        read_scores(path, label="y", score="s", pos_label=1, table=True)
    assert str(caught.value) == "column 'y' of t.parquet must hold two labels, got 1000 or more"


# Scores


@pytest.mark.parametrize(
    ("sql_type", "cells", "expected"),
    [
        ("FLOAT", "0.5 0.1", [0.5, float(np.float32(0.1))]),  # widened, not rewritten
        ("DOUBLE", "0.5 0.1", [0.5, 0.1]),
        ("TINYINT", "-3 7", [-3, 7]),
        ("UINTEGER", "3 4294967295", [3, 2**32 - 1]),
        ("UBIGINT", "3 7", [3, 7]),
        ("DECIMAL(9, 2)", "0.10 0.30", [0.1, 0.3]),
        ("DECIMAL(38, 0)", "12345678901234 7", [12345678901234, 7]),
        ("BOOLEAN", "true false", [1, 0]),
    ],
)
def test_numbers_of_every_type(parquet, both, sql_type, cells, expected):
    first, second = cells.split()
    scores = both(parquet(f"(0, {first}::{sql_type}), (1, {second}::{sql_type})")).columns[0]
    assert scores.dtype == np.float64
    assert scores.tolist() == expected


def test_integers_beyond_float64_stay_integers(parquet, both):
    scores = both(parquet(f"(0, {2**53}), (1, {2**53 + 1}), (1, -5)")).columns[0]
    assert scores.dtype == np.int64
    assert scores.tolist() == [2**53, 2**53 + 1, -5]
    alone = both(parquet(f"(0, {2**53 + 1}), (1, 5)"))
    assert alone.columns[0].tolist() == [2**53 + 1, 5]


@pytest.mark.parametrize("kind", ["UBIGINT", "DECIMAL(38, 0)"])
def test_integers_beyond_64_bits(parquet, says, kind):
    assert says(parquet(f"(0, 1::{kind}), (1, {2**63}::{kind})")) == (
        f"column 's' of t.parquet must hold integers of 64 bits, got '{2**63}' in row 2 ({COUNTED})"
    )


def test_decimals_are_read_by_their_digits(parquet, both):
    texts = [f"0.{k:017d}" for k in range(1, 10**17, 10**15)]
    rows = ", ".join(f"({k % 2}, {text}::DECIMAL(18, 17))" for k, text in enumerate(texts))
    assert both(parquet(rows)).columns[0].tolist() == [float(text) for text in texts]


def test_decimals_that_doubles_would_merge(parquet, says):
    path = parquet("(0, 0.1234567890123456788::DECIMAL(38, 19)), (1, 0.1234567890123456789::DECIMAL(38, 19))")
    assert says(path) == (
        "column 's' of t.parquet must hold decimals that float64 distinguishes, got 1 that it does not"
    )


@pytest.mark.parametrize(
    ("first", "got"),
    [
        ("'0.5'", "text (VARCHAR)"),
        ("DATE '2020-01-01'", "dates or times (DATE)"),
        ("TIMESTAMP '2020-01-01 12:00:00'", "dates or times (TIMESTAMP)"),
        ("[0.5]", "values that are neither text nor numbers (DECIMAL(2,1)[])"),
        ("{'a': 1}", "values that are neither text nor numbers (STRUCT(a INTEGER))"),
        ("MAP {'a': 1}", "values that are neither text nor numbers (MAP(VARCHAR, INTEGER))"),
    ],
)
def test_scores_that_are_no_numbers(parquet, says, first, got):
    path = parquet(f"(0, {first}), (1, {first})")
    assert says(path) == f"column 's' of t.parquet must hold numbers, got {got}"


def test_long_types_are_cut_short(parquet, says):
    fields = ", ".join(f"'field{k}': {k}" for k in range(20))
    assert says(parquet(f"(0, {{{fields}}}), (1, {{{fields}}})")).endswith("...)")


def test_infinite_scores(parquet, both):
    data = both(parquet("(0, 1.0::DOUBLE), (1, 'inf'), (1, '-inf')"))
    assert data.columns[0].tolist() == [1, np.inf, -np.inf]
    assert data.warnings == ("infinite scores were ranked above or below all others",)


def test_weights_and_folds(parquet):
    path = parquet("SELECT * FROM (VALUES (0, 1, 2, 'a'), (1, 2, 3, 'b')) AS t(y, s, w, f)")
    data = read_scores(path, label="y", score="s", weight="w", fold="f")
    assert (data.weight.tolist(), data.fold.tolist()) == ([2, 3], ["a", "b"])
    path = parquet("SELECT * FROM (VALUES (0, 1, 2.0), (1, 2, -1.5)) AS t(y, s, w)")
    with pytest.raises(RocInputError, match=r"finite weights of at least 0, got '-1\.5' in row 2"):
        read_scores(path, label="y", score="s", weight="w")


# Missing values

GAPS = "(0, 1::DOUBLE), (NULL, 2), (1, NULL), (1, 'nan'), (0, 5), (1, NULL), (1, 7)"


def test_missing_values_are_refused(parquet, says):
    assert says(parquet(GAPS)) == (
        "t.parquet must have no missing values, got 1 in column 'y' (row 2), 3 in column 's' (rows 3, 4, 6); "
        f"{COUNTED}; na='drop' leaves such rows out"
    )


def test_missing_values_are_dropped_and_counted(parquet, both):
    data = both(parquet(GAPS), na="drop")
    assert data.columns[0].tolist() == [1, 5, 7]
    assert data.warnings == ("4 rows with missing values left out: 3 of class '1', 1 without a label",)
    table = read_scores("t.parquet", label="y", score="s", na="drop", memory_limit="1GB")
    assert (table.warnings, table.pos_label, table.neg_label) == (data.warnings, 1, 0)


def test_blank_labels_are_missing(parquet, says):
    assert says(parquet("('ill', 1), (' ', 2), ('well', 3)"), pos_label="ill").startswith(
        "t.parquet must have no missing values, got 1 in column 'y' (row 2); "
    )


def test_row_numbers_are_those_of_the_file(parquet, says):
    rows = "SELECT range % 2 AS y, CASE WHEN range = 654321 THEN NULL ELSE range END AS s FROM range(700000)"
    assert "1 in column 's' (row 654322)" in says(parquet(rows))


def test_nothing_left(parquet, says):
    message = "t.parquet must hold a row without missing values, got none"
    assert says(parquet("(0, NULL::DOUBLE), (NULL, 1)"), na="drop") == message


def test_rows_keep_their_order(parquet):
    path = parquet("SELECT range % 2 AS y, range * 7919 % 600011 AS s FROM range(600000)")
    expected = np.arange(600_000) * 7919 % 600_011
    for limit in (None, "2GB"):
        data = read_scores(path, label="y", score="s", memory_limit=limit, table=False)
        assert np.array_equal(data.columns[0], expected)
        assert np.array_equal(data.positive, np.arange(600_000) % 2 == 1)


# Columns and names


def test_a_misspelt_column(parquet, says):
    path = parquet("SELECT 0 AS y, 1 AS s100b")
    assert says(path, score="s100") == (
        "t.parquet must have a column 's100', got 'y', 's100b'; did you mean 's100b'?"
    )


def test_odd_column_names(parquet, both, odd_name):
    quoted = '"{}"'.format(odd_name.replace('"', '""'))
    data = both(parquet(f"SELECT range AS y, range + 1 AS {quoted} FROM range(2)"), score=odd_name)
    assert (data.names, data.columns[0].tolist()) == ((odd_name,), [1, 2])


def test_case_matters(folder, both):
    pl = pytest.importorskip("polars")  # DuckDB itself cannot write such a table
    pl.DataFrame({"y": [0, 1], "s": [1, 2], "S": [4, 3], "x": [{"s": 9}, {"s": 9}]}).write_parquet(
        "t.parquet"
    )
    assert both("t.parquet").columns[0].tolist() == [1, 2]
    assert both("t.parquet", score="S").columns[0].tolist() == [4, 3]


def test_duplicate_columns(parquet, says):
    path = Path(parquet("SELECT 0 AS y, 1 AS sss, 2 AS ttt"))
    path.write_bytes(path.read_bytes().replace(b"ttt", b"sss"))
    assert says(path) == "t.parquet must have different column names, got 'sss' more than once"


@pytest.mark.parametrize("name", ["it's;\n\"ü.parquet", "[a]b.parquet", "a*.parquet", "x=1.pq"])
def test_odd_paths_read_that_file_alone(parquet, both, name):
    parquet("(0, 100), (1, 100)", name="ab.parquet")
    os.rename(parquet("(0, 1), (1, 2)"), name)
    assert both(name).columns[0].tolist() == [1, 2]


def test_folder_that_looks_like_data(folder, parquet, both):
    (folder / "y=7").mkdir()
    assert both(parquet("(0, 1), (1, 2)", name="y=7/t.parquet")).columns[0].tolist() == [1, 2]


# Broken files


def test_too_few_rows(parquet, says):
    assert says(parquet("SELECT 0 AS y, 1 AS s WHERE false")) == (
        "t.parquet must hold at least two rows of data, got none"
    )
    assert says(parquet("(0, 1)")) == "t.parquet must hold at least two rows of data, got 1"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: b"", "t.parquet must hold a Parquet table, got an empty file"),
        (
            lambda data: b"PK12" + data[4:],
            "t.parquet must be a Parquet file, got one that begins with b'PK12'",
        ),
        (lambda data: b"y,s\n0,1\n", "t.parquet must be a Parquet file, got one that begins with b'y,s\\n'"),
        (lambda data: data[:-20], "t.parquet must be a whole Parquet file, got one that is cut off"),
        (lambda data: data[:4], "t.parquet must be a whole Parquet file, got one that is cut off"),
        (lambda data: data[:-8] + b"\xff\xff\xff\x7fPAR1", "t.parquet cannot be read as a Parquet table: "),
        (
            lambda data: data[:-200] + b"\x7f" * 192 + data[-8:],
            "t.parquet cannot be read as a Parquet table: ",
        ),
        (lambda data: data[:20] + b"\xff" * 40 + data[60:], "t.parquet cannot be read as a Parquet table: "),
    ],
)
def test_spoilt_files(parquet, says, spoil, message):
    path = Path(parquet("SELECT range % 2 AS y, range / 7.0 AS s FROM range(1000)"))
    path.write_bytes(spoil(path.read_bytes()))
    assert says(path).startswith(message)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("format", [None, "parquet"])
def test_parquet_on_a_pipe(parquet, format):
    data = Path(parquet("(0, 1), (1, 2)")).read_bytes()
    os.mkfifo("pipe")
    threading.Thread(target=_feed, args=("pipe", data), daemon=True).start()
    messages = {
        None: "pipe must be a CSV table, got Parquet, which must not come through a pipe; "
        "format='parquet' reads a file of it",
        "parquet": "pipe must be a file to hold Parquet, got a pipe: save it first",
    }
    with pytest.raises(RocInputError) as caught:
        read_scores("pipe", label="y", score="s", format=format)
    assert str(caught.value) == messages[format]


def _feed(path, data):
    with contextlib.suppress(BrokenPipeError):
        Path(path).write_bytes(data)


@pytest.mark.parametrize("statistics", [True, False, "full"])
@pytest.mark.parametrize("kind", [pl.Float32, pl.Float64])
def test_nan_whatever_the_statistics_of_the_file_say(folder, kind, statistics):
    """Statistics leave NaN out; a query that trusts them finds none."""
    rng = np.random.default_rng(8)
    y, s = rng.integers(0, 2, 900), rng.normal(size=900)
    s[::7], s[3::11], s[5::13] = np.nan, np.inf, -np.inf
    frame = pl.DataFrame({"y": y, "s": s}).with_columns(pl.col("s").cast(kind))
    frame.write_parquet("t.parquet", statistics=statistics, row_group_size=100)
    missing = (np.flatnonzero(np.isnan(s)) + 1).tolist()
    message = f"rows {', '.join(map(str, missing[:5]))} and {len(missing) - 5} more"
    with pytest.raises(RocInputError, match=f"got {len(missing)} in column 's' .{message}"):
        read_scores("t.parquet", label="y", score="s")
    kept = ~np.isnan(s)
    data = read_scores("t.parquet", label="y", score="s", na="drop")
    assert np.array_equal(data.columns[0], frame["s"].to_numpy()[kept])
    table = read_scores("t.parquet", label="y", score="s", na="drop", memory_limit="512MB")
    assert table == data.table()
    assert table.warnings == data.warnings
