"""The model variance of a partial area by its definition, and the score interval by a walk over curves."""

import math
from fractions import Fraction

import numpy as np
from scipy import integrate

GRID = 100_000


def area(t, low, high):
    """The area under f^t over the range, by quadrature."""
    return integrate.quad(lambda f: f**t, low, high, epsabs=1e-13, epsrel=1e-12)[0]


def variance(t, low, high, n_up, n_across):
    """Variances of the two placements, each over all places of a case on the axis.

    A positive stands at FPR q with density t q^(t - 1), and passes what of the range is to the right of q; a
    negative stands anywhere with density 1, and takes away what the curve rises from there to the end.
    """
    middles = (np.arange(GRID) + 0.5) / GRID
    u = low**t + (high**t - low**t) * middles  # q = u^(1 / t)
    q = low + (high - low) * middles

    def moment(power):
        passed = (high - u ** (1 / t)) ** power
        taken = (high**t - q**t) ** power
        return (
            (high - low) ** power * low**t + passed.mean() * (high**t - low**t),
            (high**t - low**t) ** power * low + taken.mean() * (high - low),
        )

    (one, other), (one_square, other_square) = moment(1), moment(2)
    assert math.isclose(one, area(t, low, high), rel_tol=1e-3)
    return (one_square - one**2) / n_up + (other_square - other**2) / n_across


def factor(value, own, model, whole, n_up, n_across):
    """How much of the estimated variance counts, in fractions."""
    ratio = Fraction(own) / Fraction(model)
    if ratio >= 1:
        return float(ratio)
    share = Fraction(value) / Fraction(whole)
    misses = min(share, 1 - share) * min(Fraction(n_up), Fraction(whole) * n_across)
    return float((misses * ratio + 2) / (misses + 2))


def interval(value, own, low, high, n_up, n_across, deviate, steps=4000):
    """Least and largest area of a fine walk over curves that the test does not reject."""
    walk = np.exp(np.linspace(-6, 2, steps))
    areas = np.array([area(t, low, high) for t in walk])
    nearest = walk[np.argmin(np.abs(areas - value))]
    times = factor(value, own, variance(nearest, low, high, n_up, n_across), high - low, n_up, n_across)
    kept = [
        at
        for t, at in zip(walk, areas, strict=True)
        if abs(value - at) <= deviate * math.sqrt(times * variance(t, low, high, n_up, n_across))
    ]
    return min(kept), max(kept)
