"""Choose where to operate a classifier, see what that is worth, and save the choice."""

from pathlib import Path

import numpy as np

import rocscope as rs

rng = np.random.default_rng(1)
y = rng.random(400) < 0.3
score = np.round(rng.normal(size=400) + 1.5 * y, 1)

curve = rs.roc_curve(y, score)
print(curve)
print(rs.auc(y, score, method="logit"))

# Nine in ten of the positives must be found; among such points the fewest false alarms.
index = curve.select("tpr>=0.9")
print(f"score >= {curve.thresholds[index]:g}: TPR {curve.tpr[index]:.3f}, FPR {curve.fpr[index]:.3f}")

# What the point is worth where only 2 % are positive, each rate with its interval.
worth = rs.point_measures(y, score, threshold=curve.thresholds[index], prevalence=0.02)
print(worth.sensitivity, worth.ppv, sep="\n")

# The threshold was chosen on these cases: how far would it move, and how much does that flatter it?
chosen = rs.cutpoint(y, score, "tpr>=0.9", rng=1)
print(f"threshold {chosen.threshold:g} ({chosen.low:g} to {chosen.high:g})")
print(f"optimism of its TPR {chosen.tpr.optimism:+.4f}")

path = Path("point.json")
path.write_text(curve.point(index).to_json(), encoding="utf-8")
print(rs.Threshold.from_json(path.read_text(encoding="utf-8")).decide([0.2, 2.2]))
