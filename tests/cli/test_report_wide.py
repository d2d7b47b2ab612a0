"""Tables of many scores have a page too, with fewer points of each."""

from pathlib import Path

import numpy as np
import pytest

from report_pages import Parsed
from rocscope.reporting.explorer import MOST_POINTS

pytestmark = pytest.mark.slow


def write_wide(n_scores, n_cases, n_folds):
    rng = np.random.default_rng(1)
    y = np.arange(n_cases) % 2
    columns = {"y": y, "fold": rng.integers(0, n_folds, n_cases)}
    columns |= {f"s{k}": 0.1 * (k % 10) * y + rng.normal(size=n_cases) for k in range(n_scores)}
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    Path("wide.csv").write_text("\n".join(lines) + "\n")
    return [part for k in range(n_scores) for part in ("--score", f"s{k}")]


@pytest.mark.parametrize(
    ("n_scores", "n_cases", "folds"),
    [(30, 600, ()), (12, 5000, ("--fold", "fold"))],
)
def test_a_wide_table_has_a_page_of_less_than_eight_megabytes(run, n_scores, n_cases, folds):
    scores = write_wide(n_scores, n_cases, 10)
    options = ("--label", "y", *scores, *folds, "--n-boot", "100", "--seed", "1", "--out", "r.html")
    assert run("report", "wide.csv", *options).code == 0
    assert Path("r.html").stat().st_size <= 8_000_000
    found = Parsed(Path("r.html").read_text(encoding="utf-8"))
    explorers = [one for sent in found.data.values() if "markers" in sent for one in sent["markers"]]
    explorers = [one for one in explorers if isinstance(one, dict)]  # page one has the names alone
    assert len(explorers) >= n_scores
    for one in explorers:
        kept = len(one["index"])
        assert min(50, one["n_points"]) <= kept <= MOST_POINTS
        thinned = kept < one["n_points"]
        assert ("points are shown, each with its exact counts" in (one["note"] or "")) == thinned
