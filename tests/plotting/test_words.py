"""Numbers as texts: two ends that differ are seen to differ."""

import numpy as np
import pytest

from rocscope import auc, roc_curve
from rocscope.core import formatting
from rocscope.core.result import Estimate
from rocscope.plotting import roc_curves


def estimate(value, low, high, **more):
    return Estimate(name="AUC", value=value, se=0.1, low=low, high=high, level=0.95, method="delong", **more)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.8, 0.7, 0.9), "AUC = 0.80, 95% CI 0.70–0.90"),
        ((0.7601, 0.7598, 0.7604), "AUC = 0.7601, 95% CI 0.7598–0.7604"),
        ((0.76, 0.756, 0.764), "AUC = 0.760, 95% CI 0.756–0.764"),
        ((0.76, 0.76, 0.7600001), "AUC = 0.760000, 95% CI 0.760000–0.760000"),  # six decimals are the most
        ((0.5, 0.5, 0.5), "AUC = 0.50, 95% CI 0.50–0.50"),
        ((0.9999, 0.9998, 1.0), "AUC = 0.9999, 95% CI 0.9998–1.0000"),
        ((1.0, 1.0, 1.0), "AUC = 1.00, 95% CI 1.00–1.00"),
    ],
)
def test_ends_of_a_narrow_interval_differ(numbers, text):
    assert formatting.estimate_text("AUC", estimate(*numbers)) == text


def test_a_bound_alone_keeps_its_decimals():
    assert formatting.estimate_text("AUC", estimate(0.76, 0.7599, 1.0, alternative="greater")) == (
        "AUC = 0.76, 95% bound > 0.76"
    )


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.76, 0.7599, 0.7601), "0.7600 (0.7599–0.7601)"),
        ((-0.0012, -0.00124, -0.00123), "-0.0012 (-0.00124 to -0.00123)"),
        ((1234.2, 1234.1, 1234.3), "1234.2 (1234.1–1234.3)"),
        ((0.731, 0.63, 0.8326), "0.731 (0.630–0.833)"),
    ],
)
def test_figures_beside_a_row(numbers, text):
    assert formatting.with_interval(*numbers) == text


def test_the_legend_of_many_cases():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 300_000)
    scores = rng.normal(size=600_000) + y
    found = auc(y, scores)
    assert f"{found.low:.2f}" == f"{found.high:.2f}"
    legend = roc_curves.curve_picture(roc_curve(y, scores), estimate=found).panels[0].marks
    texts = [mark.label for mark in legend if getattr(mark, "label", None) and "CI" in mark.label]
    assert texts == [f"AUC = {found.value:.3f}, 95% CI {found.low:.3f}–{found.high:.3f}"]
