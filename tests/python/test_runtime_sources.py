"""Every C file is free of warnings, and the compiler's helpers stand on their own."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cocrypt.primitives import library
from host import ROOT, WARNINGS

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = ["runtime", "primitives", "coprocessors", "studies", "tests/firmware"]
# Firmware for boards as they are sold comes with the libraries of its own compilers.
STOCK = ROOT / "tests/firmware/cmsis"
SOURCES = sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*.c") if STOCK not in path.parents
)
# Sources of a primitive are compiled with that primitive's own headers and sizes; studies and the
# files that only they use see the headers of the implementations that they begin with.
OWNED = {source: subject for subject in reversed(library.ours()) for source in subject.sources}
# It has the headers and sizes of the masked implementation, and the interface of the plain one.
MASKED = ROOT / "studies/aes128/encrypt_masked.c"
OWNED[MASKED] = next(subject for subject in library.ours() if subject.name == "aes128/masked")
FURTHER = {MASKED: [ROOT / "primitives/aes/ref"]}
STUDIED = (
    *("aes/ref", "ecdsa-secp160r1/ref", "ecdsa-secp160r1/variants", "prng/ref", "sha1/ref"),
    *("sha256/ref", "sha256/unrolled", "xor-stream/ref", "common"),
    *("ascon-aead/common", "ctr/ref", "hmac/ref", "rsa/common"),
)
HEADERS = sorted(
    {
        path.parent
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.h")
        if "foreign" not in path.parts
        and (folder != "primitives" or str(path.parent.relative_to(ROOT / folder)) in STUDIED)
    }
)
FOREIGN = ROOT / "runtime/foreign"
# Files that need another core than the host's are compiled for that core: these name its registers.
KERNELS = ROOT / "tests/firmware/user_mode"
# The machine for Java keeps references in words of 32 bits.
JAVA = ROOT / "runtime/java"
# Accesses to the links of a MicroBlaze: the host's compiler takes them as text, its assembler does
# not know them.
LINKS = ROOT / "studies/duarte2010"
AT_LINKS = (LINKS / "power_link.c", LINKS / "pow2_link/driver/pow2_link.c")
ARM = [sys.executable, "-m", "ziglang", "cc", "-target", "arm-freestanding-eabi"]
ARM += ["-mcpu=arm926ej_s", "-fno-sanitize=undefined"]
TARGET = ["-target", "riscv32-freestanding", "-ffreestanding", "-fno-sanitize=undefined"]


def calls(assembly: str) -> dict[str, set[str]]:
    """Collect from compiled assembly the functions that each function calls."""
    graph: dict[str, set[str]] = {}
    name = ""
    for line in assembly.splitlines():
        if label := re.match(r"(\w+):", line):
            name = label[1]
            graph[name] = set()
        elif call := re.match(r"\s+(?:call|tail|jal|j)\s+(?:ra, *)?([A-Za-z_]\w*)", line):
            graph[name].add(call[1])
    return graph


def reached(graph: dict[str, set[str]], name: str) -> set[str]:
    """Follow the calls of a function to their end."""
    callees: set[str] = set()
    waiting = set(graph[name])
    while waiting:
        callees |= waiting
        waiting = set().union(*(graph.get(callee, set()) for callee in waiting)) - callees
    return callees


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_file_is_free_of_warnings(path: Path, tmp_path: Path) -> None:
    owner, target = OWNED.get(path), tmp_path / "unit.o"
    folders = HEADERS
    if owner:
        folders = [*owner.include, ROOT / "primitives/common", *FURTHER.get(path, [])]
    include = [f"-I{folder}" for folder in ([FOREIGN] if FOREIGN in path.parents else folders)]
    flags = owner.flags if owner else ()
    cc = ARM if {KERNELS, JAVA} & set(path.parents) else ["cc"]
    output = "-S" if path in AT_LINKS else "-c"
    subprocess.run(
        [*cc, "-O1", *WARNINGS, *flags, *include, output, path, "-o", target], check=True
    )


@pytest.mark.parametrize("cpu", ["generic_rv32", "generic_rv32+m+c"])
@pytest.mark.parametrize("level", ["-O0", "-O2", "-Os", "-Oz"])
@pytest.mark.parametrize("name", ["bits.c", "divide32.c", "divide64.c", "memory.c"])
def test_helpers_stand_on_their_own(tmp_path: Path, name: str, level: str, cpu: str) -> None:
    """The compiler must not turn a helper's loop into a call of that helper or of others."""
    include = ["-I", str(ROOT / "runtime/include")]
    command = [sys.executable, "-m", "ziglang", "cc", *TARGET, level, f"-mcpu={cpu}", *include]
    source = str(ROOT / "runtime/libc" / name)
    listing = tmp_path / "helpers.s"
    subprocess.run([*command, "-S", source, "-o", str(listing)], check=True)
    graph = calls(listing.read_text())
    assert graph
    for function in graph:
        assert function not in reached(graph, function)
        assert reached(graph, function) <= set(graph)
