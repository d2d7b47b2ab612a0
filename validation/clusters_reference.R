# Areas of clustered cases by another program, written to tests/reference/clusters.json.
#
#   Rscript validation/clusters_reference.R doAUCcluster.R tests/reference/clusters.json
#
# doAUCcluster.R is R/doAUCcluster.R of https://github.com/DIDSR/mitoticFigureCounts (commit 5675b0be), an
# adaptation of the function for Obuchowski's method by the Cleveland Clinic. The cases are made here by
# integer arithmetic: clusters of unequal size that have cases of both classes, of one, or a single case, and
# scores with ties.

source("validation/common.R")

arguments <- commandArgs(trailingOnly = TRUE)
source(arguments[1])
i <- 0:119
cluster <- (i * i) %% 37
y <- as.integer((i * 7 + cluster) %% 5 < 2)
a <- (i * 13) %% 17 + 4 * y + cluster %% 6
b <- (i * 29) %% 19 + 3 * y + cluster %% 6
one <- doAUCcluster(a, response = y, clusterID = cluster)
two <- doAUCcluster(a, b, response = y, clusterID = cluster)
write_reference(
  arguments[2], "clusters_reference.R",
  packages = "stats", tolerance = 1e-12,
  origin = "doAUCcluster of the R package mitoticFigureCounts, commit 5675b0be",
  y = I(y), a = I(a), b = I(b), cluster = I(cluster),
  one = lapply(one[vapply(one, is.numeric, TRUE)], as.numeric),
  two = lapply(two[vapply(two, is.numeric, TRUE)], as.numeric)
)
