"""One interactive page of a cross-validated classifier: curve, areas, folds, and a point to be moved."""

from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import rocscope as rs
from rocscope.reporting import report

data = load_breast_cancer()
X, y = data.data[:, [4, 8, 9, 14]], 1 - data.target  # malignant is positive; four weak features
scores = rs.cross_scores(LinearDiscriminantAnalysis(), X, y, rng=1)
score = scores.y_score

results = [
    rs.roc_curve(y, score),
    rs.auc(y, score),
    rs.roc_band(y, score, rng=1),
    rs.average_roc(scores),
    rs.fit_binormal(y, score),
]
Path("report.html").unlink(missing_ok=True)
page = report({"discriminant": results}, path="report.html", title="Breast cancer by four weak features")
print(f"{page}: {page.stat().st_size / 1e6:.1f} MB; open it in a browser, even without a network")
