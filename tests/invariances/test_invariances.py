"""Every public function crossed with every invariance; the functions are listed in registry.py.

Names of labels and types of containers are read in a few places only: all of them are tried at these doors;
every function takes one type of text labels, with their positive label, and one type of scores, another one
than the next. Increasing maps and both paths through the core are tried on every function with the first
sample; with the other samples they take turns.
"""

import inspect
import math
import sys
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocscope
from invariances.calls import DRAWS
from invariances.registry import ENTRIES, Sample

TIGHT = {"rtol": 1e-9, "atol": 1e-12}  # for what is computed in another order; the rest is compared exactly


def test_every_public_function_is_registered():
    functions = {name for name in rocscope.__all__ if inspect.isfunction(getattr(rocscope, name))}
    assert {entry.name for entry in ENTRIES} == functions


# ---- Samples: eighths, which float16 and float32 hold and which affine maps move exactly ------------------


def _simulated(seed, n_pos, n_neg, step):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], [n_pos, n_neg]))
    noise = rng.normal(size=(4, y.size))
    columns = [noise[0] + noise[k + 1] + shift * y for k, shift in enumerate((1.2, 0.8, 0.3))]
    return y, tuple(np.round(column / step) * step for column in columns)


def _degenerate():
    y = np.array([1, 0, 1, 0, 0, 1])
    return y, (y * 2.0 + np.array([0, 1, 1, 0, 1, 0]) / 8, y * 4.0, np.full(6, 3.0))


SAMPLES = {
    "few ties": _simulated(1, 20, 30, 0.125),
    "many ties": _simulated(2, 25, 25, 1.0),
    "rare": _simulated(3, 2, 40, 0.25),
    "one positive": _simulated(4, 1, 12, 0.125),
    "separated and constant": _degenerate(),
}

QUICK = ("few ties", "rare")
CASES = [
    pytest.param(
        entry,
        sample,
        id=f"{entry.name}-{number}-{name}",
        marks=[] if name in QUICK else [pytest.mark.slow],
    )
    for number, entry in enumerate(ENTRIES)
    for name, sample in SAMPLES.items()
    if entry.samples is None or name in entry.samples
]
# One function for every way that labels and scores are read: two classes, several scores, several classes,
# folds, ordered classes, pairs of scores, features.
DOORS = (
    "auc", "roc_curve", "compare_auc", "multiclass_auc", "average_roc", "ordinal_roc", "fit_binormal_pair",
    "cross_scores",
)  # fmt: skip
WEIGHTED = [case for case in CASES if case.values[0].weighted]
each_case = pytest.mark.parametrize(("entry", "sample"), CASES)
each_weighted_case = pytest.mark.parametrize(("entry", "sample"), WEIGHTED)
each_reader_of_arrays = pytest.mark.parametrize(
    "entry",
    [pytest.param(e, id=f"{e.name}-{number}") for number, e in enumerate(ENTRIES) if e.arrays],
)


def on_first_and_in_turns(argument, values, **options):
    """Every value with the first sample of each entry, and one with each of the others: they take turns."""
    names = list(values)
    cases = []
    for turn, case in enumerate(CASES):
        entry, sample = case.values
        for k, name in enumerate(names):
            if sample is first_sample(entry) or turn % len(names) == k:
                case_id = f"{case.id}-{name}"
                cases.append(pytest.param(entry, sample, values[name], id=case_id, marks=case.marks))
    return pytest.mark.parametrize(("entry", "sample", argument), cases, **options)


def first_sample(entry):
    return next(s for name, s in SAMPLES.items() if entry.samples is None or name in entry.samples)


on_both_paths = on_first_and_in_turns("path", {"small": "small", "large": "large"}, indirect=["path"])


first_of = {entry.name: entry for entry in reversed(ENTRIES)}


def doors_and_turns(argument, kinds):
    """Every kind at every door, and one kind for each function: they take turns."""
    readers = [entry for entry in ENTRIES if entry.arrays]
    names = list(kinds)
    turns = {(number, names[number % len(names)]): entry for number, entry in enumerate(readers)}
    return at_doors(argument, kinds, turns)


def at_doors(argument, kinds, turns=None):
    """Every kind at every door."""
    doors = {(f"door {name}", kind): first_of[name] for name in DOORS for kind in kinds}
    return pytest.mark.parametrize(
        ("entry", argument),
        [
            pytest.param(entry, kinds[kind], id=f"{entry.name}-{place}-{kind}")
            for (place, kind), entry in (doors | (turns or {})).items()
        ],
    )


def taken(entry, y, columns, **options):
    return Sample(y, tuple(columns[: entry.columns]), options)


def figures_of(entry, sample):
    name = next(name for name, known in SAMPLES.items() if known is sample)
    return _figures(ENTRIES.index(entry), name)


@cache
def _figures(number, name):
    return call_on(ENTRIES[number], SAMPLES[name])


def call_on(entry, sample):
    y, columns = sample
    return entry.call(taken(entry, y, columns))


def assert_same(found, expected, names=None, **tolerance):
    for name in expected if names is None else names:
        if isinstance(expected[name], (np.ndarray, float)):
            compare = np.testing.assert_allclose if tolerance else np.testing.assert_array_equal
            assert found[name] is not None, name
            compare(found[name], expected[name], err_msg=name, **tolerance)
        else:
            assert found[name] == expected[name], name


# ---- The order of the rows --------------------------------------------------------------------------------


@on_both_paths
def test_row_order(path, entry, sample):
    y, columns = sample
    rows = np.random.default_rng({"small": 0, "large": 1}[path]).permutation(y.size)
    found = entry.call(taken(entry, y[rows], [column[rows] for column in columns]))
    expected = figures_of(entry, sample)
    assert_same(found, expected, [name for name in expected if name not in entry.drawn])


# ---- Increasing maps of the scores ------------------------------------------------------------------------

MAPS = {
    "affine": lambda s: 4 * s + 3,
    "logistic": lambda s: 1 / (1 + np.exp(-s)),
    "neighbouring doubles": lambda s: 1.0 + s * (8 * sys.float_info.epsilon),
    "subnormal": lambda s: (s * 8) * 5e-324,
    "huge": lambda s: s * 2.0**1000,
    "long integers": lambda s: (s * 8).astype(np.int64) + 2**60,
}


@on_first_and_in_turns("increasing", MAPS)
def test_increasing_maps(entry, sample, increasing):
    y, columns = sample
    distinct = np.unique(np.concatenate(columns))
    assert (np.diff(increasing(distinct)) > 0).all()  # strictly increasing in floating point too
    found = entry.call(taken(entry, y, [increasing(column) for column in columns]))
    expected = figures_of(entry, sample)
    for name in entry.scores:
        assert found[name].tolist() == [
            v if abs(v) == math.inf else increasing(np.float64(v)) for v in expected[name]
        ]
    assert_same(found, expected, [name for name in expected if name not in entry.scores])


@each_case
def test_largest_and_infinite_scores_are_only_ranks(entry, sample):
    y, columns = sample
    moved = [
        np.where(c == c.max(), math.inf, np.where(c == c.min(), -math.inf, c)) if np.ptp(c) else c
        for c in columns
    ]
    expected = figures_of(entry, sample)
    assert_same(entry.call(taken(entry, y, moved)), expected, [n for n in expected if n not in entry.scores])


# ---- The classes change places ----------------------------------------------------------------------------


@on_both_paths
def test_class_swap(path, entry, sample):
    """Negated scores with swapped labels state the same problem: P(-X- > -X+) is the same area."""
    y, columns = sample
    found = entry.call(taken(entry, 1 - y, [-column for column in columns]))
    expected = entry.swap(figures_of(entry, sample))
    assert_same(found, expected, **TIGHT)


# ---- Repeated rows ----------------------------------------------------------------------------------------


@on_both_paths
def test_repeated_rows(path, entry, sample):
    """Curve and area stay exactly. Each class's part of DeLong's variance shrinks by (m - 1) / (2m - 1)."""
    y, columns = sample
    found = entry.call(taken(entry, np.tile(y, 2), [np.tile(column, 2) for column in columns]))
    expected = figures_of(entry, sample)
    assert_same(found, expected, entry.repeated)
    sizes = [int((y == c).sum()) for c in (0, 1)]
    if min(sizes) > 1:
        factors = sorted((m - 1) / (2 * m - 1) for m in sizes)
        for name in entry.variances:
            before, after = np.asarray(expected[name]), np.asarray(found[name])
            assert (after >= factors[0] * before * (1 - 1e-12)).all()
            assert (after <= factors[1] * before * (1 + 1e-12)).all()


@each_weighted_case
@pytest.mark.parametrize("seed", [0, 1])
def test_whole_weights_are_repetitions(path, entry, sample, seed):
    y, columns = sample
    weights = np.random.default_rng(seed).integers(0, 4, y.size)
    weights[[np.argmax(y == 0), np.argmax(y == 1)]] = 1
    repeated = entry.call(taken(entry, np.repeat(y, weights), [np.repeat(c, weights) for c in columns]))
    assert_same(entry.call(taken(entry, y, columns, sample_weight=weights)), repeated)
    assert_same(entry.call(taken(entry, y, columns, sample_weight=weights.astype(float))), repeated)


@each_weighted_case
@pytest.mark.parametrize("factor", [0.1, 1 / 3, 1e-6, 1e6, 0.7])
def test_the_scale_of_weights_does_not_matter(entry, sample, factor):
    y, columns = sample
    expected = figures_of(entry, sample)
    found = entry.call(taken(entry, y, columns, sample_weight=np.full(y.size, factor)))
    names = [name for name in expected if name not in ("n_pos", "n_neg")]
    assert_same(found, expected, names, **TIGHT)


# ---- Names of the labels ----------------------------------------------------------------------------------

NAMES = {
    "0/1": (0, 1, None),
    "-1/1": (-1, 1, None),
    "bool": (False, True, None),
    "floats": (0.0, 1.0, None),
    "1/2": (1, 2, 2),
    "2/1": (2, 1, 1),
    "text": ("well", "ill", "ill"),
    "text turned round": ("a", "b", "b"),
    "with a blank": ("no ", "yes", "yes"),
}


@at_doors("names", NAMES)
def test_label_names(entry, names):
    sample = SAMPLES["few ties"]
    y, columns = sample
    negative, positive, pos_label = names
    labels = [positive if label else negative for label in y]
    options = {} if pos_label is None else {"pos_label": pos_label}
    assert_same(entry.call(taken(entry, labels, columns, **options)), figures_of(entry, sample))


LABEL_TYPES = {
    "list": list,
    "tuple": tuple,
    "object": lambda y: np.array(y, object),
    "pandas": lambda y: pd.Series(y, index=np.arange(len(y))[::-1] * 7),
    "pandas nullable": lambda y: pd.Series(y, dtype="Int64"),
    "pandas boolean": lambda y: pd.Series(np.array(y, bool), dtype="boolean"),
    "pandas categorical": lambda y: pd.Series(pd.Categorical(y)),
    "polars": lambda y: pl.Series(y),
    "polars bool": lambda y: pl.Series([bool(v) for v in y]),
    "uint8": lambda y: np.array(y, np.uint8),
    "big endian": lambda y: np.array(y, ">i4"),
}


@at_doors("make", LABEL_TYPES)
def test_types_of_labels(entry, make):
    sample = SAMPLES["few ties"]
    y, columns = sample
    assert_same(entry.call(taken(entry, make(y.tolist()), columns)), figures_of(entry, sample))


TEXT_TYPES = {
    "numpy text": np.array,
    "numpy strings": lambda y: np.array(y, np.dtypes.StringDType()),
    "pandas text": pd.Series,
    "pandas string": lambda y: pd.Series(y, dtype="string"),
    "pandas categorical": lambda y: pd.Series(pd.Categorical(y, categories=["ill", "well", "unused"])),
    "polars text": pl.Series,
    "polars categorical": lambda y: pl.Series(y, dtype=pl.Categorical),
    "polars enum": lambda y: pl.Series(y, dtype=pl.Enum(["ill", "well"])),
}


@doors_and_turns("make", TEXT_TYPES)
def test_types_of_text_labels(entry, make):
    sample = SAMPLES["few ties"]
    y, columns = sample
    labels = make(["ill" if label else "well" for label in y])
    assert_same(entry.call(taken(entry, labels, columns, pos_label="ill")), figures_of(entry, sample))


# ---- Types of the scores ----------------------------------------------------------------------------------

SCORE_TYPES = {
    "list": lambda s: s.tolist(),
    "tuple": lambda s: tuple(s.tolist()),
    "float16": lambda s: s.astype(np.float16),
    "float32": lambda s: s.astype(np.float32),
    "longdouble": lambda s: s.astype(np.longdouble),
    "object": lambda s: s.astype(object),
    "big endian": lambda s: s.astype(">f8"),
    "strided": lambda s: np.repeat(s, 3)[::3],
    "reversed view": lambda s: s[::-1].copy()[::-1],
    "read-only": lambda s: np.frombuffer(s.tobytes()),
    "pandas": lambda s: pd.Series(s, index=["x"] * len(s)),
    "pandas nullable": lambda s: pd.Series(s, dtype="Float64"),
    "pandas float32": lambda s: pd.Series(s, dtype="float32"),
    "polars": lambda s: pl.Series(s),
    "polars float32": lambda s: pl.Series(s, dtype=pl.Float32),
}


@doors_and_turns("make", SCORE_TYPES)
def test_types_of_scores(path, entry, make):
    sample = SAMPLES["few ties"]
    y, columns = sample
    assert_same(entry.call(taken(entry, y, [make(c) for c in columns])), figures_of(entry, sample))


INTEGER_TYPES = {
    "int8": lambda s: s.astype(np.int8),
    "int64": lambda s: s.astype(np.int64),
    "list of ints": lambda s: [int(v) for v in s],
    "pandas nullable": lambda s: pd.Series(s.astype(np.int64), dtype="Int64"),
    "polars": lambda s: pl.Series(s.astype(np.int64)),
}


@at_doors("make", INTEGER_TYPES)
def test_types_of_whole_scores(entry, make):
    sample = SAMPLES["many ties"]
    y, columns = sample
    assert_same(entry.call(taken(entry, y, [make(c) for c in columns])), figures_of(entry, sample))


# ---- Both paths through the core --------------------------------------------------------------------------


@each_case
def test_small_and_large_paths_agree(entry, sample, monkeypatch):
    from rocscope.core import curve, scores, table

    expected = figures_of(entry, sample)
    for module in (table, scores, curve):
        monkeypatch.setattr(module, "LARGE", 0)
    assert_same(call_on(entry, sample), expected)


@each_reader_of_arrays
def test_inputs_are_left_as_they_were(path, entry):
    y, columns = SAMPLES["few ties"]
    before = y.copy(), [column.copy() for column in columns]
    call_on(entry, (y, columns))
    np.testing.assert_array_equal(y, before[0])
    for column, kept in zip(columns, before[1], strict=True):
        np.testing.assert_array_equal(column, kept)


# ---- A curve lies in its own band --------------------------------------------------------------------------

BANDS = {
    "at FPR": lambda y, s, **how: rocscope.roc_band(y, s, **how, **DRAWS),
    "at FPR, simultaneous": lambda y, s, **how: rocscope.roc_band(y, s, simultaneous=True, **how),
    "at TPR": lambda y, s, **how: rocscope.roc_band(y, s, at="tpr", **how, **DRAWS),
    "at TPR, simultaneous": lambda y, s, **how: rocscope.roc_band(y, s, at="tpr", simultaneous=True, **how),
    "at thresholds": lambda y, s, **how: rocscope.roc_band(y, s, at="threshold", **how),
    "at thresholds, simultaneous": lambda y, s, **how: rocscope.roc_band(
        y, s, at="threshold", simultaneous=True, **how
    ),
    "precision": lambda y, s, **how: rocscope.precision_recall(y, s, **how, **DRAWS).band,
    "net benefit": lambda y, s, **how: rocscope.net_benefit(y, 1 / (1 + np.exp(-s)), **how).band,
    **{
        f"folds along {along}": lambda y, s, along=along, **how: rocscope.average_curves(
            y, s, fold=halves(y), along=along, **how
        )
        for along in ("fpr", "tpr", "threshold")
    },
}


def halves(y):
    """Two folds with both classes, where the classes have two members."""
    return np.where(y == 1, np.cumsum(y == 1), np.cumsum(y == 0)) % 2


@pytest.mark.parametrize("level", [1e-12, 0.5, 0.95, 1 - 1e-16])
@pytest.mark.parametrize("band", BANDS.values(), ids=BANDS.keys())
@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(sample, id=name, marks=[] if name in QUICK else [pytest.mark.slow])
        for name, sample in SAMPLES.items()
    ],
)
def test_a_curve_lies_in_its_own_band(sample, band, level):
    y, columns = sample
    for scores in columns:
        try:
            found = band(y, scores, level=level)
        except rocscope.UndefinedError:  # a fold without a positive has no curve
            continue
        inside = (found.low <= found.mean) & (found.mean <= found.high)
        assert inside[found.defined].all()
        if hasattr(found, "fpr_low"):
            assert ((found.fpr_low <= found.fpr) & (found.fpr <= found.fpr_high))[found.defined].all()
