"""`rocscope ordinal` says how well each of several ordered classes is separated."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from data_folder import data_file
from rocscope.ordinal.comparison import compare_ordinal
from rocscope.ordinal.roc import ordinal_roc
from rocscope.training.ordinal_scores import ordinal_scores

pytestmark = pytest.mark.slow

Y, E = [1, 1, 1, 2, 2, 2, 3, 3, 3], [0.7, 1.2, 1.6, 1.4, 2.1, 2.3, 2.4, 3.1, 3.3]
NAMES = {1: "low", 2: "mid", 3: "high"}
COMMAND = ("ordinal", "grades.csv", "--label", "grade", "--score", "guess")


@pytest.fixture(autouse=True)
def grades(folder):
    rows = [f"{y},{NAMES[y]},{e},{k % 2}" for k, (y, e) in enumerate(zip(Y, E, strict=True))]
    Path("grades.csv").write_text("\n".join(["grade,name,guess,part", *rows]) + "\n")


def test_tables(run):
    done = run(*COMMAND, "--thresholds", "3")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "class  cases  curves  MaxAUC    at  AvgAUC",
        "1          3       1  0.9444        0.9444",
        "2          3       3  0.8611  1.25  0.7685",
        "3          3       1  0.9722        0.9722",
        "",
        "Best thresholds (error): 1.25, 2.5",
        "",
        "all classes         value",
        "error              0.2222",
        "MaxAUC macro       0.9259",
        "MaxAUC weighted    0.9259",
        "AvgAUC macro       0.8951",
        "AvgAUC weighted    0.8951",
        "AUC of neighbours  0.9444",
        "VUS (chance 0.17)  0.8889",
        "kappa (quadratic)  0.8000",
    ]


def test_json_is_the_result(run):
    document = run(
        *COMMAND, "--json", "--fixed", "upper", "--closure", "flat", "--objective", "kappa"
    ).document
    (result,) = document["results"]
    expected = ordinal_roc(Y, E, fixed="upper", closure="flat", objective="kappa")
    assert result == {"score": "guess"} | json.loads(expected.to_json())


def test_text_classes_need_their_numbers(run):
    named = (*COMMAND[:3], "name", *COMMAND[4:])
    done = run(*named)
    assert done.code == 3
    assert done.err == (
        "error: column 'name' holds text such as 'low', which has no order of its own: give each class its "
        "number with --classes LABEL=NUMBER,...\n"
    )
    done = run(*named, "--classes", "low=1,mid=2,high=3", "--json")
    assert done.document["results"][0]["labels"] == ["low", "mid", "high"]


def test_intervals_repeat_with_their_seed(run):
    options = ("--n-boot", "200", "--seed", "4", "--json")
    one, two = (run(*COMMAND, *options, "--n-jobs", jobs).document for jobs in ("1", "2"))
    assert one == two
    assert one["input"]["seed"] == 4
    done = run(*COMMAND, "--n-boot", "100")
    assert "MaxAUC (95% interval)" in done.out
    assert "random numbers from seed" in done.err


def test_folds_and_unused_classes(run):
    done = run(*COMMAND, "--fold", "part", "--classes", "1,2,3,4")
    assert "over 2 folds" in done.out
    assert "AvgAUC(3)" in done.out
    assert done.out.splitlines()[4].split() == ["4", "0", "0", "undefined", "undefined"]
    assert done.err == "note: overall areas are those of 3 of 4 classes: class 4 has no member\n"


def test_costs_given_thresholds_and_range(run):
    options = ("--objective", "cost", "--cost", "0,1,4;1,0,1;4,1,0", "--cuts", "range")
    done = run(*COMMAND, *options, "--thresholds", "1.5,2.25,2.5", "--json")
    costs = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    expected = ordinal_roc(Y, E, thresholds=[1.5, 2.25, 2.5], objective="cost", cost=costs, cuts="range")
    assert done.document["results"][0]["thresholds"]["values"] == expected.thresholds.values.tolist()


@pytest.mark.parametrize("show", ["curves", "points", "youden"])
def test_figures(run, show):
    assert run(*COMMAND, "--show", show, "--out", "a.png").code == 0
    assert Path("a.png").stat().st_size > 1000


def rows_of(name):
    with Path(name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_points_of_the_curves_as_csv(run):
    assert run(*COMMAND, "--thresholds", "3", "--out", "a.csv").code == 0
    expected = ordinal_roc(Y, E, thresholds=3)
    points = [
        (str(curve.label), curve.at, float(x), float(y))
        for one in expected.curves
        for curve in one
        for x, y in zip(curve.fpr, curve.tpr, strict=True)
    ]
    rows = rows_of("a.csv")
    assert [(r["class"], float(r["at"]), float(r["fpr"]), float(r["tpr"])) for r in rows] == points
    assert [r["threshold"] for r in rows[:5]] == ["", "1.25", "1.5", "1.75", ""]
    assert {r["auc"] for r in rows if r["class"] == "2"} == {str(area) for area in expected.curves[1].auc}


def test_areas_and_points_of_pairs_as_csv(run):
    options = ("--thresholds", "all", "--show", "classes", "--out", "a.csv")
    assert run(*COMMAND, *options).code == 0
    expected = ordinal_roc(Y, E, thresholds="all")
    assert [float(row["max_auc"]) for row in rows_of("a.csv")] == expected.max_auc.tolist()
    for show in ("points", "youden"):
        name = f"{show}.csv"
        assert run(*COMMAND, "--thresholds", "3", "--show", show, "--class", "2", "--out", name).code == 0
    assert Path("points.csv").read_text() == Path("youden.csv").read_text()
    one = ordinal_roc(Y, E, thresholds=3).curves[1]
    rows = rows_of("points.csv")
    assert [(int(r["tp"]), int(r["fp"])) for r in rows] == list(zip(one.tp.flat, one.fp.flat, strict=True))
    assert (rows[1]["lower"], rows[1]["upper"]) == (str(one.lower[0]), str(one.upper[1]))


def test_too_many_points_for_a_file(run, monkeypatch):
    monkeypatch.setattr("rocscope.cli.ordinal.MOST_ROWS", 10)
    done = run(*COMMAND, "--thresholds", "3", "--out", "a.csv")
    assert (done.code, Path("a.csv").exists()) == (5, False)
    assert done.err == (
        "error: the CSV file would have 15 points, more than 10: give fewer --thresholds, or --show classes "
        "for the areas\n"
    )


def test_figure_of_one_class(run, monkeypatch):
    pictures = []
    monkeypatch.setattr("rocscope.plotting.save", lambda picture, path, **_: pictures.append(picture))
    run(*COMMAND, "--thresholds", "3", "--class", "2", "--out", "a.png")
    assert [panel.title for panel in pictures[0].panels] == ["Class 2 (3 cases)\nMaxAUC 0.861, AvgAUC 0.769"]
    run(*COMMAND, "--thresholds", "3", "--show", "classes", "--class", "3", "--out", "a.png")
    assert pictures[1].panels[0].y.tick_labels == ("MaxAUC(3)", "AvgAUC(3)")
    done = run(*COMMAND, "--class", "5", "--out", "a.png")
    assert (done.code, done.err) == (2, "error: --class must be among 1, 2, 3, got '5'\n")


def test_rows_that_lack_a_value(run):
    with Path("grades.csv").open("a") as file:
        file.write("3,high,,0\n")
    assert run(*COMMAND).code == 3
    done = run(*COMMAND, "--na", "drop")
    assert (done.code, done.err) == (0, "note: 1 row with missing values left out: 1 of class '3'\n")


def test_no_curves_is_reported_by_the_exit_code(run):
    Path("grades.csv").write_text("grade,guess\n1,1\n1,1\n2,2\n2,2\n")
    done = run(*COMMAND, "--thresholds", "all")
    assert done.code == 4
    assert done.err.endswith("error: no threshold lies between 1 and 2\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--classes", "a,b"], "--classes must be numbers 1,2,3 or LABEL=NUMBER, got 'a,b'"),
        (["--classes", "a=1,2"], "--classes must be numbers 1,2,3 or LABEL=NUMBER, got 'a=1,2'"),
        (["--thresholds", "x"], "--thresholds must be a whole number, all, or numbers 1.5,2.5, got 'x'"),
        (["--cost", "0,1;2"], "--cost must be rows of numbers such as 0,1;5,0, got '0,1;2'"),
    ],
)
def test_wrong_usage(run, options, message):
    done = run(*COMMAND, *options)
    assert (done.code, done.err) == (2, f"error: {message}\n")


def test_known_file(run):
    path = data_file("ordinal_bendavid", "LEV_norm.csv")
    done = run("ordinal", path, "--label", "label", "--score", "in1")
    assert done.code == 0
    assert done.out.splitlines()[1].startswith("0         93       1  ")


def test_several_scores(run):
    """Each has its own tables, results and rows; none is lost. Their differences come last."""
    rows = [f"{y},{e},{4 - e},{'' if k == 4 else e}" for k, (y, e) in enumerate(zip(Y, E, strict=True))]
    Path("two.csv").write_text("\n".join(["grade,guess,other,gap", *rows]) + "\n")
    request = ("ordinal", "two.csv", "--label", "grade")
    scores = ("guess", "other")
    each = {name: run(*request, "--score", name) for name in scores}
    both = (*request, "--score", "guess", "--score", "other", "--seed", "1")
    done = run(*both, "--show", "classes", "--out", "t.csv")
    tables = "\n".join(f"{name}:\n\n{each[name].out}" for name in scores)
    assert done.code == 0
    assert done.out.startswith(f"{tables}\nguess - other  ")
    assert run(*both, "--n-boot", "0").out == tables
    lines = Path("t.csv").read_text().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["score", *["guess"] * 3, *["other"] * 3]
    document = run(*both, "--json").document
    *results, compared = document["results"]
    assert results == [run(*request, "--score", s, "--json").document["results"][0] for s in scores]
    expected = compare_ordinal(Y, {"guess": E, "other": [4 - e for e in E]}, rng=1)
    assert compared == json.loads(expected.to_json())
    assert run(*both, "--show", "differences", "--out", "d.csv").code == 0
    assert [row["figure"] for row in rows_of("d.csv")] == list(expected.figures)
    for k, show in enumerate(("curves", "classes", "differences")):
        assert run(*both, "--show", show, "--out", f"{k}.png").code == 0
    gap = (*request, "--score", "guess", "--score", "gap", "--na", "drop", "--seed", "1", "--json")
    dropped = run(*gap)
    note = "1 row with missing values left out: 1 of class '2'"
    assert dropped.err == f"note: gap: {note}\nnote: differences: {note}\n"
    assert [one["warnings"] for one in dropped.document["results"][:2]] == [[], [note]]
    done = run(*COMMAND, "--show", "differences", "--out", "e.png")
    assert done.err == ("error: --show differences needs two scores or models, and --n-boot greater than 0\n")


def test_tables_of_one_class(run):
    """--class restricts the tables too: rows of other classes, of their folds and of their differences."""
    whole, one = (run(*COMMAND, "--fold", "part", *more).out.splitlines() for more in ((), ("--class", "2")))
    hidden = [line for line in whole if re.match(r"[13] |(MaxAUC|AvgAUC)\([13]\) ", line)]
    assert len(hidden) == 2 + 4
    assert [line.split() for line in one] == [line.split() for line in whole if line not in hidden]
    rows = [f"{y},{e},{4 - e}" for y, e in zip(Y, E, strict=True)]
    Path("two.csv").write_text("\n".join(["grade,guess,other", *rows]) + "\n")
    both = ("ordinal", "two.csv", "--label", "grade", "--score", "guess", "--score", "other", "--seed", "1")
    shown = run(*both, "--class", "2").out
    assert ("MaxAUC(2)" in shown, "MaxAUC(1)" in shown, "MaxAUC macro" in shown) == (True, False, True)


def test_models_are_trained_on_features(run):
    rng = np.random.default_rng(2)
    y = np.repeat([1, 2, 3], 12)
    a, b = y + rng.normal(0, 0.5, 36), rng.normal(size=36)
    rows = [f"{c},{x!r},{z!r}" for c, x, z in zip(y.tolist(), a.tolist(), b.tolist(), strict=True)]
    Path("t.csv").write_text("\n".join(["grade,a,b", *rows]) + "\n")
    request = ("ordinal", "t.csv", "--label", "grade", "--folds", "4", "--seed", "3", "--json")
    done = run(*request, "--model", "linear")
    expected = ordinal_roc(y, ordinal_scores(LinearRegression(), np.c_[a, b], y, cv=4, rng=3).y_pred, rng=3)
    assert done.document["results"] == [{"score": "linear"} | json.loads(expected.to_json())]
    path = "sklearn.naive_bayes.GaussianNB"
    both = run(*request, "--model", "linear", "--model", path, "--n-boot", "100").document["results"]
    assert both[2]["names"] == ["linear", path]
    alone = run(*request, "--model", "linear", "--feature", "b").document["results"][0]
    assert alone["overall"]["avg_macro"] < expected.overall.avg_macro
    for options, message in [
        ((), "one of --score and --model must be given, and not both"),
        (("--score", "a", "--model", "linear"), "one of --score and --model must be given, and not both"),
        (("--score", "a", "--folds", "3"), "--folds belongs to --model"),
    ]:
        done = run("ordinal", "t.csv", "--label", "grade", *options)
        assert (done.code, done.err.startswith(f"error: {message}")) == (2, True)


def test_estimates_on_another_scale(run):
    rows = [f"{y},{e / 10},{20 * e},{e}" for y, e in zip(Y, E, strict=True)]
    Path("t.csv").write_text("\n".join(["grade,share,percent,right", *rows]) + "\n")
    request = ("ordinal", "t.csv", "--label", "grade")
    notes = {name: run(*request, "--score", name).err for name in ("share", "percent", "right")}
    looks = "do not look like estimates of the classes, from 1 to 3"
    remedy = "--scale rank or --scale calibrated puts them on the scale of the classes"
    assert notes == {
        "share": f"note: the estimates, from 0.07 to 0.33, {looks}: all are nearest to class 1; {remedy}\n",
        "percent": f"note: the estimates, from 14 to 66, {looks}: all are nearest to class 3; {remedy}\n",
        "right": "",
    }
    on_ranks = {name: run(*request, "--score", name, "--scale", "rank") for name in ("share", "percent")}
    assert {(done.err, done.out) for done in on_ranks.values()} == {("", on_ranks["share"].out)}
    calibrated = run(*request, "--score", "share", "--scale", "calibrated")
    assert calibrated.err.startswith("note: random numbers from seed")
