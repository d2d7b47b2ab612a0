# Tests between learning algorithms as R has them, written to tests/reference/algorithms.json.
#
#   Rscript validation/algorithms_reference.R tests/reference/algorithms.json
#
# Values over folds are multiples of 2^-20, so fine that no two differences are tied. The tables of ranks have
# values with few digits, and ties. Quade's test is given them as whole numbers: in floats equal ranges differ.
# Friedman's test of zeros and ones is Cochran's Q.

source("validation/common.R")
arguments <- commandArgs(trailingOnly = TRUE)
set.seed(1)
ticks <- function(x) round(2^20 * x) / 2^20

pair <- function(folds, gap) {
  a <- ticks(rnorm(folds, 0.8 + gap, 0.05))
  b <- ticks(rnorm(folds, 0.8, 0.05))
  # R's exact signed-rank test knows neither ties nor zeros.
  stopifnot(!anyDuplicated(abs(a - b)), all(a != b))
  t <- t.test(a, b, paired = TRUE)
  list(
    a = I(a), b = I(b),
    t = list(statistic = unname(t$statistic), p_value = t$p.value, interval = I(as.numeric(t$conf.int))),
    wilcoxon = list(p_value = wilcox.test(a, b, paired = TRUE, exact = TRUE)$p.value),
    sign = list(p_value = binom.test(sum(a > b), folds)$p.value),
    shapiro = list(statistic = unname(shapiro.test(a)$statistic), p_value = shapiro.test(a)$p.value)
  )
}

table_of_ranks <- function(datasets, algorithms, digits) {
  values <- round(matrix(runif(datasets * algorithms), datasets), digits)
  ranks <- t(apply(-values, 1, rank))
  se <- sqrt(algorithms * (algorithms + 1) / (6 * datasets))
  pairs <- combn(algorithms, 2)
  z <- apply(pairs, 2, function(p) (mean(ranks[, p[1]]) - mean(ranks[, p[2]])) / se)
  friedman <- friedman.test(-values)
  plain <- 2 * pnorm(-abs(z))
  quade <- quade.test(round(values * 10^digits))
  list(
    values = lapply(seq_len(datasets), function(k) I(values[k, ])),
    ranks = I(colMeans(ranks)),
    friedman = list(statistic = unname(friedman$statistic), p_value = friedman$p.value),
    quade = list(statistic = unname(quade$statistic), p_value = quade$p.value),
    nemenyi = I(ptukey(abs(z) * sqrt(2), algorithms, Inf, lower.tail = FALSE)),
    holm = I(p.adjust(plain, "holm")),
    bonferroni = I(p.adjust(plain, "bonferroni")), plain = I(plain),
    critical_difference = qtukey(0.95, algorithms, Inf) / sqrt(2) * se
  )
}

# Errors of three classifiers: McNemar's tests of the first two, Cochran's Q of all.
decisions <- function(cases, shares) {
  wrong <- sapply(shares, function(share) as.integer(runif(cases) < share))
  table <- matrix(c(sum(!wrong[, 1] & !wrong[, 2]), sum(wrong[, 1] & !wrong[, 2]),
                    sum(!wrong[, 1] & wrong[, 2]), sum(wrong[, 1] & wrong[, 2])), 2)
  mcnemar <- mcnemar.test(table)
  q <- friedman.test(wrong)
  list(
    wrong = lapply(seq_along(shares), function(k) I(wrong[, k])),
    mcnemar = list(statistic = unname(mcnemar$statistic), p_value = mcnemar$p.value),
    exact = list(p_value = binom.test(table[1, 2], table[1, 2] + table[2, 1])$p.value),
    cochran = list(statistic = unname(q$statistic), df = unname(q$parameter), p_value = q$p.value)
  )
}

write_reference(
  arguments[1], "algorithms_reference.R",
  pairs = list(pair(10, 0.02), pair(30, 0.02), pair(30, 0)),
  tables = list(table_of_ranks(8, 4, 1), table_of_ranks(14, 5, 4), table_of_ranks(6, 3, 4)),
  decisions = list(decisions(60, c(0.1, 0.3, 0.2)), decisions(200, c(0.2, 0.2, 0.25)), decisions(25, c(0.4, 0.1, 0.3))),
  packages = character(0)
)
