"""Reports of JSON that was saved before: by `to_json()` of results, or by commands with `--json` or `--out`.

Saved results become results again (`restored`), and so have the sections of results. What commands write
beside results is told by `saved_commands`; what else a file holds is shown as tables (`saved_tables`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocscope.errors import RocInputError
from rocscope.report.contents import TOPICS, sections_of, topic_of
from rocscope.report.items import Item
from rocscope.report.restored import BROKEN, restored
from rocscope.report.safety import element
from rocscope.report.saved_commands import SECTIONS, TOPIC_BESIDE, Saved, told_by_commands
from rocscope.report.saved_tables import tables
from rocscope.report.sections import Section
from rocscope.report.topics.plain import type_words

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
    model = None
    if isinstance(document, Mapping) and isinstance(document.get("results"), list):
        model = _text(document.get("input"), "model")
        document = document["results"]
    rows = document if isinstance(document, list) else [document]
    named = [(_text(row, "score") or model, row) for row in rows if isinstance(row, Mapping) and row]
    return told_by_commands([Saved(name=name, fields=row) for name, row in named])


def _text(fields: Any, name: str) -> str | None:
    found = fields.get(name) if isinstance(fields, Mapping) else None
    return found if isinstance(found, str) else None


def saved_sections(saved: Sequence[Saved]) -> list[Section]:
    """Return the sections of saved results, topic by topic; what was saved twice is shown once.

    Numbers that belong to no topic come last.
    """
    items: dict[str, list[Item]] = {topic: [] for topic in TOPICS}
    others: dict[str | None, list[Section]] = {topic: [] for topic in (*TOPICS, None)}
    for one in _different(saved):
        item = Item(one.name, restored(one.fields))
        if item.result is not None and _can_be_shown(item):
            items[topic_of(item.result)].append(item)
        else:
            others[TOPIC_BESIDE.get(str(one.fields.get("type")))].append(_other_section(one))
    made = [section for topic in TOPICS for section in (*sections_of(items[topic]), *others[topic])]
    return [*made, *others[None]]


def _different(saved: Sequence[Saved]) -> list[Saved]:
    kept = list[Saved]()
    for one in saved:
        kept += [] if one in kept else [one]
    return kept


def _can_be_shown(item: Item) -> bool:
    try:
        sections_of([item])
    except BROKEN:
        return False
    return True


def _other_section(one: Saved) -> Section:
    """The section of what a command says beside its results, else the numbers as they stand."""
    own = SECTIONS.get(str(one.fields.get("type")))
    try:
        return _plain_section(one) if own is None else own(one)
    except BROKEN:
        return _plain_section(one)


def _plain_section(one: Saved) -> Section:
    kind = type_words(str(one.fields.get("type", "Result")))
    title = kind if one.name is None else f"{kind}: {one.name}"
    note = element("p", "Saved numbers; the picture needs the result itself, as report() is given it.")
    return Section(title=title, body=(note, *tables(one.fields, kind)))
