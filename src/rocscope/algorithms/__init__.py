"""Learning algorithms compared over folds and data sets, by AUC and by error side by side.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", technical report FBE-CMPE-06/2009-03, Bogazici University, 2009.

| [1] | here |
|---|---|
| table I: error | `training.train_fold` |
| section II, theta = lambda / (1 + lambda) | `losses.loss_threshold`, `losses.loss_curves` |
| section II, curves that cross or dominate | `mean_curves.curve_crossings` |
| section III, eqs. (1)-(2): paired t test over folds | `battery.run_battery`, "paired-t" |
| section IV.A.1: two classes by 1-nearest-neighbour | `problems.read_problems` |
| section IV.A.3: a third for the test, 30 folds of the rest | `protocol.plan_folds`, "holdout" |
| section IV.B: the four cases | `verdicts.count_cases` |
| figure 1: thresholds on the curve | `loss_curves(...).plot()` |
| figures 2 to 5: two algorithms, fold by fold | `algorithm_pair(...).plot()` |
| figures 6 and 7: intervals of one training | `fold_distribution(...).plot()` |
| section V: many data sets (Demsar's tests) | `ranks.compare_ranks`, `friedman` |
| section VI: nonparametric tests | `signed_ranks`, `sign_flips` |

The way of a comparison: `compare` asks `problems` (data), `protocol` (folds), `seeds` and `training`
(models), then `assemble` puts the result together: `battery` runs all tests at once, `common_test` those
over the cases of one test set, `verdicts` and `ranks` conclude. Beyond [1]: corrections for overlapping
training sets, 5x2cv tests (`five_by_two`), the Bayesian correlated t test (`bayes`), exact permutations;
and no test over folds that share a test set without the words "conditional on this test set".
"""
