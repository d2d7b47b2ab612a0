"""A sample of small faults put into the source, one at a time: how many of them do the tests notice?

``python validation/mutants.py --count 200 --seed 1`` prints a line per mutant and how many were killed.
Each mutant runs the tests of its room and the doctests of its module in a copy of the tree; it is killed when
one fails or the time is over. Compiled kernels are left out: each mutant would compile for a minute.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = (
    "core",
    "inference",
    "averaging",
    "ordinal",
    "binormal",
    "training",
    "algorithms",
    "bootstrap",
    "io",
    "run",
)
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
SECONDS = 600


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
    """Files and numbers of places, each place of a room equally likely, rooms by their size."""
    known = [
        (path, number)
        for room in ROOMS
        for path in sorted((source / room).rglob("*.py"))
        if "kernels" not in path.parts
        for number, _ in enumerate(places(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    return random.Random(seed).sample(known, count)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        keep = shutil.ignore_patterns(".git", ".venv", "docs", ".mypy_cache")
        shutil.copytree(ROOT, tree, ignore=keep)
        source = tree / "src" / "rocscope"
        for done, (path, number) in enumerate(sample(source, options.count, options.seed), 1):
            text = path.read_text(encoding="utf-8")
            module = ast.parse(text)
            node = list(places(module))[number]
            before = ast.unparse(node)
            change(node)
            after = ast.unparse(node)
            path.write_text(ast.unparse(module), encoding="utf-8")
            started = time.monotonic()
            dead = is_killed(tree, path)
            killed += dead
            path.write_text(text, encoding="utf-8")
            where = f"{path.relative_to(source)}:{node.lineno}"
            spent = time.monotonic() - started
            print(
                f"{'killed' if dead else 'ALIVE '} {where} {before!r} -> {after!r} {spent:.0f} s", flush=True
            )
            if done % 10 == 0:
                print(f"{killed} of {done} killed", flush=True)
    print(f"{killed} of {options.count} killed")


def is_killed(tree, path):
    room = path.relative_to(tree / "src" / "rocscope").parts[0]
    folders = [str(path), str(tree / "tests" / room)]
    if not (tree / "tests" / room).exists():
        folders[1:] = [str(tree / "tests" / "io"), str(tree / "tests" / "averaging")]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    try:
        ended = subprocess.run(
            [*command, "-m", "not slow and not stress", *folders],
            cwd=tree,
            env=environment,
            capture_output=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0


if __name__ == "__main__":
    main()
