"""Compare three markers measured on the same patients, and draw them."""

import numpy as np

import rocscope as rs
from rocscope import plotting

rng = np.random.default_rng(2)
ill = np.repeat(["well", "ill"], [150, 90])
signal = rng.normal(size=240) + 1.2 * (ill == "ill")
markers = {
    "protein": signal + 0.3 * rng.normal(size=240),
    "protein, old assay": signal + 0.9 * rng.normal(size=240),
    "rating": np.clip(np.round(signal + 3 + 0.8 * rng.normal(size=240)), 1, 6),
}

result = rs.compare_auc(ill, markers, pos_label="ill")
print(result)

# Is the old assay at most 0.05 worse? Non-inferiority: the difference lies above -0.05.
assays = {name: markers[name] for name in ("protein, old assay", "protein")}
pair = rs.compare_auc(ill, assays, pos_label="ill", margin=0.05, alternative="greater").pairs[0]
print(pair, "not inferior" if pair.equivalent else "inferiority not excluded", sep="\n")

curves = {name: rs.roc_curve(ill, score, pos_label="ill") for name, score in markers.items()}
areas = {name: rs.auc(ill, score, pos_label="ill") for name, score in markers.items()}
plotting.save(plotting.curves(curves, estimates=areas), "markers.png")
