# Every target makes what it needs from nothing but python3 and make.
PYTHON ?= python3
PY = .venv/bin/python

.PHONY: setup services demo test check bench conformance

setup: .venv/.ready

.venv/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(PY) -m compileall -q src
	touch $@

# Servers for the tests of the outside world, where they can be had; their tests are skipped where not.
services: .venv/.services

.venv/.services: .venv/.ready tests/outside/setup.py
	$(PY) -m tests.outside.setup
	touch $@

demo: setup
	@$(PY) examples/demo.py

check: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check --quiet .
	$(PY) -m mypy

test: check services
	$(PY) -m pytest

bench: .venv/.bench
	$(PY) -m compileall -q src
	$(PY) -m benchmarks

# What the benchmarks compare with.
.venv/.bench: .venv/.ready
	$(PY) -m pip install --quiet --disable-pip-version-check '.[bench]' && $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

conformance: setup
	$(PY) -m tests.conformance
