"""The cells of the notebooks in docs/notebooks run, in their order.

`make docs` runs them in Jupyter and shows their output; here they are plain Python, which needs no
Jupyter. Cells check their figures by `assert`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "docs/notebooks"
NOTEBOOKS = sorted(path for path in FOLDER.glob("*.md") if path.stem != "index")
CELL = re.compile(r"^```\{code-cell\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def cells(notebook: Path) -> list[str]:
    return CELL.findall(notebook.read_text(encoding="utf-8"))


def program(notebook: Path) -> str:
    """The cells as a script."""
    return "\n".join(cells(notebook)) + "\nprint('ran to its end')\n"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path) -> None:
    text = program(notebook)
    assert text.count("assert ") >= 1
    done = subprocess.run(
        [sys.executable, "-c", text],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("ran to its end\n")


def test_there_are_notebooks_of_three_kinds() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["coprocessor", "explore", "measure"]
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert all(f"({path.name})" in index for path in NOTEBOOKS)
