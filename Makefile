# Everything a person or a machine does with this project. Each target does the set-up it needs.
SHELL := /bin/bash
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.set-up
TOOLS := $(VENV)/.set-up-dev
PAPERS := $(VENV)/.set-up-docs
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
UV_VERSION := 0.13.8
LOCK = $(VENV)/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
  --no-annotate --no-header $(ARGS)
# What an installed wheel has only if asked for; a checkout has it all.
EXTRAS := --extra imap --extra postgres --extra push
.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run demo test nightly check bench mutate docs engine lock release

help:
	@echo "make run    start the server        make test   set up and run every test"
	@echo "make demo   a living federation     make check  format, lint, types, imports, house rules"
	@echo "make bench  speed                   make mutate each number and comparison of the rules, changed"
	@echo "make docs   the manual as a site    make nightly the tests that take minutes"
	@echo "make setup  what running needs      make lock   make requirements*.txt anew"
	@echo "make release wheel, sdist, notes, man page and SBOM in dist/"
	@echo "make engine Stockfish for the browsers of those who turn it on (docs/operator.md)"

# What running needs, and beside it what testing and checking need: browsers, a PostgreSQL, linters.
# Each worker of the tests would compile our modules by itself else.
setup: $(STAMP)
setup-dev: $(TOOLS)

$(STAMP): pyproject.toml requirements.txt requirements-build.txt
	@python=; for candidate in python3.11 python3 python3.12 python3.13; do \
	  if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    python=$$candidate; break; fi; done; \
	if [ -z "$$python" ]; then \
	  echo "kskak needs Python 3.11 or newer, and found none (Debian: apt install python3 python3-venv)"; \
	  exit 2; fi; \
	echo "Setting up $(VENV) with $$($$python --version); the first time takes a minute or two"; \
	$$python -m venv $(VENV)
	@$(PIP) --require-hashes --no-deps -r requirements-build.txt
	@$(PIP) --require-hashes --no-deps --no-build-isolation -r requirements.txt
	@$(PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	@touch $@

$(TOOLS): $(STAMP) requirements-dev.txt
	@echo "Adding what the tests need; the first time takes a minute"
	@$(PIP) --require-hashes --no-deps --no-build-isolation -r requirements-dev.txt
	@$(PY) -m compileall -q -j 0 kskak mail migrations server
	@touch $@

$(PAPERS): $(STAMP) requirements-docs.txt
	@$(PIP) --require-hashes --no-deps --no-build-isolation -r requirements-docs.txt
	@touch $@

run: $(STAMP)
	$(VENV)/bin/kskak serve

demo: $(STAMP)
	$(VENV)/bin/kskak demo

# Bytecode is kept whatever the shell says: each worker compiles two thousand modules else.
test nightly: export PYTHONDONTWRITEBYTECODE :=

# One more than there are cores: a worker whose browser or server is busy leaves its own core to others.
test: $(TOOLS)
	$(PY) -m pytest -q -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --maxprocesses 4 --dist worksteal --durations 20 $(ARGS)

# Properties draw anew here, and the same in every other run (tests/conftest.py); what each run thins
# out is whole here (tests/fakes/machinery/draws.py).
nightly: $(TOOLS)
	TEST_DRAWS=random $(PY) -m pytest -q -m "nightly or hypothesis or thinned" $(ARGS)

check: $(TOOLS)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-cache
	$(PY) -m pip --disable-pip-version-check check
	$(PY) -m pytest -q tests/house tests/script
	$(PY) -m tests.instructions.count

bench: $(STAMP)
	$(PY) -m tools.bench $(ARGS)

mutate: $(TOOLS)
	$(PY) -m tests.mutate $(ARGS)

docs: $(PAPERS)
	$(VENV)/bin/zensical build --strict

# Nothing is uploaded, and no tag is set: the command to set it is printed.
release: $(TOOLS)
	$(PY) -m tools.release

# Stockfish of the npm package that server/web/engine names, checked by the hash in its lock file; Deno,
# a wheel, fetches it. Its licence goes with it. The server serves it from its next start on.
STOCKFISH := server/web/engine/node_modules/stockfish
BROWSERS := server/web/static/engine
engine: $(STAMP)
	@sed -n '/^deno==/,/[^\\]$$/p' requirements-dev.txt > $(VENV)/deno.txt
	@$(PIP) --require-hashes --no-deps -r $(VENV)/deno.txt
	@cd server/web/engine && DENO_DIR=$$PWD/node_modules/.fetched $(abspath $(VENV))/bin/deno install --frozen --quiet
	@mkdir -p $(BROWSERS) && install -m 644 $(STOCKFISH)/Copying.txt $(BROWSERS)/
	@for kind in wasm js; do install -m 644 $(STOCKFISH)/bin/stockfish-*-lite-single.$$kind $(BROWSERS)/stockfish.$$kind || exit 1; done
	@rm -rf server/web/engine/node_modules
	@echo "Stockfish is in $(BROWSERS); restart the server to offer it"

# Keeps the pins that stand; `make lock ARGS=--upgrade` takes the newest.
lock: $(STAMP)
	$(PIP) uv==$(UV_VERSION)
	$(LOCK) $(EXTRAS) -o requirements.txt pyproject.toml
	$(LOCK) $(EXTRAS) --extra dev --constraint requirements.txt -o requirements-dev.txt pyproject.toml
	$(LOCK) $(EXTRAS) --extra docs --constraint requirements-dev.txt -o requirements-docs.txt pyproject.toml
	$(LOCK) --group build -o requirements-build.txt
