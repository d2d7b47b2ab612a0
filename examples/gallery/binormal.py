"""The binormal model: its curve with intervals, on normal-deviate axes, and its latent densities."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(15)
ill = np.arange(200) % 2 == 0
rating = np.clip(np.round(3 + rng.normal(size=200) * np.where(ill, 1.4, 1.0) + 1.3 * ill), 1, 6)

fit = rs.fit_binormal(ill, rating)
print(fit)
plotting.save(plotting.picture(fit), "binormal.png", dpi=80)
plotting.save(plotting.picture(fit.deviates()), "binormal_deviates.png", dpi=80)
plotting.save(plotting.picture(fit.densities()), "binormal_densities.png", dpi=80)
plotting.save(plotting.picture(rs.fit_binormal(ill, rating, proper=True)), "binormal_proper.png", dpi=80)
