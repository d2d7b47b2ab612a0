"""The published JSON schema: every result holds to it, and it is that of the code."""

import json
import runpy
from pathlib import Path

import jsonschema
import pytest

from every_result import every_class
from rocscope.core.result import Result
from rocscope.core.schema import NAME, VERSION, results_schema

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = results_schema()


def faults(fields):
    """What a validator says of a saved result, by the definition of its type."""
    whole = {"$ref": f"#/$defs/{fields['type']}", "$defs": SCHEMA["$defs"]}
    return [error.message for error in jsonschema.Draft202012Validator(whole).iter_errors(fields)]


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"].endswith(f":{VERSION}")


@pytest.mark.parametrize("name", every_class())
def test_results_hold_to_it(name):
    result = every_class()[name]
    assert faults(json.loads(result.to_json())) == []


def test_every_result_is_in_it():
    types = {type(result).__name__ for result in every_class().values()}
    assert types <= set(SCHEMA["$defs"])
    assert "Result" not in SCHEMA["$defs"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "0.8"}, "'0.8' is not of type 'number', 'null'"),
        ({"status": "fine"}, "'fine' is not one of"),
        ({"type": "RocCurve"}, "'tpr' is a required property"),
        ({"warnings": [1]}, "1 is not of type 'string'"),
    ],
)
def test_what_is_no_result_is_refused(change, message):
    fields = every_class()["area"].to_dict() | change
    assert any(one.startswith(message) for one in faults(fields))


def test_parts_are_held_to_their_own_type():
    fields = every_class()["comparison"].to_dict()
    assert isinstance(Result.from_dict(fields).pairs[0], Result)
    fields["pairs"][0]["difference"] = "large"
    assert faults(fields)


def test_the_published_file_is_that_of_the_code():
    text = runpy.run_path(str(DOCS / "make_schema.py"))["schema_text"]()
    published = (DOCS / "schema" / NAME).read_text(encoding="utf-8")
    assert published == text, "docs/make_schema.py was not run since a result changed"
