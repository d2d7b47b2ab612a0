"""Would more cases help? The area over the number of training cases."""

from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import rocscope as rs
from rocscope import plotting

X, y = make_classification(120, 6, n_informative=4, class_sep=0.5, flip_y=0.1, random_state=3)
result = rs.learning_curve(LinearDiscriminantAnalysis(), X, y, sizes=[20, 40, 60, 80], n_boot=30, rng=1)
print(result)
plotting.save(plotting.picture(result), "learning_curve.png", dpi=80)
