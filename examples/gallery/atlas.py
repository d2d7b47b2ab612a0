"""How often two kinds of intervals hold the true area: numbers of cases by true area."""

import rocscope as rs
from rocscope import plotting

result = rs.atlas.load().select(family="auc", method=("delong", "score"))
print(result)
for method in result.values("method"):
    rates = [cell.rate for cell in result.select(method=method).cells]
    print(f"{method}: {100 * min(rates):.1f} to {100 * max(rates):.1f} %")
plotting.save(plotting.picture(result), "atlas.png", dpi=80)
