"""A sample of small faults put into the source, one at a time: how many of them do the tests notice?

``python validation/mutants.py --count 200 --seed 1`` prints a line per mutant and how many were killed.

The suite runs once under coverage, which prints the branch coverage and records which tests reach a line.
Each mutant then runs the tests that reach its line, those that reach the fewest lines first, and is killed
when one fails or the time is over. Compiled kernels are left out: each mutant would compile for a minute.
``--near`` needs no run of the suite: each mutant runs the quick tests of its module, which are those of its
name and those of its room that name it, and its own examples. It takes about ten seconds a mutant; a mutant
that lives may still be killed by other tests.
``--tree`` judges another checkout with the Python of its environment (``--python``), to compare two versions.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
# Rooms of texts and pictures: a fault there is seldom one of numbers.
SHOWN = {"cli", "plotting", "reporting", "draw", "views", "report", "kernels"}
SECONDS = 120
MOST_TESTS = 200
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="leave out the slow tests")
    parser.add_argument("--near", action="store_true", help="the quick tests of the changed module alone")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout that is judged")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of its environment")
    options = parser.parse_args()
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        keep = shutil.ignore_patterns(".git", ".venv", "_build", "_generated", ".mypy_cache", ".lowest")
        shutil.copytree(options.tree, tree, ignore=keep)
        source = tree / "src" / "rocscope"
        tests = {}
        if not options.near:
            tests = tests_of_lines(tree, failing=run_suite(options.python, tree, options.quick))
        for done, (path, number) in enumerate(sample(source, options.count, options.seed), 1):
            text = path.read_text(encoding="utf-8")
            module = ast.parse(text)
            node = list(places(module))[number]
            before = ast.unparse(node)
            change(node)
            after = ast.unparse(node)
            path.write_text(ast.unparse(module), encoding="utf-8")
            started = time.monotonic()
            lines = tests.get(path.relative_to(source), {})
            # A statement of several lines may be recorded by its first line alone.
            known = lines.get(max((line for line in lines if line <= node.lineno), default=0), [])
            if options.near:
                known = ["-m", "not slow and not stress", *near_tests(tree, path)]
            dead = is_killed(options.python, tree, known[:MOST_TESTS])
            killed += dead
            path.write_text(text, encoding="utf-8")
            where = f"{path.relative_to(source)}:{node.lineno}"
            spent = f"{len(known)} tests, {time.monotonic() - started:.0f} s"
            print(f"{'killed' if dead else 'ALIVE '} {where} {before!r} -> {after!r} ({spent})", flush=True)
            if done % 10 == 0:
                print(f"{killed} of {done} killed", flush=True)
    print(f"{killed} of {options.count} killed")


def places(tree):
    """Nodes of functions that can be changed; texts, annotations and docstrings are left alone."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        raising = {
            id(inner)
            for node in ast.walk(function)
            if isinstance(node, ast.Raise)
            for inner in ast.walk(node)
        }
        for statement in function.body:
            for node in ast.walk(statement):
                if id(node) not in raising and is_changeable(node):
                    yield node


def is_changeable(node):
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and type(node.ops[0]) in SWAPS
    if isinstance(node, (ast.BinOp, ast.BoolOp)):
        texts = [part for part in ast.walk(node) if isinstance(part, (ast.JoinedStr, ast.List, ast.Tuple))]
        return type(node.op) in SWAPS and not texts
    return isinstance(node, ast.Constant) and type(node.value) in (int, bool)


def change(node):
    if isinstance(node, ast.Compare):
        node.ops = [SWAPS[type(node.ops[0])]()]
    elif isinstance(node, (ast.BinOp, ast.BoolOp)):
        node.op = SWAPS[type(node.op)]()
    else:
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1


def sample(source, count, seed):
    """Files and numbers of places, each place equally likely."""
    known = [
        (path, number)
        for path in sorted(source.rglob("*.py"))
        if not SHOWN & set(path.relative_to(source).parts)
        for number, _ in enumerate(places(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    return random.Random(seed).sample(known, count)


def run_suite(python, tree, quick):
    """Run all tests but those of the browser and the stress once; return those that fail by themselves."""
    marks = "not slow and not stress" if quick else "not stress"
    command = [
        python, *PYTEST, "-n", "2", "-m", marks, "--ignore=tests/browser",
        "--cov=rocscope", "--cov-branch", "--cov-context=test", "--cov-report=term",
    ]  # fmt: skip
    ended = subprocess.run(command, cwd=tree, env=environment(tree), capture_output=True, text=True)
    lines = ended.stdout.splitlines()
    print(*(line for line in lines if line.startswith("TOTAL")), *lines[-1:], sep="\n", flush=True)
    if ended.returncode > 1:  # no test was run: every mutant would seem to live
        sys.exit(ended.stdout[-2000:])
    return {line.split()[1] for line in lines if line.startswith(("FAILED ", "ERROR "))}


def tests_of_lines(tree, failing):
    """For each file and line the tests that reach it, those that reach the fewest lines first."""
    from coverage import CoverageData

    source = tree / "src" / "rocscope"
    data = CoverageData(str(tree / ".coverage"))
    data.read()
    reached, breadth = defaultdict(dict), Counter()
    for name in data.measured_files():
        inside = Path(name.rpartition("/src/rocscope/")[2])
        if not (source / inside).is_file():
            continue
        for line, contexts in data.contexts_by_lineno(name).items():
            tests = {context.rpartition("|")[0] for context in contexts} - failing - {""}
            reached[inside][line] = tests
            breadth.update(tests)
    return {
        file: {line: sorted(tests, key=lambda test: (breadth[test], test)) for line, tests in lines.items()}
        for file, lines in reached.items()
    }


def near_tests(tree, path):
    """The module itself, whose examples are tests, and at most six files of tests of its room."""
    room, name = path.relative_to(tree / "src" / "rocscope").parts[0], path.stem.strip("_")
    files = sorted((tree / "tests" / room.removesuffix(".py")).glob("test_*.py"))
    named = [file for file in files if file.stem.startswith(f"test_{name}")]
    word = re.compile(rf"\b{name}\b")
    named += [file for file in files if file not in named and word.search(file.read_text(encoding="utf-8"))]
    return [str(path), *map(str, named[:6] or files)]


def environment(tree):
    path = os.pathsep.join([str(tree / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return os.environ | {"PYTHONPATH": path}


def is_killed(python, tree, tests):
    if not tests:
        return False
    try:
        ended = subprocess.run(
            [python, *PYTEST, "-x", "-p", "no:xdist", "-p", "no:cov", *tests],
            cwd=tree,
            env=environment(tree),
            capture_output=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0


if __name__ == "__main__":
    main()
