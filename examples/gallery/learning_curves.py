"""Which learner for how many cases? Two learning curves on the same training sets."""

from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

import rocscope as rs
from rocscope import plotting

X, y = make_classification(400, 5, n_informative=5, n_redundant=0, class_sep=0.5, random_state=3)
learners = {"LDA": LinearDiscriminantAnalysis(), "QDA": QuadraticDiscriminantAnalysis()}
result = rs.learning_curve(learners, X, y, sizes=[40, 80, 160, 320], n_boot=40, rng=1)
print(result)
plotting.save(plotting.picture(result), "learning_curves.png", dpi=80)
