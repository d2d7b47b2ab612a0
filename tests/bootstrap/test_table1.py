"""Table 1 of Yousef, Wagner and Loew: ours within the Monte-Carlo errors of both."""

import numpy as np
import pytest

from rocscope.bootstrap.components import variance_components
from rocscope.bootstrap.monte_carlo import monte_carlo
from rocscope.errors import RocInputError
from rocscope.papers.yousef import PRINTED, beside_table1, table1_text


@pytest.mark.parametrize("n", PRINTED)
def test_printed_rms_is_around_the_mean_true_area(n):
    """The table agrees with itself, but for its rounding: RMS^2 = SD^2 + (mean - mean true area)^2."""
    centre = PRINTED[n]["true"][0]
    for mean, sd, rms in PRINTED[n].values():
        assert np.hypot(sd, mean - centre) == pytest.approx(rms, abs=2e-4)


def test_ours_stand_beside_the_printed_ones():
    found = monte_carlo("qda", n=[20, 30, 40], trials=250, n_boot=50, n_test=300, rng=1)
    rows = beside_table1(found)
    assert [row.n for row in rows] == [20] * 15 + [40] * 15
    star = next(row for row in rows if (row.n, row.estimator, row.figure) == (40, "star", "sd"))
    own = found.row(40, "star")
    assert (star.ours, star.printed) == (own.sd, 0.0711)
    assert star.error == pytest.approx(np.hypot(own.sd_error, own.sd_error * np.sqrt(250 / 1000)))
    assert star.z == pytest.approx((own.sd - 0.0711) / star.error)
    for row in rows:
        assert (row.z is None) == (row.estimator == "true" or row.figure == "rms")
    text = table1_text(rows).splitlines()
    assert len(text) == 11
    assert text[7].startswith(f"  40 AUC(*)     |    {own.mean:.4f} 0.6244")


def test_another_test_set_counts_where_it_matters():
    options = {"n": 20, "n_test": 300, "rng": 1}
    found = monte_carlo("qda", **options, trials=100, n_boot=20)
    crossed = variance_components("qda", **options, training_sets=60, test_sets=50)
    rows = {(row.estimator, row.figure): row for row in beside_table1(found, crossed)}
    offset = np.sqrt(2) * crossed.values[0].mean(axis=0).std(ddof=1)
    assert rows["true", "mean"].test_error == pytest.approx(offset)
    assert offset == pytest.approx(np.sqrt(2) * crossed.row(20, "test").sd, rel=0.1)
    apparent = found.row(20, "apparent")
    assert rows["apparent", "rms"].test_error == pytest.approx(offset * apparent.bias / apparent.rms)
    assert rows["star", "mean"].test_error == 0.0
    whole = np.hypot(rows["true", "mean"].error, offset)
    assert rows["true", "mean"].z == pytest.approx((found.row(20, "true").mean - 0.6181) / whole)


def test_only_a_study_of_these_sizes_can_be_compared():
    for options in ({"n": 30}, {"n": 20, "n_boot": 0}):
        with pytest.raises(
            RocInputError, match=r"^result must have bootstraps and one of the sizes 20, 40, "
        ):
            beside_table1(
                monte_carlo("qda", **({"trials": 5, "n_boot": 2, "n_test": 10, "rng": 1} | options))
            )


@pytest.mark.slow
def test_table_1_is_reproduced():
    """All 32 means and SDs of the estimators within three standard errors; the rest too, with test sets."""
    found = monte_carlo("qda", trials=1000, n_boot=100, rng=2004)
    crossed = variance_components("qda", n_test=1000, training_sets=50, test_sets=50, rng=2004)
    rows = beside_table1(found, crossed)
    exact = [row for row in rows if row.test_error == 0]
    assert len(exact) == 32
    assert max(abs(row.z) for row in rows) < 3
    # Only QDA fits: the linear classifier is many standard errors away.
    lda = beside_table1(monte_carlo("lda", n=20, trials=300, n_boot=100, rng=2004))
    assert next(row for row in lda if (row.estimator, row.figure) == ("star", "mean")).z > 6
