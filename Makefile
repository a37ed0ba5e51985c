# Needs: make, Python >= 3.11 with venv and headers, a C compiler. Everything else is put into .venv by these targets.
#   PYTHON=...      the interpreter to make .venv with      JOBS=...         compilations at a time
#   LKI_NATIVE=ON   compile for this machine only           PYTEST_ARGS=...  added to each pytest command
#                                                           (tests on the release build run in JOBS processes)

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.SUFFIXES:

VENV := .venv
VENV_DEBUG := .venv-debug
GAMES ?= 10000
ARGS ?=
PYTEST_ARGS ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
LKI_NATIVE ?= OFF
LKI_TRACE ?= OFF

export PYTHON
export LKI_NATIVE LKI_TRACE
export CMAKE_BUILD_PARALLEL_LEVEL = $(JOBS)
export PIP_DISABLE_PIP_VERSION_CHECK = 1

# --- .venv: interpreter, packages ---

PIP = -m pip install --quiet

$(VENV)/.made $(VENV_DEBUG)/.made:
	@python=$$(sh tools/prerequisites.sh) && echo "== $(@D): $$($$python --version)" \
	  && $$python -m venv --clear $(@D) && touch $@

# deps-run: to build and run; deps-test and deps-lint: what these targets need on top.
$(VENV)/.deps-%: $(VENV)/.made pyproject.toml tools/requirements.py
	@echo "== $(VENV): packages to $*"
	@$(VENV)/bin/python tools/requirements.py $(if $(filter run,$*),build) $* > $@.txt
	@$(VENV)/bin/python $(PIP) -r $@.txt
	@touch $@

$(VENV_DEBUG)/.deps: $(VENV_DEBUG)/.made pyproject.toml tools/requirements.py
	@echo "== $(VENV_DEBUG): packages"
	@$(VENV_DEBUG)/bin/python tools/requirements.py build run test --without pyarrow > $@.txt
	@$(VENV_DEBUG)/bin/python $(PIP) -r $@.txt
	@touch $@

# --- the package in .venv: installed anew when a source is newer than the stamp; CMake then rebuilds what changed ---

# Folders count too (a file that went away), and file names may hold anything.
newer_than = $(if $(wildcard $1),$(shell find pyproject.toml CMakeLists.txt LICENSE cmake src python spec \
  \( -name __pycache__ -prune \) -o \( -newer $1 ! -name '*.c' ! -name '*.c.dep' -print \) | head -n 1))
INSTALL = $(PIP) --no-build-isolation --no-deps --force-reinstall .

BUILT := $(VENV)/.built-$(LKI_NATIVE)-$(LKI_TRACE)
$(BUILT): $(VENV)/.deps-run $(if $(call newer_than,$(BUILT)),FORCE)
	@echo "== lkicore: release build (LKI_NATIVE=$(LKI_NATIVE) LKI_TRACE=$(LKI_TRACE); minutes, when nothing was built before)"
	@touch $@.new
	@LKI_DEBUG=OFF $(VENV)/bin/python $(INSTALL)
	@rm -f $(filter-out %.new,$(wildcard $(VENV)/.built-*)) && mv $@.new $@

BUILT_DEBUG := $(VENV_DEBUG)/.built
$(BUILT_DEBUG): $(VENV_DEBUG)/.deps $(if $(call newer_than,$(BUILT_DEBUG)),FORCE)
	@case $$(gcc -print-file-name=libasan.so) in /*) ;; *) \
	  echo "the debug build needs gcc and its sanitizer libraries (Debian package: gcc)" >&2; exit 1 ;; esac
	@echo "== lkicore: debug build with sanitizers (minutes, when nothing was built before)"
	@touch $@.new
	@CC=gcc LKI_DEBUG=ON LKI_NATIVE=OFF LKI_TRACE=OFF $(VENV_DEBUG)/bin/python $(INSTALL)
	@mv $@.new $@

.PHONY: FORCE
FORCE:

# --- what one calls ---

.PHONY: help simulate build debug-build test test-release test-sanitize bench soak lint clean

help: ## this text
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | awk -F '\t' '{ printf "make %-14s %s\n", $$1, $$2 }'

simulate: build ## set everything up and play GAMES (10000) games; ARGS=... go to `lkicore simulate`
	@$(VENV)/bin/lkicore simulate --games $(GAMES) $(ARGS)

build: $(BUILT) ## the release build, in .venv

debug-build: $(BUILT_DEBUG) ## the build with AddressSanitizer and UBSan, in .venv-debug

test: test-sanitize test-release ## all tests: first the sanitizer subset, then everything on the release build

test-release: build $(VENV)/.deps-test ## tests on the release build
	@echo "== tests: release build"
	@$(VENV)/bin/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

# The sanitizers' run-time libraries must be loaded before Python; libstdc++ too, or its exceptions are not seen.
# Only Python's own capture, and no fault handler: a report has to reach the terminal although the process dies.
PRELOAD = $(shell for lib in libasan.so libubsan.so libstdc++.so.6; do gcc -print-file-name=$$lib; done)
SANITIZED = env LD_PRELOAD="$(PRELOAD)" \
	  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:strict_string_checks=1:detect_stack_use_after_return=1 \
	  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 PYTHONMALLOC=malloc LKICORE_SANITIZED=1 \
	  $(VENV_DEBUG)/bin/python -m pytest --capture=sys -p no:faulthandler
test-sanitize: debug-build ## tests marked `sanitize`, under AddressSanitizer and UBSan
	@echo "== tests: sanitizers"
	@$(SANITIZED) -m sanitize $(PYTEST_ARGS)

bench: build $(VENV)/.deps-test ## benchmarks
	@$(VENV)/bin/python -m pytest benchmarks --benchmark-only $(PYTEST_ARGS)

soak: build debug-build $(VENV)/.deps-test ## the long runs (hours): fuzz with and without sanitizers, model, native build
	@echo "== soak: release build"
	@$(VENV)/bin/python -m pytest -m soak -s tests $(PYTEST_ARGS)
	@echo "== soak: sanitizers"
	@$(SANITIZED) -m soak tests/test_fuzz.py $(PYTEST_ARGS)

# Every check runs; the target fails if any failed. Generated files are held to their generator, not to cython-lint.
lint: $(VENV)/.deps-run $(VENV)/.deps-lint ## ruff, mypy, cython-lint, generated files current
	@status=0; \
	run() { echo "== lint: $$*"; "$$@" || status=1; }; \
	run $(VENV)/bin/ruff check --quiet .; \
	run $(VENV)/bin/ruff format --check --quiet .; \
	run $(VENV)/bin/mypy; \
	echo "== lint: cython-lint"; \
	grep -L 'generated by spec/generate.py' src/lkicore/*.py[x] src/lkicore/*.px[d] \
	  | PATH="$(CURDIR)/$(VENV)/bin:$$PATH" xargs cython-lint || status=1; \
	if [ -f spec/generate.py ]; then run $(VENV)/bin/python spec/generate.py --check; fi; \
	if [ $$status -ne 0 ]; then echo "lint: failed" >&2; fi; \
	exit $$status

clean: ## remove both virtual environments, builds and caches
	rm -rf $(VENV) $(VENV_DEBUG) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	rm -f src/lkicore/*.c src/lkicore/*.c.dep
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
