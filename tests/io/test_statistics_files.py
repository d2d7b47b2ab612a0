"""Workbooks and files of SPSS, Stata, SAS and R: the same numbers as CSV, or a sentence."""

import hashlib
import re
import struct
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyreadr
import pyreadstat
import pytest

from rocscope.errors import ResourceError, RocInputError
from rocscope.io import input_file, statistics_files
from rocscope.io.files import read_scores, read_table
from rocscope.io.large import sums_of_file

pytestmark = pytest.mark.usefixtures("folder")
N = 300


@pytest.fixture
def cases():
    rng = np.random.default_rng(3)
    positive = rng.random(N) < 0.4
    marker = rng.normal(positive, 1) * 10.0 ** rng.integers(-12, 12, N)
    return pd.DataFrame(
        {
            "state": np.where(positive, "ill", "well"),
            "code": positive.astype(float),
            "marker": [float(f"{value:.16g}") for value in marker],  # openpyxl writes 16 digits
            "rating": rng.integers(1, 6, N).astype(float) + positive,
        }
    )


def write(cases, name):
    labels = {"code": {1.0: "ill", 0.0: "well"}}
    ending = Path(name).suffix.lower()
    if ending in (".xlsx", ".xlsm"):
        cases.to_excel(name if ending == ".xlsx" else "t.xlsx", index=False)
        if ending == ".xlsm":
            Path("t.xlsx").rename(name)
    elif ending in (".sav", ".zsav"):
        pyreadstat.write_sav(cases, name, variable_value_labels=labels, compress=ending == ".zsav")
    elif ending == ".dta":
        pyreadstat.write_dta(cases, name, variable_value_labels=labels)
    elif ending == ".xpt":
        pyreadstat.write_xport(cases, name)
    elif ending == ".rds":
        pyreadr.write_rds(name, cases, compress="gzip")
    elif ending == ".rdata":
        pyreadr.write_rdata(name, cases, df_name="cases")
    else:
        cases.to_csv(name, index=False)
    return name


FILES = ("t.xlsx", "t.xlsm", "t.sav", "t.zsav", "t.dta", "t.rds", "t.RData")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("label", ["state", "code"])
def test_the_numbers_are_those_of_csv_to_the_bit(cases, name, label):
    truth = read_scores(
        write(cases, "t.csv"), label=label, score=["marker", "rating"], pos_label={"state": "ill"}.get(label)
    )
    named = label == "state" or Path(name).suffix in (".sav", ".zsav", ".dta")
    data = read_scores(
        write(cases, name), label=label, score=["marker", "rating"], pos_label="ill" if named else None
    )
    for ours, theirs in zip(data.columns, truth.columns, strict=True):
        assert ours.tobytes() == theirs.tobytes()
    assert np.array_equal(data.positive, truth.positive)
    assert (data.pos_label, data.neg_label) == (("ill", "well") if named else (1, 0))
    assert data.warnings == truth.warnings


def test_sas_transport_files_have_numbers_of_56_bits(cases):
    """Their format has its own floating-point numbers; what it holds is read as it is."""
    cases["marker"] = cases["marker"].round(3)
    name = write(cases[["state", "code", "rating"]], "t.xpt")
    truth = read_scores(write(cases, "t.csv"), label="code", score="rating")
    data = read_scores(name, label="code", score="rating")
    assert data.columns[0].tobytes() == truth.columns[0].tobytes()


@pytest.mark.parametrize("name", FILES)
def test_within_a_limit_of_memory(cases, name):
    options = {"label": "state", "score": "marker", "pos_label": "ill"}
    truth = read_scores(write(cases, "t.csv"), **options).sums()
    assert sums_of_file(write(cases, name), **options)["marker"].sums == truth
    assert read_scores(name, **options, memory_limit="200MB").sums() == truth


@pytest.mark.parametrize("name", FILES)
def test_the_digest_is_that_of_the_file(cases, name):
    write(cases, name)
    with input_file.local_file(name) as file:
        assert file.sha256() == hashlib.sha256(Path(name).read_bytes()).hexdigest()


def test_a_file_that_changes_is_refused(cases):
    write(cases, "t.xlsx")
    with input_file.local_file("t.xlsx") as file:
        write(cases.head(20), "t.xlsx")
        with pytest.raises(RocInputError, match="must stay as it is while it is read, but it changed"):
            read_table(file, {"marker": "number"})


def test_the_format_may_be_named(cases):
    Path(write(cases, "t.xlsx")).rename("table")
    with pytest.raises(RocInputError) as caught:
        read_scores("table", label="state", score="marker", pos_label="ill")
    assert str(caught.value) == (
        "table must be a CSV table, got an Excel workbook or a zip archive; format='excel' reads a file of it"
    )
    assert read_scores("table", label="state", score="marker", pos_label="ill", format="excel").n_pos


def test_missing_values(cases):
    cases.loc[2, "marker"] = np.nan
    for name in FILES:
        with pytest.raises(RocInputError, match=r"1 in column 'marker' \(row 3\)"):
            read_scores(write(cases, name), label="state", score="marker", pos_label="ill")
        data = read_scores(name, label="state", score="marker", pos_label="ill", na="drop")
        assert data.positive.size == N - 1


def test_values_that_spss_users_declare_missing():
    cases = pd.DataFrame({"y": [1.0, 0.0, 9.0, 1.0, 0.0], "s": [1.0, 2.0, 3.0, -99.0, 0.5]})
    pyreadstat.write_sav(
        cases,
        "t.sav",
        missing_ranges={"s": [-99], "y": [9]},
        variable_value_labels={"y": {1.0: "ill", 0.0: "well", 9.0: "unknown"}},
    )
    data = read_scores("t.sav", label="y", score="s", pos_label="ill", na="drop")
    assert data.columns[0].tolist() == [1.0, 2.0, 0.5]
    assert data.warnings == ("2 rows with missing values left out: 1 of class 'ill', 1 without a label",)


def test_value_labels_that_are_alike_stay_apart():
    cases = pd.DataFrame({"y": [1.0, 0.0, 1.0], "s": [1.0, 2.0, 3.0]})
    pyreadstat.write_sav(cases, "t.sav", variable_value_labels={"y": {1.0: "state", 0.0: "state"}})
    data = read_scores("t.sav", label="y", score="s", pos_label="state (1)")
    assert (data.pos_label, data.neg_label) == ("state (1)", "state (0)")


# ---- Sheets -----------------------------------------------------------------------------------------------


@pytest.fixture
def workbook():
    """Two sheets; the second has the table from its third row and second column on."""
    book = openpyxl.Workbook()
    book.active.title = "notes"
    book.active.append(["what", "who"])
    sheet = book.create_sheet("data")
    for row, cells in enumerate([("y", "s"), (0, 1.5), (1, 2.5), (1, 0.5)], start=3):
        for column, cell in enumerate(cells, start=2):
            sheet.cell(row, column, cell)
    book.save("t.xlsx")
    return "t.xlsx"


def test_sheets(workbook):
    for sheet in ("data", 2, "2"):
        assert read_scores(workbook, label="y", score="s", sheet=sheet).columns[0].tolist() == [1.5, 2.5, 0.5]
    with pytest.raises(RocInputError, match="must have a column 'y', got 'what', 'who'"):
        read_scores(workbook, label="y", score="s")
    for sheet, got in (("dat", r"'dat'; did you mean 'data'\?"), (3, "'3'"), (0, "'0'")):
        with pytest.raises(
            RocInputError, match=rf"sheet must be a sheet of t.xlsx \('notes', 'data'\) .* got {got}$"
        ):
            read_scores(workbook, label="y", score="s", sheet=sheet)
    with pytest.raises(RocInputError, match=r"sheet must be a name or a number, got 1\.5"):
        read_scores(workbook, label="y", score="s", sheet=1.5)


def test_the_first_of_several_sheets_is_noted(workbook):
    book = openpyxl.load_workbook(workbook)
    book.move_sheet("data", -1)
    book.save(workbook)
    data = read_scores(workbook, label="y", score="s")
    assert data.warnings == ("sheet 'data' was read, the first of 2: 'data', 'notes'",)
    assert read_scores(workbook, label="y", score="s", memory_limit="200MB").warnings == data.warnings


def test_formats_without_sheets():
    Path("t.csv").write_text("y,s\n0,1\n1,2\n")
    with pytest.raises(RocInputError, match="sheet must be left out for a file of CSV, which has no sheets"):
        read_scores("t.csv", label="y", score="s", sheet=1)


def with_part(name, part, change):
    """Rewrite one part of a workbook."""
    with zipfile.ZipFile(name) as old:
        parts = {info.filename: old.read(info) for info in old.infolist()}
    parts[part] = change(parts.get(part, b""))
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as new:
        for one, content in parts.items():
            new.writestr(one, content)


def test_formulas_have_the_values_that_were_saved():
    book = openpyxl.Workbook()
    for row in [("y", "s"), (0, 1.0), (1, "=B2+1"), (1, "=HYPERLINK(B2)")]:
        book.active.append(row)
    book.save("t.xlsx")
    with pytest.raises(RocInputError, match=r"2 in column 's' \(rows 2, 3\)"):  # no spreadsheet has saved it
        read_scores("t.xlsx", label="y", score="s")
    with_part(
        "t.xlsx",
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(rb"</f><v\s*/>|</f><v></v>", b"</f><v>2.5</v>", xml),
    )
    assert read_scores("t.xlsx", label="y", score="s").columns[0].tolist() == [1.0, 2.5, 2.5]


def test_merged_cells_have_one_value():
    book = openpyxl.Workbook()
    for row in [("y", "s"), (0, 1), (1, 2), (1, 3), (0, 4)]:
        book.active.append(row)
    book.active.merge_cells("A3:A4")
    book.save("t.xlsx")
    with pytest.raises(RocInputError) as caught:
        read_scores("t.xlsx", label="y", score="s")
    assert str(caught.value) == (
        "t.xlsx must have no missing values, got 1 in column 'y' (row 3); data rows are counted from 1; of "
        "merged cells the first alone has a value; na='drop' leaves such rows out"
    )


def test_text_in_cells_is_read_as_in_csv():
    book = openpyxl.Workbook()
    for row in [("y", "s"), (0, "0,25"), (1, 2), (1, "0,5"), (True, 1)]:
        book.active.append(row)
    book.save("t.xlsx")
    with pytest.raises(RocInputError, match="labels"):
        read_scores("t.xlsx", label="y", score="s")
    book.active["A5"] = 1
    book.save("t.xlsx")
    data = read_scores("t.xlsx", label="y", score="s")
    assert data.columns[0].tolist() == [0.25, 2.0, 0.5, 1.0]
    assert data.warnings == ("the comma was read as the decimal sign: with it every cell is a number",)


def test_macros_are_not_read(cases):
    write(cases, "t.xlsm")
    with_part("t.xlsm", "xl/vbaProject.bin", lambda _: b"Sub Workbook_Open()\nKill everything\nEnd Sub")
    assert read_scores("t.xlsm", label="state", score="marker", pos_label="ill").positive.size == N


# ---- Files that nobody should have to read ----------------------------------------------------------------


def error_of(name, **options):
    with pytest.raises(RocInputError) as caught:
        read_scores(name, label="y", score="s", **options)
    return str(caught.value)


def test_a_zip_bomb_is_refused_by_the_sizes_it_states(cases, monkeypatch):
    write(cases, "t.xlsx")
    with zipfile.ZipFile("t.xlsx", "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/image.png", bytes(20_000_000))
    assert Path("t.xlsx").stat().st_size < 200_000
    monkeypatch.setattr(statistics_files, "MOST_BYTES", 10_000_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    assert error_of("t.xlsx") == (
        "t.xlsx must unpack to at most 10 MB, got more: save its table as CSV or Parquet"
    )


def test_a_zip_bomb_that_lies_about_its_sizes_is_refused(cases):
    write(cases, "t.xlsx")
    with zipfile.ZipFile("t.xlsx", "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/image.png", bytes(20_000_000))
    content = Path("t.xlsx").read_bytes().replace(struct.pack("<I", 20_000_000), struct.pack("<I", 20))
    Path("t.xlsx").write_bytes(content)
    assert error_of("t.xlsx").startswith("t.xlsx must be a whole Excel workbook, got a damaged one:")


def test_a_sheet_of_two_cells_that_span_everything_is_refused():
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "y", 1
    book.save("t.xlsx")
    assert error_of("t.xlsx") == (
        "t.xlsx must have sheets of at most 50,000,000 cells, got one of 1,048,576 rows and 16,384 columns: "
        "save its table as CSV"
    )


def test_a_packed_bomb_of_r_is_refused(cases, monkeypatch):
    write(cases, "t.rds")
    monkeypatch.setattr(statistics_files, "MOST_BYTES", 1_000)
    monkeypatch.setattr(pyreadr, "read_r", lambda *_: pytest.fail("it was read"))
    assert (
        error_of("t.rds") == "t.rds must unpack to at most 1 kB, got more: save its table as CSV or Parquet"
    )


@pytest.mark.parametrize("name", FILES)
def test_half_a_file(cases, name):
    content = Path(write(cases, name)).read_bytes()
    for share in (0.5, 0.9):
        Path(name).write_bytes(content[: int(share * len(content))])
        assert error_of(name).startswith(name)
    Path(name).write_bytes(b"")
    assert error_of(name) == f"{name} must hold a table, got an empty file"


@pytest.mark.parametrize("ending", input_file.ENDINGS)
def test_other_bytes_under_every_ending(ending):
    rng = np.random.default_rng(1)
    for content in (
        b"y,s\n0,1\n1,2\n",
        rng.bytes(5000),
        b"PK\x03\x04" + rng.bytes(500),
        b"\xd0\xcf\x11\xe0" * 300,
    ):
        Path(f"t{ending}").write_bytes(content)
        assert error_of(f"t{ending}").startswith(f"t{ending}")


def test_web_pages():
    for name in ("t.csv", "t.xls", "t.xlsx"):
        for page in ("<!DOCTYPE html><p>0,1</p>", "\n<html><table>", "<table><tr><td>y</td></tr></table>"):
            Path(name).write_text(page)
            assert error_of(name).endswith(
                "got a web page (HTML), not a table: open it in a spreadsheet and save it as CSV or .xlsx"
            )


def test_hostile_names():
    book = openpyxl.Workbook()
    names = ['"; DROP TABLE cells; --', "$path", "c1", "<script>alert(1)</script>", "=cmd|'/c calc'!A1"]
    book.active.append(names)
    for k in range(4):
        book.active.append([k % 2, k, k, k, k])
    for cell in book.active[1]:
        cell.data_type = "s"
    book.save("a'b\"$ü.xlsx")
    data = read_scores("a'b\"$ü.xlsx", label=names[0], score=names[1:])
    assert data.names == tuple(names[1:])
    assert [column.tolist() for column in data.columns] == [[0, 1, 2, 3]] * 4


def test_duplicate_and_nameless_columns():
    book = openpyxl.Workbook()
    for row in [("y", "s", "s", None), (0, 1, 2, 3), (1, 2, 3, 4)]:
        book.active.append(row)
    book.save("t.xlsx")
    assert error_of("t.xlsx") == "t.xlsx must have different column names, got 's' more than once"
    book.active["C1"] = None
    book.save("t.xlsx")
    assert read_scores("t.xlsx", label="y", score="s").n_pos == 1


def test_no_rows_and_no_sheet_cells():
    book = openpyxl.Workbook()
    book.save("t.xlsx")
    assert error_of("t.xlsx") == "sheet 'Sheet' of t.xlsx must hold a table, got no cells"
    book.active.append(["y", "s"])
    book.save("t.xlsx")
    assert error_of("t.xlsx") == "t.xlsx must hold at least two rows of data, got only names of columns"


def test_the_extra_is_named_where_a_library_is_missing(cases, monkeypatch):
    write(cases, "t.xlsx")
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    with pytest.raises(ResourceError) as caught:
        read_scores("t.xlsx", label="state", score="marker", pos_label="ill")
    assert str(caught.value) == "reading t.xlsx needs python-calamine: pip install 'rocscope[formats]'"
