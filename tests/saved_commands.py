"""The commands that save JSON, with what a report shows of it, and the table that all of them read."""

import numpy as np

TWO = ("--label", "y")
THREE = ("--label", "class", "--classes", "a,b,c", "--score", "pa", "--score", "pb", "--score", "pc")
MODEL = ("--feature", "s", "--feature", "t")
SEED = ("--seed", "1")
READINGS = ("--reader", "class", "--modality", "fold", "--case", "pa")  # no case is read twice
# The arguments of a command, the titles of its sections, and words that its readings have.
COMMANDS = {
    "auc": (("auc", *TWO, "--score", "s", "--score", "t"), ["Areas"], "AUC of s: 0."),
    "auc of a part": (
        ("auc", *TWO, "--score", "s", "--fpr", "0,0.2"),
        ["Partial AUC over FPR 0-0.2"],
        "partial AUC over FPR 0-0.2 of s: 0.",
    ),
    "auc of classes": (
        ("auc", *THREE),
        ["Areas of pairs of classes"],
        "The macro average of the areas is 0.",
    ),
    "compare": (
        ("compare", *TWO, "--score", "s", "--score", "t"),
        ["Comparison of markers", "Where the curves cross"],
        "s minus t: ",
    ),
    "auc over folds": (
        ("auc", *TWO, "--score", "s", "--fold", "fold"),
        ["Mean AUC of 4 folds"],
        "mean AUC of 4 folds of s: 0.",
    ),
    "auc by groups": (
        ("auc", *TWO, "--score", "s", "--by", "fold", "--threshold", "0.5"),
        ["Subgroups: s"],
        "By fold the areas reach from 0.",
    ),
    "compare within groups": (
        ("compare", *TWO, "--score", "s", "--score", "t", "--by", "fold"),
        [f"Comparison of markers: fold {k}" for k in range(4)],
        "s minus t: ",
    ),
    "grey zone": (
        ("points", *TWO, "--score", "s", "--grey-zone", "0.9,0.9", "--n-boot", "100", *SEED),
        ["Operating point: s", "Grey zone: s"],
        "of all cases lie between the two and stay undecided",
    ),
    "points": (("points", *TWO, "--score", "s"), ["Operating point: s"], "Cases with a score of at least "),
    "points again": (
        ("points", *TWO, "--score", "s", "--bootstrap", "--band", "--n-boot", "100", *SEED),
        ["Band of the curve", "Operating point: s", "Choice of the cut-off: s"],
        "Chosen again on 100 bootstrap samples",
    ),
    "points of a bound": (
        ("points", *TWO, "--score", "s", "--select", "fpr<=0.1", "--bootstrap", "--n-boot", "100", *SEED),
        ["Operating point: s", "Choice of the cut-off: s"],
        "Its 95% CI by order statistics is ",
    ),
    "precision": (
        ("points", *TWO, "--score", "s", "--pr", "--n-boot", "100", *SEED),
        ["Operating point: s", "Precision and recall"],
        "average precision 0.",
    ),
    "net benefit": (
        ("points", *TWO, "--score", "p", "--net-benefit"),
        ["Operating point: p", "Net benefit"],
        "Cases with a score of at least ",
    ),
    "readers": (
        ("readers", *TWO, "--score", "s", *READINGS, "--method", "gallas"),
        ["Reader study"],
        "3 readers, 4 modalities, 30 positive and 30 negative cases. ",
    ),
    "average": (
        ("average", *TWO, "--score", "s", "--fold", "fold"),
        ["Average over folds", "Operating point", "Chosen point"],
        "was chosen for its largest TPR - FPR",
    ),
    "average of classes": (
        ("average", *THREE, "--fold", "fold", *SEED),
        ["Errors of every class over folds", "Operating point", "Chosen point"],
        "was chosen for its smallest largest class error",
    ),
    "ordinal": (
        ("ordinal", "--label", "grade", "--score", "estimate", "--n-boot", "100", *SEED),
        ["Ordered classes: estimate"],
        "The largest area is that of class ",
    ),
    "binormal": (
        ("binormal", *TWO, "--score", "s"),
        ["Binormal fit: s"],
        "area under the fitted curve is 0.",
    ),
    "proper": (
        ("binormal", *TWO, "--score", "s", "--proper"),
        ["Fitted curve: s"],
        "area under the fitted curve is 0.",
    ),
    "fuse": (("fuse", *TWO, "--score", "s", "--score", "t"), ["Fusion of s and t"], "Best as counted: "),
    "bootstrap": (
        ("bootstrap", *TWO, *MODEL, "--model", "lda", "--n-boot", "20", *SEED),
        ["Bootstrap estimates: lda"],
        "A classifier trained on these 60 cases is expected",
    ),
    "learning curves": (
        ("learning-curve", *TWO, *MODEL, "--model", "lda", "--model", "nb", "--n-boot", "5", *SEED),
        ["Learning curves"],
        "nb: Mean AUC by the number of training cases: 0.",
    ),
    "algorithms": (
        ("algorithms", *TWO, *MODEL, "--models", "lda,nb", "--folds", "4", *SEED),
        ["Learning algorithms"],
        "2 algorithms on 1 data set",
    ),
    "two algorithms": (
        ("algorithms", *TWO, *MODEL, "--models", "lda,nb", "--folds", "4", "--show", "pair", *SEED),
        ["Learning algorithms", "Two learning algorithms"],
        "2 algorithms on 1 data set",
    ),
}


def with_options(line, options):
    """A command line with these options in place of its own."""
    line, name = list(line), options[0] if options else None
    if name in line and name not in ("--score", "--feature", "--select"):
        at = line.index(name)
        del line[at : at + 2]
    return [*line, *options]


def write_cases(path):
    """Write 60 cases of two and of three classes, with scores, probabilities, folds and grades."""
    rng = np.random.default_rng(6)
    n = 60
    y, k = np.arange(n) % 2, np.arange(n) % 3
    outputs = rng.random((n, 3)) + 0.6 * np.eye(3)[k]
    score = y + rng.normal(size=n)
    columns = {
        "y": y,
        "s": np.round(score, 2),
        "t": np.round(0.5 * y + rng.normal(size=n), 1),
        "p": np.round(1 / (1 + np.exp(-score)), 3),
        "fold": np.arange(n) // 15,
        "class": np.array(["a", "b", "c"])[k],
        **{f"p{name}": outputs[:, at].round(4) for at, name in enumerate("abc")},
        "grade": k + 1,
        "estimate": np.round(k + 1 + rng.normal(size=n) * 0.7, 2),
    }
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
