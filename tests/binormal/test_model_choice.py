"""The choice between curves by AIC."""

import json

import numpy as np
import pytest

from rocscope.binormal.contaminated import fit_contaminated
from rocscope.binormal.fit import fit_binormal
from rocscope.binormal.model_choice import MODELS, choose_binormal
from rocscope.binormal.proper import fit_proper_binormal
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError

HANLEY_MCNEIL = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])


def test_rows_are_the_fits():
    choice = choose_binormal(HANLEY_MCNEIL)
    assert [row.model for row in choice.rows] == ["binormal", "equal-variance", "proper", "contaminated"]
    fits = {"binormal": fit_binormal, "proper": fit_proper_binormal, "contaminated": fit_contaminated}
    for row in choice.rows:
        if row.model in fits:
            alone = fits[row.model](HANLEY_MCNEIL)
            assert (row.log_likelihood, row.auc) == (alone.log_likelihood, alone.auc)
        # Four cut-points between five categories, and one or two parameters of the curve.
        assert row.parameters == 4 + (1 if row.model == "equal-variance" else 2)
        assert row.aic == pytest.approx(2 * row.parameters - 2 * row.log_likelihood, abs=1e-12)
    least = min(row.aic for row in choice.rows)
    assert [row.behind for row in choice.rows] == [row.aic - least for row in choice.rows]
    assert choice.best == "equal-variance"
    assert (choice.n_pos, choice.n_neg, choice.n_categories) == (51, 58, 5)
    assert choice.fits["equal-variance"].b == 1


def test_nested_models():
    """The free slope cannot fit worse than the slope of 1."""
    heights = {row.model: row.log_likelihood for row in choose_binormal(HANLEY_MCNEIL).rows}
    assert heights["equal-variance"] <= heights["binormal"]
    assert heights["equal-variance"] <= heights["proper"] + 1e-9
    assert heights["equal-variance"] <= heights["contaminated"] + 1e-9


@pytest.mark.parametrize("expected", ["binormal", "proper", "contaminated"])
def test_the_model_that_was_drawn_from_is_found(expected):
    rng, n = np.random.default_rng(4), 800
    y, x = np.repeat([0, 1], n), rng.normal(size=2 * n)
    if expected == "contaminated":
        score = x + 2.5 * (y * rng.random(2 * n) < 0.5) * y
    else:
        latent = np.where(y == 1, (0.9 + x) / 0.4, x)
        score = latent if expected == "binormal" else latent**2 - (0.4 * latent - 0.9) ** 2
    assert choose_binormal(y, score).best == expected


def test_models_without_a_fit():
    choice = choose_binormal([0, 0, 1, 1], [1, 2, 3, 4])
    assert choice.best is None
    assert {row.status for row in choice.rows} == {"perfect"}
    assert all(row.aic is None and row.behind is None and row.auc is None for row in choice.rows)
    assert str(choice) == "No model has a fit: all positives have higher scores than all negatives"


def test_all_models_say_that_the_limit_is_the_perfect_curve():
    choice = choose_binormal(
        ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[44, 21, 4, 0, 0], pos=[0, 0, 1, 6, 38])
    )
    assert {row.reason for row in choice.rows} == {"the perfect curve passes through all ROC points"}
    assert str(choice) == "No model has a fit: the perfect curve passes through all ROC points"


def test_one_point_has_the_model_of_one_parameter():
    choice = choose_binormal(ScoreTable.from_counts([0, 1], neg=[40, 10], pos=[20, 30]))
    assert choice.best == "equal-variance"
    assert [row.status for row in choice.rows] == ["undetermined", "ok", "undetermined", "undetermined"]


def test_forms():
    choice = choose_binormal(HANLEY_MCNEIL)
    assert list(choice.frame()["model"]) == list(MODELS)
    document = json.loads(choice.to_json())
    assert [row["model"] for row in document["rows"]] == list(MODELS)
    assert dict(choice.rows[0])["status"] == "ok"
    for name, fit in choice.fits.items():
        assert document["fits"][name] == fit.to_dict()
    with pytest.raises(RocInputError, match="y_score must be finite for a fit, got infinite values"):
        choose_binormal([0, 1, 0, 1], [1, 2, 3, np.inf])
