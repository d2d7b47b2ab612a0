"""What is wrong with a call, and the smallest call that shows it."""

from __future__ import annotations

import inspect
import itertools
import re
import signal
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

import rocscope as rs
from stress import invariants
from stress.calls import Call, random_call, random_method_call
from stress.draws import Argument
from stress.namespace import pasteable
from stress.public import ESTIMATORS, public_calls
from stress.samples import Rows
from stress.strategies import is_needed

# Seconds of work, or of waiting, after which a call on a few dozen cases counts as one that never answers.
HANG, WAIT = 60, 300
SHRINK_TRIALS = 300


# What has to be added to a call to see the fault that a check of its result met.
SHOWN_BY = {
    "check_picture": ".plot()",
    "check_frame": ".frame()",
    "check_json": ".to_json()",
    "check_text": ".__str__()",
    "check_copies": ".__reduce__()",
}


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where: calls with the same `kind` have the same fault."""

    kind: str
    words: str
    shown_by: str = ""

    @classmethod
    def of(cls, error: Exception) -> Fault:
        """The fault that an exception is, which should not have come."""
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f for f in frames if "rocscope/" in f.filename and "/tests/" not in f.filename]
        place = f"{ours[-1].filename.rpartition('rocscope/')[2]}:{ours[-1].lineno}" if ours else "outside"
        kind = f"{type(error).__name__} at {place}"
        shown_by = next((SHOWN_BY[f.name] for f in frames if f.name in SHOWN_BY), "")
        return cls(kind, f"{type(error).__name__}: {str(error)[:300]} [{place}]", shown_by)


def fault_of(call: Call, *, with_picture: bool = False) -> tuple[Any, Fault | None]:
    """Run a call: its result, and what is wrong with it, if anything is.

    Right is a sound result, or a `RocscopeError`; nothing else may come, and no foreign warning.
    """
    result = None
    try:
        with guard():
            result, owner, changed = call.evaluate()
            if changed:
                raise invariants.UnsoundError(f"argument changed: {', '.join(changed)}")
            invariants.check(result, call.name, with_picture=with_picture, owner=owner)
            if _is_repeatable(call):
                invariants.check_same(result, call.evaluate()[0])
    except rs.RocscopeError as error:
        if result is None and str(error).strip():
            return None, None
        return None, Fault.of(error)
    except invariants.UnsoundError as error:
        return result, Fault(str(error).partition(":")[0], str(error))
    except Exception as error:
        if _is_refusal_of_estimator(call, error):
            return None, None
        return None, Fault.of(error)
    return result, None


def _is_refusal_of_estimator(call: Call, error: Exception) -> bool:
    """Estimators keep scikit-learn's conventions: its own checks may refuse what they are given."""
    made_by = call.owner or call
    return (
        made_by.name in ESTIMATORS
        and isinstance(error, ValueError | TypeError | AttributeError | Warning)
        and any("/sklearn/" in frame.filename for frame in traceback.extract_tb(error.__traceback__))
    )


def _is_repeatable(call: Call) -> bool:
    """Whether no chance is in the call, or a seed; a page is written once."""
    seeded = re.search(r"rng=[12]\b", str(call)) is not None
    return call.name != "report" and (seeded or "rng" not in _parameters(call))


def _parameters(call: Call) -> set[str]:
    own = set(inspect.signature(public_calls()[call.name]).parameters) if call.owner is None else set()
    return own | (_parameters(call.owner) if call.owner else set())


class HangError(Exception):
    """No answer; a subclass of Exception so that it is reported like any other."""


@contextmanager
def guard() -> Iterator[None]:
    """Warnings are errors, and a call that hangs is ended."""

    def end(*_: Any) -> None:
        raise HangError(f"no answer within {HANG} s of work or {WAIT} s of waiting")

    timers = {signal.SIGPROF: (signal.ITIMER_PROF, HANG), signal.SIGALRM: (signal.ITIMER_REAL, WAIT)}
    before = {number: signal.signal(number, end) for number in timers}
    for timer, limit in timers.values():
        signal.setitimer(timer, limit)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", rs.RocWarning)
            yield
    finally:
        for number, (timer, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


# ---- A smaller call with the same fault -----------------------------------


def smallest(call: Call, fault: Fault, *, with_picture: bool) -> Call:
    """Drop arguments, containers and rows for as long as the fault stays the same."""
    trials = SHRINK_TRIALS if not fault.kind.startswith("HangError") else 5
    shrinking = True
    while shrinking and trials > 0:
        shrinking = False
        for candidate in _smaller(call):
            trials -= 1
            if trials < 0:
                break
            try:
                same = fault_of(candidate, with_picture=with_picture)[1]
            except Exception:  # an argument that cannot be made any more
                continue
            if same is not None and same.kind == fault.kind and len(str(candidate)) < len(str(call)):
                call, shrinking = candidate, True
                break
    return call


def _smaller(call: Call) -> Iterator[Call]:
    for name in [name for name in call.named if not is_needed(call.name, name)]:
        yield replace(call, named={other: value for other, value in call.named.items() if other != name})
    for n in sorted({len(rows.values) for rows in _rows(call)}, reverse=True):
        for size in (n >> k for k in range(1, n.bit_length())):
            for start in range(0, n, size):
                yield _mapped(call, partial(_without, n=n, start=start, size=size))
    yield _mapped(call, lambda rows: replace(rows, container="%s"))
    for place in range(len(_rows(call))):
        yield _mapped(call, lambda rows: replace(rows, container="%s"), only=place)
    for place in range(len(_rows(call))):
        yield _mapped(call, _ranked, only=place)


def _without(rows: Rows, *, n: int, start: int, size: int) -> Rows:
    """Arrays of n rows without some of them; the others as they are."""
    kept = [row for row in range(n) if not start <= row < start + size]
    return rows.keep(kept) if len(rows.values) == n else rows


def _ranked(rows: Rows) -> Rows:
    """Small whole numbers in the order of the values."""
    try:
        return replace(rows, values=tuple(np.unique(np.array(rows.values), return_inverse=True)[1].tolist()))
    except TypeError:
        return rows


def _rows(call: Call) -> list[Rows]:
    arguments = [*call.positional, *call.named.values()]
    own = [piece for argument in arguments for piece in argument.pieces if isinstance(piece, Rows)]
    return [*(_rows(call.owner) if call.owner else ()), *own]


def _mapped(call: Call, change: Callable[[Rows], Rows], only: int | None = None) -> Call:
    """The call with all its arrays changed, or only one of them."""
    places = itertools.count()

    def of_argument(argument: Argument) -> Argument:
        pieces = (
            change(piece) if isinstance(piece, Rows) and only in (None, next(places)) else piece
            for piece in argument.pieces
        )
        return Argument(tuple(pieces))

    def of_call(one: Call) -> Call:
        owner = of_call(one.owner) if one.owner else None
        positional = tuple(map(of_argument, one.positional))
        named = {name: of_argument(value) for name, value in one.named.items()}
        return Call(one.name, positional, named, owner)

    return of_call(call)


# ---- Many calls of one function -----------------------------------


@dataclass
class Findings:
    """The faults that came up, one of each kind, and how many calls were made."""

    calls: int = 0
    results: int = 0
    faults: dict[str, tuple[Call, Fault, int]] = field(default_factory=dict)

    def add(self, call: Call, fault: Fault, *, with_picture: bool) -> None:
        if fault.kind in self.faults:
            first, words, count = self.faults[fault.kind]
            self.faults[fault.kind] = (first, words, count + 1)
        else:
            self.faults[fault.kind] = (smallest(call, fault, with_picture=with_picture), fault, 1)

    def __str__(self) -> str:
        lines = [
            f"{fault.words} ({count} of {self.calls} calls)\n{pasteable(str(call) + fault.shown_by)}\n"
            for call, fault, count in self.faults.values()
        ]
        return "\n".join(lines)


def attack(name: str, seeds: Iterable[int], *, draw_every: int) -> Findings:
    """Call a public function again and again, and a method of what it returns; some results are drawn."""
    findings = Findings()
    for seed in seeds:
        call = random_call(name, seed)
        with_picture = seed % draw_every == 0
        result, fault = fault_of(call, with_picture=with_picture)
        findings.calls += 1
        if fault is not None:
            findings.add(call, fault, with_picture=with_picture)
        elif result is not None:
            findings.results += 1
            method = random_method_call(call, result, seed)
            if method is not None:
                findings.calls += 1
                fault = fault_of(method, with_picture=with_picture)[1]
                if fault is not None:
                    findings.add(method, fault, with_picture=with_picture)
        for left in Path().glob("page.html"):
            left.unlink()
        plt.close("all")
    return findings
