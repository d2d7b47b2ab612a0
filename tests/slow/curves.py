"""ROC curves by counting at every threshold, and areas and hulls of polylines in fractions."""

from fractions import Fraction
from itertools import pairwise


def vertices(pos, neg):
    """(threshold, FPR, TPR) from (inf, 0, 0) down through every distinct score."""
    found = [(float("inf"), Fraction(0), Fraction(0))]
    for cut in sorted(set(pos) | set(neg), reverse=True):
        called = (
            Fraction(sum(y >= cut for y in neg), len(neg)),
            Fraction(sum(x >= cut for x in pos), len(pos)),
        )
        found.append((cut, *called))
    return found


def polyline_area(points, fpr=(0, 1), tpr=(0, 1)):
    """Area below a rising polyline and inside a rectangle: Green's theorem on each clipped piece.

    Every segment is cut where it enters or leaves the rectangle, so that each piece is a trapezoid.
    """
    (left, right), (bottom, top) = ((Fraction(a), Fraction(b)) for a, b in (fpr, tpr))
    total = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise([(Fraction(x), Fraction(y)) for x, y in points]):
        cuts = {x0, x1} | {x for x in (left, right) if x0 < x < x1}
        if y1 > y0:
            cuts |= {x0 + (x1 - x0) * (y - y0) / (y1 - y0) for y in (bottom, top) if y0 < y < y1}
        for a, b in pairwise(sorted(cuts)):
            if a < left or b > right:
                continue
            heights = [y0 + (y1 - y0) * (x - x0) / (x1 - x0) for x in (a, b)]
            inside = [min(max(y, bottom), top) - bottom for y in heights]
            total += (b - a) * (inside[0] + inside[1]) / 2
    return total


def partial_area(points, fpr=None, tpr=None):
    """TPR over a range of FPR; 1 - FPR over a range of TPR; both: the part of the rectangle below."""
    if fpr is None and tpr is not None:  # seen from the other side: (1 - TPR, 1 - FPR) is a rising curve too
        turned = [(1 - Fraction(y), 1 - Fraction(x)) for x, y in reversed(points)]
        return polyline_area(turned, fpr=(1 - Fraction(tpr[1]), 1 - Fraction(tpr[0])))
    return polyline_area(points, fpr=fpr or (0, 1), tpr=tpr or (0, 1))


def standardized(points, fpr=None, tpr=None):
    """McClish: 1/2 for the diagonal, 1 for the perfect curve; None where the two are the same."""
    chance = partial_area([(0, 0), (1, 1)], fpr, tpr)
    perfect = partial_area([(0, 0), (0, 1), (1, 1)], fpr, tpr)
    if perfect == chance:
        return None
    return (1 + (partial_area(points, fpr, tpr) - chance) / (perfect - chance)) / 2


def height(points, at):
    """Height of a rising polyline at x = at; where it jumps, the upper end of the jump."""
    reached = [y for x, y in points if x == at]
    if reached:
        return max(reached)
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 < at < x1:
            return y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    raise ValueError(at)


def hull(points):
    """Indices of the first point, and of those that no segment between two others passes on or above."""
    kept = [0]
    for k, point in enumerate(points[1:], start=1):
        others = points[:k] + points[k + 1 :]
        if not any(_covers(a, b, point) for a in others for b in others):
            kept.append(k)
    return kept


def _covers(a, b, point):
    """Whether the segment from a to b passes through the point or above it."""
    (x0, y0), (x1, y1), (x, y) = a, b, point
    if x0 == x1:
        return x == x0 and max(y0, y1) > y
    return x0 <= x <= x1 and y0 + (y1 - y0) * (x - x0) / (x1 - x0) >= y


def spread_table(scores, pos, neg):
    """One (score, is positive) row per counted case."""
    rows = []
    for score, p, n in zip(scores, pos, neg, strict=True):
        rows += [(score, 1)] * p + [(score, 0)] * n
    return [score for score, _ in rows], [label for _, label in rows]


def partial_variance(pos, neg, fpr=None, tpr=None, step=Fraction(1, 10**8)):
    """Variance of a partial area: how it moves when each case in turn gains and loses a little weight.

    The central difference of the area of the weighted curve is the influence of a case; the variance is that
    of the influences of the positives over their number plus that of the negatives over theirs.
    """

    def area(case, gain):
        total, x, y, points = Fraction(0), Fraction(0), Fraction(0), [(Fraction(0), Fraction(0))]
        weights = [[Fraction(1, len(cases))] * len(cases) for cases in (pos, neg)]
        which, index = case
        weights[which] = [(1 - gain) * weight for weight in weights[which]]
        weights[which][index] += gain
        for cut in sorted(set(pos) | set(neg), reverse=True):
            y += sum((w for s, w in zip(pos, weights[0], strict=True) if s == cut), total)
            x += sum((w for s, w in zip(neg, weights[1], strict=True) if s == cut), total)
            points.append((x, y))
        return partial_area(points, fpr, tpr)

    variance = Fraction(0)
    for which, cases in enumerate((pos, neg)):
        moved = [(area((which, k), step) - area((which, k), -step)) / (2 * step) for k in range(len(cases))]
        mean = sum(moved) / len(moved)
        variance += sum((d - mean) ** 2 for d in moved) / (len(moved) - 1) / len(moved)
    return variance
