"""Names of strangers as they are shown: no character turns the text around them, none is too long."""

from __future__ import annotations

import re

# Marks, embeddings, overrides and isolates of direction, by which 47 is shown as 74, and other control
# characters; tabs and line ends are what they are.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

MOST = 120  # characters of a name where it stands alone: three lines of a phone


def shortened(text: str, most: int = MOST) -> str:
    """Return a text without its middle where it is too long: names of one file often differ at their ends.

    Examples
    --------
    >>> shortened("a marker of the year 2024", 16), shortened("short")
    ('a marker o… 2024', 'short')
    """
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 1]}…{text[-end:]}"


def spelt(text: str) -> str:
    r"""Return a text with its control characters spelt out.

    Examples
    --------
    >>> print(spelt("ab\u202ecd\x1b[31m"))
    ab\u202ecd\u001b[31m
    """
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_words(cls: type) -> str:
    """Return the name of a class as words.

    Examples
    --------
    >>> in_words(type("TestResult", (), {}))
    'Test result'
    """
    return " ".join(re.findall("[A-Z][a-z0-9]*", cls.__name__)).capitalize()
