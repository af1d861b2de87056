"""Checks the project's dependencies against its rules: licences, sources, vulnerabilities.

Rust packages by `deny.toml`, Python packages by pip-licenses, vulnerabilities by cargo-deny and
pip-audit. The two databases of known vulnerabilities are read if they can be reached; if not, that
is printed, and the other checks run alone. `make audit` calls it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from license_expression import get_spdx_licensing

if TYPE_CHECKING:
    from boolean import Expression

HOME = Path(__file__).resolve().parents[1]
TOOLS = HOME / "build" / "audit"
CARGO_DENY = "0.20.2"
RUSTSEC = "https://github.com/RustSec/advisory-db"
SPDX = get_spdx_licensing()
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
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
    python = TOOLS / "python" / "bin"
    failed = 0
    for name, check in {
        "licences, sources and versions of Rust packages": rust_rules,
        "vulnerabilities of Rust packages": rust_advisories,
        "licences of Python packages": lambda: python_licences(python),
        "vulnerabilities of Python packages": lambda: python_advisories(python),
    }.items():
        verdict = check()
        failed += verdict == "failed"
        print(f"{name}: {verdict}", flush=True)
    return failed


def rust_rules() -> str:
    """Checks what `Cargo.lock` names: licences of the list, no other registry, no open version."""
    metadata = run("cargo", "metadata", "--locked", "--format-version=1")
    if metadata.returncode:
        return verdict(metadata)
    allowed = tomllib.loads((HOME / "deny.toml").read_text("utf-8"))["licenses"]["allow"]
    faults = [
        f"  {package['name']} {package['version']}: {fault}"
        for package in json.loads(metadata.stdout)["packages"]
        for fault in rust_faults(package, frozenset(allowed))
    ]
    print("\n".join(faults), end="\n" if faults else "")
    return "failed" if faults else "fine"


def rust_faults(package: dict[str, Any], allowed: frozenset[str]) -> list[str]:
    """What is wrong with a package of `cargo metadata`; those without a source are ours."""
    faults = [
        f"any version of {needed['name']} will do"
        for needed in package["dependencies"]
        if package["source"] is None and needed["req"] == "*" and "path" not in needed
    ]
    if package["source"] is None:
        return faults
    if package["source"] != CRATES_IO:
        faults.append(f"it comes from {package['source']}")
    # Before SPDX expressions, packages separated the licences to choose from by slashes.
    licence = (package["license"] or "").replace("/", " OR ")
    if not licence or not is_allowed(SPDX.parse(licence), allowed):
        faults.append(f"the licence `{licence}` is not in deny.toml")
    return faults


def is_allowed(licence: Expression, allowed: frozenset[str]) -> bool:
    """True if a licence is of the list, or enough of those are that an expression joins."""
    if isinstance(licence, (SPDX.AND, SPDX.OR)):
        some_or_all = any if isinstance(licence, SPDX.OR) else all
        return some_or_all(is_allowed(part, allowed) for part in licence.args)
    return licence.render() in allowed


def rust_advisories() -> str:
    """Checks the packages of `Cargo.lock` against the RustSec database, and all rules again.

    The tool is built only where it can read the database: that takes minutes.
    """
    unreachable = "not run: the RustSec database cannot be reached"
    if run("git", "ls-remote", "--exit-code", RUSTSEC, "HEAD").returncode:
        return unreachable
    deny = cargo_deny()
    if run(deny, "fetch", "db").returncode:
        return unreachable
    return verdict(run(deny, "check", "--hide-inclusion-graph", "--disable-fetch"))


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
    environment = {
        **os.environ,
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_TERM_COLOR": "never",
        "GIT_TERMINAL_PROMPT": "0",
    }
    return subprocess.run(
        [str(word) for word in words],
        cwd=HOME, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
