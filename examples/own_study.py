"""A study of one's own, 3 data sets x 3 learners x 10 folds: every task is done once, whatever happens."""

from itertools import product

from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import rocscope as rs
from rocscope.run.journal import Journal
from rocscope.run.study import Study, StudyTask, run_study

LEARNERS = {"linear": LogisticRegression(), "naive Bayes": GaussianNB(), "forest": RandomForestClassifier(10)}


def fold_auc(data, learner, fold, seed, **shared):
    """Train on the other folds, and count the area on this one."""
    X, y = shared[data]
    train, test = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))[fold]
    model = clone(LEARNERS[learner])
    if learner == "forest":  # chance comes from the seed of the task alone
        model.set_params(random_state=int(seed.generate_state(1)[0]))
    return rs.auc(y[test], model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]).value


if __name__ == "__main__":
    data = {f"made_{k}": make_classification(300, 8, class_sep=k / 4, random_state=k) for k in (1, 2, 3)}
    tasks = []
    for d, a, k in product(data, LEARNERS, range(10)):
        options = {"data": d, "learner": a, "fold": k}
        tasks.append(StudyTask(key=f"{d}/{a}/{k}", function=fold_auc, parameters=options, shared=(d,)))
    print(run_study(Study(name="learners", tasks=tuple(tasks), shared=data), "own_study", n_jobs=1))
    found = dict(Journal.look("own_study/journal.jsonl").results())
    for d, a in product(data, LEARNERS):
        print(f"{d}: {a:11} {sum(found[f'{d}/{a}/{k}'] for k in range(10)) / 10:.3f}")
