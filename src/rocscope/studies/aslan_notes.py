"""What the study of Aslan et al. has in common with the paper, and what not."""

from __future__ import annotations

SAME = (
    "Five learners, all pairs; a third of the cases is the test set of all fold models; paired t tests of "
    "the fold AUCs and of the fold errors at 0.05.",
    "k-NN chooses its k on the left-out fold.",
    "Of more than two classes the two that 1-nearest-neighbour confuses most.",
)
CHOSEN = (
    "Text features become 0/1 columns, one for each value; missing numbers the median, missing texts a "
    "value of their own. The paper does not say.",
    "chess is king and rook against king (depths 13 and 14), thyroid is allhyper, nursery the pair that "
    "the 1-NN rule gives: the likeliest readings of the paper's names.",
    "The paper's test is conditional on its one test set; tests over its cases, over left-out folds and over "
    "halves are beside it.",
)
MISSING = (
    "gina, aibocolor and report; test parts of ada and sylva.",
    "The paper's own numbers for each pair: it prints the four counts and six examples.",
)
INCONSISTENT = (
    "30 models tested on the same cases differ far less than the luck of that test set: the paired t test "
    "over them rejects true nulls 95 to 98 times in 100 (simulated, docs/algorithms.md).",
    "The text of figure 7 says that the error distributions do not overlap and that the test cannot "
    "reject; the caption says that both tests reject.",
    "Accepting a null hypothesis is taken as detecting equivalence.",
)
