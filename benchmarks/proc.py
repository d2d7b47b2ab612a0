"""Times of R's pROC on the same data, where Rscript has it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Doubles travel as bytes, so that both sides sort the very same numbers. Times are the best of several.
SCRIPT = r"""
suppressMessages(library(pROC))
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]; n <- as.integer(arguments[2]); repeats <- as.integer(arguments[3])
y <- readBin(file.path(folder, "y"), "integer", n, size = 4)
a <- readBin(file.path(folder, "a"), "double", n)
b <- readBin(file.path(folder, "b"), "double", n)
curve <- function(s) roc(y, s, levels = c(0, 1), direction = "<", quiet = TRUE)
best <- function(f) min(replicate(repeats, system.time(f(), gcFirst = TRUE)[["elapsed"]]))
area <- best(function() ci.auc(curve(a)))
paired <- best(function() roc.test(curve(a), curve(b), method = "delong", paired = TRUE))
replicates <- max(20, 2e6 %/% n)
r <- curve(a)
bootstrap <- system.time(ci.auc(r, method = "bootstrap", boot.n = replicates, progress = "none"))[["elapsed"]]
cat(sprintf('{"version": "%s", "area": %.6f, "paired": %.6f, "replicate": %.9f, "auc": %.17g}',
            as.character(packageVersion("pROC")), area, paired, bootstrap / replicates, as.numeric(auc(r))))
"""


def available() -> bool:
    """Whether Rscript is there and has pROC."""
    if shutil.which("Rscript") is None:
        return False
    probe = subprocess.run(["Rscript", "-e", "library(pROC)"], capture_output=True, check=False)
    return probe.returncode == 0


def times(y: NDArray[Any], a: NDArray[Any], b: NDArray[Any], *, repeats: int) -> dict[str, Any]:
    """Seconds of roc + ci.auc ("area"), two curves with roc.test ("paired"), one bootstrap replicate."""
    with tempfile.TemporaryDirectory() as folder:
        for name, array in {"y": y.astype(np.int32), "a": a, "b": b}.items():
            array.tofile(Path(folder) / name)
        run = subprocess.run(
            ["Rscript", "-e", SCRIPT, folder, str(len(y)), str(repeats)],
            capture_output=True,
            text=True,
            check=True,
        )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


BOOTSTRAP = r"""
suppressMessages(library(pROC))
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]; n <- as.integer(arguments[2]); b <- as.integer(arguments[3])
y <- readBin(file.path(folder, "y"), "integer", n, size = 4)
curve <- function(name) {
  roc(y, readBin(file.path(folder, name), "double", n), levels = c(0, 1), direction = "<", quiet = TRUE)
}
r <- curve("a"); s <- curve("b")
for (call in arguments[-(1:3)]) {
  cat(sprintf("%.6f\n", system.time(eval(parse(text = call)), gcFirst = TRUE)[["elapsed"]]))
}
"""


def bootstrap_times(
    y: NDArray[Any], a: NDArray[Any], b: NDArray[Any], calls: dict[str, str], *, replicates: int
) -> dict[str, float]:
    """Seconds of calls in R with so many bootstrap replicates; curves are made before."""
    with tempfile.TemporaryDirectory() as folder:
        for name, array in {"y": y.astype(np.int32), "a": a, "b": b}.items():
            array.tofile(Path(folder) / name)
        run = subprocess.run(
            ["Rscript", "-e", BOOTSTRAP, folder, str(len(y)), str(replicates), *calls.values()],
            capture_output=True,
            text=True,
            check=True,
        )
    return dict(zip(calls, map(float, run.stdout.split()), strict=True))
