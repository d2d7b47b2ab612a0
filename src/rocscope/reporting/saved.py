"""Reports of JSON that was saved before: by `to_json()` of results, or by commands with `--json` or `--out`.

Saved results become results again (`Result.from_dict`), and so have the sections of results. What commands
write beside results has sections here; what else a file holds is shown as tables of numbers.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocscope.core.formatting import counted, listed, table_number
from rocscope.core.result import Result
from rocscope.errors import RocInputError, RocscopeError
from rocscope.reporting import page, tables, thinning
from rocscope.reporting.sections import (
    SECTIONS,
    Item,
    Paragraph,
    Part,
    Section,
    Table,
    at_one_cutoff,
    sections_of,
    type_name,
)

DEEPEST = 50  # levels of a document; those of results are fewer than ten
ALLOWED = "JSON of results, as to_json() or a command with --json writes it"
# The errors that a file changed by hand can cause: then its numbers are shown as they stand.
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    RuntimeWarning,
    StopIteration,
    TypeError,
    ValueError,
    RocscopeError,
)


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
    level = _containers([document])
    for _ in range(DEEPEST):
        level = [
            inner for one in level for inner in _containers(one.values() if isinstance(one, Mapping) else one)
        ]
        if not level:
            break
    else:
        raise RocInputError(f"saved results must be nested at most {DEEPEST} levels deep, got more")
    model = None
    if isinstance(document, Mapping) and isinstance(document.get("results"), list):
        model = _text(document.get("input"), "model")
        document = document["results"]
    rows = document if isinstance(document, list) else [document]
    saved = [
        Saved(name=_text(row, "score") or model, fields=row)
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


def _containers(values: Iterable[Any]) -> list[Any]:
    return [one for one in values if isinstance(one, (list, Mapping))]


def _text(fields: Any, name: str) -> str | None:
    value = fields.get(name) if isinstance(fields, Mapping) else None
    return value if isinstance(value, str) else None


def _point_measures(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The point that `rocscope points` writes, with the fields of a `PointMeasures`."""
    parts = [fields.get("measures"), fields.get("confusion")]
    inner = {name: value for part in parts if isinstance(part, Mapping) for name, value in part.items()}
    if not inner:
        return fields
    kept = {name: one for name, one in fields.items() if name not in ("confusion", "cutpoint", "measures")}
    return {**kept, **inner, "type": "PointMeasures", "chosen": fields.get("objective") != "as given"}


# ---- Sections ---------------------------------------------------------------------------------------------


def saved_sections(saved: Sequence[Saved]) -> list[Section]:
    """Return the sections of saved results, topic by topic; what was saved twice is shown once.

    Results of one topic that cannot be shown together are shown one by one, or not as results. Numbers that
    belong to no topic come last.
    """
    restored = list[tuple[Saved, Item]]()
    others: dict[str | None, list[Saved]] = {topic: [] for topic in (*SECTIONS, None)}
    for one in different(saved):
        try:
            restored.append((one, Item(one.name, Result.from_dict(one.fields))))
        except BROKEN:
            others[TOPIC_OF.get(one.type)].append(one)
    items = at_one_cutoff([item for _, item in restored])
    sections = list[Section]()
    for topic in SECTIONS:
        own = [
            (one, item) for (one, _), item in zip(restored, items, strict=True) if item.result.topic == topic
        ]
        together = _rendered([item for _, item in own])
        if together is None:
            alone = [(one, item, _rendered([item])) for one, item in own]
            broken = [one for one, _, rendered in alone if rendered is None]
            for one in broken:
                others[TOPIC_OF.get(one.type)].append(one)
            kept = [item for _, item, rendered in alone if rendered is not None]
            together = _rendered(kept) if broken else None
            if together is None:
                together = [section for _, _, rendered in alone for section in rendered or ()]
        sections += [*together, *map(_other_section, others[topic])]
    return [*sections, *map(_other_section, others[None])]


def different(saved: Sequence[Saved]) -> list[Saved]:
    """Return saved results without repetitions."""
    return list({(one.name, json.dumps(one.fields, sort_keys=True)): one for one in saved}.values())


def _rendered(items: Sequence[Item]) -> list[Section] | None:
    """The sections of results, if the page can be made of them: a file may hold anything."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # infinite numbers
            sections = sections_of(items)
            for section in sections:
                page.render_section(section, "s", thinning.LIMIT)
    except BROKEN:
        return None
    return sections


def _other_section(one: Saved) -> Section:
    """The section of what a command writes beside its results, else the numbers as they stand."""
    if one.type in OTHERS:
        try:
            section = OTHERS[one.type](one.fields)
            page.render_section(section, "s", thinning.LIMIT)
        except BROKEN:
            pass
        else:
            return section
    kind = type_name(str(one.fields.get("type", "Result")))
    note = Paragraph("Saved numbers; the picture needs the result itself, as report() takes it.")
    title = kind if one.name is None else f"{kind}: {one.name}"
    return Section(title=title, body=(note, *json_tables(one.fields, kind)))


# ---- What commands write to JSON beside results: the point of `average`, the crossings of `compare` -------

MOST_RATES = 5  # crossings of one pair of curves that a cell names


def selected_point_section(fields: Mapping[str, Any]) -> Section:
    """The point that `rocscope average` selected."""
    means, errors = fields["mean"], fields["sem"]
    at = ", ".join(f"{tables.heading(name)} {tables.cell(value)}" for name, value in fields["point"].items())
    rows, texts = list[tuple[str, str, str]](), list[str]()
    for key in means:
        name, mean, error = tables.measure_name(key), table_number(means[key]), errors.get(key)
        rows.append((name, mean, table_number(error)))
        texts.append(f"{name} {mean}" + ("" if error is None else f" (standard error {table_number(error)})"))
    reading = (
        f"Point {fields['index']} ({at}) was chosen for its {fields['objective']}. Mean over the folds: "
        f"{listed(texts)}. It was chosen on these same cases, so its means are optimistic."
    )
    header = ("measure", "mean over folds", "standard error")
    table = Table(caption="The chosen point", header=header, rows=rows)
    return Section(title="Chosen point", body=(Paragraph(reading, "reading"), table))


def crossings_section(fields: Mapping[str, Any]) -> Section:
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
    table = Table(caption="Crossings", header=("pair", "at FPR", "at TPR"), rows=rows)
    reading = Paragraph(" ".join([*readings, note]), "reading")
    return Section(title="Where the curves cross", body=(reading, table))


def _rates(rates: Sequence[float] | None) -> str:
    if not rates:
        return "not sought" if rates is None else "nowhere"
    more = f" and {len(rates) - MOST_RATES} more" if len(rates) > MOST_RATES else ""
    return ", ".join(table_number(rate) for rate in rates[:MOST_RATES]) + more


OTHERS: dict[str, Callable[[Mapping[str, Any]], Section]] = {
    "ChosenPoint": selected_point_section,
    "Crossings": crossings_section,
}
# The topic of results that each follows.
TOPIC_OF = {"ChosenPoint": "folds", "Crossings": "comparison"}


# ---- JSON of any form as tables: what is shown of a file that does not become a result again --------------

DEEPEST_TABLES = 3  # tables inside of tables
FEW = 8  # values that share a cell, and columns of a matrix that are shown


def json_tables(fields: Mapping[str, Any], caption: str, depth: int = DEEPEST_TABLES) -> list[Part]:
    """Single values in one table, columns of one length in another, inner results in their own.

    What is None is left out; the columns of a small matrix have a number each.
    """
    values = {name: value for name, value in fields.items() if name != "type" and value is not None}
    single, columns = list[tuple[str, str]](), dict[int, dict[str, list[Any]]]()
    for name, value in values.items():
        if not isinstance(value, (list, Mapping)) or _is_row(value):
            single.append((tables.heading(name), tables.cell(_short(value))))
        elif isinstance(value, list) and not any(isinstance(one, Mapping) for one in value):
            rows = [one for one in value if isinstance(one, list)]
            if not rows:
                columns.setdefault(len(value), {})[name] = value
            elif len(rows) == len(value) and len({len(row) for row in rows}) == 1 and len(rows[0]) <= FEW:
                numbered = {f"{name} {k + 1}": [_short(row[k]) for row in rows] for k in range(len(rows[0]))}
                columns.setdefault(len(value), {}).update(numbered)
    parts: list[Part] = []
    if single:
        parts.append(Table(caption=caption, header=("", "value"), rows=single))
    for alike in columns.values():
        names = ", ".join(map(tables.heading, alike))
        table = tables.column_table(alike, caption=names if len(alike) < 4 else f"{caption}: numbers")
        parts += [] if table is None else [table]
    estimates = {name: one for name, one in values.items() if isinstance(one, Mapping) and "value" in one}
    if len(estimates) > 1:
        named = [{"": tables.heading(name), **value} for name, value in estimates.items()]
        parts += _inner_tables(f"{caption}: estimates", named, depth)
        values = {name: value for name, value in values.items() if name not in estimates}
    for name, value in values.items() if depth else ():
        parts += _inner_tables(tables.heading(name), value, depth - 1)
    return parts


def _inner_tables(name: str, value: Any, depth: int) -> list[Part]:
    if isinstance(value, Mapping):
        return json_tables(value, name, depth)
    if not isinstance(value, list) or not value or not all(isinstance(row, Mapping) for row in value):
        return []
    keys = dict.fromkeys(key for row in value for key in row if key != "type")
    table = tables.column_table({key: [_short(row.get(key)) for row in value] for key in keys}, caption=name)
    return [] if table is None else [table]


def _is_row(value: Any) -> bool:
    """Whether a list fits into one cell."""
    few = isinstance(value, list) and 0 < len(value) <= FEW
    return few and not any(isinstance(one, (list, Mapping)) for one in value)


def _short(value: Any) -> Any:
    """A value for a cell; of what is nested deeper its size."""
    if isinstance(value, Mapping):
        return value.get("value", f"{len(value)} fields")
    if isinstance(value, list):
        return [tables.cell(one) for one in value] if _is_row(value) else f"{len(value)} values"
    return value
