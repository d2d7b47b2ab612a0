# Everything runs in .venv, which is made on first use and again whenever the pins change.
PYTHON ?= python3
BIN := .venv/bin
# The suite starts some hundred processes: none of them should compile every module again.
unexport PYTHONDONTWRITEBYTECODE
# Two workers: the suite is written for two cores and must pass on one. Each begins with one half of the
# tests, so that the tests of a module share their fixtures, and then takes over what the other has left.
# One thread each for linear algebra and OpenMP: idle ones spin, and take a tenth of all processor time.
# A test that hangs fails after ten minutes with the line it waits on.
PYTEST := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q --timeout 600

.PHONY: demo test check stress lint bench lowest docs dist clean

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	$(BIN)/python -c "from rocscope.core import kernels; kernels.warm_up()"
	touch $@

# What the demo needs, and the app that it names at its end; no more.
.venv/.demo: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[app]"
	touch $@

demo: .venv/.demo
	$(BIN)/rocscope demo --out demo

lint: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint
	$(PYTEST) -m "not slow and not stress"

test: lint
	$(PYTEST) -m "not stress"

# Minutes; or longer, with new cases: ROCSCOPE_STRESS_SECONDS=1800 make stress (seconds per file).
stress: .venv/.installed
	$(PYTEST) -m stress

# The quick tests with the oldest versions that pyproject.toml allows.
lowest: .lowest/.installed
	.lowest/bin/python -m pytest -q -m "not slow and not stress" tests/core tests/inference tests/averaging tests/io

.lowest/.installed: pyproject.toml
	$(PYTHON) -m venv .lowest
	$(PYTHON) validation/lowest.py > .lowest/constraints.txt
	.lowest/bin/python -m pip install --quiet --disable-pip-version-check -c .lowest/constraints.txt -e ".[all]" \
	  pytest hypothesis polars
	touch $@

# The site, in docs/_build/html: every block of its pages runs, and a warning is an error. Then its links are followed.
docs: .venv/.installed
	rm -rf docs/_build docs/_generated docs/api
	$(BIN)/sphinx-build -b html -W --keep-going -j 2 -q docs docs/_build/html
	$(BIN)/python docs/check_site.py docs/_build/html
	ROCSCOPE_SITE=$(CURDIR)/docs/_build/html $(BIN)/python -m pytest -q -n 0 tests/browser/test_site.py

# What is released, in dist/: built twice and compared, checked, with its bill of materials and licences.
dist: .venv/.installed
	$(BIN)/python validation/release.py dist

bench: .venv/.installed
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .lowest demo dist docs/_build docs/_generated docs/api .mypy_cache .pytest_cache .ruff_cache
