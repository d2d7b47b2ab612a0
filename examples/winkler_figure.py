"""Figure 1 of Winkler, Affenzeller and Wagner (GECCO 2006): sets of ROC curves of six ordered classes."""

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import rocscope as rs
from rocscope import plotting

# A synthetic set as in the paper: 2,000 samples in 6 classes, and a regression whose rounding is the class.
rng = np.random.default_rng(1)
X = rng.normal(size=(2000, 4))
signal = X[:, 0] + 0.7 * X[:, 1] ** 2 - 0.5 * X[:, 2] * X[:, 3] + 0.35 * rng.normal(size=2000)
y = 1 + np.searchsorted(np.quantile(signal, np.arange(1, 6) / 6), signal)
model = make_pipeline(PolynomialFeatures(2), LinearRegression())
found = rs.ordinal_scores(model, X, y, rng=1)

# 10 curves per inner class. Which threshold is fixed changes the lines, not the points.
lower, upper = (rs.ordinal_roc(found, fixed=fixed, n_boot=500, rng=1) for fixed in ("lower", "upper"))
print(lower, end="\n\n")
print("class   MaxAUC t_a fixed  t_b fixed   AvgAUC t_a fixed  t_b fixed")
for k, label in enumerate(lower.labels):
    areas = (lower.max_auc[k], upper.max_auc[k], lower.avg_auc[k], upper.avg_auc[k])
    print("{:5} {:18.4f} {:10.4f} {:18.4f} {:10.4f}".format(label, *areas))

for show in ("curves", "points", "youden"):
    plotting.save(plotting.picture(lower, show=show), f"winkler_{show}.png", dpi=80)
