"""Do the tests and intervals of reader studies hold? By simulation from the model of Roe and Metz.

    python validation/reader_study_simulation.py [REPLICATES]

Scores of a reader in a modality on a case are the sum of independent normal effects, apart for positives and
negatives: of the reader, of reader and modality, of the case, of case and modality, of reader and case, and
an error; positives are moved up by a shift [1]_. The structures are lines of table 1 of [1]_: large or small
correlation of the readings of a case (H, L), and the variance between readers that goes with the shift. Five
readers, two modalities, 50 positive and 50 negative cases unless the table says otherwise; both modalities
have the same shift, so that every rejection is wrong. "mean" is the coverage of the 95 % interval of the
first mean area, whose true value is Phi(shift / sqrt(2 + 2 (var_R + var_TR))). "z" takes the statistic
of delong as normal, without degrees of freedom.

The second table keeps the readers, or takes what is random as fixed. The third has other designs: groups of
readers with cases of their own, cases nested in readers, and a tenth of the readings missing at random. The
last one compares the power that `power` gives, the mean over 100 pilot studies of 60 readers and 300 + 300
cases, with the share of studies that reject.

.. [1] Roe, Metz: Dorfman-Berbaum-Metz method for statistical analysis of multireader, multimodality receiver
   operating characteristic data: validation with computer simulation, Academic Radiology 4, 1997.
"""

import math
import sys

import numpy as np
from scipy import special

import rocscope as rs

REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
READERS, N = 5, 50
PILOTS = 100
# Shift; variance of readers and of readers by modality; of case, case by modality, reader by case, and error.
STRUCTURES = {
    "H, area 0.702": (0.75, 0.0055, (0.3, 0.3, 0.2, 0.2)),
    "H, area 0.855": (1.5, 0.0055, (0.3, 0.3, 0.2, 0.2)),
    "L, area 0.702": (0.75, 0.011, (0.1, 0.1, 0.2, 0.6)),
    "L, area 0.855": (1.5, 0.03, (0.1, 0.1, 0.2, 0.6)),
    "L, area 0.962": (2.5, 0.056, (0.1, 0.1, 0.2, 0.6)),
}
ANALYSES = {
    "delong": {"method": "delong"},
    "jackknife": {"method": "jackknife"},
    "unbiased": {"method": "unbiased"},
    "gallas": {"method": "gallas"},
}


def draw(rng, structure, *, readers=READERS, n=N, shifts=None, skill=None):
    """Scores (modality, reader, case), the first half of the cases positive; `skill` keeps the readers."""
    shift, var_reader, (case, case_modality, reader_case, error) = structure
    parts = []
    for truth in (1, 0):

        def normal(variance, *shape):
            return math.sqrt(variance) * rng.standard_normal(shape)

        own = (normal(var_reader, 1, readers, 1), normal(var_reader, 2, readers, 1))
        if skill is not None:
            own = skill[truth]
        scores = sum(own) + normal(case, 1, 1, n) + normal(case_modality, 2, 1, n)
        scores = scores + normal(reader_case, 1, readers, n) + normal(error, 2, readers, n)
        if truth:
            scores = scores + np.array(shifts or (shift, shift))[:, None, None]
        parts.append(scores)
    return np.concatenate(parts, axis=2)


def study(scores, read=None, **options):
    """The analysis of an array of scores; `read` marks the readings that there are."""
    cases = scores.shape[2]
    modality, reader, case = np.indices(scores.shape)
    kept = np.ones(scores.shape, dtype=bool) if read is None else read
    return rs.reader_study(
        (case < cases // 2)[kept].astype(int),
        scores[kept],
        reader=reader[kept],
        modality=modality[kept],
        case=case[kept],
        **options,
    )


def ratings(scores, shift):
    """Five categories, cut at equal steps between the classes."""
    return np.digitize(scores, np.linspace(-0.5, shift + 0.5, 4)).astype(float)


def expected_area(structure):
    shift, var_reader, _ = structure
    return float(special.ndtr(shift / math.sqrt(2 + 4 * var_reader)))


def percent(values):
    share = float(np.mean(values))
    return f"{100 * share:.1f} ({100 * math.sqrt(share * (1 - share) / len(values)):.1f})"


def sizes():
    print(f"Rejections at 5 % (Monte-Carlo error) and coverage of the mean, {REPLICATES} studies each")
    print("| structure | scores | " + " | ".join(ANALYSES) + " | mean, delong | z |")
    for name, structure in STRUCTURES.items():
        for scale in ("continuous", "ratings"):
            if scale == "ratings" and not name.startswith("L, area 0.8"):
                continue
            rng = np.random.default_rng(1)
            truth = expected_area(structure)
            if scale == "ratings":  # of the categories, by a large draw
                large = np.concatenate(
                    [ratings(draw(rng, structure, readers=20, n=500), structure[0]) for _ in range(20)],
                    axis=1,
                )
                truth = float(study(large, method="delong", cases="fixed").auc.mean())
            rejected, covered, plain = {key: [] for key in ANALYSES}, [], []
            for _ in range(REPLICATES):
                scores = draw(rng, structure)
                scores = ratings(scores, structure[0]) if scale == "ratings" else scores
                for key, options in ANALYSES.items():
                    found = study(scores, **options)
                    rejected[key].append(found.p_value is not None and found.p_value < 0.05)
                    if key == "delong":
                        covered.append(found.means[0].low <= truth <= found.means[0].high)
                        plain.append(abs(found.statistic) > 1.959964)
            cells = [percent(rejected[key]) for key in ANALYSES]
            print(f"| {name} | {scale} | " + " | ".join([*cells, percent(covered), percent(plain)]) + " |")


def effects():
    """Readers or cases that stay the same in all studies: what treats them as random, and as fixed, does."""
    print("\nThe same readers in every study: rejections at 5 %")
    structure = STRUCTURES["L, area 0.855"]
    rng = np.random.default_rng(2)
    # Readers whose modalities have the same mean difference of 0.
    _, var_reader, _ = structure
    skill = {}
    for truth in (1, 0):
        common = math.sqrt(2 * var_reader) * rng.standard_normal((1, READERS, 1))
        skill[truth] = (common, np.zeros((2, READERS, 1)))
    results = {"fixed readers": [], "random readers": []}
    for _ in range(REPLICATES):
        scores = draw(rng, structure, skill=skill)
        results["fixed readers"].append(study(scores, readers="fixed").p_value < 0.05)
        results["random readers"].append(study(scores).p_value < 0.05)
    print({key: percent(values) for key, values in results.items()})
    print("New readers and new cases, analysed as if readers or cases were fixed: rejections at 5 %")
    results = {"fixed readers": [], "fixed cases": []}
    for _ in range(REPLICATES):
        scores = draw(rng, structure)
        results["fixed readers"].append(study(scores, readers="fixed").p_value < 0.05)
        results["fixed cases"].append(study(scores, cases="fixed").p_value < 0.05)
    print({key: percent(values) for key, values in results.items()})


def designs():
    print(f"\nOther designs, L, area 0.855, 8 readers: rejections at 5 %, {REPLICATES} studies each")
    structure = STRUCTURES["L, area 0.855"]
    J, cases = 8, 2 * N
    reader, case = np.indices((J, cases))
    layouts = {
        "split-plot, 2 groups": lambda rng: np.broadcast_to(case % 2 == reader % 2, (2, J, cases)),
        "split-plot, 4 groups": lambda rng: np.broadcast_to(case % 4 == reader % 4, (2, J, cases)),
        "nested in readers": lambda rng: np.broadcast_to(case % J == reader, (2, J, cases)),
        "one reading in ten missing": lambda rng: rng.random((2, J, cases)) > 0.1,
    }
    for name, layout in layouts.items():
        rng = np.random.default_rng(3)
        rejected = {"unbiased": [], "jackknife": [], "gallas": []}
        for _ in range(REPLICATES):
            scores, read = draw(rng, structure, readers=J), layout(rng)
            for method, values in rejected.items():
                p = study(scores, read, method=method).p_value
                values.append(p is not None and p < 0.05)
        print(f"| {name} | " + " | ".join(percent(values) for values in rejected.values()) + " |")


def powers():
    print(f"\nPower: planned from pilot studies, and the share of {REPLICATES} studies that reject")
    structure = STRUCTURES["L, area 0.855"]
    for readers, n, shifts in (
        (5, 50, (1.5, 1.9)),
        (10, 50, (1.5, 1.9)),
        (5, 150, (1.5, 1.9)),
        (10, 100, (1.5, 1.75)),
    ):
        rng = np.random.default_rng(4)
        _, var_reader, _ = structure
        areas = [float(special.ndtr(s / math.sqrt(2 + 4 * var_reader))) for s in shifts]
        difference = areas[0] - areas[1]
        sizes = {"n_readers": readers, "n_pos": n, "n_neg": n, "difference": difference}
        pilots = (study(draw(rng, structure, readers=60, n=300, shifts=shifts)) for _ in range(PILOTS))
        planned = float(np.mean([pilot.power(**sizes).power for pilot in pilots]))
        rejected = [
            study(draw(rng, structure, readers=readers, n=n, shifts=shifts)).p_value < 0.05
            for _ in range(REPLICATES)
        ]
        print(f"| {readers} | {n} + {n} | {difference:+.4f} | {100 * planned:.1f} | {percent(rejected)} |")


if __name__ == "__main__":
    sizes()
    effects()
    designs()
    powers()
