"""The examples of RL78's crate, built, and other parts that the tests of RL78 share."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence


@cache
def example(name: str) -> Path:
    """Builds an example of the crate and returns its path."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    command = ["cargo", "build", "--locked", "--quiet", "--release", "--target-dir", str(target)]
    command += ["--package", "cocrypt-isa-rl78", "--example", name]
    process = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )
    assert process.returncode == 0, f"the example {name} cannot be built: {process.stderr}"
    return target / "release" / "examples" / name


def output(command: Sequence[str | Path], text: str | None = None) -> str:
    """Returns what a command prints, with a text as its standard input."""
    process = subprocess.run(command, check=True, capture_output=True, text=True, input=text)
    return process.stdout
