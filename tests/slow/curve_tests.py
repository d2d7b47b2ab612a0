"""Tests between curves the long way: every pair, every exchange, every cut, in fractions."""

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from statistics import correlation

from scipy import stats

from slow import pairs

HALF = Fraction(1, 2)


# ---- Ranks and errors -------------------------------------------------------------------------------------


def midranks(scores):
    """Rank from 1; tied scores share the mean of their ranks."""
    return [sum(x < s for x in scores) + Fraction(sum(x == s for x in scores) + 1, 2) for s in scores]


def common_scale(y, scores, share):
    """Place of every score in a population with the given share of positives."""
    pos, neg = pairs.split(y, scores)
    return [
        share * sum(pairs.kernel(s, x) for x in pos) / len(pos)
        + (1 - share) * sum(pairs.kernel(s, x) for x in neg) / len(neg)
        for s in scores
    ]


def first_ranks(scores):
    """Ranks without ties: equal scores by their row, as R's rank(ties.method = "first")."""
    order = sorted(range(len(scores)), key=lambda i: (scores[i], i))
    ranks = [0] * len(scores)
    for rank, row in enumerate(order, start=1):
        ranks[row] = rank
    return ranks


def positives_up_to(y, scores):
    """Mean number of positives among the k lowest over all orders of tied scores, k = 0..n."""
    totals = [Fraction(0)]
    for value in sorted(set(scores)):
        labels = [label for label, s in zip(y, scores, strict=True) if s == value]
        begin = totals[-1]
        totals += [begin + Fraction(k * sum(labels), len(labels)) for k in range(1, len(labels) + 1)]
    return totals


def positives_over_orders(y, scores):
    """The same by trying every order of the cases that the scores allow."""
    rows = range(len(y))
    orders = [o for o in permutations(rows) if all(scores[a] <= scores[b] for a, b in pairwise(o))]
    return [Fraction(sum(sum(y[i] for i in o[:k]) for o in orders), len(orders)) for k in range(len(y) + 1)]


def paired_e(y, first, second):
    """Venkatraman and Begg: sum over cuts of the absolute difference of the numbers of errors."""
    n_neg = len(y) - sum(y)
    errors = []
    for scores in (first, second):
        missed = positives_up_to(y, scores)
        errors.append([p + (n_neg - (k - p)) for k, p in enumerate(missed)])
    return sum(abs(a - b) for a, b in zip(*errors, strict=True))


def unpaired_e(first, second, share=None, whole=True):
    """Venkatraman 2000 by trapezoids over the cuts; `whole=False` begins where both curves have a cut."""
    n_pos = sum(sum(y) for y, _ in (first, second))
    share = Fraction(n_pos, sum(len(y) for y, _ in (first, second))) if share is None else Fraction(share)
    curves = [error_curve(y, scores, share)[0 if whole else 1 :] for y, scores in (first, second)]
    begin = max(curve[0][0] for curve in curves)
    cuts = sorted(p for curve in curves for p, _ in curve if p >= begin)
    gaps = [abs(height(curves[0], p) - height(curves[1], p)) for p in cuts]
    return sum((b - a) * (f + g) / 2 for a, b, f, g in zip(cuts, cuts[1:], gaps, gaps[1:], strict=False))


def error_curve(y, scores, share):
    """(share called negative, error) at every cut."""
    m, n = sum(y), len(y) - sum(y)
    found = []
    for k, missed in enumerate(positives_up_to(y, scores)):
        f, g = missed / m, (k - missed) / n
        found.append((share * f + (1 - share) * g, share * f + (1 - share) * (1 - g)))
    return found


def height(curve, p):
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x0 <= p <= x1:
            return y0 + (y1 - y0) * (p - x0) / (x1 - x0)
    raise AssertionError(f"{p} lies outside the curve")


# ---- Permutation tests ------------------------------------------------------------------------------------


def extreme(found, observed, alternative):
    return {
        "two-sided": abs(found) >= abs(observed),
        "greater": found >= observed,
        "less": found <= observed,
    }[alternative]


def paired_permutation(y, first, second, alternative="two-sided"):
    """P-value and root mean square difference over all exchanges of the ranks of single cases."""
    ranks = midranks(first), midranks(second)
    observed = difference(y, *ranks)
    found = []
    for swaps in product((False, True), repeat=len(y)):
        a = [ranks[swap][i] for i, swap in enumerate(swaps)]
        b = [ranks[not swap][i] for i, swap in enumerate(swaps)]
        found.append(difference(y, a, b))
    return share_extreme(found, observed, alternative), mean_square(found)


def difference(y, first, second):
    return pairs.area(*pairs.split(y, first)) - pairs.area(*pairs.split(y, second))


def share_extreme(found, observed, alternative):
    return Fraction(sum(extreme(d, observed, alternative) for d in found), len(found))


def mean_square(found):
    return sum(d * d for d in found) / len(found)


def unpaired_permutation(first, second, alternative="two-sided"):
    """The same over all ways to deal out the positives and the negatives of both samples."""
    n_pos = sum(sum(y) for y, _ in (first, second))
    share = Fraction(n_pos, sum(len(y) for y, _ in (first, second)))
    parts = [pairs.split(y, common_scale(y, scores, share)) for y, scores in (first, second)]
    observed = pairs.area(*parts[0]) - pairs.area(*parts[1])
    pos, neg = (parts[0][k] + parts[1][k] for k in (0, 1))
    found = [
        pairs.area(a, c) - pairs.area(b, d)
        for a, b in deals(pos, len(parts[0][0]))
        for c, d in deals(neg, len(parts[0][1]))
    ]
    return share_extreme(found, observed, alternative), mean_square(found)


def deals(pool, size):
    for chosen in combinations(range(len(pool)), size):
        yield [pool[i] for i in chosen], [v for i, v in enumerate(pool) if i not in chosen]


# ---- Hanley and McNeil ------------------------------------------------------------------------------------


def hanley_mcneil_variance(area, m, n):
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    return (area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (m * n)


def hanley_mcneil(y, first, second):
    """Difference, its standard error, and the correlation of the areas, by the formulas of 1982 and 1983."""
    parts = [pairs.split(y, scores) for scores in (first, second)]
    m, n = len(parts[0][0]), len(parts[0][1])
    areas = [float(pairs.area(*part)) for part in parts]
    of_scores = sum(correlation(parts[0][k], parts[1][k]) for k in (0, 1)) / 2
    r = area_correlation(of_scores, sum(areas) / 2, m, n)
    v1, v2 = (hanley_mcneil_variance(a, m, n) for a in areas)
    return areas[0] - areas[1], math.sqrt(max(0.0, v1 + v2 - 2 * r * math.sqrt(v1 * v2))), r


def area_correlation(of_scores, area, m, n):
    """Mean covariance of the indicators of two pairs over that of one curve, by the binormal model."""
    z0 = stats.norm.ppf(area)

    def surplus(rho):
        both = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]], allow_singular=True).cdf([z0, z0])
        return both - area**2

    sharing = m + n - 2
    one = area - area**2 + sharing * surplus(0.5)
    return (surplus(of_scores) + sharing * surplus(of_scores / 2)) / one


# ---- Bootstrap --------------------------------------------------------------------------------------------


def repeated(values, counts):
    """Every value as often as its case was drawn."""
    return [v for v, count in zip(values, counts, strict=True) for _ in range(count)]
