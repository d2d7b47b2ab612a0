"""What commands write to JSON beside results, or in another form: an operating point, a choice, crossings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocscope.report import reading
from rocscope.report.safety import element
from rocscope.report.sections import Section, Table
from rocscope.report.tables import cell, heading, measure_name, number

GIVEN = "as given"  # a threshold of the user's own
TOLD_RATES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A result as it was saved, with the name it goes by."""

    name: str | None
    fields: Mapping[str, Any]


def told_by_commands(saved: Sequence[Saved]) -> list[Saved]:
    """Return what `points`, `average` and `compare` wrote in the form of results, as far as it is one.

    Examples
    --------
    >>> rows = [{"type": "CurveComparison", "crossings": [{"first": "a", "second": "b"}]}]
    >>> [one.fields["type"] for one in told_by_commands([Saved(name=None, fields=row) for row in rows])]
    ['CurveComparison', 'Crossings']
    """
    averages = [one for one in saved if one.fields.get("type") == "AveragedRoc"]
    compared = [one for one in saved if _lacks_average(one)]
    joined = len(averages) == len(compared) == 1
    found = list[Saved]()
    for one in saved:
        if joined and one is compared[0]:
            one = Saved(name=one.name, fields={**one.fields, "roc": averages[0].fields})
        if not (joined and one is averages[0]):  # the section of the comparison shows its points
            found += _parts(one)
    return found


def _lacks_average(one: Saved) -> bool:
    return one.fields.get("type") == "PointComparison" and "roc" not in one.fields


def _parts(one: Saved) -> list[Saved]:
    fields = one.fields
    if fields.get("type") == "OperatingPoint":
        cut = fields.get("cutpoint")
        more = [Saved(name=one.name, fields=cut)] if isinstance(cut, Mapping) else []
        return [Saved(name=one.name, fields=_measured(fields)), *more]
    if fields.get("type") == "CurveComparison" and fields.get("crossings"):
        rows = {"type": "Crossings", "crossings": fields["crossings"]}
        return [one, Saved(name=one.name, fields=rows)]
    return [one]


def _measured(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The point that `rocscope points` chose, with the fields of a `PointMeasures`."""
    parts = [fields.get("measures"), fields.get("confusion")]
    inner = {name: value for part in parts if isinstance(part, Mapping) for name, value in part.items()}
    kept = {
        name: value for name, value in fields.items() if name not in ("confusion", "cutpoint", "measures")
    }
    chosen = {"type": "PointMeasures", "chosen": fields.get("objective") != GIVEN}
    return {**kept, **inner, **chosen} if inner else fields


# ---- Sections ---------------------------------------------------------------------------------------------


def _chosen(one: Saved) -> Section:
    """The point that `rocscope average` chose, in words and numbers."""
    fields = one.fields
    means, errors = fields["mean"], fields["sem"]
    at = ", ".join(f"{heading(name)} {cell(value)}" for name, value in fields["point"].items())
    told = [f"{measure_name(name)} {_with_error(means[name], errors.get(name))}" for name in means]
    words = (
        f"Point {fields['index']} ({at}) was chosen for its {fields['objective']}. Mean over the folds: "
        f"{reading.listed(told)}. It was chosen on these same cases, so its means are optimistic."
    )
    rows = [(measure_name(name), number(means[name]), number(errors.get(name))) for name in means]
    header = ("measure", "mean over folds", "standard error")
    table = Table(caption="The chosen point", header=header, rows=rows)
    return Section(title="Chosen point", body=(element("p", words, class_="reading"), table))


def _with_error(mean: float | None, error: float | None) -> str:
    return number(mean) if error is None else f"{number(mean)} (standard error {number(error)})"


def _crossings(one: Saved) -> Section:
    """Where the curves of each pair cross."""
    rows = one.fields["crossings"]
    told = " ".join(f"{_crossing_words(row)}." for row in rows)
    note = "Where curves cross, which one is better depends on the costs, and areas do not tell it."
    cells = [(f"{row['first']} and {row['second']}", _rates(row["fpr"]), _rates(row["tpr"])) for row in rows]
    table = Table(caption="Crossings", header=("pair", "at FPR", "at TPR"), rows=cells)
    reads = element("p", f"{told} {note}", class_="reading")
    return Section(title="Where the curves cross", body=(reads, table))


def _crossing_words(row: Mapping[str, Any]) -> str:
    first, second = row["first"], row["second"]
    if row.get("reason"):
        return f"{first} and {second}: {row['reason']}"
    above = {"first": (first, second), "second": (second, first)}.get(row["dominant"])
    if above is not None:
        return f"{above[0]} is nowhere below {above[1]}"
    if row["dominant"] == "equal":
        return f"{first} and {second} have the same curve"
    return f"{first} and {second} cross {reading.counted(len(row['fpr']), 'time')}"


def _rates(rates: Sequence[float] | None) -> str:
    if not rates:
        return "nowhere" if rates is not None else "not sought"
    more = len(rates) - TOLD_RATES
    shown = ", ".join(number(rate) for rate in rates[:TOLD_RATES])
    return shown if more <= 0 else f"{shown} and {more} more"


SECTIONS: dict[str, Callable[[Saved], Section]] = {"ChosenPoint": _chosen, "Crossings": _crossings}
# The topic of results that each comes after.
TOPIC_BESIDE = {"ChosenPoint": "folds", "Crossings": "comparison"}
