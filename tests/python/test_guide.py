"""The guide's commands work, in their order, and its tables are what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

GUIDE = ROOT / "docs/guide.md"


def numbers(text: str) -> set[str]:
    """The figures in a text that are long enough to be no others by chance."""
    return set(re.findall(r"\d+,\d{3}\b|\b\d+\.\d+\b", text))


def test_the_guide_holds(tmp_path: Path) -> None:
    script = tmp_path / "bin/cocrypt"
    script.parent.mkdir()
    script.write_text(
        f"#!{sys.executable}\nfrom cocrypt.cli import main\nmain()\n", encoding="utf-8"
    )
    script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "160", "NO_COLOR": "1"}
    text = GUIDE.read_text(encoding="utf-8")
    steps = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(steps) >= 7
    printed = ""
    for step in steps:
        done = subprocess.run(
            ["bash", "-euc", step],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, step + done.stderr
        printed += done.stdout
    assert numbers(text) - numbers(printed) == set()


def test_the_driver_in_the_guide_is_the_template() -> None:
    (shown,) = re.findall(
        r"^```c\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    template = (ROOT / "studies/template/sha256_block_driver.c").read_text(encoding="utf-8")
    plain = re.sub(r" */\*.*?\*/\n?", "", template, flags=re.DOTALL)
    assert shown.strip() in plain
