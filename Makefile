# make demo | test | check | audit | sbom | lock | bench | screenshot | clean. Needs Python 3.11 or later, Rust, a C++ compiler, make.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CARGO  ?= cargo

RUST := Cargo.toml Cargo.lock $(shell find crates -name Cargo.toml -o -path '*/src/*.rs')

.PHONY: all demo test check audit sbom lock bench screenshot clean
all: $(VENV)/.extension

# The main job: every partition of the study, as a table and as a page.
demo: $(VENV)/.extension
	$(BIN)/cocrypt explore studies/hau2011.toml

# Both languages are tested, and counted, even where the first fails. Random tests draw from this
# seed, so that one that fails does so for everybody; `make test PROPTEST_RNG_SEED=7` draws others.
PROPTEST_RNG_SEED ?= 1
export PROPTEST_RNG_SEED
# Python tests run on all cores, each file on one.
PYTEST_WORKERS ?= auto
test: $(VENV)/.extension
	@mkdir -p build; status=0; \
	  $(CARGO) test --workspace --locked --no-fail-fast 2>&1 | tee build/cargo-test.log || status=1; \
	  $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile 2>&1 | tee build/pytest.log || status=1; \
	  awk '/^test result:/ { passed += $$4; failed += $$6; ignored += $$8 } \
	    END { printf "Rust:   %d passed, %d failed, %d ignored\n", passed, failed, ignored }' \
	    build/cargo-test.log; \
	  echo "Python: $$(tail -1 build/pytest.log | tr -d '=' | sed 's/^ *//; s/ *$$//')"; \
	  exit $$status

check: $(VENV)/.extension
	$(CARGO) fmt --all --check
	rustfmt --check --edition 2024 tests/toy/crates/*/src/lib.rs
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff check python tests/python benches .ci
	$(BIN)/ruff format --check python tests/python benches .ci
	$(BIN)/mypy

# Licences, sources and known vulnerabilities of everything that the project is built on.
audit: $(VENV)/.dependencies build/audit/python/bin/pip-audit
	$(BIN)/python .ci/audit.py

# The software bill of materials, as CycloneDX JSON.
sbom: build/audit/python/bin/pip-audit
	build/audit/python/bin/python .ci/sbom.py build/sbom.cdx.json

build/audit/python/bin/pip-audit: requirements/audit.txt
	$(PYTHON) -m venv build/audit/python
	build/audit/python/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Fixes the versions and hashes of Python packages. Needs uv.
UV ?= uv
LOCK := $(UV) pip compile --quiet --generate-hashes --universal --python-version 3.11 \
  --no-emit-index-url --custom-compile-command "make lock"
lock:
	$(LOCK) requirements/main.in -o requirements/main.txt
	$(LOCK) requirements/audit.in -o requirements/audit.txt
	$(LOCK) --no-deps requirements/nodeps.in -o requirements/nodeps.txt

bench: $(VENV)/.extension
	$(BIN)/python benches/speed.py --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device vexriscv --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device ibex-maxperf --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device serv --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device stm32f4-24mhz --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device stm32f4-168mhz --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device at91sam9 --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device atmega2560 --write docs/benchmarks.md
	$(BIN)/python benches/designs.py --write docs/benchmarks.md
	$(CARGO) bench --workspace --locked

# The picture in the README, of the report as `make demo` writes it. Needs Chromium.
CHROMIUM ?= chromium
screenshot: demo
	@profile=$$(mktemp -d) && trap 'rm -rf "$$profile"' EXIT && \
	  $(CHROMIUM) --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
	  --disable-background-networking --disable-component-update --disable-sync \
	  --hide-scrollbars --user-data-dir="$$profile" --window-size=1280,1880 \
	  --screenshot=docs/images/report.png file://$(abspath build/reports/hau2011/index.html)

clean:
	rm -rf build target $(VENV) python/cocrypt/_native*.so

$(VENV)/.dependencies: requirements/main.txt requirements/nodeps.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; name it: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	@command -v $(CARGO) >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/main.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/nodeps.txt
	@touch $@

# Only Rust and the package's description are built; Python files are used where they stand.
$(VENV)/.extension: $(VENV)/.dependencies pyproject.toml $(RUST)
	PIP_QUIET=1 VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --locked --quiet
	@touch $@
