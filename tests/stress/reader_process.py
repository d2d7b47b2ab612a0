"""Reads the files that standard input names, an outcome per line: a process that a file may kill."""

import json
import sys
import warnings

import numpy as np

import rocscope as rs


def outcome(path: str, options: dict) -> dict:
    try:
        data = rs.read_scores(path, **options)
        tables = (
            [data] if isinstance(data, rs.ScoreTable) else [data.table(k) for k in range(len(data.columns))]
        )
        return {
            "answer": [
                [float(np.sum(table.pos)), float(np.sum(table.neg)), float(table.auc)] for table in tables
            ]
        }
    except rs.RocscopeError as error:
        return {"refused": str(error)}
    except BaseException as error:
        return {"fault": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    warnings.simplefilter("error")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(outcome(*json.loads(line))) + "\n")
        sys.stdout.flush()
