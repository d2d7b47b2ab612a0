"""Files larger than memory: the same integers as from all rows at once, however the scores are cut."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from file_sums import placement_sums_of_file
from rocscope.core.curve import roc_curve
from rocscope.core.scores import BinaryScores
from rocscope.core.table import LabelledTable, ScoreTable
from rocscope.errors import ResourceError, RocInputError
from rocscope.inference.auc import auc
from rocscope.io import large
from rocscope.io.files import read_scores
from rocscope.io.input_file import Limits
from rocscope.io.large import (
    Rows,
    SortedPiece,
    Stretch,
    curves_of_file,
    of_pieces,
    sums_of_file,
    table_of_file,
)
from slow import pairs

REQUEST = {"label": "y", "score": "s"}
N = 30_000
LIMIT = 64 * 10**6


def labels(rng, n=N):
    return (rng.random(n) < 0.1).astype(np.int8)


def continuous(rng):
    return rng.normal(size=N)


def spikes(rng):
    return np.where(rng.random(N) < 0.6, rng.choice([0.0, -0.0, 0.25], N), continuous(rng))


def infinite(rng):
    return np.where(rng.random(N) < 0.1, rng.choice([np.inf, -np.inf], N), continuous(rng).round(3))


SHAPES = {
    "continuous": continuous,
    "sorted": lambda rng: np.sort(continuous(rng)),
    "falling": lambda rng: -np.sort(continuous(rng)),
    "spikes": spikes,
    "infinite": infinite,
    "constant": lambda rng: np.full(N, 0.5),
    "few": lambda rng: rng.integers(0, 7, N),
    "beyond float64": lambda rng: 2**53 + rng.integers(0, 10_000, N),
    "neighbours": lambda rng: 1 + rng.integers(0, 10_000, N) * 2.0**-52,
    "float32": lambda rng: continuous(rng).astype(np.float32),
    "exponential": lambda rng: np.exp(20 * continuous(rng)),
}


# Rows that may be in memory at once: all; a sixth, so in passes; so few that copies are cut again.
BUDGETS = {"at once": None, "in passes": 5_000, "copied": 1_000}
HARD = ("spikes", "infinite", "beyond float64", "constant")


@pytest.fixture(params=BUDGETS)
def budget(request, monkeypatch):
    """Each way through the rows."""
    if BUDGETS[request.param] is not None:
        monkeypatch.setattr(large, "ROW_BYTES", LIMIT // 2 // BUDGETS[request.param])
        monkeypatch.setattr(large, "FEW_SCORES", 0)
    return request.param


@pytest.mark.slow
@pytest.mark.parametrize(
    ("budget", "shape"),
    [(budget, shape) for budget in BUDGETS for shape in SHAPES if budget != "copied" or shape in HARD],
    indirect=["budget"],
)
def test_the_same_integers(folder, temporary, budget, shape):
    rng = np.random.default_rng(1)
    y, s = labels(rng), SHAPES[shape](rng)
    pl.DataFrame({"y": y, "s": s}).write_parquet("t.parquet")
    data = BinaryScores.from_arrays(y, s)
    assert placement_sums_of_file("t.parquet", **REQUEST, memory_limit=LIMIT) == data.sums()
    table = table_of_file("t.parquet", **REQUEST, limits=Limits.read(LIMIT))
    assert table == data.table()
    assert table.scores.dtype == data.table().scores.dtype
    assert not np.signbit(table.scores[table.scores == 0]).any()
    assert list(temporary.iterdir()) == []


def test_classes_that_never_meet(folder, budget):
    """Stretches hold one class only."""
    s = np.arange(N) / 7
    pl.DataFrame({"y": s > 4000, "s": s}).write_parquet("t.parquet")
    found = placement_sums_of_file("t.parquet", **REQUEST, memory_limit=LIMIT)
    assert found == BinaryScores.from_arrays(s > 4000, s).sums()
    assert found.auc == 1
    table = read_scores("t.parquet", **REQUEST, memory_limit=LIMIT)
    assert table == BinaryScores.from_arrays(s > 4000, s).table()


@pytest.mark.slow
@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_many_rows_with_ties(folder, format):
    n = {"csv": 300_000, "parquet": 1_000_000, "jsonl": 100_000}[format]
    rng = np.random.default_rng(2)
    y = labels(rng, n)
    s = np.where(rng.random(n) < 0.5, (rng.normal(size=n) + y).round(2), rng.normal(size=n) + y)
    frame = pl.DataFrame({"y": y, "s": s})
    write = {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}
    write[format](f"t.{format}")
    data = read_scores(f"t.{format}", **REQUEST)
    assert np.array_equal(data.columns[0], s)
    expected = BinaryScores.from_arrays(y, s)
    assert data.sums() == expected.sums()
    assert placement_sums_of_file(f"t.{format}", **REQUEST, memory_limit="512MB") == expected.sums()
    assert read_scores(f"t.{format}", **REQUEST, memory_limit="512MB") == expected.table()


def test_agrees_with_pair_counting(folder):
    rng = np.random.default_rng(3)
    y, s = np.arange(40) % 3 == 0, rng.integers(0, 9, 40)
    pl.DataFrame({"y": y, "s": s}).write_parquet("t.parquet")
    sums = placement_sums_of_file("t.parquet", **REQUEST)
    assert sums.auc == float(pairs.area(*pairs.split(y, s)))
    assert sums.delong_variance() == float(pairs.delong_covariance(y, s, s))


# Pieces


def test_cuts_are_even(parquet, connection):
    """Whatever the order of the rows, no stretch is far above its share: sampling sees all of them."""
    parquet("SELECT range / 7 AS score FROM range(400000)")
    found = rows_of(connection, 400_000).sample(20_000)
    assert np.abs(np.quantile(found, [0.25, 0.5, 0.75]) * 7 / 400_000 - [0.25, 0.5, 0.75]).max() < 0.02


def rows_of(connection, count):
    class Base:
        limits = Limits.read(LIMIT)

        def query(self, sql, values, *, doing):
            return connection.execute(sql, values).fetchnumpy()

    return Rows(Base(), "read_parquet('t.parquet')", {}, count)


def test_pieces_are_within_the_budget_and_ascend(parquet, connection, monkeypatch):
    monkeypatch.setattr(large, "ROW_BYTES", LIMIT // 2 // 5_000)
    parquet("SELECT hash(range) % 1000003 / 3 AS score, range % 5 = 0 AS positive FROM range(30000)")
    found = list(of_pieces(rows_of(connection, 30_000), lambda piece: piece))
    tables = [piece if isinstance(piece, ScoreTable) else piece.table() for piece in found]
    assert sum(t.n_pos + t.n_neg for t in tables) == 30_000
    assert all(piece.pos.size + piece.neg.size <= 5_000 for piece in found if isinstance(piece, SortedPiece))
    ends = [(t.scores[-1], t.scores[0]) for t in tables]
    assert all(below[1] < above[0] for below, above in pairwise(ends))


def test_an_unlucky_sample_costs_time_only(folder, monkeypatch):
    """All cuts at one end: the rest is more than the budget, and is cut again."""
    monkeypatch.setattr(large, "ROW_BYTES", LIMIT // 2 // 5_000)
    monkeypatch.setattr(large, "FEW_SCORES", 0)
    draw, draws = Rows.sample, []

    def unlucky(self, size):
        draws.append(size)
        found = draw(self, size)
        return found[:5] if len(draws) == 1 else found

    monkeypatch.setattr(Rows, "sample", unlucky)
    rng = np.random.default_rng(4)
    y, s = labels(rng), continuous(rng)
    pl.DataFrame({"y": y, "s": s}).write_parquet("t.parquet")
    found = placement_sums_of_file("t.parquet", **REQUEST, memory_limit=LIMIT)
    assert found == BinaryScores.from_arrays(y, s).sums()
    assert len(draws) > 1


def test_copies_go_one_by_one(folder, temporary, monkeypatch):
    monkeypatch.setattr(large, "ROW_BYTES", LIMIT // 2 // 1_000)
    monkeypatch.setattr(large, "FEW_SCORES", 0)
    seen = []
    fetch = Rows.fetch

    def look(self, stretch, doing):
        seen.append(len(list(temporary.rglob("*.parquet"))))
        return fetch(self, stretch, doing)

    monkeypatch.setattr(Rows, "fetch", look)
    rng = np.random.default_rng(5)
    pl.DataFrame({"y": labels(rng), "s": continuous(rng)}).write_parquet("t.parquet")
    placement_sums_of_file("t.parquet", **REQUEST, memory_limit=LIMIT)
    assert max(seen) == 1


def test_stretches():
    assert (Stretch().where, Stretch().values) == ("", {})
    assert Stretch(0.5, 2).where == "WHERE score > $low AND score < $high"
    assert Stretch(None, 0.0).values == {"high": 0.0}


# Several scores


def test_each_score_loses_its_own_rows_only(folder):
    Path("t.csv").write_text("y,a,b\n0,1,1\n0,2,\n1,,3\n1,4,0\n1,5,5\n")
    found = sums_of_file("t.csv", label="y", score=["a", "b"], na="drop")
    assert {name: (f.n_pos, f.n_neg, f.sums.auc) for name, f in found.items()} == {
        "a": (2, 2, 1.0),
        "b": (3, 1, 2 / 3),
    }
    assert found["a"].warnings == ("1 row with missing values left out: 1 of class '1'",)
    assert found["b"].warnings == ("1 row with missing values left out: 1 of class '0'",)
    assert (found["a"].name, found["a"].pos_label, found["a"].neg_label) == ("a", 1, 0)


def test_infinite_scores_are_reported(folder):
    Path("t.csv").write_text("y,s\n0,1\n1,inf\n")
    found = sums_of_file("t.csv", **REQUEST)["s"]
    assert found.warnings == read_scores("t.csv", **REQUEST).warnings != ()


# Tables


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({}, BinaryScores),
        ({"table": True}, ScoreTable),
        ({"memory_limit": "1GB"}, ScoreTable),
        ({"memory_limit": "1GB", "table": False}, BinaryScores),
        ({"memory_limit": "1GB", "score": ["s", "t"]}, BinaryScores),
        ({"memory_limit": "1GB", "fold": "t"}, BinaryScores),
        ({"memory_limit": "1GB", "weight": "t"}, BinaryScores),
    ],
)
def test_what_is_returned(folder, options, kind):
    Path("t.csv").write_text("y,s,t\n0,1,1\n1,2,2\n")
    assert isinstance(read_scores("t.csv", **(REQUEST | options)), kind)


@pytest.mark.parametrize("options", [{"score": ["s", "t"]}, {"fold": "t"}, {"weight": "t"}])
def test_tables_hold_one_score(folder, options):
    Path("t.csv").write_text("y,s,t\n0,1,1\n1,2,2\n")
    with pytest.raises(RocInputError) as caught:
        read_scores("t.csv", **(REQUEST | options), table=True)
    assert str(caught.value) == (
        "table must be False to read several scores, folds, weights, counts or clusters, got True"
    )


def test_a_table_goes_where_scores_go(folder):
    Path("t.csv").write_text("state,s\nwell,1\nill,2\nwell,2\nill,3\nwell,0\n")
    table = read_scores("t.csv", label="state", score="s", pos_label="ill", table=True)
    assert isinstance(table, LabelledTable)
    assert (table.name, table.pos_label, table.neg_label) == ("s", "ill", "well")
    assert auc(table) == auc(read_scores("t.csv", label="state", score="s", pos_label="ill"))


def test_names_and_warnings_of_a_table_stay(folder):
    """A curve and the cases that are made of it are those of the rows."""
    Path("t.csv").write_text("state,s\nwell,1\nill,2\nwell,\nwell,2\nill,inf\nwell,0\n")
    request = {"label": "state", "score": "s", "pos_label": "ill", "na": "drop"}
    table, rows = (read_scores("t.csv", **request, table=kind) for kind in (True, False))
    assert len(table.warnings) == 2
    assert roc_curve(table) == roc_curve(rows) == roc_curve(table, pos_label="ill")
    made = BinaryScores.from_table(table)
    for name in ("names", "pos_label", "neg_label", "warnings"):
        assert getattr(made, name) == getattr(rows, name)


def test_a_thinned_table_says_so_in_its_curve(folder):
    Path("t.csv").write_text("y,s\n" + "".join(f"{k % 2},{k * 7 % 31}\n" for k in range(40)))
    thin = read_scores("t.csv", **REQUEST, table=True).thin(5)
    assert roc_curve(thin).warnings[0] == (
        f"the table was thinned: the true area is within {thin.bound:.2g} of this one"
    )


# Room


def test_a_table_that_is_too_large(folder, monkeypatch):
    monkeypatch.setattr(large, "TABLE_BYTES", 10_000)
    pl.DataFrame({"y": np.arange(10_000) % 2, "s": np.arange(10_000)}).write_parquet("t.parquet")
    with pytest.raises(ResourceError) as caught:
        read_scores("t.parquet", **REQUEST, memory_limit=LIMIT)
    assert str(caught.value).startswith("t.parquet has about ")
    assert str(caught.value).endswith(
        "where 64 MB may be used; its area and operating points need less; a larger memory_limit helps"
    )


def test_rows_that_are_too_many(folder):
    pl.DataFrame({"y": np.arange(2_000_000) % 2, "s": np.arange(2_000_000)}).write_parquet("t.parquet")
    with pytest.raises(ResourceError) as caught:
        read_scores("t.parquet", **REQUEST, memory_limit=LIMIT, table=False)
    assert str(caught.value) == (
        "t.parquet has 2,000,000 rows, which need 96 MB in memory, where 64 MB may be used; a larger "
        "memory_limit helps, or fewer columns or a sample of the rows; the area of one score and its "
        "operating points do not need the rows"
    )


def test_a_copy_that_does_not_fit(folder, temporary):
    Path("t.csv").write_text("y,s\n" + "0,1\n1,2\n" * 1000)
    with pytest.raises(ResourceError) as caught:
        placement_sums_of_file("t.csv", **REQUEST, temp_limit="10kB")
    assert str(caught.value) == (
        f"a temporary copy of t.csv needs 18 kB in {temporary}, where 10 kB may be used; TMPDIR names "
        "another folder"
    )
    assert list(temporary.iterdir()) == []


def test_a_file_that_changes_meanwhile(folder, monkeypatch):
    rng = np.random.default_rng(6)
    frame = pl.DataFrame({"y": labels(rng), "s": continuous(rng)})
    frame.write_parquet("t.parquet")

    def change(self):
        frame.head(20_000).write_parquet("t.parquet")
        return 10**9

    monkeypatch.setattr(Rows, "different", change)
    with pytest.raises(RocInputError) as caught:
        placement_sums_of_file("t.parquet", **REQUEST, memory_limit="1GB")
    assert str(caught.value) == "t.parquet must stay as it is while it is read, but it changed"


def test_a_file_that_goes_meanwhile(folder, monkeypatch):
    def remove(self):
        Path("t.parquet").unlink()
        return 10**9

    pl.DataFrame({"y": [0, 1], "s": [1, 2]}).write_parquet("t.parquet")
    monkeypatch.setattr(Rows, "different", remove)
    with pytest.raises(RocInputError) as caught:
        placement_sums_of_file("t.parquet", **REQUEST)
    assert str(caught.value) == "t.parquet cannot be read: it is no longer there"


@pytest.mark.parametrize("read", [placement_sums_of_file, table_of_file, curves_of_file])
def test_a_file_that_contradicts_itself(folder, monkeypatch, read):
    """Damaged statistics let DuckDB pass over rows that it found before."""
    pl.DataFrame({"y": [0, 1, 0, 1], "s": [1.0, 2.0, 3.0, 4.0]}).write_parquet("t.parquet")
    monkeypatch.setattr(large, "COUNTS", "0 AS pos, count(*) AS neg")
    with pytest.raises(RocInputError) as caught:
        read("t.parquet", **REQUEST)
    assert str(caught.value) == (
        "t.parquet must be a whole table, got a damaged one: 4 rows were counted first, then 0 positive and "
        "4 negative ones"
    )


# Many columns

WIDE = """
import sys
from pathlib import Path
import duckdb
from rocscope.io.files import read_scores

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])

before, scores = peak(), [f"s{k}" for k in range(400)]
data = read_scores(sys.argv[1], label="y", score=scores, memory_limit="256MB", table=False)
print(len(data.names), data.columns[399][:3].tolist(), (peak() - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is reported in other units")
def test_four_hundred_columns_within_the_limit(folder):
    header = ",".join(["y", *(f"s{k}" for k in range(400))])
    lines = [",".join([str(row % 2), *(f"{row}.{k:03d}" for k in range(400))]) for row in range(2_000)]
    Path("t.csv").write_text("\n".join([header, *lines]) + "\n")
    command = [sys.executable, "-c", WIDE, "t.csv"]
    *found, used = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert found == ["400", "[0.399,", "1.399,", "2.399]"]
    assert int(used) < 256


# Twenty million rows

# VmHWM is the peak of this program; ru_maxrss would count the tests' own memory, from before the exec.
SCRIPT = """
import sys
from pathlib import Path
from rocscope.inference.auc import auc_from_sums
from rocscope.io.large import sums_of_file
from rocscope.io.input_file import Limits
sums = sums_of_file(sys.argv[1], label="label", score="score", limits=Limits.read(sys.argv[2]))["score"].sums
print(sums.n_pos, sums.n_neg, sums.twice_u, sums.squares_pos, sums.squares_neg, auc_from_sums(sums).status)
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is reported in other units")
def test_twenty_million_rows_in_half_a_gigabyte(folder, parquet):
    parquet(
        "SELECT hash(range) / 1.8e19 + y AS score, y::TINYINT AS label "
        "FROM (SELECT range, (hash(range + 7) % 10 = 0)::INTEGER AS y FROM range(20000000))"
    )
    answers = []
    for limit, peak in (("512MB", 800), ("64MB", 400)):
        command = [sys.executable, "-c", SCRIPT, "t.parquet", limit]
        environment = os.environ | {"TMPDIR": str(folder)}
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        *answer, used = run.stdout.split()
        assert int(used) / 1024 < peak
        answers.append(answer)
    assert answers[0] == answers[1]
    data = read_scores("t.parquet", label="label", score="score")
    expected = data.sums()
    found = (expected.n_pos, expected.n_neg, expected.twice_u, expected.squares_pos, expected.squares_neg)
    assert answers[0] == [*map(str, found), "ok"]
    assert os.listdir() == ["t.parquet"]
