"""Every measure of a confusion matrix of any number of classes: what the explorer of the page agrees with.

The largest class error has no standard error: at a maximum the delta method does not hold, since another
class may have the largest error in another sample.
"""

import numpy as np

from rocscope.core.measures import cost_matrix
from rocscope.inference.point_measures import expected_cost, mean_share, share_of_all

AT_A_MAXIMUM = "the largest of several shares: another class may have it in another sample"


def class_estimates(confusion, kind, *, classes, prevalence=None, cost=None):
    """Estimates by their names in `core.measures`; rejected cases are a last column more."""
    cells = np.asarray(confusion)
    sizes, right = cells.sum(axis=1), np.diagonal(cells)
    rejected = cells[:, len(cells) :].sum(axis=1)
    wrong = sizes - right - rejected
    empty = [f"class {name!s} has no cases" for name, size in zip(classes, sizes, strict=True) if size == 0]

    def of_class(c, name):
        if not sizes[c]:
            return kind.undefined(f"error({name})", f"class {name!s} has no cases")
        return kind.proportion(f"error({name})", int(wrong[c]), int(sizes[c]))

    def of_all(name, counts):
        """A share of all cases needs no case of every class, unless there is a prevalence."""
        if empty and (prevalence is not None or not cells.any()):
            return kind.undefined(name, empty[0])
        return share_of_all(name, counts, sizes, kind, prevalence)

    def of_classes(name, make):
        return kind.undefined(name, empty[0]) if empty else make()

    def largest():
        value, partial = float((wrong / sizes).max()), {"status": "partial", "reason": AT_A_MAXIMUM}
        return kind.estimate("max-class-error", value, (None, None), se=None, **partial)

    def expected():
        table = cost_matrix(cost, n_classes=len(cells))
        return expected_cost("cost", cells, table, kind, prevalence)

    return {
        **{f"error({name})": of_class(c, name) for c, name in enumerate(classes)},
        "accuracy": of_all("accuracy", right),
        "error": of_all("error", wrong),
        "reject_rate": of_all("reject_rate", rejected),
        **{
            name: of_classes(name, lambda name=name, counts=counts: mean_share(name, counts, sizes, kind))
            for name, counts in (("balanced_accuracy", right), ("mean-class-error", wrong))
        },
        "max-class-error": of_classes("max-class-error", largest),
        "cost": of_classes("cost", expected),
    }
