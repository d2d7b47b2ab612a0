"""Sixty bad inputs and faults, each by its number: what a user meets.

E: refused with the column and the first rows, exit code 3. U: undefined with its reason, exit code 4 where
it is the only result. W: a warning beside the result.
"""

import math
import os
import subprocess
import sys
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs
from rocscope.errors import RocInputError

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
S = ("t.csv", "--label", "y", "--score", "s")
ST = (*S, "--score", "t")
EVIL = "</script><img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Case:
    """A file and a command, and what comes of them."""

    number: int
    what: str
    content: str | bytes
    command: tuple[str, ...]
    code: int = 0
    err: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    absent: tuple[str, ...] = field(default=("Traceback", "Warning:"))

    def __str__(self) -> str:
        return f"{self.number} {self.what}"


def lines(header, *rows):
    return "\n".join([header, *rows]) + "\n"


PLAIN = lines(
    "y,s,t,fold", "0,1,1,a", "0,2,3,a", "1,2,2,a", "1,4,4,a", "0,1,2,b", "1,3,1,b", "0,2,0,b", "1,5,5,b"
)
GRADES = lines("y,s", *(f"{k % 3},{k % 3 + k % 4 / 4}" for k in range(24)))
RARE = lines("y,s,t,fold", "1,3,2,a", "0,1,1,a", "0,2,1,b", "0,4,3,b", "0,0,5,a")
CASES = [
    Case(
        1, "missing score", lines("y,s", "0,1", "1,nan", "1,2"), ("auc", *S), 3, ("1 in column 's' (row 2)",)
    ),
    Case(
        1,
        "missing score left out",
        lines("y,s", "0,1", "1,nan", "1,2", "0,0"),
        ("auc", *S, "--na", "drop"),
        0,
        ("1 row with missing values left out: 1 of class '1'",),
    ),
    Case(2, "missing label", lines("y,s", "0,1", ",2", "1,2"), ("auc", *S), 3, ("1 in column 'y' (row 2)",)),
    Case(
        3,
        "infinite scores",
        lines("y,s", "0,-inf", "1,inf", "0,1", "1,2"),
        ("auc", *S),
        0,
        ("infinite scores were ranked above or below all others",),
        ("1.0000",),
    ),
    Case(
        3,
        "infinite, binormal",
        lines("y,s", "0,1", "1,inf", "0,2", "1,0"),
        ("binormal", *S),
        3,
        ("'s' must be",),
    ),
    Case(5, "decimal comma", "y;s\n0;0,5\n1;0.7\n", ("auc", *S), 3, ("a decimal comma must be a point",)),
    Case(
        6,
        "fraction after 300 whole numbers",
        lines("y,s", *(f"{k % 2},{k}" for k in range(300)), "1,0.5"),
        ("auc", *S),
    ),
    Case(7, "NA", lines("y,s", "0,1", "1,NA", "1,2"), ("auc", *S), 3, ("1 in column 's' (row 2)",)),
    Case(7, "1e400", lines("y,s", "0,1", "1,1e400", "1,2", "0,0"), ("auc", *S), 0, ("infinite scores",)),
    Case(8, "BOM, CRLF, quotes", b'\xef\xbb\xbf"y","s"\r\n0,1\r\n1,2\r\n1,1\r\n0,0\r\n', ("auc", *S)),
    Case(
        8,
        "two columns of one name",
        lines("y,s,s", "0,1,1", "1,2,2"),
        ("auc", *S),
        3,
        ("'s' more than once",),
    ),
    Case(
        9,
        "misspelt column",
        PLAIN,
        ("auc", "t.csv", "--label", "y", "--score", "S"),
        3,
        ("did you mean 's'?",),
    ),
    Case(10, "empty file", "", ("auc", *S), 3, ("got an empty file",)),
    Case(10, "header alone", "y,s\n", ("auc", *S), 3, ("got only a header",)),
    Case(11, "one row", "y,s\n1,2\n", ("auc", *S), 3, ("at least two rows of data, got 1",)),
    Case(13, "one class", lines("y,s", "1,1", "1,2"), ("auc", *S), 3, ("two classes, got only",)),
    Case(
        14,
        "one class in a fold",
        PLAIN.replace("0,1,2,b", "1,1,2,b").replace("0,2,0,b", "1,2,0,b"),
        ("average", *S, "--fold", "fold"),
        0,
        ("1 of 2 folds have no case of class 0 (b)",),
    ),
    Case(
        15,
        "class absent from a replicate",
        lines("y,s", *(f"{int(k < 2)},{k % 7}" for k in range(20))),
        (
            "bootstrap",
            "t.csv",
            "--label",
            "y",
            "--model",
            "nb",
            "--n-boot",
            "20",
            "--seed",
            "1",
            "--unstratified",
        ),
        0,
        (),
        ("of them drawn again",),
        ("0 of them drawn again",),
    ),
    *(
        Case(16, f"one case in a class: {name}", RARE, (name, *more), code, said, (), ("nan", "Traceback"))
        for name, more, code, said in (
            ("auc", S, 0, ("a class has one case, which shows no variance",)),
            ("auc", (*S, "--method", "delong"), 0, ("two cases in each class",)),
            ("auc", (*S, "--method", "bootstrap", "--seed", "1"), 0, ("two cases in each class",)),
            ("auc", (*S, "--fpr", "0,0.5", "--seed", "1"), 0, ("two cases in each class",)),
            ("compare", ST, 4, ("the variance needs two cases in each class",)),
            ("points", S, 0, ()),
            ("points", (*S, "--band", "--out", "t.png"), 0, ("which 4 negatives do not resolve",)),
            ("binormal", S, 4, ("zero variance",)),
            ("average", (*S, "--fold", "fold"), 0, ("1 of 2 folds have no case of class 1 (b)",)),
            ("bootstrap", (*S[:3], "--model", "lda", "--seed", "1"), 4, ("a class of one member",)),
            ("report", (*S, "--out", "t.html", "--seed", "1"), 0, ("which 4 negatives do not resolve",)),
        )
    ),
    Case(
        17,
        "constant scores",
        lines("y,s,t", *["0,1,2", "1,1,2"] * 4),
        ("compare", *ST),
        0,
        (),
        ("0.5000", "p = 1"),
    ),
    Case(
        18,
        "constant in one class",
        lines("y,s", "0,1", "0,1", "0,1", "1,0", "1,2", "1,3"),
        ("binormal", *S),
        4,
        ("the negatives have zero variance",),
    ),
    Case(
        19,
        "perfect separation",
        lines("y,s", *(f"0,{k}" for k in range(9)), *(f"1,{k}" for k in range(20, 29))),
        ("auc", *S),
        0,
        ("s: ",),
        ("1.0000",),
    ),
    Case(
        20,
        "area below 0.5",
        lines("y,s", "0,3", "0,4", "1,1", "1,2"),
        ("auc", *S),
        0,
        ("below 0.5",),
        ("0.0000",),
    ),
    Case(21, "the same scores twice", PLAIN, ("compare", *S, "--score", "same"), 0, (), ("p = 1",)),
    Case(
        26,
        "long integers",
        lines("y,s", f"1,{2**53 + 1}", f"0,{2**53}", "1,3", "0,2"),
        ("auc", *S),
        0,
        (),
        ("0.7500",),
    ),
    Case(
        26,
        "long integers beside a fraction",
        lines("y,s", f"1,{2**53 + 1}", f"0,{2**53}", "1,0.5", "0,0.25"),
        ("auc", *S),
        3,
        ("column 's' of t.csv must hold numbers that float64 distinguishes, got 1 that it does not",),
    ),
    Case(29, "labels -1 and 1", lines("y,s", "-1,1", "1,2", "-1,0", "1,1"), ("auc", *S)),
    Case(
        29,
        "labels 1 and 2",
        lines("y,s", "1,1", "2,2", "1,0", "2,1"),
        ("auc", *S),
        3,
        ("--pos-label must be given",),
    ),
    Case(
        30,
        "no such label",
        PLAIN,
        ("auc", *S, "--pos-label", "2"),
        3,
        ("--pos-label must be one of the labels",),
    ),
    Case(31, "three labels", GRADES, ("auc", *S), 3, ("must hold two labels, got 3: 0, 1, 2",)),
    Case(32, "label 0.9999999", lines("y,s", "0,1", "0.9999999,2", "1,2"), ("auc", *S), 3, ("got 3",)),
    Case(
        33,
        "label with a blank",
        lines("y,s", "no,1", "yes ,2", "yes,2", "no,0"),
        ("auc", *S, "--pos-label", "yes"),
        3,
        ("'yes '",),
    ),
    Case(
        34,
        "classes without order",
        GRADES.replace("\n1,", "\nmid,"),
        ("ordinal", *S),
        3,
        ("has no order of its own",),
    ),
    Case(
        34,
        "class without a member",
        GRADES,
        ("ordinal", *S, "--classes", "0,1,2,3"),
        0,
        ("overall areas are those of 3 of 4 classes",),
    ),
    Case(
        35,
        "wrong number of score columns",
        PLAIN,
        ("auc", *ST, "--classes", "0,1,2"),
        2,
        ("got 3 classes and 2 scores",),
    ),
    Case(
        35,
        "negative outputs",
        PLAIN.replace("0,1,1,a", "0,-1,1,a"),
        ("auc", *ST, "--classes", "0,1"),
        3,
        ("at least 0, got negative values in row 0",),
    ),
    Case(
        37,
        "fewer than two folds",
        PLAIN,
        ("average", *S[:3], "--model", "lda", "--folds", "1"),
        2,
        ("at least 2",),
    ),
    Case(
        37,
        "more folds than cases",
        PLAIN,
        ("average", *S[:3], "--model", "lda", "--folds", "9"),
        3,
        ("smallest class",),
    ),
    Case(
        40,
        "hook",
        lines("y,s", *(f"0,{k / 4}" for k in range(-4, 5)), *(f"1,{k + 1}" for k in range(-4, 5))),
        ("binormal", *S),
        0,
        ("lies below chance for FPR from",),
    ),
    *(
        Case(
            41,
            f"model that fails: {name}",
            PLAIN,
            ("average", *S[:3], "--model", name, "--folds", "2"),
            code,
            (said,),
        )
        for name, code, said in (
            ("algorithms.bad_learners.NoNumbers", 6, "predict_proba must have no missing outputs"),
            ("algorithms.bad_learners.HardLabels", 3, "hard labels are no scores"),
            ("algorithms.bad_learners.Leaving", 6, "SystemExit"),
        )
    ),
    *(
        Case(
            42,
            f"model that hangs: {name}",
            PLAIN,
            (name, *S[:3], *more, "--timeout", "0.5"),
            6,
            ("no result within 0.5 s",),
        )
        for name, more in (
            ("average", ("--model", "algorithms.bad_learners.Hanging", "--folds", "2")),
            ("bootstrap", ("--model", "algorithms.bad_learners.Hanging", "--n-boot", "2", "--seed", "1")),
            ("algorithms", ("--models", "nb,algorithms.bad_learners.Hanging", "--folds", "2")),
        )
    ),
    Case(
        43,
        "worker that is killed",
        PLAIN,
        ("average", *S[:3], "--model", "algorithms.bad_learners.Deadly", "--folds", "2", "--n-jobs", "2"),
        6,
        ("TerminatedWorkerError",),
    ),
    Case(
        46, "file is there already", PLAIN, ("auc", *S, "--out", "t.csv"), 2, ("is read or written already",)
    ),
    Case(46, "no folder", PLAIN, ("auc", *S, "--out", "none/t.json"), 3, ("there is no folder none",)),
    Case(51, "cut Parquet", b"PAR1....", ("auc", *S, "--format", "parquet"), 3, ("got one that is cut off",)),
    Case(51, "wrong magic", b"PAX1....", ("auc", *S, "--format", "parquet"), 3, ("begins with b'PAX1'",)),
    Case(
        52,
        "line end inside a name",
        b'y,"a ""b"";\n\xc3\xbc"\r\n0,1\r\n1,2\r\n1,1\r\n0,0\r\n',
        ("auc", "t.csv", "--label", "y", "--score", 'a "b";\nü'),
        0,
        (),
        ("0.8750",),
    ),
    Case(
        53,
        "markup as a name",
        PLAIN.replace(",s,", f",{EVIL},"),
        ("auc", "t.csv", "--label", "y", "--score", EVIL),
        0,
        (),
        (EVIL,),
    ),
    Case(55, "model file", PLAIN, ("average", *S[:3], "--model", "model.pkl/x"), 2, ("which is neither",)),
    Case(57, "JSON", RARE, ("auc", *S, "--json"), 0, (), ('"se": null',), ("NaN", "Infinity")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_command(run, case):
    content = case.content.encode() if isinstance(case.content, str) else case.content
    if "same" in case.command:
        rows = content.decode().splitlines()
        content = lines(f"{rows[0]},same", *(f"{row},{row.split(',')[1]}" for row in rows[1:])).encode()
    Path("t.csv").write_bytes(content)
    done = run(*case.command)
    assert done.code == case.code, done.err
    for text in case.err:
        assert text in done.err
    for text in case.out:
        assert text in done.out
    for text in case.absent:
        assert text not in done.out + done.err
    if case.code in (2, 3):
        assert (done.out, done.err.startswith("error: ")) == ("", True)


# Arrays, in Python


def message(call, *arguments, **options):
    with pytest.raises(RocInputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


def test_4_text_is_no_number():
    assert "must hold numbers, got text" in message(rs.auc, [0, 1], ["0.5", "0.7"])


def test_12_lengths():
    assert "must have the same length" in message(rs.auc, [0, 1, 1], [0.5, 0.7])
    assert "must have the same length" in message(rs.roc_curve, [0, 1], [1, 2], sample_weight=[1])


def test_22_and_23_ties_and_neighbours():
    tied = rs.roc_curve([0, 1, 1, 0, 1], [2, 2, 1, 2, 1])
    assert len(tied) == 3
    smallest, one = 5e-324, 1.0
    scores = [one, math.nextafter(one, 2), 0.0, -0.0, smallest, -smallest, sys.float_info.max]
    assert len(rs.roc_curve([0, 1, 0, 1, 1, 0, 1], scores)) == 7


def test_24_thresholds_come_back_from_json():
    rng = np.random.default_rng(0)
    y, s = np.arange(40) % 2, rng.normal(size=40).astype(np.float32)
    curve = rs.roc_curve(y, s)
    for k in range(1, len(curve)):
        point = rs.Threshold.from_json(curve.point(k).to_json())
        assert int((point.decide(s)[y == 1] == 1).sum()) == curve.tp[k]


def test_28_memory_of_a_comparison():
    """A hundred thousand cases in each class: no matrix of all pairs."""
    y, s = np.arange(200_000) % 2, np.random.default_rng(0).normal(size=(2, 200_000))
    rs.compare_auc(y[:100], {"a": s[0, :100], "b": s[1, :100]})  # imports what it needs
    tracemalloc.start()
    try:
        rs.compare_auc(y, {"a": s[0] + y, "b": s[1]})
        assert tracemalloc.get_traced_memory()[1] < 200 * 10**6
    finally:
        tracemalloc.stop()


def test_36_weights():
    assert "sample_weight" in message(rs.roc_curve, [0, 1], [1, 2], sample_weight=[1, math.nan])
    assert "sample_weight" in message(rs.roc_curve, [0, 1], [1, 2], sample_weight=[1, -1])
    assert "sample_weight" in message(rs.roc_curve, [0, 1, 1], [1, 2, 3], sample_weight=[0, 1, 1])
    assert len(rs.roc_curve([0, 1, 0], [1, 2, 3], sample_weight=[1, 1, 0])) == 3


# The world around


def test_54_formulas_stay_text(run):
    Path("t.csv").write_text(lines("y,=1+1", "0,1", "1,2", "0,0", "1,1"))
    assert run("auc", "t.csv", "--label", "y", "--score", "=1+1", "--out", "o.csv").code == 0
    assert Path("o.csv").read_text().splitlines()[1].startswith("'=1+1,")


def test_58_locale_time_zone_and_terminal():
    Path("t.csv").write_text(PLAIN)
    command = [sys.executable, "-m", "rocscope", "auc", *S]
    odd = {"LC_ALL": "de_DE.ISO-8859-1", "LANG": "de_DE", "TZ": "Asia/Kolkata", "COLUMNS": "20"}
    answers = [
        subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | more).stdout
        for more in ({}, odd)
    ]
    assert answers[0] == answers[1] != ""


# Numbers that have their tests beside what they are about.
ELSEWHERE = {
    25: "core/test_checks.py::test_float32_and_float64_of_one_number_differ",
    27: "core/test_table.py::test_exact_dot_cuts_long_sums_before_they_overflow",
    38: "training/test_cross_scores.py::test_spread_groups_are_reported",
    39: "binormal/test_likelihood.py::test_a_singular_information_has_no_covariance",
    44: "run/test_dask.py::test_same_digest_with_two_workers_one_killed",
    45: "run/test_study.py::test_other_functions_parameters_and_data_are_refused",
    47: "run/test_study.py::test_killed_at_any_moment_the_study_ends_the_same",
    48: "cli/test_reproduce.py::test_interrupt_says_how_to_go_on",
    49: "cli/test_main.py::test_broken_pipe_is_quiet",
    50: "run/test_study.py::test_second_process_is_refused_and_the_lock_dies_with_its_holder",
    56: "reporting/test_thinning.py::test_a_million_vertices_of_a_curve_become_two_thousand",
    59: "core/test_execute.py::test_blas_and_openmp_have_one_thread_per_task",
    60: "test_architecture.py::test_an_unwritable_cache_is_not_fatal",
}


@pytest.mark.parametrize("number", ELSEWHERE)
def test_elsewhere(number):
    path, name = ELSEWHERE[number].split("::")
    assert f"def {name}(" in (ROOT / path).read_text()


def test_all_sixty_are_here():
    here = {4, 12, 22, 23, 24, 28, 36, 54, 58} | {case.number for case in CASES}
    assert here | set(ELSEWHERE) == set(range(1, 61))
