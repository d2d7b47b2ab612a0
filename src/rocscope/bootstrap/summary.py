"""What a Monte-Carlo study says of an estimator, each figure with its Monte-Carlo error.

The errors are standard errors over the trials, from the influence of each trial on the figure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Row

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloRow(Row):
    """One estimator at one training size.

    Attributes
    ----------
    n, estimator
        Cases per class; "true", "apparent", "star", "point632", "point632plus" or "leave_pair_out".
    mean, sd
        Mean and standard deviation over the trials.
    rms
        Root mean squared difference from the mean true area ([1]_ section 4.2).
    bias
        Mean less the mean true area.
    correlation
        With the true area of the same trial, which is conditional on the training set ([1]_ section 4.3);
        None where one of the two never varies, as `reason` says.
    mean_error, sd_error, rms_error, bias_error, correlation_error
        Monte-Carlo standard errors. That of the true area's mean, and so of rms and bias, is conditional
        on the test set where the trials share one.
    estimated_se
        Mean of the standard errors that the trials themselves estimate, to be compared with `sd`; None
        for an estimator without one.
    undefined_se
        Share of the trials that could not estimate it.
    """

    n: int
    estimator: str
    mean: float
    mean_error: float
    sd: float
    sd_error: float
    rms: float
    rms_error: float
    bias: float
    bias_error: float
    correlation: float | None
    correlation_error: float | None
    estimated_se: float | None = None
    undefined_se: float | None = None
    reason: str | None = None


def summarise(n: int, estimator: str, values: Floats, true: Floats, se: Floats | None) -> MonteCarloRow:
    """Summarise one estimator over the trials; `se` holds its own standard errors, where it has them.

    Examples
    --------
    >>> true = np.array([0.6, 0.7, 0.8])
    >>> row = summarise(20, "star", true - 0.1, true, None)
    >>> round(row.mean, 3), round(row.sd, 3), round(row.rms, 3), round(row.correlation, 3)
    (0.6, 0.1, 0.129, 1.0)
    """
    sd, sd_error = _sd(values)
    rms, rms_error = _rms(values, true)
    correlation, correlation_error = _correlation(values, true)
    flat = estimator if np.ptp(values) == 0 else "true"
    mean_se, undefined = (None, None) if se is None else _mean_se(se)
    return MonteCarloRow(
        n=n,
        estimator=estimator,
        mean=float(values.mean()),
        mean_error=_error(values),
        sd=sd,
        sd_error=sd_error,
        rms=rms,
        rms_error=rms_error,
        bias=float(values.mean() - true.mean()),
        bias_error=_error(values - true),
        correlation=correlation,
        correlation_error=correlation_error,
        estimated_se=mean_se,
        undefined_se=undefined,
        reason=None if correlation is not None else f"{flat} is the same in every trial: no correlation",
    )


def _error(influence: Floats) -> float:
    """Standard error of the mean over the trials."""
    return float(influence.std(ddof=1) / np.sqrt(influence.size))


def _sd(values: Floats) -> tuple[float, float]:
    sd = float(values.std(ddof=1))
    return sd, 0.0 if sd == 0 else _error((values - values.mean()) ** 2) / (2 * sd)


def _rms(values: Floats, true: Floats) -> tuple[float, float]:
    """Root mean square around the mean true area, whose own error counts as well."""
    away = values - true.mean()
    rms = float(np.sqrt((away**2).mean()))
    influence = away**2 - 2 * away.mean() * (true - true.mean())
    return rms, 0.0 if rms == 0 else _error(influence) / (2 * rms)


def _correlation(values: Floats, true: Floats) -> tuple[float | None, float | None]:
    if np.ptp(values) == 0 or np.ptp(true) == 0:
        return None, None
    x, y = ((v - v.mean()) / v.std() for v in (values, true))
    r = float(np.clip((x * y).mean(), -1.0, 1.0))
    return r, _error(x * y - r / 2 * (x**2 + y**2))


def _mean_se(se: Floats) -> tuple[float | None, float]:
    defined = se[~np.isnan(se)]
    return (float(defined.mean()) if defined.size else None), 1 - defined.size / se.size
