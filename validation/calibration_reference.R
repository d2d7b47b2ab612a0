# Reference values of calibration intercept and slope by R's glm and isoreg, written to
# tests/reference/calibration.json.
#
#   Rscript validation/calibration_reference.R tests/reference/calibration.json
#
# Probabilities are multiples of 1/64, made with their labels from a congruential generator in whole numbers.
# Intercept: glm with logit(p) as an offset. Slope: glm on logit(p). The likelihood ratio compares the latter
# with intercept 0 and slope 1. The isotonic curve is that of isoreg on cases ordered by p, tied cases as
# their mean repeated: pooling them leaves the regression of the means, with their numbers as weights.

source("validation/common.R")

# Labels and probabilities of n cases; P(y = 1) = expit(shift + tilt logit(p)), compared with k / 1009.
cases_of <- function(n, seed, shift, tilt) {
  state <- seed
  draw <- function() {
    state <<- (state * 1366 + 150889) %% 714025
    state
  }
  p <- numeric(n)
  y <- integer(n)
  for (i in seq_len(n)) {
    p[i] <- (1 + draw() %% 63) / 64
    y[i] <- as.integer((draw() %% 1009) / 1009 < plogis(shift + tilt * qlogis(p[i])))
  }
  list(y = y, p = p)
}

reference <- function(name, n, seed, shift = 0, tilt = 1) {
  data <- cases_of(n, seed, shift, tilt)
  x <- qlogis(data$p)
  control <- glm.control(epsilon = 1e-15, maxit = 100)
  first <- glm(data$y ~ 1, family = binomial, offset = x, control = control)
  line <- glm(data$y ~ x, family = binomial, control = control)
  null <- sum(dbinom(data$y, 1, data$p, log = TRUE))
  means <- ave(data$y, data$p)
  order_p <- order(data$p)
  curve <- isoreg(seq_along(order_p), means[order_p])$yf
  last <- !duplicated(data$p[order_p], fromLast = TRUE)
  list(
    name = name, y = I(data$y), p = I(data$p),
    intercept = I(c(coef(first)[[1]], sqrt(vcov(first)[1, 1]))),
    slope = I(c(coef(line)[[2]], sqrt(vcov(line)[2, 2]))),
    likelihood_ratio = 2 * (as.numeric(logLik(line)) - null),
    isotonic_x = I(data$p[order_p][last]), isotonic_y = I(curve[last])
  )
}

write_reference(
  commandArgs(trailingOnly = TRUE)[1], "calibration_reference.R",
  cases = list(
    reference("calibrated", 400, 7),
    reference("too high", 250, 11, shift = -1),
    reference("overconfident", 300, 23, tilt = 0.4),
    reference("small", 24, 5),
    reference("turned round", 80, 31, tilt = -0.7)
  ),
  packages = "stats", tolerance = 1e-8
)
