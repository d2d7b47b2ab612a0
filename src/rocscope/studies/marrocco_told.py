"""What the hold-outs of `marrocco` say: tables 2 to 4 beside ours, weights foreseen, figures 1 to 4."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import fit_binormal
from rocscope.binormal.fusion_grid import WeightGrid
from rocscope.binormal.fusion_resampled import summarize
from rocscope.binormal.fusion_result import COLUMNS, FusionPreview
from rocscope.binormal.fusion_scale import SCALES
from rocscope.binormal.fusion_summary import agreement, choices
from rocscope.studies import marrocco_paper as paper
from rocscope.studies.base import Figure, Options, Table, Told, table_row
from rocscope.studies.marrocco_notes import CHOSEN, INCONSISTENT, MAIN, MISSING, SAME, TITLES

Floats = NDArray[np.float64]
PREDICTED = ("independent", "correlated")
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runs:
    """Areas of all runs on one data set: (runs, directions, columns), NaN where a fit has none."""

    dataset: str
    values: Floats
    grid: WeightGrid

    def at(self, svm: float, mlp: float, column: str) -> Floats:
        """Values of all runs for one pair of weights."""
        pair = np.isclose(self.grid.weights, (svm, mlp)).all(axis=1)
        found: Floats = self.values[:, self.grid.index[int(np.argmax(pair))], COLUMNS.index(column)]
        return found

    @property
    def known(self) -> Floats:
        """The runs that have all columns."""
        found: Floats = self.values[np.isfinite(self.values.sum(axis=(1, 2)))]
        return found

    @property
    def means(self) -> Floats:
        """Mean over the runs that have all columns, (directions, columns)."""
        return np.asarray(self.known.mean(axis=0))


def tell(results: Mapping[str, Any], options: Options) -> Told:
    """Make tables, figures and notes of the results."""
    names = [name for name in paper.TABLES if f"{name}/0" in results]
    main = [_runs(results, name, MAIN) for name in names]
    readings = [key for key in results[f"{names[0]}/0"] if key != "validation"]
    tables = [
        *(Table(name=f"table_{paper.TABLES[runs.dataset]}", rows=list(_cells(runs))) for runs in main),
        Table(name="foreseen", rows=list(_foreseen_rows(results, names))),
        Table(name="readings", rows=[row for name in names for row in _readings(results, name, readings)]),
        Table(name="correlations", rows=[row for name in names for row in _correlations(results, name)]),
    ]
    maps = [
        Figure(name=f"figure_{k}", result=_mean_preview(runs), options={"colours": "own"})
        for k, runs in enumerate(main, start=1)
    ]
    return Told(
        tables=tuple(tables),
        figures=(*maps, _worst_fits(results, names)),
        findings=(
            *map(_within_words, main),
            *_foreseen_words(tables[-3].rows),
            _reading_words(tables[-2].rows),
        ),
        same=SAME,
        chosen=CHOSEN,
        missing=(*MISSING, *(f"The data set {name} was not found." for name in TITLES if name not in names)),
        inconsistent=INCONSISTENT,
    )


def _of_dataset(results: Mapping[str, Any], name: str) -> list[Any]:
    keys = [key for key in results if key.startswith(f"{name}/")]
    return [results[key] for key in sorted(keys, key=lambda key: int(key.rpartition("/")[2]))]


def _runs(results: Mapping[str, Any], name: str, reading: str, scale: str = "raw") -> Runs:
    grid = WeightGrid.of()
    nothing = np.full((len(grid.directions), len(COLUMNS)), np.nan)
    found = [one[reading][scale]["values"] for one in _of_dataset(results, name)]
    values = [nothing if one is None else np.array(one, dtype=np.float64) for one in found]
    return Runs(dataset=name, values=np.array(values), grid=grid)


# ---- Tables -----------------------------------------------------------------------------------------------


def _cells(runs: Runs) -> Iterator[dict[str, Any]]:
    """Every cell of a table: counted, predicted as in the paper, and predicted with correlations."""
    printed = {"empirical": paper.EMPIRICAL, "independent": paper.PARAMETRIC}
    for column in ("empirical", *PREDICTED):
        for row, place, svm, mlp in paper.cells():
            told = printed[column][runs.dataset][row][place] if column in printed else None
            yield _compared(runs.at(svm, mlp, column), told, area=column, svm=svm, mlp=mlp)


def _compared(values: Floats, told: float | None, **names: Any) -> dict[str, Any]:
    """Mean of the runs that have a value, beside the printed one, with their standard deviation."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return table_row(told, None, None, **names, runs=len(known), run_sd=None, within_sd=None)
    mean, sd = float(known.mean()), float(known.std(ddof=1))
    within = None if told is None else bool(abs(mean - told) <= sd)
    return table_row(
        told, mean, sd / math.sqrt(len(known)), **names, runs=len(known), run_sd=sd, within_sd=within
    )


def foreseen(values: Floats, column: str, kind: str) -> NDArray[np.bool_]:
    """In which runs of (runs, directions, columns) the predicted best or worst ratio is the counted one.

    Examples
    --------
    >>> one = np.array([[0.8, 0.8, 0.6], [0.9, 0.7, 0.7]])
    >>> foreseen(one[None], "independent", "best"), foreseen(one[None], "correlated", "best")
    (array([ True]), array([False]))
    """
    sign = 1 if kind == "best" else -1
    predicted, counted = sign * values[:, :, COLUMNS.index(column)], sign * values[:, :, -1]
    chosen = predicted.argmax(axis=1)
    return np.asarray(counted[np.arange(len(values)), chosen] == counted.max(axis=1))


def _foreseen_rows(results: Mapping[str, Any], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for name in names:
        for scale in SCALES:
            runs = _runs(results, name, MAIN, scale)
            for column in PREDICTED:
                for kind in ("best", "worst"):
                    yield _foreseen_row(runs, column, kind, scale)


def _foreseen_row(runs: Runs, column: str, kind: str, scale: str) -> dict[str, Any]:
    """Runs in which the weights were foreseen; the paper claims it of the mean over its runs."""
    names = {"dataset": runs.dataset, "scale": scale, "predicted": column, "weights": kind}
    values = runs.known
    if not len(values):
        return table_row(
            None, None, None, **names, runs=0, of_the_means=None, paper_of_the_means=True, loss=None
        )
    hits = foreseen(values, column, kind)
    return table_row(
        None,
        int(hits.sum()),
        None,
        **names,
        runs=len(values),
        of_the_means=bool(foreseen(runs.means[None], column, kind)[0]),
        paper_of_the_means=True,
        loss=float(_losses(values, column, kind).mean()),
    )


def _losses(values: Floats, column: str, kind: str) -> Floats:
    """How far the counted area at the predicted best (worst) ratio is from the counted best (worst)."""
    sign = 1 if kind == "best" else -1
    counted = sign * values[:, :, -1]
    chosen = (sign * values[:, :, COLUMNS.index(column)]).argmax(axis=1)
    return np.asarray(counted.max(axis=1) - counted[np.arange(len(values)), chosen])


def _readings(results: Mapping[str, Any], name: str, readings: Sequence[str]) -> Iterator[dict[str, Any]]:
    """How many counted areas of each reading of the MLP are within one deviation of the printed ones."""
    for reading in readings:
        rows = [row for row in _cells(_runs(results, name, reading)) if row["area"] == "empirical"]
        rows = [row for row in rows if row["difference"] is not None]
        within = sum(row["within_sd"] for row in rows)
        largest = max(abs(row["difference"]) for row in rows)
        names = {"dataset": name, "mlp": reading, "cells": len(rows), "largest_difference": largest}
        yield table_row(None, within, None, **names)


def _correlations(results: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Mean correlation of the two classifiers within each class, which the paper takes to be none."""
    pairs = [one[MAIN]["raw"]["rho"] for one in _of_dataset(results, name)]
    for place, cases in enumerate(("negatives", "positives")):
        rho = np.array([np.nan if pair is None or None in pair else pair[place] for pair in pairs])
        row = _compared(rho, None, dataset=name, cases=cases, assumed=0.0)
        yield {column: value for column, value in row.items() if column != "within_sd"}


# ---- Figures ----------------------------------------------------------------------------------------------


def _mean_preview(runs: Runs) -> FusionPreview:
    """The means of all runs as one preview, which draws the maps of figures 1 to 3."""
    grid, means = runs.grid, runs.means
    unsure = summarize(np.empty((0, 3, len(grid.directions))), level=LEVEL, sign=1)
    rows = means[grid.index]
    spread = {name: getattr(unsure, name)[grid.index] for name in ("se", "low", "high", "chosen")}
    return FusionPreview(
        names=("SVM", "MLP"),
        target=f"mean AUC ({TITLES[runs.dataset]}, {len(runs.known)} hold-outs)",
        scale="raw",
        weights=grid.weights,
        independent=rows[:, 0],
        correlated=rows[:, 1],
        empirical=rows[:, 2],
        defined=~np.isnan(rows),
        directions=grid.directions,
        direction=grid.index,
        **spread,
        # Curves differ from run to run: those of two coins stand for none.
        first=Binormal(a=0.0, b=1.0),
        second=Binormal(a=0.0, b=1.0),
        pair=None,
        choices=choices(grid, means, unsure, 1),
        agreement=agreement(grid, means, np.empty((0, 3, len(grid.directions))), LEVEL),
        optimum_independent=None,
        optimum_correlated=None,
        assumptions=("means over hold-outs",),
        level=LEVEL,
        n_boot=0,
        n_failed=unsure.n_failed,
        n_pos=0,
        n_neg=0,
        n_pos_test=0,
        n_neg_test=0,
        larger_is_better=True,
    )


def _worst_fits(results: Mapping[str, Any], names: Sequence[str]) -> Figure:
    """The two curves whose fitted area is farthest from the counted one, as in figure 4."""
    found = []
    for name in names:
        for run, one in enumerate(_of_dataset(results, name)):
            for learner in ("SVM", "MLP"):
                fit = fit_binormal(one["validation"]["positive"], one["validation"][learner])
                found.append((_misfit(fit), f"{learner} on {TITLES[name]}, run {run + 1}", fit))
    found.sort(key=lambda one: -one[0])
    (_, first, fit), (_, second, other) = found[:2]
    return Figure(name="figure_4", result=fit, beside=(other,), titles=(first, second))


def _misfit(fit: Binormal) -> float:
    if fit.auc is None or fit.categories is None:
        return 0.0
    return abs(fit.auc - fit.categories.auc)


# ---- Words ------------------------------------------------------------------------------------------------


def _within_words(runs: Runs) -> str:
    rows = [row for row in _cells(runs) if row["area"] == "empirical" and row["difference"] is not None]
    within = sum(row["within_sd"] for row in rows)
    largest = max(rows, key=lambda row: abs(row["difference"]))
    at = f"SVM {largest['svm']:g}, MLP {largest['mlp']:g}"
    return (
        f"{TITLES[runs.dataset]}: {within} of {len(rows)} empirical areas are within one run-to-run standard "
        f"deviation of the paper's; the largest difference is {largest['difference']:+.4f} ({at}), where the "
        f"standard deviation is {largest['run_sd']:.4f}."
    )


def _foreseen_words(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for row_scale in dict.fromkeys(row["scale"] for row in rows):
        for column in PREDICTED:
            mine = [row for row in rows if (row["scale"], row["predicted"]) == (row_scale, column)]
            told = []
            for kind in ("best", "worst"):
                of_kind = [row for row in mine if row["weights"] == kind and row["ours"] is not None]
                hits, runs = (sum(row[name] for row in of_kind) for name in ("ours", "runs"))
                means = sum(row["of_the_means"] for row in of_kind)
                told.append(
                    f"{kind} weights in {hits} of {runs} runs and {means} of {len(of_kind)} mean tables"
                )
            words = "; ".join(told)
            yield f"Foreseen, {row_scale} scale, {column}: {words}. The paper: all of its mean tables."


def _reading_words(rows: Sequence[Mapping[str, Any]]) -> str:
    sums: dict[str, list[int]] = {}
    for row in rows:
        found = sums.setdefault(row["mlp"], [0, 0])
        found[0], found[1] = found[0] + row["ours"], found[1] + row["cells"]
    told = "; ".join(f"{reading}: {within} of {cells}" for reading, (within, cells) in sums.items())
    return f"Empirical areas within one standard deviation by reading of the MLP: {told}."
