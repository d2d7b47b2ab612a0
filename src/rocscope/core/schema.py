"""JSON schema of what `to_dict()` of every result gives, from the fields of the result classes."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from rocscope.core.result import RESULT_CLASSES, ROOMS, Result, import_room

# Raised when a field of a result goes, changes its type or its meaning; a new field does not raise it.
VERSION = 1
NAME = f"rocscope-results-{VERSION}.json"
NUMBER: dict[str, Any] = {"type": ["number", "null"]}  # NaN and infinity are null


def results_schema() -> dict[str, Any]:
    """Return the schema of all results: one definition for each class, by the name that "type" holds.

    Examples
    --------
    >>> schema = results_schema()
    >>> schema["$defs"]["Estimate"]["properties"]["value"]
    {'type': ['number', 'null']}
    >>> schema["$defs"]["Estimate"]["required"][:3]
    ['type', 'name', 'value']
    """
    for room in ROOMS:
        import_room(room)
    concrete: dict[str, Any] = {
        name: cls for name, cls in sorted(RESULT_CLASSES.items()) if dataclasses.is_dataclass(cls)
    }
    definitions = dict[str, dict[str, Any]]()
    for name, cls in concrete.items():
        hints = get_type_hints(cls, localns=RESULT_CLASSES)
        saved = {one.name: _value_schema(hints[one.name]) for one in dataclasses.fields(cls) if one.repr}
        definitions[name] = {
            "description": (cls.__doc__ or "").strip().partition("\n")[0],
            "type": "object",
            "properties": {"type": {"const": name}, **saved},
            "required": ["type", *saved],
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:rocscope:results:{VERSION}",
        "title": f"Results of rocscope, version {VERSION}",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in definitions],
        "$defs": definitions,
    }


def _value_schema(hint: Any) -> dict[str, Any]:
    """The schema of a value of this type, as `plain` writes it; of what has no type of its own, anything."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        options = [_value_schema(one) for one in inner]
        kinds = [one["type"] for one in options if set(one) == {"type"}]
        simple = {kind: None for one in kinds for kind in ([one] if isinstance(one, str) else one)}
        rest = [one for one in options if set(one) != {"type"}]
        merged: list[dict[str, Any]] = []
        if simple:
            merged = [{"type": next(iter(simple)) if len(simple) == 1 else list(simple)}]
        return _any_of([*rest, *merged])
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is np.ndarray:
        return {"type": ["array", "number"], "items": {}}
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _value_schema(inner[1])}
    if origin in (tuple, list) or (isinstance(origin, type) and issubclass(origin, (tuple, list))):
        return {
            "type": "array",
            "items": _any_of([_value_schema(one) for one in inner if one is not Ellipsis]),
        }
    if isinstance(hint, type) and issubclass(hint, Result):
        names = [name for name, cls in sorted(RESULT_CLASSES.items()) if issubclass(cls, hint)]
        parts = [
            {"$ref": f"#/$defs/{name}"} for name in names if dataclasses.is_dataclass(RESULT_CLASSES[name])
        ]
        return _any_of(parts) if dataclasses.is_dataclass(hint) else {"type": "object"}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [one.value for one in hint]}
    plain: dict[Any, dict[str, Any]] = {
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        str: {"type": "string"},
        float: NUMBER,
        type(None): {"type": "null"},
    }
    return plain.get(hint, {})


def _any_of(options: list[dict[str, Any]]) -> dict[str, Any]:
    """One of these schemas, each once; anything if one of them is anything."""
    unique = [one for k, one in enumerate(options) if one not in options[:k]]
    if not unique or {} in unique:
        return {}
    return unique[0] if len(unique) == 1 else {"anyOf": unique}
