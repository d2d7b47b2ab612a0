"""MLflow's own client takes the metrics of results, where it is installed."""

import numpy as np
import pytest

import rocscope as rs

Y = np.arange(60) % 2
SCORES = {"a": np.random.default_rng(1).normal(size=60) + Y, "b": np.random.default_rng(2).normal(size=60)}


@pytest.mark.filterwarnings("default")  # of a library that is not ours
def test_mlflow_gives_back_the_same_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    tracking = pytest.importorskip("mlflow.tracking")
    client = tracking.MlflowClient(tracking_uri=(tmp_path / "runs").as_uri())
    run = client.create_run(client.create_experiment("rocscope")).info.run_id
    metrics = rs.auc(Y, SCORES["a"]).log_metrics("test/")
    metrics |= rs.compare_auc(Y, SCORES).log_metrics("pair/")
    assert len(metrics) > 8
    for name, value in metrics.items():
        client.log_metric(run, name, value)
    assert client.get_run(run).data.metrics == metrics
