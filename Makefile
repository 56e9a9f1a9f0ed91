# Two commands for a newcomer: `make quickstart` and `make test`. Needs Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
  BIN := $(VENV)/Scripts
else
  BIN := $(VENV)/bin
endif
# What is installed: a stamp per set of extras, renewed when the pins change.
BASE := $(VENV)/.installed-base
DEV := $(VENV)/.installed-dev
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
HAS_COMPILER := $(shell command -v cc || command -v gcc || command -v clang)

.PHONY: quickstart test lint format bench docs clean help

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/'

quickstart: $(BASE)  ## Set up .venv and run the main job
	$(BIN)/gata quickstart

test: $(DEV)  ## Set up .venv and run all tests
	$(BIN)/python -m pytest -n auto

lint: $(DEV)  ## Style (ruff) and types (mypy --strict)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEV)  ## Rewrite the code in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(DEV)  ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

bench: $(DEV)  ## Measure speed; prints ratios measured in one run
	$(BIN)/gata bench engine

clean:  ## Remove the virtual environment and everything built
	rm -rf $(VENV) site build dist

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) and "gata needs Python 3.11 to 3.13, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)

# pip is quiet, so what it is about to do must be said.
$(BASE): $(BIN)/python pyproject.toml constraints.txt
	@echo 'Installing gata, torch and the rest into $(VENV); this takes some minutes, and pip is silent.'
	@echo 'On Linux torch brings gigabytes of GPU libraries, unless its CPU build is there already (README.md).'
	$(PIP_INSTALL) -e .
	@touch $@

$(DEV): $(BASE)
	@echo 'Installing what tests, style and documentation need into $(VENV).'
	$(PIP_INSTALL) -e '.[dev]'
ifeq ($(HAS_COMPILER),)
	@echo 'No C compiler found: TextWorld is not installed (its dependency jericho compiles C).'
	@echo 'Tests that compare with TextWorld are skipped; everything else runs.'
else
	@# A compiler that cannot build jericho is no reason to stop, except where nobody would notice.
	$(PIP_INSTALL) -e '.[dev,textworld]' || { test -z "$$CI" && echo \
	  'TextWorld could not be installed: tests that compare with it are skipped.'; }
endif
	@touch $@
