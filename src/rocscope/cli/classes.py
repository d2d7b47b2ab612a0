"""Areas of a classifier of several classes, one score column for each."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocscope.cli.output import Answer, describe
from rocscope.cli.parse import read_names
from rocscope.cli.tables import TextTable, interval_ends, interval_name, number
from rocscope.cli.wording import option_name
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.area.multiclass import MulticlassAuc
    from rocscope.area.multiclass.rows import ClassArea, PairArea
    from rocscope.cli.asked import AskedArea
    from rocscope.core.result import Estimate
    from rocscope.sources.local import LocalFile

COLUMNS = ("value", "se", "low", "high", "level", "method", "alternative", "status", "reason")
HEADERS = {"ovo": ("pair", "first", "second"), "ovr": ("class", "cases", "rest")}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class AskedClasses:
    """The classes of the score columns, and how their areas are put together."""

    names: list[str]
    scores: Sequence[str]
    scheme: str
    average: str
    drop: bool

    @classmethod
    def read(
        cls,
        classes: str | None,
        scores: Sequence[str],
        *,
        scheme: str | None,
        average: str | None,
        drop: bool,
        pos_label: str | None,
    ) -> AskedClasses | None:
        """Return None where there are two classes, as always without --classes."""
        if classes is None:
            _refuse("needs --classes", scheme=scheme, average=average, drop_classes=drop or None)
            return None
        _refuse("must be left out with --classes", pos_label=pos_label)
        names = read_names(classes, "--classes")
        if len(names) != len(scores):
            got = f"got {len(names)} classes and {len(scores)} scores"
            raise RocUsageError(f"--classes must name the class of each --score, in their order, {got}")
        return cls(names=names, scores=scores, scheme=scheme or "ovo", average=average or "macro", drop=drop)


def _refuse(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise RocUsageError(f"{option_name(name)} {why}")


def classes_answer(
    source: LocalFile, label: str, na: str, asked: AskedClasses, area: AskedArea
) -> tuple[Answer, MulticlassAuc]:
    """Read the columns, and put the areas into every form."""
    from rocscope import views

    area.check_nothing_special("with --classes")
    result = _areas(source, label, na, asked, area)
    answer = Answer(
        command="auc",
        source=describe(source) | area.draws.told,
        results=[result.to_dict()],
        rows=[*(_row(row.label, row) for row in result.rows), _row(_average(result), result)],
        blocks=[_table(result)],
        notes=[*_notes(result), *area.draws.notes],
        picture=lambda: views.picture(result),
    )
    return answer, result


def _areas(source: LocalFile, label: str, na: str, asked: AskedClasses, area: AskedArea) -> MulticlassAuc:
    from rocscope.area.multiclass import multiclass_auc
    from rocscope.sources.columns import label_like
    from rocscope.sources.files import read_table, score_names
    from rocscope.sources.profile import dropped_words

    scores = score_names(asked.scores, label)
    table = read_table(source, {label: "label", **dict.fromkeys(scores, "number")}, na=na)
    result = multiclass_auc(
        table.arrays[label],
        table.matrix(scores),
        classes=[label_like(name, table.profiles[label]) for name in asked.names],
        scheme=asked.scheme,
        average=asked.average,
        missing="drop" if asked.drop else "undefined",
        **area.how,
        **area.draws.options,
    )
    return dataclasses.replace(result, warnings=(*dropped_words(table.dropped), *result.warnings))


def _average(result: MulticlassAuc) -> str:
    return f"{result.average} average"


def _table(result: MulticlassAuc) -> TextTable:
    first, *sizes = HEADERS[result.scheme]
    header = (first, f"AUC ({interval_name(result.level, result.alternative)})", *sizes)
    rows = [(row.label, _figures(row), *_sizes(row)) for row in result.rows]
    return TextTable(header, (*rows, (_average(result), _figures(result), "", "")))


def _sizes(row: PairArea | ClassArea) -> tuple[str, str]:
    names = ("n_first", "n_second") if hasattr(row, "n_first") else ("n_pos", "n_neg")
    return str(row[names[0]]), str(row[names[1]])


def _figures(row: Estimate) -> str:
    ends = interval_ends(row.low, row.high, row.alternative)
    return f"{number(row.value)} ({ends or 'no interval'})"


def _row(name: str, row: Estimate) -> dict[str, Any]:
    return {"row": name} | {field: row[field] for field in COLUMNS}


def _notes(result: MulticlassAuc) -> list[str]:
    reason = undefined_words(result)
    return [*result.warnings, *([] if reason is None else [reason])]


def undefined_words(result: MulticlassAuc) -> str | None:
    """Why there is no average, in the words of the command."""
    return result.reason and result.reason.replace("missing='drop'", "--drop-classes")
