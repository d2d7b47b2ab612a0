"""`rocscope algorithms`: models compared on files, with verdicts, ranks and pictures."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.distribution import algorithm_pair, fold_distribution
from rocscope.algorithms.losses import loss_curves
from rocscope.cli.models import make_model
from saved_commands import with_options

pytestmark = pytest.mark.slow

HOW = ("--label", "y", "--models", "nb,lda", "--folds", "4", "--seed", "1")
ONE, TWO = ("algorithms", "one.csv", *HOW), ("algorithms", "one.csv", "two.csv", *HOW)


def cases(seed, n=60):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return np.round(rng.normal(size=(n, 2)) + 0.8 * y[:, None], 3), np.array(["no", "yes"])[y]


@pytest.fixture(autouse=True)
def files(folder):
    for seed, name in enumerate(("one", "two")):
        X, y = cases(seed)
        sites = np.array(["n", "s", "w"])[np.arange(len(y)) % 3]
        write(f"{name}.csv", ["u", "v", "site", "y"], zip(*X.T, sites, y, strict=True))


def write(path, header, rows):
    with Path(path).open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def expected(*names, **options):
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    data = {name: cases(("one", "two").index(name)) for name in names}
    return compare_algorithms(learners, data, folds=4, rng=1, **options)


def lines_after(out, beginning):
    lines = out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(beginning))
    end = next((k for k in range(start, len(lines)) if not lines[k]), len(lines))
    return lines[start + 1 : end]


def test_tables(run):
    done = run(*TWO)
    found = expected("one", "two")
    assert done.code == 0
    assert done.out.splitlines()[0] == "2 models, 4 left-out folds"
    assert lines_after(done.out, "data set")[0].split() == ["one", "30", "of", "yes", "30", "of", "no"]
    for measure, values in (("AUC", found.auc), ("error", found.error)):
        _, one, _, ranks = lines_after(done.out, f"{measure}, mean ± SD over the folds")
        mean, sd = values.mean(axis=-1), values.std(axis=-1, ddof=1)
        best = np.argmax(mean[0] if measure == "AUC" else -mean[0])
        assert [cell.strip(" *-") for cell in re.split(r"\s{2,}", one)] == [
            "one",
            *(f"{m:.3f} ± {s:.3f}" for m, s in zip(mean[0], sd[0], strict=True)),
        ]
        assert re.split(r"\s{2,}", one)[1 + best].endswith("*")
        average = found.ranks[measure.lower()].average_ranks
        assert ranks.split()[2:] == [f"{rank:.2f}" for rank in average]
    tests, _, header, verdict, *_ = _verdict_lines(done.out)
    assert tests == "tests at level 0.05: AUC by corrected-t, error by corrected-t"
    assert " ".join(header.split()) == "one AUC p Holm error p Holm differ by after Holm"
    row = found.verdicts[0]
    assert verdict.split()[:9] == [
        *("nb", "-", "lda"),
        *(
            text
            for test in (row.auc, row.error)
            for text in (f"{test.difference:+.4f}", f"{test.p_value:.2g}", f"{test.p_holm:.2g}")
        ),
    ]
    assert verdict.endswith("neither     neither")
    counts = {
        line.rsplit(maxsplit=3)[0]: line.split()[-3:]
        for line in lines_after(done.out, "pairs of models")
        if not line.startswith("ranks")
    }
    assert counts == {
        case: [str(found.cases(adjust)[case]) for adjust in ("none", "holm", "bonferroni")] for case in counts
    }
    p = f"{found.ranks['auc'].friedman.p_value:.3g}"
    assert f"ranks by AUC over 2 data sets: Friedman p = {p}" in done.out
    quade = f"{found.ranks['auc'].quade.p_value:.3g}"
    assert f"ranks by AUC, data sets weighted by their ranges: Quade p = {quade}" in done.out.splitlines()
    assert max(map(len, done.out.splitlines())) <= 100
    assert "note: one: left out as no numbers: site; --one-hot takes them in" in done.err.splitlines()


def _verdict_lines(out):
    lines = out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("tests at level"))
    return lines[start:]


def test_json_is_the_result(run):
    done = run(*TWO, "--level", "0.9", "--json")
    assert done.document["results"] == [expected("one", "two", level=0.9).to_dict()]
    assert [row["path"] for row in done.document["input"]["files"]] == ["one.csv", "two.csv"]
    assert done.document["input"]["seed"] == 1
    assert done.document["results"][0]["verdicts"][0]["case"] is not None


def test_folds_that_a_column_names(run):
    models = ("--label", "y", "--models", "nb,lda", "--seed", "1", "--fold", "site")
    done = run("algorithms", "one.csv", *models)
    assert done.out.splitlines()[0] == "2 models, 3 folds as --fold names them"
    own = {"one": np.arange(60) % 3}
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, {"one": cases(0)}, cv=own, rng=1)
    assert run("algorithms", "one.csv", *models, "--json").document["results"] == [found.to_dict()]
    refused = run("algorithms", "one.csv", *models, "--protocol", "5x2")
    assert refused.code == 2
    assert refused.err.splitlines()[-1] == (
        "error: --fold names the folds: leave out --folds, --protocol and --repeats"
    )


def test_decisions(run):
    models = ("--label", "y", "--models", "nb,lda,tree", "--folds", "4", "--seed", "1")
    done = run("algorithms", "one.csv", *models, "--show", "decisions")
    learners = {name: make_model(name) for name in ("nb", "lda", "tree")}
    found = compare_algorithms(learners, {"one": cases(0)}, folds=4, rng=1).decisions["one"]
    q = f"decisions on 60 cases: Cochran's Q p = {found.cochran.p_value:.3g}"
    assert done.out.splitlines().count(q) == 2
    header = next(line for line in done.out.splitlines() if "first right" in line)
    table = lines_after(done.out, header)
    for line, row in zip(table, found.pairs, strict=False):
        assert line.split() == [
            *(
                row.first,
                "-",
                row.second,
                str(row.only_first),
                str(row.only_second),
                f"{row.difference:+.4f}",
            ),
            *(f"{p:.2g}" for p in (row.p_chi2, row.p_value, row.p_holm)),
        ]
    assert done.out.splitlines()[-1] == found.assumption
    run("algorithms", "one.csv", *models, "--show", "decisions", "--out", "d.csv")
    with Path("d.csv").open() as file:
        written = list(csv.DictReader(file))
    assert [row["only_first"] for row in written] == [str(row.only_first) for row in found.pairs]
    assert {row["dataset"] for row in written} == {"one"}


def test_the_hierarchical_test(run):
    done = run(*TWO, "--show", "hierarchical")
    compared = expected("one", "two")
    header = next(line for line in done.out.splitlines() if line.startswith("first - second"))
    for line, measure in zip(lines_after(done.out, header), ("auc", "error"), strict=False):
        found = compared.hierarchical("nb", "lda", measure)
        assert line.split()[4:] == [
            *(f"{value:+.4f}" for value in (found.mean, found.low, found.high)),
            *(f"{p:.3f}" for p in found.posterior),
        ]
    assert done.out.splitlines()[-1] == (
        "hierarchical model: probabilities on the next data set, equal within 0.01"
    )
    alone = run(*ONE, "--show", "hierarchical")
    assert alone.code == 2
    assert "needs two files or more: the hierarchical test is over data sets" in alone.err
    common = run(*TWO, "--show", "hierarchical", "--protocol", "holdout")
    assert common.out.splitlines()[-1] == "the folds of a data set share one test set"


def test_one_file_has_no_ranks(run):
    assert "ranks by AUC" not in run(*ONE).out


def test_protocols(run):
    repeated = run(*ONE, "--protocol", "repeated", "--repeats", "2", "--json")
    assert repeated.document["results"] == [expected("one", protocol="repeated", repeats=2).to_dict()]
    halves = run(*ONE, "--protocol", "5x2")
    assert halves.out.splitlines()[0] == "2 models, 5 x 2 halves"
    assert "AUC by corrected-t" in halves.out
    assert "AUC by 5x2cv-f" in run(*ONE, "--protocol", "5x2", "--test", "5x2cv-f").out


def test_tests_over_folds_of_a_common_test_set_are_marked(run):
    held_out = (*ONE, "--protocol", "holdout")
    valid = run(*held_out)
    assert "tests at level 0.05: AUC by delong-averaged, error by case-averaged-t\n" in valid.out
    assert "conditional" not in valid.out
    papers = run(*held_out, "--test", "paired-t")
    assert "AUC by paired-t, error by paired-t, conditional on this test set\n" in papers.out
    every = run(*held_out, "--show", "p-values").out
    header, *_ = [line for line in every.splitlines() if "wilcoxon" in line]
    assert "paired-t*" in header
    assert "delong-averaged*" not in header
    assert every.endswith("* conditional on this test set\n")
    pair = run(*held_out, "--test", "sign", "--show", "pair").out
    assert pair.count("conditional on this test set") == 2 + 2 * 6
    assert run(*held_out, "--test", "sign", "--out", "p.svg").code == 0
    assert Path("p.svg").read_text().count("conditional on this test set") == 2
    assert run(*held_out, "--test", "sign", "--out", "v.csv").code == 0
    (row,) = csv.DictReader(Path("v.csv").read_text().splitlines())
    assert row["auc_conditional"] == "True"


def test_every_test_of_every_pair(run):
    done = run(*TWO, "--show", "p-values", "--out", "t.csv")
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    found = expected("one", "two")
    assert len(rows) == sum(len(row.tests) for row in found.tests)
    test = found.tests_of("two", "nb", "lda", "error").test("wilcoxon")
    mine = [r for r in rows if (r["dataset"], r["measure"], r["method"]) == ("two", "error", "wilcoxon")]
    assert float(mine[0]["p_value"]) == test.p_value
    header, line = lines_after(done.out, "AUC on two")[-1], lines_after(done.out, "error on two")[0]
    assert header.startswith("nb - lda")
    assert line.split()[5] == f"{test.p_value:.2g}"


def test_differences_of_the_folds(run):
    done = run(*TWO, "--show", "differences", "--on", "two", "--out", "d.csv")
    found = expected("one", "two")
    rows = list(csv.DictReader(Path("d.csv").read_text().splitlines()))
    for measure, values in (("auc", found.auc), ("error", found.error)):
        differences = (values[1, 0] - values[1, 1]).tolist()
        assert [float(row[measure]) for row in rows] == differences
        title = f"{'AUC' if measure == 'auc' else 'error'} on two"
        assert f"\n\n{title}" in done.out
        line = lines_after(done.out, title)[0]
        assert line.split()[3:] == [f"{one:+.3f}" for one in differences]
    assert run(*ONE, "--show", "differences", "--out", "d.svg").code == 0


def test_table_for_latex(run):
    assert run(*TWO, "--out", "t.tex").code == 0
    found = expected("one", "two")
    text = Path("t.tex").read_text()
    assert text == f"{found.table('auc').to_latex()}\n\n{found.table('error').to_latex()}\n"


@pytest.mark.parametrize("models", ["c45,nb", "tuned-knn,mlp", "ripper,lda"])
def test_learners_of_the_papers_by_short_name(run, models):
    done = run(*with_options(ONE, ("--models", models)), "--json")
    assert done.code == 0
    assert done.document["results"][0]["algorithms"] == models.split(",")


def test_ranks_are_shown(run):
    done = run(*TWO, "--show", "ranks", "--out", "r.svg")
    assert done.code == 0
    pairs = expected("one", "two").ranks["auc"].pairs
    line = done.out.splitlines()[-2].split()
    assert line[:7] == ["nb", "-", "lda", "AUC", str(pairs[0].wins), str(pairs[0].ties), str(pairs[0].losses)]
    assert line[-1] == f"{pairs[0].p_holm:.2g}"
    assert "critical difference" in Path("r.svg").read_text()


def test_pair_losses_and_distribution(run):
    found = expected("one", "two")
    on_two = (*TWO, "--on", "two", "--json", "--show")
    pair = run(*on_two, "pair", "--of", "lda,nb")  # in any order
    assert pair.document["results"][1] == algorithm_pair(found, "two", "nb", "lda").to_dict()
    losses = run(*on_two, "losses")
    assert losses.document["results"][1] == loss_curves(found, "two").to_dict()
    assert "note: 'yes' is taken as the positive class, as none was named" in losses.err.splitlines()
    fits = run(*on_two, "distribution", "--of", "lda", "--measure", "error")
    assert fits.document["results"][1] == fold_distribution(found, "two", "lda", measure="error").to_dict()
    for show, words in (("pair", "mean"), ("losses", "threshold"), ("distribution", "agarwal")):
        done = run(*ONE, "--show", show, "--out", f"{show}.png")
        assert done.code == 0
        assert words in done.out or show == "pair"
        assert Path(f"{show}.png").stat().st_size > 5000


def test_positive_class_is_named_for_losses(run):
    done = run(*ONE, "--pos-label", "no", "--show", "losses")
    assert "no is positive" in done.out
    assert "taken as the positive class" not in done.err


def test_text_becomes_columns_of_zeros_and_ones(run):
    X, y = cases(0)
    site = np.arange(len(y)) % 3
    wide = np.column_stack([X, *(site == k for k in range(3))])
    learners = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    found = compare_algorithms(learners, {"one": (wide, y)}, folds=4, rng=1)
    assert run(*ONE, "--one-hot", "--json").document["results"] == [found.to_dict()]
    alone = run(*ONE, "--one-hot", "--feature", "site")
    assert alone.code == 0


def test_text_alone_is_reported_by_its_columns(run):
    write("t.csv", ["a", "b", "y"], [["xz"[k % 3 == 0], "pq"[k % 5 > 2], k % 2] for k in range(60)])
    done = run("algorithms", "t.csv", *HOW)
    assert (done.code, done.err) == (
        3,
        "error: t.csv must have a column of numbers besides the label, got text alone in 'a', 'b'; "
        "--one-hot makes columns of 0 and 1 of them\n",
    )
    assert run("algorithms", "t.csv", *HOW, "--one-hot").code == 0
    write("ids.csv", ["id", "y"], [[f"case {k}", k % 2] for k in range(120)])
    done = run("algorithms", "ids.csv", *HOW, "--one-hot")
    assert done.code == 3
    assert "must have at most 100 texts in a column, got 120 in 'id'" in done.err


def test_two_of_several_classes_are_noted(run):
    rng = np.random.default_rng(0)
    rows = [[round(rng.normal() + 5 * (k % 3 > 0) + (k % 3 == 2), 3), "abc"[k % 3]] for k in range(90)]
    write("three.csv", ["u", "y"], rows)
    done = run("algorithms", "three.csv", *HOW)
    assert done.code == 0
    assert "note: three: classes 'b' and 'c' of 3: 1-nearest-neighbour confuses them most" in done.err


def test_files_of_one_name_are_called_by_their_paths(run):
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "one.csv").write_text(Path("one.csv").read_text())
    done = run("algorithms", "a/one.csv", "b/one.csv", *HOW, "--json")
    assert [row["name"] for row in done.document["results"][0]["datasets"]] == ["a/one.csv", "b/one.csv"]


def test_failures_have_their_exit_code(run):
    models = ("--models", "nb,lda,algorithms.bad_learners.Leaving")
    done = run("algorithms", "one.csv", "--label", "y", *models, "--folds", "3", "--seed", "1")
    assert done.code == 6
    leaving = "algorithms.bad_learners.Leaving"
    assert (
        f"note: failed: {leaving} on one, in fold 0: SystemExit: 3 (and in 3 more)" in done.err.splitlines()
    )
    assert done.err.endswith(
        "error: 4 trainings failed or have no value, as the notes say; the tests of the others stand\n"
    )
    verdicts = _verdict_lines(done.out)
    assert [line.split()[-1] for line in verdicts[4:6]] == ["undefined"] * 2
    assert verdicts[6] == f"{leaving} is undefined in folds 0, 1, 2: SystemExit: 3"
    assert max(map(len, done.out.splitlines())) <= 100


def test_one_of_two_models_fails(run):
    """The other one has its values: the comparison failed in part."""
    leaving = "algorithms.bad_learners.Leaving"
    done = run("algorithms", "one.csv", "--label", "y", "--models", f"nb,{leaving}", "--folds", "3")
    assert done.code == 6
    assert done.err.endswith(
        "error: 4 trainings failed or have no value, as the notes say; no pair of models can be compared, "
        "the values of the others stand\n"
    )
    header, values = lines_after(done.out, "AUC, mean ± SD over the folds")
    assert header.split()[2] == "nb"
    assert values.split()[2:] == ["±", values.split()[3], "undefined"]


def test_all_models_fail(run):
    both = "algorithms.bad_learners.Leaving,algorithms.bad_learners.NoNumbers"
    done = run("algorithms", "one.csv", "--label", "y", "--models", both, "--folds", "3")
    assert done.code == 4
    assert done.err.endswith(
        "error: no model has a value: 8 trainings failed or have no value, as the notes say\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--feature", "z"), 3, "one.csv must have a column 'z', got 'u', 'v', 'site', 'y'"),
        (("--models", "nb"), 2, "--models must be two or more different names between commas, got 'nb'"),
        (("--models", "nb,tre"), 2, "--models must be names among lda, qda, logistic, nb, knn, tree"),
        (("--models", "nb,gaussian-detector"), 2, "gaussian-detector knows no classes"),
        (("--folds", "1"), 2, "--folds must be a whole number of at least 2, got 1"),
        (("--folds", "31"), 3, "data set 'one' has 30 of class 'no', got 31"),
        (("--test", "paired_t"), 2, "did you mean 'paired-t'?"),
        (("--test", "delong-averaged"), 2, "--test must be one of"),
        (("--repeats", "3"), 2, "--repeats must be left out unless the protocol is 'repeated', got 3"),
        (("--show", "ranks"), 2, "--show ranks needs two files or more"),
        (("--show", "pair", "--of", "nb,lba"), 2, "--of must name models among nb, lda, got 'lba'"),
        (("--show", "pair", "--of", "nb"), 2, "--of must be two or more different names"),
        (("--show", "losses", "--of", "nb,lda"), 2, "--of belongs to --show pair and --show distribution"),
        (("--measure", "error"), 2, "--measure belongs to --show distribution"),
        (("--show", "losses", "--on", "on"), 2, "--on must be one of one, got 'on'; did you mean 'one'?"),
        (("--pos-label", "maybe"), 3, "--pos-label must be one of the labels in y of 'one'"),
        (("--feature", "y"), 2, "--feature must name other columns than the label, each once"),
        (("--feature", "site"), 3, "site"),
        (("--timeout", "0"), 2, "--timeout must"),
        (("--out", "x.txt"), 2, "--out must end in"),
    ],
)
def test_refused(run, arguments, code, message):
    done = run(*with_options(ONE, arguments))
    assert done.code == code
    assert message in done.err
    assert done.out == ""


def test_several_need_to_know_which(run):
    assert "needs --on NAME: one of one, two" in run(*TWO, "--show", "losses").err
    done = run("algorithms", "one.csv", "--label", "y", "--models", "nb,lda,qda", "--show", "pair")
    assert (done.code, done.err) == (2, "error: --show pair needs --of A,B: two of nb, lda, qda\n")
    twice = run("algorithms", "one.csv", "one.csv", *HOW)
    assert "FILE must be given once each, got one.csv, one.csv" in twice.err


def test_a_folder_keeps_the_trainings(run):
    first, again = (run(*ONE, "--folder", "kept", "--json") for _ in range(2))
    assert first.document["results"] == [expected("one").to_dict()]
    assert again.out == first.out
    refused = run(*with_options(ONE, ("--folds", "3")), "--folder", "kept")
    assert refused.code == 3
    assert "folds is 4 there, 3 here" in refused.err
    seedless = run("algorithms", "one.csv", "--label", "y", "--models", "nb,lda", "--folder", "other")
    assert (seedless.code, seedless.err) == (
        2,
        "error: --folder needs --seed: without it no later run can be the same\n",
    )


def test_the_name_of_a_file_changes_nothing(run):
    for name in ("p", "q", "data"):
        Path(f"{name}.csv").write_text(Path("one.csv").read_text())
    runs = [run("algorithms", f"{name}.csv", *HOW, "--json") for name in ("p", "q", "data")]
    p_values = [[row["auc"]["p_value"] for row in r.document["results"][0]["verdicts"]] for r in runs]
    assert p_values[0] == p_values[1] == p_values[2]
