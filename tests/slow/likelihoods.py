"""Likelihood ratios and predictive values as the textbooks write them, cell by cell."""

import math
from statistics import NormalDist


def quantile(level, alternative):
    return NormalDist().inv_cdf((1 + level) / 2 if alternative == "two-sided" else level)


def log_interval(log, variance, level, alternative):
    reach = quantile(level, alternative) * math.sqrt(variance)
    return (
        -math.inf if alternative == "less" else log - reach,
        math.inf if alternative == "greater" else log + reach,
    )


def lr_pos(tp, fp, fn, tn, level=0.95, alternative="two-sided"):
    """Simel, Samsa, Matchar 1991: ends of the interval of sensitivity / (1 - specificity), no cell 0."""
    sens, spec = tp / (tp + fn), tn / (tn + fp)
    variance = (1 - sens) / tp + spec / fp
    return tuple(map(math.exp, log_interval(math.log(sens / (1 - spec)), variance, level, alternative)))


def lr_neg(tp, fp, fn, tn, level=0.95, alternative="two-sided"):
    """The same for (1 - sensitivity) / specificity."""
    sens, spec = tp / (tp + fn), tn / (tn + fp)
    variance = sens / fn + (1 - spec) / tn
    return tuple(map(math.exp, log_interval(math.log((1 - sens) / spec), variance, level, alternative)))


def ppv(tp, fp, fn, tn, prevalence, level=0.95, alternative="two-sided"):
    """Mercaldo, Lau, Zhou 2007: logit interval of the positive predictive value, no cell 0."""
    sens, spec, n1, n0 = tp / (tp + fn), tn / (tn + fp), tp + fn, tn + fp
    logit = math.log(prevalence * sens / ((1 - prevalence) * (1 - spec)))
    variance = (1 - sens) / sens / n1 + spec / (1 - spec) / n0
    return tuple(map(expit, log_interval(logit, variance, level, alternative)))


def npv(tp, fp, fn, tn, prevalence, level=0.95, alternative="two-sided"):
    """The same for the negative predictive value."""
    sens, spec, n1, n0 = tp / (tp + fn), tn / (tn + fp), tp + fn, tn + fp
    logit = math.log((1 - prevalence) * spec / (prevalence * (1 - sens)))
    variance = sens / (1 - sens) / n1 + (1 - spec) / spec / n0
    return tuple(map(expit, log_interval(logit, variance, level, alternative)))


def expit(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def quotient(above, below):
    """Ends of the interval of x / y by search: where x - theta y is as far from 0 as both intervals reach.

    `above` and `below` are (value, low, high).
    """
    (x, x_low, x_high), (y, y_low, y_high) = above, below

    def apart(theta):
        """How many reaches x - theta y is from 0, towards the side on which theta lies."""
        distance = x - theta * y
        dx, dy = (x - x_low, y_high - y) if distance > 0 else (x_high - x, y - y_low)
        return math.inf if dx == dy == 0 else distance**2 - dx**2 - (theta * dy) ** 2

    low = 0.0 if x_low == 0 else _turn(apart, 0.0, math.inf if y == 0 else x / y)
    high = math.inf if y_low == 0 else _turn(apart, math.inf, 0.0 if y == 0 else x / y)
    return low, high


def _turn(apart, outside, inside):
    """Between a value that is too far and one that is not; the search is even in theta / (1 + theta)."""
    as_theta = lambda share: math.inf if share == 1 else share / (1 - share)  # noqa: E731
    far, near = (1.0 if math.isinf(v) else v / (1 + v) for v in (outside, inside))
    for _ in range(200):
        middle = (far + near) / 2
        far, near = (middle, near) if apart(as_theta(middle)) > 0 else (far, middle)
    return as_theta((far + near) / 2)
