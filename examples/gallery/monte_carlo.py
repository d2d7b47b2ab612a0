"""How good are the bootstrap estimators of the area? Thousands of training sets of known truth."""

import rocscope as rs
from rocscope import plotting

result = rs.monte_carlo("lda", n=[20, 40, 80], trials=60, n_boot=30, rng=1)
print(result)
plotting.save(plotting.picture(result), "monte_carlo.png", dpi=80)
# The true and the apparent area alone.
plotting.save(plotting.picture(result, show="training"), "monte_carlo_training.png", dpi=80)
