"""`rocscope average`: means over folds at identical points, from scores or from features."""

import csv
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs
from rocscope.cli.models import MODELS, make_model
from rocscope.errors import RocUsageError

S = ("average", "s.csv", "--label", "y", "--pos-label", "ill", "--score", "s", "--fold", "fold")
P = ("average", "p.csv", "--label", "y", "--classes", "a,b,c", "--fold", "fold")
P += ("--score", "pa", "--score", "pb", "--score", "pc")
D = ("average", "d.csv", "--label", "y", "--pos-label", "ill", "--feature", "u", "--feature", "v")
CHOSEN = (
    "note: the point was chosen on these same cases: its means are optimistic, and the standard errors do "
    "not know of the choice\n"
)


def binary():
    rng = np.random.default_rng(1)
    y = np.repeat(["well", "ill"], 60)
    return y, np.round(rng.normal(size=120) + 1.5 * (y == "ill"), 2), np.arange(120) % 5


def other():
    """A second score of the same cases, with ties."""
    y, s, _ = binary()
    return np.round(0.5 * s + np.random.default_rng(4).normal(size=120) + 0.4 * (y == "ill"), 1)


def several():
    rng = np.random.default_rng(2)
    codes = np.repeat([0, 1, 2], 30)
    return np.array(list("abc"))[codes], np.round(rng.random((90, 3)) + 0.6 * np.eye(3)[codes], 3)


def features():
    y, s, _ = binary()
    return y, np.column_stack([s, np.round(np.random.default_rng(3).normal(size=120), 2)])


def write(path, header, *columns):
    with Path(path).open("w", newline="") as file:
        csv.writer(file).writerows([header, *zip(*columns, strict=True)])


@pytest.fixture(autouse=True)
def tables(folder):
    y, s, fold = binary()
    write("s.csv", ["y", "s", "t", "fold"], y, s, other(), fold)
    names, outputs = several()
    write("p.csv", ["y", "pa", "pb", "pc", "fold"], names, *outputs.T, np.arange(90) % 3)
    _, X = features()
    write("d.csv", ["y", "u", "v", "site", "fold"], y, *X.T, ["N", "S"] * 60, fold)
    write("d3.csv", ["y", "pa", "pb", "pc"], names, *outputs.T)


def averaged(data=None, *, points=30, select=(), rule=None, **options):
    """The average at the default points and the one that is best of all distinct thresholds."""
    y, s, fold = binary()
    arguments = (y, s) if data is None else (data,)
    options |= {"fold": fold, "pos_label": "ill"} if data is None else {}
    whole = rs.average_roc(*arguments, points="all", **options)
    best = whole.points[whole.select(*select, rule=rule, cost=options.get("cost"))]
    return rs.average_roc(*arguments, points=points, also=[best], **options)


# ---- Scores -----------------------------------------------------------------------------------------------


def test_tables_of_six_classes_fit_a_line(run):
    rng = np.random.default_rng(4)
    y = np.arange(120) % 6
    outputs = rng.random((120, 6)) + 0.5 * np.eye(6)[y]
    write("six.csv", ["y", *"abcdef", "fold"], ["uvwxyz"[k] for k in y], *outputs.T, np.arange(120) // 6 % 4)
    classes = ("--classes", "u,v,w,x,y,z")
    scores = [part for name in "abcdef" for part in ("--score", name)]
    request = (
        "average",
        "six.csv",
        "--label",
        "y",
        *classes,
        *scores,
        "--fold",
        "fold",
        "--weights",
        "spread",
    )
    done = run(*request, "--points", "12")
    assert done.code == 0
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 100
    document = run(*request, "--points", "12", "--json").document["results"]
    heads = [line.split() for line in lines if line.startswith("point ")]
    assert "".join(heads[0]).count("weight(") == 6
    assert sum("".join(head).count("error(") for head in heads) == 6
    worst = [line for line in lines if line.startswith(f"{document[1]['index']} ")]
    assert worst[0].endswith(" chosen")
    assert f"{document[1]['mean']['error(u)']:.3f} (" in worst[1]


def test_table(run):
    done = run(*S, "--select", "tpr>=0.9", "--points", "9")
    roc = averaged(points=9, select=["tpr>=0.9"])
    index = roc.select("tpr>=0.9").index
    assert len(roc) == 10
    compared = roc.compare_to(index)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, CHOSEN)
    assert lines[0] == "Mean (standard error) over 5 folds at 10 operating points (60 well, 60 ill)"
    assert lines[2].split() == ["point", "threshold", "tpr", "fpr"]
    for k, line in enumerate(lines[3:13]):
        cells = [f"{m:.4f} ({s:.4f})" for m, s in zip(roc.mean[k], roc.sem[k], strict=True)]
        assert line.split()[:2] == [str(k), f"{roc.points[k]:.4g}"]
        assert all(cell in line for cell in cells)
        assert line.endswith("chosen") == (k == index)
        assert line.endswith("indistinguishable") == (bool(compared.indistinguishable[k]) and k != index)
    assert lines[14] == f"Point {index}: threshold {roc.points[index]:.4g} (smallest FPR with tpr>=0.9)"
    assert lines[15:] == str(compared).splitlines()


@pytest.mark.parametrize("method", ["paired-t", "paclik", "corrected"])
def test_json(run, method):
    more = ("--measure", "tpr", "--measure", "precision", "--prevalence", "0.1")
    done = run(*S, *more, "--method", method, "--level", "0.9", "--json")
    roc = averaged(measures=["tpr", "precision"], prevalence=0.1)
    found, chosen, *compared = done.document["results"]
    index = roc.select()
    assert found == roc.to_dict()
    assert chosen["index"] == index
    assert chosen["mean"]["tpr"] == roc.mean[index, 0]
    summary = roc.compare_to(index, method=method, level=0.9).to_dict()
    assert compared == [{name: value for name, value in summary.items() if name != "roc"}]


def test_cost_and_rule(run):
    done = run(*S, "--cost", "1,9", "--measure", "cost", "--json")
    roc = averaged(measures=["cost"], cost=(1, 9))
    assert done.document["results"][1]["index"] == roc.select(cost=(1, 9))
    done = run(*S, "--rule", "closest", "--json")
    assert done.document["results"][1]["index"] == averaged(rule="closest").select(rule="closest")


def test_files(run):
    assert run(*S, "--out", "t.csv", "--save", "point.json").code == 0
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    roc = averaged()
    assert [float(row["threshold"]) for row in rows] == roc.points.tolist()
    assert [float(row["tpr"]) for row in rows] == roc.mean[:, 0].tolist()
    (chosen,) = [int(row["point"]) for row in rows if row["chosen"] == "True"]
    assert chosen == roc.select()
    assert rs.Threshold.from_json(Path("point.json").read_text()) == roc.point(chosen).decision
    assert run(*S, "--out", "t.svg").code == 0
    assert "indistinguishable" in Path("t.svg").read_text()


def test_one_point_by_hand(run):
    y, s, fold = binary()
    whole = rs.average_roc(y, s, fold=fold, pos_label="ill", points="all")
    near = whole.points[whole.locate("fpr=0.2")]
    assert abs(whole.mean[:, 1] - 0.2).min() == abs(whole.mean[whole.locate("fpr=0.2"), 1] - 0.2)
    roc, chosen, _ = run(*S, "--at", "fpr=0.2", "--json").document["results"]
    assert roc["points"][chosen["index"]] == near
    assert chosen["objective"] == "nearest to fpr=0.2"
    roc, chosen, _ = run(*S, "--at", "threshold=0.123", "--json").document["results"]
    assert (roc["points"][chosen["index"]], len(roc["points"])) == (0.123, 31)
    roc, chosen, _ = run(*S, "--point", "12", "--json").document["results"]
    assert (chosen["index"], len(roc["points"]), chosen["objective"]) == (12, 30, "by number")


@pytest.mark.parametrize(
    ("options", "how"),
    [
        (("fpr",), {"measures": ["fpr"]}),
        (("tpr", "precision"), {"measures": ["tpr", "precision"]}),
        (("tpr", "fpr", "--joint"), {"measures": ["tpr", "fpr"], "by": "joint"}),
    ],
)
def test_measures_that_decide(run, options, how):
    named = [part for name in options for part in (("--compare-by", name) if name[0] != "-" else (name,))]
    done = run(*S, "--select", "tpr>=0.9", "--method", "paclik", *named, "--out", "t.svg", "--json")
    roc = averaged(select=["tpr>=0.9"])
    compared = roc.compare_to(roc.select("tpr>=0.9"), method="paclik", **how)
    found = done.document["results"][2]
    assert found["indistinguishable"] == compared.indistinguishable.tolist()
    assert (found["measures"], found["by"]) == (how["measures"], how.get("by", "each"))
    # The ROC is drawn, whatever the points are compared by.
    text = Path("t.svg").read_text()
    assert "True positive rate" in text
    assert "False positive rate" in text


def test_two_scores_are_compared(run):
    arguments = (*S, "--score", "t", "--at", "fpr=0.2", "--at", "tpr=0.9", "--compare-by", "precision")
    done = run(*arguments, "--method", "corrected", "--json", "--out", "t.csv")
    y, s, fold = binary()
    first, second = (
        rs.average_roc(y, score, fold=fold, pos_label="ill", points="all") for score in (s, other())
    )
    expected = first.compare_with(
        second, at=["fpr=0.2", "tpr=0.9"], measures="precision", names=("s", "t"), method="corrected"
    )
    (found,) = done.document["results"]
    for name in ("names", "places", "measures", "mean", "difference", "low", "high", "p_value", "p_adjusted"):
        assert found[name] == expected.to_dict()[name]
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    assert [float(row["difference"]) for row in rows] == expected.difference.ravel().tolist()
    printed = run(*S, "--score", "t", "--select", "tpr>=0.9", "--select", "fpr<=0.9", "--out", "t.png")
    assert printed.code == 0
    assert "at tpr>=0.9 and fpr<=0.9: point " in printed.out
    assert "chosen on these same cases" in printed.err


# ---- One score per class ----------------------------------------------------------------------------------


def test_searched_weights(run):
    done = run(*P, "--seed", "1", "--points", "12", "--json")
    y, outputs = several()
    weights = rs.search_weights(y, outputs, classes=list("abc"), keep=12, rng=1)
    roc = rs.average_roc(y, outputs, fold=np.arange(90) % 3, classes=list("abc"), points=weights)
    assert done.code == 0
    assert "searched on these same cases" in done.err
    assert done.document["results"][0] == roc.to_dict()
    assert done.document["results"][1]["objective"] == "smallest largest class error"
    assert run(*P, "--seed", "1", "--points", "12", "--json").out == done.out


def test_spread_weights(run):
    done = run(*P, "--weights", "spread", "--rule", "mean-class-error", "--select", "error(a)<=0.5")
    y, outputs = several()
    roc = rs.average_roc(y, outputs, fold=np.arange(90) % 3, classes=list("abc"))
    index = roc.select("error(a)<=0.5", rule="mean-class-error").index
    assert (done.code, done.err) == (0, CHOSEN)
    assert f"Point {index}: weight(a)" in done.out
    assert "(smallest mean class error with error(a)<=0.5)" in " ".join(done.out.split())  # on two lines
    assert run(*P, "--weights", "spread", "--out", "t.png").code == 0
    assert Path("t.png").read_bytes().startswith(b"\x89PNG")


# ---- Models -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name == "mlp" else [])
        for name in MODELS
        if name != "gaussian-detector"
    ],
)
def test_models(run, name):
    done = run(*D, "--model", name, "--folds", "4", "--seed", "1", "--json")
    y, X = features()
    scores = rs.cross_scores(make_model(name), X, y, cv=4, pos_label="ill", rng=1)
    assert done.code == 0, done.err
    assert done.document["results"][0] == averaged(scores).to_dict()
    assert done.document["input"]["seed"] == 1


def test_detector_with_given_folds(run):
    done = run(*D[:4], *D[6:], "--model", "gaussian-detector", "--target", "ill", "--fold", "fold", "--json")
    y, X = features()
    scores = rs.cross_scores(rs.GaussianDetector(), X, y, cv=binary()[2], target="ill")
    assert done.code == 0, done.err
    assert done.document["results"][0] == averaged(scores).to_dict()


def test_features_are_the_columns_of_numbers(run):
    done = run(*D[:6], "--model", "lda", "--fold", "fold", "--seed", "1", "--json")
    given = run(*D, "--model", "lda", "--fold", "fold", "--seed", "1", "--json")
    assert done.err == f"note: left out as no numbers: site\n{CHOSEN}"
    assert done.document["results"] == given.document["results"]


def test_features_of_json_lines(run):
    y, X = features()
    lines = [f'{{"y": "{c}", "u": {u}, "v": {v}, "t": "x"}}' for c, (u, v) in zip(y, X, strict=True)]
    Path("d.jsonl").write_text("\n".join(lines))
    options = ("--label", "y", "--pos-label", "ill", "--model", "lda", "--seed", "1", "--json")
    done = run("average", "d.jsonl", *options)
    given = run("average", "d.jsonl", *options, "--feature", "u", "--feature", "v")
    assert done.code == 0, done.err
    assert done.document["results"] == given.document["results"]


def test_three_classes_by_a_dotted_path(run):
    path = "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis"
    done = run("average", "d3.csv", "--label", "y", "--model", path, "--folds", "3", "--seed", "2", "--json")
    assert done.code == 0, done.err
    assert done.document["results"][0]["measures"] == ["error(a)", "error(b)", "error(c)"]


def test_a_fresh_seed_is_reported(run):
    done = run(*D, "--model", "nb", "--json")
    seed = done.document["input"]["seed"]
    assert f"--seed {seed} repeats them" in done.err
    assert run(*D, "--model", "nb", "--seed", str(seed), "--json").out == done.out


# ---- Refusals ---------------------------------------------------------------------------------------------

LDA = ("average", "d.csv", "--label", "y", "--model", "lda")
NAMES = ", ".join(MODELS)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (S[:6] + S[8:], 2, "one of --score and --model must be given, and not both"),
        ((*S, "--model", "lda"), 2, "one of --score and --model must be given, and not both"),
        (S[:8], 2, "--score needs --fold, the column that names the fold of every case"),
        ((*S, "--folds", "5"), 2, "--folds belongs to --model"),
        (
            (*S, "--score", "t", "--score", "u"),
            2,
            "more than two --score need --classes, the class of each in their order; "
            "two without are compared with each other",
        ),
        ((*S, "--at", "fpr=0.2", "--point", "3"), 2, "--at and --point must not be given together"),
        ((*S, "--point", "3", "--rule", "youden"), 2, "--point and --rule must not be given together"),
        ((*S, "--point", "30"), 2, "--point must be one of the 30 points, 0 to 29, got 30"),
        ((*S, "--at", "fpr=x"), 2, "--at must read like 'fpr=0.2', got 'fpr=x'"),
        ((*S, "--at", "fpr=0.1", "--at", "fpr=0.2"), 2, None),
        ((*S, "--compare-by", "tprr"), 2, None),
        ((*S, "--score", "t", "--point", "3"), 2, "--point belongs to one --score"),
        ((*S, "--score", "t", "--joint"), 2, "--joint belongs to one --score"),
        ((*S, "--classes", "a,b"), 2, "--pos-label must be left out with --classes"),
        (
            (*S, "--weights", "search"),
            2,
            "--weights belongs to scores of every class, got one score per case",
        ),
        ((*S, "--rule", "max-class-error"), 2, "--rule max-class-error belongs to three classes or more"),
        ((*S, "--prevalence", "x"), 2, "--prevalence must be one number, or one for every class, got 'x'"),
        ((*S, "--points", "0"), 2, "--points must be a whole number of at least 1, got 0"),
        ((*S, "--select", "tpr>=2"), 4, None),
        ((*P, "--cost", "2"), 2, "--cost belongs to two classes, got 3"),
        ((*P, "--rule", "youden"), 2, "--rule youden belongs to two classes"),
        ((*LDA, "--folds", "3", "--fold", "fold"), 2, "--folds must be left out with --fold"),
        ((*LDA, "--pos-label", "ill", "--folds", "61"), 3, None),
        ((*LDA, "--feature", "y"), 2, "--feature must name other columns than the label, each once"),
        ((*LDA[:5], "gaussian-detector"), 2, None),
        ((*LDA[:5], "svm"), 2, None),
        ((*S, "--out", "t.doc"), 2, None),
        (("average", "no.csv", *S[2:]), 3, None),
    ],
)
def test_refusals(run, arguments, code, message):
    done = run(*arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines()[-1].startswith("error: ")
    if message is not None:
        assert done.err == f"error: {message}\n"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("svm", "which is neither"),
        ("no module.X", "which is neither"),
        (
            "nomodule.X",
            "which cannot be made without arguments: ModuleNotFoundError: No module named 'nomodule'",
        ),
        (
            "sklearn.naive_bayes.X",
            "which cannot be made without arguments: AttributeError: module 'sklearn.naive_bayes' has no "
            "attribute 'X'",
        ),
        ("builtins.dict", "which gives a dict without a method fit"),
        ("math.sqrt", None),
    ],
)
def test_paths_that_lead_nowhere(name, why):
    with pytest.raises(RocUsageError) as error:
        make_model(name)
    start = f"--model must be one of {NAMES} or a dotted path to an estimator, got {name!r}, "
    assert str(error.value).startswith(start)
    if why is not None:
        assert str(error.value) == start + why


def test_a_model_of_the_user(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    text = "from sklearn.naive_bayes import GaussianNB\nready = GaussianNB()\nmake = GaussianNB\n"
    (tmp_path / "my_models.py").write_text(text)
    assert type(make_model("my_models.ready")).__name__ == "GaussianNB"
    assert type(make_model("my_models.make")).__name__ == "GaussianNB"


def test_a_fold_without_a_class(run):
    y, s, fold = binary()
    write("s.csv", ["y", "s", "fold"], y, s, np.where(y == "ill", fold, fold + (fold == 0)))
    done = run(*S, "--points", "5")
    assert done.code == 0  # the means stand without the comparison
    assert len(done.out.splitlines()) == 11
    assert "1 of 5 folds have no case of class well (0)" in done.err
    assert done.err.splitlines()[-1].startswith("note: no comparison of the points: the test needs fpr")


def test_missing_values(run):
    y, s, fold = binary()
    write("s.csv", ["y", "s", "fold"], y, ["", *s[1:]], fold)
    assert run(*S).code == 3
    done = run(*S, "--na", "drop")
    assert done.code == 0
    assert "1 row with missing values left out" in done.err


def test_help(run):
    done = run("average", "--help")
    assert done.code == 0
    assert all("rocscope average" in line for line in done.out.split("Examples:\n")[1].splitlines())


def test_a_threshold_by_hand_is_no_choice_on_these_cases(run):
    assert "chosen on these same cases" in run(*S, "--at", "fpr=0.2").err
    fixed = run(*S, "--at", "threshold=0.2")
    assert "chosen on these same cases" not in fixed.err
    assert "(threshold=0.2)" in fixed.out


@pytest.mark.parametrize(("place", "message"), [("fprr=0.2", "--at must be one of"), ("fpr=1.2", "0 to 1")])
def test_places_that_do_not_exist(run, place, message):
    done = run(*S, "--at", place)
    assert done.code == 2
    assert message in done.err
