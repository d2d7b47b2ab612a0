"""Several results on one pair of axes: each takes the next colour, what they share is drawn once."""

import numpy as np
from matplotlib import pyplot as plt

import rocscope as rs

rng = np.random.default_rng(4)
ill = np.arange(240) % 3 == 0
signal = rng.normal(size=240) + 1.2 * ill
figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
for noise in (0.3, 0.9, 2.0):
    marker = signal + noise * rng.normal(size=240)
    curve = rs.roc_curve(ill, marker)
    curve.plot(ax=axes[0], style="rocscope")
    rs.net_benefit(ill, 1 / (1 + np.exp(1.2 - 1.5 * marker))).plot(ax=axes[1], style="rocscope")
    print(curve)
figure.savefig("one_axes.png", dpi=60)
plt.close(figure)
