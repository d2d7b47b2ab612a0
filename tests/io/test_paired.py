"""Paired sums of a file: the same integers as in memory, whatever the memory, the ties and the pieces."""

import duckdb
import numpy as np
import pytest

import rocscope as rs
from rocscope.core.table import ClassProducts
from rocscope.inference.compare import compare_sums
from rocscope.inference.variance import AreaMatrix
from rocscope.io import paired
from rocscope.io.input_file import Limits


def write(path, y, scores):
    columns = {"y": y, **scores}
    with duckdb.connect() as connection:
        connection.register("cells", columns)
        connection.execute("COPY cells TO $path (FORMAT parquet)", {"path": str(path)})


def in_memory(y, scores, direction):
    data = rs.BinaryScores.from_arrays(y, scores, direction=direction)
    placements = [data.doubled_placements(k) for k in range(len(scores))]
    return (
        ClassProducts.of_placements([pos for pos, _ in placements], other=data.n_neg),
        ClassProducts.of_placements([neg for _, neg in placements], other=data.n_pos),
    )


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize(  # one piece, some, many
    "row_bytes", [120, 120_000, pytest.param(2_000_000, marks=pytest.mark.slow)]
)
def test_the_sums_are_those_of_the_rows_in_memory(tmp_path, monkeypatch, direction, row_bytes):
    monkeypatch.setattr(paired, "ROW_BYTES", row_bytes)
    monkeypatch.setattr(paired, "BLOCK_ROWS", 64)
    rng = np.random.default_rng(row_bytes)
    y = rng.integers(0, 2, 700)
    scores = {
        "a": rng.normal(y),
        "b": np.round(rng.normal(y), 1),
        "c": np.where(rng.random(700) < 0.8, 5, rng.integers(0, 9, 700)),  # most cases share one score
        "d": np.where(rng.random(700) < 0.1, np.inf, -0.0),
    }
    write(tmp_path / "x.parquet", y, scores)
    how = {"label": "y", "score": [*scores], "direction": direction, "limits": Limits.read("128MB")}
    sums = paired.paired_sums_of_file(tmp_path / "x.parquet", **how)
    assert (sums.of_pos, sums.of_neg) == in_memory(y, scores, direction)
    result = compare_sums(
        AreaMatrix.of_products(sums.names, sums.of_pos, sums.of_neg),
        paired=True,
        n_pos=(sums.of_pos.size,) * 4,
        n_neg=(sums.of_neg.size,) * 4,
        direction=direction,
        warnings=sums.warnings,
    )
    expected = rs.compare_auc(y, scores, direction=direction)
    assert result.to_dict() == expected.to_dict()


def test_incomplete_rows_are_left_out_of_all_scores(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("y,a,b\n1,0.9,1\n0,0.2,1\n1,0.2,\n0,,2\n1,0.1,3\n0,0.4,2\n")
    sums = paired.paired_sums_of_file(path, label="y", score=["a", "b"], na="drop")
    data = rs.read_scores(path, label="y", score=["a", "b"], na="drop")
    assert (sums.of_pos.size, sums.of_neg.size) == (data.n_pos, data.n_neg) == (2, 2)
    assert sums.warnings == data.warnings
    assert sums.of_curve(0) == data.sums(0)


def test_the_command_gives_the_same_numbers_within_a_limit(tmp_path, capsys, monkeypatch):
    import json

    from rocscope.cli import main

    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    write(tmp_path / "x.parquet", y, {"a": rng.normal(y), "b": rng.normal(y)})
    columns = ["--label", "y", "--score", "a", "--score", "b", "--margin", "0.1", "--json"]
    monkeypatch.setattr("rocscope.io.files.CELL_BYTES", 10**8)  # no rows fit into a limit
    found = []
    for limit in ([], ["--memory-limit", "256MB"]):
        assert main(["compare", str(tmp_path / "x.parquet"), *columns, *limit]) == 0
        found.append(json.loads(capsys.readouterr().out)["results"][0])
    del found[0]["crossings"]
    assert found[0] == found[1]
