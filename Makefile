# Everything runs in .venv, which is made on first use and again whenever the pins change.
PYTHON ?= python3
BIN := .venv/bin
# Two workers: the suite is written for two cores and must pass on one.
PYTEST := $(BIN)/python -m pytest -n 2 -q

.PHONY: demo test check stress lint bench clean

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	$(BIN)/python -c "from rocscope.core import kernels; kernels.warm_up()"
	touch $@

demo: .venv/.installed
	$(BIN)/rocscope demo --out demo

lint: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint
	$(PYTEST) -m "not slow and not stress"

test: lint
	$(PYTEST) -m "not stress"

# Minutes; or for as long as wanted, with new cases: ROCSCOPE_STRESS_SECONDS=1800 make stress (seconds per file).
stress: .venv/.installed
	$(PYTEST) tests/stress

bench: .venv/.installed
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv demo .mypy_cache .pytest_cache .ruff_cache
