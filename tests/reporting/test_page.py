import re

import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.errors import ResourceError
from rocscope.reporting import page as module
from rocscope.reporting.explorer import explorer_section
from rocscope.reporting.page import distinct, page, script_hash
from rocscope.reporting.sections import Paragraph, Plot, Section, Table

PLAIN = Section(title="First", body=(Paragraph("text"),))


def test_every_script_is_in_the_policy_and_no_other(parsed):
    found = parsed(page([PLAIN], title="t"))
    assert found.policy["default-src"] == "'none'"
    assert found.policy["script-src"].split() == [f"'{script_hash(source)}'" for source in found.code]
    assert "unsafe" not in found.policy["script-src"]
    assert "connect-src" not in found.policy


def test_the_policy_comes_before_anything_it_rules(parsed):
    tags = [one.tag for one in parsed(page([PLAIN], title="t")).elements]
    assert tags[:5] == ["html", "head", "meta", "meta", "meta"]
    assert tags.index("style") > tags.index("meta")


def test_nothing_points_out_of_the_page(parsed):
    found = parsed(page([PLAIN, PLAIN], title="t"))
    addresses = [
        one.attributes[name] for one in found.elements for name in ("src", "href") if name in one.attributes
    ]
    assert all(address.startswith("#") for address in addresses)
    assert not found.all("link")
    assert not [name for one in found.elements for name in one.attributes if name.startswith("on")]
    styles = "".join(one.text for one in found.all("style"))
    assert not re.search(r"url\(|@import", styles)


def test_what_draws_is_there_once_where_there_is_a_plot(parsed, curve):
    plot = Section(title="a plot", body=(Plot(picture=plotting.picture(curve), reading="A curve."),))
    text = page([PLAIN, plot, plot], title="t")
    assert text.count("rocscope.drawing = {") == 1
    assert len(text.encode()) < 100_000
    found = parsed(text)
    assert len(found.policy["script-src"].split()) == len(found.code)


def test_what_draws_is_left_out_where_there_is_no_plot(parsed, curve):
    """The explorer draws by itself; the policy names the hashes of the scripts that are there."""
    for text in (page([PLAIN], title="t"), curve.explore().html):
        found = parsed(text)
        assert "rocscope.drawing = {" not in text
        assert len(text) < 500_000
        assert found.policy["script-src"] == " ".join(f"'{script_hash(code)}'" for code in found.code)


def test_our_scripts_use_no_door_for_html():
    for name in (*module.SCRIPTS, *module.FIGURE_SCRIPTS):
        source = module.asset(name)
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|fetch\(|XMLHttp", source
        )


def test_files_of_sections_are_inlined_once_and_in_order(parsed, monkeypatch):
    monkeypatch.setattr(module, "asset", lambda name: f"/* {name} */" if "x." in name else real(name))
    one = Section(title="a", body=(), scripts=("ax.js", "bx.js"), styles=("ax.css",))
    two = Section(title="b", body=(), scripts=("bx.js", "cx.js"), styles=("ax.css",))
    found = parsed(page([one, two], title="t"))
    assert found.code[-3:] == ["/* ax.js */", "/* bx.js */", "/* cx.js */"]
    assert "".join(style.text for style in found.all("style")).count("ax.css") == 1


real = module.asset


def test_payloads_are_data_of_their_section(parsed):
    section = Section(
        title="a", body=(), kind="explorer", payload={"x": [1.0, float("inf")], "</script>": "<"}
    )
    found = parsed(page([PLAIN, section], title="t"))
    assert found.data["s2-data"] == {"x": [1.0, None], "</script>": "<"}
    assert "s1-data" not in found.data
    (holder,) = found.all("section", id="s2")
    assert (holder.attributes["data-kind"], holder.attributes["class"]) == ("explorer", "section explorer")


def test_untrusted_titles_are_text(parsed):
    title = "<b>$policy ${styles} {{7*7}} & </title>"
    found = parsed(page([Section(title=title, body=())], title=title, made=title))
    assert [one.text for one in found.all("title")] == [title]
    assert [one.text for one in found.all("h1")] == [title]
    assert found.titles == [title]
    assert not found.all("b")


def test_contents_lead_to_the_sections(parsed):
    found = parsed(page([PLAIN, Section(title="Second", body=())], title="t"))
    links = [(one.attributes["href"], one.text) for one in found.all("a")]
    assert links == [("#content", "Skip to the content"), ("#s1", "First"), ("#s2", "Second")]
    assert {one.attributes["id"] for one in found.all("section")} == {"s1", "s2"}
    assert not parsed(page([PLAIN], title="t")).all("nav")


def test_readers_of_screens_find_names_and_roles(parsed):
    table = Table(caption="Numbers", header=("a", "b"), rows=[("x", "1")])
    found = parsed(page([Section(title="A", body=(table,))], title="t"))
    (section,) = found.all("section")
    assert section.attributes["aria-labelledby"] == "s1-title"
    assert [one.text for one in found.all("h2", id="s1-title")] == ["A"]
    assert [one.attributes.get("scope") for one in found.all("th")] == ["col", "col", "row"]
    assert [one.text for one in found.all("caption")] == ["Numbers"]
    assert found.all("html")[0].attributes["lang"] == "en"
    (scroll,) = found.all("div", role="group")
    assert (scroll.attributes["tabindex"], scroll.attributes["aria-label"]) == ("0", "Numbers")
    assert found.all("button")[0].text == "Dark colours"


def test_long_tables_are_folded(parsed):
    table = Table(caption="Long", header=("a",), rows=[("x",)] * 3, folded=True, notes=("cut",))
    found = parsed(page([Section(title="A", body=(table,))], title="t"))
    assert [one.text for one in found.all("summary")] == ["Long (3 rows)"]
    assert found.notes == ["Cut"]


def test_a_page_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 1000)
    with pytest.raises(
        ResourceError,
        match=r"must be smaller than 0\.001 MB, got \d\.\d MB: give fewer results",
    ):
        page([PLAIN], title="t")


def test_a_large_page_shows_fewer_points(parsed, monkeypatch):
    import numpy as np

    from rocscope.plotting.marks import Axis, Line, Panel, Picture
    from rocscope.reporting.sections import Plot

    x = np.linspace(0, 1, 1500)
    line = Line(x=x, y=np.sqrt(x), role="curve")
    section = Section(
        title="a",
        body=(Plot(picture=Picture(panels=(Panel(marks=(line,), x=Axis(), y=Axis()),)), reading="r"),),
    )
    whole = page([section], title="t")
    assert len(parsed(whole).figures()[0]["marks"][0]["x"]) == 1500
    monkeypatch.setattr(module, "LARGEST", len(whole) - 5000)
    fewer = parsed(page([section], title="t"))
    assert len(fewer.figures()[0]["marks"][0]["x"]) <= 1000
    assert "A line is drawn through" in fewer.notes[0]


def test_a_large_page_shows_fewer_points_in_explorers_under_its_own_titles(parsed, monkeypatch):
    import numpy as np

    y = np.arange(3000) % 2
    curve = rs.roc_curve(y, y + np.random.default_rng(1).normal(size=3000))
    sections = distinct([explorer_section(curve)] * 2)
    whole = page(sections, title="t")
    monkeypatch.setattr(module, "LARGEST", len(whole) - 100_000)
    fewer = parsed(page(sections, title="t"))
    assert fewer.titles == parsed(whole).titles == [section.title for section in sections]
    sent = fewer.data["s2-data"]
    assert len(sent["index"]) <= 1000 < len(parsed(whole).data["s2-data"]["index"])
    assert f"{len(sent['index'])} of {len(curve)} points are shown" in sent["note"]
    assert f"{sent['farthest']:.2g} in a rate" in sent["note"]


def test_size_is_that_of_the_file(monkeypatch):
    """Half of a character is spelt out where the page is written, so it is where the page is measured."""
    broken = Section(title="\ud800" * 1000, body=())
    size = len(module.encoded(page([broken], title="t")))
    monkeypatch.setattr(module, "LARGEST", size - 1)
    with pytest.raises(ResourceError):
        page([broken], title="t")


def test_names_of_arguments_are_left_out(parsed):
    text = "no interval was requested (n_boot=0)"
    table = Table(caption="T", header=("", "a"), rows=[("x", text)], notes=("chosen here; see cutpoint",))
    text = page([Section(title="A", body=(table,))], title="t")
    found = parsed(text)
    assert [one.text for one in found.all("td")] == ["no interval was requested"]
    assert found.notes == ["Chosen here; the choice made again on bootstrap samples shows by how much"]
