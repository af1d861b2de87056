"""The commands of the how-to pages work as printed, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pages
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGES = sorted(ROOT.glob("docs/howto/*.md"))
KINDS = {
    "block", "calibration", "coprocessor", "core", "device", "firmware", "instruction-set", "java",
    "leakage", "library", "primitive", "toolchain",
}  # fmt: skip


def test_there_is_a_page_for_everything_that_people_bring() -> None:
    assert {page.stem for page in PAGES} == KINDS | {"index"}


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_work(page: Path, tmp_path: Path, need_tool: Callable[[str], str]) -> None:
    steps = [step for step in pages.steps(page) if not step.reason]
    assert steps or page.stem == "index"
    pages.checkout(tmp_path)
    for step in steps:
        for tool in step.needs:
            need_tool(tool)
        process = pages.run(step.commands, tmp_path)
        assert process.returncode == 0, f"{step.commands}{process.stdout}{process.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_command_goes_unseen(page: Path) -> None:
    """A command in a block of another kind would be skipped without a reason."""
    text = page.read_text(encoding="utf-8")
    commands = "".join(step.commands for step in pages.steps(page))
    lines = [line for line in text.splitlines() if line.strip().startswith("cocrypt ")]
    assert [line for line in lines if line not in commands] == []
    assert text.count("```sh") == len(pages.steps(page))
