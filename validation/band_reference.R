# Reference values for bands at fixed rates, written to tests/reference/bands.json.
#
#   python validation/make_cases.py FOLDER
#   Rscript validation/band_reference.R FOLDER tests/reference/bands.json
#
# pROC's ci.se (sensitivity at fixed specificities) and ci.sp (specificity at fixed sensitivities), each from
# 20,000 stratified bootstrap samples, written as ours: TPR at FPR, and FPR at TPR.
# The tolerance is four standard errors of the difference of two such quantiles where replicates lie densely;
# where they are whole cases, a quantile may also fall on the next: "step" is the share of one case.

source("validation/common.R")

RECIPES <- c("n200", "n50", "ties_five_levels")
RATES <- c(0.2, 0.5, 0.8, 0.9)
BOOTSTRAPS <- 20000

case <- function(folder, name) {
  data <- read.csv(file.path(folder, paste0(name, ".csv")))
  r <- curve(data$y, data$a)
  set.seed(1)
  se <- ci.se(r, specificities = 1 - RATES, boot.n = BOOTSTRAPS, progress = "none")
  sp <- ci.sp(r, sensitivities = RATES, boot.n = BOOTSTRAPS, progress = "none")
  list(name = name, recipe = name, checksum = checksums(as.list(data[-1])),
       fpr = list(x = I(RATES), low = I(se[, 1]), high = I(se[, 3]), step = 1 / length(r$cases)),
       tpr = list(x = I(RATES), low = I(1 - sp[, 3]), high = I(1 - sp[, 1]), step = 1 / length(r$controls)))
}

arguments <- commandArgs(trailingOnly = TRUE)
write_reference(
  arguments[2], "band_reference.R",
  cases = lapply(RECIPES, function(name) case(arguments[1], name)),
  tolerance = 0.008
)
