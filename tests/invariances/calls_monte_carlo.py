"""How the Monte-Carlo functions are called: their population is drawn, so the sample gives only its size."""

import numpy as np

import rocscope as rs
from invariances.sample import Figures, Sample


def study(sample: Sample) -> Figures:
    """A study of training sets with 4 cases per class, or as many as the sample has labels."""
    sizes = sorted({4, 2 + len(set(np.asarray(sample.y).tolist()))})
    found = rs.monte_carlo("lda", n=sizes, trials=4, n_boot=3, n_test=20, leave_pair_out=True, rng=1)
    return {"values": found.values, "mean": found.figures("star", "mean"), "sizes": found.n}


def crossed(sample: Sample) -> Figures:
    sizes = [2 + len(set(np.asarray(sample.y).tolist()))]
    found = rs.variance_components("lda", n=sizes, training_sets=4, test_sets=3, n_test=20, rng=1)
    return {"values": found.values, "variances": np.array([row.variance for row in found.rows])}


def difference(sample: Sample) -> Figures:
    sizes = [2 + len(set(np.asarray(sample.y).tolist()))]
    found = rs.difference_components("lda", "qda", n=sizes, training_sets=4, test_sets=3, n_test=20, rng=1)
    return {"values": found.difference.values, "mean": np.array(found.mean), "sd": found.sd}
