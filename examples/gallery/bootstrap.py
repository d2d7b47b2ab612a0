"""The area of a classifier trained on all the cases there are: bootstrap estimates and cross-validation."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import rocscope as rs
from rocscope import plotting

X, y = make_classification(60, 5, n_informative=3, class_sep=0.6, flip_y=0.1, random_state=2)
result = rs.bootstrap_auc(LinearDiscriminantAnalysis(), X, np.asarray(y), n_boot=100, rng=1)
print(result)
plotting.save(plotting.picture(result), "bootstrap.png", dpi=80)
