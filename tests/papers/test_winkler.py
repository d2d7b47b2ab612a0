"""The study of Winkler et al.: both fixed thresholds, both closures, and its tables by hand."""

import numpy as np
import pytest

from rocscope.ordinal.roc import ordinal_roc
from rocscope.papers import winkler
from rocscope.papers.base import Options
from rocscope.run.study import seed_of
from rocscope.training.ordinal_scores import ordinal_scores


@pytest.fixture(scope="module")
def results():
    """Two sets of each learner; the forest's areas are made up, for it takes long."""
    quadratic = [winkler.areas_of_set("quadratic regression", seed_of(0, str(k))) for k in range(2)]
    forest = [(np.array(one) * 0.9).tolist() for one in quadratic]
    found = {f"quadratic regression/{k}": one for k, one in enumerate(quadratic)}
    found |= {f"random forest/{k}": one for k, one in enumerate(forest)}
    drawn = winkler.estimate("quadratic regression", seed_of(0, "figure"))
    return found | {"figure": {name: value.tolist() for name, value in drawn.items()}}


def test_areas_of_a_set(results):
    seed = seed_of(0, "0")
    rng = np.random.default_rng(seed)
    X, y = winkler.synthetic(rng)
    found = ordinal_scores(winkler.model_of("quadratic regression"), X, y, rng=rng)
    flat = ordinal_roc(found, closure="flat", fixed="upper")
    areas = np.array(results["quadratic regression/0"])
    assert areas.shape == (2, 2, 2, 6)
    assert areas[1, 1, 0].tolist() == flat.max_auc.tolist()
    assert areas[1, 1, 1].tolist() == flat.avg_auc.tolist()


def test_synthetic_set_is_as_in_the_paper():
    X, y = winkler.synthetic(np.random.default_rng(3))
    assert len(X) == 2000
    assert np.unique(y, return_counts=True)[1].min() >= 333


def test_tables(results):
    summary = winkler.summarise(results, Options())
    areas, fixed, closure = (table.rows for table in summary.tables)
    values = np.array([results[f"quadratic regression/{k}"] for k in range(2)])
    first = areas[0]
    names = [first[name] for name in ("closure", "fixed", "area", "label")]
    assert names == ["diagonal", "lower", "MaxAUC", 1]
    assert first["ours"] == values[:, 0, 0, 0, 0].mean()
    assert first["mc_error"] == pytest.approx(values[:, 0, 0, 0, 0].std(ddof=1) / np.sqrt(2))
    assert all(row["paper"] is None and row["difference"] is None for row in areas)
    assert len(areas) == 2 * 2 * 2 * 2 * 6
    row = next(r for r in fixed if (r["closure"], r["area"], r["label"]) == ("diagonal", "AvgAUC", 5))
    assert row["ours"] == np.abs(values[:, 0, 1, 1, 4] - values[:, 0, 0, 1, 4]).mean()
    assert {r["label"] for r in fixed} == {2, 3, 4, 5}
    # A diagonal closes above a flat line.
    assert all(r["ours"] > 0 for r in closure)


def inner_points(curve):
    """Points of a curve without those that close it."""
    return list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))[1:-1]


def test_what_the_paper_says_of_the_fixed_threshold(results):
    """The points are the same whichever is fixed; AvgAUC is not."""
    summary = winkler.summarise(results, Options())
    lower, upper = (figure.result for figure in summary.figures[:2])
    points = [{point for curve in one.curves[2] for point in inner_points(curve)} for one in (lower, upper)]
    assert points[0] == points[1]
    assert np.abs(lower.avg_auc - upper.avg_auc)[1:-1].max() > 0.03


def test_learners():
    assert "LinearRegression" in str(winkler.model_of(winkler.LEARNERS[0]))
    assert winkler.model_of(winkler.LEARNERS[1]).n_estimators == winkler.TREES
