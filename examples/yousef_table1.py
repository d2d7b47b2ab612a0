"""Table 1 and figures 3 to 5 of Yousef, Wagner and Loew (AIPR 2004): bootstrap estimators of the AUC."""

from rocscope import plotting
from rocscope.bootstrap.components import variance_components
from rocscope.bootstrap.monte_carlo import monte_carlo
from rocscope.papers.yousef import beside_table1, table1_text
from rocscope.plotting import picture
from rocscope.plotting.monte_carlo import dimensions

# QDA on five features, squared distance 0.8, one test set of 1,000 per class: 400,000 trainings.
found = monte_carlo("qda", n=(20, 40, 100, 200), trials=1000, n_boot=100, rng=2004)
print(found, end="\n\n")

# How much the one test set matters: every training set crossed with every test set.
crossed = variance_components("qda", n=found.n, n_test=1000, training_sets=50, test_sets=50, rng=2004)
print(crossed, end="\n\n")

rows = beside_table1(found, crossed)
print("Ours beside the paper's; z: difference over its error, counting the trials of both, and the test sets")
print(table1_text(rows), end="\n\n")
exact = [abs(row.z) for row in rows if row.test_error == 0]
print(f"Largest |z| of the {len(exact)} means and SDs of the estimators: {max(exact):.1f}")
print("The true AUC, and RMS around its mean, hang on the one test set that all trials share. Ours is")
print("another than the paper's and moves all true means together; z counts how far test sets do that.")
for row in rows[::15]:
    summary = f"{row.ours - row.printed:+.4f}, where two test sets differ by {row.test_error:.4f} (SD)"
    print(f"  n = {row.n}: mean true AUC differs by {summary}")

# Figures 4 and 5, and figure 3 (several dimensions), with test sets of their own: no common offset.
fresh = {"common_test": False, "rng": 2004}
finer = monte_carlo("qda", n=(20, 25, 32, 40, 63, 80, 100, 126, 158, 200), trials=200, **fresh)
plotting.save(picture(finer), "yousef_figure_4.png", dpi=80)
plotting.save(picture(finer, show="rescaled"), "yousef_figure_5.png", dpi=80)
sizes = (20, 40, 60, 100, 200, 400)
several = [monte_carlo("qda", n=sizes, dimension=p, trials=100, n_boot=0, **fresh) for p in (2, 5, 10)]
plotting.save(dimensions(several), "yousef_figure_3.png", dpi=80)
plotting.save(picture(crossed), "yousef_components.png", dpi=80)
