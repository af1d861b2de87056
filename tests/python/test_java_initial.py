"""Static initialisers that the host runs, against the host's `java`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import java_programs
from cocrypt.java import classfile, jars
from cocrypt.java.program import JavaProgram, Settings
from java_interpreter import Interpreter
from test_java import CASES, PROGRAMS, compiled, loaded_library, on_device, on_host

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["loaded_library"]
SMALL = Settings(heap=6 << 10)
# Why the initialisers of the case stay that do, by what Java's specification lets a program tell
# (5.5) or by the limits of the page; all others run on the host.
REASONS = {
    "Prints": "uses the field java.lang.System.out",
    "BelowPrints": "follows the initialiser of Initial$Prints",
    "Reads": "uses the field Initial$Written.count",
    "Changes": "uses the field Initial$Written.count",
    "Throws": "throws ArrayIndexOutOfBoundsException",
    "Catches": "throws ArithmeticException",
    "Left": "uses the field Initial$Right.OWN",
    "Right": "uses the field Initial$Left.OWN",
    "Parent": "uses the field Initial$Child.own",
    "Child": "follows the initialiser of Initial$Parent",
    "Long2": "takes more than 200,000 instructions",
    "Holder": "uses Initial$Worker, whose initialiser runs on the device",
    "Worker": "leaves objects that are written to and would take more ROM than it saves",
    "Buffer": "leaves objects that are written to and would take more ROM than it saves",
}
# What the program writes to, in bytes: 8 of each array's head, and the elements in whole words.
WRITTEN = {
    "direct": 8 + 12, "passed": 8 + 4, "aliased": 8 + 24, "rows": 2 * 16, "copied": 8 + 8,
    "shallow": 2 * 12, "returned": 8 + 12, "stored": 8 + 8, "chosen": 8 + 12,
}  # fmt: skip
READ = {"outer rows": 8 + 8, "source": 8 + 8, "cloned": 8 + 12, "outer shallow": 8 + 8}


@cache
def _classes(javac: str, folder: Path) -> Path:
    return compiled(javac, folder, CASES / "Initial.java")


@pytest.fixture
def case(need_tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _classes(need_tool("javac"), tmp_path_factory.getbasetemp() / "initial")


@pytest.mark.parametrize("host", [True, False])
def test_initialisers_leave_the_same_wherever_they_run(
    host: bool, case: Path, need_tool: Callable[[str], str]
) -> None:
    program = JavaProgram.load([case], "Initial", host_initializers=host)
    run = on_device(program, settings=SMALL)
    assert run.values["console"] == on_host(need_tool("java"), case, "Initial")


def test_what_can_be_told_from_outside_runs_on_the_device(case: Path) -> None:
    found = JavaProgram.load([case], "Initial").image.initializers
    own = {name.partition("$")[2]: each for name, each in found.items() if "$" in name}
    assert {name: each.reason for name, each in own.items() if each.reason} == REASONS
    assert {"Tables", "Written", "Node", "Colour", "Above", "Below", "Limits"} <= own.keys()


def test_what_is_only_read_stands_in_rom(case: Path) -> None:
    found = JavaProgram.load([case], "Initial").image.initializers
    assert found["Initial$Tables"].ram == found["Initial$Above"].ram == 0
    written = found["Initial$Written"]
    assert written.ram == sum(WRITTEN.values())
    assert written.rom == written.ram + sum(READ.values())


@pytest.mark.long
def test_host_and_device_execute_all_instructions_together(
    need_tool: Callable[[str], str], tmp_path: Path, loaded_library: list[classfile.ClassFile]
) -> None:
    """Generated programs, counted by an interpreter that has no part in the image."""
    names = [f"G{seed}" for seed in range(5, 5 + max(1, PROGRAMS // 3))]
    for seed, name in enumerate(names, 5):
        (tmp_path / f"{name}.java").write_text(java_programs.program(name, seed), encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    for name in names:
        other = Interpreter([*jars.classes([folder]), *loaded_library])
        other.main(name)
        program = JavaProgram.load([folder], name)
        done = [
            each for owner, each in program.image.initializers.items() if owner in other.initialized
        ]
        by_host = sum(each.instructions for each in done)
        assert by_host > 0
        run = on_device(program, settings=Settings(count=True))
        expected = bytes(other.printed) + f"executed {other.executed - by_host}\n".encode()
        assert run.values["console"] == expected, name
