import numpy as np
from sklearn.naive_bayes import GaussianNB

from rocscope import plotting
from rocscope.plotting import roc_curves as view
from rocscope.training.cross_scores import cross_scores


def scored(n_classes, n=40, cv=4):
    rng = np.random.default_rng(0)
    y = np.arange(n * n_classes) % n_classes
    return cross_scores(GaussianNB(), rng.normal(size=(y.size, 2)) + y[:, np.newaxis], y, cv=cv, rng=1)


def panels_of(result):
    return plotting.record(plotting.picture(result))["panels"]


def test_every_fold_and_all_of_them_have_a_curve():
    result = scored(2)
    (panel,) = panels_of(result)
    folds = [mark for mark in panel["marks"] if mark["role"] == "fold"]
    (stacked,) = [mark for mark in panel["marks"] if mark["role"] == "curve"]
    for mark, curve in zip(folds, result.fold_curves().values(), strict=True):
        assert (mark["x"], mark["y"]) == (curve.fpr.tolist(), curve.tpr.tolist())
    assert (stacked["x"], stacked["y"]) == (result.curve().fpr.tolist(), result.curve().tpr.tolist())
    areas = [curve.auc for curve in result.fold_curves().values()]
    assert [mark["label"] for mark in folds] == [
        f"4 folds (AUC {min(areas):.2f} to {max(areas):.2f})",
        None,
        None,
        None,
    ]
    assert stacked["label"] == f"All folds stacked (AUC = {result.curve().auc:.2f})"
    assert panel["x"]["label"].endswith("(Positive label: 1)")


def test_every_one_of_three_classes_has_a_panel():
    result = scored(3)
    panels = panels_of(result)
    assert [panel["title"] for panel in panels] == [f"Class {c} against all others" for c in range(3)]
    for c, panel in enumerate(panels):
        (stacked,) = [mark for mark in panel["marks"] if mark["role"] == "curve"]
        assert stacked["y"] == result.curve(c).tpr.tolist()


def test_many_classes_and_folds_are_not_all_shown(monkeypatch):
    monkeypatch.setattr(view, "SHOWN_CLASSES", 2)
    monkeypatch.setattr(view, "SHOWN_FOLDS", 3)
    picture = plotting.picture(scored(3))
    assert (picture.title, len(picture.panels)) == ("The first 2 of 3 classes", 2)
    folds = [mark for mark in picture.panels[0].marks if mark.role == "fold"]
    assert len(folds) == 3
    assert folds[0].label.startswith("4 folds (AUC ")
    assert folds[0].label.endswith("), 3 of them shown")


def test_folds_without_a_curve_leave_the_stacked_one():
    y = np.repeat([0, 1], 20)
    result = cross_scores(
        GaussianNB(),
        np.random.default_rng(0).normal(size=(40, 2)),
        y,
        cv=[*range(4)] * 5 + [*range(4, 8)] * 5,
    )
    (panel,) = panels_of(result)
    assert [mark["role"] for mark in panel["marks"]] == ["chance", "curve"]
