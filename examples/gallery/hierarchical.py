"""Two learners over eight data sets, by the hierarchical Bayesian test: what the next data set may bring."""

import numpy as np

from rocscope import plotting
from rocscope.algorithms.hierarchical import hierarchical_test

rng = np.random.default_rng(5)
gain = rng.normal(0.02, 0.015, size=(8, 1))  # of the first learner on each data set
second = rng.normal(0.8, 0.05, size=(8, 10))
first = second + gain + rng.normal(0, 0.02, size=(8, 10))

result = hierarchical_test(first, second, n_train=180, n_test=20, rope=0.005)
print(result)
plotting.save(plotting.picture(result), "hierarchical.png", dpi=80)
