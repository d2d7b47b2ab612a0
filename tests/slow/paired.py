"""Paired tests the long way: exact sums of Python fractions, one row at a time."""

import math
from decimal import Decimal
from fractions import Fraction
from statistics import mean, variance


def t_statistic(differences, test_over_train=0):
    """Mean over standard error; overlapping training sets add to the variance of the mean."""
    exact = [Fraction(d) for d in differences]
    centre, spread = mean(exact), variance(exact)
    if spread == 0:
        return 0.0 if centre == 0 else math.copysign(math.inf, centre)
    return float(centre) / standard_error(differences, test_over_train)


def standard_error(differences, test_over_train=0):
    exact = [Fraction(d) for d in differences]
    square = (Fraction(1, len(exact)) + Fraction(test_over_train)) * variance(exact)
    return float((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())
