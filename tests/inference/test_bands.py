"""Bands: Wilson and DKW at thresholds in closed form, bootstrap bands at rates, and what they hold."""

import itertools
import math
import statistics

import numpy as np
import pytest

import rocscope as rs
from reference_cases import case_data, load_reference
from rocscope.atlas.laws import score_law
from rocscope.core import resampling
from rocscope.inference import bands
from rocscope.inference.equal_precision import share_limits
from slow import places

Y = [0, 0, 0, 0, 1, 1, 1, 1]
S = [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]


def wilson(k, n, z=1.959963984540054):
    centre = (k + z * z / 2) / (n + z * z)
    half = z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return centre - half, centre + half


def test_at_every_threshold_both_rates_have_their_interval():
    band = rs.roc_band(Y, S, at="threshold")
    curve = rs.roc_curve(Y, S)
    np.testing.assert_array_equal(band.x, curve.thresholds[1:])
    np.testing.assert_array_equal(band.mean, curve.tpr[1:])
    np.testing.assert_array_equal(band.fpr, curve.fpr[1:])
    for k in range(len(band)):
        tpr, fpr = wilson(4 * band.mean[k], 4), wilson(4 * band.fpr[k], 4)
        np.testing.assert_allclose([band.low[k], band.high[k]], tpr, atol=1e-12)
        np.testing.assert_allclose([band.fpr_low[k], band.fpr_high[k]], fpr, atol=1e-12)
    assert band.method == "wilson"


def test_given_thresholds_need_not_be_observed():
    band = rs.roc_band(Y, S, at="threshold", x=[0.65, 0.5, 0.0, 2.0])
    assert band.mean.tolist() == [0.75, 1.0, 1.0, 0.0]
    assert band.fpr.tolist() == [0.0, 0.25, 1.0, 0.0]


def test_the_simultaneous_band_at_thresholds_is_that_of_massart():
    band = rs.roc_band(Y, S, at="threshold", x=[0.65], simultaneous=True, method="dkw", level=0.81)
    reach = math.sqrt(math.log(2 / 0.1) / (2 * 4))  # each class at sqrt(0.81) = 0.9
    assert band.low[0] == pytest.approx(max(0.75 - reach, 0))
    assert band.fpr_high[0] == pytest.approx(min(reach, 1))
    assert band.simultaneous
    assert band.method == "dkw"


def test_at_rates_the_curve_is_inside_its_band():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    s = rng.normal(size=200) + y
    band = rs.roc_band(y, s, rng=1)
    np.testing.assert_array_equal(band.mean, rs.roc_curve(y, s).tpr_at(np.linspace(0, 1, 101)))
    assert ((band.low <= band.mean) & (band.mean <= band.high)).all()
    wide = rs.roc_band(y, s, simultaneous=True)
    assert (wide.low <= band.low).all()
    assert (wide.high >= band.high).all()
    assert wide.method == "calibrated"


@pytest.mark.slow
@pytest.mark.parametrize(("simultaneous", "floor"), [(False, 0.90), (True, 0.90)])
def test_coverage_at_rates(simultaneous, floor):
    """Binormal scores: pointwise at FPR 0.2, or over the whole curve, in 300 simulations at 95 %."""
    from scipy.special import ndtr, ndtri

    rng = np.random.default_rng(7)
    grid = np.linspace(0.05, 0.95, 19)
    truth = ndtr(1.2 + ndtri(grid))
    y = np.repeat([0, 1], 100)
    held = 0
    for _ in range(300):
        s = rng.normal(size=200) + 1.2 * y
        band = rs.roc_band(y, s, x=grid, simultaneous=simultaneous, n_boot=500, rng=rng)
        inside = (band.low <= truth) & (truth <= band.high)
        held += inside.all() if simultaneous else inside[3]
    assert held / 300 >= floor


@pytest.mark.parametrize("method", ["dkw", "equal-precision"])
def test_a_simultaneous_band_holds_the_whole_curve(method):
    rng = np.random.default_rng(3)
    from scipy.special import ndtr

    y = np.repeat([0, 1], 60)
    held = 0
    for _ in range(400):
        band = rs.roc_band(y, rng.normal(size=120) + y, at="threshold", simultaneous=True, method=method)
        tpr, fpr = ndtr(1 - band.x), ndtr(-band.x)
        inside = (band.low <= tpr) & (tpr <= band.high) & (band.fpr_low <= fpr) & (fpr <= band.fpr_high)
        held += inside.all()
    assert held / 400 >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 400)


def test_one_case_in_a_class_leaves_the_band_undefined():
    band = rs.roc_band([0, 0, 1], [1, 2, 3], x=[0.5], method="bootstrap")
    assert band.mean.tolist() == [1.0]
    assert not band.defined.any()
    assert np.isnan(band.low).all()
    assert band.warnings == ("the bootstrap needs two cases in each class",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at": "fnr"}, "at must be one of 'fpr', 'tpr', 'threshold', got 'fnr'; did you mean 'fpr'?"),
        ({"x": [0.5, 1.5]}, "x must hold rates from 0 to 1, got [0.5, 1.5]"),
        ({"at": "threshold", "x": ["a"]}, "x must hold numbers, got text: 'a'"),
    ],
)
def test_refuses(options, message):
    with pytest.raises(rs.RocInputError) as error:
        rs.roc_band(Y, S, **options)
    assert str(error.value) == message


# ---- Ties -------------------------------------------------------------------------------------------------


def test_a_constant_score_has_a_simultaneous_band_around_the_diagonal():
    """Twenty tied cases: the curve is the diagonal, moved by the reach of each class in both directions."""
    band = rs.roc_band([0, 1] * 10, [1.0] * 20, simultaneous=True, method="dkw", x=[0.5, 0.9], level=0.25)
    reach = math.sqrt(math.log(2 / 0.5) / (2 * 10))  # each class at sqrt(0.25)
    np.testing.assert_allclose(band.mean, [0.5, 0.9], atol=1e-15)
    np.testing.assert_allclose(band.low, [max(0.5 - 2 * reach, 0), 0.9 - 2 * reach], atol=1e-15)
    np.testing.assert_allclose(band.high, [1, 1], atol=1e-15)


def hull_edges(of_fpr, of_tpr, grid):
    """Lowest and highest point, at each FPR, of the convex hulls of neighbouring rectangles: by corners."""
    low, high = np.full(len(grid), 1.0), np.zeros(len(grid))
    for k in range(len(of_fpr[0]) - 1):
        corners = [(x[j], y[j]) for j in (k, k + 1) for x in of_fpr for y in of_tpr]
        for (x1, y1), (x2, y2) in itertools.combinations(corners, 2):
            (x1, y1), (x2, y2) = sorted([(x1, y1), (x2, y2)])
            for i in np.flatnonzero((x1 <= grid) & (grid <= x2)):
                ends = (y1, y2) if x1 == x2 else [y1 + (y2 - y1) * (grid[i] - x1) / (x2 - x1)]
                low[i], high[i] = min(low[i], *ends), max(high[i], *ends)
    return np.maximum(low, 0), np.minimum(high, 1)


@pytest.mark.parametrize("method", ["dkw", "equal-precision"])
@pytest.mark.parametrize("step", [0.1, 1.0, 3.0])
def test_the_simultaneous_band_is_the_union_of_hulls_of_neighbouring_rectangles(step, method):
    rng = np.random.default_rng(int(10 * step))
    y = rng.permutation(np.repeat([0, 1], [90, 60]))
    s = np.round((rng.normal(size=150) + y) / step)
    grid = np.linspace(0.003, 0.997, 41)  # beside the corners, where a jump may round either way
    band = rs.roc_band(y, s, simultaneous=True, method=method, x=grid, level=0.8)
    curve, outside, ends = rs.roc_curve(y, s), 1 - math.sqrt(0.8), []
    for count, n in ((curve.fp, 90), (curve.tp, 60)):
        reach = math.sqrt(math.log(2 / outside) / (2 * n))
        massart = count / n - reach, count / n + reach
        ends.append(massart if method == "dkw" else share_limits(count, n, outside))
    low, high = hull_edges(*ends, grid)
    np.testing.assert_allclose(band.low, low, atol=1e-12)
    np.testing.assert_allclose(band.high, high, atol=1e-12)


def test_the_simultaneous_band_of_ratings_holds_their_curve():
    """Ratings from 1 to 5: the population's curve has five corners and runs straight between them."""
    p_neg, p_pos = np.array([0.3, 0.3, 0.2, 0.15, 0.05]), np.array([0.05, 0.1, 0.2, 0.3, 0.35])
    fpr, tpr = (np.append(0.0, np.cumsum(p[::-1])) for p in (p_neg, p_pos))
    grid = np.linspace(0, 1, 101)
    truth = np.interp(grid, fpr, tpr)
    rng, held = np.random.default_rng(2), 0
    y = np.repeat([0, 1], 50)
    for _ in range(300):
        s = np.concatenate([rng.choice(5, 50, p=p_neg), rng.choice(5, 50, p=p_pos)])
        band = rs.roc_band(y, s, simultaneous=True, level=0.5)
        held += bool(((band.low <= truth + 1e-12) & (truth - 1e-12 <= band.high)).all())
    assert held / 300 >= 0.5 - 3 * math.sqrt(0.25 / 300)


def test_x_must_be_one_row_of_rates():
    for x in ([[0, 1]], []):
        with pytest.raises(rs.RocInputError) as error:
            rs.roc_band(Y, S, x=x)
        assert str(error.value) == f"x must be a rate or a one-dimensional array of rates, got {x}"


# ---- At fixed sensitivities -------------------------------------------------------------------------------


def first_fpr(fpr, tpr, height):
    """The smallest FPR at which a curve of straight pieces has a height, piece by piece."""
    reached = []
    for x1, y1, x2, y2 in zip(fpr, tpr, fpr[1:], tpr[1:], strict=False):
        if y1 == height:
            reached.append(x1)
        elif y1 < height <= y2:
            reached.append(x1 + (x2 - x1) * (height - y1) / (y2 - y1))
    return min(reached, default=1.0)


@pytest.mark.parametrize("step", [0.01, 0.5, 2.0])
def test_at_sensitivities_the_band_is_that_of_the_first_fpr_of_each_curve(step):
    """The slow twin, on the same replicates."""
    rng = np.random.default_rng(int(100 * step))
    y = rng.permutation(np.repeat([0, 1], [25, 15]))
    s = np.round((rng.normal(size=40) + y) / step)
    grid = np.array([0.0, 0.21, 0.5, 0.8, 0.97, 1.0])
    band = rs.roc_band(y, s, at="tpr", x=grid, method="bootstrap", level=0.9, n_boot=200, rng=3)
    curve = rs.roc_curve(y, s)
    mean = [first_fpr(curve.fpr, curve.tpr, height) for height in grid]
    np.testing.assert_allclose(band.fpr, mean, atol=1e-12)
    replicates = resampling.bootstrap_curves(
        rs.BinaryScores.from_arrays(y, s),
        lambda curves: np.array(
            [[first_fpr(fpr, tpr, t) for t in grid] for fpr, tpr in zip(curves.fpr, curves.tpr, strict=True)]
        ),
        resampling.Sampling(n_boot=200, rng=3),
    )
    low, high = np.quantile(replicates, [0.05, 0.95], axis=0)
    apart = np.ptp(replicates, axis=0) > 1e-12
    assert band.defined.tolist() == (apart | (grid == 0)).tolist()
    np.testing.assert_allclose(band.fpr_low[apart], np.minimum(low, mean)[apart], atol=1e-12)
    np.testing.assert_allclose(band.fpr_high[apart], np.maximum(high, mean)[apart], atol=1e-12)
    for column in (band.x, band.mean, band.low, band.high):
        assert column.tolist() == grid.tolist()
    assert (band.fpr[0], band.fpr_low[0], band.fpr_high[0]) == (0, 0, 0)
    assert (band.x_label, band.method) == ("true positive rate", "bootstrap")


@pytest.mark.parametrize("step", [0.1, 1.0, 3.0])
def test_the_simultaneous_band_at_sensitivities_is_that_of_the_other_class(step):
    rng = np.random.default_rng(int(10 * step))
    y = rng.permutation(np.repeat([0, 1], [90, 60]))
    s = np.round((rng.normal(size=150) + y) / step)
    grid = np.linspace(0.003, 0.997, 41)
    band = rs.roc_band(y, s, at="tpr", x=grid, simultaneous=True)
    other = rs.roc_band(1 - y, -s, x=1 - grid, simultaneous=True)
    np.testing.assert_allclose(band.fpr, 1 - other.mean, atol=1e-12)
    np.testing.assert_allclose(band.fpr_low, 1 - other.high, atol=1e-12)
    np.testing.assert_allclose(band.fpr_high, 1 - other.low, atol=1e-12)


# ---- The fiducial interval --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.01, 1.0])
@pytest.mark.parametrize("at", ["fpr", "tpr"])
def test_the_fiducial_interval_is_that_of_drawn_places_and_rates(step, at, monkeypatch):
    """The slow twin; 20,000 draws have an error of 0.003 or so, our 64 nodes one of up to 0.03."""
    rng = np.random.default_rng(int(100 * step))
    y = np.repeat([0, 1], [20, 12])
    s = np.round((rng.normal(size=32) + 1.5 * y) / step)
    grid = np.array([0.01, 0.12, 0.5, 0.93])
    few = rs.roc_band(y, s, at=at, x=grid, level=0.9)
    monkeypatch.setattr(bands, "NODES", 4096)
    band = rs.roc_band(y, s, at=at, x=grid, level=0.9)
    assert (band.method, band.defined.all()) == ("fiducial", True)
    for name in ("low", "high", "fpr_low", "fpr_high"):
        np.testing.assert_allclose(getattr(few, name), getattr(band, name), atol=0.03)
    for k, rate in enumerate(grid):
        if at == "fpr":
            found, twin = (band.low[k], band.high[k]), places.fiducial(s[y == 1], s[y == 0], rate, 0.9, rng)
            value = band.mean[k]
        else:  # 1 - FPR at 1 - TPR is the curve of the other class
            low, high = places.fiducial(-s[y == 0], -s[y == 1], 1 - rate, 0.9, rng)
            found, twin, value = (band.fpr_low[k], band.fpr_high[k]), (1 - high, 1 - low), band.fpr[k]
        assert found == pytest.approx((min(twin[0], value), max(twin[1], value)), abs=0.015)


def test_the_fiducial_interval_of_many_cases_is_that_of_the_normal_curve():
    """With 20,000 cases of each class: t +- 1.96 sqrt(t (1 - t) / m + r^2 f (1 - f) / n), r the slope."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], 20_000)
    s = rng.normal(size=40_000) + y
    normal = statistics.NormalDist()
    band = rs.roc_band(y, s, x=[0.1, 0.5])
    for k, f in enumerate((0.1, 0.5)):
        c = -normal.inv_cdf(f)
        t, r = 1 - normal.cdf(c - 1), normal.pdf(c - 1) / normal.pdf(c)
        reach = 1.96 * math.sqrt((t * (1 - t) + r**2 * f * (1 - f)) / 20_000)
        assert band.high[k] - band.low[k] == pytest.approx(2 * reach, rel=0.06)


def test_the_fiducial_interval_knows_what_cannot_be_known():
    band = rs.roc_band([0] * 20 + [1] * 20, list(range(40)), x=[0, 0.02, 0.5, 1])
    assert band.mean.tolist() == [1, 1, 1, 1]
    assert band.low[0] == 0  # a threshold above all negatives may be above all positives
    assert 0 < band.low[1] < band.low[2] < 1
    assert band.high.tolist() == [1, 1, 1, 1]
    assert band.low[3] == 1
    expected = "1 place has an FPR below 1/20, which 20 negatives do not resolve: no interval is sure to "
    assert band.warnings == (f"{expected}hold there",)
    other = rs.roc_band([0] * 20 + [1] * 20, list(range(40)), at="tpr", x=[0.98])
    assert "a TPR above 1 - 1/20, which 20 positives" in other.warnings[0]


def test_what_draws_and_what_is_clustered_has_no_fiducial_interval():
    y, s = np.tile([0, 1], 20), np.arange(40)
    assert rs.roc_band(y, s).method == "fiducial"
    assert rs.roc_band(y, s, stratify=False, n_boot=50).method == "bootstrap"
    assert rs.roc_band(y, s, groups=np.arange(40) // 4, n_boot=50).method == "bootstrap"
    assert rs.roc_band(y, s, sample_weight=np.linspace(0.5, 1.5, 40)).method == "wilson"
    with pytest.raises(rs.RocInputError, match="must be 'bootstrap' or 'wilson' for weighted or clustered"):
        rs.roc_band(y, s, groups=np.arange(40) // 4, method="fiducial")


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(20, 20), (10, 190)])
def test_the_fiducial_interval_holds_where_few_negatives_reach(m, n):
    """At FPR 0.02 of 20 negatives the bootstrap holds in 74 %; 300 simulations of two areas."""
    rng = np.random.default_rng(m)
    for area in (0.7, 0.9):
        law = score_law("normal", area, False)
        truth = np.array([law.true_tpr(f) for f in (0.02, 0.05, 0.1)])
        held = np.zeros(3)
        for _ in range(300):
            band = rs.roc_band(*law.draw(m, n, rng), x=[0.02, 0.05, 0.1])
            held += (band.low <= truth) & (truth <= band.high)
        assert (held / 300 > 0.94).all()


BANDS = load_reference("bands")


@pytest.mark.parametrize("case", BANDS["cases"], ids=[case["name"] for case in BANDS["cases"]])
@pytest.mark.parametrize("at", ["fpr", "tpr"])
def test_agrees_with_proc(case, at):
    """pROC's ci.se and ci.sp, by bootstraps of 20,000: quantiles of either differ by chance."""
    y, scores = case_data(case)
    theirs = case[at]
    band = rs.roc_band(y, scores["a"], at=at, x=theirs["x"], method="bootstrap", n_boot=20_000, rng=1)
    ends = (band.low, band.high) if at == "fpr" else (band.fpr_low, band.fpr_high)
    for ours, reference in zip(ends, (theirs["low"], theirs["high"]), strict=True):
        np.testing.assert_allclose(ours, reference, rtol=0, atol=BANDS["tolerance"] + theirs["step"])


def test_at_rates_wilsons_interval_has_as_many_cases_as_the_variance_says():
    """Written out: the slope of the curve between f - w and f + w, half a case more of each kind."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [40, 60])
    s = (rng.normal(size=100) + y).round(1)
    curve = rs.roc_curve(y, s)
    z, places = 1.959963984540054, (0.1, 0.25, 0.6)
    for at, m, n in (("fpr", 60, 40), ("tpr", 40, 60)):
        x, height = (curve.fpr, curve.tpr) if at == "fpr" else (curve.tpr, curve.fpr)
        band = rs.roc_band(y, s, at=at, x=places, method="wilson")
        ends = (band.low, band.high) if at == "fpr" else (band.fpr_low, band.fpr_high)
        for k, f in enumerate(places):
            normal = statistics.NormalDist()
            q = normal.inv_cdf(f)
            w = (1.5 * z**2 * normal.pdf(q) ** 2 / (2 * q**2 + 1) / n) ** (1 / 3)
            left, right = max(0, f - w), min(1, f + w)
            t, low, high = np.interp([f, left, right], x, height)
            slope = (high - low) / (right - left)
            a, b = (t * m + 0.5) / (m + 1), (f * n + 0.5) / (n + 1)
            size = a * (1 - a) / (a * (1 - a) / m + slope**2 * b * (1 - b) / n)
            assert (ends[0][k], ends[1][k]) == pytest.approx(wilson(t * size, size), abs=1e-12)
        assert band.method == "wilson"


def test_wilsons_band_at_the_ends_and_beside_the_bootstrap():
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 2000)
    s = rng.normal(size=4000) + y
    for at in ("fpr", "tpr"):
        band, drawn = (rs.roc_band(y, s, at=at, method=method, rng=1) for method in ("wilson", "bootstrap"))
        assert band.defined.all()
        low, high = (band.low, band.high) if at == "fpr" else (band.fpr_low, band.fpr_high)
        assert ((low <= high) & (low >= 0) & (high <= 1)).all()
        assert (low[0 if at == "tpr" else -1], high[0 if at == "tpr" else -1]) == (
            (0, 0) if at == "tpr" else (1, 1)
        )
        theirs = drawn.high - drawn.low if at == "fpr" else drawn.fpr_high - drawn.fpr_low
        np.testing.assert_allclose((high - low)[10:91], theirs[10:91], rtol=0.35)


@pytest.mark.parametrize(
    ("how", "allowed"),
    [
        ({"at": "threshold", "method": "bootstrap"}, "'wilson'"),
        ({"simultaneous": True, "method": "wilson"}, "'calibrated', 'equal-precision', 'dkw'"),
        ({"simultaneous": True, "at": "threshold", "method": "wilson"}, "'equal-precision', 'dkw'"),
        ({"method": "dkw"}, "'fiducial', 'bootstrap', 'wilson'"),
    ],
)
def test_methods_belong_to_their_bands(how, allowed):
    with pytest.raises(rs.RocInputError, match=f"method must be one of {allowed}, got"):
        rs.roc_band(Y, S, **how)
