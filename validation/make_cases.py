"""Write the simulated data of tests/reference_cases.py as CSV, one file per recipe.

python validation/make_cases.py FOLDER
"""

import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from reference_cases import RECIPES, Data


def write_case(path: Path, data: Data) -> None:
    y, scores = data
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["y", *scores])
        writer.writerows(zip(y.tolist(), *(values.tolist() for values in scores.values()), strict=True))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, recipe in RECIPES.items():
        write_case(folder / f"{name}.csv", recipe())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
