"""Two algorithms over many data sets: the hierarchical Bayesian correlated t test.

The differences x of two algorithms over the folds of data set i are normal around its own difference delta_i,
with a variance of its own and the correlation of folds rho = n_test / (n_train + n_test). The delta_i are
Student's t around the mean difference over data sets, with a scale and degrees of freedom that are learned
too [1]_. The question is the difference on the next data set.

Everything but location, scale and degrees of freedom is integrated out: the variance of each data set in
closed form, its delta_i and the hyperparameters of the degrees of freedom by Gauss-Legendre quadrature. What
is left is summed over a grid that is laid ever closer around the posterior. There is no chance in it.

References
----------
.. [1] G. Corani, A. Benavoli, J. Demsar, F. Mangili, M. Zaffalon, "Statistical comparison of classifiers
   through Bayesian hierarchical modelling", Machine Learning 106, 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from rocscope.algorithms.fold_tests import Floats, fold_differences
from rocscope.core import checks
from rocscope.core.result import Result, Status
from rocscope.errors import RocInputError

# Priors of [1]: nu - 1 is gamma with a shape and a rate that are uniform between these.
SHAPES, RATES = (0.5, 5.0), (0.05, 0.15)
# The scale between data sets is uniform up to this many times the spread of their means.
WIDEST = 1000.0
# Nodes of location, log scale and log degrees of freedom, and of the integral over one delta_i: while the
# grid is laid, and of the last one, whose locations and scales are then refined between them.
LAID, LAST = ((41, 31, 7), 16), ((51, 37, 13), 32)
REFINED = 5
# Degrees of freedom less 1; beyond them there is neither prior nor likelihood of interest.
FREEDOM = (0.01, 300.0)
# Density below this share of the largest is left outside the grid.
NEGLIGIBLE = 1e-7
PASSES = 12
# The standard error of a data set is at least this share of their mean: one may have no spread at all.
LEAST = 0.01
# Differences of a data set that agree to this share of the largest are equal up to rounding.
SAME = 2.0**-40
# Log density at this depth below the largest is as good as none.
DEEP = 700.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HierarchicalTest(Result):
    """Difference of two algorithms over data sets, first minus second, by the hierarchical model.

    Attributes
    ----------
    posterior
        Probabilities that the first is smaller, practically equal, larger on the next data set.
    most_probable
        Probabilities that each of these three is the most probable on the next data set, which [1]_ decides
        by.
    mean, low, high
        Posterior mean of the difference over data sets, and its credible interval.
    scale, freedom
        Posterior means of the scale between data sets and of the degrees of freedom; the scale of few data
        sets has a long tail.
    n_datasets, n_folds, rope, rho, level
        Data sets and folds, half-width of the region of practical equivalence, correlation of two folds.

    References
    ----------
    .. [1] G. Corani, A. Benavoli, J. Demsar, F. Mangili, M. Zaffalon, "Statistical comparison of classifiers
       through Bayesian hierarchical modelling", Machine Learning 106, 2017.
    """

    view: ClassVar[str] = "algorithms.hierarchical_picture"

    posterior: tuple[float, float, float] | None = None
    most_probable: tuple[float, float, float] | None = None
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    scale: float | None = None
    freedom: float | None = None
    n_datasets: int
    n_folds: int
    rope: float
    rho: float
    level: float
    first: str = "first"
    second: str = "second"
    measure: str = "value"
    status: Status = "ok"
    reason: str | None = None

    KINDS: ClassVar[tuple[str, ...]] = ("smaller", "equal", "larger")

    def _summary(self) -> str:
        head = f"{self.measure}, {self.first} minus {self.second} over {self.n_datasets} data sets"
        if self.posterior is None or self.most_probable is None:
            return f"{head}: undefined: {self.reason}"
        shares = ", ".join(
            f"{kind} {p:.4f} (most probable: {most:.4f})"
            for kind, p, most in zip(self.KINDS, self.posterior, self.most_probable, strict=True)
        )
        mean = f"mean difference {self.mean:+.4f} ({self.level * 100:g}% {self.low:+.4f} to {self.high:+.4f})"
        return f"{head}: {mean}; on the next data set {shares}, rope {self.rope:g}"


@checks.known_arguments
def hierarchical_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    rope: float = 0.01,
    level: float = 0.95,
) -> HierarchicalTest:
    """Test two algorithms over several data sets at once, from their values over the folds of each [1]_.

    Parameters
    ----------
    a, b : array-like of shape (datasets, folds)
        Values of the two algorithms (AUC, error), as many folds on every data set.
    n_train, n_test : int
        Cases in the training and test set of a fold; their ratio alone matters.
    rope : float
        Half-width of the region of practical equivalence.
    level : float
        Level of the credible interval.

    Returns
    -------
    HierarchicalTest
        Undefined with fewer than two data sets, four folds, or without any spread over the folds.

    Notes
    -----
    A data set on which all differences are equal has no variance to be learned from: its standard error is
    taken as a hundredth of their mean. No number is drawn: the same values give the same probabilities.

    References
    ----------
    .. [1] G. Corani, A. Benavoli, J. Demsar, F. Mangili, M. Zaffalon, "Statistical comparison of classifiers
       through Bayesian hierarchical modelling", Machine Learning 106, 2017.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> b = 0.8 + 0.05 * rng.normal(size=(12, 10))
    >>> a = b + 0.03 + 0.02 * rng.normal(size=(12, 10))
    >>> test = hierarchical_test(a, b, n_train=90, n_test=10)
    >>> [round(p, 3) for p in test.posterior], round(test.mean, 3), round(test.low, 3), round(test.high, 3)
    ([0.0, 0.007, 0.993], 0.027, 0.021, 0.034)
    """
    tables = []
    for name, values in (("a", a), ("b", b)):
        table = checks.as_array(values, name=name)
        if table.dtype.kind not in "biuf" or table.ndim != 2 or 0 in table.shape:
            raise RocInputError(
                f"must hold numbers, a row for each data set and a column for each fold, "
                f"got {checks.show(values)}",
                argument=name,
            )
        tables.append(table.astype(np.float64))
    if tables[0].shape != tables[1].shape:
        shapes = f"a has {tables[0].shape}, b has {tables[1].shape}"
        raise RocInputError(f"a and b must have the same shape: {shapes}")
    sizes = [
        checks.check_integer(n, name=name, low=1) for n, name in ((n_train, "n_train"), (n_test, "n_test"))
    ]
    return hierarchical_posterior(
        fold_differences(*tables).values,
        rho=sizes[1] / sum(sizes),
        rope=checks.check_number(rope, name="rope", low=0, closed=True),
        level=checks.check_level(level),
    )


def hierarchical_posterior(
    differences: Floats, *, rho: float | Floats, rope: float, level: float, reason: str | None = None
) -> HierarchicalTest:
    """The test on differences, a row for each data set, with their `rho`; undefined for a `reason`."""
    n, folds = differences.shape
    rhos = np.broadcast_to(np.asarray(rho, dtype=np.float64), n)
    mean_rho = float(rhos.mean()) if n else 0.0
    common: dict[str, Any] = {
        "n_datasets": n, "n_folds": folds, "rope": rope, "rho": mean_rho, "level": level
    }  # fmt: skip
    if reason is None and not np.isfinite(differences).all():
        rows = np.flatnonzero(~np.isfinite(differences).all(axis=1)).tolist()
        reason = f"a fold is undefined on {len(rows)} of {n} data sets"
    elif reason is None and (n < 2 or folds < 4):
        reason = f"the model needs at least 2 data sets with 4 folds each, got {n} with {folds}"
    elif reason is None and (np.ptp(differences, axis=1) <= SAME * np.abs(differences).max(axis=1)).all():
        reason = "the differences are the same over all folds of every data set"
    if reason is not None:
        return HierarchicalTest(**common, status="undefined", reason=reason)
    # In units of the mean deviation, so that nothing depends on the scale of the values; by a power of two
    # before, so that no square is too large.
    power = float(np.ldexp(1.0, np.frexp(np.abs(differences).max())[1] - 1))
    scaled = differences / power
    unit = float(scaled.std(axis=1).mean())
    grid = _posterior(scaled / unit, rhos)
    end = rope / power / unit
    z = [(edge - grid.location) / grid.scale for edge in (-end, end)]
    below, above = special.stdtr(grid.freedom, z[0]), special.stdtr(grid.freedom, -z[1])
    shares = np.stack(np.broadcast_arrays(below, 1 - below - above, above))
    largest = shares > shares.max(axis=0) - 1e-12  # more than one where two are equal
    smaller, equal, larger = ((largest / largest.sum(axis=0)) * grid.weight).sum(axis=(1, 2, 3)).tolist()
    marginal = grid.weight.sum(axis=(1, 2))
    # The weights are even within the cells of their nodes.
    cumulated, edges = np.concatenate([[0.0], np.cumsum(marginal)]), _edges(grid.location.ravel())
    low, high = np.interp([(1 - level) / 2, (1 + level) / 2], cumulated, edges).tolist()
    return HierarchicalTest(
        **common,
        posterior=tuple(np.clip((shares * grid.weight).sum(axis=(1, 2, 3)), 0, 1).tolist()),
        most_probable=(smaller, equal, larger),
        mean=float(grid.location.ravel() @ marginal) * unit * power,
        low=low * unit * power,
        high=high * unit * power,
        scale=float((grid.scale * grid.weight).sum()) * unit * power,
        freedom=float((grid.freedom * grid.weight).sum()),
    )


# ---- The posterior on a grid ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Nodes of location, scale and degrees of freedom along three axes, and their weights, which add to 1."""

    location: Floats
    scale: Floats
    freedom: Floats
    weight: Floats


def _posterior(x: Floats, rho: Floats) -> _Grid:
    """Lay the grid closer and closer around what is not negligible."""
    from scipy.interpolate import PchipInterpolator

    n = x.shape[1]
    means = x.mean(axis=1)
    # With a flat prior of its standard deviation, a data set's delta is Student's t around the mean: the
    # covariance of the folds is sigma^2 ((1 - rho) I + rho 11'), and its determinant gives sigma^-n.
    df = n - 2.0
    squares = np.square(x - means[:, np.newaxis]).sum(axis=1) / (1 - rho)
    errors = np.sqrt(squares * (1 + (n - 1) * rho) / n / df)
    errors = np.maximum(errors, LEAST * errors.mean())
    farthest, narrowest = float(np.abs(x).max()), float(errors.min())
    widest = WIDEST * max(float(means.std()), narrowest)
    box = [(-farthest, farthest), (np.log(1e-3 * narrowest), np.log(widest)), np.log(FREEDOM).tolist()]

    def lay(sizes: tuple[int, int, int], nodes: int) -> tuple[list[Floats], Floats]:
        """The axes in this box, and the log density less its maximum."""
        axes = [np.linspace(low, high, size) for (low, high), size in zip(box, sizes, strict=True)]
        # More nodes around the means of data sets whose errors are smaller than a step.
        step, more = axes[0][1] - axes[0][0], [axes[0]]
        for mean, error in zip(means, errors, strict=True):
            if error < step:
                reach = error * np.exp2(np.arange(-1, np.log2(step / error) + 1))
                more.append(np.concatenate([mean - reach, [mean], mean + reach]))
        together = np.unique(np.concatenate(more))
        inside = together[(together >= axes[0][0]) & (together <= axes[0][-1])]
        # Nodes that are all but equal would make a slope of rounding.
        axes[0] = inside[np.concatenate([[True], np.diff(inside) > errors.min() / 64])]
        log_scale, log_freedom = axes[1:]
        excess = np.exp(log_freedom)
        found = _log_likelihood(means, errors, df, axes[0], np.exp(log_scale), 1 + excess, nodes)
        # Uniform in location and scale; the grid is even in the logarithms of scale and of freedom less 1.
        found += log_scale[:, np.newaxis] + log_freedom + _log_prior(excess)
        return axes, np.maximum(found - found.max(), -DEEP)

    for _ in range(PASSES):
        axes, found = lay(*LAID)
        tighter = []
        for k, axis in enumerate(axes):
            kept = np.flatnonzero(found.max(axis=tuple({0, 1, 2} - {k})) > np.log(NEGLIGIBLE))
            first, last = max(kept[0] - 1, 0), min(kept[-1] + 1, len(axis) - 1)
            tighter.append((float(axis[first]), float(axis[last])))
        widths = [(b - a) / (d - c) for (a, b), (c, d) in zip(tighter, box, strict=True)]
        box = tighter
        if min(widths) > 0.8:
            break
    axes, found = lay(*LAST)
    for k in (0, 1):
        steps = np.arange(REFINED * (len(axes[k]) - 1) + 1) / REFINED
        fine = np.interp(steps, np.arange(len(axes[k])), axes[k])
        found, axes[k] = PchipInterpolator(axes[k], found, axis=k)(fine), fine
    cells = np.meshgrid(*(np.diff(_edges(axis)) for axis in axes), indexing="ij", sparse=True)
    weight = np.exp(found) * cells[0] * cells[1] * cells[2]
    location, log_scale, log_freedom = np.meshgrid(*axes, indexing="ij", sparse=True)
    return _Grid(
        location=location,
        scale=np.exp(log_scale),
        freedom=1 + np.exp(log_freedom),
        weight=weight / weight.sum(),
    )


def _edges(nodes: Floats) -> Floats:
    """Borders of the cells of nodes: halfway between them, and the outermost nodes themselves."""
    return np.concatenate([nodes[:1], (nodes[1:] + nodes[:-1]) / 2, nodes[-1:]])


def _log_likelihood(
    means: Floats,
    errors: Floats,
    df: float,
    location: Floats,
    scale: Floats,
    freedom: Floats,
    n_nodes: int,
) -> Floats:
    """Sum over the data sets of log integral f g, f = t(delta; mean, error, df), g = t(delta; location, ...).

    All of the product may lie in a tail of either density. So f g is cut into f f g / (f + g) and
    g f g / (f + g), which are integrated over the quantiles of f and of g: f g / (f + g) is nowhere larger
    than either.
    """
    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    share, weights = (nodes + 1) / 2, weights / 2
    own = special.stdtrit(df, share)  # of a data set
    among = special.stdtrit(freedom[:, np.newaxis], share)  # between data sets, a row for each freedom
    total = np.zeros((len(location), len(scale), len(freedom)))
    for mean, error in zip(means.tolist(), errors.tolist(), strict=True):
        f_own = _t(own, df) / error
        for j, width in enumerate(scale.tolist()):
            for k, nu in enumerate(freedom.tolist()):
                g = _t(((mean - location)[:, np.newaxis] + error * own) / width, nu) / width
                f = _t(((location - mean)[:, np.newaxis] + width * among[k]) / error, df) / error
                g_own = _t(among[k], nu) / width
                product = (f_own * g / (f_own + g) + f * g_own / (f + g_own)) @ weights
                with np.errstate(divide="ignore"):  # too far away for a density
                    total[:, j, k] += np.log(product)
    return total


def _t(z: Floats, df: float) -> Floats:
    """Density of Student's t."""
    log_norm = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - 0.5 * np.log(df * np.pi)
    return np.asarray(np.exp(log_norm - (df + 1) / 2 * np.log1p(z * z / df)))


def _log_prior(excess: Floats) -> Floats:
    """Log density of the degrees of freedom less 1: gamma densities, averaged over their shapes and rates."""
    nodes, weights = np.polynomial.legendre.leggauss(16)
    shape, rate = (low + (high - low) * (nodes + 1) / 2 for low, high in (SHAPES, RATES))
    shape, rate = shape[:, np.newaxis], rate[np.newaxis]
    x = excess[..., np.newaxis, np.newaxis]
    density = np.exp(shape * np.log(rate) + (shape - 1) * np.log(x) - rate * x - special.gammaln(shape))
    return np.asarray(np.log(weights @ density @ weights / 4))
