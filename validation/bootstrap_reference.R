# The bootstrap distributions of the R package pROC, written to tests/reference/bootstrap.json.
#
#   python validation/make_cases.py FOLDER
#   Rscript validation/bootstrap_reference.R FOLDER tests/reference/bootstrap.json
#
# Draws differ between programs, so only the distribution is compared: percentile ends from many replicates
# of the area, of a partial area, and of the sensitivity at fixed specificities (ci.auc, ci.se).

suppressPackageStartupMessages(library(pROC))
arguments <- commandArgs(trailingOnly = TRUE)
REPLICATES <- 20000
CASES <- c("n50", "n200", "ties_five_levels", "three_correlated")
SPECIFICITIES <- c(0.9, 0.7, 0.5)
set.seed(1)

number <- function(x) paste0("[", paste(sprintf("%.17g", as.numeric(x)), collapse = ", "), "]")
ends <- function(r, ...) {
  found <- ci.auc(r, method = "bootstrap", boot.n = REPLICATES, progress = "none", ...)
  number(as.numeric(found)[c(1, 3)])
}

one_case <- function(name) {
  data <- read.csv(file.path(arguments[1], paste0(name, ".csv")))
  r <- roc(data$y, data$a, levels = c(0, 1), direction = "<", quiet = TRUE)
  partial <- roc(data$y, data$a, levels = c(0, 1), direction = "<", quiet = TRUE, partial.auc = c(1, 0.8))
  at <- ci.se(r, specificities = SPECIFICITIES, boot.n = REPLICATES, progress = "none")
  rows <- vapply(seq_along(SPECIFICITIES), function(k) number(at[k, c(1, 3)]), "")
  sprintf('{"recipe": "%s", "classifier": "a", "area": %s, "partial": {"fpr": [0, 0.2], "ends": %s}, "band": {"fpr": %s, "ends": [%s]}}',
          name, ends(r), ends(partial), number(1 - SPECIFICITIES), paste(rows, collapse = ", "))
}

source <- sprintf("pROC %s, R %s", packageVersion("pROC"), getRversion())
head <- sprintf('{"source": "%s", "script": "validation/bootstrap_reference.R", "replicates": %d, "tolerance": "Monte-Carlo error of a quantile",', source, REPLICATES)
writeLines(c(head, '"cases": [', paste(vapply(CASES, one_case, ""), collapse = ",\n"), "]}"), arguments[2])
