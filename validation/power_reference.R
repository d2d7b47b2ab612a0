# Reference values of pROC's power.roc.test, written to tests/reference/power.json.
#
#   python validation/make_cases.py FOLDER
#   ROCSCOPE_DATA=... Rscript validation/power_reference.R tests/reference/power.json FOLDER
#
# Each case holds the arguments in rocscope's names and what pROC answers. Two areas are given to pROC as
# binormal curves with b = 1 and a = sqrt(2) qnorm(area). pROC's null variance, 2 V1 - 2 C, depends on
# which curve comes first, so its size is written for both orders; where the quantile of the level is 0
# (one-sided, level 0.5) or the variances are equal (areas that mirror each other) the orders agree.
#
# pROC solves for the area by uniroot with its default tolerance of 1e-4; its own function is solved here closely.
# It plans from pilot studies (roc objects) with the covariance of DeLong, and the same null variance.

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

one_area <- function(n_pos, n_neg, power, level = 0.95, alternative = "two-sided") {
  arguments <- list(n_pos = n_pos, n_neg = n_neg, power = power, level = level, alternative = alternative)
  tail <- alpha(arguments) / (if (alternative == "two-sided") 2 else 1)
  root <- uniroot(pROC:::power.roc.test.optimize.auc.function, c(0.5, 1 - 1e-16), ncontrols = n_neg, ncases = n_pos,
                  zalpha = qnorm(1 - tail), zbeta = qnorm(power), tol = 1e-15)$root
  theirs <- power.roc.test(ncases = n_pos, ncontrols = n_neg, power = power, sig.level = alpha(arguments),
                           alternative = sides(arguments))$auc
  stopifnot(abs(root - theirs) < 1e-4)
  list(kind = "one_area", arguments = arguments, auc = root)
}

one_level <- function(auc, n_pos, n_neg, power, alternative = "two-sided") {
  arguments <- list(auc = auc, n_pos = n_pos, n_neg = n_neg, power = power, alternative = alternative)
  found <- power.roc.test(auc = auc, ncases = n_pos, ncontrols = n_neg, power = power, sig.level = NULL,
                          alternative = sides(arguments))
  list(kind = "one_level", arguments = arguments, level = 1 - found$sig.level)
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

two_level <- function(auc, auc2, rating_corr, n_pos, n_neg, power) {
  arguments <- list(auc = auc, auc2 = auc2, rating_corr = I(rating_corr), n_pos = n_pos, n_neg = n_neg,
                    power = power)
  found <- power.roc.test(curves(auc, auc2, rating_corr), ncases = n_pos, ncontrols = n_neg, power = power,
                          sig.level = NULL)
  list(kind = "two_level", arguments = arguments, level = 1 - found$sig.level)
}

# ---- Partial areas: their variances and covariance, and the sizes that follow in either order -------------

partial_size <- function(auc, auc2, rating_corr, fpr, power, ratio = 1) {
  arguments <- list(auc = auc, auc2 = auc2, rating_corr = I(rating_corr), fpr = I(fpr), power = power, ratio = ratio)
  area <- function(a) {
    integrate(function(x) pnorm(a + x) * dnorm(x), max(qnorm(fpr[1]), -38), min(qnorm(fpr[2]), 38),
              rel.tol = 1e-13, abs.tol = 0)$value
  }
  pair <- function(first, second) {
    both <- curves(first, second, rating_corr)
    both$delta <- area(both$A1) - area(both$A2)
    c(both, list(FPR11 = fpr[1], FPR12 = fpr[2], FPR21 = fpr[1], FPR22 = fpr[2]))
  }
  size <- function(p) power.roc.test(p, power = power, kappa = ratio)$ncases
  # Where the quantile of the level is 0 only the variance of the difference counts.
  only <- power.roc.test(pair(auc, auc2), power = power, kappa = ratio, sig.level = 0.5, alternative = "one.sided")
  list(kind = "partial_size", arguments = arguments, effect = pair(auc, auc2)$delta, n_pos = size(pair(auc, auc2)),
       n_pos_swapped = size(pair(auc2, auc)), n_pos_variance_only = only$ncases)
}

# ---- Pilot studies -----------------------------------------------------------------------------------------

pilot <- function(head, y, s1, s2, names) {
  r1 <- curve(y, s1)
  r2 <- curve(y, s2)
  size <- function(...) power.roc.test(..., power = 0.9)$ncases
  only <- function(...) size(..., sig.level = 0.5, alternative = "one.sided")
  c(list(kind = "pilot", first = names[1], second = names[2]), head,
    list(n_pos = size(r1, r2), n_pos_swapped = size(r2, r1), n_pos_variance_only = only(r1, r2),
         power = power.roc.test(r1, r2)$power, power_swapped = power.roc.test(r2, r1)$power))
}

simulated_pilot <- function(name, folder) {
  data <- read.csv(file.path(folder, paste0(name, ".csv")))
  scores <- as.list(data[-1])
  pilot(list(name = name, recipe = name, checksum = checksums(scores)), data$y, scores$a, scores$b, c("a", "b"))
}

asah_pilot <- function(first, second) {
  data <- asah(paste("aSAH", first, second), c(first, second))
  pilot(data$head, data$y, data$scores[[first]], data$scores[[second]], c(first, second))
}

arguments <- commandArgs(trailingOnly = TRUE)
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
  two_power(0.85, 0.75, c(0.6, 0.6), 100, 100, level = 0.95, alternative = "two-sided"),
  one_area(41, 72, 0.9),
  one_area(20, 20, 0.8, level = 0.99),
  one_area(500, 100, 0.8, level = 0.9, alternative = "greater"),
  one_area(5, 9, 0.95),
  one_level(0.73, 41, 72, 0.9),
  one_level(0.6, 80, 40, 0.8, alternative = "greater"),
  one_level(0.65, 30, 30, 0.5),
  # Equal variances, so that the order of the curves does not matter.
  two_level(0.6, 0.4, c(0.3, 0.5), 60, 90, 0.8),
  partial_size(0.85, 0.8, c(0.5, 0.5), c(0, 0.1), 0.9),
  partial_size(0.9, 0.7, c(0.3, 0.6), c(0.05, 0.3), 0.8, ratio = 2),
  partial_size(0.85, 0.8, c(0.5, 0.5), c(0, 1), 0.9)
)
pilots <- c(lapply(c("n50", "n200", "ties_five_levels", "below_half"), simulated_pilot, folder = arguments[2]),
            list(asah_pilot("s100b", "wfns"), asah_pilot("s100b", "ndka")))

write_reference(arguments[1], "power_reference.R", cases = c(cases, pilots))
