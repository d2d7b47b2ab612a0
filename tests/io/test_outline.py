"""The curve of a long file: exact at every vertex that is kept; a choice among them is that among all."""

import pickle

import numpy as np
import polars as pl
import pytest

from rocscope.core.curve import RocCurve, roc_curve
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import UndefinedError
from rocscope.inference.auc import auc
from rocscope.inference.point_measures import point_measures
from rocscope.io import large
from rocscope.io.input_file import Limits
from rocscope.io.large import SortedPiece, curves_of_file, table_of_file, vertex_at

N = 6_000
LIMIT = Limits.read(64 * 10**6)
SHAPES = {
    "continuous": lambda rng, y: rng.normal(size=N) + y,
    "ties": lambda rng, y: (rng.normal(size=N) + y).round(1),
    "spike": lambda rng, y: np.where(rng.random(N) < 0.6, -0.0, rng.normal(size=N) + y),
    "infinite": lambda rng, y: np.where(rng.random(N) < 0.1, np.inf, rng.normal(size=N) + y),
    "constant": lambda rng, y: np.full(N, 0.5),
    "separated": lambda rng, y: y + rng.random(N) / 2,
    "beyond float64": lambda rng, y: 2**53 + rng.integers(0, 2000, N) + 300 * y.astype(int),
}


@pytest.fixture(params=[1_000, None], ids=["in pieces", "counted"])
def cut(request, monkeypatch):
    """Short pieces and stretches, or one table counted by the database."""
    if request.param is not None:
        monkeypatch.setattr(large, "ROW_BYTES", LIMIT.half // request.param)
        monkeypatch.setattr(large, "FEW_SCORES", 0)
    monkeypatch.setattr(large, "STRETCH_ROWS", 70)
    monkeypatch.setattr(large, "STEPS", 20)


def written(shape):
    rng = np.random.default_rng(3)
    y = (rng.random(N) < 0.3).astype(np.int8)
    s = SHAPES[shape](rng, y)
    pl.DataFrame({"y": y, "s": s}).write_parquet("t.parquet")
    return y, s


def curve_of(**options):
    return curves_of_file("t.parquet", label="y", score="s", limits=LIMIT, **options)["s"]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_kept_vertex_is_exact(folder, temporary, cut, shape):
    y, s = written(shape)
    data = BinaryScores.from_arrays(y, s)
    full, found = roc_curve(y, s), curve_of()
    kept = found.curve
    where = [list(full.thresholds[1:]).index(t) + 1 for t in kept.thresholds[1:]]
    for name in ("tp", "fp", "fpr", "tpr"):
        assert np.array_equal(getattr(kept, name), getattr(full, name)[[0, *where]])
    assert (where[0], where[-1]) == (1, len(full) - 1)
    assert (kept.auc, found.sums) == (full.auc, data.sums())
    assert found.tied_pairs == int((data.table().pos * data.table().neg).sum())
    assert (found.n_pos, found.n_neg, found.name) == (kept.n_pos, kept.n_neg, "s")
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "selection",
    [
        {},
        {"rule": "closest"},
        {"cost": (1, 30)},
        {"constraints": ("tpr>=0.8",)},
        {"constraints": ("fpr<=0.01",)},
        {"constraints": ("precision>=0.5", "fpr>0"), "prevalence": 0.4},
    ],
    ids=str,
)
def test_the_choice_is_the_same(folder, cut, shape, selection):
    y, s = written(shape)
    bounds, how = selection.get("constraints", ()), {k: v for k, v in selection.items() if k != "constraints"}

    def choose(curve):
        try:
            return curve.select(*bounds, **how)
        except UndefinedError:
            return None

    full, kept = roc_curve(y, s), curve_of(keep=lambda stretch: [choose(stretch) or 0]).curve
    if choose(full) is None:
        assert choose(kept) is None
    else:
        assert kept.thresholds[choose(kept)] == full.thresholds[choose(full)]
        assert kept.tp[choose(kept)] == full.tp[choose(full)]


def test_a_long_curve_is_thinned_evenly(folder, cut, monkeypatch):
    written("continuous")
    monkeypatch.setattr(large, "STRETCH_ROWS", 10_000)
    monkeypatch.setattr(large, "STEPS", 100)
    kept = curve_of().curve
    assert 100 <= len(kept) < 140
    assert np.diff(kept.fpr + kept.tpr).max() < 2.1 * 2 / 100


@pytest.mark.parametrize(
    ("scores", "threshold", "vertex"),
    [
        ([3.0, 2.0, 1.0], 2.5, 1),
        ([3.0, 2.0, 1.0], 2, 2),
        ([3.0, 2.0, 1.0], 4, 0),
        ([3.0, 2.0, 1.0], -np.inf, 3),
        ([np.inf, 2.0, 1.0], np.inf, 1),
        ([2**53 + 2, 2**53 + 1, 5], 2**53 + 2, 1),
        ([2**53 + 2, 2**53 + 1, 5], float(2**53), 2),
        ([2.0**53 + 2, 2.0**53, 5.0], 2**53 + 1, 1),
        ([3.0, 2.0, 1.0], 10**400, 0),
    ],
)
def test_the_vertex_of_a_threshold(scores, threshold, vertex):
    curve = RocCurve.from_table(ScoreTable(scores=np.array(scores), pos=np.ones(3, int), neg=np.ones(3, int)))
    assert vertex_at(curve, threshold) == vertex


def test_parts_of_a_piece():
    pos, neg = np.array([5.0, 5, 5, 6, 7, 8, 9]), np.array([1.0, 2, 3, 5, 5, 5, 5, 5])
    parts = list(SortedPiece(pos, neg).tables(2))
    assert [part.scores.tolist() for part in parts] == [[2, 1], [3], [6, 5], [8, 7], [9]]
    assert sum(part.n_pos for part in parts) == pos.size
    assert sum(part.n_neg for part in parts) == neg.size


# Tables that know where they come from


@pytest.fixture
def gaps(folder):
    (folder / "t.csv").write_text("y,s\nill,3\nwell,1\nill,\nwell,2\nill,inf\n")
    return table_of_file("t.csv", label="y", score="s", pos_label="ill", na="drop")


WARNINGS = (
    "infinite scores were ranked above or below all others",
    "1 row with missing values left out: 1 of class 'ill'",
)


def test_results_keep_the_warnings_of_a_table(gaps):
    assert gaps.warnings == WARNINGS
    assert auc(gaps).warnings[:2] == WARNINGS
    found = point_measures(gaps, threshold=2)
    assert (found.warnings, found.pos_label, found.neg_label) == (WARNINGS, "ill", "well")


def test_a_thinned_table_says_so_as_well(gaps):
    thin = gaps.thin(2)
    assert (thin.pos_label, thin.warnings, thin.thinned) == ("ill", WARNINGS, True)
    assert auc(thin).warnings[2].startswith("the table was thinned")
    assert gaps.thin(10) == gaps


def test_tables_can_be_sent_to_other_processes(gaps):
    again = pickle.loads(pickle.dumps(gaps))
    assert again == gaps
    assert (again.name, again.pos_label, again.neg_label, again.warnings) == ("s", "ill", "well", WARNINGS)
