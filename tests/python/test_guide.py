"""The guide's commands work, in their order, and its tables are what they print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import pages
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

GUIDE = ROOT / "docs/guide.md"


def numbers(text: str) -> set[str]:
    """The figures in a text that are long enough not to match others by chance."""
    return set(re.findall(r"\d+,\d{3}\b|\b\d+\.\d+\b", text))


@pytest.mark.long
def test_the_guide_holds(tmp_path: Path) -> None:
    steps = pages.steps(GUIDE)
    assert len(steps) >= 7
    printed = ""
    for step in steps:
        process = pages.run(step.commands, tmp_path)
        assert process.returncode == 0, step.commands + process.stderr
        printed += process.stdout
    text = GUIDE.read_text(encoding="utf-8")
    assert numbers(text) - numbers(printed) == set()


def test_the_driver_in_the_guide_is_the_template() -> None:
    (driver,) = re.findall(
        r"^```c\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    template = (ROOT / "studies/template/sha256_block_driver.c").read_text(encoding="utf-8")
    plain = re.sub(r" */\*.*?\*/\n?", "", template, flags=re.DOTALL)
    assert driver.strip() in plain
