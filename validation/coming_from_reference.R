# Numbers of the pROC calls in docs/coming_from.md, written to tests/reference/coming_from.json.
#
#   Rscript validation/coming_from_reference.R tests/reference/coming_from.json
#
# The calls are read from the page: its R block, then the first cell of every row of the table of pROC. Draws of
# every call begin with the same seed.

source("validation/common.R")
page <- readLines("docs/coming_from.md")
begin <- which(page == "```r")
end <- which(page == "```")
eval(parse(text = page[(begin + 1):(min(end[end > begin]) - 1)]))

section <- page[(which(page == "## From pROC") + 1):(which(page == "## From scikit-learn") - 1)]
rows <- grep("^\\| `", section, value = TRUE)
calls <- c(sub("^\\| `([^`]*)` \\|.*$", "\\1", rows), "var(n)")

numbers <- function(call) {
  set.seed(1)
  value <- suppressMessages(suppressWarnings(eval(parse(text = call))))
  I(as.numeric(unlist(value)))
}
write_reference(
  commandArgs(trailingOnly = TRUE)[1], "coming_from_reference.R",
  calls = lapply(calls, function(call) list(call = call, numbers = numbers(call)))
)
