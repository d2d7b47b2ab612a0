"""The functions of the explorer on a blank page, called with numbers and compared with Python."""

import json
from importlib.resources import files

from rocscope.reporting.explorer import SCRIPTS
from rocscope.reporting.page import json_text

FUNCTIONS = SCRIPTS[: SCRIPTS.index("explorer_url.js")]

START = """
globalThis.models = new Map();
globalThis.model = (name) => models.get(name);
// JSON knows neither NaN nor infinity.
globalThis.jsonText = (value) => JSON.stringify(value, (key, v) =>
  typeof v === "number" && !Number.isFinite(v) ? String(v) : ArrayBuffer.isView(v) ? [...v] : v);
"""


class Twins:
    """A page with the arithmetic of the explorer and nothing else."""

    def __init__(self, page):
        self.page = page
        page.add_script_tag(content="const rocscope = {};")
        for name in FUNCTIONS:
            source = files("rocscope.reporting").joinpath(f"assets/{name}").read_text(encoding="utf-8")
            page.add_script_tag(content=source)
        page.evaluate(START)

    def call(self, expression, *values):
        """Evaluate a function of JavaScript on values; infinite numbers come back as floats."""
        function = f"(text) => jsonText(({expression})(...JSON.parse(text)))"
        return _floats(json.loads(self.page.evaluate(function, json.dumps(values, allow_nan=False))))

    def load(self, name, payload):
        """Make a model of a payload, by the same JSON that a report holds."""
        script = "([name, text]) => { models.set(name, new rocscope.explorer.Model(JSON.parse(text))); }"
        self.page.evaluate(script, [name, json_text(payload)])


def _floats(value):
    if isinstance(value, list):
        return [_floats(one) for one in value]
    if isinstance(value, dict):
        return {key: _floats(one) for key, one in value.items()}
    return float(value) if value in ("NaN", "Infinity", "-Infinity") else value
