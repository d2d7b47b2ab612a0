import base64
import hashlib
import json

import pytest

from rocscope.errors import RocInputError
from rocscope.reporting.html import Html, brief, code_script, data_script, element, join, json_text, policy

EVIL = "</script><img src=x onerror=\"a('b')\"> & \u2028\u2029 \ud800"


def test_texts_are_escaped_in_every_place():
    made = element("p", EVIL, [EVIL, 1], title=EVIL)
    assert "<img" not in made
    assert made.count("&lt;/script&gt;") == 3
    assert made.count("&quot;") == 6
    assert made.startswith('<p title="&lt;/script')


@pytest.mark.parametrize("code", [0x1B, 0x7F, 0x85, 0x061C, 0x200E, 0x200F, 0x202A, 0x202E, 0x2066, 0x2069])
def test_characters_that_turn_or_hide_texts_are_spelt_out(code):
    name = f"ill{chr(code)}47"
    told = f"ill\\u{code:04x}47"
    assert element("p", name, title=name) == f'<p title="{told}">{told}</p>'
    assert join([name]) == told


def test_other_characters_stay():
    name = "\tשלום,\nمريض, 病気, \u200b\u200d \U0001f600"
    assert element("p", name) == f"<p>{name}</p>"


def test_long_names_are_cut_in_their_middle():
    name = f"{'<' * 5000}first{'b' * 5000} (2)"
    told = brief(name)
    assert isinstance(told, Html)
    assert told.startswith(f'<span title="{"&lt;" * 5000}first')
    shown = told.partition('">')[2].removesuffix("</span>").replace("&lt;", "<")
    assert len(shown) == 120
    assert shown.startswith("<<<<<")
    assert shown.endswith("bbb (2)")
    assert brief("a" * 120) == "a" * 120


def test_elements_are_not_escaped_twice():
    assert element("p", element("b", "<")) == "<p><b>&lt;</b></p>"
    assert join([Html("<br>"), "<br>"], "\n") == "<br>\n&lt;br&gt;"


def test_attributes_without_a_value():
    assert element("input", hidden=True, disabled=False, name=None, class_="a") == '<input hidden class="a">'


@pytest.mark.parametrize("name", ["onclick=x ", "a b", "A", ""])
def test_names_are_ours_alone(name):
    with pytest.raises(RocInputError, match="must be small letters"):
        element(name)
    with pytest.raises(RocInputError, match="must be small letters"):
        element("p", **{name: 1})


def test_data_hold_no_character_of_html():
    text = json_text({EVIL: [EVIL]})
    assert not set(text) & set("<>&\u2028\u2029\ud800")
    assert json.loads(text) == {EVIL: [EVIL]}
    text.encode("ascii")


def test_data_are_strict():
    text = json_text({"x": [float("nan"), float("inf"), 0.1]})
    assert text == '{"x":[null,null,0.1]}'


def test_data_are_not_run():
    assert data_script("here", "<").startswith('<script type="application/json" id="here">"\\u003c"')


@pytest.mark.parametrize("source", ["'</script>'", "'</SCRIPT'", "<!-- x"])
def test_scripts_cannot_end_their_element(source):
    with pytest.raises(RocInputError, match="neither the end of its element"):
        code_script(source)


def test_the_policy_names_the_scripts_and_nothing_else():
    sources = ["one();", "two('ü');"]
    hashes = [base64.b64encode(hashlib.sha256(source.encode()).digest()).decode() for source in sources]
    assert policy(sources) == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}' 'sha256-{hashes[1]}'; "
        "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
