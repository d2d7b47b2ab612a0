"""The oldest versions that pyproject.toml allows, as a constraints file: `make lowest` tests them."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
groups = [project["dependencies"], *(names for extra, names in extras.items() if extra != "dev")]
for requirement in sorted({name for group in groups for name in group}):
    bound = re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement)
    if bound:
        print(f"{bound[1]}=={bound[2]}")
