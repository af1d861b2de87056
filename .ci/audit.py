"""Checks the project's dependencies against its rules: licences, sources, vulnerabilities.

Rust packages by cargo-deny and `deny.toml`, Python packages by pip-licenses and pip-audit. The two
databases of known vulnerabilities are read if they can be reached; if not, that is printed, and
the other checks run alone. `make audit` calls it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[1]
TOOLS = HOME / "build" / "audit"
CARGO_DENY = "0.20.2"
# The locks of each environment; two environments may have other versions of a package.
ENVIRONMENTS = (("main", "nodeps"), ("audit",), ("docs",), ("coverage",))
# As packages write them; a compound with other words is refused until a person has read it.
LICENCES = (
    "0BSD", "Apache Software License", "Apache-2.0", "Apache-2.0 OR BSD-2-Clause",
    "Apache-2.0 OR BSD-3-Clause", "Apache-2.0 WITH LLVM-exception", "BSD", "BSD License",
    "BSD-2-Clause", "BSD-2-Clause AND Apache-2.0", "BSD-2-Clause AND Unlicense AND MIT",
    "BSD-3-Clause", "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", "ISC",
    "ISC License (ISCL)", "MIT", "MIT License", "MIT OR Apache-2.0", "MIT-0",
    "MPL-2.0 AND MIT", "Mozilla Public License 2.0 (MPL 2.0)", "PSF-2.0",
)  # fmt: skip


def main() -> int:
    """Runs all checks and returns how many failed."""
    deny, python = cargo_deny(), TOOLS / "python" / "bin"
    failed = 0
    for name, check in {
        "licences, sources and versions of Rust packages": lambda: rust_rules(deny),
        "vulnerabilities of Rust packages": lambda: rust_advisories(deny),
        "licences of Python packages": lambda: python_licences(python),
        "vulnerabilities of Python packages": lambda: python_advisories(python),
    }.items():
        verdict = check()
        failed += verdict == "failed"
        print(f"{name}: {verdict}", flush=True)
    return failed


def rust_rules(deny: Path) -> str:
    """Checks licences, sources and versions against `deny.toml`."""
    checked = run(deny, "check", "--hide-inclusion-graph", "licenses", "sources", "bans")
    return verdict(checked)


def rust_advisories(deny: Path) -> str:
    """Checks the packages of `Cargo.lock` against the RustSec database."""
    if run(deny, "fetch", "db").returncode:
        return "not run: the RustSec database cannot be reached"
    return verdict(run(deny, "check", "--hide-inclusion-graph", "--disable-fetch", "advisories"))


def python_licences(python: Path) -> str:
    """Checks that every package of the environment has a licence of the list."""
    allowed = ";".join(LICENCES)
    environment = f"--python={HOME / '.venv' / 'bin' / 'python'}"
    return verdict(
        run(python / "pip-licenses", environment, "--from=mixed", f"--allow-only={allowed}")
    )


def python_advisories(python: Path) -> str:
    """Checks the packages of `requirements/` against the package index's vulnerabilities."""
    try:
        packages = [package for locks in ENVIRONMENTS for package in audited(python, locks)]
    except ValueError:
        return "not run: the package index cannot be reached"
    answered = [package for package in packages if "skip_reason" not in package]
    if not answered:
        return "not run: the package index has no data on vulnerabilities"
    for package in answered:
        for fault in package["vulns"]:
            print(f"  {package['name']} {package['version']}: {fault['id']}")
    return "failed" if any(package["vulns"] for package in answered) else "fine"


def audited(python: Path, locks: tuple[str, ...]) -> list[dict[str, Any]]:
    """The index's data on the packages of an environment; raises `ValueError` without an answer."""
    words = [word for name in locks for word in ("-r", f"requirements/{name}.txt")]
    report = run(
        python / "pip-audit", *words, "--disable-pip", "--require-hashes", "--format=json",
        "--progress-spinner=off",
    )  # fmt: skip
    dependencies: list[dict[str, Any]] = json.loads(report.stdout)["dependencies"]
    return dependencies


def verdict(run: subprocess.CompletedProcess[str]) -> str:
    """Returns `fine` or `failed`; prints the tool's output if it failed."""
    if run.returncode:
        print(run.stdout + run.stderr)
    return "failed" if run.returncode else "fine"


def cargo_deny() -> Path:
    """The tool of the pinned version, built once without optimisation, which is quicker."""
    root = TOOLS / f"cargo-deny-{CARGO_DENY}"
    tool = root / "bin" / "cargo-deny"
    if not tool.exists():
        with tempfile.TemporaryDirectory() as target:
            built = run(
                "cargo", "install", "--quiet", "--locked", "--debug", "--root", root,
                "--target-dir", target, f"cargo-deny@{CARGO_DENY}",
            )  # fmt: skip
        if built.returncode:
            sys.exit(f"cargo-deny cannot be built:\n{built.stderr}")
    return tool


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a tool in the project's folder."""
    environment = {**os.environ, "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_TERM_COLOR": "never"}
    return subprocess.run(
        [str(word) for word in words],
        cwd=HOME, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
