"""The commands of the documentation's pages, and a folder where they run as for a reader.

A command stands in a block of the language `sh`. A comment on the line above says what it needs, or
why no test runs it: `<!-- needs: ghdl iverilog -->`, `<!-- not run: waits for a debugger -->`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STEP = re.compile(
    r"^(?:<!-- (needs|not run): (.*?) -->\n)?```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
# Folders of the checkout that a page may name.
CHECKOUT = ("coprocessors", "devices", "docs", "primitives", "studies", "tests")


class Step(NamedTuple):
    """A block of commands, the tools that it needs, and the reason if no test runs it."""

    commands: str
    needs: tuple[str, ...] = ()
    reason: str = ""


def steps(page: Path) -> list[Step]:
    """The blocks of a page, in their order."""
    blocks = STEP.findall(page.read_text(encoding="utf-8"))
    return [_step(*parts) for parts in blocks]


def _step(remark: str, words: str, commands: str) -> Step:
    if remark == "not run":
        return Step(commands, reason=words)
    return Step(commands, tuple(words.split()))


def checkout(folder: Path) -> None:
    """Lets a folder look like a checkout to commands that name files of it."""
    for name in CHECKOUT:
        (folder / name).symlink_to(ROOT / name)


def run(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs commands in a folder, with `cocrypt` and `python` on the path."""
    environment = os.environ | {
        "PATH": f"{_commands(folder)}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "160",
        "NO_COLOR": "1",
    }
    return subprocess.run(
        ["bash", "-euc", commands],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _commands(folder: Path) -> Path:
    """A folder with the commands that pages call."""
    binaries = folder / "bin"
    binaries.mkdir(exist_ok=True)
    called = f"{sys.executable} -m cocrypt"
    for name, command in {"cocrypt": called, "python": sys.executable}.items():
        script = binaries / name
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return binaries
