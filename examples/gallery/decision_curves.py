"""Net benefit of two models beside treating all and none, and the interventions that they avoid."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(7)
age, marker = rng.normal(size=(2, 600))
risk = 1 / (1 + np.exp(1.5 - age - 1.2 * marker))
ill = rng.random(600) < risk
models = {"age": 1 / (1 + np.exp(1.2 - 0.8 * age)), "age and marker": risk}

result = rs.net_benefit(ill, models, probabilities=np.linspace(0.02, 0.6, 59))
print(result)
plotting.save(plotting.picture(result), "decision_curves.png", dpi=80)
plotting.save(plotting.picture(result, avoided=True), "interventions_avoided.png", dpi=80)
