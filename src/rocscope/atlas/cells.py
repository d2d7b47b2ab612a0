"""What is measured where: families of methods, the cells of their grid, and the simulation of one cell."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import product
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray
from scipy import special

from rocscope.atlas.laws import LAWS, LawName, ScoreLaw, score_law
from rocscope.core import checks
from rocscope.run.study import Size, seed_of

Floats = NDArray[np.float64]
Kind: TypeAlias = Literal["interval", "test"]
# A method answers for one data set: an interval, or a p-value, of each quantity; NaN where it gives none.
Method: TypeAlias = Callable[[Any, Generator], Any]

LEVEL = 0.95
ALPHA = 0.05
SIZES = ((10, 10), (20, 20), (50, 50), (200, 200), (1000, 1000), (10, 40), (10, 190), (50, 200), (50, 950))
QUICK_SIZES = ((10, 10), (20, 20))
AREAS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
QUICK_AREAS = (0.7, 0.95)
# A cell is settled when its rate is surely on one side of these.
BOUNDS: dict[Kind, tuple[float, ...]] = {"interval": (0.93, 0.98), "test": (0.065,)}
SURE = float(special.ndtri(1 - 0.001 / 2))
# Families register in these modules.
MODULES = ("areas", "points", "models", "tests")


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination of factors: scores of a law with a true area, and how many cases of each class.

    Attributes
    ----------
    law, area, categories
        As in `ScoreLaw`.
    n_pos, n_neg
        Cases of each class.
    others
        Further factors of a family by name, such as the correlation of two scores.

    Examples
    --------
    >>> Cell("normal", 0.9, 20, 20).key
    'normal 0.9 20+20'
    """

    law: LawName
    area: float
    n_pos: int
    n_neg: int
    categories: bool = False
    others: tuple[tuple[str, float | str], ...] = ()

    @property
    def key(self) -> str:
        """The factors as text."""
        parts = [self.law, f"{self.area:g}", f"{self.n_pos}+{self.n_neg}"]
        parts += ["categories"] * self.categories + [f"{name}={value}" for name, value in self.others]
        return " ".join(parts)

    @property
    def score_law(self) -> ScoreLaw:
        """The law of its scores."""
        return score_law(self.law, self.area, self.categories)

    def factor(self, name: str) -> Any:
        """One of the further factors."""
        return dict(self.others)[name]


def grid(
    size: Size,
    *,
    areas: Sequence[float] = AREAS,
    sizes: Sequence[tuple[int, int]] = SIZES,
    laws: Sequence[LawName] = LAWS,
    categories: Sequence[bool] = (False, True),
    others: Mapping[str, Sequence[float | str]] | None = None,
) -> tuple[Cell, ...]:
    """All combinations of these factors; the quick form has few of them.

    Examples
    --------
    >>> len(grid("full")), len(grid("quick"))
    (540, 16)
    """
    if size == "quick":
        sizes = [one for one in sizes if one in QUICK_SIZES] or sizes[:1]
        areas = [one for one in areas if one in QUICK_AREAS] or areas[:1]
        laws = [one for one in laws if one in ("normal", "exponential")]
    names = tuple(others or ())
    return tuple(
        Cell(law, area, n_pos, n_neg, tied, tuple(zip(names, values, strict=True)))
        for law, tied, area, (n_pos, n_neg), values in product(
            laws, categories, areas, sizes, list(product(*(others or {}).values()))
        )
    )


@dataclass(frozen=True, kw_only=True)
class Family:
    """Methods that answer the same question, measured on the same data sets.

    Attributes
    ----------
    name, title
        For keys, and for readers.
    kind
        "interval": how often it holds the true value. "test": how often p is 0.05 or less.
    quantities
        What one answer is about, such as several rates; often one.
    default
        The method that users get without asking for one.
    methods
        By name; called with a data set and a generator.
    cells
        The grid, full or quick.
    draw
        One data set of a cell.
    truth
        The true values of the quantities in a cell. Of a test: whether its null hypothesis is true.
    most
        Data sets of a cell at most in the full grid, where they cost much; in others as many fewer.
    """

    name: str
    title: str
    kind: Kind = "interval"
    quantities: tuple[str, ...]
    default: str
    methods: Mapping[str, Method]
    cells: Callable[[Size], tuple[Cell, ...]]
    draw: Callable[[Cell, Generator], Any]
    truth: Callable[[Cell], Sequence[float]]
    most: int | None = None


FAMILIES: dict[str, Family] = {}


def register(family: Family) -> None:
    """Make a family known by its name; its module calls this."""
    FAMILIES[family.name] = family


def families() -> dict[str, Family]:
    """All families by name, module after module, whichever was imported first.

    Examples
    --------
    >>> families()["auc"].default
    'auto'
    """
    for name in MODULES:
        import_module(f"rocscope.atlas.{name}")

    def place(family: Family) -> int:
        module = family.truth.__module__.rpartition(".")[2]
        return MODULES.index(module) if module in MODULES else len(MODULES)

    return dict(sorted(FAMILIES.items(), key=lambda one: place(one[1])))


def find_family(name: str) -> Family:
    """A family by its name."""
    known = families()
    checks.check_choice(name, tuple(known), name="family")
    return known[name]


def draw_scores(cell: Cell, rng: Generator) -> tuple[NDArray[np.int64], Floats]:
    """Labels and scores: the data set of most families."""
    return cell.score_law.draw(cell.n_pos, cell.n_neg, rng)


# ---- The simulation of one cell ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """How many data sets: so many at least, and at most, judged after every batch.

    `most` is for the method that users get without asking; methods by name have `by_name` at most.
    """

    least: int = 1000
    most: int = 3000
    by_name: int = 1000
    batch: int = 250


LIMITS: dict[Size, Limits] = {"full": Limits(), "quick": Limits(least=60, most=60, by_name=60, batch=20)}


def most_of(family: Family, method: str, limits: Limits) -> int:
    """Data sets of a cell at most.

    Examples
    --------
    >>> [most_of(find_family("auc"), method, Limits()) for method in ("auto", "bootstrap")]
    [3000, 1000]
    """
    most = limits.most if method == family.default else limits.by_name
    if family.most is None:
        return most
    return min(most, max(limits.batch, family.most * limits.most // LIMITS["full"].most))


@dataclass(slots=True)
class Counts:
    """What happened to one quantity: intervals that held, or p-values up to 0.05, and the others."""

    n: int = 0
    hits: int = 0
    below: int = 0
    above: int = 0
    undefined: int = 0
    width: float = 0.0

    def add_interval(self, low: float, high: float, truth: float) -> None:
        """Count an interval; roundings of the true value are not misses."""
        self.n += 1
        if not (low <= high):  # none was given
            self.undefined += 1
            return
        slack = 1e-12 * max(1.0, abs(truth))
        self.below += truth < low - slack
        self.above += truth > high + slack
        self.hits += low - slack <= truth <= high + slack
        self.width += high - low

    def add_p_value(self, p_value: float) -> None:
        """Count a p-value."""
        self.n += 1
        self.undefined += p_value != p_value
        self.hits += p_value <= ALPHA

    @property
    def defined(self) -> int:
        """How many there were at all."""
        return self.n - self.undefined

    def is_settled(self, kind: Kind) -> bool:
        """Whether the rate is surely on one side of every bound, by its Wilson interval."""
        if not self.defined:
            return True
        low, high = wilson(self.hits, self.defined)
        return not any(low < bound < high for bound in BOUNDS[kind])


def wilson(hits: int, n: int, deviate: float = SURE) -> tuple[float, float]:
    """Wilson's interval of a rate.

    Examples
    --------
    >>> low, high = wilson(95, 100, 1.96)
    >>> round(low, 4), round(high, 4)
    (0.8882, 0.9785)
    """
    rate, square = hits / n, deviate * deviate / n
    middle, half = rate + square / 2, deviate * np.sqrt(rate * (1 - rate) / n + square / (4 * n))
    return float((middle - half) / (1 + square)), float((middle + half) / (1 + square))


class DataSets:
    """The data sets of a cell, in order; drawn once for all methods that ask for them, as far as they fit.

    Examples
    --------
    >>> drawn = DataSets("auc", Cell("normal", 0.8, 3, 3), 0)
    >>> [next(iter(drawn))[1] is next(iter(drawn))[1] for _ in range(2)]
    [True, True]
    """

    def __init__(self, family: str, cell: Cell, study_seed: int) -> None:
        self.family, self.cell = find_family(family), cell
        self.rng = np.random.default_rng(seed_of(study_seed, f"data of {family}/{cell.key}"))
        self.kept: list[Any] = []
        self.room = KEPT_CASES // (cell.n_pos + cell.n_neg)

    def __iter__(self) -> Iterator[Any]:
        k = 0
        while k < self.room:
            if k == len(self.kept):
                self.kept.append(self.family.draw(self.cell, self.rng))
            yield self.kept[k]
            k += 1
        rng = deepcopy(self.rng)
        while True:
            yield self.family.draw(self.cell, rng)


KEPT_CASES = 1_000_000
# Methods of a cell follow one another: the cell before is over.
data_sets = lru_cache(maxsize=1)(DataSets)


def simulate_cell(
    family: str, method: str, cell: Cell, limits: Limits, study_seed: int, seed: SeedSequence
) -> Any:
    """Draw data sets until every quantity is settled; all methods of a cell see the same ones.

    Returns
    -------
    list of list
        Of each quantity: data sets, hits, true value below the interval, above it, no answer, mean width.
    """
    found = find_family(family)
    data = iter(data_sets(family, cell, study_seed))
    rng = np.random.default_rng(seed)
    truth, call = found.truth(cell), found.methods[method]
    counts = [Counts() for _ in found.quantities]
    done, most = 0, most_of(found, method, limits)
    while done < most:
        for _ in range(limits.batch):
            for one, answer, true in zip(counts, call(next(data), rng), truth, strict=True):
                if found.kind == "interval":
                    one.add_interval(answer[0], answer[1], true)
                else:
                    one.add_p_value(answer)
        done += limits.batch
        if done >= limits.least and all(one.is_settled(found.kind) for one in counts):
            break
    return [
        [one.n, one.hits, one.below, one.above, one.undefined, _mean(one.width, one.defined)]
        for one in counts
    ]


def _mean(total: float, n: int) -> float | None:
    return total / n if n and np.isfinite(total) else None


@lru_cache(maxsize=512)
def fingerprint(family: str, method: str) -> str:
    """Eight digits that change when a method answers otherwise for small data sets, and with nothing else.

    They are made from its answers for some data sets of up to 100 cases of the whole grid, rounded to nine
    digits. Cells measured under another fingerprint are measured again. What changes in larger data sets
    alone is not seen.

    Examples
    --------
    >>> fingerprint("auc", "delong") == fingerprint("auc", "logit")
    False
    """
    found = find_family(family)
    small = [cell for cell in found.cells("full") if cell.n_pos + cell.n_neg <= 100]
    digest = hashlib.sha256()
    for cell in small[:: max(1, len(small) // PROBES)]:
        data = np.random.default_rng(seed_of(0, f"probe {cell.key}"))
        rng = np.random.default_rng(seed_of(1, f"probe {cell.key}"))
        answers = np.asarray(found.methods[method](found.draw(cell, data), rng), dtype=np.float64)
        digest.update(" ".join(f"{value:.9g}" for value in answers.ravel()).encode())
    return digest.hexdigest()[:8]


PROBES = 60


def seconds(family: str, method: str, size: Size) -> float:
    """Processor seconds of a data set in all cells together, by a straight line through two of them."""
    found = find_family(family)
    cells = sorted(found.cells(size), key=lambda cell: (cell.n_pos + cell.n_neg, cell.key))
    ends = []
    for cell in (cells[0], cells[-1]):
        rng, call = np.random.default_rng(0), found.methods[method]
        call(found.draw(cell, rng), rng)
        times, began = 0, time.process_time()
        while times < TIMED or time.process_time() < began + CLOCK:
            call(found.draw(cell, rng), rng)
            times += 1
        ends.append((cell.n_pos + cell.n_neg, (time.process_time() - began) / times))
    (least, quick), (most, slow) = ends
    slope = max(slow - quick, 0.0) / max(most - least, 1)
    return sum(quick + slope * (cell.n_pos + cell.n_neg - least) for cell in cells)


TIMED, CLOCK = 3, 0.01  # data sets at least, and seconds
# Of the data sets that a cell may have, so many are drawn on average until it is settled: as in the table.
TYPICAL = 0.6


def estimated_hours(size: Size, names: Iterable[str] | None = None) -> float:
    """Processor hours that the study takes, from the time of some data sets on this machine."""
    total, limits = 0.0, LIMITS[size]
    for name, family in families().items():
        if names is None or name in names:
            for method in family.methods:
                most = most_of(family, method, limits)
                sets = min(most, max(limits.least, TYPICAL * most))
                total += sets * seconds(name, method, size)
    return total / 3600


def cell_keys(size: Size, names: Iterable[str] | None = None) -> dict[str, tuple[str, str, Cell]]:
    """Family, method and cell of every task, by its key, which holds the method's fingerprint."""
    known = families()
    return {
        f"{name}/{method}/{cell.key}@{fingerprint(name, method)}": (name, method, cell)
        for name in (known if names is None else names)
        for cell in known[name].cells(size)
        for method in known[name].methods
    }
