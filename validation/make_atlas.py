"""Measure the cells that the atlas of the package lacks, and write its table.

    python validation/make_atlas.py --family auc --family partial_auc --most 2000 --minutes 30 --jobs 2

A cell that is in the table stays, unless its method answers otherwise now, or `--most` allows more data sets
than were drawn and its rate is not settled. Small samples come first; whatever is measured when the time is
up is written.
"""

import argparse
import csv
import time
from dataclasses import replace
from pathlib import Path

from joblib import Parallel, delayed
from numpy.random import SeedSequence

import rocscope.atlas
from rocscope.atlas.cells import (
    LIMITS,
    Cell,
    Counts,
    Limits,
    cell_keys,
    estimated_hours,
    families,
    most_of,
    simulate_cell,
)
from rocscope.atlas.results import FIELDS, Atlas, AtlasCell
from rocscope.run.study import seed_of

TABLE = Path(rocscope.atlas.__file__).with_name("atlas.csv")
SEED = 0


def place_of(row: AtlasCell) -> tuple[object, ...]:
    """Family, method and factors of a cell, and its fingerprint."""
    factors = (row.law, row.area, row.categories, row.n_pos, row.n_neg, row.others, row.fingerprint)
    return row.family, row.method, *factors


def limits_of(most: int) -> Limits:
    """The limits of the full grid with so many data sets of a cell at most."""
    full = LIMITS["full"]
    return replace(full, most=most, by_name=min(most, full.by_name), least=min(most, full.least))


def is_measured(rows: list[AtlasCell], most: int) -> bool:
    """Whether more data sets would not be drawn."""
    family = families()[rows[0].family]
    kind, most = family.kind, most_of(family, rows[0].method, limits_of(most))
    counts = [Counts(n=row.simulations, hits=row.hits, undefined=row.undefined) for row in rows]
    return all(one.n >= most or (one.n >= LIMITS["full"].least and one.is_settled(kind)) for one in counts)


def measure(key: str, family: str, method: str, cell: Cell, most: int) -> tuple[str, object]:
    """Simulate one cell."""
    seed: SeedSequence = seed_of(SEED, key)
    return key, simulate_cell(family, method, cell, limits_of(most), SEED, seed)


def read() -> list[AtlasCell]:
    """The rows of the table."""
    with TABLE.open(encoding="utf-8") as file:
        return list(Atlas.read(file).cells)


def write(rows: list[AtlasCell]) -> None:
    """Write the rows of some families into the table, whole or not at all; those of others stay."""
    own = {row.family for row in rows}
    order = list(families())
    rows = sorted(
        [*(row for row in read() if row.family not in own), *rows], key=lambda row: order.index(row.family)
    )
    new = TABLE.with_suffix(".new")
    with new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(Atlas(cells=tuple(rows)).to_rows())
    new.replace(TABLE)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--family", action="append", choices=list(families()))
    parser.add_argument("--method", action="append")
    parser.add_argument("--most", type=int, default=LIMITS["full"].most)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--estimate", action="store_true", help="only say how long the full grid takes")
    options = parser.parse_args()
    if options.estimate:
        for name in options.family or families():
            print(f"{name:22s} {estimated_hours('full', [name]):6.2f} hours of one processor", flush=True)
        return

    keys = cell_keys("full", options.family)
    known: dict[tuple[object, ...], list[AtlasCell]] = {}
    for row in read():
        known.setdefault(place_of(row), []).append(row)
    table, missing = dict[str, list[AtlasCell]](), list[str]()
    for key, (family, method, cell) in keys.items():
        others = " ".join(f"{name}={value}" for name, value in cell.others)
        factors = (cell.law, cell.area, cell.categories, cell.n_pos, cell.n_neg, others, key[-8:])
        rows = known.get((family, method, *factors), [])
        if rows:
            table[key] = rows
        if (not options.method or method in options.method) and not (
            rows and is_measured(rows, options.most)
        ):
            missing.append(key)

    def rank(key: str) -> tuple[bool, int]:
        """Defaults come first, and small samples."""
        family, method, cell = keys[key]
        return method != families()[family].default, cell.n_pos + cell.n_neg

    missing.sort(key=rank)
    old = sum(map(len, known.values())) - sum(map(len, table.values()))
    own = {keys[key][0] for key in keys}
    old -= sum(len(rows) for place, rows in known.items() if place[0] not in own)
    if old:
        print(f"{old} rows of cells or methods that are no more are left out", flush=True)
    print(
        f"{len(table)} of {len(keys)} cells are in the table, {len(missing)} are to be measured", flush=True
    )

    end = time.monotonic() + 60 * options.minutes
    done = 0
    with Parallel(n_jobs=options.jobs) as parallel:
        while done < len(missing) and time.monotonic() < end:
            batch = missing[done : done + 4 * options.jobs]
            calls = (delayed(measure)(key, *keys[key], options.most) for key in batch)
            for key, counts in parallel(calls):
                table[key] = list(Atlas.of({key: counts}, {key: keys[key]}).cells)
            done += len(batch)
            if done % 40 < len(batch):
                write([row for key in keys if key in table for row in table[key]])
                print(
                    f"{done} of {len(missing)}, {(end - time.monotonic()) / 60:.0f} minutes left", flush=True
                )
    write([row for key in keys if key in table for row in table[key]])
    print(f"{len(table)} of {len(keys)} cells are in the table now")


if __name__ == "__main__":
    main()
