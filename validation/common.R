# What the scripts that call pROC share: the curve, the data sets, and the reference file they write.
#
# The scripts are run from the root of the repository and begin with source("validation/common.R").

suppressPackageStartupMessages(library(pROC))

# Scores grow with the positive class, which is 1 or TRUE; pROC is not left to guess.
curve <- function(y, score, ...) {
  roc(as.integer(y), score, levels = c(0, 1), direction = "<", quiet = TRUE, ...)
}

# Sums of position times score, in steps of 1/1024: they show whether R and Python hold the same numbers.
checksums <- function(scores) lapply(scores, function(score) sum(seq_along(score) * (1024 * score)))

# Labels and scores of aSAH, with the head of its case; only what pROC computes from them is written.
asah <- function(name, columns) {
  folder <- Sys.getenv("ROCSCOPE_DATA")
  if (folder == "") stop("ROCSCOPE_DATA is not set: it must name the folder of the data sets")
  data <- read.csv(file.path(folder, "aSAH", "aSAH.csv"))
  list(
    head = list(name = name, data = "aSAH",
                columns = list(label = "outcome", positive = "Poor", scores = as.list(columns))),
    y = as.integer(data$outcome == "Poor"),
    scores = lapply(as.list(data[columns]), as.numeric)
  )
}

# JSON with 17 significant digits; I(x) marks a vector that is an array whatever its length.
json <- function(x, indent = "") {
  deeper <- paste0(indent, " ")
  if (is.list(x)) {
    items <- vapply(x, json, "", indent = deeper)
    ends <- if (is.null(names(x))) c("[", "]") else c("{", "}")
    if (!is.null(names(x))) items <- paste0("\"", names(x), "\": ", items)
    return(paste0(ends[1], "\n", paste0(deeper, items, collapse = ",\n"), "\n", indent, ends[2]))
  }
  text <- if (is.character(x)) encodeString(x, quote = "\"") else sprintf("%.17g", as.numeric(x))
  if (is.numeric(x)) text[!is.finite(x)] <- "null"
  if (inherits(x, "AsIs")) paste0("[", paste(text, collapse = ", "), "]") else text
}

# Write a reference file: where the numbers come from, how closely they are to be met, and what is given in ... .
write_reference <- function(path, script, ..., packages = "pROC", tolerance = 1e-10) {
  versions <- vapply(packages, function(name) paste(name, packageVersion(name)), "")
  head <- list(
    source = paste(c(versions, paste("R", getRversion())), collapse = ", "),
    script = file.path("validation", script),
    tolerance = tolerance
  )
  writeLines(json(c(head, list(...))), path)
}
