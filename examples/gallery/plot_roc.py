"""Several ROC curves in one call, with a band and operating points; and on normal-deviate axes (DET)."""

import numpy as np
from matplotlib import pyplot as plt

import rocscope as rs

rng = np.random.default_rng(4)
ill = np.arange(300) % 3 == 0
signal = rng.normal(size=300) + 1.6 * ill
markers = {"troponin": signal, "with noise": signal + rng.normal(size=300)}
curves = {name: rs.roc_curve(ill, marker) for name, marker in markers.items()}

ax = rs.plot_roc(curves, band={"troponin": True}, points="tpr>=0.9", style="rocscope")
ax.figure.savefig("plot_roc.png", dpi=75)
print([text.get_text() for text in ax.get_legend().get_texts()])
ax = rs.plot_roc(curves, axes="det", points="youden", style="rocscope")
ax.figure.savefig("plot_roc_det.png", dpi=75)
with plt.style.context("dark_background"):
    figure, ax = plt.subplots(figsize=(5, 5), layout="constrained")
    ax.set_title("Your style, your title")
    for name, curve in curves.items():
        curve.plot(ax, name=name, linewidth=3)
    figure.savefig("plot_roc_style.png", dpi=75)
plt.close("all")
