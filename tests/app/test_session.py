"""From a table to its report: choices, sentences next to fields, and files that are no tables."""

import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from app.conftest import TABLE
from rocscope.app.session import MOST_TABLES
from rocscope.errors import RocInputError
from rocscope.io import statistics_files

HOSTILE = ["<script>alert(1)</script>", "a\"b'c`", "x\u202egnp.exe", "=1+1", "../../etc"]


def test_the_first_look(upload):
    table = upload(TABLE).json()
    assert (table["name"], table["rows"]) == ("cases.csv", 60)
    assert [column["type"] for column in table["columns"]] == ["text", "whole", "whole"]
    assert table["columns"][0]["values"] == ["well", "ill"]
    assert table["first"][0] == ["ill", "4", "0"]
    assert table["choices"] == {"outcome": 0}


NEARLY = "state,crp,note\n" + "".join(
    f"{'well' if k % 3 else 'ill'},{'<0.05' if k % 5 == 1 else '.' if k % 10 == 2 else k % 7 + k % 3},a{k}\n"
    for k in range(60)
)


def test_what_keeps_a_column_from_being_numbers_is_listed(upload, client):
    table = upload(NEARLY).json()
    crp, note = table["columns"][1:]
    assert crp["type"] == "text"
    assert crp["unread"] == [
        {"text": "<0.05", "cells": 12, "below": True},
        {"text": ".", "cells": 6, "below": False},
    ]
    assert note["unread"] == []  # text is text
    options = {"missing": '. "not done"', "below": "keep"}
    again = client.post(f"tables/{table['id']}", json=options).json()
    assert (again["columns"][1]["type"], again["columns"][1]["missing"]) == ("number", 6)
    assert again["columns"][1]["unread"] == []


def test_a_code_for_missing_values_may_have_blanks(upload, client):
    text = NEARLY.replace(",.,", ",not done,").replace("<0.05", "0.05")
    table = upload(text).json()
    assert table["columns"][1]["unread"] == [{"text": "not done", "cells": 6, "below": False}]
    again = client.post(f"tables/{table['id']}", json={"missing": '"not done"'}).json()
    assert (again["columns"][1]["type"], again["columns"][1]["missing"]) == ("number", 6)


def test_evident_choices(upload):
    table = upload("y,s\n0,1.5\n1,2\n0,0.5\n1,3\n").json()
    assert table["choices"] == {
        "outcome": 0,
        "positive": [table["columns"][0]["values"].index("1")],
        "markers": [1],
    }


def test_a_report(upload, make, client):
    key = upload(TABLE).json()["id"]
    made = make(
        table=key, outcome=0, positive=1, markers=[1, 2], rule="sensitivity", bound=90, level=90, seed=7
    )
    assert made["state"] == "done"
    page = client.get(f"reports/{made['id']}/page").text
    assert "From cases.csv, random numbers from seed 7." in page
    assert "90% CI" in page
    assert "Positive (ill)" in page
    assert "choose a column of folds" in page  # what it does not show, in the words of the page
    assert "--fold" not in page


def test_the_report_is_that_of_the_command(upload, make, client, tmp_path, monkeypatch):
    from rocscope.cli import main

    monkeypatch.chdir(tmp_path)
    Path("cases.csv").write_text(TABLE)
    columns = ("--label", "state", "--pos-label", "ill", "--score", "marker", "--score", "other")
    assert main(["report", "cases.csv", *columns, "--seed", "1", "--out", "r.html"]) == 0
    made = make(table=upload(TABLE).json()["id"], outcome=0, positive=1, markers=[1, 2])
    page = client.get(f"reports/{made['id']}/page").text
    marks = ('id="s1-figures-data"', 'id="s2-data"')
    written = Path("r.html").read_text(encoding="utf-8")
    for mark in marks:
        own, other = (text[text.index(mark) :].partition("</script>")[0] for text in (page, written))
        assert own == other


def test_the_example(client, make):
    table = client.post("example").json()
    assert table["rows"] == 569
    made = make(table=table["id"], **table["choices"])
    assert made["state"] == "done"
    assert "0.967 (0.952" in client.get(f"reports/{made['id']}/page").text


def test_low_values_may_speak_for_the_positive_class(upload, client, make):
    table = upload(TABLE).json()["id"]
    pages = []
    for direction in ("higher", "lower"):
        made = make(table=table, outcome=0, positive=1, markers=[1], direction=direction)
        pages.append(client.get(f"reports/{made['id']}/page").text)
    for page, direction in zip(pages, ("higher", "lower"), strict=True):
        assert f"is {direction} for the case of class" in page


PERCENT = "must be a number between 0 and 100 %, got"
WHOLE = "The seed must be a whole number of at least 0, got"
TICK = "The markers must be chosen: tick one or more."
NO_COLUMN = "The outcome must be a column of the table."
PRESENT = "The positive class must be chosen: what means that the condition is present."
WRONG = [
    ({}, "outcome", "The outcome must be chosen: the column that says who has the condition."),
    ({"outcome": 9}, "outcome", NO_COLUMN),
    ({"outcome": True}, "outcome", NO_COLUMN),
    ({"outcome": "0"}, "outcome", NO_COLUMN),
    ({"positive": None}, "positive", PRESENT),
    ({"positive": []}, "positive", PRESENT),
    ({"positive": 2}, "positive", PRESENT),
    ({"positive": ["ill"]}, "positive", PRESENT),
    ({"positive": [0, 1]}, "positive", "The positive class must leave a value for the other class."),
    ({"markers": []}, "markers", TICK),
    ({"markers": "1"}, "markers", TICK),
    ({"markers": [0]}, "markers", "The markers must be other columns than the outcome."),
    ({"fold": 1}, "fold", "The column of folds must be another column than the outcome and the markers."),
    (
        {"rule": "best"},
        "rule",
        "The selection rule must be one of youden, sensitivity, specificity, closest.",
    ),
    ({"direction": "down"}, "direction", "The direction must be higher or lower."),
    ({"rule": "sensitivity", "bound": 150}, "rule", f"The selection rule {PERCENT} 150."),
    ({"level": 100}, "level", f"The confidence level {PERCENT} 100."),
    ({"level": None}, "level", f"The confidence level {PERCENT} none."),
    ({"level": "95"}, "level", f"The confidence level {PERCENT} '95'."),
    ({"seed": -1}, "seed", f"{WHOLE} -1."),
    ({"seed": 0.5}, "seed", f"{WHOLE} 0.5."),
]


@pytest.mark.parametrize(("choices", "field", "message"), WRONG)
def test_sentences_next_to_fields(upload, client, choices, field, message):
    key = upload(TABLE).json()["id"]
    right = {"outcome": 0, "positive": 1, "markers": [1]} if choices else {}
    reply = client.post("reports", json={"table": key, **right, **choices})
    assert reply.status_code == 422
    assert reply.json() == {"field": field, "message": message}


def zip_bomb():
    """A workbook whose one part unpacks to 32 MB from 32 kB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        with file.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for _ in range(32):
                part.write(bytes(1 << 20))
    return packed.getvalue()


BAD = {
    "empty": ("cases.csv", b""),
    "header alone": ("cases.csv", b"y,s\n"),
    "HTML": ("cases.csv", b"<!DOCTYPE html><html><script>alert(1)</script></html>"),
    "noise": ("cases.csv", bytes(range(256)) * 50),
    "noise as workbook": ("cases.xlsx", bytes(range(256)) * 50),
    "noise as SPSS": ("cases.sav", bytes(range(256)) * 50),
    "noise as R": ("cases.rds", bytes(range(256)) * 50),
    "noise as Parquet": ("cases.parquet", b"PAR1" + bytes(range(256)) * 50),
    "zip of something": ("cases.xlsx", b"PK\x03\x04" + bytes(500)),
    "no columns": ("cases.csv", b"\n\n\n"),
    "one name twice": ("cases.csv", b"a,a\n1,2\n3,4\n"),
    "a picture": ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "JSON": ("cases.jsonl", b"[1, 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_files_that_are_no_tables(upload, client, session, case):
    good = upload(TABLE).json()["id"]
    name, content = BAD[case]
    reply = upload(content, name)
    if reply.status_code == 200:  # a table of a kind; then there is nothing to compare
        assert client.post("reports", json={"table": reply.json()["id"]}).status_code == 422
        return
    assert reply.status_code == 422, reply.text
    message = reply.json()["message"]
    assert message.endswith(".")
    assert str(session.folder) not in message
    assert name in message
    assert "fault of rocscope" not in message
    assert [*session.tables] == [good]  # what was there is there
    assert len(list(session.folder.iterdir())) == 1


def test_a_zip_bomb(session, client, monkeypatch):
    assert statistics_files.MOST_BYTES == 1 << 30
    monkeypatch.setattr(statistics_files, "MOST_BYTES", 1 << 24)
    path = session.new_path()
    path.write_bytes(zip_bomb())
    with pytest.raises(RocInputError, match=r"bomb.xlsx must unpack to at most 16\.8 MB, got more"):
        session.add(path, "bomb.xlsx")
    assert list(session.folder.iterdir()) == []
    assert client.get("").status_code == 200


def workbook_with_macros():
    """A workbook with a macro, merged cells, and formulas of which a spreadsheet saved all values but two."""
    book, packed, written = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(("state", "marker", "sum"))
    for k in range(60):
        book.active.append(("ill" if k % 3 == 0 else "well", k % 7 + 4 * (k % 3 == 0), f"=B{k + 2}+1"))
    book.active.merge_cells("A3:A4")
    book.save(packed)
    with zipfile.ZipFile(packed) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    first, second, *rest = re.split(rb"</f><v\s*/>|</f><v></v>", parts["xl/worksheets/sheet1.xml"])
    saved = b"".join(b"</f><v>%d</v>%s" % (k, part) for k, part in enumerate(rest[1:]))
    parts["xl/worksheets/sheet1.xml"] = b"</f><v></v>".join([first, second, rest[0]]) + saved
    parts["xl/vbaProject.bin"] = b'Sub Auto_Open()\r\nShell "touch hacked"\r\nEnd Sub'
    main, kind = b"vnd.openxmlformats-officedocument.spreadsheetml.sheet", b"vnd.ms-excel.sheet.macroEnabled"
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(main + b".main", kind + b".main")
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts.items():
            new.writestr(name, content)
    return written.getvalue()


def test_a_workbook_with_macros_formulas_and_merged_cells(upload, client, make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = upload(workbook_with_macros(), "cases.xlsm").json()
    assert [column["missing"] for column in table["columns"]] == [1, 0, 2]
    assert table["first"][2] == [None, "2", "0"]
    values = table["columns"][0]["values"]
    made = make(table=table["id"], outcome=0, positive=values.index("ill"), markers=[1, 2])
    page = client.get(f"reports/{made['id']}/page").text
    facts = re.findall(r"<dt>([^<]*)</dt><dd>\s*([^<]*?)\s*</dd>", page)
    # The merged row, and two rows without a value of their formula.
    assert {("Cases", "57"), ("Rows with missing values", "3"), ("File", "cases.xlsm")} <= set(facts)
    assert not Path("hacked").exists()


def test_an_outcome_of_one_value(upload, client):
    key = upload("y,s\nill,1\nill,2\n").json()["id"]
    reply = client.post("reports", json={"table": key, "outcome": 0, "positive": 0, "markers": [1]})
    message = "The outcome must have two to 12 different values, column 'y' has 1."
    assert (reply.status_code, reply.json()) == (422, {"field": "outcome", "message": message})


def test_an_outcome_of_many_values(upload, client):
    key = upload("y,s\n" + "".join(f"{k},{k}\n" for k in range(30))).json()["id"]
    reply = client.post("reports", json={"table": key, "outcome": 0, "positive": 0, "markers": [1]})
    assert reply.json()["message"] == "The outcome must have two to 12 different values, column 'y' has 30."


def test_several_values_make_up_the_positive_class(upload, make, client):
    rows = "".join(f"{('none', 'mild', 'severe')[k % 3]},{k % 3 + k * 37 % 5}\n" for k in range(60))
    table = upload(f"grade,s\n{rows}").json()
    positive = [table["columns"][0]["values"].index(name) for name in ("mild", "severe")]
    made = make(table=table["id"], outcome=0, positive=positive, markers=[1])
    assert made["state"] == "done"
    page = client.get(f"reports/{made['id']}/page").text
    assert "40" in page[page.index("Positive (") : page.index("Negative (")]


def test_hostile_names_are_text(upload, make, client):
    names = ['"' + name.replace('"', '""') + '"' for name in HOSTILE]
    rows = [f"{'<b>ill' if k % 3 else 'well'},{k},{k % 5},{k % 7},{k % 4}" for k in range(40)]
    table = upload("\n".join([",".join(names), *rows]), "</script><x>.csv").json()
    assert [column["name"] for column in table["columns"]] == HOSTILE
    made = make(table=table["id"], outcome=0, positive=0, markers=[1, 2, 3, 4])
    assert made["state"] == "done"
    assert made["file"].isascii()
    assert not set(made["file"]) & set("<>/\"' ")
    page = client.get(f"reports/{made['id']}/page").text
    assert "<script>alert" not in page
    assert "<b>ill" not in page
    assert "\u202e" not in page


def test_errors_after_the_start_come_next_to_their_field(upload, make):
    """Decimal commas in one column and points in another: numbers, but not both at once."""
    rows = "".join(f"{k % 2};0,{k % 7};1.{k % 9}\n" for k in range(20))
    table = upload(f"y;a;b\n{rows}").json()
    assert [column["type"] for column in table["columns"][1:]] == ["number", "number"]
    made = make(table=table["id"], outcome=0, positive=0, markers=[1, 2])
    assert (made["state"], made["field"]) == ("failed", "markers")
    assert made["message"].startswith("Column 'a' of cases.csv must hold numbers, got '0,0' in rows 1, 2")
    assert "“Decimal sign”" in made["message"]


def test_missing_values_are_left_out_and_counted(upload, make, client):
    key = upload(TABLE + "ill,,3\nwell,NA,4\n").json()["id"]
    made = make(table=key, outcome=0, positive=1, markers=[1])
    assert made["state"] == "done"
    assert "left out" in client.get(f"reports/{made['id']}/page").text


def test_a_table_is_read_as_its_user_says(upload, client, make):
    table = upload(TABLE.replace("ill,4,", "ill,<4,") + "ill,-99,1\n").json()
    assert table["columns"][1]["type"] == "text"
    options = {"below": "keep", "missing": "-99"}
    again = client.post(f"tables/{table['id']}", json=options).json()
    assert again["columns"][1]["type"] == "whole"
    made = make(table=table["id"], outcome=0, positive=1, markers=[1])
    assert made["state"] == "done"
    reply = client.post(f"tables/{table['id']}", json={"sheet": "2"})
    assert reply.status_code == 422
    assert reply.json()["field"] == "sheet"
    assert client.post(f"tables/{table['id']}", json={"decimal": ";"}).json()["field"] == "decimal"


def test_a_workbook_with_two_sheets(upload, client):
    book = openpyxl.Workbook()
    book.active.append(["nothing", "here"])
    book.active.append([1, 2])
    book.active.append([1, 2])
    sheet = book.create_sheet("data")
    for line in TABLE.splitlines():
        sheet.append(line.split(","))
    content = io.BytesIO()
    book.save(content)
    table = upload(content.getvalue(), "book.xlsx").json()
    assert any("data" in note for note in table["notes"])
    again = client.post(f"tables/{table['id']}", json={"sheet": "data"}).json()
    assert [column["name"] for column in again["columns"]] == ["state", "marker", "other"]


def test_a_report_can_be_stopped(client, make):
    table = client.post("example").json()
    made = client.post("reports", json={"table": table["id"], **table["choices"]}).json()
    assert client.delete(f"reports/{made['id']}").json()["state"] == "stopped"
    assert client.get(f"reports/{made['id']}/page").status_code == 404


def test_only_the_last_tables_are_kept(upload, client, session):
    keys = [upload(TABLE).json()["id"] for _ in range(MOST_TABLES + 2)]
    assert [*session.tables] == keys[2:]
    assert len(list(session.folder.iterdir())) == MOST_TABLES
    reply = client.post("reports", json={"table": keys[0]})
    assert reply.json() == {"field": None, "message": "This table is no longer open: drop the file again."}


def test_folders_in_names_are_left_out(upload):
    for name in ("../../etc/cases.csv", "C:\\data\\cases.csv", "/cases.csv"):
        assert upload(TABLE, name).json()["name"] == "cases.csv"
    assert upload(TABLE, "").json()["name"] == "table.csv"
