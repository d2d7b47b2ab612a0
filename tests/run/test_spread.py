"""Scores over the workers of dask: the numbers of memory to the bit, whatever the parts and the workers."""

import logging
import os
import signal
import threading
from functools import partial
from time import sleep

import numpy as np
import pytest

import rocscope as rs
from rocscope.core import spread
from rocscope.errors import ResourceError

dask = pytest.importorskip("dask")
frames = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(23)
Y = RNG.integers(0, 2, 5000)
CASES = pd.DataFrame(
    {
        "y": Y,
        "a": RNG.normal(Y),
        "b": np.round(RNG.normal(Y), 1),
        "c": np.where(RNG.random(5000) < 0.7, 5, RNG.integers(0, 9, 5000)),
        "d": np.where(RNG.random(5000) < 0.01, np.inf, -0.0),
    }
)
SCORES = ["a", "b", "c", "d"]
IN_PLACE = (
    "auc, auc_by, compare_auc, partial_auc, point_measures and roc_curve take a data frame of dask with "
    "label and score"
)


@pytest.fixture(autouse=True)
def many_ranges(monkeypatch):
    monkeypatch.setattr(spread, "RANGE_ROWS", 700)


def columns(score, **more):
    return {"label": "y", "score": score, **more}


@pytest.mark.parametrize("parts", [1, 3, pytest.param(17, marks=pytest.mark.slow)])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_the_numbers_are_those_of_memory(parts, direction):
    frame = frames.from_pandas(CASES, npartitions=parts)
    with dask.config.set(scheduler="threads"):
        for score in SCORES:
            how = columns(score, direction=direction)
            assert rs.auc(frame, **how).to_dict() == rs.auc(CASES, **how).to_dict()
        for call in (
            partial(rs.auc, method="bamber", **columns("b", direction=direction)),
            partial(rs.compare_auc, **columns(SCORES, direction=direction)),
            partial(rs.roc_curve, **columns("b", direction=direction)),
            partial(rs.partial_auc, fpr=(0, 0.2), method="delong", **columns("b", direction=direction)),
            partial(rs.point_measures, threshold=0.5, **columns("b", direction=direction)),
        ):
            assert call(frame).to_dict() == call(CASES).to_dict()


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        (pd.array(np.where(Y == 1, True, False), dtype="boolean"), {}),
        (pd.array(Y, dtype="Int64"), {}),
        (pd.Categorical(np.where(Y == 1, "ill", "well")), {"pos_label": "ill"}),
        (Y.astype(float), {"pos_label": 1}),
        (Y + 1, {"pos_label": 2}),
    ],
)
def test_labels_and_scores_of_every_type(labels, options):
    cases = pd.DataFrame({"y": labels, "a": CASES.a > 0, "b": CASES.b, "c": CASES.c}).iloc[:60]
    cases.loc[::7, "y"] = None
    cases.loc[::5, "b"] = None
    cases["c"] = cases["c"].astype("Int64")
    cases.loc[::9, "c"] = pd.NA
    frame = frames.from_pandas(cases, npartitions=3)
    with dask.config.set(scheduler="synchronous"):
        for score in "abc":
            how = {"label": "y", "score": score, "na": "drop", **options}
            assert rs.auc(frame, **how).to_dict() == rs.auc(cases, **how).to_dict()


def test_text_labels_missing_values_and_empty_parts():
    cases = pd.DataFrame({"y": ["ill", "well", None, "ill", "ill", "well"], "s": [3, 1, 2, None, 0.5, 0.1]})
    frame = frames.from_pandas(cases, npartitions=3)
    frame = frames.concat([frame, frame[frame.s > 99]])
    how = {"label": "y", "score": "s", "pos_label": "ill"}
    with dask.config.set(scheduler="synchronous"):
        found = rs.auc(frame, na="drop", **how)
        assert found.to_dict() == rs.auc(cases, na="drop", **how).to_dict()
        with pytest.raises(rs.RocInputError) as caught:
            rs.auc(frame, **how)
    assert str(caught.value) == (
        "the data frame must have no missing values, got 2 rows with some; na='drop' leaves them out"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda f: rs.auc(f, label="y", score="a", na="oops"),
            "na must be one of 'error', 'drop', got 'oops'",
        ),
        (
            lambda f: rs.roc_curve(f, label="y", score="a", direction="up"),
            "direction must be one of 'higher', 'lower', got 'up'",
        ),
        (lambda f: rs.auc(f, label="a", score="b"), "label must hold two labels, got more than 1000"),
        (lambda f: rs.auc(f), "label must be given for a dask data frame: the names of its columns"),
        (
            lambda f: rs.auc(f, label="y", score="A"),
            "score must be a column of the data frame, got 'A'; did you mean 'a'?",
        ),
        (lambda f: rs.auc(f, f, label="y", score="a"), "y_score must be left out for a dask data frame"),
        (
            lambda f: rs.compare_auc(f, label="y", score=["a", "b"], method="bootstrap"),
            "method must be 'delong' for a dask data frame, got 'bootstrap'",
        ),
        (
            lambda f: rs.compare_auc(f, label="y", score=["a", "b"], paired=False),
            "paired must be True for a dask data frame, got False",
        ),
        (
            lambda f: rs.partial_auc(f, label="y", score="a", fpr=(0, 0.2), method="bootstrap"),
            "method must draw nothing for a dask data frame, whose rows are not drawn again, got 'bootstrap'",
        ),
        *(
            (call, f"{name} must be in memory, got a {kind} of dask; {IN_PLACE}")
            for call, name, kind in [
                (lambda f: rs.analyse(f), "y_true", "DataFrame"),
                (lambda f: rs.auc(f.y, f.a), "y_true", "Series"),
                (lambda f: rs.roc_curve(CASES.y, f.a), "y_score", "Series"),
                (lambda f: rs.roc_curve(CASES.y, f.a.to_dask_array()), "y_score", "Array"),
                (lambda f: rs.compare_auc(CASES.y, f[["a", "b"]]), "scores", "DataFrame"),
                (lambda f: rs.cross_scores(None, f[["a"]], CASES.y), "X", "DataFrame"),
            ]
        ),
        (
            lambda f: rs.auc(f, label="c", score="a"),
            "column 'c' must hold two labels, got 9: 0, 1, 2, 3, 4 and 4 more",
        ),
    ],
)
def test_wrong_requests(call, message):
    with dask.config.set(scheduler="synchronous"), pytest.raises(rs.RocInputError) as caught:
        call(frames.from_pandas(CASES, npartitions=2))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "ranges",
    [
        {"fpr": (0.1, 0.3)},
        *(
            pytest.param(ranges, marks=pytest.mark.slow)
            for ranges in ({"tpr": (0.8, 1)}, {"fpr": (0, 0.3), "tpr": (0.5, 1)}, {})
        ),
    ],
    ids=str,
)
def test_many_rows_of_a_few_scores(ranges):
    """Beyond the size from which numba walks the rows: counts give the same bits."""
    y = RNG.integers(0, 2, 70_000)
    cases = pd.DataFrame({"y": y, "s": np.where(RNG.random(70_000) < 0.3, 0.5, np.round(RNG.normal(y), 3))})
    frame = frames.from_pandas(cases, npartitions=3)
    how = {"label": "y", "score": "s", "method": "delong", **ranges}
    with dask.config.set(scheduler="threads"):
        assert rs.partial_auc(frame, **how).to_dict() == rs.partial_auc(cases, **how).to_dict()


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_its_parts_alone(tmp_path):
    """Processes, one of which dies while the parts are read."""
    from rocscope.run.dask_executor import DaskExecutor

    flag = tmp_path / "killed"

    def part(k):
        if k == 5 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return {name: CASES[name].to_numpy()[k::8] for name in ("y", *SCORES)}

    parts = [dask.delayed(part, pure=False)(k) for k in range(8)]
    with DaskExecutor(n_workers=2) as cluster:
        scores = spread.SpreadScores(parts, "y", tuple(SCORES), compute=cluster.compute)
        data = rs.BinaryScores.from_arrays(CASES, label="y", score=SCORES)
        assert [scores.sums(k) for k in range(4)] == [data.sums(k) for k in range(4)]
    assert flag.exists()


def test_the_command_reads_parts_on_the_workers(tmp_path, capsys):
    from rocscope.cli import main

    cases = CASES.assign(y=CASES.y.astype("Int64"))
    cases.loc[[3, 4], "y"] = pd.NA
    cases.loc[[5, 6], "a"] = np.nan
    for k in range(3):
        cases[k::3].to_parquet(tmp_path / f"p{k}.parquet", index=False)
    request = ["auc", str(tmp_path), "--label", "y", "--pos-label", "1", "--score", "a", "--score", "c"]
    cluster = ["--backend", "dask", "--n-jobs", "1"]
    assert main([*request, *cluster, "--na", "drop", "--json"]) == 0
    on_workers = capsys.readouterr()
    assert main([*request, "--na", "drop", "--json"]) == 0
    assert capsys.readouterr() == on_workers
    assert main([*request, *cluster]) == 3
    assert capsys.readouterr().err == (
        f"error: {tmp_path} must have no missing values, got 4 rows with some; --na drop leaves them out\n"
    )


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("x.csv", "--scheduler", "tcp://127.0.0.1:1"), 2, "--scheduler needs --backend dask"),
        (("x.csv", "--backend", "dask", "--by", "c"), 2, "--by must be left out with --backend dask"),
        (
            ("x.csv", "--backend", "dask", "--method", "bamber"),
            2,
            "--backend dask belongs to methods that need no curve, got method 'bamber'",
        ),
    ],
)
def test_wrong_commands(tmp_path, monkeypatch, capsys, options, code, message):
    from rocscope.cli import main

    monkeypatch.chdir(tmp_path)
    CASES.to_csv("x.csv", index=False)
    assert main(["auc", *options, "--label", "y", "--score", "a"]) == code
    assert capsys.readouterr().err == f"error: {message}\n"


# ---- A scheduler that is gone, and workers that die -------------------------------------------------------


def cluster_of(n_workers, **how):
    distributed = pytest.importorskip("distributed")
    how = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL} | how
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        return distributed.LocalCluster(n_workers=n_workers, **how)


def test_a_scheduler_that_goes_away(tmp_path):
    flag = tmp_path / "started"

    def slow(part):
        flag.touch()
        sleep(0.1)
        return part

    def end():
        for _ in range(200):
            if flag.exists():
                break
            sleep(0.05)
        cluster.close()

    frame = frames.from_pandas(CASES, npartitions=40).map_partitions(slow, meta=CASES)
    with cluster_of(1, processes=False) as cluster, cluster.get_client():
        ends = threading.Thread(target=end)
        ends.start()
        with pytest.raises(ResourceError) as caught:
            rs.auc(frame, **columns("a"))
        ends.join()
    assert str(caught.value) == "the dask scheduler went away"


def test_a_scheduler_without_workers():
    from rocscope.run.dask_executor import DaskExecutor

    scores = partial(spread.SpreadScores, [dask.delayed(dict)(CASES)], "y", ("a",))
    with (
        cluster_of(0, processes=False) as cluster,
        DaskExecutor(cluster.scheduler_address, timeout=0.3) as executor,
        pytest.raises(ResourceError) as caught,
    ):
        scores(compute=executor.compute).sums()
    assert str(caught.value) == "the dask scheduler has had no worker for 0.3 seconds"


def test_a_command_without_a_scheduler(tmp_path, monkeypatch, capsys):
    from rocscope.cli import main
    from rocscope.run.dask_executor import DaskExecutor

    monkeypatch.setitem(DaskExecutor.__init__.__kwdefaults__, "timeout", 0.3)
    CASES.to_parquet(tmp_path / "p.parquet", index=False)
    address = "tcp://127.0.0.1:9"
    options = ["--label", "y", "--score", "a", "--backend", "dask", "--scheduler", address]
    assert main(["auc", str(tmp_path), *options]) == 5
    assert capsys.readouterr().err == (
        f"error: no dask scheduler answers at {address}: "
        f"Timed out trying to connect to {address} after 0.3 s\n"
    )


@pytest.mark.slow
def test_a_part_that_ends_every_worker():
    def end(part):
        os.kill(os.getpid(), signal.SIGKILL)

    frame = frames.from_pandas(CASES, npartitions=2).map_partitions(end, meta=CASES)
    with (
        cluster_of(1, host="127.0.0.1") as cluster,
        cluster.get_client(),
        pytest.raises(ResourceError) as caught,
    ):
        rs.auc(frame, **columns("a"))
    assert str(caught.value) == "a part ended 2 dask workers, one after another: they may lack memory"


def test_an_error_of_the_data_stays_what_it_is():
    """A file that is gone is not a scheduler that is gone."""

    def read(part):
        raise FileNotFoundError("part-3.parquet")

    frame = frames.from_pandas(CASES, npartitions=2).map_partitions(read, meta=CASES)
    with (
        cluster_of(1, processes=False) as cluster,
        cluster.get_client(),
        pytest.raises(FileNotFoundError, match=r"part-3\.parquet"),
    ):
        rs.auc(frame, **columns("a"))


@pytest.mark.parametrize("threshold", [None, 0.5])
@pytest.mark.parametrize("score", ["a", pytest.param("b", marks=pytest.mark.slow)])
def test_areas_of_groups_are_those_of_memory(score, threshold):
    """Two columns of groups, one with small ones; the same numbers for any parts."""
    rng = np.random.default_rng(5)
    cases = CASES.assign(
        site=rng.choice(["N", "S", "W"], len(CASES)),
        ward=rng.choice([1, 2, 7], len(CASES), p=[0.6, 0.395, 0.005]),
    )
    cases.loc[0, "ward"], cases.loc[1, "ward"] = 8, 9  # of one case each
    how = {"label": "y", "score": score, "by": ["site", "ward"], "threshold": threshold}
    expected = rs.auc_by(cases, **how).to_dict()
    for parts in (1, 4):
        with dask.config.set(scheduler="synchronous"):
            found = rs.auc_by(frames.from_pandas(cases, npartitions=parts), **how).to_dict()
        assert found == expected


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("sit", "by must be a column of the data frame, got 'sit'; did you mean 'site'?"),
        ("gap", "by must name the group of every row, got 5 without"),
        ("a", "by must have at most 100 groups, got 5,000 in column 'a'"),
    ],
)
def test_groups_that_are_refused(by, message):
    cases = CASES.assign(site="N", gap=np.where(np.arange(5000) < 5, None, "x"))
    frame = frames.from_pandas(cases, npartitions=2)
    with dask.config.set(scheduler="synchronous"), pytest.raises(rs.RocInputError) as caught:
        rs.auc_by(frame, label="y", score="a", by=by)
    assert str(caught.value) == message


def test_long_whole_scores_of_groups_meet_their_threshold_exactly():
    """2**60 - 1 is 2**60 in floating point, and does not reach it."""
    cases = pd.DataFrame(
        {"y": [0, 1] * 20, "s": 2**60 - 2 + np.arange(40) % 5, "g": ["a", "b"] * 10 + ["b", "a"] * 10}
    )
    how = {"label": "y", "score": "s", "by": "g", "threshold": 2.0**60}
    with dask.config.set(scheduler="synchronous"):
        found = rs.auc_by(frames.from_pandas(cases, npartitions=3), **how)
    assert found.to_dict() == rs.auc_by(cases, **how).to_dict()
    assert {row.tpr for row in found.groups} == {0.6}
