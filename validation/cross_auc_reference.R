# Folds and scores of the example of the R package cvAUC, written to tests/reference/cross_auc.json.
#
#   Rscript validation/cross_auc_reference.R admissions.rda tests/reference/cross_auc.json
#
# admissions.rda is the data set of cvAUC (simulated; https://github.com/ledell/cvAUC, Apache License 2.0). Its
# help page of ci.cvAUC draws ten stratified folds after set.seed(1), fits a logistic regression without each
# fold, and prints the area, its standard error and its interval. The folds are those of R before 3.6. Written
# are the ranks of the predictions, ties included: of these alone areas and standard errors are made.

source("validation/common.R")

arguments <- commandArgs(trailingOnly = TRUE)
load(arguments[1])
suppressWarnings(RNGkind(sample.kind = "Rounding"))
set.seed(1)
n_folds <- 10
y <- admissions$Y
of_class <- function(class) split(sample(which(y == class)), rep(1:n_folds, length = sum(y == class)))
negatives <- of_class(0)
positives <- of_class(1)
fold <- integer(length(y))
score <- numeric(length(y))
for (v in 1:n_folds) {
  rows <- c(negatives[[v]], positives[[v]])
  fitted <- glm(Y ~ ., data = admissions[-rows, ], family = binomial)
  fold[rows] <- v
  score[rows] <- predict(fitted, newdata = admissions[rows, ], type = "response")
}
write_reference(
  arguments[2], "cross_auc_reference.R",
  packages = "stats", tolerance = 5e-8,
  origin = "help page of ci.cvAUC in the R package cvAUC",
  y = I(y), fold = I(fold), rank = I(match(score, sort(unique(score)))),
  printed = list(value = 0.9046473, se = 0.01620238, low = 0.8728913, high = 0.9364034)
)
