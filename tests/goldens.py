"""Frozen answers: every result and every command's JSON on fixed inputs, compared after every change.

``python tests/goldens.py [NAME ...]`` writes them anew; a number that moves needs its reason in CHANGELOG.md.
The papers take minutes and need the data sets that ROCSCOPE_DATA names.
"""

import contextlib
import csv
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

FOLDER = Path(__file__).parent / "reference" / "golden"
SEED = ("--seed", "1")
TWO = ("--label", "y")
S, T = ("--score", "s"), ("--score", "t")
THREE = ("--label", "class", "--classes", "a,b,c", "--score", "pa", "--score", "pb", "--score", "pc")
MODEL = ("--feature", "s", "--feature", "t")
DRAWS = ("--n-boot", "100", *SEED)
SETS = ("--n", "5,8", "--n-test", "20")
LEARNERS = ("--learner", "lda", "--learner", "qda")
CASES = "cases.csv"
AREA_METHODS = ("delong", "logit", "score", "auto", "hanley-mcneil", "bamber", "agarwal")
# Command lines beyond those whose JSON a report reads back; the file comes after the command's name.
FURTHER = [
    *(("auc", *TWO, *S, *T, "--method", m) for m in AREA_METHODS),
    ("auc", *TWO, *S, "--method", "cortes-mohri", "--threshold", "0.5"),
    ("auc", *TWO, *S, "--method", "bootstrap", "--bootstrap", "bca", *DRAWS),
    ("auc", *TWO, *S, "--method", "bootstrap", "--alternative", "greater", "--level", "0.9", *DRAWS),
    ("auc", *TWO, *S, "--memory-limit", "512MB"),
    ("auc", *TWO, *S, "--tpr", "0.8,1", "--standardize"),
    ("auc", *TWO, *S, "--tpr", "0.8,1", "--standardize", "--method", "bootstrap", *DRAWS),
    ("auc", *TWO, *S, "--fpr", "0,0.2", "--tpr", "0.5,1"),
    *(("auc", *TWO, *S, "--fpr", "0,0.2", "--method", m) for m in ("score", "logit", "delong")),
    ("auc", *THREE, "--scheme", "ovr", "--average", "weighted"),
    *(("compare", *TWO, *S, *T, "--method", m, *DRAWS) for m in ("bootstrap", "permutation", "venkatraman")),
    ("compare", *TWO, *S, *T, "--score", "p", "--method", "delong"),
    ("compare", *TWO, *S, *T, "--margin", "0.1"),
    ("points", *TWO, *S, "--select", "tpr>=0.9"),
    ("points", *TWO, *S, "--threshold", "0.4", "--prevalence", "0.1"),
    ("points", *TWO, *S, "--select", "fpr<=0.2", "--band", "--simultaneous"),
    ("average", *TWO, *S, "--fold", "fold", "--select", "tpr>=0.7", "--points", "8"),
    ("average", *TWO, *S, "--fold", "fold", "--at", "tpr=0.8", "--compare-by", "fpr", "--points", "8"),
    ("average", *TWO, *S, *T, "--fold", "fold", "--at", "fpr=0.2", "--points", "8"),
    ("ordinal", "--label", "grade", "--score", "estimate", "--fold", "fold", "--thresholds", "4"),
    ("binormal", *TWO, *S, "--method", "least-squares"),
    ("binormal", *TWO, *S, "--method", "moments"),
    ("fuse", *TWO, *S, *T, "--scale", "latent"),
    ("bootstrap", *TWO, *MODEL, "--model", "nb", "--n-boot", "20", "--n-jobs", "2", *SEED),
    ("learning-curve", *TWO, *MODEL, "--model", "lda", "--sizes", "20,40", "--n-boot", "5", *SEED),
    ("algorithms", *TWO, *MODEL, "--models", "lda,tree,nb", "--folds", "4", "--protocol", "5x2", *SEED),
    # What is refused, with its exit code.
    ("auc", "--label", "z", *S),
    ("auc", *TWO, "--score", "class"),
    ("points", *TWO, *S, "--select", "tpr>=2"),
    ("compare", *TWO, *S),
    ("binormal", *TWO, "--score", "y"),
]
PAPERS = ("paclik", "winkler", "marrocco", "aslan", "yousef")
WITHOUT_FILE = [
    ("power", "--auc", "0.75", "--power", "0.9"),
    ("power", "--auc", "0.75", "--n-pos", "40", "--n-neg", "60"),
    ("power", "--auc", "0.85", "--auc2", "0.8", "--power", "0.8"),
    ("montecarlo", *SETS, "--trials", "4", "--n-boot", "5", "--leave-pair-out", *SEED),
    ("montecarlo", *SETS, "--trials", "4", "--n-boot", "0", "--mean", "1", "--covariance", "1/4", *SEED),
    ("components", *SETS, "--training-sets", "4", "--test-sets", "3", *SEED),
    ("components", *SETS, "--training-sets", "4", "--test-sets", "3", *LEARNERS, *SEED),
]


def results() -> dict[str, Any]:
    """Every kind of result as plain Python."""
    from every_result import every_class

    return {name: result.to_dict() for name, result in every_class().items()}


def commands() -> dict[str, Any]:
    """Exit code and JSON of every command line, run in a folder of its own.

    What simulations say of an interval is no number of the command, and moves when more is simulated.
    """
    from rocscope.atlas.results import Atlas
    from saved_commands import COMMANDS, write_cases

    lines = [*(arguments for arguments, *_ in COMMANDS.values()), *FURTHER]
    before = Path.cwd()
    nothing = patch("rocscope.atlas.results.load", lambda family=None: Atlas(cells=()))
    with tempfile.TemporaryDirectory() as folder, nothing:
        os.chdir(folder)
        try:
            write_cases(Path(CASES))
            with_file = {" ".join((n, CASES, *rest)): (n, CASES, *rest) for n, *rest in lines}
            without = {" ".join(line): line for line in WITHOUT_FILE}
            return {text: run(line) for text, line in (with_file | without).items()}
        finally:
            os.chdir(before)


def run(line: tuple[str, ...]) -> dict[str, Any]:
    """What one command leaves: its exit code, and its JSON or its error."""
    from rocscope.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*line, "--json"])
    return {"code": code} if code else {"code": code, "json": json.loads(out.getvalue())}


def papers() -> dict[str, Any]:
    """The five papers' experiments in their quick form."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: paper(name, Path(folder) / name) for name in PAPERS}


def paper(name: str, folder: Path) -> dict[str, Any]:
    """Digest of all results of a paper's quick form, and the column `ours` of each of its tables."""
    from rocscope.cli import main

    out = io.StringIO()
    jobs = "2" if name == "paclik" else "1"  # the numbers are the same, and starting processes takes seconds
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = main(["reproduce", name, "--quick", *SEED, "--n-jobs", jobs, "--out", str(folder)])
    with contextlib.redirect_stdout(out):
        main(["study", "status", str(folder), "--json"])
    tables = {path.stem: ours(path) for path in sorted(folder.glob("*.csv"))}
    return {"code": code, "digest": json.loads(out.getvalue())["digest"], "tables": tables}


def ours(path: Path) -> list[float | None]:
    """The column `ours` of a table; None where a cell is empty."""
    with path.open(encoding="utf-8", newline="") as file:
        return [float(row["ours"]) if row["ours"] else None for row in csv.DictReader(file)]


def text_of(document: Any) -> str:
    """The text that is kept: one line for each entry, without our version."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, allow_nan=False, ensure_ascii=False, sort_keys=True)}"
        for name, entry in document.items()
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    return re.sub(r'("rocscope": )"[^"]*"', r'\1"version"', text)


GOLDENS = {"results": results, "commands": commands, "papers": papers}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or GOLDENS:
        (FOLDER / f"{name}.json").write_text(text_of(GOLDENS[name]()), encoding="utf-8")
