"""Where the uncertainty of an area comes from: the training set, the test set, or both together."""

import rocscope as rs
from rocscope import plotting

result = rs.variance_components("qda", n=[20, 40, 100], n_test=100, training_sets=40, test_sets=40, rng=1)
print(result)
# One group of bars per training size.
plotting.save(plotting.picture(result), "components.png", dpi=80)
