"""A band that holds the whole ROC curve, and the intervals at single false positive rates."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(3)
ill = np.arange(240) % 3 == 0
score = rng.normal(size=240) + 1.3 * ill
curve = rs.roc_curve(ill, score)

for simultaneous in (True, False):
    band = rs.roc_band(ill, score, simultaneous=simultaneous, rng=1)
    print(band)
    name = "band.png" if simultaneous else "band_pointwise.png"
    plotting.save(plotting.picture(band, curve=curve), name, dpi=80)
