"""The display of scikit-learn: an estimator with its band, folds of a cross-validation with their mean."""

from matplotlib import pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import rocscope as rs

X, y = make_classification(400, 6, n_informative=3, flip_y=0.2, random_state=1)
model = LogisticRegression().fit(X[:200], y[:200])
done = cross_validate(LogisticRegression(), X, y, cv=8, return_estimator=True, return_indices=True)

figure, axes = plt.subplots(1, 2, figsize=(10.5, 5), layout="constrained")
look = {"style": "rocscope"}
display = rs.RocDisplay.from_estimator(
    model, X[200:], y[200:], band=True, points="youden", ax=axes[0], **look
)
rs.RocDisplay.from_cv_results(done, X, y, name="logistic", ax=axes[1], **look)
print(display.roc_auc)
figure.savefig("display.png", dpi=60)
plt.close(figure)
