"""Intervals by a stratified bootstrap, and the figures of every fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import resampling, significance
from rocscope.core.result import Estimate, Result, Status
from rocscope.ordinal import counts, decision, vus
from rocscope.ordinal.closure import Closure
from rocscope.ordinal.counts import FEWEST, Counter, Counts, Fixed, ThresholdCounts
from rocscope.ordinal.estimates import ClassEstimates, Gaps

Floats = NDArray[np.float64]
NOT_REQUESTED = "no interval was requested (n_boot=0)"
ALL_EQUAL = "all bootstrap replicates agree, so they give no interval"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalFolds(Result):
    """The figures of every fold, at the thresholds of all cases together.

    Attributes
    ----------
    folds
        Names of the folds; none where there are no folds.
    names
        Names of the figures.
    values, defined
        Figures, (folds, figures); NaN where not defined: a class has fewer than two members in the fold.
    n, mean, sd
        Over the folds in which a figure is defined: their number, mean and standard deviation. NaN
        where there are too few (one for the mean, two for the standard deviation).
    """

    view: ClassVar[str] = "ordinal.ordinal_folds_picture"

    folds: tuple[Any, ...]
    names: tuple[str, ...]
    values: Floats
    defined: NDArray[np.bool_]
    n: Counts
    mean: Floats
    sd: Floats

    def _summary(self) -> str:
        lines = [f"{len(self.folds)} folds"]
        for name, n, mean, sd in zip(self.names, self.n, self.mean, self.sd, strict=True):
            value = f"mean {mean:.4f}, sd {sd:.4f}" if n > 1 else "too few folds"
            lines.append(f"  {name}: {value} ({n} folds)")
        return "\n".join(lines)

    def columns(self) -> dict[str, Any]:
        """Return one row per figure."""
        return {"figure": self.names, "n": self.n, "mean": self.mean, "sd": self.sd}


def fold_figures(samples: Iterable[tuple[Any, SampleCounts]], names: tuple[str, ...]) -> OrdinalFolds:
    """Figures of every fold with mean and standard deviation."""
    rows = {fold: sample.figures() for fold, sample in samples}
    values = np.array(list(rows.values())).reshape(len(rows), len(names))
    defined = ~np.isnan(values)
    n = defined.sum(axis=0)
    mean = _quotient(np.where(defined, values, 0.0).sum(axis=0), n)
    squares = (np.where(defined, values - mean, 0.0) ** 2).sum(axis=0)
    return OrdinalFolds(
        folds=tuple(rows),
        names=names,
        values=values,
        defined=defined,
        n=n,
        mean=mean,
        sd=np.sqrt(_quotient(squares, n - 1)),
    )


def _quotient(above: Any, below: Any) -> Floats:
    out = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=out, where=below > 0))


def bootstrap_figures(samples: Sequence[SampleCounts], sampling: resampling.Sampling) -> Floats:
    """Figures of replicates, (replicates, samples, figures); every class is drawn apart and keeps its size.

    Samples of the same cases see the same draws. Thresholds and cuts stay those of the data.
    """
    held = sum(int(one.at.sizes.sum()) + 2 * sum(gap.size for gap in one.at.below) for one in samples)
    size = resampling.chunk_size(held)
    return np.asarray(sampling.run_in_processes(replicate_figures, samples, size=size))


def replicate_figures(samples: Sequence[SampleCounts], chunk: resampling.Chunk) -> Floats:
    """Figures of one chunk of replicates."""
    from rocscope.core import kernels

    drawn = resampling.Cases(tuple(samples[0].at.sizes.tolist())).draw(chunk).classes
    figures = []
    for sample in samples:
        orders: Sequence[NDArray[Any]] = sample.order or [resampling.NO_ORDER] * len(drawn)
        before = [
            kernels.running_counts(of_class, order.astype(np.int32)).astype(np.int64)
            for of_class, order in zip(drawn, orders, strict=True)
        ]

        def drawn_before(code: int, place: Counts, before: Sequence[Counts] = before) -> Counts:
            """How many drawn cases of a class come before each place, one row per replicate."""
            return np.asarray(before[code][:, place])

        figures.append(sample.figures(drawn_before, (len(chunk.range),)))
    return np.stack(figures, axis=1)


def figure_estimates(
    values: Floats,
    names: tuple[str, ...],
    *,
    replicates: Floats | None,
    level: float,
    reasons: Mapping[str, str],
) -> dict[str, Estimate]:
    """Every figure as an estimate, with an interval or the reason why it has none."""
    estimates: dict[str, Estimate] = {}
    for k, (name, value) in enumerate(zip(names, values.tolist(), strict=True)):
        se = low = high = reason = None
        status: Status = "partial"
        if np.isnan(value):
            status, reason = "undefined", reasons.get(name)
        elif replicates is None:
            reason = NOT_REQUESTED
        elif (replicates[:, k] == replicates[0, k]).all():
            se, reason = 0.0, ALL_EQUAL
        else:
            se = float(replicates[:, k].std(ddof=1))
            low, high = bias_corrected(replicates[:, k], value, level)
            status = "ok"
        estimates[name] = Estimate(
            name=name,
            value=None if np.isnan(value) else value,
            se=se,
            low=low,
            high=high,
            level=level,
            method="bootstrap",
            status=status,
            reason=reason,
        )
    return estimates


def bias_corrected(replicates: Floats, value: float, level: float) -> tuple[float, float]:
    """Efron's bias-corrected percentile interval, widened to hold the value.

    MaxAUC is a maximum: it lies above the truth, and its replicates above it again. Plain percentiles
    would count this bias twice; here the share of replicates below the value moves them back.

    Examples
    --------
    >>> replicates = np.arange(101) / 100
    >>> [round(end, 3) for end in bias_corrected(replicates, 0.5, 0.9)]
    [0.05, 0.95]
    >>> [round(end, 3) for end in bias_corrected(replicates, 0.3, 0.9)]
    [0.004, 0.728]
    """
    n = len(replicates)
    below = (replicates < value).mean() + (replicates == value).mean() / 2
    shift = special.ndtri(min(max(below, 0.5 / n), 1 - 0.5 / n))
    reach = significance.quantile(level)
    low, high = np.quantile(replicates, special.ndtr([2 * shift - reach, 2 * shift + reach]))
    return min(float(low), value), max(float(high), value)


# ---- All figures of one sample in one row: what folds and bootstrap replicates are compared by ------------

OVERALL = ("max_auc macro", "max_auc weighted", "avg_auc macro", "avg_auc weighted")
LAST = ("adjacent_auc", "vus", "kappa")
TITLES = {"adjacent_auc": "AUC of neighbours", "vus": "VUS", "kappa": "kappa (quadratic)"}


def figure_names(labels: Sequence[Any]) -> tuple[str, ...]:
    """Names of the figures, in order.

    Examples
    --------
    >>> figure_names([1, 2])[:5]
    ('max_auc(1)', 'max_auc(2)', 'avg_auc(1)', 'avg_auc(2)', 'max_auc macro')
    """
    of_classes = [f"{name}({label})" for name in ("max_auc", "avg_auc") for label in labels]
    return (*of_classes, *OVERALL, *LAST)


def figure_title(name: str) -> str:
    """The name of a figure in a table or a picture.

    Examples
    --------
    >>> figure_title("max_auc(1)"), figure_title("adjacent_auc")
    ('MaxAUC(1)', 'AUC of neighbours')
    """
    return TITLES.get(name) or name.replace("max_auc", "MaxAUC", 1).replace("avg_auc", "AvgAUC", 1)


def join_figures(
    max_auc: Floats, avg_auc: Floats, sizes: Counts, adjacent: Any, volume: Any, kappa: Any
) -> Floats:
    """Put figures in the order of `figure_names`, with the averages over the classes that are defined."""
    parts = [max_auc, avg_auc]
    for areas in (max_auc, avg_auc):
        parts += [_mean(areas, np.ones(sizes.size))[..., None], _mean(areas, sizes)[..., None]]
    parts.append(_mean(adjacent, np.ones(sizes.size - 1))[..., None])
    parts += [np.asarray(volume)[..., None], np.asarray(kappa)[..., None]]
    return np.concatenate(parts, axis=-1)


def _mean(values: Floats, weights: NDArray[Any]) -> Floats:
    """Weighted mean over the last axis of the values that are defined; NaN if none is."""
    defined = ~np.isnan(values)
    total = (defined * weights).sum(axis=-1)
    return _quotient((np.where(defined, values, 0.0) * weights).sum(axis=-1), total)


def neighbour_areas(areas: Sequence[Any], sizes: Counts) -> Floats:
    """Areas of neighbouring classes; NaN where one of the two has fewer than two members."""
    small = np.minimum(sizes[1:], sizes[:-1]) < FEWEST
    return np.where(small, np.nan, np.stack(areas, axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCounts:
    """A sample with thresholds, cuts and ranks looked up, so that a replicate of it needs sums alone.

    `cut` holds the counts below the cuts that decide, which are undefined where a gap has none. `order` holds
    for each class the case of each ascending estimate, where several samples are of the same cases.
    """

    fixed: Fixed
    closure: Closure
    at: ThresholdCounts
    cut: Counts | None
    ranked: list[vus.ClassRanks]
    order: tuple[NDArray[np.intp], ...] | None = None

    @classmethod
    def of(
        cls,
        estimates: ClassEstimates,
        gaps: Gaps,
        cuts: Floats,
        *,
        fixed: Fixed,
        closure: Closure,
        order: tuple[NDArray[np.intp], ...] | None = None,
    ) -> SampleCounts:
        """Look up the thresholds of all gaps, the cuts that decide, and the ranks."""
        return cls(
            fixed=fixed,
            closure=closure,
            at=ThresholdCounts.of(estimates, gaps),
            cut=None if cuts.size < len(gaps) else counts.counts_below(estimates, cuts),
            ranked=vus.rank_classes(estimates),
            order=order,
        )

    def figures(self, count: Counter = counts.whole, shape: tuple[int, ...] = ()) -> Floats:
        """Figures of all cases, or of replicates of this shape that `count` counts."""
        sizes, undefined = self.at.sizes, np.full(shape, np.nan)
        max_auc, avg_auc = list[Floats](), list[Floats]()
        for code in range(sizes.size):
            one = counts.class_counts(self.at, code, count)
            if one.n_pos < FEWEST or not one.n_neg or not (one.pos_below.size and one.pos_upto.size):
                max_auc.append(undefined)
                avg_auc.append(undefined)
                continue
            twice = counts.twice_areas(one, counts.side_fixed(code, sizes.size, self.fixed), self.closure)
            scale = 2 * one.n_pos * one.n_neg
            max_auc.append(twice.max(axis=-1) / scale)
            avg_auc.append(twice.mean(axis=-1) / scale)
        ordered = vus.ordered_areas(self.ranked, count)
        kappa = undefined
        if self.cut is not None:
            kappa = decision.quadratic_kappa(counts.confusion_at(self.cut, sizes, count))
        return join_figures(
            np.stack(max_auc, axis=-1),
            np.stack(avg_auc, axis=-1),
            sizes,
            neighbour_areas(ordered.adjacent, sizes),
            undefined if sizes.min() < FEWEST else ordered.volume,
            kappa,
        )
