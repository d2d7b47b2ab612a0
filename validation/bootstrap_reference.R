# The bootstrap distributions of the R package pROC, written to tests/reference/bootstrap.json.
#
#   python validation/make_cases.py FOLDER
#   Rscript validation/bootstrap_reference.R FOLDER tests/reference/bootstrap.json
#
# Draws differ between programs, so only the distribution is compared: percentile ends from many replicates
# of the area, of a partial area, and of the sensitivity at fixed specificities (ci.auc, ci.se).

source("validation/common.R")
arguments <- commandArgs(trailingOnly = TRUE)
REPLICATES <- 20000
CASES <- c("n50", "n200", "ties_five_levels", "three_correlated")
SPECIFICITIES <- c(0.9, 0.7, 0.5)
set.seed(1)

ends <- function(r, ...) {
  found <- ci.auc(r, method = "bootstrap", boot.n = REPLICATES, progress = "none", ...)
  I(as.numeric(found)[c(1, 3)])
}

one_case <- function(name) {
  data <- read.csv(file.path(arguments[1], paste0(name, ".csv")))
  r <- curve(data$y, data$a)
  partial <- curve(data$y, data$a, partial.auc = c(1, 0.8))
  at <- ci.se(r, specificities = SPECIFICITIES, boot.n = REPLICATES, progress = "none")
  rows <- lapply(seq_along(SPECIFICITIES), function(k) I(as.numeric(at[k, c(1, 3)])))
  area <- ends(r)
  list(recipe = name, classifier = "a", area = area,
       partial = list(fpr = I(c(0, 0.2)), ends = ends(partial)),
       band = list(fpr = I(1 - SPECIFICITIES), ends = rows))
}

write_reference(
  arguments[2], "bootstrap_reference.R",
  replicates = REPLICATES,
  cases = lapply(CASES, one_case),
  tolerance = "Monte-Carlo error of a quantile"
)
