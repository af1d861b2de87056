"""Measures the lines that the tests run, and prints a table for Rust and one for Python.

The workspace's crates are compiled with LLVM's instrumentation, whose counts `llvm-profdata` and
`llvm-cov` of the compiler's own LLVM version read; dependencies are those of `make test`. Python is
measured by coverage.py. `make coverage` calls it; its words go to pytest, such as `--sample=8`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
FOLDER = HOME / "build" / "coverage"
IGNORED = r"(/\.cargo/|/rustc/|/rustup/|/tests/|/target/)"
"""Files that are not ours, and the tests themselves."""
CRATES = (("--workspace", "--exclude", "cocrypt-trace"), ("-p", "cocrypt-trace"))
"""Crates that are tested together, as `make test` does it."""


def main(words: list[str]) -> int:
    """Measures both languages; returns the exit code of the first whose tests fail."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    profdata, cov = tool("llvm-profdata"), tool("llvm-cov")
    return rust(profdata, cov) or python(words)


def tool(name: str) -> str:
    """A tool of the LLVM that rustc has: rustup's, the distribution's, or that on the PATH."""
    version = re.search(r"LLVM version: (\d+)", output("rustc", "--version", "--verbose"))
    major = version[1] if version else ""
    host = Path(output("rustc", "--print", "target-libdir").strip()).parent / "bin" / name
    for path in (shutil.which(host), shutil.which(f"{name}-{major}"), shutil.which(name)):
        if path and f"version {major}." in output(path, "--version"):
            return path
    sys.exit(
        f"{name} of LLVM {major} is missing: rustup component add llvm-tools, or "
        f"apt-get install llvm-{major}"
    )


def rust(profdata: str, cov: str) -> int:
    """Runs the tests of all crates, and prints their coverage by file."""
    for old in FOLDER.glob("*.profraw"):
        old.unlink()
    environment = {
        **os.environ,
        "RUSTC_WORKSPACE_WRAPPER": str(HOME / ".ci" / "instrumented"),
        "LLVM_PROFILE_FILE": str(FOLDER / "%m-%p.profraw"),
    }
    failed, binaries = 0, []
    for crates in CRATES:
        tests = ["cargo", "test", *crates, "--release", "--config", "tests/checked.toml"]
        tests += ["--locked", "--no-fail-fast"]
        failed |= subprocess.run(tests, env=environment, cwd=HOME, check=False).returncode
        listed = subprocess.run(
            [*tests, "--no-run", "--message-format=json"],
            env=environment,
            cwd=HOME,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        binaries += executables(listed.stdout)
    counts = FOLDER / "rust.profdata"
    raw = map(str, FOLDER.glob("*.profraw"))
    subprocess.run([profdata, "merge", "--sparse", *raw, "-o", str(counts)], check=True)
    first_binary, *other_binaries = binaries
    objects = [word for path in other_binaries for word in ("--object", path)]
    report = [cov, "report", first_binary, *objects, f"--instr-profile={counts}"]
    options = [f"--ignore-filename-regex={IGNORED}", "--show-region-summary=false"]
    subprocess.run([*report, *options], check=True)
    return failed


def executables(messages: str) -> list[str]:
    """The test binaries that cargo's messages name."""
    paths = (json.loads(line).get("executable") for line in messages.splitlines())
    return [path for path in dict.fromkeys(paths) if path]


def python(words: list[str]) -> int:
    """Runs the Python tests, and prints their coverage by file."""
    interpreter = FOLDER / "python" / "bin" / "python"
    command = [
        *(str(interpreter), "-m", "pytest", "-n", "auto"),
        *("--dist", "loadfile", "--no-loadscope-reorder"),
        *("--cov=cocrypt", f"--cov-report=html:{FOLDER / 'html'}", "--cov-report=term"),
        *words,
    ]
    environment = {
        **os.environ,
        "COVERAGE_FILE": str(FOLDER / "python.coverage"),
        # Tests call examples of the crates, of which some are those with counters.
        "LLVM_PROFILE_FILE": str(FOLDER / "%m-%p.profraw"),
    }
    return subprocess.run(command, env=environment, cwd=HOME, check=False).returncode


def output(*command: str, check: bool = True) -> str:
    """The output of a command; raises an error if it fails and is checked."""
    return subprocess.run(command, capture_output=True, text=True, check=check).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
