"""How good is a classifier trained on 60 cases, when none can be spared for a test set?"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocscope as rs

data = load_breast_cancer()
chosen = np.random.default_rng(7).permutation(len(data.target))
mine, others = chosen[:60], chosen[60:]
features = [4, 8, 9, 14]  # smoothness, symmetry, fractal dimension: weak ones
X, y = data.data[:, features], 1 - data.target  # malignant is positive

model = make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis())
found = rs.bootstrap_auc(model, X[mine], y[mine], n_boot=200, rng=1)
print(found)
print(found.error.point632plus)

# Here the answer is known: the other 509 cases.
print(f"truth: {rs.auc(y[others], model.fit(X[mine], y[mine]).predict_proba(X[others])[:, 1])}")

# A classifier that knows its training cases by heart: .632 is taken in, .632+ much less.
by_heart = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
nearest = rs.bootstrap_auc(by_heart, X[mine], y[mine], n_boot=200, rng=1)
print(nearest.apparent, nearest.star, nearest.point632, nearest.point632plus, sep="\n")

# Would more cases help?
print(rs.learning_curve(model, X[mine], y[mine], sizes=[18, 30, 42], n_boot=50, rng=1))
