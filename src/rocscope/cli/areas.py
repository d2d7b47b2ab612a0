"""What `auc`, `compare` and `demo` share: samples of one score each, their areas, table and figure."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from rocscope.cli.output import TextTable, interval_ends, interval_name, number

if TYPE_CHECKING:
    from rocscope.core.curve import RocCurve
    from rocscope.core.result import Estimate
    from rocscope.core.scores import BinaryScores
    from rocscope.io.large import FileSums
    from rocscope.plotting import Picture

# The rows of one score, or what was counted of a file that is not held in memory.
Sample: TypeAlias = "BinaryScores | FileSums"
Samples: TypeAlias = "Mapping[str, Sample]"
RowSamples: TypeAlias = "Mapping[str, BinaryScores]"
Areas: TypeAlias = "Mapping[str, Estimate]"


def split(data: BinaryScores) -> dict[str, BinaryScores]:
    """One sample per score, all on the same cases, with the warnings of the rows and of this score alone."""
    return data.each()


def score_warnings(data: BinaryScores, names: Collection[str]) -> tuple[str, ...]:
    """What a reader should know of these scores, whatever the rows that were left out."""
    from rocscope.core.scores import BinaryScores

    columns = {name: data.columns[data.names.index(name)] for name in names}
    return BinaryScores.from_arrays(data.positive, columns).warnings


def area(data: BinaryScores, **options: Any) -> Estimate:
    """Area of a sample, with the warnings of both."""
    from rocscope.inference.auc import auc

    estimate = auc(data.positive, data.columns[0], **options)
    return dataclasses.replace(estimate, warnings=(*dict.fromkeys(data.warnings + estimate.warnings),))


def part(data: BinaryScores, **options: Any) -> Estimate:
    """Partial area of a sample."""
    from rocscope.inference.partial import partial_auc

    return partial_auc(data, **options)


def area_table(samples: Samples, areas: Areas, what: str = "score") -> TextTable:
    """Areas and intervals, one row per curve, with the number of cases in each class."""
    data, first = next(iter(samples.values())), next(iter(areas.values()))
    header = (
        what,
        f"{first.name} ({interval_name(first.level, first.alternative)})",
        "method",
        f"positive: {data.pos_label}",
        f"negative: {data.neg_label}",
    )
    rows = [
        (name, _figures(areas[name]), areas[name].method, f"{sample.n_pos}", f"{sample.n_neg}")
        for name, sample in samples.items()
    ]
    return TextTable(header, tuple(rows))


def _figures(estimate: Estimate) -> str:
    ends = interval_ends(estimate.low, estimate.high, estimate.alternative)
    return f"{number(estimate.value)} ({ends or 'no interval'})"


def area_notes(areas: Areas, known: Collection[str] = ()) -> list[str]:
    """Warnings and reasons, each with the curve it is about; without those that are known already."""
    return [
        f"{name}: {text}"
        for name, found in areas.items()
        for text in (*found.warnings, found.reason)
        if text and text not in known
    ]


def curves_picture(samples: Samples, areas: Areas, **more: Any) -> Picture:
    """All curves in one plot."""
    from rocscope import plotting

    return plotting.curves(
        {name: sample_curve(data) for name, data in samples.items()}, estimates=areas, **more
    )


def sample_curve(data: Sample) -> RocCurve:
    """The ROC curve of a sample."""
    from rocscope.core.curve import curve_of
    from rocscope.io.large import FileCurve

    return data.curve if isinstance(data, FileCurve) else curve_of(data)  # type: ignore[arg-type]
