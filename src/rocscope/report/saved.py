"""Reports of JSON that was saved before: by `to_json()` of results, or by commands with `--json` or `--out`.

Saved results become results again (`restored`), and so have the sections of results. What commands write
beside results is told by `saved_commands`; what else a file holds is shown as tables (`saved_tables`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rocscope.errors import RocInputError
from rocscope.report.contents import TOPICS, sections_of, topic_of
from rocscope.report.items import Item, at_one_cutoff
from rocscope.report.render import render_section
from rocscope.report.restored import BROKEN, checked, restored
from rocscope.report.safety import element
from rocscope.report.saved_commands import SECTIONS, TOPIC_BESIDE, Saved, told_by_commands
from rocscope.report.saved_tables import tables
from rocscope.report.sections import Section
from rocscope.report.tables import type_words
from rocscope.report.thinning import LIMIT

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
        back[topic_of(item.result)].append((one, item))
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
    return Section(title=title, body=(note, *tables(one.fields, kind)))
