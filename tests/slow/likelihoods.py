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
