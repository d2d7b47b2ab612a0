"""Two cut-offs for a sensitivity and a specificity, by trying every threshold, in fractions."""

from fractions import Fraction
from math import inf


def cut_offs(pos, neg, sensitivity, specificity):
    """The thresholds that rule out and rule in; the bounds are exact fractions."""
    rates = []
    for t in [inf, *sorted({*pos, *neg}, reverse=True)]:
        tpr = Fraction(sum(x >= t for x in pos), len(pos))
        fpr = Fraction(sum(z >= t for z in neg), len(neg))
        rates.append((t, tpr, fpr))
    # Of equal points the highest threshold: the others are at scores that the sample does not hold.
    out = min((r for r in rates if r[1] >= sensitivity), key=lambda r: (r[2], -r[1], -r[0]))
    into = min((r for r in rates if 1 - r[2] >= specificity), key=lambda r: (-r[1], r[2], -r[0]))
    return out[0], into[0]


def zone(score, out, into):
    """Where a score falls."""
    return "positive" if score >= into else "negative" if score < out else "undecided"
