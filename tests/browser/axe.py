"""axe-core, which looks for what shuts out people who do not see the page or use no mouse."""

from functools import cache
from importlib.resources import files

BARRED = ("serious", "critical")


@cache
def source():
    """The script of axe-core, which the package axe-playwright-python carries."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(page):
    """The serious and critical violations: rule, number of places, the first of them.

    The script comes by the driver, which the policy of the page does not bind.
    """
    page.evaluate(source())
    found = page.evaluate("axe.run(document, { iframes: false, resultTypes: ['violations'] })")
    assert len(found["passes"]) > 10  # it looked
    return [
        (one["id"], len(one["nodes"]), one["nodes"][0]["html"][:200])
        for one in found["violations"]
        if one["impact"] in BARRED
    ]
