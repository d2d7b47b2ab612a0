"""The calibrated band of a ROC curve, written out: every sample, every band, every place."""

from math import exp
from statistics import NormalDist

from slow.crossings import ends

NORMAL = NormalDist()


def smooth_curve(tp, fp, deviates, bandwidth):
    """Heights of the smooth curve where half the sum of both normal deviates is each of the deviates."""
    places = []
    for positives, negatives in zip(tp, fp, strict=True):
        up = NORMAL.inv_cdf((positives + 0.5) / (tp[-1] + 1))
        across = NORMAL.inv_cdf((negatives + 0.5) / (fp[-1] + 1))
        places.append(((up + across) / 2, up - across))
    curve = []
    for deviate in deviates:
        near = min(max(deviate, places[0][0]), places[-1][0])
        weights = [exp(-(((near - place) / bandwidth) ** 2) / 2) for place, _ in places]
        apart = sum(w * d for w, (_, d) in zip(weights, places, strict=True)) / sum(weights)
        curve.append((NORMAL.cdf(deviate - apart / 2), NORMAL.cdf(deviate + apart / 2)))
    return curve


def holds(tp, fp, low, high, left, right, curve):
    """Whether the band of a sample holds the curve, point by point.

    `low` and `high` are the limits of the share of the positives by their count, `left` and `right` those of
    the negatives. The upper edge joins the upper left corners from (0, 0) on, to (1, 1); the lower edge the
    lower right ones.
    """
    upper = [(left[f], high[t]) for t, f in zip(tp, fp, strict=True)]
    lower = [(right[f], low[t]) for t, f in zip(tp, fp, strict=True)]
    for x, y in curve:
        above = upper[-1][1] if x >= upper[-1][0] else ends(upper, x)[1]
        below = lower[0][1] if x <= lower[0][0] else ends(lower, x)[0]
        if not below - 1e-12 <= y <= above + 1e-12:
            return False
    return True


def drawn_sample(heights_of_pos, heights_of_neg):
    """Counts at the vertices of cases that stand at these heights of the curve, from the lowest on."""
    cases = sorted([(h, 1) for h in heights_of_pos] + [(h, 0) for h in heights_of_neg])
    tp, fp = [0], [0]
    for _, positive in cases:
        tp.append(tp[-1] + positive)
        fp.append(fp[-1] + 1 - positive)
    return tp, fp
