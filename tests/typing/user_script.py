"""An analysis with thirty functions: mypy --strict reads it with src, so that every result has its type."""

from typing import Literal, assert_type

import numpy as np
from matplotlib.axes import Axes
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import rocscope as rs

AreaMethod = Literal["delong", "logit"]

rng = np.random.default_rng(1)
y = np.arange(200) % 2
a, b = rng.normal(size=200) + y, rng.normal(size=200) + 0.6 * y
probability = 1 / (1 + np.exp(0.5 - a))
fold = np.arange(200) // 2 % 5
grade = np.digitize(a, [-0.5, 0.5, 1.5])
outputs = rng.random((200, 3)) + np.eye(3)[np.arange(200) % 3]
X = np.column_stack([a, b])

# How good is it?
method: AreaMethod = "logit"
area: rs.Estimate = rs.auc(y, a, method=method)
part: rs.Estimate = rs.partial_auc(y, a, fpr=(0, 0.2), n_boot=200, rng=1)
curve: rs.RocCurve = rs.roc_curve(y, a)
band: rs.Band = rs.roc_band(y, a, n_boot=200, rng=1)
precision = rs.precision_recall(y, a, n_boot=200, rng=1)
benefit = rs.net_benefit(y, probability)
classes = rs.multiclass_auc(np.arange(200) % 3, outputs)
fit = rs.fit_binormal(y, a)
proper = rs.fit_binormal(y, a, proper=True)
mixed = rs.fit_contaminated(y, a)
model = rs.choose_binormal(y, a)
ordered: rs.OrdinalRoc = rs.ordinal_roc(grade, a + 1)

# Where shall I operate it?
point: rs.OperatingPoint = curve.select("tpr>=0.9")
worth = rs.point_measures(y, a, threshold=point, prevalence=0.1)
cut = rs.cutpoint(y, a, "tpr>=0.9", n_boot=200, rng=1)
average: rs.AveragedRoc = rs.average_roc(y, a, fold=fold)
others: rs.PointComparison = average.compare_to(average.select("tpr>=0.9"))
averaged = rs.average_curves(y, a, fold=fold)
weights = rs.search_weights(np.arange(200) % 3, outputs, n_start=100, keep=10, rng=1)

# Is it better?
comparison: rs.CurveComparison = rs.compare_auc(y, {"a": a, "b": b})
crossed = rs.crossings(curve, rs.roc_curve(y, b))
pair: rs.BinormalPair = rs.fit_binormal_pair(y, a, b)
tests = rs.paired_tests([0.8, 0.7, 0.9, 0.75, 0.8], [0.7, 0.72, 0.8, 0.7, 0.75])
learners: rs.AlgorithmComparison = rs.compare_algorithms(
    {"nb": GaussianNB(), "lr": LogisticRegression()}, {"mine": (X, y)}, folds=5, rng=1
)
plan = rs.sample_size(0.85, 0.8, power=0.9, rating_corr=0.5)
size = rs.power(0.8, n_pos=50, n_neg=50)

# What if I combine or retrain it?
preview: rs.FusionPreview = rs.preview_fusion(y, a, b, n_boot=0)
sums = rs.combine_binormals([pair.first, pair.second], [0.6, 0.4])
best = rs.best_weights([pair.first, pair.second])
scores: rs.CrossScores = rs.cross_scores(LogisticRegression(), X, y, cv=5, rng=1)
retrained: rs.BootstrapAuc = rs.bootstrap_auc(GaussianNB(), X, y, n_boot=50, rng=1)

# How does it look?
drawn = assert_type(curve.plot(name="a", band=True), Axes)
assert_type(fit.plot(drawn, name="b"), Axes)
assert_type(rs.plot_roc({"a": curve, "b": (y, b)}), Axes)
area_axes: Axes = area.plot()
display = assert_type(rs.RocDisplay.from_predictions(y, a, ax=drawn), rs.RocDisplay)

text: list[str] = [str(area), str(worth.sensitivity), str(comparison), f"{float(area):.2f}"]
if area.value is not None and comparison.p_value is not None:
    text.append(f"AUC {area.value:.3f}, P = {comparison.p_value:.3f}")


def wrong_words() -> None:
    """Were a method free text, these errors would be none, and strict refuses to ignore what is none."""
    rs.auc(y, a, method="delog")  # type: ignore[arg-type]
    rs.compare_auc(y, {"a": a, "b": b}, method="anova")  # type: ignore[arg-type]
    rs.roc_band(y, a, at="x")  # type: ignore[arg-type]
    rs.multiclass_auc(y, outputs, scheme="all")  # type: ignore[arg-type]
    rs.auc(y, a, na="omit")  # type: ignore[arg-type]
    curve.select(rule="best")  # type: ignore[arg-type]
