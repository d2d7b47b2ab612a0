"""Are the probabilities right? The reliability curve with the band of calibrated probabilities."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(7)
signal = rng.normal(size=500)
risk = 1 / (1 + np.exp(1.5 - 1.4 * signal))
ill = rng.random(500) < risk

result = rs.calibration(ill, risk**1.5, rng=1)  # too low
print(result)
plotting.save(plotting.picture(result), "calibration.png", dpi=80)
