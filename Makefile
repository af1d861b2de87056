# make demo | test | test-all | test-aarch64 | coverage | check | docs | man | wheel | wheel-aarch64 | wheel-macos | sdist | audit | sbom | lock |
# bench | bench-designs | screenshot | clean. Needs Python 3.11 or later, Rust, a C++ compiler, make.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CARGO  ?= cargo

RUST := Cargo.toml Cargo.lock $(shell find crates -name Cargo.toml -o -path '*/src/*.rs')

# Says what a step does and, once it is done, how many seconds it took.
STEP = @echo '$(1) ...'; $(2); echo "  $$SECONDS s"

# Lets an environment of its own see what cocrypt runs on.
SEES_OURS = packages() { "$$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }; \
  echo "import site; site.addsitedir('$$(packages $(BIN)/python)')" > \
  "$$(packages $(1)/bin/python)/cocrypt.pth"

.PHONY: all demo test test-all test-aarch64 coverage check check-style docs man wheel wheel-aarch64 wheel-macos sdist audit sbom lock bench bench-designs screenshot clean
all: $(VENV)/.extension

# The main job: every partition of the study, as a table and as a page.
demo: $(VENV)/.extension
	$(call STEP,exploring studies/hau2011.toml: ECDSA signing in sixteen partitions,$(BIN)/cocrypt explore studies/hau2011.toml)

# Random tests draw from this seed, so that one that fails does so for everybody, and `make test`
# draws its sample by it; `make test PROPTEST_RNG_SEED=7` draws others.
PROPTEST_RNG_SEED ?= 1
export PROPTEST_RNG_SEED
# Python tests run on all cores, each file on one, in the order of conftest.py.
PYTEST_WORKERS ?= auto
# Cases of each Python test, and one of how many random cases of the long Rust tests.
CASES := --sample=1 --seed=$(PROPTEST_RNG_SEED)
SHARE := 8
# Tests of `trace` by themselves: what reads waves there asks for further features of dependencies, so that Cranelift
# would be compiled again for all.
CRATES := "--workspace --exclude cocrypt-trace" "-p cocrypt-trace"
FILES  :=
# With checks, and the extension's dependencies.
CHECKED := --release --config tests/checked.toml
# With LINT=1 Clippy compiles what tests need, as rustc does, so that lints take no compilation of their own. The
# variables are those that `cargo clippy` sets.
LINT :=
LINTING := $(if $(LINT),export RUSTC_WORKSPACE_WRAPPER=clippy-driver \
  CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__;)
# One room: the crate and the test files of that name, with all their cases: make test T=fdl.
ifdef T
CASES  :=
SHARE  := 1
CRATES := $(if $(wildcard crates/$(T)),"-p cocrypt-$(T)")
FILES  := $(wildcard tests/python/test_$(T).py tests/python/test_$(T)_*.py)
$(if $(CRATES)$(FILES),,$(error nothing is called $(T): there is neither crates/$(T) nor tests/python/test_$(T)*.py))
endif

# A sample of all tests, in minutes.
test:
	@$(MAKE) --no-print-directory tests CASES="$(CASES)" SHARE=$(SHARE)

# All tests, in some forty minutes of two fast cores, or eighty of slow ones. `make test-all PART=3 SEED=7` runs a third of
# the cases of those Python tests that have many.
PART :=
SEED ?= 1
test-all:
	@$(MAKE) --no-print-directory tests CASES="$(if $(PART),--share=$(PART) --seed=$(SEED))" SHARE=1

# Both languages are tested, and counted, even where one fails. They run beside each other, since neither keeps all
# cores busy from beginning to end; what Rust prints comes behind Python's.
.PHONY: tests tests-rust
tests: $(VENV)/.extension
	@mkdir -p build; : > build/cargo-test.log; echo "no tests" > build/pytest.log; status=0; \
	  $(MAKE) --no-print-directory tests-rust SHARE=$(SHARE) > build/cargo-test.log 2>&1 & rust=$$!; \
	  $(if $(or $(FILES),$(if $(T),,all)),$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile --no-loadscope-reorder $(CASES) $(FILES) 2>&1 | tee build/pytest.log || status=1;) \
	  wait $$rust || status=1; cat build/cargo-test.log; \
	  awk '/^test result:/ { passed += $$4; failed += $$6; ignored += $$8 } \
	    END { printf "Rust:   %d passed, %d failed, %d ignored\n", passed, failed, ignored }' \
	    build/cargo-test.log; \
	  echo "Python: $$(tail -1 build/pytest.log | tr -d '=' | sed 's/^ *//; s/ *$$//')"; \
	  exit $$status
tests-rust:
	@status=0; $(LINTING) for crates in $(CRATES); do \
	    $(if $(LINT),$(CARGO) test $$crates $(CHECKED) --locked --all-targets --no-run || status=1;) \
	    COCRYPT_SHARE=$(SHARE) $(CARGO) test $$crates $(CHECKED) --locked --no-fail-fast || status=1; \
	  done; exit $$status

# A sample of the engines' tests on aarch64, where qemu-aarch64 runs them; gcc-aarch64-linux-gnu links them. One test is
# left out: it asks how much memory its process takes, and qemu keeps its own translation of all code there.
AARCH64 := aarch64-unknown-linux-gnu
test-aarch64:
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" COCRYPT_SHARE=$(SHARE) \
	  $(CARGO) test $(CHECKED) --locked --no-fail-fast --target $(AARCH64) --target-dir build/$(AARCH64) \
	  $(addprefix -p cocrypt-,codegen jit soc fdl rtl) -- --skip forgotten_code_gives_its_memory_back

# Which lines a sample of the tests runs.
coverage: $(VENV)/.extension build/coverage/python/.installed
	COCRYPT_SHARE=$(SHARE) $(BIN)/python .ci/coverage.py $(CASES)

build/coverage/python/.installed: requirements/coverage.txt $(VENV)/.dependencies
	$(PYTHON) -m venv build/coverage/python
	build/coverage/python/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	$(call SEES_OURS,build/coverage/python)
	@touch $@

check: check-style
	$(CARGO) clippy --workspace --all-targets $(CHECKED) --locked -- -D warnings

# All checks but Clippy's.
check-style: $(VENV)/.extension
	$(CARGO) fmt --all --check
	rustfmt --check --edition 2024 tests/toy/crates/*/src/lib.rs
	$(BIN)/ruff check python tests/python benches packaging docs .ci
	$(BIN)/ruff format --check python tests/python benches packaging docs .ci
	$(BIN)/mypy

# Manual pages of the command and its verbs: man -M build/man cocrypt-explore.
man: $(VENV)/.extension
	$(BIN)/python -m cocrypt.cli.manual build/man

# Wheels for every host of a platform, and the source distribution, to build/dist/. What Rust needs
# for a platform comes from `rustup target add`; the linker is zig.
wheel: PLATFORM := x86_64
wheel-aarch64: PLATFORM := aarch64
wheel-macos: PLATFORM := macos
wheel wheel-aarch64 wheel-macos: $(VENV)/.dependencies
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python packaging/wheel.py $(PLATFORM)
sdist: $(VENV)/.dependencies
	@$(BIN)/maturin sdist --out build/dist

# The documentation as a site, build/docs/html/index.html; a link that leads nowhere is an error.
docs: $(VENV)/.extension build/docs/python/bin/sphinx-build
	build/docs/python/bin/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going --nitpicky -c docs . build/docs/html
	@echo "build/docs/html/index.html"

# The site is built by tools in an environment of their own, which also sees what cocrypt runs on.
build/docs/python/bin/sphinx-build: requirements/docs.txt $(VENV)/.dependencies
	$(PYTHON) -m venv build/docs/python
	build/docs/python/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	$(call SEES_OURS,build/docs/python)
	@touch $@

# Licences, sources and known vulnerabilities of everything that the project is built on.
audit: $(VENV)/.dependencies build/audit/python/bin/pip-audit
	build/audit/python/bin/python .ci/audit.py

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
	$(LOCK) requirements/docs.in -o requirements/docs.txt
	$(LOCK) requirements/audit.in -o requirements/audit.txt
	$(LOCK) --no-deps requirements/coverage.in -o requirements/coverage.txt
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
	$(BIN)/python benches/speed.py --device sh7729 --cpu --kernel sha256 --kernel aes128 --write docs/benchmarks.md
	$(BIN)/python benches/speed.py --device duarte2010-microblaze --cpu --write docs/benchmarks.md
	$(BIN)/python benches/suite.py --sample 60 --write docs/benchmarks.md
	$(BIN)/python benches/waits.py --write docs/benchmarks.md
	$(MAKE) bench-designs
	$(BIN)/python benches/leakage.py --write docs/benchmarks.md
	$(CARGO) bench --workspace --locked

# The tables of designs in FDL: their speed, and what they take of FPGAs. The second needs Yosys.
bench-designs: $(VENV)/.extension
	$(BIN)/python benches/designs.py --write docs/benchmarks.md
	$(BIN)/python benches/fpga.py --write docs/benchmarks.md

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

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# What is needed of Rust's packages is compiled meanwhile, which takes longer; if that fails, the next step says
# why. Ctrl-C ends it too.
COMPILING := $(CARGO) build --release --locked --quiet --package cocrypt-py
$(VENV)/.dependencies: requirements/main.txt requirements/nodeps.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; name it: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	@command -v $(CARGO) >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs"; exit 1; }
	@mkdir -p build
	$(call STEP,making $(VENV) with Python packages from PyPI: 1.5 GB,$(COMPILING) >build/engines.log 2>&1 & trap "kill $$!" INT TERM; $(PYTHON) -m venv $(VENV); $(PIP) -r requirements/main.txt; $(PIP) --no-deps -r requirements/nodeps.txt)
	@touch $@

# Only Rust and the package's description are built; Python files are used where they stand. A module for
# one version of Python, of a build before the stable ABI, would be loaded in the place of the new one.
$(VENV)/.extension: $(VENV)/.dependencies pyproject.toml $(RUST)
	@rm -f python/cocrypt/_native.cpython-*.so && mkdir -p build
	$(call STEP,compiling the engines: some minutes the first time,PIP_QUIET=1 VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --locked --quiet >build/extension.log 2>&1 || { cat build/extension.log; exit 1; })
	@touch $@
