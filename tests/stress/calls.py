"""Random calls of every public function, class door and method; what is wrong with one; a smaller one like it."""

from __future__ import annotations

import inspect
import operator
import pickle
import re
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import rocscope as rs
from rocscope.core.result import Row
from stress import invariants, strategies
from stress.namespace import NAMES, pasteable
from stress.samples import Rows
from stress.seeds import generator
from stress.strategies import Argument, Draw

HANG = 60  # seconds after which a call on a few dozen cases counts as one that never answers
SHRINK_TRIALS = 300


# ---- What is called ---------------------------------------------------------------------------------------

# Classes that users make themselves; all others are made by functions.
DOORS = ("Binormal", "ClassWeights", "ContaminatedBinormal", "GaussianDetector", "OperatingPointClassifier",
         "ProperBinormal", "Threshold")  # fmt: skip
ESTIMATORS = ("GaussianDetector", "OperatingPointClassifier")
# Parameters of doors that are for the functions that make such objects.
MADE_BY_FITS = {"cov", "auc", "log_likelihood", "status", "reason", "method", "n_pos", "n_neg", "n_categories",
                "categories", "cutpoints", "goodness", "warnings", "near_cov"}  # fmt: skip
# Methods between our own modules: they take what was checked before.
INTERNAL = {"by_class", "doubled_placements", "BinaryScores.sums", "BinaryScores.table", "from_sorted", "undefined", "check_index", "placement_deviations", "RocCurve.from_table", "decide_codes",
            "AveragedRoc.from_counts", "point_columns", "BinaryScores.from_table", "get_metadata_routing"}  # fmt: skip


@cache
def public_calls() -> dict[str, Callable[..., Any]]:
    """Every public function, the classes that users make, and the class methods that make one."""
    calls: dict[str, Callable[..., Any]] = {}
    for name in rs.__all__:
        thing = getattr(rs, name)
        if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, Exception)):
            continue
        if not inspect.isclass(thing) or name in DOORS:
            calls[name] = thing
        if inspect.isclass(thing):
            for method, door in _methods(thing, of_class=True).items():
                calls[f"{name}.{method}"] = door
    return calls


def _methods(owner: Any, *, of_class: bool) -> dict[str, Callable[..., Any]]:
    """Public methods of rocscope's own: of the class, or of an object."""
    kind = owner if of_class else type(owner)
    shared = set(dir(Row))
    names = [
        name
        for name in dir(kind)
        if not name.startswith("_")
        and name not in shared
        and not {name, f"{kind.__name__}.{name}"} & INTERNAL
    ]
    found = {}
    for name in names:
        static = inspect.getattr_static(kind, name)
        is_class_method = isinstance(static, classmethod | staticmethod)
        if is_class_method == of_class and (is_class_method or inspect.isfunction(static)):
            method = getattr(owner, name)
            if method.__module__.startswith("rocscope"):
                found[name] = method
    return found


# ---- One call ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """A call in source form: `rs.name(arguments)`, or a method of what another call returns."""

    name: str
    positional: tuple[Argument, ...] = ()
    named: dict[str, Argument] = field(default_factory=dict)
    owner: Call | None = None

    def __str__(self) -> str:
        head = f"{self.owner}." if self.owner else "rs."
        arguments = [*map(str, self.positional), *(f"{name}={value}" for name, value in self.named.items())]
        return f"{head}{self.name}({', '.join(arguments)})"

    def evaluate(self) -> tuple[Any, Any, list[str]]:
        """Return what the call returns, the object whose method it was, and the arguments that it changed."""
        owner = self.owner.evaluate()[0] if self.owner else rs
        function = operator.attrgetter(self.name)(owner)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a container may warn while it is made
            positional = [eval(str(value), NAMES) for value in self.positional]
            named = {name: eval(str(value), NAMES) for name, value in self.named.items()}
        everything = {**dict(enumerate(positional)), **{k: v for k, v in named.items() if k != "rng"}}
        before = {key: _frozen(value) for key, value in everything.items()}
        result = function(*positional, **named)
        return result, owner, [str(key) for key, value in everything.items() if _frozen(value) != before[key]]


def _frozen(value: Any) -> bytes | None:
    if hasattr(value, "__next__"):
        return None  # to read an iterator is to change it
    try:
        # pandas keeps notes of its own beside the values
        return pickle.dumps(value.to_numpy() if hasattr(value, "to_numpy") else value)
    except Exception:  # a function, an iterator: nothing to compare
        return None


def random_call(name: str, seed: int) -> Call:
    """Draw a call of a public function; the same seed draws the same call."""
    function = public_calls()[name]
    draw = Draw(generator(name, seed), inspect.signature(function).parameters)
    return _filled(Call(name), function, draw)


def random_method_call(call: Call, result: Any, seed: int) -> Call | None:
    """Draw a call of a method of a result, if it has one."""
    methods = _methods(result, of_class=False)
    if not methods:
        return None
    rng = generator(str(call.name), seed + 1)
    name = sorted(methods)[rng.integers(len(methods))]
    draw = Draw(rng, inspect.signature(methods[name]).parameters)
    return _filled(Call(name, owner=call), methods[name], draw, of=type(result).__name__)


def _filled(call: Call, function: Callable[..., Any], draw: Draw, of: str = "") -> Call:
    positional: list[Argument] = []
    named: dict[str, Argument] = {}
    in_order = True
    parameters = inspect.signature(function).parameters
    optional = min(0.3, strategies.OPTIONAL / len(parameters)) if parameters else 0.0
    for parameter in parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            if in_order:
                make = strategies.strategy(call.name, parameter.name)
                positional.extend(make(draw) for _ in range(draw.pick(0, 1, 1, 2)))
            continue
        if not _wanted(call.name, parameter, draw, optional):
            in_order = False
            continue
        value = _argument(call, function, parameter, draw, of)
        if in_order and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            positional.append(value)
        else:
            named[parameter.name] = value
    return replace(call, positional=tuple(positional), named=named)


def _wanted(function: str, parameter: inspect.Parameter, draw: Draw, optional: float) -> bool:
    """Whether to pass an argument; `optional` is the chance of one that is not needed."""
    name = parameter.name
    if not is_drawn(function, parameter) or (draw.packed and name in strategies.PACKED):
        return False
    if parameter.default is parameter.empty or (name == "pos_label" and draw.needs_pos_label):
        return True
    if name == "classes" and draw.kind == "two":
        return False
    is_usual = is_needed(function, name) and not (name == "fold" and draw.kind == "ordered")
    return draw.chance(0.97 if is_usual else optional)


def is_drawn(function: str, parameter: inspect.Parameter) -> bool:
    """Whether a parameter is one for callers, and not for the functions that make an object."""
    return parameter.kind is not parameter.VAR_KEYWORD and not (
        function in DOORS and parameter.name in MADE_BY_FITS
    )


def is_needed(function: str, parameter: str) -> bool:
    return bool(strategies.ALWAYS & {parameter, f"{function}.{parameter}"})


def _argument(
    call: Call, function: Callable[..., Any], parameter: inspect.Parameter, draw: Draw, of: str
) -> Argument:
    make = strategy_of(call.name, function, parameter, of)
    if make is not None and make not in strategies.COUNTS and draw.odd(strategies.NONSENSE):
        return strategies.nonsense(draw)
    if make is None:
        raise LookupError(
            f"nothing is known about the parameter {parameter.name!r} of {call.name}: "
            "add a strategy to STRATEGIES in tests/stress/strategies.py"
        )
    return make(draw)


def strategy_of(
    name: str, function: Callable[..., Any], parameter: inspect.Parameter, of: str = ""
) -> strategies.Strategy | None:
    """The strategy of a parameter: by name, a flag, or a choice among the words that the function itself names."""
    known = strategies.strategy(f"{of}.{name}" if of else name, parameter.name)
    if known is not None:
        return known
    if "bool" in str(parameter.annotation):
        return strategies.among("True", "False", "True", "False", "None", "1")
    words = choices(name, parameter.name) if not of else _words_of(function, parameter.name, 5)
    return strategies.choice(words) if words else None


@cache
def choices(name: str, parameter: str) -> tuple[str, ...]:
    return _words_of(public_calls()[name], parameter, 40)


def _words_of(function: Callable[..., Any], parameter: str, trials: int) -> tuple[str, ...]:
    """Words that a parameter may be, as the function's own refusal of another word lists them."""
    parameters = inspect.signature(function).parameters
    name = function.__name__ if hasattr(function, "__name__") else str(function)
    words: dict[str, None] = {}
    for seed in range(trials):
        draw = Draw(generator(f"{name} {parameter}", seed), parameters)
        draw.packed, draw.tame = False, True
        others = {
            other.name: eval(str(make(draw)), NAMES)
            for other in parameters.values()
            if other.name != parameter
            and (make := strategies.strategy(name, other.name))
            and (other.default is other.empty or is_needed(name, other.name) or other.name == "pos_label")
            and other.kind not in (other.VAR_POSITIONAL, other.VAR_KEYWORD)
            and not (other.name == "classes" and draw.kind == "two")
        }
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(**others, **{parameter: "?"})
        except Exception as error:
            listed = re.search(rf"{parameter} must be one of (.*), got '\?'", str(error))
            words |= dict.fromkeys(re.findall(r"'([^']*)'", listed[1]) if listed else ())
    return tuple(words)


# ---- What is wrong with a call ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where: calls with the same `kind` have the same fault."""

    kind: str
    words: str


def fault_of(call: Call, *, drawn: bool = False) -> tuple[Any, Fault | None]:
    """Run a call: its result, and what is wrong with it, if anything is.

    Right is a sound result, or a `RocscopeError`; nothing else may come, and no foreign warning.
    """
    result = None
    try:
        with guarded():
            result, owner, changed = call.evaluate()
            if changed:
                raise invariants.Unsound(f"argument changed: {', '.join(changed)}")
            invariants.check(result, call.name, drawn=drawn, owner=owner)
            if _is_repeatable(call):
                invariants.check_same(result, call.evaluate()[0])
    except rs.RocscopeError as error:
        if result is None and str(error).strip():
            return None, None
        return None, Fault(f"{type(error).__name__} of a result at {_place(error)}", _words(error))
    except invariants.Unsound as error:
        return result, Fault(str(error).partition(":")[0], str(error))
    except Exception as error:
        if _is_refusal_of_estimator(call, error):
            return None, None
        return None, Fault(f"{type(error).__name__} at {_place(error)}", _words(error))
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
def guarded() -> Iterator[None]:
    """Warnings are errors, and a call that hangs is ended."""

    def end(*_: Any) -> None:
        raise HangError(f"no answer within {HANG} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(HANG)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", rs.RocWarning)
            yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _place(error: BaseException) -> str:
    """The innermost line of rocscope that the error went through."""
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "rocscope/" in frame.filename and "/tests/" not in frame.filename
    ]
    if not ours:
        return "no line of rocscope"
    return f"{ours[-1].filename.rpartition('rocscope/')[2]}:{ours[-1].lineno}"


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:300]} [{_place(error)}]"


# ---- A smaller call with the same fault -----------------------------------------------------------------


def smallest(call: Call, fault: Fault, *, drawn: bool) -> Call:
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
                same = fault_of(candidate, drawn=drawn)[1]
            except Exception:  # an argument that cannot be made any more
                continue
            if same is not None and same.kind == fault.kind and len(str(candidate)) < len(str(call)):
                call, shrinking = candidate, True
                break
    return call


def _smaller(call: Call) -> Iterator[Call]:
    for name in [name for name in call.named if not is_needed(call.name, name)]:
        yield replace(call, named={other: value for other, value in call.named.items() if other != name})
    lengths = {len(rows.values) for rows in _rows(call)}
    for n in sorted(lengths, reverse=True):
        size = n // 2
        while size >= 1:
            for start in range(0, n, size):
                kept = [row for row in range(n) if not start <= row < start + size]
                yield _mapped(
                    call, lambda rows, n=n, kept=kept: rows.keep(kept) if len(rows.values) == n else rows
                )
            size //= 2
    yield _mapped(call, lambda rows: replace(rows, container="%s"))
    for place in range(len(_rows(call))):
        yield _mapped(call, lambda rows: replace(rows, container="%s"), only=place)
    for place in range(len(_rows(call))):
        yield _mapped(call, _ranked, only=place)


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
    count = iter(range(10**6))

    def of_argument(argument: Argument) -> Argument:
        pieces = (
            change(piece) if isinstance(piece, Rows) and only in (None, next(count)) else piece
            for piece in argument.pieces
        )
        return Argument(tuple(pieces))

    def of_call(one: Call) -> Call:
        owner = of_call(one.owner) if one.owner else None
        positional = tuple(map(of_argument, one.positional))
        return Call(
            one.name, positional, {name: of_argument(value) for name, value in one.named.items()}, owner
        )

    return of_call(call)


# ---- Many calls of one function -------------------------------------------------------------------------


@dataclass
class Findings:
    """The faults that came up, one of each kind, and how many calls were made."""

    calls: int = 0
    results: int = 0
    faults: dict[str, tuple[Call, Fault, int]] = field(default_factory=dict)

    def add(self, call: Call, fault: Fault, *, drawn: bool) -> None:
        if fault.kind in self.faults:
            first, words, count = self.faults[fault.kind]
            self.faults[fault.kind] = (first, words, count + 1)
        else:
            self.faults[fault.kind] = (smallest(call, fault, drawn=drawn), fault, 1)

    def __str__(self) -> str:
        told = [
            f"{fault.words} ({count} of {self.calls} calls)\n{pasteable(str(call))}\n"
            for call, fault, count in self.faults.values()
        ]
        return "\n".join(told)


def attack(name: str, seeds: Sequence[int] | Iterator[int], *, draw_every: int) -> Findings:
    """Call a public function again and again, and a method of what it returns; every n-th result is drawn."""
    findings = Findings()
    for seed in seeds:
        call = random_call(name, seed)
        drawn = seed % draw_every == 0
        result, fault = fault_of(call, drawn=drawn)
        findings.calls += 1
        if fault is not None:
            findings.add(call, fault, drawn=drawn)
        elif result is not None:
            findings.results += 1
            method = random_method_call(call, result, seed)
            if method is not None:
                findings.calls += 1
                fault = fault_of(method, drawn=drawn)[1]
                if fault is not None:
                    findings.add(method, fault, drawn=drawn)
        for left in Path().glob("page.html"):
            left.unlink()
    return findings
