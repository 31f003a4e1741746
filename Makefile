# Every target makes what it needs from nothing but python3 and make.
PYTHON ?= python3
PY = .venv/bin/python
# The address of the repository and of the documentation site, for what is built: make package ADDRESS=https://HOST/OWNER/plait
ifdef ADDRESS
export PLAIT_ADDRESS := $(ADDRESS)
endif
ifdef SITE
export PLAIT_SITE := $(SITE)
endif

# Tests are compiled once, not by each worker of each run: where the environment forbids to keep it, every run pays.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup services demo test long test-python test-again check bench bench-long matrix hooks test-ray conformance sanitize fuzz fuzz-short model mutants mutants-changed package docs pictures release-check reach vscode judges attack histories keeping laws binary losses origins

setup: .venv/.native

.venv/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	-$(PY) -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'  # its commands start without `re`
	$(PY) -m pip install --quiet --disable-pip-version-check --editable . --group dev
	$(PY) -m compileall -q src
	touch $@

# The native reader, where a C compiler and Python's headers are there; without them, plait is pure Python.
.venv/.native: .venv/.ready $(wildcard native/*.c native/*.h) native/build.py
	$(PY) native/build.py
	touch $@

# Servers for the tests of the outside world, where they can be had; their tests are skipped where not.
services: .venv/.services

.venv/.services: .venv/.ready tests/outside/setup.py
	$(PY) -m tests.outside.setup
	touch $@

# What plait does, on copies of the examples. It needs nothing but plait itself: no tools for tests, no compiler.
demo: .venv/.plait
	@$(PY) examples/demo.py

.venv/.plait: pyproject.toml
	test -e .venv/.ready || $(PYTHON) -m release.bare
	touch $@

check: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check --quiet .
	$(PY) -m mypy

test: check services
	$(PY) -m compileall -q src
	$(PY) -m pytest

# What takes seconds a test: random histories, growth, large and hostile inputs, every page, clusters, the tools of the tests.
# CI runs it, too.
long: check services
	$(PY) -m pytest -m long

# Only what failed in the last run, one after the other.
test-again:
	$(PY) -m pytest -n 0 -m '' --last-failed --last-failed-no-failures none

# The same without the native reader.
test-python: check services
	$(PY) -m compileall -q src
	PLAIT_NATIVE=0 $(PY) -m pytest

# A cluster of Ray, which is too large for every run.
test-ray: setup
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[ray]'
	$(PY) -m pytest -n 0 tests/distributed/test_ray.py

# The native reader under AddressSanitizer: memory that is lost, or read where it must not be.
sanitize: setup
	$(PY) -m tests.native.sanitize

# The attacks that once worked, ours and those beside the checkout; then files x commands at random: make attack SECONDS=600
attack: setup services
	PLAIT_PROMISES=all $(PY) -m pytest -n 0 -q tests/attacks tests/test_attacks.py tests/test_safety.py tests/test_forgery.py tests/test_canary.py
	$(PY) -m tests.attacks.scripts
	$(PY) -m fuzz sinks --seconds $(SECONDS)

# Look for texts and trees that break something: two minutes, as CI does, or ten.
fuzz-short: setup
	$(PY) -m fuzz --seconds 120

fuzz: setup
	$(PY) -m fuzz --seconds 600

# Explanations of generated projects, proved by changing the text: make proofs PROOFS=500
PROOFS ?= 100
proofs: setup
	PLAIT_PROOFS=$(PROOFS) $(PY) -m pytest -n 0 -m '' -q tests/laws/test_proofs.py

# Every scalar of all cases and examples, changed: it changes a result, or something says why not.
losses: setup
	PLAIT_LOSSES=1 $(PY) -m pytest -n 0 -m '' -q tests/laws/test_no_loss.py

# plait beside the models of tests/model, on random inputs: make model SECONDS=600
SECONDS ?= 60
model: setup
	$(PY) -m tests.model --seconds $(SECONDS)

# Every property, over more and other examples than in the suite: make laws EXAMPLES=1000, or of one folder: make laws OF=tests/yaml
EXAMPLES ?= 500
OF ?= tests
laws: setup
	PLAIT_RANDOM=1 PLAIT_EXAMPLES=$(EXAMPLES) $(PY) -m pytest -m '' $$(grep -rlE 'hypothesis|tests.examples' --include='test_*.py' $(OF))

# Random histories of generated folders, and merges beside git: make histories COUNT=1000
COUNT ?= 10000
histories: setup
	$(PY) -m tests.patterns.written $(COUNT) --all
	$(PY) -m tests.patterns.triples $(COUNT)
	$(PY) -m tests.patterns.histories $(COUNT) --all

# Random histories of repositories: every answer that is kept, on the disk or in memory, is what a fresh run says: make keeping SECONDS=3600
keeping: setup
	$(PY) -m tests.keeping --seconds $(SECONDS)

# Small changes of the code, and whether a test notices, first those near the module: make mutants PACKAGE=merging, or only the near ones:
# make mutants PACKAGE=merging NEAR=1, or MODULE=merging/combine.py, or one line of it: MODULE=merging/combine.py:40.
# CI looks at the lines that differ from the last commit of main, for less than two minutes, and names the scores that are too old.
JOBS ?= 1
mutants: setup
	$(PY) -m tests.mutants $(if $(MODULE),--module $(MODULE),$(PACKAGE)) $(if $(NEAR),--near) --jobs $(JOBS)

mutants-changed: setup
	$(PY) -m tests.mutants --old
	$(PY) -m tests.mutants --changed $(or $(SINCE),HEAD~1) --sample 30 --clock 100

bench: .venv/.bench
	$(PY) -m compileall -q src
	$(PY) -m benchmarks

# The same with sizes that take minutes: 100,000 jobs of spiff, and 20,000 resources generated again.
bench-long: .venv/.bench
	$(PY) -m compileall -q src
	PLAIT_BENCH_LONG=1 $(PY) -m benchmarks

# What the benchmarks compare with.
.venv/.bench: .venv/.ready
	$(PY) -m pip install --quiet --disable-pip-version-check --group bench
	touch $@

# Every read-only command about stacks over all shared examples, for every component.
matrix: setup
	PLAIT_MATRIX=all $(PY) -m pytest -m '' -q tests/stacks/test_matrix.py

# The hooks for pre-commit, as pre-commit installs and runs them.
hooks: setup
	$(PY) -m pip install --quiet --disable-pip-version-check pre-commit
	$(PY) -m tests.review.hooks

conformance: setup
	$(PY) -m tests.conformance

# The wheel and the source archive, installed into an empty environment of every Python that is there, and used.
package: setup
	$(PY) -m pip install --quiet --disable-pip-version-check --group package
	$(PY) -m release.package

# dist/plait: one file that needs no Python, tried where there is none. It takes some minutes.
binary: setup
	$(PY) native/build.py
	$(PY) -m release.binary

# The extension for VS Code: built, and its client tested against the server. It downloads packages, so it is not part of `make test`.
vscode: .venv/.ready
	cd editors/vscode && npm ci --silent --no-fund --no-audit && PLAIT_COMMAND=$(CURDIR)/.venv/bin/plait npm test && npm run package

# plait compared with the tools themselves (helm, kubectl, docker compose, omegaconf, hydra, ansible), as far as they can be had.
# Other drawn inputs: make judges FIRST_SEED=5000
FIRST_SEED ?= 0
judges: setup
	$(PY) -m pip install --quiet --disable-pip-version-check --group profiles
	$(PY) -m tests.judges.setup
	PLAIT_SEED=$(FIRST_SEED) $(PY) -m pytest -q -rs tests/judges tests/yaml/test_readers.py tests/test_profiles.py

# The law of origins over the real charts of ../shared: make origins SCALARS=2000
SCALARS ?= 2000
origins: setup
	$(PY) -m tests.charts.law $(SCALARS)

# The documentation site with its playground, into site/; a broken link is an error.
docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet
	$(PY) -m release.playground site/playground
	$(PY) -m tests.site

# The picture of the README, of the explorer and the playground as they are; needs make services docs.
pictures: setup
	$(PY) -m release.pictures

.venv/.docs: .venv/.ready
	$(PY) -m pip install --quiet --disable-pip-version-check --group docs
	touch $@

# Everything that must hold before a release: make release-check ADDRESS=https://HOST/OWNER/plait SITE=https://HOST/plait/
release-check: setup
	$(PY) -m release.check

# The functions and lines that only the conformance cases reach; takes some minutes.
reach: setup
	$(PY) -m pip install --quiet --disable-pip-version-check coverage
	$(PY) -m tests.reach
