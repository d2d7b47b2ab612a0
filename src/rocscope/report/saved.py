"""Results from JSON that was saved before: as results again where that can be, else as tables.

`to_json()` of a result, and what commands write with `--json` or `--out x.json`, hold plain numbers. Of some
types that is all there is, and they come back; of others the cases behind them are missing, and their
numbers are shown.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocscope.area.band import RocBand
from rocscope.area.band_result import Band
from rocscope.area.compare import CurveComparison, PairDifference
from rocscope.area.point_measures import PointMeasures
from rocscope.binormal.curve import Binormal
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.errors import RocInputError, RocscopeError
from rocscope.report.contents import sections_of
from rocscope.report.items import Item
from rocscope.report.safety import element
from rocscope.report.sections import Part, Section, Table
from rocscope.report.tables import cell, table_of
from rocscope.report.topics.plain import type_words

KINDS: dict[str, type[Result]] = {
    cls.__name__: cls
    for cls in (
        Band,
        Binormal,
        CurveComparison,
        Estimate,
        PairDifference,
        PointMeasures,
        RocBand,
        RocCurve,
        TestResult,
    )
}
WANTED = "JSON of results, as to_json() or a command with --json writes it"
# What a file that was changed by hand can make of a result: then its numbers are shown as they stand.
BROKEN = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError, RocscopeError)
DEEPEST = 3  # tables inside of tables
FEW = 8  # values that share a cell, and columns of a matrix that are shown


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A result as it was saved, with the name it goes by."""

    name: str | None
    fields: Mapping[str, Any]


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
    if isinstance(document, Mapping) and isinstance(document.get("results"), list):
        document = document["results"]
    rows = document if isinstance(document, list) else [document]
    return [Saved(name=_name(row), fields=row) for row in rows if isinstance(row, Mapping) and row]


def _name(fields: Mapping[str, Any]) -> str | None:
    name = fields.get("score")
    return name if isinstance(name, str) else None


def saved_sections(saved: Sequence[Saved]) -> list[Section]:
    """Return the sections of saved results: those that came back as results first."""
    back, plain = list[Item](), list[Saved]()
    for one in saved:
        result = restored(one.fields)
        if result is None or not _can_be_shown(Item(one.name, result)):
            plain.append(one)
        else:
            back.append(Item(one.name, result))
    return [*sections_of(back), *map(_plain_section, plain)]


def _can_be_shown(item: Item) -> bool:
    try:
        sections_of([item])
    except BROKEN:
        return False
    return True


def restored(fields: Mapping[str, Any]) -> Result | None:
    """Make the result again that was saved; None where its type or its fields do not allow it.

    Examples
    --------
    >>> import rocscope as rs
    >>> area = rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> restored(area.to_dict()) == area
    True
    """
    kind = KINDS.get(str(fields.get("type")))
    if kind is None:
        return None
    try:
        return _made(kind, dict(fields))
    except BROKEN:
        return None


def _made(kind: type[Result], fields: dict[str, Any]) -> Result:
    if kind is RocCurve:
        fields = _with_counts(fields)
    known = dataclasses.fields(kind)  # type: ignore[arg-type]
    return kind(**{field.name: _value(field, fields[field.name]) for field in known if field.name in fields})


def _with_counts(fields: dict[str, Any]) -> dict[str, Any]:
    """Count true and false positives again, which a saved curve holds as rates only."""
    thresholds = [math.inf, *map(_threshold, fields["thresholds"][1:])]
    counts = {
        name: np.round(np.array(fields[rate], dtype=np.float64) * fields[n]).astype(np.int64)
        for name, rate, n in (("tp", "tpr", "n_pos"), ("fp", "fpr", "n_neg"))
    }
    return fields | counts | {"thresholds": np.array(thresholds)}


def _threshold(value: Any) -> float:
    return float(value)


def _value(field: dataclasses.Field[Any], value: Any) -> Any:
    annotation = str(field.type)
    if isinstance(value, Mapping) and "type" in value:
        return restored(value)
    if isinstance(value, list) and ("Floats" in annotation or "NDArray" in annotation):
        made = np.array(value)
        return made if made.dtype.kind in "bif" else np.array(value, dtype=np.float64)
    if isinstance(value, list):
        return tuple(_value(field, one) for one in value)
    return value


# ---- Tables of what does not come back --------------------------------------------------------------------


def _plain_section(one: Saved) -> Section:
    kind = type_words(str(one.fields.get("type", "Result")))
    title = kind if one.name is None else f"{kind}: {one.name}"
    note = element("p", "Saved numbers; the picture needs the result itself, as report() is given it.")
    return Section(title=title, body=(note, *_tables(one.fields, kind, DEEPEST)))


def _tables(fields: Mapping[str, Any], caption: str, depth: int) -> list[Part]:
    """Single values in one table, columns of one length in another, inner results in their own."""
    told = {name.replace("_", " "): value for name, value in fields.items() if name != "type"}
    single = {name: _short(value) for name, value in told.items() if _is_single(value)}
    parts: list[Part] = []
    if single:
        rows = [(name, cell(value)) for name, value in single.items()]
        parts.append(Table(caption=caption, header=("", "value"), rows=rows))
    for columns in _columns(told).values():
        found = table_of(columns, caption=", ".join(columns) if len(columns) < 4 else f"{caption}: numbers")
        parts += [] if found is None else [found]
    alike = {name: value for name, value in told.items() if isinstance(value, Mapping) and "value" in value}
    if len(alike) > 1:
        parts += _inner(
            f"{caption}: estimates", [{"": name, **value} for name, value in alike.items()], depth
        )
        told = {name: value for name, value in told.items() if name not in alike}
    for name, value in told.items():
        parts += _inner(name, value, depth - 1) if depth else []
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
        return _tables(value, name, depth)
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
