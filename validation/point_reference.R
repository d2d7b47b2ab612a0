# Reference values for operating points and intervals of proportions, written to tests/reference/points.json.
#
#   python validation/make_cases.py FOLDER
#   Rscript validation/point_reference.R FOLDER tests/reference/points.json
#
# Proportions: binom.test (Clopper and Pearson) and prop.test without correction (Wilson).
# Points: counts and measures by pROC's coords, predictive values at a prevalence by caret, logarithms of the
# likelihood ratios and their variances by metafor's escalc (log risk ratio), with 1/2 added to each cell
# where a cell the ratio needs is 0 or every case is called the same. Undefined values are null.

source("validation/common.R")
suppressPackageStartupMessages({
  library(caret)
  library(metafor)
})

PREVALENCE <- 0.03
RECIPES <- c("below_half", "constant_scores", "n200", "n50", "n6", "negative_integers", "one_positive",
             "perfect_separation", "rare_negatives", "rare_positives", "ties_five_levels", "ties_three_levels")
# Our names of the alternatives -> those of R.
ALTERNATIVES <- c("two-sided" = "two.sided", "less" = "less", "greater" = "greater")
PAIRS <- list(c(0, 1), c(1, 1), c(0, 10), c(1, 10), c(5, 10), c(10, 10), c(3, 29), c(81, 263), c(15, 148),
              c(0, 20), c(1, 1000), c(999, 1000), c(500000, 1000000), c(2, 1000000))

# ---- Proportions -----------------------------------------------------------------------------------------

proportion <- function(pair, level, alternative) {
  settings <- list(pair[1], pair[2], alternative = ALTERNATIVES[[alternative]], conf.level = level)
  wilson <- suppressWarnings(do.call(prop.test, c(settings, correct = FALSE)))$conf.int
  exact <- do.call(binom.test, settings)$conf.int
  list(count = pair[1], n = pair[2], level = level, alternative = alternative,
       wilson = I(as.numeric(wilson)), exact = I(as.numeric(exact)))
}

proportions <- function() {
  grid <- expand.grid(pair = seq_along(PAIRS), level = c(0.95, 0.8, 0.999), alternative = names(ALTERNATIVES),
                      stringsAsFactors = FALSE)
  lapply(seq_len(nrow(grid)), function(i) {
    proportion(PAIRS[[grid$pair[i]]], grid$level[i], grid$alternative[i])
  })
}

# ---- Points ----------------------------------------------------------------------------------------------

# Share of one class called so over that of the other: a of m over b of n.
log_ratio <- function(a, m, b, n) {
  if (a == 0 && b == 0) return(list(log = NA_real_, variance = NA_real_, added = NA_real_))
  fails <- a == 0 || b == 0 || (a == m && b == n)
  found <- escalc(measure = "RR", ai = a, bi = m - a, ci = b, di = n - b,
                  add = if (fails) 0.5 else 0, to = if (fails) "all" else "none")
  list(log = as.numeric(found$yi), variance = as.numeric(found$vi), added = if (fails) 0.5 else 0)
}

predictive <- function(cells) {
  called <- as.table(matrix(c(cells$tp, cells$fn, cells$fp, cells$tn), 2,
                            dimnames = list(c("1", "0"), c("1", "0"))))
  list(ppv = posPredValue(called, positive = "1", prevalence = PREVALENCE),
       npv = negPredValue(called, negative = "0", prevalence = PREVALENCE))
}

point <- function(r, threshold) {
  required <- c("tn", "tp", "fn", "fp", "specificity", "sensitivity", "accuracy", "npv", "ppv", "youden")
  cells <- coords(r, threshold, input = "threshold", ret = required, transpose = FALSE)
  counts <- c("tn", "tp", "fn", "fp") # pROC multiplies rates by class sizes, and so rounds its counts
  stopifnot(max(abs(cells[counts] - round(cells[counts]))) < 1e-9)
  cells[counts] <- round(cells[counts])
  c(list(threshold = if (is.finite(threshold)) threshold else as.character(threshold)), as.list(cells), list(
    at_prevalence = predictive(cells),
    lr_pos = log_ratio(cells$tp, cells$tp + cells$fn, cells$fp, cells$fp + cells$tn),
    lr_neg = log_ratio(cells$fn, cells$tp + cells$fn, cells$tn, cells$fp + cells$tn)
  ))
}

case <- function(folder, name) {
  data <- read.csv(file.path(folder, paste0(name, ".csv")))
  r <- curve(data$y, data$a)
  cuts <- sort(unique(c(r$thresholds[unique(round(seq(1, length(r$thresholds), length.out = 8)))], median(data$a))))
  list(name = name, recipe = name, checksum = checksums(as.list(data[-1])),
       points = lapply(cuts, function(cut) point(r, cut)))
}

arguments <- commandArgs(trailingOnly = TRUE)
write_reference(
  arguments[2], "point_reference.R",
  prevalence = PREVALENCE,
  proportions = proportions(),
  cases = lapply(RECIPES, function(name) case(arguments[1], name)),
  packages = c("pROC", "caret", "metafor")
)
