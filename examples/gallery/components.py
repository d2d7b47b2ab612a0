"""Where the uncertainty of an area comes from: the training set, the test set, or both together."""

import rocscope as rs
from rocscope import draw, views

result = rs.variance_components("qda", n=[20, 40, 100], n_test=100, training_sets=40, test_sets=40, rng=1)
print(result)
# One group of bars per training size.
draw.save(views.picture(result), "components.png", dpi=80)
