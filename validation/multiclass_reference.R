# Reference values of multi-class areas by the R package pROC, written to tests/reference/multiclass.json.
#
#   Rscript validation/multiclass_reference.R tests/reference/multiclass.json
#
# The data are made here and, the same, by `recipe` of tests/slow/multiclass.py; the checksum proves it.
# pROC has no interval of a multi-class area. The variance of one pair follows from its two curves on the
# same cases: A(j|i) is the area of minus the score for j, with i as the positive class.
# One score of several classes (multiclass.roc with a numeric predictor) is the score for class 1, and s100b of aSAH
# with the Glasgow scale as classes, which is pROC's own example.

source("validation/common.R")

TICKS <- 1024
RECIPES <- list(
  three_small = list(seed = 1, sizes = c(5, 4, 6), shift = 300, levels = 1024),
  three_fine = list(seed = 2, sizes = c(30, 20, 40), shift = 400, levels = 1024),
  three_coarse = list(seed = 3, sizes = c(30, 20, 40), shift = 400, levels = 8),
  three_tied = list(seed = 4, sizes = c(15, 25, 10), shift = 600, levels = 2),
  three_below_half = list(seed = 5, sizes = c(20, 20, 20), shift = -150, levels = 256),
  two = list(seed = 6, sizes = c(25, 35), shift = 300, levels = 64),
  four_rare = list(seed = 7, sizes = c(3, 60, 2, 35), shift = 500, levels = 1024),
  five_densities = list(seed = 8, sizes = c(40, 10, 30, 20, 50), shift = 450, levels = 0),
  five_large = list(seed = 9, sizes = c(300, 500, 100, 400, 700), shift = 350, levels = 32)
)

# ---- Data ------------------------------------------------------------------------------------------------

scale_row <- function(raw, levels) {
  if (levels == 0) return(raw)
  units <- (levels * head(raw, -1)) %/% sum(raw)
  TICKS / levels * c(units, levels - sum(units))
}

make_data <- function(recipe) {
  state <- recipe$seed
  columns <- length(recipe$sizes)
  y <- rep(seq_len(columns), recipe$sizes)
  ticks <- t(vapply(y, function(label) {
    raw <- vapply(seq_len(columns), function(column) {
      state <<- (16807 * state) %% (2^31 - 1)
      state %/% 2^21 + 200 + recipe$shift * (column == label)
    }, 0)
    scale_row(raw, recipe$levels)
  }, numeric(columns)))
  colnames(ticks) <- seq_len(columns)
  list(y = y, ticks = ticks, scores = ticks / TICKS)
}

# ---- Values ----------------------------------------------------------------------------------------------

pair_values <- function(data, pair) {
  rows <- data$y %in% pair
  first <- data$y[rows] == pair[1]
  by_first <- curve(first, data$scores[rows, pair[1]])
  by_second <- curve(first, -data$scores[rows, pair[2]])
  variance <- (var(by_first) + var(by_second) + 2 * cov(by_first, by_second, method = "delong")) / 4
  list(first = pair[1], second = pair[2], by_first = as.numeric(auc(by_first)),
       by_second = as.numeric(auc(by_second)), variance = as.numeric(variance))
}

class_values <- function(data, label) {
  against_rest <- curve(data$y == label, data$scores[, label])
  list(positive = label, auc = as.numeric(auc(against_rest)), variance = as.numeric(var(against_rest)),
       interval = I(as.numeric(ci.auc(against_rest, method = "delong"))[c(1, 3)]))
}

one_score_values <- function(y, score) {
  of_direction <- function(direction) {
    result <- suppressMessages(suppressWarnings(multiclass.roc(y, score, direction = direction)))
    pairs <- lapply(result$rocs, function(pair) {
      interval <- suppressWarnings(as.numeric(ci.auc(pair, method = "delong")))[c(1, 3)]
      list(levels = I(as.integer(pair$levels)), direction = pair$direction, auc = as.numeric(auc(pair)),
           variance = as.numeric(suppressWarnings(var(pair))), interval = I(interval))
    })
    list(auc = as.numeric(result$auc), pairs = pairs)
  }
  list(auto = of_direction("auto"), higher = of_direction("<"), lower = of_direction(">"))
}

asah_values <- function() {
  data <- read.csv(file.path(Sys.getenv("ROCSCOPE_DATA"), "aSAH", "aSAH.csv"))
  one_score_values(data$gos6, data$s100b)
}

case_values <- function(name) {
  recipe <- RECIPES[[name]]
  data <- make_data(recipe)
  flat <- as.vector(t(data$ticks))
  labels <- seq_along(recipe$sizes)
  list(
    name = name,
    recipe = list(seed = recipe$seed, sizes = I(recipe$sizes), shift = recipe$shift, levels = recipe$levels),
    checksum = sum(seq_along(flat) * flat),
    one_score = one_score_values(data$y, data$scores[, 1]),
    hand_till = as.numeric(multiclass.roc(factor(data$y), data$scores)$auc),
    pairs = lapply(utils::combn(labels, 2, simplify = FALSE), function(pair) pair_values(data, pair)),
    classes = lapply(labels, function(label) class_values(data, label))
  )
}

write_reference(
  commandArgs(trailingOnly = TRUE)[1], "multiclass_reference.R",
  asah = asah_values(), cases = lapply(names(RECIPES), case_values)
)
