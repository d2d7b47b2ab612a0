"""What a report says of reader studies."""

from dataclasses import replace

import pytest

from every_result import every_result
from report_pages import EVIL, Parsed
from rocscope.core.formatting import with_interval
from rocscope.reporting import report_html


@pytest.fixture(scope="module")
def crossed():
    return every_result()["reader study"]


def cells(found):
    return [one.text for one in found.all("td")]


def test_the_reading_says_whom_the_result_is_about(crossed):
    found = Parsed(report_html(crossed))
    assert found.titles == ["Reader study"]
    assert found.readings[0].startswith(
        "3 readers, 2 modalities, 10 positive and 10 negative cases. Every reader read every case in every "
        "modality. The result is about readers and cases like these. Largest mean area: CT & MR, 0.795. "
        "CT & MR minus MR: +0.008"
    )
    fixed = Parsed(report_html(replace(crossed, reader_effect="fixed"))).readings[0]
    assert "The result is about these readers, and cases like these." in fixed


def test_every_area_and_component_is_in_a_table(crossed):
    page = Parsed(report_html(crossed))
    found = cells(page)
    for row in (*crossed.reader_areas, *crossed.means):
        assert with_interval(row.value, row.low, row.high) in found
    assert f"{crossed.components.cov2:.4g}" in found
    assert {"A", "B", "C", "all readers"} <= {one.text for one in page.all("th")}


def test_several_modalities_are_tested_together():
    study = every_result()["reader study of groups"]
    found = Parsed(report_html(study))
    reading = found.readings[0]
    assert "Groups of readers read cases of their own, the same in every modality." in reading
    assert "All together: " in reading
    assert reading.count("adjusted for the number of pairs") == 3


def test_a_study_without_a_test_says_why(crossed):
    undefined = replace(crossed, p_value=None, status="undefined", reason="few cases")
    assert "The modalities cannot be tested: few cases." in Parsed(report_html(undefined)).readings[0]


def test_names_are_text(crossed):
    evil = replace(crossed, modalities=(EVIL, "MR"), readers=("A", EVIL, "C"))
    assert EVIL not in report_html(evil).replace(EVIL.replace("<", "&lt;"), "")
