# Reference values of binormal fits by R's own optimiser, written to tests/reference/binormal.json.
#
#   python validation/make_cases.py FOLDER
#   ROCSCOPE_DATA=... Rscript validation/binormal_reference.R FOLDER tests/reference/binormal.json
#
# FOLDER receives the simulated data (tests/reference_cases.py).
# The likelihood of the categories is written out with pnorm and maximised by optim (BFGS, several rounds from
# where the last one stopped); both information matrices are made dense and inverted. The categories are
# those of LABROC4 (Metz, Herman, Shen 1998). Only what comes out of aSAH is written, not the data.

# ---- Categories: neighbouring scores of one class alone are merged ---------------------------------------

categories <- function(positive, score) {
  values <- sort(unique(score))
  neg <- vapply(values, function(v) sum(score == v & !positive), 0)
  pos <- vapply(values, function(v) sum(score == v & positive), 0)
  kind <- (pos > 0) + 2 * (neg > 0)
  run <- cumsum(c(TRUE, diff(kind) != 0 | kind[-1] == 3))
  list(neg = as.vector(tapply(neg, run, sum)), pos = as.vector(tapply(pos, run, sum)))
}

# ---- Likelihood: parameters are a, log b, the first cut-point and the logarithms of the gaps --------------

unpack <- function(p) list(a = p[1], b = exp(p[2]), t = cumsum(c(p[3], exp(p[-(1:3)]))))

masses <- function(x) diff(c(0, pnorm(x), 1))

log_likelihood <- function(q, data) {
  parts <- c(data$neg * log(masses(q$t)), data$pos * log(masses(q$b * q$t - q$a)))
  sum(parts[c(data$neg, data$pos) > 0])
}

# Derivatives by a, b and the cut-points: A_i f_i + B_i b g_i, and so on (Dorfman and Alf 1969).
gradient <- function(q, data) {
  u <- q$b * q$t - q$a
  share <- function(n, p) ifelse(n > 0, n / p, 0)
  A <- -diff(share(data$neg, masses(q$t)))
  B <- -diff(share(data$pos, masses(u)))
  c(-sum(B * dnorm(u)), sum(B * q$t * dnorm(u)), A * dnorm(q$t) + B * q$b * dnorm(u))
}

packed_gradient <- function(p, data) {
  q <- unpack(p)
  g <- gradient(q, data)
  later <- rev(cumsum(rev(g[-(1:2)])))
  c(g[1], g[2] * q$b, later[1], later[-1] * exp(p[-(1:3)]))
}

fit <- function(data) {
  above <- rev(cumsum(rev(data$neg + data$pos)))[-1] / sum(data$neg + data$pos)
  t <- qnorm(1 - above)
  p <- c(1, 0, t[1], log(pmax(diff(t), 1e-3)))
  for (round in 1:20) {
    p <- optim(p, function(p) -log_likelihood(unpack(p), data), function(p) -packed_gradient(p, data),
               method = "BFGS", control = list(maxit = 5000, reltol = 1e-16))$par
  }
  unpack(p)
}

# ---- Information, dense ------------------------------------------------------------------------------------

derivatives <- function(q) { # of the masses of both classes, one column per parameter (a, b, cut-points)
  u <- q$b * q$t - q$a
  k <- length(q$t)
  by_t <- function(d) rbind(diag(d, k), 0) - rbind(0, diag(d, k))
  ends <- function(d) diff(c(0, d, 0))
  list(neg = cbind(0, 0, by_t(dnorm(q$t))),
       pos = cbind(ends(-dnorm(u)), ends(q$t * dnorm(u)), by_t(q$b * dnorm(u))))
}

expected <- function(q, data) {
  d <- derivatives(q)
  u <- q$b * q$t - q$a
  crossprod(d$neg, d$neg / masses(q$t)) * sum(data$neg) + crossprod(d$pos, d$pos / masses(u)) * sum(data$pos)
}

observed <- function(q, data) { # central differences of the gradient
  theta <- c(q$a, q$b, q$t)
  at <- function(x) gradient(list(a = x[1], b = x[2], t = x[-(1:2)]), data)
  step <- 1e-5
  columns <- lapply(seq_along(theta), function(i) {
    e <- replace(numeric(length(theta)), i, step)
    (at(theta + e) - at(theta - e)) / (2 * step)
  })
  h <- -do.call(cbind, columns)
  (h + t(h)) / 2
}

# ---- Cases -------------------------------------------------------------------------------------------------

case <- function(name, data, extra) {
  q <- fit(data)
  s <- sqrt(1 + q$b^2)
  slope <- dnorm(q$a / s) * c(1 / s, -q$a * q$b / s^3)
  cov <- list(expected = solve(expected(q, data))[1:2, 1:2], observed = solve(observed(q, data))[1:2, 1:2])
  c(list(name = name), extra, list(
    n_categories = length(data$neg), a = q$a, b = q$b, auc = pnorm(q$a / s),
    log_likelihood = log_likelihood(q, data), gradient = max(abs(gradient(q, data))),
    cov_expected = cov$expected[c(1, 2, 4)], cov_observed = cov$observed[c(1, 2, 4)],
    se_auc_expected = sqrt(c(slope %*% cov$expected %*% slope)),
    se_auc_observed = sqrt(c(slope %*% cov$observed %*% slope)),
    cutpoints = q$t))
}

simulated_case <- function(recipe, column) {
  data <- read.csv(file.path(arguments[1], paste0(recipe, ".csv")))
  sums <- lapply(data[-1], function(score) sum(seq_along(score) * (1024 * score)))
  case(paste(recipe, column), categories(data$y == 1, data[[column]]),
       list(recipe = recipe, checksum = sums, columns = list(scores = list(column))))
}

arguments <- commandArgs(trailingOnly = TRUE)
ratings <- list(neg = c(33, 6, 6, 11, 2), pos = c(3, 2, 2, 11, 33)) # Hanley and McNeil 1982, table 1
aSAH <- read.csv(file.path(Sys.getenv("ROCSCOPE_DATA"), "aSAH", "aSAH.csv"))
columns <- c("s100b", "ndka", "wfns")
poor <- aSAH$outcome == "Poor"
cases <- c(
  list(
    case("hanley_mcneil", ratings, ratings),
    simulated_case("n50", "a"), simulated_case("n200", "b"), simulated_case("ties_five_levels", "a")
  ),
  lapply(columns, function(name) {
    case(name, categories(poor, aSAH[[name]]),
         list(data = "aSAH", columns = list(label = "outcome", positive = "Poor", scores = list(name))))
  }))

# ---- JSON with all digits ------------------------------------------------------------------------------------

json <- function(x, indent = "") {
  deeper <- paste0(indent, " ")
  if (is.list(x)) {
    items <- vapply(x, json, "", indent = deeper)
    if (!is.null(names(x))) items <- paste0('"', names(x), '": ', items)
    ends <- if (is.null(names(x))) c("[", "]") else c("{", "}")
    return(paste0(ends[1], "\n", deeper, paste(items, collapse = paste0(",\n", deeper)), "\n", indent, ends[2]))
  }
  text <- if (is.character(x)) paste0('"', x, '"') else format(x, digits = 17, trim = TRUE)
  if (length(x) == 1) text else paste0("[", paste(vapply(seq_along(x), function(i) json(x[i]), ""), collapse = ", "), "]")
}

reference <- list(
  source = paste0("optim, R ", getRversion()), script = "validation/binormal_reference.R",
  tolerance = 1e-6, cases = unname(cases))
writeLines(json(reference), arguments[2])
