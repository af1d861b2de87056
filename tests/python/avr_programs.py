"""What the tests of AVR share: the examples of its crate, built."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from host import ROOT


def example(name: str) -> Path:
    """An example of the crate."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    command = ["cargo", "build", "--locked", "--quiet", "--release", "--target-dir", str(target)]
    command += ["--package", "cocrypt-isa-avr", "--example", name]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, f"the example {name} cannot be built: {done.stderr}"
    return target / "release" / "examples" / name


def output(command: list[str | Path], **options: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout
