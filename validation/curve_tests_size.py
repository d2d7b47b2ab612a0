"""How often each test between curves errs where the curves are the same: at level 0.95, 5 % of the time.

python validation/curve_tests_size.py [SAMPLES]

Continuous and five-level scores, paired and unpaired, small samples. With 1,000 samples a rate of 0.05 has a
standard error of 0.007.
"""

import sys

import numpy as np

from rocscope import compare_auc

METHODS = ("delong", "bootstrap", "hanley-mcneil", "permutation", "venkatraman", "sensitivity", "specificity")
AT = {"sensitivity": 0.3, "specificity": 0.7}
# Positives and negatives of the first and of the second curve; paired curves take the first two.
SIZES = ((10, 10, 10, 10), (20, 20, 20, 20), (10, 30, 30, 10), (40, 60, 40, 60))


def scores(y, common, rng, levels):
    values = y + common + rng.normal(size=y.size)
    return values if levels is None else np.clip(np.round(values), -(levels // 2), levels // 2)


def sample(sizes, rng, paired, levels):
    m1, n1, m2, n2 = sizes
    y = {"a": np.repeat([1, 0], [m1, n1]), "b": np.repeat([1, 0], [m1, n1] if paired else [m2, n2])}
    common = {"a": rng.normal(size=y["a"].size)}
    common["b"] = common["a"] if paired else rng.normal(size=y["b"].size)
    columns = {name: scores(y[name], common[name], rng, levels) for name in y}
    return (y["a"] if paired else y), columns


def rejections(method, sizes, paired, levels, n_samples, seed):
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_samples):
        y, columns = sample(sizes, rng, paired, levels)
        result = compare_auc(y, columns, method=method, paired=paired, at=AT.get(method), n_boot=199, rng=rng)
        found.append(result.p_value is not None and result.p_value <= 0.05)
    return float(np.mean(found))


def main(n_samples):
    for paired in (True, False):
        for levels in (None, 5):
            for sizes in SIZES:
                rates = {m: rejections(m, sizes, paired, levels, n_samples, seed=1) for m in METHODS}
                how = "paired" if paired else "unpaired"
                summary = "  ".join(f"{m} {rate:.3f}" for m, rate in rates.items())
                print(f"{how} {sizes} levels {levels}: {summary}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
