"""The slider over the weights of a fusion moves the predicted and the counted curve."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import until
from rocscope.reporting import report

CURVES = """(name) => Object.fromEntries(rocscope.figure(document.querySelector("section.fusion"), name)
  .figure.marks.filter((mark) => mark.role === "curve").map((mark) => [mark.series, mark]))"""


def preview():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [60, 40])
    return rs.preview_fusion(y, y + rng.normal(size=100), 0.5 * y + rng.normal(size=100))


@pytest.fixture(scope="module")
def opened(open_page, tmp_path_factory):
    page = open_page(report(preview(), path=tmp_path_factory.mktemp("fusion") / "fusion.html"))
    page.locator(".fusion-slider input").scroll_into_view_if_needed()
    until(page, """document.querySelector('[data-name="fusion-curve"]').dataset.drawn !== undefined""")
    return page


@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
def test_curves_are_those_of_the_library(opened, share):
    slider = opened.locator(".fusion-slider input")
    slider.fill(str(round(20 * share)))
    curve = preview().curve([1 - share, share])
    assert opened.locator(".fusion-slider output").text_content() == curve.title
    traces = opened.evaluate(CURVES, "fusion-curve")
    for series, name in enumerate(("independent", "correlated", "empirical")):
        trace = traces[str(series)]
        assert f"(AUC = {getattr(curve, f'auc_{name}'):.2f})" in trace["label"]
        expected = np.interp(trace["x"], curve.fpr, getattr(curve, name))
        np.testing.assert_allclose(trace["y"], expected, atol=2e-3)
    apart = opened.evaluate(CURVES, "fusion-curve-1")
    for series, name in enumerate(("independent", "correlated")):
        error = np.array(traces[str(series)]["y"]) - traces["2"]["y"]
        np.testing.assert_allclose(apart[str(series)]["y"], error, atol=1e-9, err_msg=name)
    shown = opened.locator("[data-name=fusion-curve] [data-entry]").evaluate_all(
        "(entries) => entries.map((entry) => entry.dataset.entry)"
    )
    assert {trace["label"] for trace in traces.values()} <= set(shown)
    reading = opened.locator("figure:has([data-name='fusion-curve']) .reading").text_content()
    assert reading.startswith(f"{curve.title}: the area is {curve.auc_independent:.3f} predicted")
    assert opened.problems == []
