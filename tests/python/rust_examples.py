"""The examples of our crates, as programs that tests run."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence


CRATES = ("--workspace", "--exclude", "cocrypt-trace")
"""Words for cargo that choose the crates whose tests `make test` builds together."""
CHECKED = ("--config", str(ROOT / "tests" / "checked.toml"))
"""Words for cargo that make it build what `make test` builds."""


@cache
def example(name: str, *, optimised: bool = False) -> Path:
    """Builds an example and returns its path.

    `make test` builds the same files, so that nothing is compiled again behind it. Optimised ones,
    without checks, suit campaigns.
    """
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    command = ["cargo", "build", "--locked", "--quiet", "--target-dir", str(target)]
    command += [*CRATES, "--example", name, "--release", *([] if optimised else CHECKED)]
    process = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )
    assert process.returncode == 0, f"the example {name} cannot be built: {process.stderr}"
    return target / "release" / "examples" / name


def output(command: Sequence[str | Path], text: str | None = None) -> str:
    """Returns what a command prints, with a text as its standard input."""
    process = subprocess.run(command, check=True, capture_output=True, text=True, input=text)
    return process.stdout
