"""What a reader should know is reported by every command, once: on stderr, and in JSON."""

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

DROPPED = "1 row with missing values left out: 1 of class '1'"
INFINITE = "infinite scores were ranked above or below all others"
BELOW = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"
CODE = "hold 999 in 3 rows, far outside all others"
S = ("t.csv", "--label", "y", "--score", "s", "--na", "drop")
F = ("f.csv", "--label", "y", "--na", "drop")
COMMANDS = {
    ("auc", *S): [INFINITE, DROPPED, BELOW],
    ("auc", *S, "--memory-limit", "512MB"): [INFINITE, DROPPED, BELOW],
    ("auc", *S, "--fpr", "0,0.5", "--method", "bootstrap", "--seed", "1", "--n-boot", "100"): [
        INFINITE,
        DROPPED,
    ],
    ("compare", *S, "--score", "t"): [INFINITE, DROPPED, f"s: {BELOW}", f"t: {BELOW}"],
    ("compare", "f.csv", "--label", "y", "--score", "code", "--score", "t", "--na", "drop"): [CODE, DROPPED],
    ("points", *S): [INFINITE, DROPPED, BELOW],
    ("points", *S, "--memory-limit", "512MB"): [INFINITE, DROPPED, BELOW],
    ("points", *S, "--threshold", "0.5"): [INFINITE, DROPPED, BELOW],
    ("points", *S, "--pr", "--seed", "1", "--n-boot", "100"): [INFINITE, DROPPED, BELOW],
    ("average", *S, "--fold", "fold"): [INFINITE, DROPPED],
    ("average", *F, "--model", "lda", "--feature", "s", "--folds", "3", "--seed", "1"): [DROPPED],
    ("binormal", *F, "--score", "s"): [DROPPED, "below chance"],
    ("fuse", *F, "--score", "s", "--score", "t"): [DROPPED],
    ("bootstrap", *F, "--model", "lda", "--feature", "s", "--n-boot", "5", "--seed", "1"): [DROPPED],
    ("algorithms", *F, "--models", "nb,lda", "--feature", "s", "--folds", "3", "--seed", "1"): [DROPPED],
    ("ordinal", "f.csv", "--label", "grade", "--score", "s", "--na", "drop"): [
        "1 row with missing values left out: 1 of class '2'",
        "do not look like estimates of the classes",
    ],
}


@pytest.fixture(autouse=True)
def tables(folder):
    """Scores that rank the wrong class higher, one of them missing; in t.csv one is infinite."""
    rng = np.random.default_rng(0)
    lines = ["y,grade,s,t,code,fold"]
    for k in range(60):
        y, s, t = k % 2, rng.normal() - k % 2, rng.normal() - k % 2
        shown = "" if k == 7 else "inf" if k == 10 else f"{s:.3f}"
        code = "" if k == 7 else 999 if k in (2, 3, 4) else f"{s:.3f}"
        lines.append(f"{y},{10 * (k % 3 + 1)},{shown},{t:.3f},{code},{k // 2 % 5}")
    text = "\n".join(lines) + "\n"
    Path("t.csv").write_text(text)
    Path("f.csv").write_text(text.replace("inf", "2.5"))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_warning_is_reported_once(run, command):
    done = run(*command, "--json")
    notes = [line.removeprefix("note: ") for line in done.err.splitlines() if line.startswith("note: ")]
    assert done.document["notes"] == notes
    for text in COMMANDS[command]:
        text = text.replace("1 of class '2'", "1 of class '20'")
        assert sum(text in note for note in notes) == 1, (text, notes)
    assert not [note for note in notes if note.startswith("t:") and INFINITE in note]


@pytest.mark.parametrize("command", [c for c in COMMANDS if "--pr" not in c], ids=" ".join)
def test_notes_are_no_part_of_the_answer(run, command):
    done = run(*command)
    assert done.code == 0
    assert "note:" not in done.out
    for text in (INFINITE, DROPPED, BELOW, CODE):
        assert text not in done.out
