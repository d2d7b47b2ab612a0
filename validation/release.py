"""Build what is released, and prove that it can be built again: wheel, sdist, bill of materials, licences.

    make dist
    python validation/release.py dist --python python3.12 --python python3.13

Both archives are built twice with the time of the last commit (SOURCE_DATE_EPOCH) and compared byte by byte,
then checked by twine. With --python the wheel is installed into a fresh environment of that interpreter and
computes an area.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
AREA = "import rocscope as rs; print(rs.__version__, rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))"


def build(folder: Path) -> list[Path]:
    """Build wheel and sdist of the time of the last commit."""
    moment = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or moment.stdout.strip() or "315532800"
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": epoch}, check=True, capture_output=True)
    return sorted(folder.iterdir())


def closure(extra: str) -> list[metadata.Distribution]:
    """Every package that `rocscope[extra]` brings here, itself left out, by name."""
    found: dict[str, metadata.Distribution] = {}
    seen, todo = set[tuple[str, str]](), [("rocscope", extra), ("rocscope", "")]
    while todo:
        name, extras = todo.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another platform
        found[name] = package
        for line in package.requires or ():
            need = Requirement(line)
            if need.marker is None or need.marker.evaluate({"extra": extras}):
                todo += [(canonicalize_name(need.name), one) for one in ("", *need.extras)]
    del found["rocscope"]
    return [found[name] for name in sorted(found)]


def licence(package: metadata.Distribution) -> str:
    """The licence as the package declares it: expression, classifier, or the first line of its text."""
    about = package.metadata
    named = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License")
    ]
    text = (about.get("License") or "").strip().partition("\n")[0]
    return (
        about.get("License-Expression")
        or ", ".join(one for one in named if one != "OSI Approved")
        or text
        or "unknown"
    )


def bill_of_materials(packages: list[metadata.Distribution]) -> dict[str, object]:
    """The packages as CycloneDX, without time and serial number, so that it can be made again."""
    version = metadata.version("rocscope")
    parts = [
        {
            "type": "library",
            "name": one.name,
            "version": one.version,
            "bom-ref": f"pkg:pypi/{canonicalize_name(one.name)}@{one.version}",
            "purl": f"pkg:pypi/{canonicalize_name(one.name)}@{one.version}",
            "licenses": [{"license": {"name": licence(one)}}],
        }
        for one in packages
    ]
    own = {
        "type": "library",
        "name": "rocscope",
        "version": version,
        "bom-ref": f"pkg:pypi/rocscope@{version}",
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
    }


def licence_list(packages: list[metadata.Distribution]) -> str:
    """A table of the packages with their licences."""
    rows = [f"| {one.name} | {one.version} | {licence(one)} |" for one in packages]
    return "\n".join(
        [
            "# Licences of what rocscope[all] brings",
            "",
            "| package | version | licence |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def installed(wheel: Path, python: str) -> str:
    """What a fresh environment of another interpreter computes with the wheel in it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        own = Path(folder) / "bin" / "python"
        subprocess.run(
            [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True
        )
        done = subprocess.run([own, "-c", AREA], capture_output=True, text=True, check=True)
        version = subprocess.run([own, "--version"], capture_output=True, text=True, check=True)
        return f"{version.stdout.strip()}: rocscope {done.stdout.strip()}"


def main() -> None:
    """Build twice, compare, check, list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", action="append", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        one, other = build(Path(first)), build(Path(second))
        if [path.read_bytes() for path in one] != [path.read_bytes() for path in other]:
            sys.exit("two builds of the same commit differ")
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, one)], check=True)
        options.folder.mkdir(exist_ok=True)
        for path in one:
            shutil.copy(path, options.folder)
            print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
    packages = closure("all")
    (options.folder / "sbom.json").write_text(
        json.dumps(bill_of_materials(packages), indent=1) + "\n", encoding="utf-8"
    )
    (options.folder / "licences.md").write_text(licence_list(packages), encoding="utf-8")
    print(f"{len(packages)} packages in sbom.json and licences.md")
    for python in options.python:
        print(installed(next(options.folder.glob("*.whl")), python))


if __name__ == "__main__":
    main()
