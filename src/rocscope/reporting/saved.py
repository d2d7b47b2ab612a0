"""Reports of JSON that was saved before: by `to_json()` of results, or by commands with `--json` or `--out`.

Saved results become results again (`Result.from_dict`), and so have the sections of results. What commands
write beside results has sections here; what else a file holds is shown as tables of numbers.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocscope.core.formatting import counted, listed, table_number
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from rocscope.reporting import page, sections

DEEPEST = 50  # levels of a document; those of results are fewer than ten
ALLOWED = "JSON of results, as to_json() or a command with --json writes it"
NESTED = (dict, list)
# Of what is no result: values that share a cell, and values that are shown.
FEW, MOST_NUMBERS = 8, 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The fields of a result as they were saved, and the name of its score or model."""

    name: str | None
    fields: Mapping[str, Any]

    @property
    def type(self) -> str:
        """Name of the type of the result."""
        return str(self.fields.get("type"))


def read_saved(path: str) -> list[Saved]:
    """Read the results of a JSON file."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise RocInputError(f"there is no file {path}") from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise RocInputError(f"{path} must be {ALLOWED}, got no JSON: {error}") from None
    results = saved_results(document)
    if not results:
        raise RocInputError(f"{path} must be {ALLOWED}, got none")
    return results


def saved_results(document: Any) -> list[Saved]:
    """Return the results in a document of a command, a list, or a single one.

    What `points`, `average` and `compare` write takes the form of results, as far as it is one.

    Examples
    --------
    >>> saved_results({"rocscope": "0.1.0", "results": [{"type": "Estimate", "score": "marker"}]})[0].name
    'marker'
    >>> rows = [{"type": "CurveComparison", "crossings": [{"first": "a", "second": "b"}]}]
    >>> [one.type for one in saved_results(rows)]
    ['CurveComparison', 'Crossings']
    """
    level, depth = [document], 0
    while level:
        if depth > DEEPEST:
            raise RocInputError(f"saved results must be nested at most {DEEPEST} levels deep, got more")
        inside = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, NESTED)]
        level, depth = [value for values in inside for value in values], depth + 1
    model = None
    if isinstance(document, Mapping) and isinstance(document.get("results"), list):
        model = _text(document.get("input"), "model")
        document = document["results"]
    rows = document if isinstance(document, list) else [document]
    saved = [
        Saved(name=_text(row, "score") or _group(row) or model, fields=row)
        for row in rows
        if isinstance(row, Mapping) and row
    ]
    averages = [one for one in saved if one.type == "AveragedRoc"]
    comparisons = [one for one in saved if one.type == "PointComparison" and "roc" not in one.fields]
    joined = len(averages) == len(comparisons) == 1
    results = list[Saved]()
    for one in saved:
        if joined and one is averages[0]:  # the section of the comparison shows its points
            continue
        if joined and one is comparisons[0]:
            one = Saved(name=one.name, fields={**one.fields, "roc": averages[0].fields})
        if one.type == "OperatingPoint":
            results.append(Saved(name=one.name, fields=_point_measures(one.fields)))
            cut = one.fields.get("cutpoint")
            results += [Saved(name=one.name, fields=cut)] if isinstance(cut, Mapping) else []
            continue
        results.append(one)
        if one.type == "CurveComparison" and one.fields.get("crossings"):
            crossings = {"type": "Crossings", "crossings": one.fields["crossings"]}
            results.append(Saved(name=one.name, fields=crossings))
    return results


def _text(fields: Any, name: str) -> str | None:
    value = fields.get(name) if isinstance(fields, Mapping) else None
    return value if isinstance(value, str) else None


def _group(fields: Mapping[str, Any]) -> str | None:
    """The group whose cases a comparison is of, which `rocscope compare --by` writes beside it."""
    by, group = _text(fields, "by"), fields.get("group")
    return None if by is None or group is None or isinstance(group, NESTED) else f"{by} {group}"


def _point_measures(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The point that `rocscope points` writes, with the fields of a `PointMeasures`."""
    parts = [fields.get("measures"), fields.get("confusion")]
    inner = {name: value for part in parts if isinstance(part, Mapping) for name, value in part.items()}
    if not inner:
        return fields
    kept = {name: one for name, one in fields.items() if name not in ("confusion", "cutpoint", "measures")}
    return {**kept, **inner, "type": "PointMeasures", "chosen": fields.get("objective") != "as given"}


# ---- Sections ---------------------------------------------------------------------------------------------


def saved_sections(saved: Sequence[Saved]) -> list[sections.Section]:
    """Return the sections of saved results, topic by topic; what was saved twice is shown once.

    A file may hold anything: what is no result, or none that can be shown, is shown as numbers.
    """
    items, others, missing = list[sections.Item](), list[Saved](), list[str]()
    for one in different(saved):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)  # infinite numbers
                own = sections.read_items([{one.name: Result.from_dict(one.fields)}])
                for section in sections.sections_of(own):
                    page.render_section(section, "s", page.LIMIT)
        except Exception:
            others.append(one)
        else:
            items += own
    items, shown = sections.at_one_cutoff(items), list[sections.Section]()
    for topic in (*sections.TOPICS, None):
        shown += sections.sections_of([item for item in items if item.result.topic == topic], missing)
        shown += [_other_section(one) for one in others if TOPIC_OF.get(one.type) == topic]
    return [*shown, *sections.left_out(missing)]


def different(saved: Sequence[Saved]) -> list[Saved]:
    """Return saved results without repetitions."""
    return list({(one.name, json.dumps(one.fields, sort_keys=True)): one for one in saved}.values())


def _other_section(one: Saved) -> sections.Section:
    """The section of what a command writes beside its results, else the numbers as they stand."""
    if one.type in OTHERS:
        try:
            section = OTHERS[one.type](one.fields)
            page.render_section(section, "s", page.LIMIT)
        except Exception:
            pass
        else:
            return section
    kind = sections.type_name(str(one.fields.get("type", "Result")))
    note = sections.Paragraph("Saved numbers; the picture needs the result itself, as report() takes it.")
    rows = list(_numbers(one.fields))
    table = sections.Table(
        caption=kind, header=("", "value"), rows=rows[:MOST_NUMBERS], total=len(rows), folded=True
    )
    return sections.Section(title=kind if one.name is None else f"{kind}: {one.name}", body=(note, table))


def _numbers(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every value of JSON of any form with the names of the fields it lies in; of a long list the first."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, f"{name}, {sections.heading(key)}".removeprefix(", "))
    elif isinstance(value, list) and any(isinstance(one, NESTED) for one in value):
        for k, inner in enumerate(value, start=1):
            yield from _numbers(inner, f"{name} {k}")
    elif isinstance(value, list) and len(value) > FEW:
        yield name, f"{sections.cell(value[:FEW])}, and {len(value) - FEW} more"
    elif value is not None:
        yield name, sections.cell(value)


# ---- What commands write to JSON beside results: the point of `average`, the crossings of `compare` -------

MOST_RATES = 5  # crossings of one pair of curves that a cell names


def selected_point_section(fields: Mapping[str, Any]) -> sections.Section:
    """The point that `rocscope average` selected."""
    means, errors = fields["mean"], fields["sem"]
    at = ", ".join(
        f"{sections.heading(name)} {sections.cell(value)}" for name, value in fields["point"].items()
    )
    rows, texts = list[tuple[str, str, str]](), list[str]()
    for key in means:
        name, mean, error = sections.measure_name(key), table_number(means[key]), errors.get(key)
        rows.append((name, mean, table_number(error)))
        texts.append(f"{name} {mean}" + ("" if error is None else f" (standard error {table_number(error)})"))
    reading = (
        f"Point {fields['index']} ({at}) was chosen for its {fields['objective']}. Mean over the folds: "
        f"{listed(texts)}. It was chosen on these same cases, so its means are optimistic."
    )
    header = ("measure", "mean over folds", "standard error")
    table = sections.Table(caption="The chosen point", header=header, rows=rows)
    return sections.Section(title="Chosen point", body=(sections.Paragraph(reading, "reading"), table))


def crossings_section(fields: Mapping[str, Any]) -> sections.Section:
    """Where the curves of each pair cross."""
    readings, rows = list[str](), list[tuple[str, ...]]()
    for row in fields["crossings"]:
        first, second = row["first"], row["second"]
        above = {"first": (first, second), "second": (second, first)}.get(row["dominant"])
        if row.get("reason"):
            readings.append(f"{first} and {second}: {row['reason']}.")
        elif above is not None:
            readings.append(f"{above[0]} is nowhere below {above[1]}.")
        elif row["dominant"] == "equal":
            readings.append(f"{first} and {second} have the same curve.")
        else:
            readings.append(f"{first} and {second} cross {counted(len(row['fpr']), 'time')}.")
        rows.append((f"{first} and {second}", _rates(row["fpr"]), _rates(row["tpr"])))
    note = "Where curves cross, which one is better depends on the costs, and areas do not show it."
    table = sections.Table(caption="Crossings", header=("pair", "at FPR", "at TPR"), rows=rows)
    reading = sections.Paragraph(" ".join([*readings, note]), "reading")
    return sections.Section(title="Where the curves cross", body=(reading, table))


def _rates(rates: Sequence[float] | None) -> str:
    if not rates:
        return "not sought" if rates is None else "nowhere"
    more = f" and {len(rates) - MOST_RATES} more" if len(rates) > MOST_RATES else ""
    return ", ".join(table_number(rate) for rate in rates[:MOST_RATES]) + more


OTHERS: dict[str, Callable[[Mapping[str, Any]], sections.Section]] = {
    "ChosenPoint": selected_point_section,
    "Crossings": crossings_section,
}
# The topic of results that each follows.
TOPIC_OF = {"ChosenPoint": "folds", "Crossings": "comparison"}
