"""`rocscope readers`: the library's reader study from a file."""

import csv
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs

C = ("readers", "r.csv", "--label", "state", "--pos-label", "ill", "--score", "rating")
C = (*C, "--reader", "who", "--modality", "how", "--case", "id")


def rows():
    rng = np.random.default_rng(2)
    found = []
    for who in ("Abel", "Boole", "Cantor"):
        for how, signal in (("film", 1), ("screen", 2)):
            for case in range(16):
                ill = case % 2
                found.append(
                    (("well", "ill")[ill], int(rng.integers(0, 4)) + signal * ill, who, how, f"c{case}")
                )
    return found


def write(table, path="r.csv"):
    with Path(path).open("w", newline="") as file:
        csv.writer(file).writerows([("state", "rating", "who", "how", "id"), *table])


@pytest.fixture(autouse=True)
def table(folder):
    write(rows())


def expected(table=None, **options):
    state, rating, who, how, case = zip(*(table or rows()), strict=True)
    return rs.reader_study(state, rating, reader=who, modality=how, case=case, pos_label="ill", **options)


def test_text(run):
    done = run(*C, "--n-readers", "6")
    study = expected()
    assert (done.code, done.err) == (0, "")
    head, table = done.out.split("\n\n")[:2]
    assert head.split() == study.summary().split()  # long lines go on in the next
    assert max(map(len, head.splitlines())) <= 100
    lines = table.splitlines()
    assert " ".join(lines[0].split()) == "reader film (95% interval) screen (95% interval) difference p"
    assert [line.split()[0] for line in lines[1:]] == ["Abel", "Boole", "Cantor", "all"]
    assert lines[1].split()[1] == f"{study.auc[0, 0]:.4f}"
    assert lines[-1].split()[-2:] == [f"{study.difference:+.4f}", f"{study.p_value:.4g}"]
    assert done.out.endswith(f"\n{study.power(n_readers=6)}\n")


@pytest.mark.parametrize(
    "options",
    [
        {"method": "jackknife", "readers": "fixed"},
        {"method": "gallas", "level": 0.9},
        {"cases": "fixed"},
        {"direction": "lower"},
    ],
)
def test_json(run, options):
    line = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    done = run(*C, *line, "--json")
    assert done.document["results"] == [expected(**options).to_dict()]
    assert done.document["command"] == "readers"


def test_json_has_the_plan_as_well(run):
    plan = run(*C, "--n-pos", "40", "--n-neg", "80", "--difference", "-0.1", "--json").document["results"][1]
    assert plan == expected().power(n_pos=40, n_neg=80, difference=-0.1).to_dict()


@pytest.mark.slow
def test_files(run):
    for name in ("r.svg", "out.csv", "r.json", "r.tex", "r.docx", "r.xlsx"):
        assert run(*C, "--out", name).err == f"wrote {name}\n"
    found = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    assert [row["reader"] for row in found] == ["Abel", "Boole", "Cantor", "all readers"]
    assert float(found[-1]["difference"]) == expected().difference


def test_a_report_shows_saved_numbers(run):
    run(*C, "--out", "r.json")
    assert run("report", "r.json", "--out", "r.html").code == 0
    page = Path("r.html").read_text(encoding="utf-8")
    assert "Reader study" in page
    assert "Every reader read every case in every modality." in page


def test_numbers_as_names(run):
    numbered = [(*row[:2], "ABC".index(row[2][0]) + 1, row[3], int(row[4][1:])) for row in rows()]
    write(numbered)
    assert run(*C, "--json").document["results"] == [expected(numbered).to_dict()]


def test_missing_readings(run):
    table = rows()
    table[3] = (table[3][0], "", *table[3][2:])
    write(table)
    done = run(*C)
    assert done.code == 3
    assert "column 'rating'" in done.err
    done = run(*C, "--na", "drop", "--method", "unbiased")
    assert done.code == 0
    assert done.err == "note: 1 row with missing values left out: 1 of class 'ill'\n"
    done = run(*C, "--na", "drop")
    assert done.code == 3
    assert done.err.splitlines()[-1] == (
        "error: --method must be 'jackknife', 'unbiased' or 'gallas' where readers have some of their cases "
        "in common, not all, got 'delong'"
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            [row for row in rows() if row[2] == "Abel"],
            "--reader must hold two or more readers, got only 'Abel'; compare_auc compares the modalities of "
            "one reader",
        ),
        ([row for row in rows() if row[3] == "film"], "two or more modalities, got only 'film'"),
        (
            [*rows(), rows()[0]],
            "got more of case 'c0' of reader 'Abel' in modality 'film'",
        ),
        ([("ill", *rows()[0][1:]), *rows()[1:]], "must hold one label for every case, got two for 'c0'"),
        (rows()[:-16], "readings of every reader in every modality, got none of reader 'Cantor' in modality"),
    ],
)
def test_no_study_of_readers(run, table, message):
    write(table)
    done = run(*C)
    assert (done.code, done.out) == (3, "")
    assert message in done.err


def test_undefined(run):
    write([row for row in rows() if row[0] == "well" or row[4] == "c1"])
    done = run(*C)
    assert done.code == 4
    assert done.err.splitlines()[-1] == (
        "error: the modalities cannot be compared: "
        "the variance needs two cases in each class for every reader"
    )


def test_wrong_usage(run):
    done = run(*C[:-1], "who")
    assert (done.code, done.err) == (2, "error: --reader must be a column of its own, got 'who'\n")
    done = run(*C, "--readers", "fixed", "--cases", "fixed")
    assert (done.code, done.err) == (
        2,
        "error: --cases must be 'random' where readers are fixed, got 'fixed'\n",
    )
    done = run(*C, "--count", "rating")
    message = "error: --count is no option for readings, each of which is one row\n"
    assert (done.code, done.err) == (2, message)
