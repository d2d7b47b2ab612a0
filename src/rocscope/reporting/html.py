"""Texts of strangers in our page: HTML that is escaped by construction, JSON that ends no script, hashes.

Names of classes, columns and classifiers come from files that anyone may have written. They reach the page
in two ways only: as children and attributes of `element`, which escapes them and spells control characters
out, and inside `data_script`, whose JSON holds no character that means something to HTML. Scripts
are those of this package and of plotly; the policy of the page names their hashes, and no browser runs any
other.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable
from typing import Any

from rocscope.core.formatting import shortened, spelt
from rocscope.core.result import plain
from rocscope.errors import RocInputError

# What JSON may write in another way, so that HTML does not take it for its own; beyond ASCII all is escaped.
UNSAFE = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"}
WITHOUT_END = ("br", "col", "hr", "input", "meta")
NAME = re.compile(r"[a-z][a-z0-9-]*")
POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


class Html(str):
    """Text that is HTML already: `element` makes it, and leaves it as it is where it is a child."""

    __slots__ = ()


def element(tag: str, *children: Any, **attributes: Any) -> Html:
    """Return an HTML element; its children are escaped unless they are elements themselves.

    Parameters
    ----------
    tag
        Name of the element.
    *children
        Texts, numbers, elements, or lists of them; None is left out.
    **attributes
        An underscore stands for a hyphen, one at the end for nothing (`class_`); True is an attribute
        without a value; None and False leave it out.

    Examples
    --------
    >>> print(element("p", "a < b", element("b", "&"), class_="reading", data_at=1))
    <p class="reading" data-at="1">a &lt; b<b>&amp;</b></p>
    """
    start = "".join([_name(tag), *(_attribute(name, value) for name, value in attributes.items())])
    if tag in WITHOUT_END:
        return Html(f"<{start}>")
    return Html(f"<{start}>{join(children)}</{tag}>")


def join(children: Iterable[Any], between: str = "") -> Html:
    """Return texts and elements as one piece of HTML.

    Examples
    --------
    >>> print(join(["<", element("br"), None, 7]))
    &lt;<br>7
    """
    return Html(html.escape(between).join(_child(child) for child in children if child is not None))


def brief(text: str) -> str:
    """Return a name for a heading, a link or a cell: of a long one both ends, and all of it as the title.

    Examples
    --------
    >>> brief("a < b"), len(brief("x" * 10_000)) > 10_000
    ('a < b', True)
    """
    cut = shortened(text)
    return text if cut == text else element("span", cut, title=text)


def _child(child: Any) -> str:
    if isinstance(child, Html):
        return child
    return join(child) if isinstance(child, (list, tuple)) else html.escape(spelt(str(child)))


def _attribute(name: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    name = _name(name.removesuffix("_").replace("_", "-"))
    return f" {name}" if value is True else f' {name}="{html.escape(spelt(str(value)))}"'


def _name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise RocInputError(f"names of elements and attributes must be small letters, got {name!r}")
    return name


def json_text(value: Any) -> str:
    r"""Return strict JSON that can stand inside a script element.

    Examples
    --------
    >>> print(json_text({"name": "</script>", "x": [1.0, float("nan")]}))
    {"name":"\u003c/script\u003e","x":[1.0,null]}
    """
    text = json.dumps(plain(value), allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    for character, escaped in UNSAFE.items():
        text = text.replace(character, escaped)
    return text


def data_script(identifier: str, value: Any) -> Html:
    """Return data for our scripts: an element that no browser runs."""
    data = Html(json_text(value))
    return element("script", data, type="application/json", id=identifier)


def code_script(source: str) -> Html:
    """Return a script of this package or of plotly as an element; its text stays as it is hashed.

    Examples
    --------
    >>> print(code_script("f(1 < 2);"))
    <script>f(1 < 2);</script>
    """
    if re.search(r"</script|<!--", source, flags=re.IGNORECASE):
        raise RocInputError("a script must hold neither the end of its element nor a comment of HTML")
    return element("script", Html(source))


def policy(sources: Iterable[str]) -> str:
    """Return the content-security policy of a page with these scripts and no others.

    Nothing may be fetched, from anywhere; styles are inline, pictures are made in the page.
    """
    return POLICY.format(scripts=" ".join(f"'{script_hash(source)}'" for source in sources))


def script_hash(source: str) -> str:
    """Hash by which a policy names an inline script.

    Examples
    --------
    >>> script_hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(source.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
