"""Areas of Spark's BinaryClassificationEvaluator beside ours, with the error and the seconds of each.

python validation/spark_areas.py (needs pyspark and Java; a million rows of rare positives with tiny scores)
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.sql import SparkSession

import rocscope as rs

ROWS = 1_000_000


def main() -> None:
    rng = np.random.default_rng(23)
    y = (rng.random(ROWS) < 0.001).astype(float)
    s = 0.01 / (1 + np.exp(5 - rng.normal(2.5 * y)))
    exact = rs.auc(y, s).value
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    for name in ("spark.driver.bindAddress", "spark.driver.host"):
        builder = builder.config(name, "127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "cases.parquet")
        pd.DataFrame({"y": y, "s": s}).to_parquet(path)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        frame = session.read.parquet(path)
        frame.count()
        for bins in (1000, 0):
            evaluator = BinaryClassificationEvaluator(rawPredictionCol="s", labelCol="y", numBins=bins)
            start = perf_counter()
            area = evaluator.evaluate(frame)
            print(f"Spark, numBins={bins}: {area - exact:+.1e}, {perf_counter() - start:.1f} s")
        frame.createOrReplaceTempView("cases")
        start = perf_counter()
        table = rs.from_query(session, "cases", label="y", score="s", bins=4096)
        error = f"{table.auc - exact:+.1e} (bound {table.bound:.1e})"
        print(f"from_query on Spark, 4096 bins: {error}, {perf_counter() - start:.1f} s")
        session.stop()


if __name__ == "__main__":
    main()
