"""Pictures of pairs of binormal curves, and of the fits of related models."""

import numpy as np

from rocscope import plotting
from rocscope.binormal.contaminated import fit_contaminated
from rocscope.binormal.model_choice import choose_binormal
from rocscope.binormal.pair import fit_binormal_pair
from rocscope.binormal.proper import fit_proper_binormal
from rocscope.core import formatting
from rocscope.core.scores import BinaryScores

ROW, LABELS = np.arange(60), np.repeat([0, 1], 30)
FIRST, SECOND = 8 * LABELS + ROW * 7 % 23, 9 * LABELS + ROW * 7 % 23 + ROW * 5 % 13


def test_both_curves_and_the_scores_of_both_classes():
    data = BinaryScores.from_arrays(LABELS, {"old": FIRST, "new": SECOND})
    pair = fit_binormal_pair(data)
    curves, scores = plotting.picture(pair).panels
    labels = [mark.label for mark in curves.marks if mark.label]
    assert labels[0] == "Chance (AUC = 0.5)"
    assert [label.split(" (")[0] for label in labels[1:]] == ["old", "new"]
    fitted = [mark for mark in curves.marks if mark.role == "curve"]
    for line, fit in zip(fitted, (pair.first, pair.second), strict=True):
        np.testing.assert_array_equal(line.y, fit.tpr(line.x))
    p_values = [formatting.p_value(test.p_value) for test in (pair.equal_areas(), pair.equal_curves())]
    assert curves.title == "Equal areas: p = {}; equal curves: p = {}".format(*p_values)
    assert [mark.label for mark in scores.marks if mark.label] == [
        f"Negatives (correlation {pair.rho_neg:.2f})",
        f"Positives (correlation {pair.rho_pos:.2f})",
    ]
    middles = [mark for mark in scores.marks if mark.role == "point"]
    np.testing.assert_allclose([middles[0].x[0], middles[0].y[0]], 0, atol=1e-12)
    expected = [fit.a / fit.b for fit in (pair.first, pair.second)]
    np.testing.assert_allclose([middles[1].x[0], middles[1].y[0]], expected, atol=1e-12)
    assert (scores.x.label, scores.y.label) == ("old (latent score)", "new (latent score)")
    assert len(plotting.record(plotting.picture(pair))["panels"]) == 2


def test_a_correlation_of_one_is_a_line():
    pair = fit_binormal_pair(LABELS, FIRST, 2 * FIRST)
    shown = plotting.picture(pair)
    assert shown.title.startswith("Partial: the correlation among the negatives is 1")
    lines = [mark for mark in shown.panels[1].marks if mark.role == "curve"]
    np.testing.assert_allclose(lines[0].x, lines[0].y)


def test_a_pair_without_a_second_curve():
    pair = fit_binormal_pair(LABELS, FIRST, np.zeros(60))
    shown = plotting.picture(pair)
    assert len(shown.panels) == 1
    assert shown.title == f"Undefined: {pair.reason}"
    assert [mark.role for mark in shown.panels[0].marks] == ["chance", "hull", "curve", "hull"]


def test_related_models_have_pictures_too():
    for fit in (fit_proper_binormal(LABELS, FIRST), fit_contaminated(LABELS, FIRST)):
        lines = [mark for mark in plotting.picture(fit).panels[0].marks if mark.role == "curve"]
        np.testing.assert_array_equal(lines[0].y, fit.tpr(lines[0].x))


def test_models_side_by_side():
    choice = choose_binormal(LABELS, FIRST)
    lines = [mark for mark in plotting.picture(choice).panels[0].marks if mark.role == "curve"]
    order = sorted(choice.rows, key=lambda row: row.behind)
    assert order[0].model == choice.best
    for line, row in zip(lines, order, strict=True):
        np.testing.assert_array_equal(line.y, choice.fits[row.model].tpr(line.x))
    assert lines[0].label.endswith("best by AIC)")
    assert lines[1].label.endswith(f"AIC +{order[1].behind:.1f})")
    none = plotting.picture(choose_binormal([0, 0, 1, 1], [1, 2, 3, 4])).panels[0]
    assert [mark.role for mark in none.marks] == ["chance", "hull"]
    assert none.title.startswith("No model has a fit")
