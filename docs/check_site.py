"""Check the built site: every link inside it has its target, and no page loads anything from elsewhere.

    python docs/check_site.py docs/_build/html

Links that a reader follows may lead out; scripts, styles, fonts and pictures may not come in.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "object": "data",
    "use": "href",
}
# Relations of <link> that a browser does not fetch.
NAMED = {"canonical", "author", "index", "search", "next", "prev", "alternate"}
OUTSIDE = re.compile(r"(?:https?:)?//", re.I)
STYLE = re.compile(r"url\(\s*['\"]?((?:https?:)?//[^)'\"]+)|@import\s+['\"]((?:https?:)?//[^'\"]+)", re.I)


class PageLinks(HTMLParser):
    """What a page links to, what it loads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Take the links and places of a tag."""
        named = {name: value or "" for name, value in attributes}
        self.places |= {named[name] for name in ("id", "name") if name in named}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        fetched = tag != "link" or not NAMED & set(named.get("rel", "").split())
        if tag in LOADED and LOADED[tag] in named and fetched:
            self.loads.append(named[LOADED[tag]])
        self.loads += [part.split()[0] for part in named.get("srcset", "").split(",") if part.strip()]
        self.loads += [one or other for one, other in STYLE.findall(named.get("style", ""))]


def faults(site: Path) -> list[str]:
    """Dead links inside the site and requests to the outside, one line each."""
    pages = {
        path: PageLinks(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        found += [f"{name}: loads {one} from elsewhere" for one in page.loads if OUTSIDE.match(one)]
        inner = [one for one in page.loads if not OUTSIDE.match(one) and not one.startswith("data:")]
        for link in [*page.links, *inner]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link in ("", "#"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.exists():
                found.append(f"{name}: {link} leads nowhere")
            elif place and target in pages and place not in pages[target].places:
                found.append(f"{name}: {link} has no such place")
    for path in sorted(site.rglob("*.css")):
        for one, other in STYLE.findall(path.read_text(encoding="utf-8")):
            found.append(f"{path.relative_to(site)}: loads {one or other} from elsewhere")
    return found


def main() -> int:
    """Print the faults and return how many there are, at most 1."""
    site = Path(sys.argv[1]).resolve()
    found = faults(site)
    count = len([path for path in site.rglob("*.html") if "_static" not in path.parts])
    sys.stdout.write("\n".join([*found, f"{count} pages, {len(found)} faults"]) + "\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
