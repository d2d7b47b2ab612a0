"""Readings in long form as a grid of readers, modalities and cases; areas of its cells and their covariance.

A cell is one reader in one modality, with m positive and n negative cases. For a positive i and a negative j
of a cell, phi_ij is 1, 1/2 or 0 as the positive has the higher, the same or the lower score, and the area is
the mean of phi over all pairs. Two cells share those cases that both have read. With placements V, the means
of phi over the other class, deviations d = V - area, and sums over shared cases, the covariance of the areas
of two cells is by

- DeLong [1]_: sum d d' / (m (m - 1)) of the positives, plus the same of the negatives; for cells that share
  all of their cases or none;
- the jackknife [2]_: (N - 1) / N times the sum of sum d d' / ((m - 1) (m' - 1)) of either class, N being the
  number of cases of the study: what leaving out each case in turn gives for an area;
- "unbiased" [3]_: area times area' minus the mean of phi phi' over all pairs of pairs that share no case.

All sums are whole numbers until the last division, so equal columns have exactly equal entries.

References
----------
.. [1] DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver
   operating characteristic curves: a nonparametric approach, Biometrics 44, 1988.
.. [2] Efron: The jackknife, the bootstrap and other resampling plans, SIAM, 1982.
.. [3] Gallas, Pennello, Myers: Multireader multicase variance analysis for binary data, Journal of the
   Optical Society of America A 24, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, frames
from rocscope.core.frames import Missing
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, distinct_labels
from rocscope.errors import RocInputError

Floats: TypeAlias = NDArray[np.float64]
# Whole numbers of any length, so that products of sums are exact.
Integers: TypeAlias = NDArray[np.object_]
CovarianceMethod: TypeAlias = Literal["delong", "jackknife", "unbiased"]
Design: TypeAlias = Literal[
    "crossed", "nested in readers", "nested in modalities", "split-plot", "unbalanced"
]
# Numbers that a block of comparisons of positives and negatives holds.
BLOCK = 4_000_000
SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readings:
    """Scores of every cell, checked: cells are modality by modality, readers in their order within each.

    `read` marks the cases of every cell; `scores` of other cases are 0 and mean nothing.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    positive: NDArray[np.bool_]
    scores: NDArray[Any]
    read: NDArray[np.bool_]
    pos_label: Any
    neg_label: Any
    direction: Direction
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        reader: Any,
        modality: Any,
        case: Any,
        pos_label: Any,
        label: str | None,
        score: str | None,
        na: Missing,
        direction: Direction,
    ) -> Readings:
        """Check one row per reading, and put them in their cells."""
        checks.check_choice(na, get_args(Missing), name="na")
        factors = {"reader": reader, "modality": modality, "case": case}
        about: dict[str, Any] = {"pos_label": pos_label, "direction": direction}
        dropped: tuple[str, ...] = ()
        if isinstance(y_true, BinaryScores):
            data = BinaryScores.from_arrays(y_true, y_score, label=label, score=score, **about)
            rows = dict[str, Any](factors)
        else:
            y_true, y_score, factors = frames.read_columns(
                y_true, y_score, label=label, score=score, **factors
            )
            rows, dropped = frames.matched_rows({"y_true": y_true, "y_score": y_score}, factors, na=na)
            data = BinaryScores.from_arrays(rows["y_true"], rows["y_score"], **about)
        data = data.single()
        if data.weight is not None:
            raise RocInputError("must have no case weights", argument="y_true")
        columns = {name: checks.as_vector(rows.get(name), name=name) for name in factors}
        checks.check_same_length(("y_true", data.positive), *columns.items())
        codes, names = dict[str, NDArray[np.intp]](), dict[str, list[Any]]()
        for name, values in columns.items():
            wrong = checks.missing(values)
            checks.refuse_rows(wrong, name=name, required="no missing values", got="missing values")
            names[name] = distinct_labels(values)
            if len(set(map(str, names[name]))) < len(names[name]):
                raise RocInputError("must have names that differ as text", argument=name)
            places = {value: place for place, value in enumerate(names[name])}
            codes[name] = np.fromiter((places[value] for value in values.tolist()), np.intp, len(values))
        return cls._of_codes(data, codes, names, dropped)

    @classmethod
    def _of_codes(
        cls,
        data: BinaryScores,
        codes: dict[str, NDArray[np.intp]],
        names: dict[str, list[Any]],
        dropped: tuple[str, ...],
    ) -> Readings:
        """Refuse what is no study of readers, and fill the grid."""
        for name, plural, hint in (
            ("reader", "readers", "; compare_auc compares the modalities of one reader"),
            ("modality", "modalities", ""),
        ):
            if len(names[name]) < 2:
                only = checks.show(names[name][0])
                _refuse(f"must hold two or more {plural}, got only {only}{hint}", name)
        n_readers, n_cases = len(names["reader"]), len(names["case"])
        cell = codes["modality"] * n_readers + codes["reader"]
        cells = [
            f"reader {checks.show(r)} in modality {checks.show(t)}"
            for t in names["modality"]
            for r in names["reader"]
        ]
        readings = np.bincount(cell * n_cases + codes["case"], minlength=len(cells) * n_cases)
        again = [
            f"case {checks.show(names['case'][k % n_cases])} of {cells[k // n_cases]}"
            for k in np.flatnonzero(readings > 1).tolist()
        ]
        if again:
            _refuse(
                f"must have one reading for every reader, modality and case, got more of {_listed(again)}",
                "case",
            )
        read = readings.reshape(len(cells), n_cases) > 0
        scores = np.zeros(read.shape, dtype=data.columns[0].dtype)
        scores[cell, codes["case"]] = data.columns[0]
        positive = np.zeros(n_cases, dtype=bool)
        positive[codes["case"][data.positive]] = True
        both = np.unique(codes["case"][positive[codes["case"]] & ~data.positive])
        if both.size:
            cases = _listed([checks.show(names["case"][k]) for k in both])
            _refuse(f"must hold one label for every case, got two for {cases}", "y_true")
        if not read.any(axis=1).all():
            missing = _listed([cells[k] for k in np.flatnonzero(~read.any(axis=1))])
            _refuse(f"must have readings of every reader in every modality, got none of {missing}", "reader")
        for members, only in ((positive, data.neg_label), (~positive, data.pos_label)):
            lacking = [cells[k] for k in np.flatnonzero(~(read & members).any(axis=1))]
            if lacking:
                required = "must hold two classes for every reader in every modality"
                _refuse(f"{required}, got only {checks.show(only)} for {_listed(lacking)}", "y_true")
        return cls(
            modalities=tuple(map(str, names["modality"])),
            readers=tuple(map(str, names["reader"])),
            positive=positive,
            scores=scores,
            read=read,
            pos_label=data.pos_label,
            neg_label=data.neg_label,
            direction=data.direction,
            warnings=(*data.warnings, *dropped),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of modalities and of readers."""
        return len(self.modalities), len(self.readers)

    @property
    def design(self) -> Design:
        """Which cells share their cases."""
        sets = self.read.reshape(*self.shape, -1)
        if (self.read == self.read[0]).all():
            return "crossed"
        if (sets == sets[:, :1]).all() and not (sets[:, 0].sum(axis=0) > 1).any():
            return "nested in modalities"
        if (sets == sets[:1]).all():
            of_readers = np.unique(sets[0], axis=0)
            if not (of_readers.sum(axis=0) > 1).any():  # groups of readers have no case in common
                return "nested in readers" if len(of_readers) == self.shape[1] else "split-plot"
        return "unbalanced"


def _refuse(message: str, argument: str) -> NoReturn:
    raise RocInputError(message, argument=argument, data_dependent=True)


def _listed(texts: list[str]) -> str:
    """The first of several things, and how many more there are."""
    more = f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderAreas:
    """Areas of all cells, (modality, reader), and what the covariances are made of, (cell, cell).

    `twice_u` and `pairs` are the sum of 2 phi and the number of pairs of every cell. `apart_sums` and
    `apart_pairs` are the sum of 4 phi phi' over all pairs of pairs that share no case, and their number; the
    unbiased covariance alone has them. `covariance_pos`, the part of the positives, is that of cells which
    share all of their cases.
    """

    auc: Floats
    n_pos: NDArray[np.int64]
    n_neg: NDArray[np.int64]
    covariance: Floats
    covariance_pos: Floats
    twice_u: Integers
    pairs: Integers
    apart_sums: Integers | None = None
    apart_pairs: Integers | None = None

    @classmethod
    def of(cls, readings: Readings, method: CovarianceMethod) -> ReaderAreas:
        """Areas and covariances by a method."""
        positive, read = readings.positive, readings.read
        placements = np.zeros(read.shape, dtype=np.int64)
        for cell, own in enumerate(read):
            data = BinaryScores(
                positive=positive[own],
                columns=(readings.scores[cell, own],),
                names=("",),
                pos_label=True,
                neg_label=False,
            )
            of_pos, of_neg = data.doubled_placements()
            placements[cell, own & positive] = of_pos
            placements[cell, own & ~positive] = of_neg
        m, n = (read & positive).sum(axis=1), (read & ~positive).sum(axis=1)
        twice_u = _exact(placements[:, positive].sum(axis=1))
        classes = [
            _ClassSums.of(placements[:, members], read[:, members], twice_u, _exact(own), _exact(other))
            for members, own, other in ((positive, m, n), (~positive, n, m))
        ]
        pairs = _exact(m) * _exact(n)
        shape = readings.shape
        parts: dict[str, Any] = {
            "auc": _divide(twice_u, 2 * pairs).reshape(shape),
            "n_pos": m.reshape(shape),
            "n_neg": n.reshape(shape),
            "twice_u": twice_u,
            "pairs": pairs,
        }
        if method == "unbiased":
            both = _shared_products(readings)
            pos, neg = classes
            scale, area_products = np.outer(pairs, pairs), np.outer(twice_u, twice_u)
            sums = area_products - pos.products - neg.products + both
            count = (
                scale
                - np.outer(neg.size, neg.size) * pos.shared
                - np.outer(pos.size, pos.size) * neg.shared
                + pos.shared * neg.shared
            )
            # What pairs that share a positive alone add, and half of what those add that share both.
            of_pos = (2 * pos.products - both) * count - ((2 * neg.size - 1) * pairs)[:, None] * sums
            return cls(
                covariance=_divide(area_products * count - scale * sums, 4 * scale * count),
                covariance_pos=_divide(of_pos, 8 * scale * count),
                apart_sums=sums,
                apart_pairs=count,
                **parts,
            )
        n_cases = len(positive) if method == "jackknife" else None
        part_pos, part_neg = (one.covariance(n_cases) for one in classes)
        return cls(covariance=part_pos + part_neg, covariance_pos=part_pos, **parts)


@dataclass(frozen=True, slots=True)
class _ClassSums:
    """Whole numbers of one class for all pairs of cells: shared cases, and sums over them.

    `products` are sums of products of doubled placements, `deviations` those of the deviations d, times
    `scale`.
    """

    size: Integers
    shared: Integers
    products: Integers
    deviations: Integers
    scale: Integers

    @classmethod
    def of(
        cls,
        placements: NDArray[np.int64],
        read: NDArray[np.bool_],
        twice_u: Integers,
        size: Integers,
        other: Integers,
    ) -> _ClassSums:
        marks = read.astype(np.int64)
        shared, products = _exact(marks @ marks.T), _exact(placements @ placements.T)
        sums = _exact(placements @ marks.T)  # of the first cell, over the cases that the second shares
        # d = (size * doubled placement - twice_u) / (2 * size * other)
        deviations = (
            np.outer(size, size) * products
            - np.outer(size, twice_u) * sums
            - np.outer(twice_u, size) * sums.T
            + np.outer(twice_u, twice_u) * shared
        )
        scale = np.outer(2 * size * other, 2 * size * other)
        return cls(size, shared, products, deviations, scale)

    def covariance(self, n_cases: int | None) -> Floats:
        """Part of the covariance that comes from this class, by DeLong or the jackknife of so many cases."""
        if n_cases is None:
            return _divide(self.deviations, self.scale * np.outer(self.size, self.size - 1))
        left = np.outer(self.size - 1, self.size - 1)
        return _divide((n_cases - 1) * self.deviations, n_cases * self.scale * left)


def _shared_products(readings: Readings) -> Integers:
    """Sum of 4 phi phi' over the pairs of a positive and a negative that both cells have, block by block."""
    positive, read, scores = readings.positive, readings.read, readings.scores
    total = np.zeros((len(read), len(read)))
    rows, neg = np.flatnonzero(positive), np.flatnonzero(~positive)
    step = max(1, BLOCK // (len(read) * neg.size))  # rows of a block of at most BLOCK numbers
    for start in range(0, rows.size, step):
        pos = rows[start : start + step]
        above, level = scores[:, pos, None], scores[:, None, neg]
        twice_phi = 2.0 * (above > level) + (above == level)
        twice_phi *= read[:, pos, None] & read[:, None, neg]
        flat = twice_phi.reshape(len(read), -1)
        total += flat @ flat.T  # whole numbers below 2^53
    return _exact(total.astype(np.int64))


def _exact(values: NDArray[Any]) -> Integers:
    return values.astype(object)


def _divide(numerators: Integers, denominators: Integers) -> Floats:
    """Quotients of whole numbers, each rounded once; NaN where a denominator is 0."""
    both = zip(numerators.ravel().tolist(), denominators.ravel().tolist(), strict=True)
    quotients = [a / b if b else np.nan for a, b in both]
    return np.array(quotients, dtype=np.float64).reshape(numerators.shape)
