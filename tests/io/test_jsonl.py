"""JSON lines: every value has its own type, and text is never read as a number."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from data_folder import COUNTED
from rocscope.errors import ResourceError
from rocscope.io.files import read_scores, read_table
from rocscope.io.input_file import Limits


@pytest.mark.parametrize(
    ("labels", "pos_label", "named"),
    [
        ([0, 1, 1], None, (1, 0)),
        ([0.0, 1, 1.0], None, (1, 0)),
        ([False, True, True], None, (True, False)),
        ([1, 2, 2], "2", (2, 1)),
        (["0", "1", "1"], "1", ("1", "0")),
        (["NA", "ä;'", "ä;'"], "ä;'", ("ä;'", "NA")),
    ],
)
def test_labels(jsonl, both, labels, pos_label, named):
    data = both(jsonl(*({"y": y, "s": k} for k, y in enumerate(labels))), pos_label=pos_label)
    assert data.positive.tolist() == [False, True, True]
    assert (data.pos_label, data.neg_label) == named


@pytest.mark.parametrize("labels", [[1, "1"], [True, 1], ["a", False]])
def test_labels_of_several_types(jsonl, says, labels):
    assert says(jsonl(*({"y": y, "s": 1} for y in labels))) == (
        "column 'y' of t.jsonl must hold labels of one type, got text, numbers or truth values side by side"
    )


@pytest.mark.parametrize("label", [[0], {"a": 0}])
def test_nested_labels(jsonl, says, label):
    message = says(jsonl({"y": label, "s": 1}, {"y": 1, "s": 1}))
    assert message.startswith("column 'y' of t.jsonl must hold labels, got '")
    assert message.endswith(f"in row 1 ({COUNTED})")


@pytest.mark.parametrize(("cell", "shown"), [("0.5", "'\"0.5\"'"), (True, "'true'"), ([1], "'[1]'")])
def test_scores_that_are_no_numbers(jsonl, says, cell, shown):
    assert says(jsonl({"y": 0, "s": 1}, {"y": 1, "s": cell})) == (
        f"column 's' of t.jsonl must hold numbers, got {shown} in row 2 ({COUNTED})"
    )


def test_numbers_are_read_like_python_reads_them(jsonl, both):
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.normal(size=300), 10.0 ** rng.uniform(-320, 308, 300), [5e-324, 0.1 + 0.2]])
    data = both(jsonl(*({"y": k % 2, "s": v} for k, v in enumerate(values.tolist()))))
    assert data.columns[0].tolist() == values.tolist()


def test_integers_beyond_float64_stay_integers(jsonl, both, says):
    scores = both(jsonl({"y": 0, "s": 2**53}, {"y": 1, "s": 2**53 + 1}, {"y": 1, "s": -5})).columns[0]
    assert scores.tolist() == [2**53, 2**53 + 1, -5]
    assert scores.dtype == np.int64
    assert says(jsonl({"y": 0, "s": 1}, {"y": 1, "s": 2**64})) == (
        f"column 's' of t.jsonl must hold integers of 64 bits, got '{2**64}' in row 2 ({COUNTED})"
    )


def test_infinite_scores(jsonl, both):
    data = both(jsonl('{"y": 0, "s": 1e400}', '{"y": 1, "s": -Infinity}'))
    assert data.columns[0].tolist() == [np.inf, -np.inf]
    assert data.warnings == ("infinite scores were ranked above or below all others",)


GAPS = [
    {"y": 0, "s": 1},
    {"s": 2},
    {"y": None, "s": 2},
    {"y": 1},
    {"y": 1, "s": None},
    {"y": 1, "s": float("nan")},
    {"y": "", "s": 3},
    {"y": 1, "s": 7},
]


def test_missing_values(jsonl, both, says):
    path = jsonl(*GAPS)
    assert says(path) == (
        "t.jsonl must have no missing values, got 3 in column 'y' (rows 2, 3, 7), "
        f"3 in column 's' (rows 4, 5, 6); {COUNTED}; na='drop' leaves such rows out"
    )
    data = both(path, na="drop")
    assert data.columns[0].tolist() == [1, 7]
    assert data.warnings == ("6 rows with missing values left out: 3 of class '1', 3 without a label",)


# Names


def test_a_misspelt_key(jsonl, says):
    path = jsonl({"y": 0, "s100b": 1}, {"y": 1, "s100b": 2, "z": 3})
    assert says(path, score="s100") == (
        "t.jsonl must have a column 's100', got 'y', 's100b', 'z'; did you mean 's100b'?"
    )


def test_a_key_that_comes_late(jsonl):
    rows = [{"y": k % 2, "s": k} for k in range(12_000)]
    path = jsonl(*rows, {"y": 0, "late": 1}, {"y": 1, "late": 2})
    data = read_scores(path, label="y", score="late", na="drop")
    assert data.columns[0].tolist() == [1, 2]


def test_case_matters(jsonl, both, says):
    path = jsonl({"y": 0, "s": 1, "S": 4}, {"y": 1, "s": 2, "S": 3})
    assert both(path).columns[0].tolist() == [1, 2]
    assert both(path, score="S").columns[0].tolist() == [4, 3]
    assert says(path, label="s", score="S") == (
        "columns of JSON lines must differ in more than case, got 's' and 'S'"
    )


@pytest.mark.parametrize(
    "name", ['say "s"', "it's", 'x"; DROP TABLE t; --', "längs 日本", "two\nlines", "c1", "row", "$.y", "a/b"]
)
def test_odd_keys(jsonl, both, name):
    data = both(jsonl({"y": 0, name: 1}, {"y": 1, name: 2}), score=name)
    assert (data.names, data.columns[0].tolist()) == ((name,), [1, 2])


# Broken files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must hold a JSON object in every line, got an empty file"),
        (b"\n\n", "must hold a JSON object in every line, got an empty file"),
        (b'{"y": 1, "s": 1}\n', "must hold at least two rows of data, got 1"),
        (
            b'[{"y": 1, "s": 1}]',
            'must hold a JSON object in every line, got \'[{"y": 1, "s": 1}]\' in line 1; an array must '
            "become a line for each of its objects",
        ),
        (b'\n{"y": 1, "s": 1}\n[1]\n', "must hold a JSON object in every line, got array in line 3"),
        (b'{"y": 1,\n"s": 2}\n', "must hold a JSON object in every line, got '{\"y\": 1,' in line 1"),
        (
            b'{"y": 1, "s": 1}\n{"y": 0, "s"',
            'must hold a JSON object in every line, got \'{"y": 0, "s"\' in line 2',
        ),
        (
            b'{"y": 1, "s": 1}\n{"y": "\xff", "s": 1}\n',
            'must hold a JSON object in every line, got \'{"y": "\\\\xff", "s": 1}\' in line 2',
        ),
        (b"y,s\n0,1\n", "must hold a JSON object in every line, got 'y,s' in line 1"),
        (
            b'{"y": 1, "s": 1}\n{"y": 0, "s": 1, "s": 2}\n',
            "must have different keys in every line, got 's' more than once in line 2",
        ),
        (
            b"\x1f\x8b\x08",
            "must be a whole gzip file, got a damaged one: Compressed file ended before the end-of-stream "
            "marker was reached",
        ),
    ],
)
def test_broken_files(folder, says, content, message):
    Path("t.jsonl").write_bytes(content)
    assert says("t.jsonl") == f"t.jsonl {message}"


def test_a_late_broken_line(folder, says):
    lines = [f'{{"y": {k % 2}, "s": {k}}}\n' for k in range(200_000)]
    lines[150_000] = '{"y": 1, "s": }\n'
    Path("t.jsonl").write_text("".join(lines))
    assert says("t.jsonl") == (
        't.jsonl must hold a JSON object in every line, got \'{"y": 1, "s": }\' in line 150001'
    )


def test_line_ends(folder, both):
    Path("t.jsonl").write_bytes(b'{"y": 0, "s": 1}\r\n\r\n  {"y": 1, "s": 2}')
    assert both("t.jsonl").columns[0].tolist() == [1, 2]


# Where it comes from


@pytest.mark.parametrize("name", ["t.jsonl", "t.NDJSON", "t.json"])
def test_endings(jsonl, both, name):
    assert both(jsonl({"y": 0, "s": 1}, {"y": 1, "s": 2}, name=name)).columns[0].tolist() == [1, 2]


def test_standard_input(folder, temporary, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(b'{"y": 0, "s": 1}\n{"y": 1, "s": 2}\n')

    monkeypatch.setattr(sys, "stdin", Stdin)
    data = read_scores("-", label="y", score="s", format="jsonl")
    assert data.columns[0].tolist() == [1, 2]
    assert list(temporary.iterdir()) == []


def test_json_lines_read_as_csv(jsonl, says):
    path = jsonl({"y": 0, "s": 1}, name="t.txt")
    assert says(path).endswith("; format='jsonl' reads JSON lines")


# A byte order mark

MARK = b"\xef\xbb\xbf"
LINES = b'{"y": 1, "s": 0.9}\n{"y": 0, "s": 0.2}\n{"y": 1, "s": 0.2}\n'


def test_a_byte_order_mark_is_no_part_of_the_table(folder, temporary, both, monkeypatch):
    Path("t.jsonl").write_bytes(MARK + LINES)
    assert both("t.jsonl").columns[0].tolist() == [0.9, 0.2, 0.2]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MARK + LINES)))
    data = read_scores("-", label="y", score="s", format="jsonl", memory_limit="512MB")
    assert data.scores.tolist() == [0.9, 0.2]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("lines", "got"),
    [
        (b"", "an empty file"),
        (b"y,s\n", "'y,s' in line 1"),
        (LINES + b'{"y": 1, "s"\n', '\'{"y": 1, "s"\' in line 4'),
        (LINES + b'{"y": 1, "y": 1, "s": 2}\n', None),
    ],
)
def test_lines_after_a_byte_order_mark_are_counted_the_same(folder, says, lines, got):
    Path("t.jsonl").write_bytes(lines)
    expected = says("t.jsonl")
    Path("t.jsonl").write_bytes(MARK + lines)
    assert says("t.jsonl") == expected
    assert got is None or expected == f"t.jsonl must hold a JSON object in every line, got {got}"


def test_no_room_for_a_copy_without_the_mark(folder, temporary, monkeypatch):
    Path("t.jsonl").write_bytes(MARK + LINES)
    monkeypatch.setattr(Limits, "room", lambda *_: 10)
    with pytest.raises(ResourceError) as caught:
        read_scores("t.jsonl", label="y", score="s")
    message = f"t.jsonl needs more than the 10 bytes that may be used in {temporary}"
    assert str(caught.value) == f"{message}; TMPDIR names another folder"
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_rows_come_in_their_order(folder):
    lines = [f'{{"y": {k % 2}, "s": {k}}}\n' for k in range(3000)]
    Path("t.jsonl").write_text("".join(lines))
    for _ in range(20):
        table = read_table("t.jsonl", {"y": "label", "s": "number"})
        assert table.arrays["s"].tolist() == list(range(3000))
