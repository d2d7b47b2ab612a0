# Reference values of the R package pROC for tests between curves, written to tests/reference/curve_tests.json.
#
#   python validation/make_cases.py FOLDER
#   ROCSCOPE_DATA=... Rscript validation/curve_tests_reference.R FOLDER tests/reference/curve_tests.json
#
# What pROC computes without chance (compared values, Venkatraman's E) must agree to the tolerance; Z and p come
# from `resamples` bootstrap replicates or permutations and agree within their Monte-Carlo error. pROC breaks
# ties by row order before Venkatraman's test (ties.method = "first"): E belongs to the ranks so broken.
# pROC names a test by what is fixed: its "specificity" compares sensitivities, which we call "sensitivity".

source("validation/common.R")

RESAMPLES <- 4000
PARTS <- list(
  list(name = "fpr 0-0.1", fpr = c(0, 0.1), arguments = list(partial.auc = c(1, 0.9))),
  list(name = "tpr 0.8-1", tpr = c(0.8, 1),
       arguments = list(partial.auc = c(1, 0.8), partial.auc.focus = "sensitivity"))
)
FIXED_FPR <- c(0.1, 0.25)
FIXED_TPR <- c(0.8)

# A seed for each test, so that one can be added without changing the others.
test <- function(seed, r1, r2, ...) {
  set.seed(seed)
  suppressWarnings(roc.test(r1, r2, boot.n = RESAMPLES, progress = "none", ...))
}

bootstrap_values <- function(seed, r1, r2, paired) {
  found <- test(seed, r1, r2, method = "bootstrap", paired = paired)
  list(values = I(as.numeric(found$estimate)), statistic = as.numeric(found$statistic), p = found$p.value)
}

partial_values <- function(y1, s1, y2, s2, paired) {
  lapply(PARTS, function(part) {
    curves <- list(do.call(curve, c(list(y1, s1), part$arguments)), do.call(curve, c(list(y2, s2), part$arguments)))
    range <- if (is.null(part$fpr)) list(tpr = I(part$tpr)) else list(fpr = I(part$fpr))
    c(range, bootstrap_values(2, curves[[1]], curves[[2]], paired))
  })
}

at_point <- function(r1, r2, paired, fixed, at) {
  required <- if (fixed == "specificity") "sensitivity" else "specificity"
  value <- function(r) as.numeric(coords(r, at, input = fixed, ret = required, transpose = FALSE)[1, 1])
  arguments <- setNames(list(at), fixed)
  found <- do.call(test, c(list(3, r1, r2, method = fixed, paired = paired), arguments))
  list(values = I(c(value(r1), value(r2))), statistic = as.numeric(found$statistic), p = found$p.value)
}

venkatraman_values <- function(r1, r2, paired) {
  found <- test(4, r1, r2, method = "venkatraman", paired = paired)
  list(statistic = as.numeric(found$statistic), p = found$p.value)
}

all_tests <- function(y1, s1, y2, s2, paired) {
  r1 <- curve(y1, s1)
  r2 <- curve(y2, s2)
  list(
    bootstrap = bootstrap_values(1, r1, r2, paired),
    partial = partial_values(y1, s1, y2, s2, paired),
    sensitivity = lapply(FIXED_FPR, function(fpr) c(list(at = fpr), at_point(r1, r2, paired, "specificity", 1 - fpr))),
    specificity = lapply(FIXED_TPR, function(tpr) c(list(at = tpr), at_point(r1, r2, paired, "sensitivity", tpr))),
    venkatraman = venkatraman_values(r1, r2, paired)
  )
}

# ---- Cases -----------------------------------------------------------------------------------------------

case_values <- function(head, y, scores, pairs) {
  c(head, list(pairs = lapply(pairs, function(pair) {
    s1 <- scores[[pair[1]]]
    s2 <- scores[[pair[2]]]
    message(head$name, " ", paste(pair, collapse = " - "))
    list(first = pair[1], second = pair[2], paired = all_tests(y, s1, y, s2, TRUE),
         unpaired = all_tests(y, s1, y, s2, FALSE))
  })))
}

read_recipe <- function(name) read.csv(file.path(arguments[1], paste0(name, ".csv")))

simulated_case <- function(name) {
  data <- read_recipe(name)
  scores <- as.list(data[-1])
  head <- list(name = name, recipe = name, checksum = checksums(scores))
  case_values(head, data$y, scores, list(c("a", "b")))
}

asah_case <- function() {
  columns <- c("s100b", "ndka", "wfns")
  data <- asah("asah", columns)
  case_values(data$head, data$y, data$scores, utils::combn(columns, 2, simplify = FALSE))
}

# Samples of different size: pROC takes as the share of positives their number over twice the first size.
unequal_case <- function(first, second) {
  one <- read_recipe(first)
  two <- read_recipe(second)
  found <- venkatraman_values(curve(one$y, one$a), curve(two$y, two$a), FALSE)
  list(first = first, second = second, score = "a", statistic = found$statistic,
       share = (sum(one$y) + sum(two$y)) / (2 * length(one$y)))
}

arguments <- commandArgs(trailingOnly = TRUE)
simulated <- lapply(c("n20", "n50", "n200", "ties_five_levels", "below_half"), simulated_case)
write_reference(
  arguments[2], "curve_tests_reference.R",
  resamples = RESAMPLES,
  cases = c(simulated, list(asah_case())),
  unequal = list(unequal_case("n20", "n50"), unequal_case("n200", "n50"))
)
