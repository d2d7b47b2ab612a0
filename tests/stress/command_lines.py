"""Random command lines: every command and option, small files good and bad, and what each run must leave."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import re
import shlex
import typing
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import rocscope as rs
from rocscope.cli import app, main
from stress.faults import guard
from stress.samples import DEGENERATE, ORDINARY
from stress.seeds import generator

EXIT_CODES = {0, 2, 3, 4, 5, 6}
WITH_RESULTS = {0, 4, 6}  # something undefined or failed beside something that is not
# Commands that take minutes, or do not end: only lines that they refuse.
LONG = {"app", "demo", "reproduce", "study resume"}

# ---- The commands and their options -----------------------------------


@dataclass(frozen=True)
class Option:
    name: str  # "--level", or the name of an argument
    type: Any
    required: bool
    is_argument: bool

    @property
    def words(self) -> tuple[str, ...]:
        """The choices of an option that has some."""
        parts = [self.type, *typing.get_args(self.type)]
        return tuple(
            word
            for part in parts
            if typing.get_origin(part) is typing.Literal
            for word in typing.get_args(part)
        )

    @property
    def is_flag(self) -> bool:
        return bool in (self.type, *typing.get_args(self.type))


@cache
def commands() -> dict[str, tuple[Option, ...]]:
    """Every command with its options, read from the command line's own definition."""
    known: dict[str, tuple[Option, ...]] = {}

    def walk(command: Any, path: tuple[str, ...]) -> None:
        if command.default_command is None:
            for name in command:
                if not name.startswith("-"):
                    walk(command[name], (*path, name))
            return
        known[" ".join(path)] = tuple(
            Option(
                name=one.name if one.name.startswith("--") else one.name.lower(),
                type=one.hint,
                required=one.required,
                is_argument=not one.name.startswith("--"),
            )
            for one in command.assemble_argument_collection()
            if one.name != "*"
        )

    walk(app, ())
    return known


# The files that the lines name, the best first.
FILES = (
    "good.csv", "good.parquet", "good.jsonl", "good.csv.gz", "odd.csv", "odd.parquet", "odd.jsonl",
    "empty.csv", "header.csv", "cut.parquet", "cut.csv.gz", "noise.bin", "semicolon.csv", "windows.csv",
    "missing.csv", ".",
)  # fmt: skip

# ---- Values of the options -----------------------------------

RATES = "0.5 0.1 0.9 0 1 1.5 -0.1 nan 20"
FEW = "2 3 4 1 0 -1 x"
SIZES = "20 60 5000 1 0 1e9 x"
# The first three of each are sensible; '' is the empty word.
VALUES = {
    "--label": "y state y class grade a none ''",
    "--score": "a b a p y state class pa grade fold none ''",
    "--feature": "a b b p y state none",
    "--fold": "fold fold fold a none",
    "--sample": "fold state fold none",
    "--group": "fold state fold none",
    "--by": "fold state fold none",
    "--grey-zone": "0.9,0.9 0.5,0.8 0.9,0.95 0.9 1,1 x",
    "--pos-label": "1 ill 1 2 well ? ''",
    "--classes": "x,y,z 1,2,3,4 0,1 x,y a '' x,x,y",
    "--level": "0.95 0.9 0.5 0.999999 1e-9 0 1 95 nan x",
    "--threshold": "0.5 0 1 inf -inf nan 1e400 9007199254740993 x",
    "--thresholds": "10 all 4 1.5,2.5 0 x",
    "--n-boot": "100 120 101 0 -1 1.5 x",
    "bootstrap --n-boot": "5 8 5 0 x",
    "--seed": f"1 2 3 0 -1 x {2**70}",
    "--n-jobs": "1 1 1 0 x",
    "--fpr": "0,0.5 0.1,0.3 0.2 0.5,0.5 0,2 x ''",
    "--tpr": "0,0.5 0.5,1 0.2 1,0 x",
    "--at": RATES,
    "--at-fpr": RATES,
    "--prevalence": RATES,
    "--threshold-probability": RATES,
    "--margin": RATES,
    "--cost": "5 1,5 2 0,1,1;1,0,1;1,1,0 0 -1 x ''",
    "--select": "tpr>=0.5 fpr<=0.5 tpr>=0.9 fpr<=0 tpr>=2 tpr error(x)<=0.3 ?>=1 ''",
    "--points": "5 30 2 0 x",
    "--weights": "0.5,1,2 1,1;2,1 1 0 -1,1 x ''",
    "--compare-by": "tpr fpr precision error auc ? ''",
    "--measure": "tpr fpr auc error precision error(x) ?",
    "--rule": "youden closest youden yousef ?",
    "--method": "delong ml paired-t bootstrap logit exact all ?",
    "--class": "1 2 0 3 x",
    "--model": "nb logistic lda tree knn ? nb,nb",
    "--models": "nb,lda nb,logistic tree,nb nb nb,nb ? ''",
    "--target": "auc tpr cost ill ?",
    "--test": "paired-t corrected-t test.csv ?",
    "--folds": FEW,
    "--sizes": "6 6,10 8 1 999 6,6 10,6 x ''",
    "--n": "4 4,6 5 1 0 4,4 4.5 1e9 x ''",
    "--learner": "lda qda 1nn nearest-mean svm ''",
    "--dimension": FEW,
    "--separation": "0.8 4 0 -1 1e9 nan x",
    "--mean": "0.5,0.5 1 0,0 nan 1e9 x ''",
    "--covariance": "1,0.5;0.5,1 1 1/4 1,2;2,1 1,2 1/1/1 0 nan x ''",
    "--trials": "3 5 2 1 0 x",
    "learning-curve --n-boot": "3 2 4 1 0 x",
    "montecarlo --n-boot": "3 2 0 -1 x",
    "--n-test": "9 20 5 0 x",
    "--training-sets": "3 5 4 2 x",
    "--test-sets": "3 5 4 2 x",
    "--repeats": FEW,
    "--of": "nb nb,lda nb ?",
    "--on": "good good good ? ''",
    "--timeout": "60 60 60 x -1",
    "--memory-limit": "512MB 1GiB 256MB 1KB 0 x",
    "--sheet": "1 data ''",
    "--count": "y w ? ''",
    "--missing": ". -99 0 ''",
    "--temp-limit": "512MB 1GiB 256MB 1KB 0 x",
    "--title": "t <b>é</b> {{7*7}}",
    "--out": "out.csv out.json out.png out.svg out.pdf out.html out no/folder/out.csv '' good.csv",
    "report --out": "out.html out.html out.htm out.csv no/folder/out.html ''",
    "--save": "rule.json rule.json rule.json no/folder/rule.json out.csv",
    "--auc": RATES,
    "--auc2": RATES,
    "--null": RATES,
    "--tpr-gap": RATES,
    "--fpr-gap": RATES,
    "--power": RATES,
    "--corr": RATES,
    "--rating-corr": f"0.3,0.5 {RATES}",
    "--half-width": "0.05 0.1 0.2 1e-4 1e-12 0 x",
    "--pilot": "pilot.json pilot.json pilot.json good.csv none.json ''",
    "power --difference": "0.1 0.05 -0.2 0 1 x",
    "--n-pos": SIZES,
    "--n-neg": SIZES,
    "--ratio": "1 2 0.5 1e-6 0 x",
    "app --port": "x -1 70000",
    "app --max-upload": "x 0",
    "demo --seed": "x -1",
    "demo --out": "good.csv no/folder/demo",
    "--data": "none",
    "--scheduler": "nowhere:1",
    "--shard": "1/3 x 4/3",
    "name": "? ''",
    "folder": "none . ''",
    "--folder": "kept kept/below kept good.csv . ''",
    "file": " ".join(FILES),
    "files": " ".join(FILES),
}
# Where a line begins: options that go together. Further ones are added by chance.
CLASSES = "--label class --classes x,y,z --score pa --score pb --score pc"
LEARN = "--feature a --feature p --folds 3"
DRAWN = "--n 4,6 --n-test 9"
BEGINNINGS = {
    "auc": (
        "--method logit",
        "--method bootstrap --n-boot 100",
        "--method bootstrap --bootstrap bca --n-boot 100",
        "--method bootstrap --unstratified --n-boot 100",
        "--method cortes-mohri --threshold 0.5",
        "--method agarwal",
        "--fpr 0,0.5 --n-boot 100",
        "--score b",
        CLASSES,
        f"{CLASSES} --scheme ovr --average weighted",
    ),
    "compare": (
        "--score b",
        "--score b --method bootstrap --n-boot 100",
        "--score b --method bootstrap --unstratified --n-boot 100",
        "--score b --score p",
        "--score b --margin 0.1",
        "--score b --method sensitivity --at 0.3 --n-boot 100",
        "--score b --method venkatraman --n-boot 100",
    ),
    "points": (
        "",
        "--select tpr>=0.5",
        "--rule closest",
        "--threshold 0.5",
        "--cost 5",
        "--bootstrap --n-boot 100",
        "--band --n-boot 100 --out out.png",
        "--band --simultaneous --json",
        "--band --band-at threshold --out out.csv",
        "--pr --n-boot 100 --out out.svg",
        "--smooth --out out.csv",
        "--all --out out.xlsx",
        "--label y --score p --net-benefit --out out.png",
        "--prevalence 0.1 --save rule.json",
    ),
    "average": (
        "--fold fold",
        "--fold fold --points 5",
        "--fold fold --save rule.json",
        "--fold fold --select tpr>=0.5",
        f"{CLASSES} --fold fold",
        f"--label y --model nb {LEARN}",
    ),
    "ordinal": (
        "",
        "--n-boot 100",
        "--thresholds all --fixed upper",
        "--objective kappa --cuts range",
        "--fold fold",
        "--show front --out out.png",
        "--score estimate --score b --n-boot 100",
        "--class 1 --out out.csv",
        "--scale rank",
        "--scale calibrated",
    ),
    "binormal": ("", "--proper", "--method least-squares", "--at-fpr 0.2", "--score b", "--axes deviates"),
    "fuse": (
        "--score b",
        "--score b --scale latent",
        "--score b --target tpr --fpr 0.2",
        "--score b --weights 0.5,1",
        "--score b --n-boot 100 --weights 1",
        "--score b --test test.csv",
    ),
    "bootstrap": ("--model nb --feature a --n-boot 4", "--model lda --feature p --n-boot 4 --unstratified"),
    "learning-curve": (
        "--model nb --feature a --n-boot 3 --sizes 6,10",
        "--model nb --model lda --feature a --feature p --n-boot 3 --sizes 8",
    ),
    "montecarlo": (
        f"{DRAWN} --trials 3 --n-boot 3",
        f"{DRAWN} --trials 3 --n-boot 2 --leave-pair-out --learner lda",
        f"{DRAWN} --trials 2 --n-boot 0 --own-test --mean 1,1 --covariance 1,0.5;0.5,1/2,0;0,2",
        f"{DRAWN} --trials 2 --n-boot 2 --show rescaled --out out.png",
    ),
    "components": (
        f"{DRAWN} --training-sets 3 --test-sets 4",
        f"{DRAWN} --training-sets 3 --test-sets 3 --learner lda --learner 1nn",
    ),
    "algorithms": (
        f"--models nb,lda {LEARN}",
        "--models nb,lda,tree --feature b --feature p --protocol 5x2",
        f"--models nb,lda {LEARN} --show losses",
        f"--models nb,lda,tree {LEARN} --show decisions",
        f"--models nb,lda {LEARN} --seed 1 --folder kept",
    ),
    "power": (
        "--auc 0.8 --n-pos 20 --n-neg 20",
        "--auc 0.8 --power 0.9",
        "--auc 0.8 --half-width 0.05",
        "--auc 0.8 --auc2 0.7 --corr 0.5 --power 0.8",
        "--auc 0.8 --auc2 0.7 --unpaired --n-pos 30 --n-neg 40",
        "--tpr-gap 0.1 --n-pos 60",
        "--n-pos 20 --n-neg 30 --power 0.8",
        "--auc 0.8 --n-pos 20 --n-neg 30 --power 0.8",
        "--auc 0.8 --auc2 0.7 --rating-corr 0.5 --fpr 0,0.2 --power 0.8",
        "--pilot pilot.json --power 0.8",
        "--pilot pilot.json --n-pos 50 --n-neg 60",
    ),
    "report": (
        "",
        "--score b",
        "--fold fold",
        "--select tpr>=0.5",
        "--title t",
        CLASSES,
        f"{CLASSES} --fold fold",
        "--label grade --score estimate --ordinal",
    ),
}
# How often options are added that go with every line.
OUTPUTS = {"--out": 0.3, "--json": 0.3, "--seed": 0.3, "--force": 0.3}


def values_of(command: str, option: Option) -> list[str] | None:
    """Values to try; None where nothing is known about an option that is no flag, choice or number."""
    if option.words:
        return [*option.words, "?"]
    known = VALUES.get(f"{command} {option.name}") or VALUES.get(option.name)
    if known is None and {int, float} & {option.type, *typing.get_args(option.type)}:
        known = RATES
    return None if known is None else shlex.split(known)


def random_line(command: str, seed: int) -> list[str]:
    """Arguments of one run of a command, on the files that `write_files` makes."""
    rng = generator(command, seed)
    tame = rng.random() < 0.6

    def pick(values: Sequence[Any], usual: int = 3) -> Any:
        values = values[:usual] if tame else values
        return values[rng.integers(len(values))]

    beginning = shlex.split(pick(BEGINNINGS.get(command, [""]), usual=99))
    options = {option.name: option for option in commands()[command]}
    line = command.split()
    if command in BEGINNINGS and "--label" in options:
        line += [pick(FILES)]
        line += beginning if "--label" in beginning else [*_columns(command, options, pick), *beginning]
    else:
        line += beginning
    for name, option in options.items():
        share = 1.0 if option.required or command in LONG else OUTPUTS.get(name, 0.02 if tame else 0.08)
        if name in line or (option.is_argument and command in BEGINNINGS) or rng.random() > share:
            continue
        values = [] if option.is_flag else values_of(command, option)
        if values is None:
            raise LookupError(f"nothing is known about {command} {name}: {WHERE_TO_ADD}")
        line += [*([] if option.is_argument else [name]), *([pick(values)] if values else [])]
    return line


WHERE_TO_ADD = "add values to VALUES in tests/stress/command_lines.py"


def _columns(command: str, options: Mapping[str, Option], pick: Callable[..., Any]) -> list[str]:
    """Label and score of a line."""
    if command == "ordinal":
        return ["--label", "grade", "--score", "estimate"]
    label = pick((["--label", "y"], ["--label", "state", "--pos-label", "ill"]))
    return [*label, *(["--score", pick(("a", "a", "a", "p"))] if "--score" in options else [])]


# ---- The files -----------------------------------

PILOT = rs.compare_auc([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6], "b": [2, 1, 3, 2, 1, 4]})


def write_files(seed: int) -> None:
    """Write the files that the lines name into the working folder; the odd ones change with the seed."""
    rng = generator("files", seed)
    tables = {"good": _table(rng, ORDINARY), "odd": _table(rng, (*DEGENERATE, *ORDINARY))}
    for name, rows in tables.items():
        Path(f"{name}.csv").write_text(_csv(rows), "utf-8")
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        with duckdb.connect() as connection:
            source = f"(FROM read_csv('{name}.csv', header=true))"
            connection.execute(f"COPY {source} TO '{name}.parquet' (FORMAT parquet)")
    good = Path("good.csv").read_bytes()
    packed = gzip.compress(good, mtime=0)
    contents = {
        "good.csv.gz": packed,
        "empty.csv": b"",
        "header.csv": good.partition(b"\n")[0] + b"\n",
        "cut.parquet": Path("good.parquet").read_bytes()[:-7],
        "cut.csv.gz": packed[: len(packed) // 2],
        "noise.bin": rng.bytes(300),
        "semicolon.csv": good.replace(b".", b"\0").replace(b",", b";").replace(b"\0", b","),
        "windows.csv": b"\xef\xbb\xbf" + good.replace(b"\n", b"\r\n"),
        "missing.csv": re.sub(rb",fold|,0\b", b",", good),
        "test.csv": good,
        "pilot.json": PILOT.to_json().encode(),
    }
    for name, content in contents.items():
        Path(name).write_bytes(content)


def _table(rng: np.random.Generator, families: Any) -> list[dict[str, Any]]:
    n = int(rng.integers(18, 40))
    code, place = rng.permutation(np.arange(n) % 2), np.arange(n) % 3
    if families is not ORDINARY and rng.random() < 0.4:  # one case in a class, or one class
        code = np.minimum(np.arange(n), rng.integers(2))
    columns = {
        "y": code.tolist(),
        "state": np.where(code == 1, "ill", "well").tolist(),
        "a": families[rng.integers(len(families))](rng, code),
        "b": families[rng.integers(len(families))](rng, code),
        "p": np.round((0.5 * code + rng.random(n)) / 1.5, 2).tolist(),
        "class": np.array(list("xyz"))[place].tolist(),
        **{f"p{name}": np.round(rng.random(n) + (place == k), 2).tolist() for k, name in enumerate("abc")},
        "grade": (1 + np.arange(n) % 4).tolist(),
        "estimate": np.round(1 + np.arange(n) % 4 + rng.normal(size=n), 1).tolist(),
        "fold": (np.arange(n) // 6 % 3).tolist(),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _csv(rows: list[dict[str, Any]]) -> str:
    content = io.StringIO()
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(["" if value is None else value for value in row.values()] for row in rows)
    return content.getvalue()


# ---- One run -----------------------------------


@dataclass(frozen=True)
class Run:
    line: list[str]
    code: int
    out: str
    err: str


def run(line: list[str]) -> Run:
    """Run a command in this process; warnings are errors, as every other surprise is."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), guard():
        warnings.simplefilter("error")
        code = main(line)
    return Run(line, code, out.getvalue(), err.getvalue())


def snapshot() -> dict[str, bytes]:
    """All files of the working folder."""
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def faults(done: Run, before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    """What is wrong with what a run left: printed texts, exit code and files."""
    if done.code not in EXIT_CODES:
        yield f"exit code {done.code}: {done.err.strip().splitlines()[-1:]}"
    if "Traceback" in done.err or "fault of rocscope" in done.err:
        yield f"traceback: {done.err[-600:]}"
    if done.code not in WITH_RESULTS and "error: " not in done.err:
        yield f"no message with exit code {done.code}: {done.err[-300:]}"
    if "--json" in done.line and done.code in WITH_RESULTS and done.out.strip():
        yield from _json_faults(done.out, "stdout")
    written = {name: content for name, content in after.items() if before.get(name) != content}
    values = [*zip(done.line, done.line[1:], strict=False)]
    named = {word for option, word in values if option in ("--out", "--save")}
    journals = {str(Path(word, "journal.jsonl")) for option, word in values if option == "--folder"}
    for name in written.keys() - journals:
        if name not in named:
            yield f"a file that nobody named: {name}"
        if done.code not in WITH_RESULTS:
            yield f"a file although exit code {done.code}: {name}"
        yield from file_faults(name, written[name])
    for name in before.keys() - after.keys():
        yield f"a file is gone: {name}"
    if done.code == 0:
        yield from (f"not written: {name}" for name in named - {""} if name not in after)


def file_faults(name: str, content: bytes) -> Iterator[str]:
    """Whether a file is whole."""
    ends = {
        ".png": b"IEND\xaeB`\x82",
        ".svg": b"</svg>",
        ".pdf": b"%%EOF",
        ".html": b"</html>",
        ".htm": b"</html>",
    }
    suffix = Path(name).suffix.lower()
    if suffix == ".json":
        yield from _json_faults(content.decode(), name)
    elif suffix == ".csv":
        lengths = {len(row) for row in csv.reader(io.StringIO(content.decode(), newline=""))}
        if len(lengths) != 1:
            yield f"rows of {name} have {sorted(lengths)} cells"
    elif suffix in (".xlsx", ".docx"):
        if not zipfile.is_zipfile(io.BytesIO(content)):
            yield f"half a file: {name}"
    elif not content.rstrip().endswith(ends.get(suffix, b"?")):
        yield f"half a file: {name}"


def _json_faults(text: str, name: str) -> Iterator[str]:
    odd: list[str] = []
    try:
        json.loads(text, parse_constant=odd.append)
    except ValueError as error:
        yield f"no JSON in {name}: {error}"
    if odd:
        yield f"{odd[0]} in the JSON of {name}"


def as_text(line: list[str]) -> str:
    return f"rocscope {shlex.join(line)}"
