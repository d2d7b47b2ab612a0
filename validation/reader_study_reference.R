# Reference values of reader studies, written to tests/reference/reader_study.json.
#
#   Rscript validation/reader_study_reference.R MRMCAOV IMRMC RJAFROC tests/reference/reader_study.json
#
# The first three are folders with the sources of the R packages: MRMCaov 0.3.0 (github.com/brian-j-smith/MRMCaov),
# iMRMC 2.1.2 (github.com/DIDSR/iMRMC, folder Rpackage/iMRMC) and RJafroc 2.1.3 (github.com/dpc10ster/RJafroc).
# Their functions are run as they are; data frames stand in for tibbles and nothing for the progress bar, so that
# no other package is needed.
#
# Simulated readings are ours and stand in the file. Of the data of MRMCaov (VanDyke, Franken; GPL-3) only
# what the packages compute is written: areas, covariances and the analyses. VanDyke.csv, which one test reads
# from $ROCSCOPE_DATA/VanDyke, is made by
#
#   load("data/VanDyke.RData"); write.csv(VanDyke, "VanDyke.csv", row.names = FALSE, quote = FALSE)

source("validation/common.R")

arguments <- commandArgs(trailingOnly = TRUE)

# ---- The packages' functions, without the packages that they import ---------------------------------------

tibble <- function(...) data.frame(..., check.names = FALSE, stringsAsFactors = FALSE)
silent <- list(tick = function(...) NULL, terminate = function(...) NULL)
progress_bar <- list(new = function(...) silent)
load_functions <- function(path) {
  text <- gsub("progress::progress_bar", "progress_bar", readLines(path), fixed = TRUE)
  eval(parse(text = text), envir = globalenv())
}
for (file in c("DeLong", "jackknife", "metrics", "mrmc", "mrmc_tests", "roc", "summary", "unbiased", "utils")) {
  load_functions(file.path(arguments[1], "R", paste0(file, ".R")))
}
load_functions(file.path(arguments[2], "R", "doAUCMRMC.R"))
load_functions(file.path(arguments[3], "R", "SsPowerGivenJK.R"))

# ---- Simulated readings: ratings 1 to 5 from x -> 16807 x mod 2^31 - 1 -------------------------------------

ticks <- function(seed, n) {
  state <- seed
  vapply(seq_len(n), function(k) {
    state <<- (16807 * state) %% (2^31 - 1)
    state %/% 2^21
  }, 0)
}

# Rows of a study; `reads` says whether a reader reads a case in a modality.
study <- function(seed, modalities, readers, n_pos, n_neg, reads) {
  n <- n_pos + n_neg
  truth <- rep(c(1, 0), c(n_pos, n_neg))
  common <- ticks(seed, n)
  rows <- expand.grid(case = seq_len(n), reader = seq_len(readers), modality = seq_len(modalities))
  own <- ticks(seed + 1, nrow(rows)) + ticks(seed + 2, nrow(rows))
  latent <- 700 * truth[rows$case] * (1 + 0.3 * rows$modality) + common[rows$case] + own
  rows$truth <- truth[rows$case]
  rows$rating <- pmin(5, pmax(1, latent %/% 700))
  rows[mapply(reads, rows$case, rows$reader, rows$modality), ]
}

all_of_them <- function(case, reader, modality) TRUE
STUDIES <- list(
  crossed = study(11, 2, 3, 12, 15, all_of_them),
  "three modalities" = study(21, 3, 4, 14, 11, all_of_them),
  "nested in readers" = study(31, 2, 3, 24, 30, function(case, reader, modality) case %% 3 + 1 == reader),
  "nested in modalities" = study(41, 2, 3, 24, 26, function(case, reader, modality) case %% 2 + 1 == modality),
  "split-plot" = study(51, 2, 4, 22, 26, function(case, reader, modality) case %% 2 == reader %% 2),
  unbalanced = study(61, 2, 3, 14, 16, function(case, reader, modality) (case + 2 * reader + modality) %% 5 > 0)
)

# ---- Analyses ----------------------------------------------------------------------------------------------

COVARIANCES <- list(delong = DeLong, jackknife = jackknife, unbiased = unbiased)

numbers <- function(x) I(unname(as.numeric(as.matrix(x))))

with_factors <- function(rows) {
  transform(rows, modality = factor(modality), reader = factor(reader), case = factor(case))
}

# `mrmc` looks for its data and its covariance among the global names.
analyses <- function(rows) {
  STUDY <<- with_factors(rows)
  paired <- is_fully_paired(transform(STUDY, test = modality))
  results <- list()
  for (name in names(COVARIANCES)[if (paired) 1:3 else 2:3]) {
    for (effect in c("random", "fixed readers", "fixed cases")) {
      if (effect == "fixed cases" && name != "jackknife") next
      COVARIANCE <<- COVARIANCES[[name]]
      est <- switch(effect,
        random = mrmc(empirical_auc(truth, rating), modality, reader, case, data = STUDY, cov = COVARIANCE),
        "fixed readers" =
          mrmc(empirical_auc(truth, rating), modality, fixed(reader), case, data = STUDY, cov = COVARIANCE),
        "fixed cases" =
          mrmc(empirical_auc(truth, rating), modality, reader, fixed(case), data = STUDY, cov = COVARIANCE)
      )
      found <- summary(est)
      overall <- found$test_equality
      results[[length(results) + 1]] <- list(
        method = name, effect = effect,
        covariance = if (is.null(est$cov)) I(numeric()) else numbers(unclass(est$cov)),
        components = if (is.null(est$cov)) I(numeric()) else numbers(found$vcov_comps$Estimate),
        overall = if ("F" %in% names(overall)) overall$F else overall$X2,
        df = if ("df2" %in% names(overall)) overall$df2 else overall$df,
        p_value = overall$`p-value`,
        difference = numbers(found$test_diffs$Estimate), se = numbers(found$test_diffs$StdErr),
        low = numbers(found$test_diffs$CI[, 1]), high = numbers(found$test_diffs$CI[, 2]),
        mean = numbers(found$test_means$Estimate), mean_se = numbers(found$test_means$StdErr),
        mean_low = numbers(found$test_means$CI[, 1]), mean_high = numbers(found$test_means$CI[, 2])
      )
    }
  }
  results
}

# Areas of all pairs together and their covariance, by iMRMC: (1, 1), (1, 2), (2, 2).
moments <- function(rows) {
  long <- data.frame(
    readerID = factor(rows$reader), caseID = factor(rows$case), modalityID = factor(rows$modality),
    score = rows$rating, truthLabel = rows$truth
  )
  of <- lapply(c(1, 2), function(k) long[long$modalityID == levels(long$modalityID)[k], ])
  whole <- lapply(list(c(1, 1), c(1, 2), c(2, 2)), function(k) {
    doAUCmrmcCov(doAUCperReader(of[[k[1]]], of[[k[2]]]))
  })
  list(auc = I(c(whole[[1]]$AUC.1, whole[[3]]$AUC.1)), covariance = I(vapply(whole, function(one) one$covAUC, 0)))
}

areas <- function(rows) {
  STUDY <<- with_factors(rows)
  est <- mrmc(empirical_auc(truth, rating), modality, reader, case, data = STUDY, cov = jackknife)
  numbers(est$data[order(est$data$modality, est$data$reader), 1])
}

simulated <- lapply(names(STUDIES), function(name) {
  rows <- STUDIES[[name]]
  list(
    name = name, modality = I(rows$modality), reader = I(rows$reader), case = I(rows$case), truth = I(rows$truth),
    rating = I(rows$rating), auc = areas(rows), analyses = analyses(rows), gallas = moments(rows)
  )
})

# ---- Real studies, without their data ----------------------------------------------------------------------

for (name in c("VanDyke", "Franken")) {
  load(file.path(arguments[1], "data", paste0(name, ".RData")))
}
real <- function(name, data, case = "case") {
  rows <- data.frame(
    case = data[[case]], reader = data$reader, modality = data$treatment, truth = data$truth, rating = data$rating
  )
  auc <- areas(rows)
  list(
    name = name, modalities = nlevels(factor(rows$modality)), readers = nlevels(factor(rows$reader)),
    n_pos = length(unique(rows$case[rows$truth == 1])), n_neg = length(unique(rows$case[rows$truth == 0])),
    auc = auc, analyses = analyses(rows)
  )
}

# Power by RJafroc from the components of VanDyke by DeLong: J readers, 114 K cases.
of_vandyke <- summary(mrmc(empirical_auc(truth, rating), treatment, reader, case, data = VanDyke, cov = DeLong))
parts <- of_vandyke$vcov_comps$Estimate
power <- function(J, K, effect, option) {
  found <- SsPowerGivenJKOrVarCom(
    J, K * 114, 114, effect, VarTR = parts[2], Cov1 = parts[4], Cov2 = parts[5], Cov3 = parts[6], Var = parts[3],
    analysisOption = option
  )
  list(readers = J, cases = K, difference = effect, effect = option, noncentrality = found[[2]], power = found[[1]])
}

write_reference(
  arguments[4], "reader_study_reference.R",
  packages = character(), tolerance = 1e-9,
  packages_run = "MRMCaov 0.3.0 (GPL-3), iMRMC 2.1.2 (CC0), RJafroc 2.1.3 (GPL-3)",
  simulated = simulated,
  real = list(
    real("VanDyke", VanDyke), real("VanDyke, cases nested in readers", VanDyke, "case2"),
    real("VanDyke, cases nested in modalities", VanDyke, "case3"), real("Franken", Franken)
  ),
  power = list(
    power(5, 1, 0.05, "RRRC"), power(10, 1, 0.05, "RRRC"), power(6, 2, 0.04, "RRRC"), power(12, 3, 0.03, "RRRC"),
    power(5, 1, 0.05, "FRRC"), power(5, 2, 0.03, "FRRC"), power(5, 1, 0.05, "RRFC"), power(9, 1, 0.03, "RRFC")
  )
)
