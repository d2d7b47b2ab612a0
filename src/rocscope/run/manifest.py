"""What a journal belongs to: one study, by its name, seed, parameters, tasks and data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rocscope.core.result import plain
from rocscope.errors import RocInputError

# What is told of a digest that differs.
DIGESTS = {"tasks_digest": "the tasks are others", "data_digest": "the data are others"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a journal belongs to.

    Attributes
    ----------
    name, seed, parameters
        Those of the study, the parameters as canonical JSON.
    n_tasks, tasks_digest
        Number of tasks, and a digest of their keys, functions and parameters.
    data_digest
        Digest of the data that tasks share.
    """

    name: str
    seed: int
    parameters: str
    n_tasks: int
    tasks_digest: str
    data_digest: str

    @classmethod
    def of(cls, *, parameters: Mapping[str, Any], **others: Any) -> Manifest:
        """Make it, the parameters as canonical JSON."""
        try:
            text = canonical_json(dict(parameters))
        except (TypeError, ValueError, RecursionError) as error:
            raise RocInputError(f"parameters of a study must be what JSON can hold: {error}") from error
        return cls(parameters=text, **others)

    def text(self) -> str:
        """The manifest as JSON."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return canonical_json(fields | {"parameters": json.loads(self.parameters)})

    @classmethod
    def read(cls, text: str) -> Manifest:
        """Read what `text` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"parameters": canonical_json(fields["parameters"])})

    def differs_from(self, other: Manifest) -> str:
        """What is not the same there, in words."""
        here, there = self._flat(), other._flat()
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        told = [
            f"{name} is {there.get(name)!r} there, {here.get(name)!r} here"
            for name in names
            if name not in DIGESTS
        ]
        # Other digests follow from what was told already.
        return ", ".join(told or [DIGESTS[name] for name in names])

    def _flat(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text())
        parameters: dict[str, Any] = found.pop("parameters")
        return found | parameters


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, in ASCII, which any database holds; what has no form in it is refused.

    Examples
    --------
    >>> canonical_json({"b": (1.0, float("nan")), "a": None})
    '{"a": null, "b": [1.0, null]}'
    """
    return json.dumps(plain(value, other=_refused), allow_nan=False, sort_keys=True)


def _refused(value: Any) -> Any:
    raise TypeError(f"JSON has no form for a value of type {type(value).__name__}")


def digest_of(things: Iterable[tuple[str, Any]]) -> str:
    """Digest of values by their names: equal contents, equal digests, in any process.

    Examples
    --------
    >>> import numpy as np
    >>> digest_of([("x", np.arange(3))]) == digest_of([("x", np.arange(3))])
    True
    >>> digest_of([("x", np.arange(3))]) == digest_of([("x", np.arange(4))])
    False
    """
    import pickle

    import joblib

    found = hashlib.sha256()
    for name, thing in things:
        try:
            told = joblib.hash(thing, hash_name="sha1")
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
            raise RocInputError(f"{name} must be what pickle can hold: {error}") from error
        found.update(canonical_json([name, told]).encode())
    return found.hexdigest()
