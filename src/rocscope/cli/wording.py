"""What the library says, in the words of the command line: options and columns in place of arguments."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rocscope.errors import RocInputError

# Arguments of the library that a command calls otherwise.
OTHERWISE = {"cv": "folds", "algorithms": "models", "scores": "score", "power": "wanted"}
# Parameters of a command that cannot be called like their option.
SPELT = {"wanted": "--power"}
# Columns whose values are such an argument.
COLUMNS = {"y_true": "label", "y": "label", "y_score": "score"}
WITHOUT = ((" must be None or ", " must be "), (" must be None unless ", " must be left out unless "))
SUBJECT = re.compile(r"^(\w+)(?:\['([^']*)'\])?(?= must |:)")
OF_LABELS = re.compile(r"(the labels in) y(?:_true)?\b")
# Files may be called like an option.
FILES = ("file", "out", "folder", "test")
ASIDE = re.compile(r"\((\w+_\w+)\)")
SAID_TWICE = re.compile(r"(--[\w-]+ [\w-]+) \(\1\)")
SETTING = re.compile(r"\b(\w+)=(?:'([^']*)'|(True|False))")


def speaking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command complain about its own options and columns, not about arguments of the library."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        try:
            command(**given)
        except RocInputError as error:
            raise type(error)(in_options(str(error), given)) from error

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
    if text.startswith("--"):
        for ours, theirs in WITHOUT:
            text = text.replace(ours, theirs)
    if "label" in given:
        text = OF_LABELS.sub(lambda found: f"{found[1]} column {given['label']!r}", text)
    text = ASIDE.sub(lambda found: f"({option_name(found[1])})" if found[1] in given else found[0], text)
    text = SETTING.sub(lambda found: _setting(found, given), text)
    return SAID_TWICE.sub(r"\1", text)


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
    if any(name == Path(str(given.get(key))).name for key in FILES):
        return name
    column = _column(given.get(COLUMNS.get(name, "")))
    if name not in given and column is not None:
        return f"column {column!r}"
    option = name if name in given else OTHERWISE.get(name, "")
    if option not in given:
        return found[0]
    return option_name(option) if part is None else f"{option_name(option)} {part}"


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
