"""Two classifiers over the same folds, by hand."""

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocscope as rs
from rocscope.averaging.pairs import ClassifierDifference
from rocscope.core.significance import holm
from rocscope.errors import RocInputError, UndefinedError
from slow import average as slow

METHODS = ("paired-t", "paclik", "corrected")
NAMES = ("tpr", "fpr", "error")


@st.composite
def two_scores(draw):
    """Every class in every fold, two scores with ties."""
    n_folds = draw(st.integers(2, 4))
    cells = [(c, f) for f in range(n_folds) for c in range(2) for _ in range(draw(st.integers(1, 3)))]
    codes, fold = map(np.array, zip(*draw(st.permutations(cells)), strict=True))
    eighth = st.integers(0, 8).map(lambda k: k / 8)
    return codes, fold, *(np.array([draw(eighth) for _ in codes]) for _ in range(2))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60)
@given(data=two_scores(), at=st.sampled_from(["fpr=0.3", "tpr=0.7", "error=0.4"]))
def test_nearest_points_by_hand(method, data, at):
    """Every threshold of each score is tried; the differences are tested in fractions."""
    codes, fold, a, b = data
    measure, value = at.split("=")
    values = [slow.nearest(codes, one, fold, measure, float(value), NAMES) for one in (a, b)]
    first, second = (rs.average_roc(codes, one, fold=fold, points="all", measures=NAMES) for one in (a, b))
    found = first.compare_with(second, at=at, method=method)
    assert found.places == (at,)
    for m in range(len(NAMES)):
        test = slow.point_test(values[0][m], values[1][m], method, 0.95)
        for name in ("difference", "low", "high", "statistic", "p_value"):
            assert getattr(found, name)[0, m] == pytest.approx(test[name], rel=1e-12, abs=1e-12), name
    np.testing.assert_array_equal(found.p_adjusted, holm(found.p_value.ravel()).reshape(1, -1))


@settings(max_examples=60)
@given(data=two_scores(), bound=st.sampled_from([0.5, 0.75]))
def test_the_same_rule_and_the_same_threshold(data, bound):
    codes, fold, a, b = data
    first, second = (rs.average_roc(codes, one, fold=fold, points="all") for one in (a, b))
    places = [f"tpr>={bound}", "youden", (f"tpr>={bound}", "fpr<=1")]
    found = first.compare_with(second, at=places)
    for row, place in enumerate(places):
        expected = [roc.select(place) if place[0] == "t" else roc.locate(place) for roc in (first, second)]
        assert found.indices[row].tolist() == expected
    by_hand = first.compare_with(second, at=[tuple(found.indices[0].tolist())])
    np.testing.assert_array_equal(by_hand.difference, found.difference[:1])
    common = sorted({*a.tolist()} & {*b.tolist()})
    assume(common)
    same = first.compare_with(second, at=f"threshold={common[0]}")
    assert [roc.points[k] for roc, k in zip((first, second), same.indices[0], strict=True)] == common[:1] * 2


def example(**options):
    rng = np.random.default_rng(2)
    y, fold = np.arange(80) % 2, np.arange(80) // 16
    scores = (np.round(rng.normal(size=80) + shift * y, 1) for shift in (1.5, 0.5))
    return [rs.average_roc(y, score, fold=fold, **options) for score in scores]


def test_a_classifier_with_itself_and_the_other_way_round():
    first, second = example()
    same = first.compare_with(first, at=["fpr=0.2", "youden"])
    assert not same.difference.any()
    assert (same.p_value == 1).all()
    forth, back = first.compare_with(second, at="tpr=0.8"), second.compare_with(first, at="tpr=0.8")
    np.testing.assert_array_equal(forth.difference, -back.difference)
    np.testing.assert_array_equal(forth.low, -back.high)
    np.testing.assert_array_equal(forth.p_value, back.p_value)


def test_result():
    first, second = example(points="all")
    found = first.compare_with(
        second, at=["fpr=0.2", "tpr=0.9"], measures=["tpr", "precision"], names=["a", "b"]
    )
    assert ClassifierDifference.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    frame = found.frame()
    assert frame["at"].tolist() == ["fpr=0.2"] * 2 + ["tpr=0.9"] * 2
    assert frame["a"].tolist() == found.mean[0].ravel().tolist()
    np.testing.assert_allclose(frame["a"] - frame["b"], frame["difference"], atol=1e-12)
    lines = str(found).splitlines()
    assert lines[0] == "a minus b over 5 folds (paired-t, 4 df, 95% intervals)"
    assert lines[1].startswith("at fpr=0.2: point ")
    assert len(found.plot()) == 2


def test_a_measure_that_a_fold_lacks_is_not_tested():
    y, fold = np.array([0, 1] * 6), np.arange(12) // 4
    a, b = np.arange(12.0), np.tile([1.0, 2.0, 3.0, 4.0], 3)
    first, second = (rs.average_roc(y, score, fold=fold, points="all") for score in (a, b))
    found = first.compare_with(second, at=[(0, 0)], measures=["tpr", "precision"])
    assert found.defined.tolist() == [[True, False]]
    assert np.isnan(found.p_adjusted[0, 1])
    assert "not tested, it has no value in some fold" in str(found)


def test_three_classes():
    rng = np.random.default_rng(5)
    y, fold = np.arange(60) % 3, np.arange(60) // 12
    first, second = (
        rs.average_roc(y, rng.random((60, 3)) + np.eye(3)[y], fold=fold, classes=range(3)) for _ in range(2)
    )
    found = first.compare_with(second, at=["max-class-error", "error(1)=0.2"])
    assert found.measures == ("error(0)", "error(1)", "error(2)")
    assert found.indices[0].tolist() == [first.select(), second.select()]
    assert found.plot() is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at": []}, "at must hold at least one place, got none"),
        ({"at": (1, 2, 3)}, "at must be a place such as 'fpr=0.2' or a pair of indices, got (1, 2, 3)"),
        ({"at": [(0, 99)]}, "at must be one of the 30 points, 0 to 29, got 99"),
        ({"at": "fpr=x"}, "place must read like 'fpr=0.2', got 'fpr=x'"),
        ({"names": ["a", "b", "c"]}, "names must hold two names, got ['a', 'b', 'c']"),
        ({"measures": []}, "measures must hold at least one name, got none"),
    ],
)
def test_refusals(options, message):
    first, second = example()
    with pytest.raises(RocInputError) as error:
        first.compare_with(second, **options)
    assert str(error.value) == message


def test_refuses_others():
    first, second = example()
    with pytest.raises(RocInputError, match="other must be an AveragedRoc, got int"):
        first.compare_with(3)
    other = rs.average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1])
    with pytest.raises(RocInputError, match="other must have the same classes, folds and cases in each fold"):
        first.compare_with(other)
    with pytest.raises(RocInputError, match="must be a threshold of both averages"):
        first.compare_with(second, at="threshold=0.123")
    with pytest.raises(UndefinedError):
        first.compare_with(second, at="tpr>=2")
