"""Weighted sums of two markers, predicted from their binormal curves: the curve, and the best weights."""

import rocscope as rs
from rocscope import plotting

protein, rating = rs.Binormal(a=1.2, b=0.9), rs.Binormal(a=0.8, b=1.0)

curve = rs.combine_curves(protein, rating, [1.0, 0.5])
score = rs.combined_score([protein, rating], [1.0, 0.5])
best = rs.best_weights([protein, rating])
print(curve, score, best, sep="\n")
plotting.save(plotting.picture(curve), "combined.png", dpi=80)
plotting.save(plotting.picture(score, name="latent scores"), "combined_score.png", dpi=80)
plotting.save(plotting.picture(best), "combined_weights.png", dpi=80)
