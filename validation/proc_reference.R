# Reference values of the R package pROC, written to tests/reference/proc.json.
#
#   python validation/make_cases.py FOLDER
#   ROCSCOPE_DATA=... Rscript validation/proc_reference.R FOLDER tests/reference/proc.json
#
# FOLDER receives the simulated data (tests/reference_cases.py); aSAH is read from $ROCSCOPE_DATA and only
# what pROC computes from it is written. A value pROC does not give (NA, NaN, infinite, error) is null, and
# what pROC said about it stands in "notes".

source("validation/common.R")

LEVELS <- c("0.95", "0.90")
RANGES <- list(
  list(rate = "fpr", from = 0, to = 0.1), list(rate = "fpr", from = 0.1, to = 0.3),
  list(rate = "fpr", from = 0, to = 1),
  list(rate = "tpr", from = 0.9, to = 1), list(rate = "tpr", from = 0.5, to = 0.8)
)
# Our names of the alternatives -> those of roc.test; check_orientation() shows that they mean the same.
ALTERNATIVES <- c("two-sided" = "two.sided", "less" = "less", "greater" = "greater")

# ---- Notes: warnings and errors of pROC, collected per classifier or pair -------------------------------

notes <- character()
note <- function(label, text) notes <<- unique(c(notes, paste0(label, ": ", text)))

# The value of an expression, or `instead` after an error; every warning but the one on pairing is noted.
attempt <- function(label, expression, instead = NA_real_) {
  tryCatch(
    withCallingHandlers(expression, warning = function(w) {
      if (!grepl("seem to be paired", conditionMessage(w))) note(label, conditionMessage(w))
      invokeRestart("muffleWarning")
    }),
    error = function(e) { note(label, paste("error:", conditionMessage(e))); instead }
  )
}

# Infinite and undefined numbers become null in the file; the note says which it was.
finite <- function(label, x) {
  x <- as.numeric(x)
  if (!all(is.finite(x))) note(label, paste("pROC gives", paste(format(x), collapse = ", ")))
  x
}

with_notes <- function(values) {
  force(values) # lazy as R is, the notes are not there before the values
  if (length(notes)) c(values, list(notes = as.list(notes))) else values
}

# ---- One classifier --------------------------------------------------------------------------------------

partial_area <- function(r, range, ...) {
  on_fpr <- range$rate == "fpr"
  limits <- c(range$from, range$to)
  as.numeric(auc(r, partial.auc = if (on_fpr) 1 - limits else limits,
                 partial.auc.focus = if (on_fpr) "specificity" else "sensitivity", ...))
}

partial_areas <- function(r, range) {
  label <- paste0("partial ", range$rate, " ", range$from, "-", range$to)
  out <- setNames(list(I(c(range$from, range$to))), range$rate)
  out$raw <- attempt(label, partial_area(r, range))
  out$standardized <- attempt(label, partial_area(r, range, partial.auc.correct = TRUE))
  # pROC refuses the value below the diagonal unless requested otherwise: the formula itself goes on.
  if (is.na(out$standardized)) {
    out$standardized_if_allowed <- partial_area(r, range, partial.auc.correct = TRUE,
                                                allow.invalid.partial.auc.correct = TRUE)
  }
  out
}

# pROC compares rounded sums, so it can miss points that tie exactly; whole numbers count them all.
count_exact_ties <- function(r, method) {
  m <- length(r$cases)
  n <- length(r$controls)
  misses <- round((1 - r$sensitivities) * m) * n
  alarms <- round((1 - r$specificities) * n) * m
  loss <- if (method == "youden") misses + alarms else misses^2 + alarms^2
  sum(loss == min(loss))
}

best_points <- function(r, method) {
  found <- coords(r, "best", best.method = method, ret = c("sensitivity", "specificity"), transpose = FALSE)
  exact <- count_exact_ties(r, method)
  if (nrow(found) < exact) note(method, sprintf("pROC finds %d of %d tied points", nrow(found), exact))
  list(sensitivity = I(found$sensitivity), specificity = I(found$specificity), exact_ties = exact)
}

classifier_values <- function(r) {
  notes <<- character()
  intervals <- lapply(setNames(LEVELS, LEVELS), function(level) {
    label <- paste("interval", level)
    bounds <- attempt(label, ci.auc(r, conf.level = as.numeric(level), method = "delong"), c(NA, NA, NA))
    I(finite(label, bounds)[c(1, 3)])
  })
  with_notes(list(
    auc = as.numeric(auc(r)),
    variance = finite("variance", attempt("variance", var(r, method = "delong"))),
    interval = intervals,
    partial = lapply(RANGES, function(range) partial_areas(r, range)),
    best = list(youden = best_points(r, "youden"), closest_topleft = best_points(r, "closest.topleft"))
  ))
}

# ---- Two classifiers -------------------------------------------------------------------------------------

p_values <- function(label, r1, r2, paired) {
  lapply(ALTERNATIVES, function(alternative) {
    test <- attempt(label, roc.test(r1, r2, method = "delong", paired = paired, alternative = alternative), NULL)
    finite(paste(label, "p"), if (is.null(test)) NA else test$p.value)
  })
}

paired_values <- function(r1, r2) {
  test_at <- function(level) {
    attempt("paired", roc.test(r1, r2, method = "delong", paired = TRUE, conf.level = level),
            list(statistic = NA, conf.int = c(NA, NA)))
  }
  list(
    statistic = finite("paired statistic", test_at(0.95)$statistic),
    interval = lapply(setNames(LEVELS, LEVELS), function(level) {
      I(finite("paired interval", test_at(as.numeric(level))$conf.int))
    }),
    p = p_values("paired", r1, r2, TRUE)
  )
}

unpaired_values <- function(r1, r2) {
  test <- attempt("unpaired", roc.test(r1, r2, method = "delong", paired = FALSE),
                  list(statistic = NA, parameter = NA))
  list(statistic = finite("unpaired statistic", test$statistic), df = finite("unpaired df", test$parameter),
       p = p_values("unpaired", r1, r2, FALSE))
}

pair_values <- function(curves, first, second) {
  notes <<- character()
  r1 <- curves[[first]]
  r2 <- curves[[second]]
  with_notes(list(
    first = first, second = second,
    covariance = finite("covariance", attempt("covariance", cov(r1, r2, method = "delong"))),
    paired = paired_values(r1, r2),
    unpaired = unpaired_values(r1, r2)
  ))
}

# A good first and a poor second classifier: "greater" must be the likely alternative, first - second > 0.
check_orientation <- function() {
  y <- rep(0:1, each = 20)
  good <- curve(y, c(1:20, 15:34))
  poor <- curve(y, c(1:20, 2:21))
  for (paired in c(TRUE, FALSE)) {
    p <- p_values("orientation", good, poor, paired)
    stopifnot(p[["greater"]] < 0.01, p[["less"]] > 0.99)
  }
}

# ---- Cases -----------------------------------------------------------------------------------------------

case_values <- function(head, y, scores) {
  curves <- lapply(scores, function(score) curve(y, score))
  pairs <- utils::combn(names(scores), 2, simplify = FALSE)
  c(head, list(
    n_positive = sum(y == 1), n_negative = sum(y == 0),
    classifiers = lapply(curves, classifier_values),
    pairs = lapply(pairs, function(pair) pair_values(curves, pair[1], pair[2]))
  ))
}

simulated_case <- function(path) {
  data <- read.csv(path)
  name <- sub("[.]csv$", "", basename(path))
  scores <- as.list(data[-1])
  stopifnot(all(1024 * unlist(scores) == round(1024 * unlist(scores))))
  case_values(list(name = name, recipe = name, checksum = checksums(scores)), data$y, scores)
}

asah_case <- function(name, columns) {
  data <- asah(name, columns)
  case_values(data$head, data$y, data$scores)
}

arguments <- commandArgs(trailingOnly = TRUE)
check_orientation()
files <- sort(list.files(arguments[1], "[.]csv$", full.names = TRUE), method = "radix")
cases <- c(lapply(files, simulated_case), list(
  asah_case("asah_markers", c("s100b", "ndka", "wfns")),
  asah_case("asah_age", c("age", "wfns"))
))
write_reference(arguments[2], "proc_reference.R", cases = cases)
