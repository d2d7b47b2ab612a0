"""A paper's study that takes no time, for the tests of the commands; tests change `state`."""

import numpy as np

from rocscope.core.curve import RocCurve
from rocscope.papers.base import Figure, Options, Paper, PaperSummary, Table, table_row
from rocscope.run.study import Study, StudyTask

state = {"ran": [], "bad": None, "interrupt": None, "notes": (), "prepare": None}


def work(k, seed):
    state["ran"].append(k)
    if k == state["bad"]:
        raise ValueError("a bad day")
    if k == state["interrupt"]:
        raise KeyboardInterrupt
    return float(np.random.default_rng(seed).random())


def make(options: Options) -> Study:
    n = 3 if options.is_quick else 6
    tasks = tuple(StudyTask(key=f"t/{k}", function=work, parameters={"k": k}) for k in range(n))
    own = {name: state[name] for name in ("notes", "prepare")}
    return Study(name="tiny", tasks=tasks, seed=options.seed, **own)


def summarise(results, options: Options) -> PaperSummary:
    import rocscope as rs

    curve: RocCurve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    rows = [table_row(0.5, value, 0.1, key=key) for key, value in results.items()]
    return PaperSummary(
        tables=(Table(name="numbers", rows=rows),),
        figures=(Figure(name="one", result=curve), Figure(name="two", result=curve, beside=(curve,))),
        findings=("It was found.",),
        same=("The tasks.",),
        choices=("The numbers.",),
        missing=("The paper.",),
        inconsistent=("Nothing.",),
    )


PAPER = Paper("tiny", "N. N.: A tiny paper", make, summarise)
