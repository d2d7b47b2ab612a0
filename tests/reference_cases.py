"""Inputs of the reference values in tests/reference: recipes for simulated data, columns for real data.

Every score is a multiple of 1/1024 made by integer arithmetic from the raw 64-bit output of PCG64. NumPy
guarantees that output, which it does not for Generator.normal and its kin, and decimal text carries such
a score exactly into any other program.
"""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from data_folder import data_file

Scores = dict[str, np.ndarray]
Data = tuple[np.ndarray, Scores]

FOLDER = Path(__file__).parent / "reference"
TICKS = 1024  # scores are whole numbers of ticks divided by this


def load_reference(name: str) -> dict[str, Any]:
    """The contents of tests/reference/NAME.json."""
    reference: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return reference


def case_data(case: dict[str, Any]) -> Data:
    """Labels (1 is positive) and scores per classifier of one case of a reference file."""
    if "recipe" not in case:
        return _read_columns(case)
    y, scores = RECIPES[case["recipe"]]()
    found = {name: checksum(values) for name, values in scores.items()}
    assert found == case["checksum"], f"recipe {case['recipe']} no longer makes the data of its reference"
    return y, scores


def checksum(scores: np.ndarray) -> int:
    """Sum of position (from 1) times score in ticks: exact, and the same in R."""
    return int(np.arange(1, scores.size + 1) @ (scores * TICKS).astype(np.int64))


def _read_columns(case: dict[str, Any]) -> Data:
    columns = case["columns"]
    with data_file(case["data"], f"{case['data']}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y = np.array([row[columns["label"]] == columns["positive"] for row in rows], dtype=np.int64)
    return y, {name: np.array([float(row[name]) for row in rows]) for name in columns["scores"]}


def _bell(seed: int, columns: int, n: int) -> np.ndarray:
    """Noise in ticks, columns x n: the sum of four uniform 10-bit integers, less its mean."""
    raw = np.random.PCG64(seed).random_raw(4 * columns * n).reshape(columns, n, 4)
    return (raw >> np.uint64(54)).astype(np.int64).sum(axis=-1) - 2046


def _labels(seed: int, n_pos: int, n_neg: int) -> np.ndarray:
    """Zeros and ones in an order given by the raw output of PCG64(seed + 1000)."""
    raw = np.random.PCG64(seed + 1000).random_raw(n_pos + n_neg)
    return np.repeat([1, 0], [n_pos, n_neg])[np.argsort(raw, kind="stable")]


def _ticks(seed: int, n_pos: int, n_neg: int, shifts: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and per shift a row of shift x label + noise of the row + noise common to all rows."""
    y = _labels(seed, n_pos, n_neg)
    common, *own = _bell(seed, len(shifts) + 1, y.size)
    return y, np.array([shift * y + common + noise for shift, noise in zip(shifts, own, strict=True)])


def _named(y: np.ndarray, ticks: Sequence[np.ndarray] | np.ndarray) -> Data:
    return y, {name: np.asarray(row) / TICKS for name, row in zip("abc", ticks, strict=False)}


def _shifted(seed: int, n_pos: int, n_neg: int, *shifts: int) -> Data:
    return _named(*_ticks(seed, n_pos, n_neg, shifts))


def _rounded(seed: int, n_pos: int, n_neg: int, width: int, limit: int) -> Data:
    """Whole scores in -limit..limit: one unit for every `width` ticks."""
    y, ticks = _ticks(seed, n_pos, n_neg, (700, 400))
    return _named(y, TICKS * np.clip((ticks + width // 2) // width, -limit, limit))


def _constant() -> Data:
    y, (informed,) = _ticks(12, 15, 25, (800,))
    return _named(y, [informed, np.zeros_like(y), np.full_like(y, 7 * TICKS)])


def _perfect() -> Data:
    y, (informed, noise) = _ticks(13, 12, 18, (600, 0))
    return _named(y, [noise + 9000 * y, informed])


def _degenerate() -> Data:
    y, (noise, other) = _ticks(14, 5, 7, (0, 0))
    return _named(y, [noise + 9000 * y, other + 9000 * y, np.zeros_like(y)])


def _below_half() -> Data:
    y, (slight, strong, noise) = _ticks(15, 30, 40, (-300, -900, 0))
    return _named(y, [slight, strong, noise - 9000 * y])


def _identical() -> Data:
    y, (ticks,) = _ticks(18, 25, 35, (700,))
    return _named(y, [ticks, ticks, 3 * ticks + TICKS])


def _rating(positives: Sequence[int], negatives: Sequence[int]) -> np.ndarray:
    """Ticks of a rating from counts per category, best category first; the positives come first."""
    ratings = np.arange(len(positives), 0, -1) * TICKS
    return np.concatenate([np.repeat(ratings, positives), np.repeat(ratings, negatives)])


def _rounding() -> Data:
    """Ties that rounding hides: 0.5 + 0.8 and 0.6 + 0.7, 0.5^2 and 0.3^2 + 0.4^2, a curve on the diagonal."""
    y = np.repeat([1, 0], 10)
    return _named(y, [_rating([5, 1, 4], [2, 1, 7]), _rating([7, 3, 0], [4, 1, 5]), _rating([3, 7], [3, 7])])


def _constant_shift() -> Data:
    """Placements that differ by 1/2 in every case: the difference of the areas has variance zero."""
    return _named(np.repeat([1, 0], [2, 3]), [_rating([2, 0], [2, 1]), _rating([0, 2], [2, 1])])


RECIPES: dict[str, Callable[[], Data]] = {
    "n4": lambda: _shifted(1, 2, 2, 400, 400),
    "n6": lambda: _shifted(2, 3, 3, 500, 300),
    "n20": lambda: _shifted(3, 8, 12, 700, 300, 0),
    "n50": lambda: _shifted(4, 20, 30, 900, 400),
    "n200": lambda: _shifted(5, 90, 110, 800, 600, 500),
    "n1000": lambda: _shifted(6, 250, 750, 1000, 900),
    "n10000": lambda: _shifted(7, 3000, 7000, 800, 780),
    "ties_three_levels": lambda: _rounded(8, 30, 50, 1200, 1),
    "ties_five_levels": lambda: _rounded(9, 60, 40, 700, 2),
    "rare_positives": lambda: _shifted(10, 5, 1995, 900, 500),
    "rare_negatives": lambda: _shifted(11, 300, 4, 900, 500),
    "constant_scores": _constant,
    "perfect_separation": _perfect,
    "perfect_and_constant": _degenerate,
    "below_half": _below_half,
    "negative_integers": lambda: _rounded(16, 40, 60, 100, 20),
    "three_correlated": lambda: _shifted(17, 70, 80, 1100, 800, 500),
    "identical": _identical,
    "one_positive": lambda: _shifted(19, 1, 9, 700, 300),
    "rounding": _rounding,
    "constant_shift": _constant_shift,
}
