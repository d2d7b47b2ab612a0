"""A ROC curve smoothed by kernels, over the steps of the empirical one."""

import numpy as np

import rocscope as rs

rng = np.random.default_rng(3)
ill = np.repeat([1, 0], [25, 40])
marker = np.exp(0.6 * rng.normal(size=65) + 0.8 * ill)

smoothed = rs.smooth_roc(ill, np.log(marker))
print(smoothed)
ax = rs.roc_curve(ill, marker).plot(name="Empirical", style="rocscope")
smoothed.plot(ax, name="Log marker", style="rocscope")
ax.figure.savefig("smooth.png", dpi=80)
