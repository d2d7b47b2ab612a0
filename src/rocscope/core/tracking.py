"""The numbers of a result under flat names, as experiment trackers take them."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocscope.core.checks import show
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.core.result import Result

# Characters that MLflow, W&B and DVC all take in the name of a metric, and the length that MLflow takes.
ALLOWED = re.compile(r"[A-Za-z0-9_\-./ ]*")
OTHERS = re.compile(r"[^A-Za-z0-9_\-.]+")
LONGEST = 250
# Settings and labels, not outcomes.
SETTINGS = {"level", "digits", "pos_label", "neg_label", "positive", "negative", "label"}
# Fields that say which row it is; where a row has none of them, the first of the others that it has.
LABELS = (
    "dataset", "first", "second", "algorithm", "learner", "model", "estimator", "measure", "figure",
    "parameter", "source", "by", "group", "cases", "zone", "kind",
)  # fmt: skip
OTHER_LABELS = ("positive", "label", "name", "method")
COUNTERS = ("n", "size", "fold")  # beside a name


def flat_metrics(result: Result | Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Return the finite numbers of a result, or of named numbers, under flat names: `Result.log_metrics`."""
    if not isinstance(prefix, str) or ALLOWED.fullmatch(prefix) is None:
        what = "letters, digits, blanks and any of _ - . /"
        raise RocInputError(f"must be a text of {what}, got {show(prefix)}", argument="prefix")
    metrics = dict[str, float]()
    for path, value in _of(result, ()):
        if math.isfinite(value):
            stem = f"{prefix}{'/'.join(path)}"[: LONGEST - 8]
            key, copies = stem, 1
            while key in metrics:  # names that differ only in characters that are not allowed
                copies += 1
                key = f"{stem}_{copies}"
            metrics[key] = value
    return metrics


def _numbers(result: Result, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Numbers of the fields of a result, with the names that lead to each.

    Trackers that write files take no name that is a folder of another: beside `auc` there is no `auc/low`.
    """
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}  # type: ignore[arg-type]
    estimate = {"name", "value", "se", "low", "high"} <= set(fields)  # auc, auc_se, auc_low, auc_high
    if estimate:
        path = path or (component(str(fields["name"]).lower()),)
        yield from _of(fields.pop("value"), path)
    names = fields.get("names", ())
    for name, value in fields.items():
        if name in SETTINGS:
            continue
        here = (*path[:-1], f"{path[-1]}_{name}") if estimate else (*path, name)
        if not isinstance(value, np.ndarray):
            yield from _of(value, here)
        elif value.shape == (len(names),):
            yield from _of(dict(zip(map(str, names), value.tolist(), strict=True)), here)


def _of(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
    if dataclasses.is_dataclass(value) and hasattr(value, "log_metrics"):
        yield from _numbers(value, path)  # type: ignore[arg-type]
    elif isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        yield path, float(value)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _of(item, (*path, component(str(name))))
    elif isinstance(value, tuple):
        for item in value:
            if dataclasses.is_dataclass(item) and hasattr(item, "log_metrics") and (label := _label(item)):
                yield from _of(item, (*path, label))


def _label(row: Any) -> str:
    """What distinguishes a row from the others: its names; nothing where it has none."""
    fields = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    known = {name: str(value) for name, value in fields.items() if isinstance(value, (str, int))}
    labels = [known[name] for name in LABELS if name in known]
    labels = labels or [known[name] for name in OTHER_LABELS if name in known][:1]
    counters = [known[name] for name in COUNTERS if name in known]
    return component("_".join([*labels, *counters])) if labels else ""


def component(text: str) -> str:
    """Return one part of a name, without the characters that a tracker refuses.

    Examples
    --------
    >>> component("R&D / lab"), component("0.5"), component(".."), component("é")
    ('R_D_lab', '0.5', '_', '_')
    """
    return OTHERS.sub("_", text).strip("._ ")[:100] or "_"
