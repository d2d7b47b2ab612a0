"""Expected cost of decisions on many classes, case by case."""

import math

from slow import proportions


def cases_of(row, values):
    """One value per case of a row."""
    return [value for n, value in zip(row, values, strict=True) for _ in range(n)]


def mean_and_error(values):
    """Mean of a sample, and the standard error with the sample's own variance, divided by n."""
    n = len(values)
    mean = math.fsum(values) / n
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / n / n)


def mean_cost(values, possible, level):
    """Mean cost of cases with the interval of Zou and Donner, over all costs that a case may have."""
    mean, se = mean_and_error(values)
    least = min(possible)
    terms = [(v - least, values.count(v), len(values)) for v in sorted(set(possible)) if v > least]
    low, high = proportions.squared_and_added(terms, proportions.wilson, level, same_cases=True)
    return mean, se, least + low, least + high


def expected_cost(matrix, costs, prevalence, level):
    """Value, standard error and interval: of all cases together, or class by class at a prevalence."""
    if prevalence is None:
        values = [v for row, paid in zip(matrix, costs, strict=True) for v in cases_of(row, paid)]
        return mean_cost(values, [v for paid in costs for v in paid], level)
    rows = [mean_cost(cases_of(row, paid), paid, level) for row, paid in zip(matrix, costs, strict=True)]
    value = sum(p * row[0] for p, row in zip(prevalence, rows, strict=True))
    squares = [
        sum((p * part(row)) ** 2 for p, row in zip(prevalence, rows, strict=True))
        for part in (lambda row: row[1], lambda row: row[0] - row[2], lambda row: row[3] - row[0])
    ]
    se, down, up = (math.sqrt(square) for square in squares)
    return value, se, value - down, value + up
