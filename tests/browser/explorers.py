"""An explorer on an open page, as a reader sees and moves it."""

import math
import time


class Explorer:
    """The explorer of one section: what it shows, as numbers and texts, and its controls.

    Of a section of several markers "s2" is the first, "s2-1" the second, which must be shown.
    """

    def __init__(self, page, section):
        self.page = page
        self.id = section
        self.root = page.locator(f"#{section.partition('-')[0]}")

    def find(self, what):
        return self.root.locator(what)

    def running(self, expression):
        """Evaluate an expression of the running explorer `x`."""
        return self.page.evaluate(
            f"(id) => {{ const x = rocscope.explorer.running.get(id); {expression} }}", self.id
        )

    def reset(self):
        self.running("x.store.set(x.begin);")
        return self

    # ---- Where the point is

    @property
    def point(self):
        return int(self.find(".explorer-title").get_attribute("data-value"))

    @property
    def best(self):
        values = self.find(".explorer-message").get_attribute("data-value")
        return int(values) if values else None

    def place(self, k):
        """Where point k stands on the screen."""
        self.find(".explorer-plot").scroll_into_view_if_needed()
        return self.running(
            f"""const box = x.plot.root.getBoundingClientRect();
            const scale = box.width / 440;
            return [box.left + x.plot.px[{k}] * scale, box.top + x.plot.py[{k}] * scale];"""
        )

    def click(self, k):
        self.page.mouse.click(*self.place(k))

    def press(self, *keys):
        self.find(".explorer-plot").focus()
        for key in keys:
            self.page.keyboard.press(key)

    # ---- What is shown

    def alike(self):
        values = self.find(".x-alike[data-points]").get_attribute("data-points")
        return {int(k) for k in values.split()}

    def matrix(self, kind):
        """The cells in the order of the classes; of two the page shows the positive class first."""
        cells = numbers(self.find(f".explorer-{kind} td"))
        n = self.running("return x.model.classes.length;")
        if self.running("return x.model.isTest;"):  # test positive, test negative by present, absent, total
            columns = 3 if kind == "confusion" else 2
            positive, negative = cells[:columns], cells[columns : 2 * columns]
            return [[negative[1], positive[1]], [negative[0], positive[0]]]
        rows = [cells[k : k + len(cells) // n] for k in range(0, len(cells), len(cells) // n)]
        return [[*row[1::-1], *row[2:]] for row in rows[::-1]] if n == 2 else rows

    def measure(self, name):
        return numbers(self.find(f'tr[data-measure="{name}"] td'))

    def unfold(self):
        """Open what is folded: settings, more measures, what can be taken away."""
        self.find("details").evaluate_all("(all) => { for (const one of all) one.open = true; }")
        return self

    def type(self, label, text):
        """Write into the box with this label, as a reader does."""
        box = self.root.get_by_label(label, exact=False).and_(self.page.locator("input[type=text]"))
        box.fill("")
        box.type(text)
        box.blur()


def until(page, expression, patience=30):
    """Wait for something to be true. (The page forbids to evaluate texts, so playwright's own way fails.)"""
    end = time.monotonic() + patience
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never true: {expression}"
        page.wait_for_timeout(20)


def numbers(cells):
    """The exact numbers behind the texts of cells."""
    values = cells.evaluate_all("(cells) => cells.map((cell) => cell.dataset.value)")
    return [float(text.replace("Infinity", "inf")) for text in values]


def same(found, expected, tolerance=1e-12):
    """Whether two numbers are equal but for rounding; NaN and None are equal to NaN."""
    expected = math.nan if expected is None else float(expected)
    if math.isnan(expected) or math.isinf(expected):
        return found == expected or (math.isnan(found) and math.isnan(expected))
    return abs(found - expected) <= tolerance * max(1.0, abs(expected))
