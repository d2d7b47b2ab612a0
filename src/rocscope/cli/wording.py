"""What the library says, in the words of the command line: options and columns in place of arguments."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rocscope.errors import RocInputError, RocUsageError

# Arguments of the library that a command calls otherwise.
OTHERWISE = {"cv": "folds", "algorithms": "models", "scores": "score", "power": "wanted"}
# Parameters of a command that cannot be called like their option.
SPELT = {"wanted": "--power"}
# Columns whose values are such an argument.
COLUMNS = {"y_true": "label", "y": "label", "y_score": "score"}
WITHOUT = ((" must be None or ", " must be "), (" must be None unless ", " must be left out unless "))
SUBJECT = re.compile(r"^(\w+)(?:\['([^']*)'\]|\[\d+\])?(?= must |:)")
CONSTRAINT = re.compile(r"^a constraint(?= must )")
# Arguments of which one must be given.
ONE_OF = re.compile(r"^one of .*$")
OF_LABELS = re.compile(r"(the labels in) y(?:_true)?\b")
# Files may be called like an option.
FILES = ("file", "out", "folder", "test")
ASIDE = re.compile(r"\((\w+_\w+)\)")
SAID_TWICE = re.compile(r"(--[\w-]+ [\w-]+) \(\1\)")
# Words of a message that the data have a part in.
OF_DATA = re.compile(r"\b(in column|labels|data set|cases|smallest class|folder)\b")
# Not of a part of one: "--score x must hold numbers" is about a column.
OF_OPTION = re.compile(r"--[\w-]+ must |one of --")
SETTING = re.compile(r"\b(\w+)=(?:'([^']*)'|(True|False))")


def speaking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command complain about its own options and columns, not about arguments of the library."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        try:
            command(**given)
        except RocInputError as error:
            text = in_options(str(error), given)
            kind = RocUsageError if is_about_an_option(text) else type(error)
            raise kind(text) from error

    return run


def in_options(text: str, given: Mapping[str, Any]) -> str:
    """Name the options of a command, by what it was given, where a message names arguments.

    Examples
    --------
    >>> in_options("n_jobs must be None or a whole number other than 0, got 0", {"n_jobs": 0})
    '--n-jobs must be a whole number other than 0, got 0'
    >>> in_options("cv must be a whole number of at least 2, got 1", {"folds": 1})
    '--folds must be a whole number of at least 2, got 1'
    >>> in_options("y must hold two labels, got 1: 5", {"label": "state"})
    "column 'state' must hold two labels, got 1: 5"
    >>> in_options("leave it out unless rule='best' or fast=True", {"rule": "x", "fast": False})
    'leave it out unless --rule best or --fast'
    """
    text = SUBJECT.sub(lambda found: _subject(found, given), text)
    text = CONSTRAINT.sub("--select", text) if "select" in given else text
    text = ONE_OF.sub(lambda found: _named_options(found[0], given), text)
    if text.startswith("--"):
        for ours, theirs in WITHOUT:
            text = text.replace(ours, theirs)
    if "label" in given:
        text = OF_LABELS.sub(lambda found: f"{found[1]} column {given['label']!r}", text)
    text = ASIDE.sub(lambda found: f"({option_name(found[1])})" if found[1] in given else found[0], text)
    text = SETTING.sub(lambda found: _setting(found, given), text)
    return SAID_TWICE.sub(r"\1", text)


def is_about_an_option(text: str) -> bool:
    """Whether a message refuses the value of an option, whatever the data are.

    Examples
    --------
    >>> is_about_an_option("--level must lie between 0 and 1, got 95")
    True
    >>> is_about_an_option("--pos-label must be one of the labels in column 'y', got 'no'")
    False
    """
    return OF_OPTION.match(text) is not None and not OF_DATA.search(text)


def option_name(name: str) -> str:
    """The option of a parameter of a command.

    Examples
    --------
    >>> option_name("n_boot")
    '--n-boot'
    """
    return SPELT.get(name, f"--{name.replace('_', '-')}")


def _subject(found: re.Match[str], given: Mapping[str, Any]) -> str:
    """The option or column of an argument; what is no argument stays as it is."""
    name, part = found[1], found[2]
    if name == "measure" and _is_of_a_bound(found.string, given):
        return "--select"
    if any(name == Path(str(given.get(key))).name for key in FILES):
        return name
    column = _column(given.get(COLUMNS.get(name, "")))
    if name not in given and column is not None:
        return f"column {column!r}"
    option = name if name in given else OTHERWISE.get(name, "")
    if option not in given:
        return found[0]
    return option_name(option) if part is None else f"{option_name(option)} {part}"


def _is_of_a_bound(text: str, given: Mapping[str, Any]) -> bool:
    """Whether a measure that is refused comes from a bound such as "tpr>=0.9"."""
    got = re.search(r", got '([^']*)'", text)
    return got is not None and any(bound.strip().startswith(got[1]) for bound in given.get("select") or ())


def _named_options(text: str, given: Mapping[str, Any]) -> str:
    """The same with every argument called by its option."""
    names = {name: option_name(OTHERWISE.get(name, name)) for name in (*given, *OTHERWISE)}
    known = {name: option for name, option in names.items() if OTHERWISE.get(name, name) in given}
    return re.sub(r"(?<![-\w])\w+", lambda word: known.get(word[0], word[0]), text)


def _column(value: Any) -> str | None:
    """The one column that was given."""
    if isinstance(value, (list, tuple)):
        return str(value[0]) if len(value) == 1 else None
    return value if isinstance(value, str) else None


def _setting(found: re.Match[str], given: Mapping[str, Any]) -> str:
    name, text, flag = found.groups()
    if name not in given:
        return found[0]
    if flag is None:
        return f"{option_name(name)} {text}"
    return option_name(name) if flag == "True" else option_name(f"no_{name}")
