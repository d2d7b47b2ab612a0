"""Files are read with declared types, and every doubtful cell is named."""

import hashlib
import io
import math
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs
from data_folder import COUNTED, data_file
from reference_cases import case_data, load_reference
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.io import input_file
from rocscope.io.files import read_scores, read_table

COMMA = "the comma was read as the decimal sign: with it every cell is a number"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Write a file into a fresh working folder and return its name."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="t.csv"):
        data = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(data)
        return name

    return write


def error_of(path, **options):
    with pytest.raises(RocInputError) as caught:
        read_scores(path, **({"label": "y", "score": "s"} | options))
    return str(caught.value)


def numbers(path, **options):
    return read_scores(path, **({"label": "y", "score": "s"} | options)).columns[0]


def test_known_file():
    case = next(c for c in load_reference("proc")["cases"] if c.get("data") == "aSAH")
    names = list(case["classifiers"])
    data = read_scores(data_file("aSAH", "aSAH.csv"), label="outcome", score=names, pos_label="Poor")
    assert (data.n_pos, data.n_neg) == (case["n_positive"], case["n_negative"])
    assert (data.pos_label, data.neg_label, data.names) == ("Poor", "Good", tuple(names))
    for k, name in enumerate(names):
        assert data.table(k).auc == pytest.approx(case["classifiers"][name]["auc"], rel=1e-10)


def test_simulated_file(tmp_path):
    """As above, on data that need no download."""
    case = next(c for c in load_reference("proc")["cases"] if c["name"] == "three_correlated")
    y, scores = case_data(case)
    rows = zip(np.where(y == 1, "Poor", "Good"), *scores.values(), strict=True)
    path = tmp_path / "t.csv"
    path.write_text("\n".join([",".join(["y", *scores]), *(",".join(map(str, row)) for row in rows)]))
    data = read_scores(path, label="y", score=list(scores), pos_label="Poor")
    assert (data.n_pos, data.n_neg) == (case["n_positive"], case["n_negative"])
    for k, name in enumerate(scores):
        assert data.table(k).auc == pytest.approx(case["classifiers"][name]["auc"], rel=1e-10)


# Labels


@pytest.mark.parametrize(
    ("cells", "pos_label", "named"),
    [
        (["0", "1", "1"], None, (1, 0)),
        (["-1", " 1", "+1"], None, (1, -1)),
        (["0.0", "1.0", "1"], None, (1, 0)),
        (["False", "true", "TRUE"], None, (True, False)),
        (["1", "2", "2"], "2", (2, 1)),
        (["1", "2", "2"], 2, (2, 1)),
        (["0.5", "1.5", "1.5"], "1.5", (1.5, 0.5)),
        (["no", "true", "true"], "true", ("true", "no")),
        (["a", "1", "1"], "1", ("1", "a")),
        (["Good", "Poor", "Poor"], "Poor", ("Poor", "Good")),
        (["ä;'", "日本", "日本"], "日本", ("日本", "ä;'")),
        (["99999999999999999999", "1", "1"], "1", ("1", "99999999999999999999")),
    ],
)
def test_labels_are_what_the_whole_column_is(table, cells, pos_label, named):
    path = table("y,s\n" + "".join(f'"{cell}",{k}\n' for k, cell in enumerate(cells)))
    data = read_scores(path, label="y", score="s", pos_label=pos_label)
    assert data.positive.tolist() == [False, True, True]
    assert (data.pos_label, data.neg_label) == named
    assert type(data.neg_label) is type(named[1])


@pytest.mark.parametrize(
    ("cells", "pos_label", "message"),
    [
        (
            ["a", "b"],
            None,
            "pos_label must be given for labels other than 0/1, -1/1 and booleans, got 'a' and 'b'",
        ),
        (
            ["a", "b"],
            "c",
            "pos_label must be one of the labels in column 'y' of t.csv (2: 'a', 'b'), got 'c'",
        ),
        (["1", "1"], None, "column 'y' of t.csv must hold two classes, got only 1"),
        (["a", "b", "c"], "a", "column 'y' of t.csv must hold two labels, got 3: 'a', 'b', 'c'"),
        (
            ["yes", "yes ", "no"],
            "yes",
            "column 'y' of t.csv must hold two labels, got 3: 'no', 'yes', 'yes ' "
            "(mind the blanks around them)",
        ),
        (
            ["0", "0.9999999"],
            None,
            "pos_label must be given for labels other than 0/1, -1/1 and booleans, got 0.0 and 0.9999999",
        ),
    ],
)
def test_labels_are_not_guessed(table, cells, pos_label, message):
    path = table("y,s\n" + "".join(f"{cell},{k}\n" for k, cell in enumerate(cells)))
    assert error_of(path, pos_label=pos_label) == message


# Scores


def test_whole_numbers_first_and_a_fraction_late(table):
    path = table("y,s\n" + "".join(f"{k % 2},{k}\n" for k in range(300)) + "1,0.5\n")
    assert numbers(path).tolist() == [*map(float, range(300)), 0.5]


def test_numbers_are_read_like_python_reads_them(table):
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.normal(size=500), 10.0 ** rng.uniform(-320, 308, 500), [5e-324, 0.1 + 0.2]])
    texts = [repr(v) for v in values.tolist()] + [" 0.5 ", "1e3", "+.5", "1.", "\t2", "-0"]
    path = table("y;s\n" + "".join(f"{k % 2};{text}\n" for k, text in enumerate(texts)))
    assert numbers(path).tolist() == [float(text) for text in texts]


def test_integers_beyond_float64_stay_integers(table):
    path = table(f"y,s\n0,{2**53}\n1,{2**53 + 1}\n1,-5\n")
    scores = numbers(path)
    assert scores.dtype == np.int64
    assert scores.tolist() == [2**53, 2**53 + 1, -5]
    assert numbers(table(f"y,s\n0,{2**53 + 1}\n1,0.5\n")).dtype == np.float64


LONG = [
    ([2**53, 2**53 + 1, 0.5], 1),
    ([-(2**53), -(2**53) - 1, 2**60, 2**60 + 1, 0.5], 2),
    ([2**53 + 1, float(2**53), 0.5], 1),
    ([10**40, 10**40 + 1, 0.5], 1),
    ([2**53 + 1, 2**53 + 3, 0.5], 0),
    ([2**53 + 2, 2**53, 2**53, 1e300, math.inf, 0.5], 0),
]


@pytest.mark.parametrize(("scores", "merged"), LONG)
@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_integers_beyond_float64_beside_a_fraction(folder, jsonl, both, says, scores, merged, format):
    """Refused where the Python door refuses them: where two of them would become one."""
    labels = [k % 2 for k in range(len(scores))]
    if format == "csv":
        lines = "".join(f"{y},{s}\n" for y, s in zip(labels, scores, strict=True))
        path = Path("t.csv")
        path.write_text(f"y,s\n{lines}")
    else:
        written = ("1e999" if s == math.inf else repr(s) for s in scores)
        path = jsonl(*(f'{{"y": {y}, "s": {s}}}' for y, s in zip(labels, written, strict=True)))
    if merged:
        assert says(path) == (
            f"column 's' of {path} must hold numbers that float64 distinguishes, "
            f"got {merged} that it does not"
        )
        with pytest.raises(RocInputError, match="y_score must hold numbers that fit 64 bits"):
            rs.auc(labels, scores)
    else:
        assert both(path).table() == BinaryScores.from_arrays(labels, scores).table()


def test_labels_are_not_merged_either(table):
    path = table(f"y,s\n{2**53},1\n{2**53 + 1},2\n0.5,3\n")
    assert error_of(path, pos_label="0.5") == (
        "column 'y' of t.csv must hold numbers that float64 distinguishes, got 1 that it does not"
    )


def test_integers_beyond_64_bits(table):
    assert error_of(table(f"y,s\n0,1\n1,{2**63}\n")) == (
        f"column 's' of t.csv must hold integers of 64 bits, got '{2**63}' in row 2 ({COUNTED})"
    )


@pytest.mark.parametrize("cell", ["inf", "Infinity", "1e400"])
def test_infinite_scores_are_extreme_ranks(table, cell):
    data = read_scores(table(f"y,s\n0,1\n1,{cell}\n"), label="y", score="s")
    assert data.columns[0].tolist() == [1, math.inf]
    assert data.warnings == ("infinite scores were ranked above or below all others",)


def test_a_decimal_comma(table):
    for delimiter in ";\t|":
        path = table("y;s;t\n0;0,5;1\n1;1;NA\n1;-0,75e-3;2\n".replace(";", delimiter))
        data = read_scores(path, label="y", score="s")
        assert data.columns[0].tolist() == [0.5, 1, -0.75e-3]
        assert data.warnings == (COMMA,)
        assert read_scores(path, label="y", score="s", decimal=",").warnings == ()
        limited = read_scores(path, label="y", score="s", memory_limit="200MB")
        assert (limited.scores.tolist(), limited.warnings) == ([1, 0.5, -0.75e-3], (COMMA,))
    with pytest.raises(RocInputError, match=r"decimal must be one of '\.', ',', got ';'"):
        read_scores(path, label="y", score="s", decimal=";")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ('y,s\n0,"0,5"\n1,1\n', {}, "a decimal comma must be a point; or decimal=',' reads all of them so"),
        ("y;s\n0;0,5\n1;1.5\n", {}, "a decimal comma must be a point; or decimal=',' reads all of them so"),
        (
            "y;s\n0;1.000,5\n1;1\n",
            {"decimal": ","},
            "beside a decimal comma no point may stand, nor a second comma",
        ),
        (
            "y;s\n0;0,5\n1;1\n",
            {"decimal": "."},
            "a decimal comma must be a point; or decimal=',' reads all of them so",
        ),
    ],
)
def test_commas_that_are_not_all_of_one_kind(table, text, options, message):
    assert error_of(table(text), **options).endswith(f"; {message}")


def test_labels_keep_their_commas(table):
    data = read_scores(table("y;s\n0,5;0,5\n1,5;1\n"), label="y", score="s", pos_label="1,5")
    assert (data.pos_label, data.neg_label) == ("1,5", "0,5")


def test_values_below_a_limit_of_detection(table):
    path = table("y;s\n0;<0,05\n1;< 0,05\n1;0,5\n0;0,01\n")
    assert error_of(path, decimal=",") == (
        f"column 's' of t.csv must hold numbers, got '<0,05' in rows 1, 2 ({COUNTED}); below='keep' takes "
        "the limit itself as the value of such cases, which are then tied"
    )
    data = read_scores(path, label="y", score="s", below="keep")
    assert data.columns[0].tolist() == [0.05, 0.05, 0.5, 0.01]
    assert data.warnings == (COMMA, "2 of 's' below a limit were given the limit as their value")


def test_codes_for_missing_values(table, parquet, jsonl):
    text = "y,s\n0,1\n1,.\n1,-99.0\n1,3\n-99,4\n.,5\n"
    path = table(text)
    assert error_of(path).endswith("; missing='.' says that it stands for a missing value")
    expected = ("4 rows with missing values left out: 2 of class '1', 2 without a label",)
    for missing in ([".", -99], (".", "-99")):
        data = read_scores(path, label="y", score="s", missing=missing, na="drop")
        assert (data.columns[0].tolist(), data.warnings) == ([1, 3], expected)
        limited = read_scores(path, label="y", score="s", missing=missing, na="drop", memory_limit="200MB")
        assert (limited.scores.tolist(), limited.warnings) == ([3, 1], expected)
    for path in (
        parquet("(0, 1.0), (1, -99.0), (1, 2.0)"),
        jsonl({"y": 0, "s": 1}, {"y": 1, "s": -99}, {"y": 1, "s": 2}),
    ):
        data = read_scores(path, label="y", score="s", missing=-99, na="drop")
        assert data.columns[0].tolist() == [1, 2]
    hostile = "'); DROP TABLE t; --"
    path = table(f"y,s\n0,1\n1,2\n1,{hostile}\n")
    assert read_scores(path, label="y", score="s", missing=hostile, na="drop").columns[0].tolist() == [1, 2]
    with pytest.raises(RocInputError, match="missing must hold texts or numbers"):
        read_scores(path, label="y", score="s", missing=[None])


def test_other_encodings_and_a_line_for_excel(table):
    text = "größe;s\r\nnein;0,5\r\nja;1\r\nä;2\r\n"
    for encoding, notes in (
        ("utf-16", ()),
        ("utf-16-be", ()),
        ("utf-8", ()),
        ("cp1252", ("it is not UTF-8, so it was read as Windows-1252 (Western European)",)),
    ):
        for hint in ("", "sep=;\r\n"):
            content = (hint + text).encode(encoding)
            if encoding == "utf-16-be":
                content = b"\xfe\xff" + content
            path = table(content)
            cells = read_table(path, {"größe": "label", "s": "number"})
            assert cells.arrays["größe"].tolist() == ["nein", "ja", "ä"]
            assert cells.arrays["s"].tolist() == [0.5, 1, 2]
            assert cells.notes == (*notes, COMMA)
            with input_file.local_file(path) as file:
                assert file.sha256() == hashlib.sha256(content).hexdigest()


def test_blanks_around_the_names_of_columns(table):
    path = table("y , s,t\n0,1,1\n1,2,2\n")
    data = read_scores(path, label="y", score="s")
    assert data.warnings == ("blanks around the names of columns were left out",)
    assert read_scores(path, label="y ", score=" s").warnings == ()
    assert "must have a column 'y'" in error_of(table("y , y,s\n0,1,1\n1,2,2\n"))


@pytest.mark.parametrize("cell", ["high", "1_000", "0x10", "1d5", "5%"])
def test_cells_that_are_no_numbers(table, cell):
    path = table("y,s\n0,1\n" + f"1,{cell}\n" * 8)
    assert error_of(path) == (
        f"column 's' of t.csv must hold numbers, got '{cell}' in rows 2, 3, 4, 5, 6 and 3 more ({COUNTED})"
    )


# Missing values

GAPS = "y,s,t\n0,1,1\n,2,2\n1,NA,3\n1,NaN,4\n0, null ,5\n1,3,\n1,4,7\n"


def test_missing_values_are_refused(table):
    assert error_of(table(GAPS), score=["s", "t"]) == (
        "t.csv must have no missing values, got 1 in column 'y' (row 2), 3 in column 's' (rows 3, 4, 5), "
        f"1 in column 't' (row 6); {COUNTED}; na='drop' leaves such rows out"
    )


def test_missing_values_are_dropped_and_counted(table):
    data = read_scores(table(GAPS), label="y", score=["s", "t"], na="drop")
    assert [column.tolist() for column in data.columns] == [[1, 4], [1, 7]]
    assert data.positive.tolist() == [False, True]
    assert data.warnings == (
        "5 rows with missing values left out: 1 of class '0', 3 of class '1', 1 without a label",
    )
    alone = read_scores(table(GAPS), label="y", score="t", na="drop")
    assert alone.warnings == ("2 rows with missing values left out: 1 of class '1', 1 without a label",)


def test_nothing_is_dropped_where_nothing_is_missing(table):
    assert read_scores(table("y,s\n0,1\n1,2\n"), label="y", score="s", na="drop").warnings == ()


def test_nothing_left(table):
    assert (
        error_of(table("y,s\n0,\n,1\n"), na="drop")
        == "t.csv must hold a row without missing values, got none"
    )


def test_wrong_cells_are_not_missing(table):
    assert error_of(table("y,s\n0,\n1,x\n"), na="drop") == (
        f"column 's' of t.csv must hold numbers, got 'x' in row 2 ({COUNTED})"
    )


def test_na_must_be_known(table):
    with pytest.raises(RocInputError, match="na must be one of"):
        read_scores(table("y,s\n0,1\n1,2\n"), label="y", score="s", na="omit")


# Weights and folds


def test_weights_and_folds(table):
    path = table("y,s,w,f\n0,1,2,a\n1,2,0.5,b\n")
    data = read_scores(path, label="y", score="s", weight="w", fold="f")
    assert data.weight is not None
    assert data.fold is not None
    assert (data.weight.tolist(), data.fold.tolist()) == ([2, 0.5], ["a", "b"])


@pytest.mark.parametrize("cell", ["-1", "inf", "x"])
def test_wrong_weights(table, cell):
    path = table(f"y,s,w\n0,1,1\n1,2,{cell}\n")
    assert error_of(path, weight="w") == (
        f"column 'w' of t.csv must hold finite weights of at least 0, got '{cell}' in row 2 ({COUNTED})"
    )


# Columns


def test_a_misspelt_column(table):
    assert error_of(table("y,s100b,ndka\n0,1,1\n"), score="s100") == (
        "t.csv must have a column 's100', got 'y', 's100b', 'ndka'; did you mean 's100b'?"
    )


def test_many_columns(table):
    path = table(",".join(f"c{k}" for k in range(30)) + "\n")
    names = ", ".join(f"'c{k}'" for k in range(20))
    assert error_of(path, label="zz") == f"t.csv must have a column 'zz', got {names} and 10 more"


def test_no_header(table):
    assert error_of(table("0,0.5\n1,0.75\n")) == (
        "t.csv must have a column 'y', got '0', '0.5'; the first line must name the columns"
    )


def test_duplicate_columns(table):
    assert error_of(table("y,s,s\n0,1,1\n")) == (
        "t.csv must have different column names, got 's' more than once"
    )


def test_nameless_columns_may_repeat_and_case_matters(table):
    assert numbers(table("y,s,S,,\n0,1,9,,\n1,2,9,,\n")).tolist() == [1, 2]


@pytest.mark.parametrize(("score", "got"), [([], "[]"), (["s", "s"], "['s', 's']")])
def test_scores_are_named_once(table, score, got):
    assert error_of(table("y,s\n0,1\n"), score=score) == (
        f"score must name one or more columns, each once, got {got}"
    )


def test_label_and_score_differ(table):
    message = "score must be another column than the label, got 's' for both"
    assert error_of(table("y,s\n0,1\n"), label="s") == message


def test_odd_column_names(table, odd_name):
    path = table('y,"{}"\n0,1\n1,2\n'.format(odd_name.replace('"', '""')))
    data = read_scores(path, label="y", score=odd_name)
    assert (data.names, data.columns[0].tolist()) == ((odd_name,), [1, 2])


# Files


@pytest.mark.parametrize(
    "name", ["it's;\n\"ü.csv", "[a]b.csv", "a*.csv", "?b.csv", "b\\[.csv", "x=1.csv", "-x"]
)
def test_odd_paths_read_that_file_alone(table, name):
    for other in ("ab.csv", "aab.csv"):
        table("y,s\n0,100\n1,100\n", name=other)
    assert numbers(table("y,s\n0,1\n1,2\n", name=name)).tolist() == [1, 2]


def test_path_that_is_no_text(table):
    name = os.fsdecode(b"\xff.csv")
    assert numbers(table("y,s\n0,1\n1,2\n", name=name)).tolist() == [1, 2]
    assert error_of(table("y\n0\n", name=name)) == "'\\udcff.csv' must have a column 's', got 'y'"


def test_folder_that_looks_like_data(table, tmp_path):
    folder = tmp_path / "y=7"
    folder.mkdir()
    assert numbers(table("y,s\n0,1\n1,2\n", name=str(folder / "t.csv"))).tolist() == [1, 2]


@pytest.mark.parametrize(
    "content",
    [
        b'\xef\xbb\xbf"y","s"\r\n"0","1"\r\n"1","2"\r\n',
        b"y\ts\n0\t1\n1\t2\n",
        b"y|s\n0|1\n1|2",
        b"y,s\r0,1\r1,2\r",
        b"\xef\xbb\xbfy;s;a,b,c\n0;1;x\n\n1;2;z\n\n",
        b'note,y,s\n"two\nlines, ""quoted""",0,1\n# no comment,1,2\n',
    ],
)
def test_dialects(table, content):
    assert numbers(table(content)).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "t.csv must hold a table with a header, got an empty file"),
        (b"\xef\xbb\xbf\r\n", "t.csv must hold a table with a header, got an empty file"),
        (b"y,s\n", "t.csv must hold at least two rows of data, got only a header"),
        (b"y,s", "t.csv must hold at least two rows of data, got only a header"),
        (b"y,s\n0,1\n", "t.csv must hold at least two rows of data, got 1"),
        (
            b"y,s\n0,1\n1,2,3\n",
            "t.csv must have 2 cells in every line, got 3 in line 3; a decimal comma must be a point, and a "
            "comma in a text stand in quotes",
        ),
        (b"y,s\n0,1\n1\n", "t.csv must have 2 cells in every line, got 1 in line 3"),
        (
            b'y,s\n0,1\n"1,2\n',
            "t.csv must close every quote at the end of its cell, got an open one in line 3",
        ),
        (b"y,s\n0,1\n\x81,2\n", "t.csv must be UTF-8 text, got other bytes in line 3"),
        (b"y,s\n0,1\n\x00\xff,2\n", "t.csv must be UTF-8 text, got other bytes in line 3"),
        ("y,s\n0,1\n".encode("utf-16")[:-1], "t.csv must be text in UTF-16 as it begins, got other bytes"),
        (b"y,s\n0,1\r\n1,2\n", "t.csv must be a CSV table whose lines all end alike, got something else"),
    ],
)
def test_broken_files(table, content, message):
    assert error_of(table(content)) == message


def test_a_late_byte_that_is_no_text(table):
    path = table(b"y,s\n" + b"0,1\n" * 1_100_000 + b"\xff,2\n")
    assert error_of(path) == "t.csv must be UTF-8 text, got other bytes in line 1100002"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("none.csv", "none.csv cannot be read: no such file or directory"),
        (".", ". must be a folder of Parquet files (.parquet or .pq), got none"),
        ("a\0b", "'a\\x00b' cannot be read: embedded null byte"),
        (
            "https://example.org/t.csv",
            "https://example.org/t.csv cannot be read: no such file or directory; it must be a file of this "
            "machine: download it first",
        ),
    ],
)
def test_files_that_are_not_there(tmp_path, monkeypatch, path, message):
    monkeypatch.chdir(tmp_path)
    assert error_of(path) == message


def test_unreadable_file(table, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = table("y,s\n0,1\n1,2\n")
    monkeypatch.setattr(Path, "open", refuse)
    assert error_of(path) == "t.csv cannot be read: permission denied"


# Pipes


class FakeStdin:
    def __init__(self, content):
        self.buffer = io.BytesIO(content)


def test_standard_input(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", FakeStdin(b"y,s\n0,1\n1,2\n"))
    assert numbers("-").tolist() == [1, 2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (FakeStdin(b""), "standard input must hold a table with a header, got an empty file"),
        (None, "standard input cannot be read: it is closed"),
    ],
)
def test_nothing_on_standard_input(monkeypatch, stdin, message):
    monkeypatch.setattr(sys, "stdin", stdin)
    assert error_of("-") == message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("y,s\n0,1\n1,2\n",))
    writer.start()
    assert numbers(pipe).tolist() == [1, 2]
    writer.join()


# The rest


def test_rows_keep_their_order(table):
    n = 200_000
    order = np.random.default_rng(0).permutation(n)
    path = table("s,y\n" + "".join(f"{k},{k % 2}\n" for k in order))
    data = read_scores(path, label="y", score="s")
    assert np.array_equal(data.columns[0], order)
    assert np.array_equal(data.positive, order % 2 == 1)


def test_read_table_takes_any_columns(table):
    found = read_table(table("a,b,c\nx,1,2\ny,2,3\n"), {"c": "number", "a": "label", "b": "label"})
    assert {name: values.tolist() for name, values in found.arrays.items()} == {
        "c": [2.0, 3.0],
        "a": ["x", "y"],
        "b": [1, 2],
    }


def test_duckdb_is_imported_late():
    code = "import sys, rocscope.io.files; sys.exit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("inside", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_end_inside_a_name(table, inside, end):
    """Lines end as the header does, whatever its quotes hold."""
    content = end.join(['y,"a ""long""' + inside + 'name"', "0,1", "1,3", '1,"2"', ""])
    data = read_scores(table(content.encode()), label="y", score=f'a "long"{inside}name')
    assert data.columns[0].tolist() == [1, 3, 2]
    assert data.positive.tolist() == [False, True, True]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_file_is_opened_once(tmp_path, ending):
    """For its header and its digest; DuckDB opens the path itself, which Python does not see."""
    path = tmp_path / f"cases.{ending}"
    rows = ((1, 0.9), (0, 0.2), (1, 0.2))
    lines = [f'{{"y": {y}, "s": {s}}}' if ending == "jsonl" else f"{y},{s}" for y, s in rows]
    path.write_text("\n".join((["y,s"] if ending == "csv" else []) + lines) + "\n")
    code = (
        "import sys\n"
        "from rocscope.io.files import read_scores\n"
        "from rocscope.io.input_file import local_file\n"
        f"path, opened = {str(path)!r}, []\n"
        "def record(event, arguments):\n"
        "    if event == 'open' and str(arguments[0]) == path: opened.append(1)\n"
        "sys.addaudithook(record)\n"
        "with local_file(path) as file:\n"
        "    read_scores(file, label='y', score='s')\n"
        "    file.sha256()\n"
        "print(len(opened))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_the_database_prints_nothing(monkeypatch, folder):
    """DuckDB draws a bar on stdout in queries of more than two seconds, unless it is told not to."""
    from rocscope.io import database, input_file

    seen = []
    query = database.Database.query

    def watched(self, *arguments, **options):
        seen.append(self.connection.execute("SELECT current_setting('enable_progress_bar')").fetchone())
        return query(self, *arguments, **options)

    monkeypatch.setattr(database.Database, "query", watched)
    Path("t.csv").write_text("y,s\n0,1\n1,2\n0,2\n1,3\n")
    read_scores("t.csv", label="y", score="s")
    with input_file.local_file("t.csv") as file:
        assert file.watch is None
    assert set(seen) == {(False,)}
