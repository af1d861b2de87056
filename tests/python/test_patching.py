"""Additions to a program without sources, as readelf reads them, in either order of bytes."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt import patching
from cocrypt.compiler import run_tool
from cocrypt.zig import zig

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BEHIND = 0x10000


def linked(folder: Path, target: str, name: str, address: int) -> Path:
    """A program with one function, from an address on."""
    source, built = folder / f"{name}.c", folder / f"{name}.o"
    source.write_text(f"int {name}(int a) {{ return a + {address}; }}\n", encoding="utf-8")
    program = folder / f"{name}.elf"
    compiled = run_tool([zig(), "cc", "-target", target, "-Os", "-c", source, "-o", built])
    assert compiled.returncode == 0, compiled.stderr
    words: list[str | Path] = [
        "--entry",
        name,
        f"--image-base={address:#x}",
        f"-Ttext={address:#x}",
        built,
        "-o",
        program,
    ]
    link = run_tool([zig(), "ld.lld", *words])
    assert link.returncode == 0, link.stderr
    return program


@pytest.mark.parametrize(
    ("target", "order"), [("riscv32-freestanding", "little"), ("powerpc-freestanding", "big")]
)
def test_segments_and_symbols_are_added(
    target: str, order: str, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    readelf = need_tool("readelf")
    content = bytearray(linked(tmp_path, target, "program", 0x1000).read_bytes())
    addition = linked(tmp_path, target, "addition", BEHIND).read_bytes()
    patching._add_symbols(content, [{"name": "added", "address": BEHIND, "size": 8}])
    patching._add_segments(content, addition)
    path = tmp_path / "patched.elf"
    path.write_bytes(content)
    command = [readelf, "--wide", "--file-header", "--segments", "--symbols", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{order} endian" in done.stdout
    assert "Warning" not in done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    loaded = [int(row[2], 16) for row in rows if row[:1] == ["LOAD"]]
    assert BEHIND in loaded
    assert {"0x1000", "0x10000"} <= {hex(address) for address in loaded}
    named = {row[-1]: int(row[1], 16) for row in rows if "FUNC" in row}
    assert named["added"] == BEHIND
    assert named["program"] == 0x1000
