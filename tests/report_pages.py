"""Pages taken apart: what a browser would find in them."""

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

EVIL = "</script><img src=x onerror=\"document.title='hit'\">"
TEMPLATE = "{{7*7}} ${7*7} $title"


@dataclass
class Element:
    tag: str
    attributes: dict
    text: str = ""


@dataclass
class Parsed(HTMLParser):
    """Every element of a page with its own text; texts of headings; what scripts hold."""

    source: str
    elements: list = field(default_factory=list)

    def __post_init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = Element(tag, dict(attrs))
        self.elements.append(found)
        if tag not in ("meta", "br", "input", "col", "hr"):
            self.open.append(found)

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        for one in self.open:
            one.text += data

    def all(self, tag, **attributes):
        return [
            one
            for one in self.elements
            if one.tag == tag and all(one.attributes.get(key) == value for key, value in attributes.items())
        ]

    @property
    def titles(self):
        return [one.text for one in self.all("h2")]

    @property
    def readings(self):
        return [one.text for one in self.all("p", **{"class": "reading"})]

    @property
    def notes(self):
        return [one.text for one in self.all("p", **{"class": "note"})]

    @property
    def code(self):
        return [one.text for one in self.all("script") if "type" not in one.attributes]

    @property
    def data(self):
        return {
            one.attributes["id"]: json.loads(one.text)
            for one in self.all("script")
            if one.attributes.get("type") == "application/json"
        }

    def figures(self, section="s1"):
        return self.data[f"{section}-figures-data"]

    @property
    def policy(self):
        (meta,) = self.all("meta", **{"http-equiv": "Content-Security-Policy"})
        return dict(
            re.match(r"\s*(\S+)\s+(.*)", part).groups() for part in meta.attributes["content"].split(";")
        )


def explorers(page):
    """What the explorers of a page were sent: one entry per marker."""
    sent = [
        one
        for data in page.data.values()
        for one in (data.get("markers", [data]) if isinstance(data, dict) else [])
    ]
    return [one for one in sent if "start" in one]
