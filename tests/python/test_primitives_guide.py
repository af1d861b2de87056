"""The commands of docs/primitives.md work as they stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pages
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STEPS = pages.steps(ROOT / "docs/primitives.md")
# Schemes that the project does not ship; test_foreign.py measures them.
ABSENT = "path/to/PQClean"
# A portfolio of everything takes minutes where nothing is compiled yet.
SHORTER = ("cocrypt portfolio --device", "cocrypt portfolio md5 speck64_128 --device")


@pytest.mark.long
@pytest.mark.parametrize("step", [step for step in STEPS if ABSENT not in step.commands])
def test_the_commands_work(step: pages.Step, tmp_path: Path) -> None:
    pages.checkout(tmp_path)
    done = pages.run(step.commands.replace(*SHORTER), tmp_path)
    assert done.returncode == 0, step.commands + done.stderr
    assert done.stdout


def test_there_are_commands() -> None:
    assert len(STEPS) >= 6
