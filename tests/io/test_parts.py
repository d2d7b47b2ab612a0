"""Many files as one table: the same numbers as one file, and the part at fault named."""

import gzip
from pathlib import Path

import duckdb
import numpy as np
import pytest

import rocscope as rs
from rocscope.io.large import sums_of_file
from rocscope.io.parts import part_paths

Y = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1])
S = np.array([0.1, 0.4, 0.35, 0.8, 0.8, 0.35, 0.2, 0.9, 0.1, 0.4, 0.15, 0.75])
PARTS = [slice(0, 5), slice(5, 6), slice(6, 12)]  # one part has a single row


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, y, s, *, types="y::INTEGER AS y, s::DOUBLE AS s"):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        with duckdb.connect() as connection:
            cells = connection.sql(
                "SELECT unnest($y) AS y, unnest($s) AS s", params={"y": list(y), "s": list(s)}
            )
            cells.select(types).write_parquet(name)
        return
    lines = [f"{a},{b}" for a, b in zip(y, s, strict=True)]
    text = "\n".join(["y,s", *lines]) + "\n"
    if path.suffix == ".jsonl":
        text = "".join(f'{{"y": {a}, "s": {b}}}\n' for a, b in zip(y, s, strict=True))
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def write_all(pattern):
    names = [pattern.format(k) for k in range(len(PARTS))]
    for name, rows in zip(names, PARTS, strict=True):
        write(name, Y[rows].tolist(), S[rows].tolist())
    return names


@pytest.mark.parametrize(
    "pattern", ["p{}.csv", "p{}.csv.gz", "p{}.jsonl", "d/p{}.parquet", "d/site=a/p{}.parquet"]
)
@pytest.mark.parametrize(
    "how",
    [pytest.param("list", marks=pytest.mark.slow), "glob", pytest.param("folder", marks=pytest.mark.slow)],
)
def test_parts_are_one_table(pattern, how):
    names = write_all(pattern)
    if how == "folder" and not pattern.startswith("d"):
        pytest.skip("folders are of Parquet files")
    path = {"list": names, "glob": pattern.replace("{}", "*"), "folder": "d"}[how]
    data = rs.read_scores(path, label="y", score="s")
    np.testing.assert_array_equal(data.columns[0], S)
    np.testing.assert_array_equal(data.positive, Y == 1)
    assert sums_of_file(path, label="y", score="s")["s"].sums == rs.BinaryScores.from_arrays(Y, S).sums()
    assert rs.read_scores(path, label="y", score="s", memory_limit="256MB") == data.table()


def test_the_names_of_folders_are_columns():
    for k, rows in enumerate(PARTS):
        write(f"d/site=N{k} x/part.parquet", Y[rows].tolist(), S[rows].tolist())
    write("d/_site=left/out.parquet", [1], [1.0])
    data = rs.read_scores("d", label="y", score="s", fold="site")
    assert data.fold.tolist() == ["N0 x"] * 5 + ["N1 x"] + ["N2 x"] * 6
    for k, rows in enumerate(PARTS):
        write(f"e/y={k % 2}/part-{k}.parquet", Y[rows].tolist(), S[rows].tolist(), types="s")
    data = rs.read_scores("e", label="y", score="s")
    assert (data.n_pos, data.pos_label) == (1, 1)


def test_a_file_with_the_characters_of_a_pattern_is_a_file():
    write("[a]*.csv", [0, 1, 1], [1, 2, 3])
    write("a.csv", [0, 1], [3, 1])
    assert rs.read_scores("[a]*.csv", label="y", score="s").n_pos == 2


def test_the_digest_of_parts_is_that_of_their_bytes_in_order():
    from rocscope.io.input_file import local_file

    names = write_all("p{}.csv")
    digests = set()
    for order in (names, names[::-1], "p*.csv"):
        with local_file(order) as file:
            digests.add(file.sha256())
    assert len(digests) == 2


def cut(name):
    Path(name).write_bytes(Path(name).read_bytes()[:-7])


def text(name, content):
    Path(name).write_text(content)


@pytest.mark.parametrize(
    ("pattern", "spoil", "message"),
    [
        ("p{}.csv", lambda: text("p1.csv", ""), "p1.csv must hold a table with a header, got an empty file"),
        (
            "p{}.csv",
            lambda: text("p1.csv", "y,s\n"),
            "p1.csv must hold rows as the others do, got only a header",
        ),
        (
            "p{}.csv",
            lambda: text("p1.csv", "s,y\n1,2\n"),
            "p1.csv must have the columns ['y', 's'] with ',' between them, as p0.csv has, got the columns "
            "['s', 'y'] with ',' between them",
        ),
        (
            "p{}.csv",
            lambda: text("p1.csv", "y,s\n1\n"),
            "p1.csv must have 2 cells in every line, got 1 in line 2",
        ),
        (
            "p{}.csv",
            lambda: text("p2.csv", "y,s\n1,0.5\n1,x\n"),
            "column 's' of p2.csv must hold numbers, got 'x' in row 2 (data rows are counted from 1)",
        ),
        (
            "p{}.csv",
            lambda: text("p2.csv", "y,s\n1,0.5\n1,\n"),
            "p2.csv must have no missing values, got 1 in column 's' (row 2); data rows are counted from 1; "
            "na='drop' leaves such rows out",
        ),
        (
            "p{}.csv.gz",
            lambda: cut("p1.csv.gz"),
            "p1.csv.gz must be a whole gzip file, got a damaged one: Compressed file ended before the "
            "end-of-stream marker was reached",
        ),
        (
            "p{}.jsonl",
            lambda: text("p1.jsonl", ""),
            "p1.jsonl must hold a JSON object in every line, got an empty file",
        ),
        (
            "p{}.jsonl",
            lambda: text("p1.jsonl", '{"y": 1, "s": 0.\n'),
            'p1.jsonl must hold a JSON object in every line, got \'{"y": 1, "s": 0.\' in line 1',
        ),
        (
            "p{}.parquet",
            lambda: text("p1.parquet", ""),
            "p1.parquet must hold a Parquet table, got an empty file",
        ),
        (
            "p{}.parquet",
            lambda: cut("p1.parquet"),
            "p1.parquet must be a whole Parquet file, got one that is cut off",
        ),
        (
            "p{}.parquet",
            lambda: write("p1.parquet", [1], [0.5], types="y::INTEGER AS y, s::FLOAT AS s"),
            "p1.parquet must have column 's' of type DOUBLE, as p0.parquet has, got FLOAT",
        ),
        (
            "p{}.parquet",
            lambda: write("p1.parquet", [1], [0.5], types="y::INTEGER AS y, s AS t"),
            "p1.parquet must have a column 's' as p0.parquet has, got ['y', 't']",
        ),
        (
            "p{}.parquet",
            lambda: write("p1.parquet", [], [], types="y::INTEGER AS y, s::DOUBLE AS s"),
            "p1.parquet must hold rows as the others do, got none",
        ),
    ],
)
@pytest.mark.parametrize("limit", [None, "256MB"])
def test_the_part_at_fault_is_named(pattern, spoil, message, limit):
    write_all(pattern)
    spoil()
    with pytest.raises(rs.RocscopeError) as caught:
        rs.read_scores(pattern.replace("{}", "*"), label="y", score="s", memory_limit=limit)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("x*.csv", "x*.csv must match a file, got none"),
        ("empty", "empty must be a folder of Parquet files (.parquet or .pq), got none"),
        ([], "path must name one or more files, got none"),
        (["p0.csv", "-"], "path must be files where there are several, got standard input"),
        (["p0.csv", "p*.csv"], "path must be different files, got p0.csv twice"),
        (["p0.csv", "none.csv"], "none.csv cannot be read: no such file or directory"),
        (["p0.csv", "q.parquet"], "q.parquet must be a file of CSV as p0.csv is, got Parquet"),
        (["p0.csv", 3], "path must be the path of a file, got 3"),
    ],
)
def test_what_names_no_table(path, message):
    write_all("p{}.csv")
    write("q.parquet", [0, 1], [1.0, 2.0])
    Path("empty").mkdir()
    with pytest.raises(rs.RocInputError) as caught:
        rs.read_scores(path, label="y", score="s")
    assert str(caught.value) == message


def test_a_part_that_changes_is_named():
    from rocscope.io.input_file import local_file

    write_all("p{}.csv")
    with local_file("p*.csv") as file:
        text("p1.csv", "y,s\n1,3\n1,4\n")
        with pytest.raises(rs.RocInputError) as caught:
            rs.read_scores(file, label="y", score="s")
    assert str(caught.value) == "p1.csv must stay as it is while it is read, but it changed"


def test_every_command_takes_several_files(capsys):
    from rocscope.cli import main

    write_all("p{}.csv")
    write("one.csv", Y.tolist(), S.tolist())
    outputs = []
    for files in (["one.csv"], ["p0.csv", "p1.csv", "p2.csv"], ["p*.csv"]):
        for command in ("auc", "points"):
            assert main([command, *files, "--label", "y", "--score", "s"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] == outputs[2]
    assert part_paths("one.csv") is None
