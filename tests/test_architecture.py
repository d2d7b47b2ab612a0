"""The way data takes through the packages is the way imports go, and `import rocscope` stays light."""

import ast
import operator
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import rocscope

SRC = Path(rocscope.__file__).parent
ROOT = SRC.parent.parent
FILES = sorted(SRC.rglob("*.py"))

METHODS = {"inference", "averaging", "ordinal", "binormal", "algorithms", "bootstrap"}
# What the modules of each room may import of ours, besides their own room. "" is rocscope/__init__.py.
MAY_IMPORT = {
    "errors": set(),
    "core": {"errors"},
    "training": {"core", "errors"},
    **{method: {"core", "errors", "training"} for method in METHODS},
    "algorithms": {"core", "errors", "training", "inference", "bootstrap", "run"},
    "binormal": {"core", "errors", "inference"},
    "io": {"core", "errors"},
    "run": {"core", "errors"},
    "atlas": {"core", "errors", "training", "run"} | METHODS,
    "papers": {"core", "errors", "training", "io", "run", "atlas"} | METHODS,
    "plotting": {"core", "errors", "training", "atlas"} | METHODS,
    "reporting": {"core", "errors", "training", "atlas", "plotting", ""} | METHODS,
    "app": {"core", "errors", "io", "reporting", ""},
    "cli": {"core", "errors", "training", "io", "run", "atlas", "papers", "plotting", "reporting", "app", ""}
    | METHODS,
    "__main__": {"cli"},
}
# The imports against the stream, when methods are called: a result draws and shows itself, a curve makes its
# criterion table, an area says how well its interval does.
EXCEPTIONS = {
    ("core/result.py", "plotting"),
    ("core/result.py", "reporting"),
    ("core/curve.py", "inference"),
    ("inference/auc.py", "atlas"),
    ("atlas/results.py", "plotting"),
}

# A change of the public surface shows in the diff of this file. Names with a dot live in a room's namespace.
SURFACE = (ROOT / "tests/reference/golden/public_names.txt").read_text(encoding="utf-8").split()
PUBLIC = [name for name in SURFACE if "." not in name]
ROOMS = sorted({name.split(".")[0] for name in SURFACE if "." in name})
HEAVY = {"numpy", "scipy", "numba", "matplotlib", "sklearn", "duckdb", "pandas", "polars", "joblib"}


def name_of(path):
    return path.relative_to(SRC).as_posix()


@cache
def nodes_of(path):
    """The syntax tree of a file, and every node of it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tree, list(ast.walk(tree))


@cache
def imports_of(path):
    """Every module that a file imports, anywhere in it: (module, the import is at the top level)."""
    return list(_imports(path))


def _imports(path):
    tree, nodes = nodes_of(path)
    top = {id(node) for node in tree.body}
    package = ["rocscope", *path.relative_to(SRC).parent.parts]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from rocscope.core import checks` imports rocscope.core.checks, if that is a module.
            yield from ((f"{base}.{alias.name}", id(node) in top) for alias in node.names)


def our_rooms(path):
    """Rooms of ours that a file imports, such as "core" or "views.marks"; "" for the package itself."""
    for module, _ in imports_of(path):
        head, *parts = module.split(".")
        if head == "rocscope":
            known = parts and ((SRC / parts[0]).is_dir() or (SRC / f"{parts[0]}.py").is_file())
            yield ".".join(parts) if known else ""


def allowed(room, rooms):
    return any(room == r or (r and room.startswith(f"{r}.")) for r in rooms)


@pytest.mark.parametrize("path", [p for p in FILES if p.parent != SRC or p.stem != "__init__"], ids=name_of)
def test_imports_go_one_way(path):
    here = path.relative_to(SRC).parts[0].removesuffix(".py")
    assert here in MAY_IMPORT, f"{here} is a room that DESIGN does not name"
    wrong = {
        room
        for room in our_rooms(path)
        if not allowed(room, MAY_IMPORT[here] | {here})
        and (name_of(path), room.split(".")[0]) not in EXCEPTIONS
    }
    assert wrong == set()


def test_the_exceptions_are_late_imports():
    for file, room in EXCEPTIONS:
        against = [at_top for m, at_top in imports_of(SRC / file) if m.startswith(f"rocscope.{room}")]
        assert against
        assert not any(against), (file, room)
    code = "import sys, rocscope.core.curve; print([m for m in sys.modules if 'rocscope.inference' in m])"
    assert run(code).stdout == "[]\n"
    tree = ast.parse((SRC / "core" / "result.py").read_text(encoding="utf-8"))
    plots = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "plot"]
    assert len(plots) == 2  # of any result, and of curves with more arguments
    assert all("from rocscope import plotting" in ast.unparse(one) for one in plots)


def test_only_the_kernels_import_numba():
    users = {name_of(p) for p in FILES if any(m.split(".")[0] == "numba" for m, _ in imports_of(p))}
    assert users
    assert all(name == "core/kernels.py" or name.startswith("core/kernels/") for name in users), users


def test_the_kernels_are_imported_late():
    """Small data never load numba: no module outside imports the kernels when it is imported itself."""
    for path in FILES:
        if "kernels" in name_of(path):
            continue
        early = [m for m, at_top in imports_of(path) if at_top and "core.kernels" in m]
        assert early == [], name_of(path)


def test_nothing_imports_the_command_line():
    users = {name_of(p) for p in FILES if any(allowed(room, {"cli"}) for room in our_rooms(p))}
    assert all(name.startswith("cli/") or name == "__main__.py" for name in users), users


def test_only_drawing_imports_the_drawing_library():
    users = {name_of(p) for p in FILES if any(m.split(".")[0] == "matplotlib" for m, _ in imports_of(p))}
    assert all(name.startswith(("plotting/", "reporting/")) for name in users), users


def test_nothing_prints():
    for path in FILES:
        calls = [n for n in nodes_of(path)[1] if isinstance(n, ast.Call)]
        names = {n.func.id for n in calls if isinstance(n.func, ast.Name)}
        assert "print" not in names or name_of(path).startswith("cli/"), name_of(path)


# ---- The public surface -----------------------------------------------------------------------------------


def test_public_names_are_pinned():
    rooms = [f"{room}.{name}" for room in ROOMS for name in getattr(rocscope, room).__all__]
    assert sorted([*rocscope.__all__, *rooms]) == SURFACE


@pytest.mark.parametrize("name", SURFACE)
def test_public_names_are_there_and_documented(name):
    value = operator.attrgetter(name)(rocscope)
    assert (value.__doc__ or "").strip()
    assert getattr(value, "__module__", "rocscope").startswith("rocscope")


def test_dir_lists_public_names_alone():
    rocscope.auc([0, 1], [0, 1])  # a name that is used is kept in the module, as are the modules it loads
    assert dir(rocscope) == PUBLIC
    assert dir(rocscope.ordinal) == [name.split(".")[1] for name in SURFACE if name.startswith("ordinal.")]


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="rocscope attribute nothing"):
        rocscope.nothing  # noqa: B018


def test_only_packages_have_stubs():
    assert [name_of(p.parent) for p in sorted(SRC.rglob("*.pyi"))] == [".", *ROOMS]


def test_the_package_is_typed():
    assert (SRC / "py.typed").is_file()


def test_version_is_that_of_the_change_log():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^##\s*\[?v?(\d+\.\d+\.\d+[^\s\]]*)", text, re.MULTILINE)
    assert versions[0] == rocscope.__version__


# ---- In a fresh process -----------------------------------------------------------------------------------


def run(code, *, flags=("-W", "error"), **environment):
    result = subprocess.run(
        [sys.executable, *flags, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result


def test_import_is_light_and_silent():
    result = run(f"import sys, rocscope; print(sorted({HEAVY!r} & set(sys.modules)))")
    assert result.stdout == "[]\n"
    assert result.stderr == ""


NEVER = {"numba", "matplotlib", "duckdb", "pandas"}
ESTIMATORS = {"GaussianDetector", "OperatingPointClassifier"}
SMALL_DATA = """
import sys
y, s, fold = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0, 1, 0, 1]
auc(y, s), roc_curve(y, s).hull(), compare_auc(y, {"a": s, "b": y})
average_roc(y, s, fold=fold).compare_to(0), average_curves(y, s, fold=fold)
"""


def test_small_data_loads_no_numba_and_no_sklearn():
    """Every name but the two estimators, whose base classes are scikit-learn's."""
    names = ", ".join(sorted(set(PUBLIC) - ESTIMATORS))
    message = f"print(sorted({NEVER | {'sklearn'}!r} & set(sys.modules)))"
    assert run(f"from rocscope import {names}\n{SMALL_DATA}\n{message}").stdout == "[]\n"


def test_star_import_loads_sklearn_and_no_numba():
    """Where pandas is installed, scikit-learn may load it: that is not for us to say."""
    message = f"print(sorted({NEVER - {'pandas'} | {'sklearn'}!r} & set(sys.modules)))"
    assert run(f"from rocscope import *\n{SMALL_DATA}\n{message}").stdout == "['sklearn']\n"


LARGE = """
import numpy as np
import rocscope as rs
rng = np.random.default_rng(1)
y = rng.integers(0, 2, 70_000)
s = np.round(y + rng.normal(size=y.size), 3)
print(rs.__file__)
print(rs.auc(y, s).value.hex())
"""


@pytest.mark.slow
def test_an_unwritable_cache_is_not_fatal(tmp_path):
    """Compiled code is kept on disk where that is possible; where it is not, it is compiled again.

    Every place numba would use is below a regular file, which nobody can write to, not even root.
    """
    package = tmp_path / "rocscope"
    shutil.copytree(SRC, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package, *(p for p in package.rglob("*") if p.is_dir())]:
        (folder / "__pycache__").touch()
    wall = tmp_path / "wall"
    wall.touch()
    places = dict.fromkeys(["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"], str(wall / "below"))
    flags = ("-W", "error", "-B")
    walled = run(LARGE, flags=flags, PYTHONPATH=str(tmp_path), **places).stdout.splitlines()
    assert Path(walled[0]).parent == package
    assert walled[1] == run(LARGE).stdout.splitlines()[1]
    assert not list(tmp_path.rglob("*.nbi"))
