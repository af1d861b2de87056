"""The small libc prints and computes as the host's does."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine
from cocrypt.device import Device
from cocrypt.rtl.tools import cxx_compiler
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = ROOT / "tests/firmware/libc.c"


def console(source: Path, device: str = "picorv32") -> tuple[bytes, int]:
    """The output of a program on a device, and its exit code."""
    chain = Toolchain(Device.load(device))
    objects = chain.compile_needed([*chain.runtime(("-O2",)), Unit(source, ("-O2", "-Wno-format"))])
    run = Machine(device, chain.link(list(objects.values()), source.name)).run()
    return run.values["console"], run.values["stop"]["exit_code"]


def test_it_prints_what_the_host_prints(tmp_path: Path) -> None:
    program = tmp_path / "program"
    compiler = [*cxx_compiler(), "-x", "c", "-w", "-o", str(program), str(PROGRAM)]
    subprocess.run(compiler, check=True)
    expected = subprocess.run([program], check=True, capture_output=True).stdout
    printed, code = console(PROGRAM)
    assert code == 0
    assert printed.decode("latin-1").splitlines() == expected.decode("latin-1").splitlines()


@pytest.mark.parametrize(
    ("body", "end", "code"),
    [
        ("assert(1 + 1 == 2); exit(7);", "", 7),
        ("assert(1 + 1 == 3);", ":1: assertion failed: 1 + 1 == 3\n", 134),
        ("abort();", "", 134),
        ('printf("%p\\n", (void *)0x1234);', "0x1234\n", 0),
    ],
)
def test_ends_of_programs(tmp_path: Path, body: str, end: str, code: int) -> None:
    source = tmp_path / "ends.c"
    headers = "".join(f"\n#include <{name}.h>" for name in ("assert", "stdio", "stdlib"))
    source.write_text(f"{headers}\n#line 1\nint main(void) {{ {body} return 0; }}\n")
    printed, exit_code = console(source)
    assert (printed.decode().endswith(end), exit_code) == (True, code)
