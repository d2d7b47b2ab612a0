"""Print the benchmark tables: `make bench`, or `python -m benchmarks`."""

from __future__ import annotations

import platform
from importlib.metadata import version

from benchmarks import (
    algorithms,
    area,
    average,
    binormal_fit,
    bootstrap,
    files,
    fusion,
    memory,
    monte_carlo,
    ordinal,
    proc,
    run,
    start,
    weights,
)
from benchmarks.timing import markdown


def main() -> None:
    """Run every benchmark and print Markdown tables."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    print(f"Python {platform.python_version()}, {libraries}; best of several runs, one thread.\n")
    if not proc.available():
        print("pROC is not installed (Rscript with the package pROC): its rows are left out.\n")
    for module in (
        area,
        bootstrap,
        average,
        weights,
        ordinal,
        binormal_fit,
        fusion,
        algorithms,
        monte_carlo,
        start,
    ):
        print(markdown(list(module.ratios())))
        print()
    print(bootstrap.large())
    print()
    print(algorithms.overhead())
    print()
    print(run.table())
    print()
    print(memory.table())
    print()
    print(files.table())


if __name__ == "__main__":
    main()
