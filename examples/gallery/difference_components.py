"""Two learners on the same training and test sets: where the uncertainty of their difference comes from."""

import rocscope as rs
from rocscope import plotting

sets = {"n_test": 100, "training_sets": 60, "test_sets": 60}
result = rs.difference_components("lda", "qda", n=[20, 40, 100], **sets, rng=1)
print(result)
# A test set that is easy for one is easy for the other, so that hardly any of its chance is left.
plotting.save(plotting.picture(result), "difference_components.png", dpi=60)
