"""A result that has only numbers shows them as a table."""

import rocscope as rs
from rocscope import plotting

plan = rs.sample_size(auc=0.8, null=0.7, power=0.9)
print(plan)
plotting.save(plotting.picture(plan), "table.png", dpi=80)
