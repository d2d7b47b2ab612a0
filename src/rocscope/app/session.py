"""The tables that were dropped on the page, and the reports that are made of them."""

from __future__ import annotations

import csv
import io
import math
import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Literal

import rocscope as rs
from rocscope.core import checks, formatting
from rocscope.errors import RocInputError, RocscopeError
from rocscope.io import example
from rocscope.io.columns import BELOW
from rocscope.io.files import read_scores
from rocscope.io.input_file import Dialect, local_file
from rocscope.io.overview import MOST_VALUES, Overview, read_overview
from rocscope.reporting.page import file_page

# So many are kept; the oldest goes first.
MOST_TABLES, MOST_REPORTS = 4, 8
LONGEST_NAME = 120
REMEDIES = {
    "fold": "choose a column of folds",
    "score": "tick a second marker",
    "cases": "on the command line, rocscope auc --method bootstrap and rocscope fuse",
    "pairs": "on the command line, rocscope fuse shows any pair",
    "training": "on the command line, rocscope algorithms and rocscope bootstrap",
}
# Fields of the page, by the arguments that the library refuses, and what the page calls them.
FIELDS = {
    "label": "outcome",
    "y_true": "outcome",
    "pos_label": "positive",
    "score": "markers",
    "y_score": "markers",
    "scores": "markers",
    "direction": "direction",
    "fold": "fold",
    "select": "rule",
    "a constraint": "rule",
    "rule": "rule",
    "level": "level",
    "rng": "seed",
    "seed": "seed",
    "sheet": "sheet",
    "decimal": "decimal",
    "missing": "missing",
    "below": "below",
}
TITLES = {
    "outcome": "the outcome",
    "positive": "the positive class",
    "markers": "the markers",
    "direction": "the direction",
    "fold": "the column of folds",
    "rule": "the selection rule",
    "level": "the confidence level",
    "seed": "the seed",
    "sheet": "“Sheet”",
    "decimal": "“Decimal sign”",
    "missing": "“Codes for missing values”",
    "below": "“Values such as <0.05”",
}
RULES = {"youden": None, "sensitivity": "tpr", "specificity": "tnr", "closest": None}
EVIDENT = ({"0", "1"}, {"-1", "1"})  # labels of which 1 is positive


class StoppedError(Exception):
    """The user stopped a report, or the program ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTable:
    """A table on the page: the private copy of a file, the name of the original, how it is written."""

    id: str
    path: Path
    name: str
    dialect: Dialect
    overview: Overview
    choices: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """What the page shows of it."""
        overview = self.overview
        return {
            "id": self.id,
            "name": self.name,
            "rows": overview.rows,
            "notes": [sentence(note) for note in overview.notes],
            "columns": [
                {
                    "name": column.name,
                    "type": column.type,
                    "distinct": column.distinct,
                    "missing": column.missing,
                    "values": list(values),
                    "unread": [
                        {"text": text, "cells": cells, "below": re.match(BELOW, text) is not None}
                        for text, cells in column.unread
                    ],
                }
                for column, values in zip(overview.columns, overview.values, strict=True)
            ],
            "first": [list(row) for row in overview.first],
            "choices": dict(self.choices) or self._evident(),
        }

    def _evident(self) -> dict[str, Any]:
        """Choices that leave no doubt: the only column of two values, the class 1 of 0 and 1."""
        columns, values = self.overview.columns, self.overview.values
        two = [k for k, texts in enumerate(values) if len(texts) == 2]
        numbers = [k for k, column in enumerate(columns) if column.type in ("number", "whole")]
        choices: dict[str, Any] = {}
        if len(two) == 1:
            choices["outcome"] = two[0]
            numbers = [k for k in numbers if k != two[0]]
            if set(values[two[0]]) in EVIDENT:
                choices["positive"] = [values[two[0]].index("1")]
        if len(numbers) == 1:
            choices["markers"] = numbers
        return choices


@dataclass(slots=True, kw_only=True)
class UserReport:
    """A report that is being made, or is made, or could not be."""

    id: str
    name: str
    state: Literal["running", "done", "failed", "stopped"] = "running"
    what: str = "reading the table"
    share: float = 0.0
    page: str = ""
    notes: list[str] = field(default_factory=list)
    failure: dict[str, Any] = field(default_factory=dict)
    thread: threading.Thread | None = None

    def watch(self, what: str, share: float) -> None:
        """Note the progress."""
        self.what, self.share = what, share

    def step(self, what: str, share: float) -> None:
        """Note the progress of the analysis, which ends here if it was stopped."""
        if self.state == "stopped":
            raise StoppedError
        self.watch(what, share)

    def to_json(self) -> dict[str, Any]:
        """Where it stands."""
        return {
            "id": self.id,
            "state": self.state,
            "what": sentence(self.what),
            "share": self.share,
            "file": self.file_name,
            **self.failure,
        }

    @property
    def file_name(self) -> str:
        """What the saved page is called: letters and digits alone."""
        stem = "".join(c if c.isalnum() or c in "-_." else "_" for c in PurePath(self.name).stem)
        return f"{stem.encode('ascii', 'replace').decode().replace('?', '_')[:60] or 'table'}_report.html"


class Session:
    """All tables and reports of one run of the program, in a private folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables: dict[str, UserTable] = {}
        self.reports: dict[str, UserReport] = {}

    def new_path(self) -> Path:
        """A new file in the private folder."""
        return self.folder / secrets.token_hex(8)

    def add(self, path: Path, name: str, choices: Mapping[str, Any] | None = None) -> UserTable:
        """Look at a file in the folder and keep it; one that cannot be read is removed."""
        name = PurePath(name.replace("\\", "/")).name[-LONGEST_NAME:] or "table.csv"
        try:
            table = _looked_at(path, name, Dialect())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        table = replace(table, choices=choices or {})
        self.tables[table.id] = table
        while len(self.tables) > MOST_TABLES:
            self.tables.pop(next(iter(self.tables))).path.unlink(missing_ok=True)
        return table

    def add_example(self) -> UserTable:
        """Keep the example, with all its choices made."""
        cases = example.example_cases()
        names = [*cases[0]]
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, names)
        writer.writeheader()
        writer.writerows(cases)
        path = self.new_path()
        path.write_text(text.getvalue(), encoding="utf-8")
        table = self.add(path, example.NAME)
        outcome = names.index(example.LABEL)
        choices = {
            "outcome": outcome,
            "positive": [table.overview.values[outcome].index(example.POSITIVE)],
            "markers": [names.index(name) for name in example.MARKERS],
        }
        self.tables[table.id] = replace(table, choices=choices)
        return self.tables[table.id]

    def table(self, key: Any) -> UserTable:
        """A table by its key; the page names one that is gone after many others alone."""
        table = self.tables.get(key) if isinstance(key, str) else None
        if table is None:
            raise RocInputError("this table is no longer open: drop the file again", argument="file")
        return table

    def read_again(self, key: str, options: Mapping[str, Any]) -> UserTable:
        """Look at a table again, written as its user says."""
        table = self.table(key)
        texts = {
            name: str(options.get(name) or "").strip() for name in ("sheet", "decimal", "missing", "below")
        }
        dialect = Dialect.read(
            sheet=texts["sheet"] or None,
            decimal=checks.check_choice(texts["decimal"], ("", ".", ","), name="decimal") or None,
            missing=[code.strip('"') for code in re.findall(r'"[^"]*"|\S+', texts["missing"])],
            below="keep" if texts["below"] == "keep" else "error",
        )
        self.tables[key] = replace(_looked_at(table.path, table.name, dialect), id=key)
        return self.tables[key]

    def start(self, key: Any, choices: Mapping[str, Any]) -> UserReport:
        """Check the choices and begin a report; one that is being made is stopped."""
        table = self.table(key)
        columns, request = read_choices(table, choices)
        self.stop()
        report = UserReport(id=secrets.token_hex(8), name=table.name)
        report.thread = threading.Thread(target=_make, args=(report, table, columns, request), daemon=True)
        self.reports[report.id] = report
        while len(self.reports) > MOST_REPORTS:
            self.reports.pop(next(iter(self.reports)))
        report.thread.start()
        return report

    def stop(self, wait: float = 0.0) -> None:
        """Stop what is being made; it ends after its present step, for which one may wait."""
        for report in self.reports.values():
            if report.state == "running":
                report.state = "stopped"
            if wait and report.thread is not None:
                report.thread.join(wait)


def read_choices(table: UserTable, choices: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Check what was chosen on the page; the arguments of `read_scores` and of `analyse`."""
    columns, values = table.overview.columns, table.overview.values

    def column(field: str, position: Any) -> str:
        if not isinstance(position, int) or isinstance(position, bool) or not 0 <= position < len(columns):
            raise RocInputError("must be a column of the table", argument=field)
        return columns[position].name

    outcome, positive, fold = (choices.get(name) for name in ("outcome", "positive", "fold"))
    if outcome is None:
        raise RocInputError("must be chosen: the column that says who has the condition", argument="label")
    label, distinct, texts = column("label", outcome), columns[outcome].distinct, values[outcome]
    if not 2 <= distinct == len(texts):
        got = f"column {formatting.spelt(label)!r} has {distinct:,}"
        allowed = f"two to {MOST_VALUES} different values"
        raise RocInputError(f"must have {allowed}, {got}", argument="label")
    positive = positive if isinstance(positive, list) else [positive]
    if not positive or any(not isinstance(k, int) or k not in range(distinct) for k in positive):
        raise RocInputError("must be chosen: what means that the condition is present", argument="pos_label")
    if len(set(positive)) == distinct:
        raise RocInputError("must leave a value for the other class", argument="pos_label")
    labels = [texts[k] for k in positive]
    markers = choices.get("markers") or []
    if not isinstance(markers, list) or not markers:
        raise RocInputError("must be chosen: tick one or more", argument="score")
    scores = [column("score", position) for position in markers]
    if label in scores:
        raise RocInputError("must be other columns than the outcome", argument="score")
    if fold is not None and column("fold", fold) in (label, *scores):
        raise RocInputError("must be another column than the outcome and the markers", argument="fold")
    rule = choices.get("rule", "youden")
    if not isinstance(rule, str) or rule not in RULES:
        raise RocInputError(f"must be one of {', '.join(RULES)}", argument="rule")
    request: dict[str, Any] = {"rule": None if rule == "youden" else rule}
    if RULES[rule] is not None:
        bound = _number(choices, "bound", 90.0, 0, 100, field="rule") / 100
        request = {"select": f"{RULES[rule]}>={bound:g}"}
    request |= {
        "level": _number(choices, "level", 95.0, 0, 100) / 100,
        "rng": int(_number(choices, "seed", 1.0, -1, 2**53, whole=True)),
    }
    direction = choices.get("direction", "higher")
    if direction not in ("higher", "lower"):
        raise RocInputError("must be higher or lower", argument="direction")
    reading = {"label": label, "score": scores, "pos_label": labels, "direction": direction}
    return reading | {"fold": None if fold is None else column("fold", fold)}, request


def _number(
    choices: Mapping[str, Any],
    name: str,
    default: float,
    above: float,
    below: float,
    *,
    whole: bool = False,
    field: str | None = None,
) -> float:
    """A number of the page, between two others."""
    value = choices.get(name, default)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not above < value < below or (whole and value != int(value)):
        allowed = "a whole number of at least 0" if whole else f"a number between {above:g} and {below:g} %"
        got = "none" if value is None else checks.show(value)
        raise RocInputError(
            f"must be {allowed}, got {got}", argument=field or {"seed": "rng"}.get(name, name)
        )
    return float(value)


def _looked_at(path: Path, name: str, dialect: Dialect) -> UserTable:
    with local_file(path, name=name, dialect=dialect) as file:
        overview = read_overview(file)
    return UserTable(id=secrets.token_hex(8), path=path, name=name, dialect=dialect, overview=overview)


def _make(report: UserReport, table: UserTable, columns: dict[str, Any], request: dict[str, Any]) -> None:
    """Make a report, in a thread of its own."""
    try:
        with local_file(table.path, name=table.name, dialect=table.dialect, watch=report.watch) as file:
            data = read_scores(file, na="drop", table=False, **columns)
            analysis = rs.analyse(data, progress=report.step, **request)
            report.step("writing the page", 1.0)
            page, notes = file_page(analysis, sources=[table.name], seed=request["rng"], remedies=REMEDIES)
        report.page, report.notes = page, notes
        report.state = "done" if report.state == "running" else report.state
    except StoppedError:
        pass
    except BaseException as error:
        report.failure, report.state = failure(error, columns), "failed"


def failure(error: BaseException, columns: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The field of the page that an error belongs to, and a sentence."""
    if not isinstance(error, RocscopeError):
        text = "out of memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
        return {"field": None, "message": sentence(f"this is a fault of rocscope itself: {text}")}
    arguments = (error.argument,) if isinstance(error.argument, str) else error.argument or ()
    fields: list[str | None] = [FIELDS.get(name.partition("[")[0], name) for name in arguments]
    text = error.text(lambda name: TITLES.get(FIELDS.get(name.partition("[")[0], name), name))
    if not fields or fields[0] not in TITLES:
        columns = columns or {}
        named = [(argument, columns.get(argument)) for argument in ("label", "fold")]
        named += [("score", name) for name in columns.get("score", ())]
        begins = (FIELDS[argument] for argument, name in named if text.startswith(f"column {name!r}"))
        fields = [next(begins, None)]
    return {"field": fields[0], "message": sentence(text.removeprefix("file "))}


def sentence(text: str) -> str:
    """A message as a sentence, without control characters; the name of a file stays as it is.

    Examples
    --------
    >>> sentence("the file is empty"), sentence("cases.csv is empty")
    ('The file is empty.', 'cases.csv is empty.')
    """
    text = formatting.spelt(text.strip())
    if text.partition(" ")[0].isalpha():
        text = formatting.sentence(text)
    return text if text.endswith((".", "!", "?")) else f"{text}."
