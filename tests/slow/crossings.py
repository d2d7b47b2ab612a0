"""Crossings of two polylines in fractions, one piece after the other.

Points are (FPR, TPR) of a rising polyline that may jump. Between neighbouring FPR of the vertices of both
the curves are straight, so looking at the ends of each piece and at the crossing inside it is enough.
"""

from fractions import Fraction
from itertools import pairwise


def ends(points, x):
    """Lowest and highest TPR of the polyline at x."""
    found = [y for px, y in points if px == x]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 < x < x1:
            found.append(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return min(found), max(found)


def pieces(first, second):
    """(low, high, sign) for pieces of positive width: 1 first above, -1 second above, 0 the same."""
    cuts = sorted({x for x, _ in first} | {x for x, _ in second})
    found = []
    for low, high in pairwise(cuts):
        left = ends(first, low)[1] - ends(second, low)[1]
        right = ends(first, high)[0] - ends(second, high)[0]
        if left * right < 0:
            middle = low + (high - low) * left / (left - right)
            found += [(low, middle, sign(left)), (middle, high, sign(right))]
        else:
            found.append((low, high, sign(left + right)))
    return found


def sign(value):
    return (value > 0) - (value < 0)


def intervals(first, second, leader):
    """FPR intervals of one sign, joined where only a point lies between."""
    joined = []
    for low, high, found in pieces(first, second):
        if found != leader:
            continue
        if joined and joined[-1][1] == low:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return joined


def crossings(first, second):
    """FPR where the lead changes: the end of the last piece of the curve that led."""
    leads = [piece for piece in pieces(first, second) if piece[2] != 0]
    return [a[1] for a, b in pairwise(leads) if a[2] != b[2]]


def dominant(first, second):
    signs = {piece[2] for piece in pieces(first, second)} - {0}
    if signs == {1, -1}:
        return None
    return {(): "equal", (1,): "first", (-1,): "second"}[tuple(signs)]


def exact_points(pos, neg):
    """Vertices (FPR, TPR) in fractions."""
    found = [(Fraction(0), Fraction(0))]
    for cut in sorted(set(pos) | set(neg), reverse=True):
        above = [sum(value >= cut for value in values) for values in (neg, pos)]
        found.append((Fraction(above[0], len(neg)), Fraction(above[1], len(pos))))
    return found
