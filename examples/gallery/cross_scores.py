"""Cross-validated scores of an estimator, and the curve of each fold."""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

import rocscope as rs
from rocscope import plotting

X, y = make_classification(300, 6, n_informative=3, flip_y=0.15, random_state=1)
scores = rs.cross_scores(LogisticRegression(), X, y, cv=5, rng=1)
print(scores)
plotting.save(plotting.picture(scores), "cross_scores.png", dpi=80)
