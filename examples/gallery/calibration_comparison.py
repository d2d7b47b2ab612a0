"""Probabilities of two models: differences of Brier score, log score and miscalibration."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(7)
signal = rng.normal(size=500)
risk = 1 / (1 + np.exp(1.5 - 1.4 * signal))
ill = rng.random(500) < risk

result = rs.compare_calibration(ill, {"right": risk, "too low": risk**1.5}, rng=1)
print(result)
plotting.save(plotting.picture(result), "calibration_comparison.png", dpi=80)
