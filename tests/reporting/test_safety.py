"""Untrusted text in a page: escaped in every place, its control characters spelt out, never run."""

import base64
import hashlib
import json

import pytest

from report_pages import Parsed
from rocscope.errors import RocInputError
from rocscope.plotting.marks import Axis, Panel, Picture
from rocscope.reporting.page import json_text, page, policy
from rocscope.reporting.sections import Bullets, Paragraph, Plot, Section, Table

EVIL = "</script><img src=x onerror=\"a('b')\"> & \u2028\u2029 \ud800"


def every_place(text):
    """A page with a text in every place where a name of the user may stand."""
    panel = Panel(marks=(), x=Axis(label=text), y=Axis(label=text), title=text)
    body = (
        Paragraph(text, "reading"),
        Bullets((text,)),
        Table(caption=text, header=(text, text), rows=[(text, text)], notes=(text,), folded=True),
        Table(caption=text, header=(text, text), rows=[(text, text)]),
        Plot(picture=Picture(panels=(panel,), title=text), reading=text, notes=(text,), name=text),
    )
    section = Section(title=text, body=body, kind=text, payload={text: [text]})
    return page([section, section], title=text, made=text)


def test_texts_are_escaped_in_every_place():
    harmless, evil = "1harmless".ljust(len(EVIL), "x"), "</script><img src=x"
    safe, found = Parsed(every_place(harmless)), Parsed(every_place(EVIL))
    assert [one.tag for one in found.elements] == [one.tag for one in safe.elements]
    assert [set(one.attributes) for one in found.elements] == [set(one.attributes) for one in safe.elements]
    for place, same in zip(found.elements, safe.elements, strict=True):
        if place.tag not in ("html", "body", "script", "style", "meta"):  # those that hold no data
            assert place.text.count(evil) == same.text.count("1harmless")
            for name, value in place.attributes.items():
                assert (value or "").count(evil) == (same.attributes[name] or "").count("1harmless")
    assert found.data["s1-data"] == {EVIL: [EVIL]}


@pytest.mark.parametrize("code", [0x1B, 0x7F, 0x85, 0x061C, 0x200E, 0x200F, 0x202A, 0x202E, 0x2066, 0x2069])
def test_characters_that_turn_or_hide_texts_are_spelt_out(code):
    name = f"ill{chr(code)}47"
    text = every_place(name)
    assert chr(code) not in text
    found = Parsed(text)
    for one in found.all("p", **{"class": "reading"}) + found.all("h1") + found.all("li"):
        assert f"ill\\u{code:04x}47" in one.text


def test_other_characters_stay():
    name = "\tשלום,\nمريض, 病気, \u200b\u200d \U0001f600"
    assert Parsed(page([], title="t", made=name)).all("p", **{"class": "made"})[0].text == name


def test_long_names_are_cut_in_their_middle():
    name = f"{'<' * 5000}first{'b' * 5000} (2)"
    (heading,) = Parsed(page([], title=name)).all("h1")
    (whole,) = Parsed(page([], title=name)).all("span")
    assert whole.attributes["title"] == name
    assert len(heading.text) == 120
    assert heading.text.startswith("<<<<<")
    assert heading.text.endswith("bbb (2)")
    assert not Parsed(page([], title="a" * 120)).all("span")


def test_data_hold_no_character_of_html():
    text = json_text({EVIL: [EVIL]})
    assert not set(text) & set("<>&\u2028\u2029\ud800")
    assert json.loads(text) == {EVIL: [EVIL]}
    text.encode("ascii")


def test_data_are_strict():
    text = json_text({"x": [float("nan"), float("inf"), 0.1]})
    assert text == '{"x":[null,null,0.1]}'


def test_data_are_not_run():
    holders = [one for one in Parsed(every_place("<")).all("script") if "id" in one.attributes]
    assert {one.attributes["type"] for one in holders} == {"application/json"}
    assert not any("<" in one.text for one in holders)


@pytest.mark.parametrize("source", ["'</script>'", "'</SCRIPT'", "<!-- x"])
def test_scripts_cannot_end_their_element(source, monkeypatch):
    monkeypatch.setattr("rocscope.reporting.page.asset", lambda name: source)
    with pytest.raises(RocInputError, match="neither the end of its element"):
        page([], title="t")


def test_the_policy_names_the_scripts_and_nothing_else():
    sources = ["one();", "two('ü');"]
    hashes = [base64.b64encode(hashlib.sha256(source.encode()).digest()).decode() for source in sources]
    assert policy(sources) == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}' 'sha256-{hashes[1]}'; "
        "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
