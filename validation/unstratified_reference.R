# Bootstrap distributions of pROC where all cases are drawn together (boot.stratified = FALSE), written to
# tests/reference/unstratified.json.
#
#   python validation/make_cases.py FOLDER
#   Rscript validation/unstratified_reference.R FOLDER tests/reference/unstratified.json
#
# As in bootstrap_reference.R only the distribution is compared: percentile ends of the area and of a partial area,
# and the standard error of the difference of two areas. pROC leaves out replicates that lack a class.

source("validation/common.R")
arguments <- commandArgs(trailingOnly = TRUE)
REPLICATES <- 10000
set.seed(1)

ends <- function(r) {
  found <- suppressWarnings(ci.auc(r, method = "bootstrap", boot.n = REPLICATES, boot.stratified = FALSE,
                                   progress = "none"))
  I(as.numeric(found)[c(1, 3)])
}

one_case <- function(name) {
  data <- read.csv(file.path(arguments[1], paste0(name, ".csv")))
  r <- curve(data$y, data$a)
  two <- suppressWarnings(roc.test(r, curve(data$y, data$b), method = "bootstrap", boot.n = REPLICATES,
                                   boot.stratified = FALSE, progress = "none"))
  list(recipe = name, area = ends(r),
       partial = list(fpr = I(c(0, 0.2)), ends = ends(curve(data$y, data$a, partial.auc = c(1, 0.8)))),
       difference_se = as.numeric(two$estimate[1] - two$estimate[2]) / as.numeric(two$statistic))
}

write_reference(
  arguments[2], "unstratified_reference.R",
  replicates = REPLICATES,
  cases = lapply(c("n20", "n50", "ties_five_levels"), one_case),
  tolerance = "Monte-Carlo error of a quantile"
)
