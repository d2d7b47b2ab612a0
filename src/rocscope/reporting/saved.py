"""Reports of JSON that was saved before: by `to_json()` of results, or by commands with `--json` or `--out`.

Saved results become results again (`restored`), and so have the sections of results. What commands write
beside results is told by `saved_commands`; what else a file holds is shown as tables (`saved_tables`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocscope.errors import RocInputError
from rocscope.reporting import tables
from rocscope.reporting.contents import SECTIONS as TOPICS
from rocscope.reporting.contents import sections_of
from rocscope.reporting.html import element
from rocscope.reporting.page import render_section
from rocscope.reporting.restored import BROKEN, checked, restored
from rocscope.reporting.sections import Item, Part, Section, Table, at_one_cutoff
from rocscope.reporting.tables import cell, heading, measure_name, number, table_of, type_words
from rocscope.reporting.thinning import LIMIT

DEEPEST = 50  # levels of a document; those of results are fewer than ten
WANTED = "JSON of results, as to_json() or a command with --json writes it"


def read_saved(path: str) -> list[Saved]:
    """Read the results of a JSON file."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise RocInputError(f"there is no file {path}") from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise RocInputError(f"{path} must be {WANTED}, got no JSON: {error}") from None
    found = saved_of(document)
    if not found:
        raise RocInputError(f"{path} must be {WANTED}, got none")
    return found


def saved_of(document: Any) -> list[Saved]:
    """Return the results in a document of a command, a list, or a single one.

    Examples
    --------
    >>> saved_of({"rocscope": "0.1.0", "results": [{"type": "Estimate", "score": "marker"}]})[0].name
    'marker'
    """
    _check_depth(document)
    model = None
    if isinstance(document, Mapping) and isinstance(document.get("results"), list):
        model = _text(document.get("input"), "model")
        document = document["results"]
    rows = document if isinstance(document, list) else [document]
    named = [(_text(row, "score") or model, row) for row in rows if isinstance(row, Mapping) and row]
    return told_by_commands([Saved(name=name, fields=row) for name, row in named])


def _check_depth(document: Any) -> None:
    """Refuse what is nested deeper than any result, level by level."""
    level = [document]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return
    raise RocInputError(f"saved results must be nested at most {DEEPEST} levels deep, got more")


def _inside(value: Any) -> Iterable[Any]:
    """What a list or a mapping holds, as far as it can hold more."""
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [one for one in values if isinstance(one, (list, Mapping))]


def _text(fields: Any, name: str) -> str | None:
    found = fields.get(name) if isinstance(fields, Mapping) else None
    return found if isinstance(found, str) else None


def saved_sections(saved: Sequence[Saved]) -> list[Section]:
    """Return the sections of saved results, topic by topic; what was saved twice is shown once.

    Numbers that belong to no topic come last.
    """
    back: dict[str, list[tuple[Saved, Item]]] = {topic: [] for topic in TOPICS}
    others: dict[str | None, list[Saved]] = {topic: [] for topic in (*TOPICS, None)}
    whole: list[tuple[Saved, Item]] = []
    for one in _different(saved):
        result = restored(one.fields)
        if result is None:
            others[_beside(one)].append(one)
        else:
            whole.append((one, Item(one.name, result)))
    for (one, _), item in zip(whole, at_one_cutoff([item for _, item in whole]), strict=True):
        back[item.result.topic].append((one, item))
    made = list[Section]()
    for topic in TOPICS:
        made += _topic_sections(back[topic], others)
        made += map(_other_section, others[topic])
    return [*made, *map(_other_section, others[None])]


def _beside(one: Saved) -> str | None:
    return TOPIC_BESIDE.get(str(one.fields.get("type")))


def _different(saved: Sequence[Saved]) -> list[Saved]:
    return list({(one.name, json.dumps(one.fields, sort_keys=True)): one for one in saved}.values())


def _topic_sections(
    back: Sequence[tuple[Saved, Item]], others: dict[str | None, list[Saved]]
) -> list[Section]:
    """Show the results of one topic together; those that do not allow it one by one, or not as results."""
    together = _shown([item for _, item in back])
    if together is not None:
        return together
    alone = [(one, _shown([item])) for one, item in back]
    for one, sections in alone:
        if sections is None:
            others[_beside(one)].append(one)
    kept = [item for (_, item), (_, sections) in zip(back, alone, strict=True) if sections is not None]
    again = _shown(kept) if len(kept) < len(back) else None
    return [section for _, found in alone for section in found or ()] if again is None else again


def _shown(items: Sequence[Item]) -> list[Section] | None:
    """The sections of results, if the page can be made of them: a file may hold anything."""
    try:
        with checked():
            sections = sections_of(items)
            for section in sections:
                render_section(section, "s", LIMIT)
    except BROKEN:
        return None
    return sections


def _other_section(one: Saved) -> Section:
    """The section of what a command says beside its results, else the numbers as they stand."""
    own = SECTIONS.get(str(one.fields.get("type")))
    if own is None:
        return _plain_section(one)
    try:
        section = own(one)
        render_section(section, "s", LIMIT)
    except BROKEN:
        return _plain_section(one)
    return section


def _plain_section(one: Saved) -> Section:
    kind = type_words(str(one.fields.get("type", "Result")))
    title = kind if one.name is None else f"{kind}: {one.name}"
    note = element("p", "Saved numbers; the picture needs the result itself, as report() is given it.")
    return Section(title=title, body=(note, *json_tables(one.fields, kind)))


# -----------------------------------------------------------------------------------------------------------
# What commands write to JSON beside results, or in another form: an operating point, a choice, crossings

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
        f"{tables.listed(told)}. It was chosen on these same cases, so its means are optimistic."
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
    return f"{first} and {second} cross {tables.counted(len(row['fpr']), 'time')}"


def _rates(rates: Sequence[float] | None) -> str:
    if not rates:
        return "nowhere" if rates is not None else "not sought"
    more = len(rates) - TOLD_RATES
    shown = ", ".join(number(rate) for rate in rates[:TOLD_RATES])
    return shown if more <= 0 else f"{shown} and {more} more"


SECTIONS: dict[str, Callable[[Saved], Section]] = {"ChosenPoint": _chosen, "Crossings": _crossings}
# The topic of results that each comes after.
TOPIC_BESIDE = {"ChosenPoint": "folds", "Crossings": "comparison"}


# ---- JSON of any form as tables: what is shown of a file that does not become a result again --------------

DEEPEST_SAVED_TABLES = 3  # tables inside of tables
FEW = 8  # values that share a cell, and columns of a matrix that are shown


def json_tables(fields: Mapping[str, Any], caption: str, depth: int = DEEPEST_SAVED_TABLES) -> list[Part]:
    """Single values in one table, columns of one length in another, inner results in their own."""
    told = {name: value for name, value in fields.items() if name != "type"}
    single = {name: _short(value) for name, value in told.items() if _is_single(value)}
    parts: list[Part] = []
    if single:
        rows = [(heading(name), cell(value)) for name, value in single.items()]
        parts.append(Table(caption=caption, header=("", "value"), rows=rows))
    for columns in _columns(told).values():
        names = ", ".join(map(heading, columns))
        found = table_of(columns, caption=names if len(columns) < 4 else f"{caption}: numbers")
        parts += [] if found is None else [found]
    alike = {name: value for name, value in told.items() if isinstance(value, Mapping) and "value" in value}
    if len(alike) > 1:
        rows_alike = [{"": heading(name), **value} for name, value in alike.items()]
        parts += _inner(f"{caption}: estimates", rows_alike, depth)
        told = {name: value for name, value in told.items() if name not in alike}
    for name, value in told.items():
        parts += _inner(heading(name), value, depth - 1) if depth else []
    return parts


def _is_single(value: Any) -> bool:
    """Whether a value fits into one cell; what was not given or is undefined is left out."""
    return value is not None and (not isinstance(value, (list, Mapping)) or _is_row(value))


def _is_row(value: Any) -> bool:
    few = isinstance(value, list) and 0 < len(value) <= FEW
    return few and not any(isinstance(one, (list, Mapping)) for one in value)


def _columns(fields: Mapping[str, Any]) -> dict[int, dict[str, list[Any]]]:
    """Lists of numbers by their length; the columns of a small matrix are told apart by their number."""
    found: dict[int, dict[str, list[Any]]] = {}
    for name, value in fields.items():
        if not isinstance(value, list) or _is_row(value) or any(isinstance(one, Mapping) for one in value):
            continue
        rows = [one for one in value if isinstance(one, list)]
        if not rows:
            found.setdefault(len(value), {})[name] = value
        elif len(rows) == len(value) and len({len(row) for row in rows}) == 1 and len(rows[0]) <= FEW:
            columns = {f"{name} {k + 1}": [_short(row[k]) for row in rows] for k in range(len(rows[0]))}
            found.setdefault(len(value), {}).update(columns)
    return found


def _inner(name: str, value: Any, depth: int) -> list[Part]:
    if isinstance(value, Mapping):
        return json_tables(value, name, depth)
    if not isinstance(value, list) or not value or not all(isinstance(row, Mapping) for row in value):
        return []
    columns = dict.fromkeys(key for row in value for key in row if key != "type")
    made = table_of({key: [_short(row.get(key)) for row in value] for key in columns}, caption=name)
    return [] if made is None else [made]


def _short(value: Any) -> Any:
    """A value for a cell; what is nested deeper is told by its size."""
    if isinstance(value, Mapping):
        return value.get("value", f"{len(value)} fields")
    if isinstance(value, list):
        return [cell(one) for one in value] if _is_row(value) else f"{len(value)} values"
    return value
