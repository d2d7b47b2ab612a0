"""Which of the binormal models describes these ratings best?"""

import rocscope as rs
from rocscope import plotting

# 109 CT images in five categories: Hanley and McNeil, Radiology 143, 1982.
ratings = [1, 2, 3, 4, 5]
table = rs.ScoreTable.from_counts(ratings, neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])

result = rs.choose_binormal(table)
print(result)
plotting.save(plotting.picture(result), "model_choice.png", dpi=80)
