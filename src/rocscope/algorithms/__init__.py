"""Learning algorithms compared over folds and data sets, by AUC and by error side by side.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", technical report FBE-CMPE-06/2009-03, Bogazici University, 2009.

| [1] | here |
|---|---|
| table I: error | `records.FoldRecord` |
| section II, theta = lambda / (1 + lambda) | `losses.loss_threshold`, `losses.loss_curves` |
| section II, curves that cross or dominate | `losses.curve_crossings` |
| section III, eqs. (1)-(2): paired t test over folds | `paired_tests.run_battery`, "paired-t" |
| section IV.A.1: two classes by 1-nearest-neighbour | `protocol.read_datasets` |
| section IV.A.3: a third for the test, 30 folds of the rest | `protocol.plan_folds`, "holdout" |
| section IV.B: the four cases | `comparison.AlgorithmComparison.cases` |
| figure 1: thresholds on the curve | `loss_curves(...).plot()` |
| figures 2 to 5: two algorithms, fold by fold | `algorithm_pair(...).plot()` |
| figures 6 and 7: intervals of one training | `fold_distribution(...).plot()` |
| section V: many data sets (Demsar's tests) | `ranks.compare_ranks` |
| section VI: nonparametric tests | `fold_tests` |

`comparison.compare_algorithms` takes data sets and folds from `protocol`, trains each algorithm on each fold
(`records`), runs all tests at once (`paired_tests`, on the single tests in `fold_tests`) and returns the
result with its verdicts, its tests over cases (`decisions`) and, over data sets, its `ranks`. Beyond [1]:
corrections for overlapping training sets, 5x2cv tests, the Bayesian correlated t test, exact permutations,
folds of one's own; McNemar's, Cochran's and Quade's tests, Shaffer's adjustment and the `hierarchical`
Bayesian test; and no test over folds that share a test set without the words "conditional on this test set".
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
