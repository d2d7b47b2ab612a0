"""Variances of the mean areas of several readers, and of their differences between modalities.

With areas A[t, r] of T modalities and J readers, mean squares MS of their two-way analysis of variance, and
the error variance and covariances of the areas averaged over pairs of cells, Var (the same cell), Cov1 (the
same reader), Cov2 (the same modality) and Cov3 (neither), the variance of the difference of two modality
means is by Obuchowski and Rockette [1]_ with the corrections of Hillis [2]_

    random readers, random cases   2/J (MS(TR) + J max(Cov2 - Cov3, 0)),
                                   df = (the bracket)^2 (T - 1)(J - 1) / MS(TR)^2
    random readers, fixed cases    2/J MS(TR),  df = (T - 1)(J - 1)
    fixed readers, random cases    2/J (Var - Cov1 + (J - 1)(Cov2 - Cov3)),  normal

F is the mean of the squared differences over pairs of modalities, divided by this variance. The expectation
of MS(TR) is linear in the covariances, so the variance is unbiased (but for the maximum) in any design in
which every reader reads in every modality, if covariances of cells without common cases count as 0 in the
averages.

Gallas [3]_, [4]_ treats the readers as a third sample of a U-statistic: the area of a modality is the mean
of phi over all readers, positives and negatives, and the covariance of two modalities is the product of their
areas minus the mean of phi phi' over terms that share no reader, positive or negative. In a crossed study
this is the first variance above without the maximum, by unbiased covariances. Its degrees of freedom are
V^2 (J - 1) / W^2, where V is the variance and W that with cases fixed: those of Hillis in a crossed study.

References
----------
.. [1] Obuchowski, Rockette: Hypothesis testing of diagnostic accuracy for multiple readers and multiple
   tests, an ANOVA approach with dependent observations, Communications in Statistics - Simulation and
   Computation 24, 1995.
.. [2] Hillis: A comparison of denominator degrees of freedom methods for multiple observer ROC analysis,
   Statistics in Medicine 26, 2007.
.. [3] Gallas: One-shot estimate of MRMC variance: AUC, Academic Radiology 13, 2006.
.. [4] Gallas, Bandos, Samuelson, Wagner: A framework for random-effects ROC analysis: biases with the
   bootstrap and other variance estimators, Communications in Statistics - Theory and Methods 38, 2009.
.. [5] Hillis, Obuchowski, Berbaum: Power estimation for multireader ROC methods: an updated and unified
   approach, Academic Radiology 18, 2011.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import significance
from rocscope.core.formatting import number
from rocscope.core.result import Row
from rocscope.errors import UndefinedError
from rocscope.inference.reader_areas import Floats, ReaderAreas

Effect: TypeAlias = Literal["random", "fixed"]
FEW = "the variance needs two cases in each class for every reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderComponents(Row):
    """Variance components of Obuchowski and Rockette.

    Attributes
    ----------
    reader, modality_reader
        Variance between readers, and that of their interaction with modalities. Estimates, and so perhaps
        negative.
    error, cov1, cov2, cov3
        Error variance of an area; covariances of areas of the same reader in two modalities, of two readers
        in the same modality, and of two readers in two modalities.
    ms_modality, ms_reader, ms_modality_reader
        Mean squares of the analysis of variance of the areas.
    error_pos, cov1_pos, cov2_pos, cov3_pos
        What the positive cases add to error variance and covariances; None unless the study is crossed.
    """

    reader: float | None
    modality_reader: float | None
    error: float | None
    cov1: float | None
    cov2: float | None
    cov3: float | None
    ms_modality: float
    ms_reader: float
    ms_modality_reader: float
    error_pos: float | None = None
    cov1_pos: float | None = None
    cov2_pos: float | None = None
    cov3_pos: float | None = None

    @property
    def correlations(self) -> tuple[float | None, float | None, float | None]:
        """The covariances over the error variance."""
        if not self.error:
            return None, None, None
        first, second, third = (
            None if c is None else c / self.error for c in (self.cov1, self.cov2, self.cov3)
        )
        return first, second, third

    @property
    def interaction(self) -> float:
        """Variance of readers times modalities as [5] takes it: at least 0, and Cov2 - Cov3 likewise."""
        within, between = self.at(1.0, 1.0)
        return max(self.ms_modality_reader - within + max(between, 0.0), 0.0)

    def at(self, pos: float, neg: float) -> tuple[float, float]:
        """Var - Cov1 and Cov2 - Cov3 where the parts of the classes are so many times what they are here."""
        values = (self.error, self.cov1, self.cov2, self.cov3)
        parts = (self.error_pos, self.cov1_pos, self.cov2_pos, self.cov3_pos)
        scaled = list[float]()
        for value, part in zip(values, parts, strict=True):
            if value is None or part is None:
                raise UndefinedError(f"power needs variance components: {FEW}")
            scaled.append(pos * part + neg * (value - part))
        return scaled[0] - scaled[1], scaled[2] - scaled[3]

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """One row per component: variances of areas are small, and so in thousandths."""
        names = {
            "reader": "Reader",
            "modality_reader": "Reader by modality",
            "error": "Error",
            "cov1": "Cov1, same reader",
            "cov2": "Cov2, same modality",
            "cov3": "Cov3, neither",
        }
        values = [None if self[name] is None else 1000 * self[name] for name in names]
        correlations = [None, None, None, *self.correlations]
        columns = {"component": list(names.values()), "estimate": values, "correlation": correlations}
        headings = {"component": "Component", "estimate": "Variance x 1000", "correlation": "Correlation"}
        return columns, headings, []

    def _summary(self) -> str:
        names = ("reader", "modality_reader", "error", "cov1", "cov2", "cov3")
        texts = [f"{name.replace('_', ' x ')} {number(self[name], '.4g')}" for name in names]
        return f"Variance components: {', '.join(texts)}"


def variance_components(areas: ReaderAreas, *, crossed: bool) -> ReaderComponents:
    """Mean squares, and covariances averaged over pairs of cells, [1].

    Mean squares come from differences of areas, so that equal modalities have exactly 0.
    """
    auc = areas.auc
    T, J = auc.shape
    means = auc.mean(axis=1)
    modality = J / 2 * float(np.mean([(means[s] - means[t]) ** 2 for s, t in combinations(range(T), 2)]))
    interaction = float(np.mean([np.var(auc[s] - auc[t], ddof=1) for s, t in combinations(range(T), 2)])) / 2
    reader = T * float(np.var(auc.mean(axis=0), ddof=1))
    error, cov1, cov2, cov3 = averages(areas.covariance, T, J)
    parts = averages(areas.covariance_pos, T, J) if crossed else (math.nan,) * 4
    values = {
        "reader": (reader - interaction) / T - cov1 + cov3,
        "modality_reader": interaction - error + cov1 + (cov2 - cov3),
        "error": error,
        "cov1": cov1,
        "cov2": cov2,
        "cov3": cov3,
        **dict(zip(("error_pos", "cov1_pos", "cov2_pos", "cov3_pos"), parts, strict=True)),
    }
    return ReaderComponents(
        ms_modality=modality,
        ms_reader=reader,
        ms_modality_reader=interaction,
        **{name: None if math.isnan(value) else value for name, value in values.items()},
    )


def averages(covariance: Floats, T: int, J: int) -> tuple[float, float, float, float]:
    """Var, Cov1, Cov2 and Cov3 of a covariance of cells, modality by modality.

    Examples
    --------
    >>> averages(np.arange(16.0).reshape(4, 4), 2, 2)
    (7.5, 7.5, 7.5, 7.5)
    """
    cells = covariance.reshape(T, J, T, J)
    others, apart = ~np.eye(J, dtype=bool), list(permutations(range(T), 2))
    return (
        float(np.mean([np.diag(cells[t, :, t]).mean() for t in range(T)])),
        float(np.mean([np.diag(cells[s, :, t]).mean() for s, t in apart])),
        float(np.mean([cells[t, :, t][others].mean() for t in range(T)])),
        float(np.mean([cells[s, :, t][others].mean() for s, t in apart])),
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """Variances of mean areas and of their differences, each with degrees of freedom (None: normal).

    `overall` is the mean variance of a difference, for the test of all modalities together.
    """

    mean: list[tuple[float, float | None]]
    pair: dict[tuple[int, int], tuple[float, float | None]]
    overall: tuple[float, float | None]


@dataclass(frozen=True, slots=True)
class Effects:
    """What is random, and the two ways to the variances."""

    readers: Effect
    cases: Effect
    components: ReaderComponents

    def anova(self, areas: ReaderAreas) -> tuple[Floats, Spread]:
        """Obuchowski and Rockette: one variance for all pairs; that of a mean from its own modality."""
        T, J = areas.auc.shape
        error, cov1, cov2, cov3 = averages(areas.covariance, T, J)
        ms = self.components.ms_modality_reader
        df: float | None = None
        if self.readers == "fixed":
            variance = 2 / J * (error - cov1 + (J - 1) * (cov2 - cov3))
        elif self.cases == "fixed":
            variance, df = 2 / J * ms, float((T - 1) * (J - 1))
        else:
            total = ms + J * _positive_part(cov2 - cov3)
            variance, df = 2 / J * total, _df(total, ms, (T - 1) * (J - 1))
        own = [self._mean_variance(areas, t) for t in range(T)]
        pairs = dict.fromkeys(combinations(range(T), 2), (variance, df))
        return areas.auc.mean(axis=1), Spread(own, pairs, (variance, df))

    def _mean_variance(self, areas: ReaderAreas, t: int) -> tuple[float, float | None]:
        """Variance of the mean area of one modality, from its readings alone."""
        T, J = areas.auc.shape
        ms = float(np.var(areas.auc[t], ddof=1))
        block = areas.covariance.reshape(T, J, T, J)[t, :, t]
        error = float(np.diag(block).mean())
        cov2 = _positive_part(float(block[~np.eye(J, dtype=bool)].mean()))
        if self.readers == "fixed":
            return (error + (J - 1) * cov2) / J, None
        if self.cases == "fixed":
            return ms / J, J - 1.0
        return ms / J + cov2, _df(ms + J * cov2, ms, J - 1)

    def u_statistic(self, areas: ReaderAreas) -> tuple[Floats, Spread]:
        """Gallas: areas of all pairs of cases together, and their covariance as a whole."""
        T, J = areas.auc.shape
        assert areas.apart_sums is not None
        assert areas.apart_pairs is not None
        sums, pairs = areas.twice_u.reshape(T, J), areas.pairs.reshape(T, J)
        means = np.array([sum(sums[t]) / (2 * sum(pairs[t])) for t in range(T)])
        product = np.outer(means, means)
        fixed_cases = product - _mean_apart(
            np.outer(areas.twice_u, areas.twice_u), np.outer(areas.pairs, areas.pairs), T, J
        )
        if self.readers == "fixed":
            weight = np.array([[p / sum(pairs[t]) for p in pairs[t]] for t in range(T)])
            covariance = np.einsum("ar,arbs,bs->ab", weight, areas.covariance.reshape(T, J, T, J), weight)
        elif self.cases == "fixed":
            covariance = fixed_cases
        else:
            covariance = product - _mean_apart(areas.apart_sums, areas.apart_pairs, T, J)

        def spread(total: float, of_readers: float, n: int) -> tuple[float, float | None]:
            if self.readers == "fixed":
                return total, None
            return total, float(n) if self.cases == "fixed" else _df(total, of_readers, n)

        both = {
            (s, t): [
                float(matrix[s, s] + matrix[t, t] - 2 * matrix[s, t]) for matrix in (covariance, fixed_cases)
            ]
            for s, t in combinations(range(T), 2)
        }
        mean_total, mean_readers = np.mean(list(both.values()), axis=0).tolist()
        return means, Spread(
            [spread(float(covariance[t, t]), float(fixed_cases[t, t]), J - 1) for t in range(T)],
            {pair: spread(total, of_readers, J - 1) for pair, (total, of_readers) in both.items()},
            spread(mean_total, mean_readers, (T - 1) * (J - 1)),
        )


def _mean_apart(sums: NDArray[Any], counts: NDArray[Any], T: int, J: int) -> Floats:
    """Mean of phi phi' over different readers, for each pair of modalities, from sums of 4 phi phi'."""
    sums, counts = sums.reshape(T, J, T, J), counts.reshape(T, J, T, J)
    apart = [(r, q) for r in range(J) for q in range(J) if r != q]
    mean = np.full((T, T), np.nan)
    for s in range(T):
        for t in range(T):
            count = sum(counts[s, r, t, q] for r, q in apart)
            if count:
                mean[s, t] = sum(sums[s, r, t, q] for r, q in apart) / (4 * count)
    return mean


def _positive_part(value: float) -> float:
    """The value, at least 0; NaN stays."""
    return 0.0 if value < 0 else value


def _df(total: float, of_readers: float, n: int) -> float | None:
    """Satterthwaite's degrees of freedom where the part of the readers alone has n; None where it is 0."""
    return total**2 * n / of_readers**2 if of_readers > significance.ROUNDING**2 else None
