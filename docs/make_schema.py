"""Write the JSON schema of all results, docs/schema/rocscope-results-VERSION.json, which the site publishes.

Run after a result has a new field; a field that goes or changes its meaning raises `VERSION` in
core/schema.py first.
Run from anywhere: .venv/bin/python docs/make_schema.py
"""

from __future__ import annotations

import json
from pathlib import Path

from rocscope.core.schema import NAME, results_schema

PATH = Path(__file__).resolve().parent / "schema" / NAME


def schema_text() -> str:
    """The schema as it is published."""
    return json.dumps(results_schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(schema_text(), encoding="utf-8")
