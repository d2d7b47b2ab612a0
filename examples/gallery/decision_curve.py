"""Net benefit of acting on a predicted risk, over the risk at which one would act."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(7)
signal = rng.normal(size=500)
risk = 1 / (1 + np.exp(1.5 - 1.4 * signal))
ill = rng.random(500) < risk

result = rs.net_benefit(ill, risk, probabilities=np.linspace(0.02, 0.6, 59))
print(result)
plotting.save(plotting.picture(result), "decision_curve.png", dpi=80)
