"""The text of SuperH's instructions against the GNU tools: all encodings, in both directions."""

from __future__ import annotations

import re
import struct
import subprocess
from typing import TYPE_CHECKING

import pytest

from rust_examples import example, output
from sh_programs import ASSEMBLER, TOOLS, Order, assembled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNT = 1 << 16
FLOATING = re.compile(r"f\w+(/\w+)? |f(rchg|schg)|(lds|sts)(\.l)? .*fp(ul|scr)|(lds|sts)\.l @?.*fp")
"""Instructions of the FPU, which only a core with one has."""


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """The text of each encoding here; empty for what is no instruction."""
    return output([example("sh_disassembly")]).splitlines()


def test_instructions_are_printed_as_objdump_prints_them(
    need_tool: Callable[[str], str], tmp_path: Path, texts: list[str]
) -> None:
    path = tmp_path / "all"
    path.write_bytes(struct.pack(f"<{COUNT}H", *range(COUNT)))
    command = [need_tool(f"{TOOLS}objdump"), "-D", "-z", "-b", "binary"]
    command += ["-m", "sh4", "-EL", str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^ *[0-9a-f]+:\t[0-9a-f ]+\t(.*)$", printed, re.MULTILINE)
    assert len(lines) == len(texts) == COUNT
    for number, (line, ours) in enumerate(zip(lines, texts, strict=True)):
        theirs = line.split("\t!")[0].replace("\t", " ").strip()
        if ours:
            assert ours == theirs, f"{number:#06x}"
        else:
            assert theirs.startswith(".word") or FLOATING.match(theirs), f"{number:#06x} {theirs}"


def test_what_is_printed_is_assembled_to_the_same_encoding(
    need_tool: Callable[[str], str], tmp_path: Path, texts: list[str]
) -> None:
    """Without targets, which depend on the address."""
    need_tool(ASSEMBLER)
    chosen = {number: text for number, text in enumerate(texts) if text and "0x" not in text}
    assert len(chosen) > 30000
    orders: list[tuple[Order, str]] = [("big", ">"), ("little", "<")]
    for order, mark in orders:
        code = assembled(list(chosen.values()), order, tmp_path)
        assert struct.unpack(f"{mark}{len(code) // 2}H", code) == tuple(chosen)
