"""Random calls in source form: of every public function, and of the methods of what it returns."""

from __future__ import annotations

import dataclasses
import inspect
import operator
import pickle
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from matplotlib.axes import Axes

import rocscope as rs
from stress import strategies
from stress.draws import Argument, Draw
from stress.namespace import NAMES
from stress.public import is_for_callers, methods, public_calls
from stress.seeds import generator
from stress.strategies import Strategy, is_needed


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
        everything = {key: value for key, value in everything.items() if not isinstance(value, Axes)}
        before = {key: _frozen(value) for key, value in everything.items()}
        result = function(*positional, **named)
        return result, owner, [str(key) for key, value in everything.items() if _frozen(value) != before[key]]


def _frozen(value: Any) -> Any:
    """A copy to compare with later; None of what cannot be compared."""
    if isinstance(value, dict | list | tuple):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [(key, _frozen(item)) for key, item in items]
    if hasattr(value, "to_numpy"):  # pandas keeps notes of its own beside the values
        value = value.to_numpy()
    elif dataclasses.is_dataclass(value):  # as do objects of ours that remember what they counted
        value = [getattr(value, one.name) for one in dataclasses.fields(value)]
    elif hasattr(value, "__next__"):  # to read an iterator is to change it
        return None
    try:
        return pickle.dumps(value)
    except Exception:  # a function, say
        return None


def random_call(name: str, seed: int) -> Call:
    """Draw a call of a public function; the same seed draws the same call."""
    function = public_calls()[name]
    draw = Draw(generator(name, seed), inspect.signature(function).parameters)
    return _filled(Call(name), function, draw)


def random_method_call(call: Call, result: Any, seed: int) -> Call | None:
    """Draw a call of a method of a result, if it has one."""
    known = methods(result, of_class=False)
    if not known:
        return None
    rng = generator(f"method of {call.name}", seed)
    name = sorted(known)[rng.integers(len(known))]
    draw = Draw(rng, inspect.signature(known[name]).parameters)
    return _filled(Call(name, owner=call), known[name], draw, of=type(result).__name__)


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
        if not _is_passed(call.name, parameter, draw, optional):
            in_order = False
            continue
        value = _argument(call, function, parameter, draw, of)
        if in_order and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            positional.append(value)
        else:
            named[parameter.name] = value
    return replace(call, positional=tuple(positional), named=named)


def _is_passed(function: str, parameter: inspect.Parameter, draw: Draw, optional: float) -> bool:
    """Whether to pass an argument; `optional` is the chance of one that is not needed."""
    name = parameter.name
    if not is_for_callers(function, parameter) or (draw.packed and name in strategies.PACKED):
        return False
    if parameter.default is parameter.empty or (name == "pos_label" and draw.needs_pos_label):
        return True
    if name == "classes" and draw.kind == "two":
        return False
    is_usual = is_needed(function, name) and not (name == "fold" and draw.kind == "ordered")
    return draw.chance(0.97 if is_usual else optional)


def _argument(
    call: Call, function: Callable[..., Any], parameter: inspect.Parameter, draw: Draw, of: str
) -> Argument:
    make = strategy_of(call.name, function, parameter, of)
    if make is None:
        raise LookupError(
            f"nothing is known about the parameter {parameter.name!r} of {call.name}: "
            "add a strategy to STRATEGIES in tests/stress/strategies.py"
        )
    if make not in strategies.COUNTS and draw.odd(strategies.NONSENSE):
        return strategies.nonsense(draw)
    return make(draw)


def strategy_of(
    name: str, function: Callable[..., Any], parameter: inspect.Parameter, of: str = ""
) -> Strategy | None:
    """How to draw a parameter: by its name, as a flag, or as a choice among words that the function names.

    `of` is the type whose method the function is.
    """
    known = strategies.strategy(f"{of}.{name}" if of else name, parameter.name)
    if known is not None:
        return known
    if "bool" in str(parameter.annotation):
        return strategies.among("True", "False", "True", "None", "1")
    words = words_of(name, parameter.name) if not of else ()
    return strategies.words(" ".join(words)) if words else None


@cache
def words_of(name: str, parameter: str) -> tuple[str, ...]:
    """Words that a parameter may be, as the function's own refusal of another word lists them."""
    function = public_calls()[name]
    parameters = inspect.signature(function).parameters
    words: dict[str, None] = {}
    for seed in range(40):
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
