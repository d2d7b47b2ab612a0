"""`rocscope readers`: do modalities differ, over readers and cases?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import RocUsageError, UndefinedError


def readers(
    file: opt.File,
    /,
    *,
    source: opt.TwoClasses,
    score: opt.Column,
    reader: opt.Column,
    modality: opt.Column,
    case: opt.Column,
    method: Literal["delong", "jackknife", "unbiased", "gallas"] = "delong",
    readers: Literal["random", "fixed"] = "random",
    cases: Literal["random", "fixed"] = "random",
    level: opt.Level = 0.95,
    n_readers: opt.Count | None = None,
    n_pos: opt.Count | None = None,
    n_neg: opt.Count | None = None,
    difference: Annotated[float, Parameter(metavar="AUC")] | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Compare modalities that several readers have used on many cases (multi-reader multi-case).

    The file has one row per reading: who read, in which modality, which case, its class and the score. Areas
    are compared by the analysis of variance of Obuchowski and Rockette, with the degrees of freedom of
    Hillis; differences are first minus second, in sorted order. Where readers have not read the same cases,
    --method gallas takes any design.

    With --n-readers, --n-pos, --n-neg or --difference also the power of another study of this kind.

    Parameters
    ----------
    score
        Column of the readers' scores or ratings.
    reader
        Column that names the reader.
    modality
        Column that names the modality, such as the test or the display.
    case
        Column that names the case; the same case has the same name for all readers.
    method
        Covariances of the areas, by the analysis of variance; or gallas, the U-statistic for any design.
    readers
        Whether the result is about readers like these, or about these alone.
    cases
        Whether the result is about cases like these, or about these alone.
    n_readers
        Readers of a study that is planned; as many as here unless given.
    n_pos
        Its positive cases.
    n_neg
        Its negative cases.
    difference
        The difference of areas that it is to find; that of this study unless given.

    Examples
    --------
    rocscope readers readings.csv --label ill --score rating --reader r --modality m --case id
    rocscope readers readings.csv --label ill --score rating --reader r --modality m --case id --readers fixed
    rocscope readers readings.csv --label y --score s --reader r --modality m --case id --out readers.svg
    rocscope readers readings.csv --label y --score s --reader r --modality m --case id --n-readers 10
    """
    from rocscope.io.columns import label_like

    names = {"label": source.label, "score": score, "reader": reader, "modality": modality, "case": case}
    opt.refuse("is no option for readings, each of which is one row", count=source.count)
    for name, column in names.items():
        if list(names.values()).count(column) > 1:
            raise RocUsageError(f"--{name} must be a column of its own, got {column!r}")
    output.check(file, latex=True, table=True)
    with source.open(file) as opened:
        table = source.table(opened, source.label, [score], texts=[reader, modality, case])
        described = out.describe(opened)
    positive: Any = opt.positive_class(source.pos_label)
    if isinstance(positive, list):
        positive = [label_like(one, table.profiles[source.label]) for one in positive]
    elif positive is not None:
        positive = label_like(positive, table.profiles[source.label])
    study = rs.reader_study(
        table.arrays[source.label],
        table.arrays[score],
        reader=table.arrays[reader],
        modality=table.arrays[modality],
        case=table.arrays[case],
        method=method,
        readers=readers,
        cases=cases,
        level=level,
        pos_label=positive,
        direction=source.side,
    )
    plan = None
    if any(value is not None for value in (n_readers, n_pos, n_neg, difference)):
        plan = study.power(n_readers=n_readers, n_pos=n_pos, n_neg=n_neg, difference=difference)
    reasons = [f"{row.first} - {row.second}: {row.reason}" for row in study.pairs if row.reason]
    output.deliver(
        out.CommandResult(
            command="readers",
            input=described,
            results=lambda: [study.to_dict(), *([] if plan is None else [plan.to_dict()])],
            rows=lambda: out.rows_of(study),
            blocks=lambda: [
                study.summary(),
                "",
                _reader_table(study),
                *([] if plan is None else ["", str(plan)]),
            ],
            notes=[*table.warnings, *study.warnings, *reasons, *_validity_notes(study)],
            picture=out.picture_of(study),
            latex=study.to_latex,
            table=study.table,
        )
    )
    if study.p_value is None:
        raise UndefinedError(f"the modalities cannot be compared: {study.reason}")


def _validity_notes(study: rs.ReaderStudy) -> list[str]:
    """Whether the test of two modalities is known to reject too often in studies of this size."""
    from rocscope.atlas.results import quantity_notes

    if (len(study.modalities), study.reader_effect, study.case_effect) != (2, "random", "random"):
        return []
    area = sum(one.value for one in study.means if one.value is not None) / 2
    test = {"equal areas": study.p_value}
    return quantity_notes(
        "reader_study", study.n_pos, study.n_neg, test, kind="test", method=study.method, area=area
    )


def _reader_table(study: rs.ReaderStudy) -> out.TextTable:
    """One row per reader, and one of all: the area in each modality, and of two their difference."""
    interval = formatting.interval_name(study.level, "two-sided")
    header = ["reader", *(f"{name} ({interval})" for name in study.modalities)]
    two = len(study.modalities) == 2
    rows = []
    for name, areas, differences in study.by_reader():
        ends = [formatting.interval_ends(row.low, row.high) or "no interval" for row in areas]
        cells = [f"{formatting.number(row.value)} ({end})" for row, end in zip(areas, ends, strict=True)]
        if two:
            one = differences[0]
            cells += [formatting.number(one.difference, "+.4f"), formatting.number(one.p_value, ".4g")]
        rows.append((name, *cells))
    return out.TextTable((*header, *(("difference", "p") if two else ())), tuple(rows))
