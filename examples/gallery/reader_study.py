"""Five readers, two modalities, 90 patients: whose area grows, and does the mean?"""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(3)
ill = np.arange(90) % 3 == 0
patient = rng.normal(size=90)  # how hard a patient is, whoever reads
rows = []
for reader in ("Abel", "Boole", "Cantor", "Dirac", "Euler"):
    skill = 0.3 * rng.normal()
    for modality, signal in (("film", 1.4), ("digital", 2.0)):
        seen = (signal + skill) * ill + 0.7 * patient + rng.normal(size=90)
        rows += [(reader, modality, k, ill[k], round(seen[k])) for k in range(90)]
reader, modality, case, state, rating = zip(*rows, strict=True)

result = rs.reader_study(state, rating, reader=reader, modality=modality, case=case)
print(result)
print(result.power(n_readers=8, n_pos=60, n_neg=120, difference=0.05))
plotting.save(plotting.picture(result), "reader_study.png", dpi=80)
