"""The commands of docs/primitives.md work as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (ROOT / "docs/primitives.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
# Schemes that the project does not ship; test_foreign.py measures them.
ABSENT = "path/to/PQClean"
# A portfolio of everything takes minutes where nothing is compiled yet.
SHORTER = ("cocrypt portfolio --device", "cocrypt portfolio md5 speck64_128 --device")


@pytest.mark.parametrize("step", [step for step in STEPS if ABSENT not in step])
def test_the_commands_work(step: str, tmp_path: Path) -> None:
    script = tmp_path / "bin/cocrypt"
    script.parent.mkdir()
    script.write_text(f"#!{sys.executable}\nfrom cocrypt.cli import main\nmain()\n")
    script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "160", "NO_COLOR": "1"}
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    done = subprocess.run(
        ["bash", "-euc", step.replace(*SHORTER)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, step + done.stderr
    assert done.stdout


def test_there_are_commands() -> None:
    assert len(STEPS) >= 6
