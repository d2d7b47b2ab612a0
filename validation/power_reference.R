# Reference values of pROC's power.roc.test, written to tests/reference/power.json.
#
#   Rscript validation/power_reference.R tests/reference/power.json
#
# Each case holds the arguments in rocscope's names and what pROC answers. Two areas are given to pROC as
# binormal curves with b = 1 and a = sqrt(2) qnorm(area). pROC's null variance, 2 V1 - 2 C, depends on
# which curve comes first, so its size is written for both orders; where the quantile of the level is 0
# (one-sided, level 0.5) or the variances are equal (areas that mirror each other) the orders agree.

source("validation/common.R")

sides <- function(arguments) if (arguments$alternative == "two-sided") "two.sided" else "one.sided"
alpha <- function(arguments) 1 - arguments$level

# ---- One area ---------------------------------------------------------------------------------------------

one_size <- function(auc, power, ratio = 1, level = 0.95, alternative = "two-sided") {
  arguments <- list(auc = auc, power = power, ratio = ratio, level = level, alternative = alternative)
  found <- power.roc.test(auc = auc, power = power, kappa = ratio, sig.level = alpha(arguments),
                          alternative = sides(arguments))
  list(kind = "one_size", arguments = arguments, n_pos = found$ncases, n_neg = found$ncontrols)
}

one_power <- function(auc, n_pos, n_neg, level = 0.95, alternative = "two-sided") {
  arguments <- list(auc = auc, n_pos = n_pos, n_neg = n_neg, level = level, alternative = alternative)
  found <- power.roc.test(auc = auc, ncases = n_pos, ncontrols = n_neg, sig.level = alpha(arguments),
                          alternative = sides(arguments))
  list(kind = "one_power", arguments = arguments, power = found$power)
}

# ---- Two areas --------------------------------------------------------------------------------------------

curves <- function(auc, auc2, rating_corr) {
  list(A1 = sqrt(2) * qnorm(auc), B1 = 1, A2 = sqrt(2) * qnorm(auc2), B2 = 1,
       rn = rating_corr[1], ra = rating_corr[2], delta = auc - auc2)
}

two_size <- function(auc, auc2, rating_corr, power, ratio = 1, level = 0.95, alternative = "two-sided") {
  arguments <- list(auc = auc, auc2 = auc2, rating_corr = I(rating_corr), power = power, ratio = ratio,
                    level = level, alternative = alternative)
  settings <- function(pair) {
    power.roc.test(pair, power = power, kappa = ratio, sig.level = alpha(arguments),
                   alternative = sides(arguments))$ncases
  }
  list(kind = "two_size", arguments = arguments, n_pos = settings(curves(auc, auc2, rating_corr)),
       n_pos_swapped = settings(curves(auc2, auc, rating_corr)))
}

two_power <- function(auc, auc2, rating_corr, n_pos, n_neg, level, alternative) {
  arguments <- list(auc = auc, auc2 = auc2, rating_corr = I(rating_corr), n_pos = n_pos, n_neg = n_neg,
                    level = level, alternative = alternative)
  settings <- function(pair) {
    power.roc.test(pair, ncases = n_pos, ncontrols = n_neg, sig.level = alpha(arguments),
                   alternative = sides(arguments))$power
  }
  list(kind = "two_power", arguments = arguments, power = settings(curves(auc, auc2, rating_corr)),
       power_swapped = settings(curves(auc2, auc, rating_corr)))
}

cases <- list(
  one_size(0.75, 0.9),
  one_size(0.6, 0.8),
  one_size(0.9, 0.95),
  one_size(0.97, 0.8),
  one_size(0.3, 0.8),
  one_size(0.75, 0.9, ratio = 2),
  one_size(0.65, 0.8, ratio = 0.25),
  one_size(0.8, 0.9, ratio = 7.5, level = 0.99),
  one_size(0.7, 0.9, alternative = "greater"),
  one_size(0.4, 0.9, level = 0.9, alternative = "less"),
  one_power(0.73, 41, 72),
  one_power(0.55, 50, 50),
  one_power(0.6, 200, 20),
  one_power(0.85, 8, 12, level = 0.99),
  one_power(0.35, 30, 60),
  one_power(0.62, 33, 90, level = 0.9, alternative = "greater"),
  # Quantile 0, so only V counts: agreement for every pair of areas.
  two_size(0.85, 0.8, c(0.5, 0.5), 0.9, level = 0.5, alternative = "greater"),
  two_size(0.85, 0.8, c(0.9, 0.6), 0.8, ratio = 3, level = 0.5, alternative = "greater"),
  two_size(0.9, 0.6, c(-0.2, 0.3), 0.8, ratio = 0.5, level = 0.5, alternative = "greater"),
  two_power(0.85, 0.8, c(0.7, 0.4), 60, 90, level = 0.5, alternative = "greater"),
  # Equal variances: agreement at every level.
  two_size(0.6, 0.4, c(0.3, 0.3), 0.9),
  two_size(0.7, 0.3, c(0.6, 0.1), 0.8, ratio = 2, level = 0.99),
  two_power(0.55, 0.45, c(0.5, 0.8), 150, 300, level = 0.95, alternative = "two-sided"),
  # The orders differ, and ours lies between them.
  two_size(0.85, 0.8, c(0.5, 0.5), 0.9),
  two_size(0.95, 0.7, c(0.4, 0.6), 0.8, ratio = 2),
  two_size(0.75, 0.7, c(0.8, 0.8), 0.8, alternative = "greater"),
  two_power(0.85, 0.75, c(0.6, 0.6), 100, 100, level = 0.95, alternative = "two-sided")
)

write_reference(commandArgs(trailingOnly = TRUE)[1], "power_reference.R", cases = cases)
