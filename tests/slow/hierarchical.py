"""The hierarchical model by Gibbs sampling: every unknown drawn in turn, in many chains side by side."""

import numpy as np
from scipy import stats

SHAPES, RATES = (0.5, 5.0), (0.05, 0.15)


def sample(x, rho, rng, n_chains=400, n_draws=1500, burn_in=500):
    """Draws of location, scale and degrees of freedom, of shape (draws, chains), for x (datasets, folds)."""
    q, n = x.shape
    means, squares = x.mean(axis=1), np.square(x - x.mean(axis=1, keepdims=True)).sum(axis=1) / (1 - rho)
    inflation = (1 + (n - 1) * rho) / n
    farthest, widest = np.abs(x).max(), 1000 * means.std()
    delta = np.tile(means, (n_chains, 1)) + 0.1 * x.std() * rng.normal(size=(n_chains, q))
    location = delta.mean(axis=1)
    scale = delta.std(axis=1) * np.exp(0.3 * rng.normal(size=n_chains))
    freedom = 1 + rng.gamma(2, 10, n_chains)
    shape, rate = rng.uniform(*SHAPES, n_chains), rng.uniform(*RATES, n_chains)
    mixing = np.ones((n_chains, q))
    kept = []
    for step in range(burn_in + n_draws):
        # variance of each data set: sigma^-n exp(-Q / 2 sigma^2), flat in sigma
        total = squares + np.square(means - delta) / inflation
        variance = total / 2 / rng.gamma((n - 1) / 2, size=(n_chains, q))
        # its difference: normal times normal
        prior = mixing / np.square(scale)[:, None]
        seen = 1 / (variance * inflation)
        delta = (prior * location[:, None] + seen * means) / (prior + seen)
        delta = delta + rng.normal(size=(n_chains, q)) / np.sqrt(prior + seen)
        # Student's t is a normal whose variance is drawn
        gap = np.square((delta - location[:, None]) / scale[:, None])
        mixing = rng.gamma((freedom[:, None] + 1) / 2, size=(n_chains, q)) * 2 / (freedom[:, None] + gap)
        # location and scale within their bounds
        centre = (mixing * delta).sum(axis=1) / mixing.sum(axis=1)
        spread = scale / np.sqrt(mixing.sum(axis=1))
        ends = [stats.norm.cdf((end - centre) / spread) for end in (-farthest, farthest)]
        location = centre + spread * stats.norm.ppf(rng.uniform(*ends))
        rest = (mixing * np.square(delta - location[:, None])).sum(axis=1) / 2
        least = rest / widest**2  # of the precision, times rest
        tail = stats.gamma.sf(least, (q - 1) / 2)
        scale = np.sqrt(rest / stats.gamma.isf(rng.uniform(0, tail), (q - 1) / 2))
        # degrees of freedom and their prior, by Metropolis steps
        for _ in range(2):
            proposal = 1 + (freedom - 1) * np.exp(0.8 * rng.normal(size=n_chains))
            ratio = _freedom_density(proposal, shape, rate, delta, location, scale)
            ratio -= _freedom_density(freedom, shape, rate, delta, location, scale)
            freedom = np.where(np.log(rng.random(n_chains)) < ratio, proposal, freedom)
            other = rng.uniform(*SHAPES, n_chains), rng.uniform(*RATES, n_chains)
            ratio = stats.gamma.logpdf(freedom - 1, other[0], scale=1 / other[1])
            ratio -= stats.gamma.logpdf(freedom - 1, shape, scale=1 / rate)
            moves = np.log(rng.random(n_chains)) < ratio
            shape, rate = np.where(moves, other[0], shape), np.where(moves, other[1], rate)
        # the mixing weights belong to the old degrees of freedom: they are drawn before they are used again
        gap = np.square((delta - location[:, None]) / scale[:, None])
        mixing = rng.gamma((freedom[:, None] + 1) / 2, size=(n_chains, q)) * 2 / (freedom[:, None] + gap)
        if step >= burn_in:
            kept.append((location, scale, freedom))
    return tuple(np.array(column) for column in zip(*kept, strict=True))


def _freedom_density(freedom, shape, rate, delta, location, scale):
    """Log density of the degrees of freedom given the differences, times the step's own measure."""
    z = (delta - location[:, None]) / scale[:, None]
    prior = stats.gamma.logpdf(freedom - 1, shape, scale=1 / rate) + np.log(freedom - 1)
    return stats.t.logpdf(z, freedom[:, None]).sum(axis=1) + prior


def shares(location, scale, freedom, rope):
    """Probabilities of the next data set below, in and above the rope, for every draw: shape (3, ...)."""
    below = stats.t.cdf(-rope, freedom, location, scale)
    above = stats.t.sf(rope, freedom, location, scale)
    return np.stack([below, 1 - below - above, above])
