# Reference values of kernel-smoothed ROC curves, written to tests/reference/smoothing.json.
#
#   Rscript validation/smoothing_reference.R tests/reference/smoothing.json
#
# Bandwidths are R's bw.nrd0, rates and areas follow from pnorm and uniroot. pROC smooths both classes by one
# bandwidth, on a grid of 2048 places that it adds up: its values are met to 2e-3.

source("validation/common.R")

RATES <- c(0.01, 0.1, 0.3, 0.5, 0.9)

# Multiples of 1/1024, sums of four uniform numbers from x -> 16807 x mod 2^31 - 1.
bell <- function(seed, n, shift) {
  state <- seed
  ticks <- vapply(seq_len(4 * n), function(k) {
    state <<- (16807 * state) %% (2^31 - 1)
    state %/% 2^21
  }, 0)
  (colSums(matrix(ticks, nrow = 4)) + shift) / 1024
}

above <- function(t, x, h) mean(pnorm((x - t) / h))

case <- function(name, pos, neg) {
  h <- c(bw.nrd0(pos), bw.nrd0(neg))
  one <- bw.nrd0(c(neg, pos))
  tpr <- vapply(RATES, function(rate) {
    ends <- range(neg) + c(-20, 20) * h[2]
    above(uniroot(function(t) above(t, neg, h[2]) - rate, ends, tol = 1e-14)$root, pos, h[1])
  }, 0)
  smoothed <- smooth(curve(rep(c(0, 1), c(length(neg), length(pos))), c(neg, pos)), method = "density",
                     bw = one, n = 2048)
  of_proc <- coords(smoothed, 1 - RATES, input = "specificity", ret = "sensitivity", transpose = FALSE)
  list(
    name = name, pos = I(pos), neg = I(neg), bandwidth_pos = h[1], bandwidth_neg = h[2],
    auc = mean(pnorm(outer(pos, neg, "-") / sqrt(sum(h^2)))), tpr = I(tpr),
    proc = list(bandwidth = one, auc = as.numeric(auc(smoothed)), tpr = I(as.numeric(unlist(of_proc))))
  )
}

write_reference(
  commandArgs(trailingOnly = TRUE)[1], "smoothing_reference.R",
  rates = I(RATES),
  cases = list(
    case("small", bell(1, 12, 700), bell(2, 15, 0)),
    case("wide", bell(3, 40, 1500), 2 * bell(4, 60, 0)),
    case("below half", bell(5, 30, -400), bell(6, 20, 0)),
    case("tied", round(bell(7, 50, 900)), round(bell(8, 50, 0)))
  )
)
