"""ROC curves of two markers, their areas with intervals, and a chosen point."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(1)
ill = rng.random(300) < 0.35
markers = {"protein": rng.normal(size=300) + 1.5 * ill, "rating": np.round(rng.normal(size=300) + ill)}

curves = {name: rs.roc_curve(ill, score) for name, score in markers.items()}
areas = {name: rs.auc(ill, score) for name, score in markers.items()}
chosen = curves["protein"].select("tpr>=0.9")
print(curves["protein"], areas["protein"], sep="\n")
plotting.save(plotting.curves(curves, estimates=areas, points={"protein": [chosen]}), "curve.png", dpi=80)
plotting.save(plotting.picture(curves["rating"], hull=True), "curve_hull.png", dpi=80)
