"""Tables of bins: what they hide is bounded, whatever the scores; parts add up; one grid alone."""

import copy
import pickle

import numpy as np
import pytest

import rocscope as rs
from rocscope.core.bins import BinnedTable, lower_edges, step_for
from slow import binned

TOLERANCE = 1 + 1e-9


def sample(rng, *, size=None):
    """Scores of one of several shapes: normal, rare and tiny, saturated near 1, tied, with infinities."""
    size = int(rng.integers(4, 400)) if size is None else size
    y = np.r_[0, 0, 1, 1, rng.random(size) < rng.choice([0.02, 0.3, 0.8])].astype(int)
    shape = rng.integers(5)
    if shape == 0:
        s = rng.normal(y, rng.choice([0.01, 1, 100]))
    elif shape == 1:
        s = rng.beta(0.3 + y, 300)
    elif shape == 2:
        s = 1 - 1e-9 * rng.exponential(2 - y)
    elif shape == 3:
        s = rng.integers(0, 12, y.size) / rng.choice([3, 4])
    else:
        s = np.where(rng.random(y.size) < 0.1, rng.choice([-np.inf, np.inf, 1e308, 5e-324]), rng.normal(y))
    return y, s


def test_the_bounds_are_never_broken():
    rng = np.random.default_rng(23)
    reached = 0
    for k in range(1000):
        y, s = sample(rng)
        direction = "higher" if k % 3 else "lower"
        how = {"step": 2.0 ** rng.integers(-12, 3)} if k % 2 else {"bins": int(rng.integers(1, 60))}
        table = rs.ScoreTable.binned(y, s, direction=direction, **how)
        exact = rs.BinaryScores.from_arrays(y, s, direction=direction).sums()
        assert abs(table.auc - exact.auc) <= table.bound * TOLERANCE
        error = table.sums().delong_variance() ** 0.5 - exact.delong_variance() ** 0.5
        assert abs(error) <= table.se_bound * TOLERANCE + 1e-15
        if table.bound == 0:
            assert (table.auc, table.thinned) == (exact.auc, False)
        reached += abs(table.auc - exact.auc) > table.bound / 2 > 0
    assert reached > 30  # the bound of the area is no idle one


def test_the_bounds_hold_for_every_arrangement_and_that_of_the_area_is_the_best():
    counts = [(1, 2), (2, 1), (1, 1)]
    labels = [label for p, n in counts for label in [1] * p + [0] * n]
    low = np.arange(3.0)
    table = BinnedTable.from_bins(
        scores=low + 0.25,
        highest=low + 0.75,
        single=[False] * 3,
        low=low,
        width=np.ones(3),
        pos=[p for p, _ in counts],
        neg=[n for _, n in counts],
    )
    area, error = table.auc, table.sums().delong_variance() ** 0.5
    farthest = 0.0
    for arranged, scores in binned.arrangements(counts, levels=2):
        assert arranged == labels
        own, own_error = binned.area_and_error(arranged, scores)
        farthest = max(farthest, abs(own - area))
        assert abs(own - area) <= table.bound * TOLERANCE
        assert abs(own_error - error) <= table.se_bound * TOLERANCE
    assert farthest == pytest.approx(table.bound, rel=1e-9)


def test_cells_are_those_of_the_definition():
    rng = np.random.default_rng(3)
    for step in (0.25, 2.0, 2**-20):
        y, s = rng.random(60) < 0.4, rng.normal(size=60)
        table = rs.ScoreTable.binned(y, s, step=step)
        found = binned.cells(y, s, step)
        assert len(table.scores) == len(found)
        for low, least, most, pos, neg in zip(
            table.low, table.scores, table.highest, table.pos, table.neg, strict=True
        ):
            own = found[int(low / step)]
            assert (min(own[0] + own[1]), max(own[0] + own[1])) == (least, most)
            assert (len(own[0]), len(own[1])) == (pos, neg)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_tables_of_parts_add_up_in_any_order(direction):
    rng = np.random.default_rng(5)
    y, s = sample(rng, size=300)
    how = {"step": 0.125, "direction": direction}
    cuts = [slice(0, 90), slice(90, 100), slice(100, None)]
    keep = np.r_[0, 1, 2, 3]  # both classes in every part
    parts = []
    for cut in cuts:
        rows = np.r_[keep, np.arange(y.size)[4:][cut]]
        parts.append((rows, rs.ScoreTable.binned(y[rows], s[rows], **how)))
    every = np.concatenate([rows for rows, _ in parts])
    whole = rs.ScoreTable.binned(y[every], s[every], **how)
    tables = [table for _, table in parts]
    assert tables[0].merge(tables[1]).merge(tables[2]) == whole
    assert tables[2].merge(tables[0].merge(tables[1])) == whole
    assert pickle.loads(pickle.dumps(whole)) == copy.deepcopy(whole) == whole


def test_65536_bins_know_the_area_of_normal_scores_to_1e_5():
    rng = np.random.default_rng(1)
    y = rng.random(300_000) < 0.3
    for distance in (0, 1, 2.5):
        table = rs.ScoreTable.binned(y, rng.normal(distance * y))
        assert len(table.scores) <= 65_536
        assert 0 < table.bound < 1e-5


def test_an_area_says_what_its_bins_hide():
    y, s = [0, 0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.55, 0.9]
    table = rs.ScoreTable.binned(y, s, step=0.5)
    text = (
        "the table was thinned to 2 bins: the area of the scores themselves is within 0.22 of this one, its "
        "standard error within 0.24"
    )
    assert rs.auc(table).warnings == (text,)
    assert rs.auc(rs.ScoreTable.binned(y, s, step=2**-20)).warnings == ()
    curve = rs.roc_curve(table)
    assert (curve.thresholds.tolist(), curve.warnings) == ([np.inf, 0.55, 0.1], (text,))


def test_cells_and_steps():
    assert lower_edges(np.array([2.0**60 + 1024, -0.0, -np.inf]), 0.5).tolist() == [
        2.0**60 + 1024,
        0,
        -np.inf,
    ]
    assert step_for(0, 1, 4096) == 2**-12
    assert step_for(-1e308, 1e308, 1) == 2.0**512
    assert step_for(0.0, 5e-324, 10) == 1.0


GOOD = {"scores": [0.1], "highest": [0.2], "single": [0], "low": [0], "width": [1], "pos": [1], "neg": [1]}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rs.ScoreTable.binned([0, 1], [1, 2], step=0.5).merge(
                rs.ScoreTable.binned([0, 1], [1, 2], step=1.0)
            ),
            "bins must come from one grid, got [1, 1.5) and [1, 2), which overlap",
        ),
        (
            lambda: rs.ScoreTable.binned([0, 1], [1, 2], step=0.5).merge(
                rs.ScoreTable.from_counts([1, 2], pos=[1, 0], neg=[0, 1])
            ),
            "other must be a BinnedTable, got ScoreTable(scores=array([2., 1.]), pos=array([0, 1]), neg...",
        ),
        (
            lambda: rs.ScoreTable.binned([0, 1], [1, 2], step=0.5).merge(
                rs.ScoreTable.binned([0, 1], [1, 2], step=0.5, direction="lower")
            ),
            "tables must have one direction, got both",
        ),
        (
            lambda: rs.ScoreTable.binned([0, 1], [1, 2], step=0.3),
            "step must be a power of two from 2**-512 to 2**512, got 0.3",
        ),
        (
            lambda: rs.ScoreTable.binned([0, 1], [1, 2], bins=0),
            "bins must be a whole number of at least 1, got 0",
        ),
        (
            lambda: rs.ScoreTable.binned([0, 1], [1, 2**53 + 1]),
            "y_score must be numbers that float64 holds exactly",
        ),
        (
            lambda: BinnedTable.from_bins(**{name: [] for name in GOOD}),
            "must be counts of one or more bins, got none",
        ),
    ],
)
def test_what_is_no_table(call, message):
    with pytest.raises(rs.RocInputError) as caught:
        call()
    assert str(caught.value) == message
