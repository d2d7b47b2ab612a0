"""Areas of subgroups around that of all cases: does the marker work everywhere?"""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(5)
ill = np.arange(400) % 2
site = np.repeat(["North", "South", "East", "West"], [160, 120, 90, 30])
sex = np.where(rng.random(400) < 0.5, "women", "men")
score = rng.normal(size=400) + np.where(site == "South", 0.6, 1.5) * ill

result = rs.auc_by(ill, score, by={"site": site, "sex": sex}, threshold=0.8)
print(result)
plotting.save(plotting.picture(result), "subgroups.png", dpi=80)
