"""Builds a wheel for any host of a platform, and prints its path: `make wheel` and its siblings.

zig links it: against glibc 2.17 for Linux, which all distributions since 2014 have, and against its
own description of the system's library for macOS.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import shipped

MANYLINUX = "manylinux_2_17"
TARGETS = {
    "x86_64": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
    "macos": "aarch64-apple-darwin",
}
"""Platforms, and their targets in Rust."""


def main() -> int:
    """Builds the wheel of the platform that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", choices=TARGETS)
    parser.add_argument("--out", type=Path, default=shipped.HOME / "build" / "dist")
    options = parser.parse_args()
    target = TARGETS[options.platform]
    if target not in _installed():
        print(f"Rust cannot compile for {target} yet: rustup target add {target}", file=sys.stderr)
        return 1
    started = time.monotonic()
    wheel = build(target, options.out)
    size = wheel.stat().st_size / 1e6
    print(f"{wheel} ({size:.1f} MB, {time.monotonic() - started:.0f} s)")
    return 0


def build(target: str, out: Path) -> Path:
    """Builds the wheel for a target of Rust into a folder."""
    command = [sys.executable, "-m", "maturin", "build", "--quiet", "--release", "--locked"]
    command += ["--strip", "--zig", "--target", target, "--compatibility", MANYLINUX]
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as scratch:
        _run([*command, "--out", scratch])
        (wheel,) = Path(scratch).glob("*.whl")
        shipped.add(wheel)
        return wheel.replace(out / wheel.name)


def _run(command: list[str]) -> None:
    """Runs a tool in the project's folder; exits with its output if it fails."""
    # A wheel is built once and installed often: its engines get the optimisation across crates.
    environment = {**os.environ, "CARGO_PROFILE_RELEASE_LTO": "thin"}
    run = subprocess.run(
        command,
        cwd=shipped.HOME,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if run.returncode != 0:
        sys.stderr.buffer.write(run.stdout)
        sys.exit(1)


def _installed() -> list[str]:
    """The targets of Rust whose standard library this toolchain has."""
    listing = ["rustup", "target", "list", "--installed"]
    try:
        run = subprocess.run(listing, cwd=shipped.HOME, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        # Without rustup the compiler itself reports a missing library.
        return list(TARGETS.values())
    return run.stdout.split()


if __name__ == "__main__":
    sys.exit(main())
