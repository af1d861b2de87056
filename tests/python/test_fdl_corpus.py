"""A corpus of designs: their results, compiled as well, and their exports in other simulators.

A sample of the exports runs by default; `COCRYPT_FDL_CORPUS=100` runs all of them. Designs with an
8051, and users of blocks of their own, need further tools and stand in `test_fdl_8051.py` and
`test_fdl_blocks.py`.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest

from cocrypt import _native
from cocrypt.hardware.exported import Exported, differing
from cocrypt.hardware.recording import record
from fdl_corpus import DESIGNS, Design

SHARE = int(os.environ.get("COCRYPT_FDL_CORPUS", "2"))
"""The percentage of designs whose exports run."""
LONGEST = 60
"""Cycles of a design in other simulators, which repeat its recorded run."""
MOST_SECONDS, MOST_BYTES = 5.0, 1 << 30
"""What a design may take, of a processor and of memory, to be compiled and to run."""
TOOLS = [tool for tool in ("iverilog", "ghdl") if shutil.which(tool) is None]
DEFINED = re.compile(r"\b(?:dp|ipblock|fsm|hardwired|sequencer)\s+(\w+)")


def own_names(design: Design) -> str:
    """The text of a design with names of its own, so that all designs can stand in one file."""
    names = sorted(set(DEFINED.findall(design.text)))
    pattern = re.compile(rf"\b({'|'.join(names)})\b")
    return pattern.sub(lambda match: f"{design.name}_{match[1]}", design.text)


def memory(which: str) -> int:
    """Bytes of memory of this process: those that it has (`VmRSS`), or the most (`VmHWM`)."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(rf"^{which}:\s+(\d+) kB", status, re.MULTILINE)[0]) << 10


def test_there_are_many_and_half_of_them_are_large() -> None:
    assert len({design.name for design in DESIGNS}) == len(DESIGNS) >= 60
    assert 2 * sum(design.is_large for design in DESIGNS) >= len(DESIGNS)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_a_design_computes_what_others_do(design: Design, tmp_path: Path) -> None:
    """Compiled from the first cycle on, within these limits for memory and time."""
    path = tmp_path / "design.fdl"
    path.write_text(design.text)
    # Linux forgets the most memory that the process had. Tests before this one hold some.
    Path("/proc/self/clear_refs").write_text("5")
    held, before = memory("VmRSS"), time.process_time()
    outputs = _native.fdl_simulate(path, "top", [{}] * design.cycles, True)[-1]
    assert time.process_time() - before < MOST_SECONDS
    assert memory("VmHWM") - held < MOST_BYTES
    assert {name: int(outputs[name]) for name in design.results} == design.results


def test_every_design_is_written_in_one_module_a_family(tmp_path: Path) -> None:
    """In Verilog and in VHDL; a datapath and its clones, whose definitions are alike, are one."""
    path = tmp_path / "design.fdl"
    for design in DESIGNS:
        path.write_text(design.text)
        defined = len(re.findall(r"^(?:dp|ipblock) \w+ ?\(", design.text, re.MULTILINE))
        verilog, vhdl = _native.fdl_verilog(path, "top"), _native.fdl_vhdl(path, "top", 2008)
        modules = len(re.findall(r"^module ", verilog, re.MULTILINE))
        assert 0 < modules <= defined, design.name
        assert len(re.findall(r"^entity ", vhdl, re.MULTILINE)) == modules, design.name


@pytest.mark.long
@pytest.mark.skipif(bool(TOOLS), reason=f"{', '.join(TOOLS)} are not installed")
def test_exports_run_alike(tmp_path: Path) -> None:
    step = max(1, 100 // SHARE)
    batch = []
    for design in DESIGNS[step // 2 :: step]:
        path = tmp_path / f"{design.name}.fdl"
        path.write_text(own_names(design))
        top = f"{design.name}_top"
        recording = record(path, top, min(design.cycles, LONGEST), 1, None)
        batch.append(Exported.of(path, top, recording))
    assert batch
    assert not {name: designs for name, designs in differing(batch, tmp_path).items() if designs}
