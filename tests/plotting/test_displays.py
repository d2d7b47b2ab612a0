"""RocDisplay against scikit-learn's display: the same arrays, names and artists."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import RocCurveDisplay
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocscope as rs
from rocscope.errors import RocInputError

RNG = np.random.default_rng(6)
Y = np.arange(120) % 3 == 0
X = np.round(RNG.normal(size=(120, 3)) + 0.8 * Y[:, np.newaxis], 1)
NAMES = np.where(Y, "ill", "well")
MODEL = LogisticRegression().fit(X, Y)


def axes():
    return Figure().add_subplot()


def same(ours, theirs):
    for field in ("fpr", "tpr", "roc_auc"):
        both = (getattr(display, field) for display in (ours, theirs))
        mine, other = (values if isinstance(values, list) else [values] for values in both)
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)
    assert ours.pos_label == theirs.pos_label


def test_predictions_have_the_attributes_of_scikit_learn():
    score, weight = X[:, 0], RNG.integers(1, 4, 120)
    options = {"sample_weight": weight, "pos_label": "ill", "name": "marker"}
    ours = rs.RocDisplay.from_predictions(NAMES, score, ax=axes(), **options)
    theirs = RocCurveDisplay.from_predictions(NAMES, score, ax=axes(), drop_intermediate=False, **options)
    same(ours, theirs)
    assert ours.name == ours.estimator_name == "marker"
    np.testing.assert_allclose(ours.line_.get_xydata(), theirs.line_.get_xydata(), atol=1e-12)
    assert ours.figure_ is ours.ax_.figure
    assert ours.chance_level_.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert ours.thresholds[0] == np.inf


@pytest.mark.parametrize("model", [LogisticRegression(), RidgeClassifier()])
@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_estimators_are_scored_as_scikit_learn_does(model, pos_label):
    fitted = make_pipeline(StandardScaler(), model).fit(X[::2], NAMES[::2])
    ours = rs.RocDisplay.from_estimator(fitted, X, NAMES, pos_label=pos_label, ax=axes())
    theirs = RocCurveDisplay.from_estimator(
        fitted, X, NAMES, pos_label=pos_label, ax=axes(), drop_intermediate=False
    )
    same(ours, theirs)
    assert ours.name == theirs.name == "Pipeline"


def test_cross_validations_have_their_folds_and_the_average():
    done = cross_validate(LogisticRegression(), X, Y, cv=4, return_estimator=True, return_indices=True)
    ours = rs.RocDisplay.from_cv_results(done, X, Y, name="logistic", ax=axes())
    theirs = RocCurveDisplay.from_cv_results(done, X, Y, ax=axes(), drop_intermediate=False)
    same(ours, theirs)
    assert ours.average == rs.AveragedRoc.from_cv_results(done, X, Y)
    for line, other in zip(ours.line_, theirs.line_, strict=True):
        np.testing.assert_allclose(line.get_xydata(), other.get_xydata(), atol=1e-12)
    texts = [text.get_text() for text in ours.ax_.get_legend().get_texts()]
    areas = ours.roc_auc
    assert texts == [
        "Chance",
        f"4 folds (AUC = {np.mean(areas):.2f} ± {np.std(areas, ddof=1):.2f})",
        "logistic: mean of 4 folds, bars: standard error",
    ]


def test_keywords_of_folds_are_for_all_or_for_each():
    done = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
    display = rs.RocDisplay.from_cv_results(done, X, Y, ax=axes(), curve_kwargs={"c": "grey", "lw": 2})
    assert [(line.get_color(), line.get_linewidth()) for line in display.line_] == [("grey", 2)] * 3
    display.plot(axes(), curve_kwargs=[{"color": name} for name in "rgb"], linewidth=3)
    assert [line.get_color() for line in display.line_] == list("rgb")
    with pytest.raises(RocInputError, match="curve_kwargs must be a mapping, or a list of 3 of them"):
        display.plot(axes(), curve_kwargs=[{}])


def test_options_go_to_the_curve():
    display = rs.RocDisplay.from_estimator(
        MODEL, X, Y, ax=axes(), points="tpr>=0.9", band=True, curve_kwargs={"linewidth": 4}, color="k"
    )
    assert (display.line_.get_linewidth(), display.line_.get_color()) == (4, "k")
    assert len(display.ax_.texts) == 1
    assert display.ax_.collections


def test_chance_can_be_left_out():
    display = rs.RocDisplay.from_estimator(MODEL, X, Y, ax=axes(), plot_chance_level=False)
    assert display.chance_level_ is None
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == [display.line_.get_label()]
    assert len(display.ax_.lines) == 1


@pytest.mark.slow
def test_a_display_without_chance_leaves_that_of_another_display():
    first = rs.RocDisplay.from_predictions(Y, X[:, 0], name="a", ax=axes())
    second = rs.RocDisplay.from_predictions(Y, X[:, 1], name="b", ax=first.ax_, plot_chance_level=False)
    assert second.chance_level_ is None
    assert first.chance_level_ in first.ax_.lines
    texts = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert texts == ["Chance (AUC = 0.5)", first.line_.get_label(), second.line_.get_label()]


def test_the_line_of_chance_and_the_frame_have_options_of_scikit_learn():
    display = rs.RocDisplay.from_predictions(
        Y, X[:, 0], ax=axes(), chance_level_kw={"c": "red", "label": "coin"}, despine=True
    )
    assert (display.chance_level_.get_color(), display.chance_level_.get_label()) == ("red", "coin")
    assert "coin" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    seen = {side: spine.get_visible() for side, spine in display.ax_.spines.items()}
    assert not seen["top"]
    assert not seen["right"]
    with pytest.raises(RocInputError, match="chance_level_kw must be keywords of a line of matplotlib"):
        display.plot(axes(), chance_level_kw={"wide": 1})


def test_the_text_of_a_display_is_short():
    one = rs.RocDisplay.from_predictions(Y, X[:, 0], name="a", ax=axes())
    assert repr(one) == f"<RocDisplay 'a': AUC = {one.roc_auc:.4f}>"
    done = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
    folds = rs.RocDisplay.from_cv_results(done, X, Y, ax=axes())
    assert repr(folds) == f"<RocDisplay: mean AUC of 3 folds = {np.mean(folds.roc_auc):.4f}>"


def test_it_is_drawn_again_under_another_name_and_beside_another():
    display = rs.RocDisplay.from_estimator(MODEL, X, Y, ax=axes())
    first = display.ax_
    assert display.plot(first, name="again") is display
    assert len(first.lines) == 3
    assert display.line_ is first.lines[-1]
    assert display.line_.get_label() == f"again (AUC = {display.roc_auc:.2f})"
    display.plot()
    assert plt.get_fignums() == [display.figure_.number]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.RocDisplay.from_estimator(5, X, Y), "estimator must be a scikit-learn estimator, got 5"),
        (lambda: rs.RocDisplay.from_estimator(LogisticRegression(), X, Y), "estimator must be fitted, got"),
        (
            lambda: rs.RocDisplay.from_estimator(MODEL, X, Y, plot_chance_level="no", ax=axes()),
            "plot_chance_level must be True or False, got 'no'",
        ),
        (
            lambda: rs.RocDisplay.from_predictions(Y, X[:, 0], ax=axes(), curve_kwargs={"wide": 1}),
            "curve_kwargs must be keywords of a line of matplotlib",
        ),
    ],
)
def test_refuses(call, message):
    with pytest.raises(RocInputError) as error:
        call()
    assert str(error.value).startswith(message)
