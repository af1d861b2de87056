"""Java on cores that only GCC compiles for: SuperH and MicroBlaze, in both orders of bytes.

The images of the paper's application are recorded for its SH3-DSP; with the compiler that
`cocrypt toolchain sh-elf` builds they must still be the same. After a change of the virtual
machine, `python test_java_gnu.py` records them again.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.device import Device, Tools
from cocrypt.explore import explore
from cocrypt.java import jars
from cocrypt.java import partition as in_java
from cocrypt.java.program import JavaProgram, Settings, library_path, machine_folder
from cocrypt.partition import named
from cocrypt.reproduce.matsuoka2004 import called
from cocrypt.study import Study
from host import ROOT
from java_programs import program as drawn
from test_gnu_cores import compiler_of, loaded
from test_java import CASES, PROGRAMS, compiled, on_device, on_host
from test_java_profile import TREE, Traced, executions, followed, java_calls

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.partition import Partition

DEVICES = ("sh7729", "sh7729el", "duarte2010-microblaze", "microblazeel")
RECORDED = [each for each in called.IMPLEMENTATIONS if not each.is_library]
CIPHER = "3925841d02dc09fbdc118597196a0b32"
"""FIPS 197, appendix B."""
PARTITIONS = 14


@pytest.fixture(params=DEVICES)
def roomy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A device for which there is a compiler, with a megabyte of memory where it has less."""
    compiler_of(request.param)
    text = paths.device(request.param).read_text(encoding="utf-8")
    larger = text.replace("size       = 0x0001_0000", "size       = 0x0010_0000")
    path = tmp_path / f"{request.param}.toml"
    path.write_text(larger, encoding="utf-8")
    return path


def study(device: str) -> Study:
    """The paper's application on a device."""
    return Study.load("java-aes").on(Device.load(paths.device(device)))


def made_of(on: Study, chosen: Partition) -> str:
    """A hash of what an image is made of: its program in C, the machine, natives, the runtime."""
    units = in_java.units(on, on.workload(), chosen.choice)
    folders = (machine_folder(), ROOT / "runtime/superh", ROOT / "studies/java-aes/native")
    files = (path for folder in folders for path in sorted(folder.rglob("*.[chS]")))
    content = [path.read_bytes() for path in (*(unit.source for unit in units), *files)]
    return hashlib.sha256(b"".join(content)).hexdigest()


@pytest.mark.parametrize("implementation", RECORDED, ids=lambda each: each.partition)
def test_recorded_images_are_of_the_present_sources(implementation: called.Implementation) -> None:
    """Else they are to be recorded again, by `python test_java_gnu.py`."""
    on = study(called.RECORDED)
    chosen = named(on, implementation.partition)
    path = called.image_of(chosen)
    recorded = json.loads((path.parent / "record.json").read_text("utf-8"))
    assert recorded[path.name] == made_of(on, chosen)


@pytest.mark.parametrize("implementation", RECORDED, ids=lambda each: each.partition)
def test_the_compiler_still_makes_the_recorded_images(
    implementation: called.Implementation,
) -> None:
    compiler_of(called.RECORDED)
    on = study(called.RECORDED)
    chosen = named(on, implementation.partition)
    (built,) = called.built(on, [chosen])
    assert loaded(built.image) == loaded(called.recorded(on, chosen).image)


@pytest.mark.parametrize("source", sorted(CASES.glob("*.java")), ids=lambda path: path.stem)
def test_a_program_prints_the_same_as_on_the_host(
    source: Path, roomy: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    folder = compiled(need_tool("javac"), tmp_path, source)
    expected = on_host(need_tool("java"), folder, source.stem)
    for aot in ((), ("all",)):
        run = on_device(
            JavaProgram.load([folder], source.stem, aot), str(roomy), Settings(heap=12 << 10)
        )
        assert run.values["console"] == expected, aot


def test_generated_programs_print_the_same_as_on_the_host(
    roomy: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Under a heap that is collected again and again."""
    for seed in range(PROGRAMS):
        name = f"Drawn{seed}"
        path = tmp_path / f"{name}.java"
        path.write_text(drawn(name, seed), encoding="utf-8")
        folder = compiled(need_tool("javac"), tmp_path / name, path)
        aot = ("all",) if seed % 2 else ()
        run = on_device(JavaProgram.load([folder], name, aot), str(roomy), Settings(heap=2048))
        assert run.values["console"] == on_host(need_tool("java"), folder, name), name


def test_calls_and_executions_are_those_of_another_interpreter(
    roomy: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "Tree.java").write_text(TREE, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Tree.java")
    other = Traced([*jars.classes([folder]), *jars.classes([library_path()])])
    other.main("Tree")
    program = JavaProgram.load([folder], "Tree", host_initializers=False)
    content = program.build(Device.load(roomy), Settings(heap=64 << 10)).read_bytes()
    values = followed(content, str(roomy)).profile().values
    assert executions(values["bytecodes"]) == dict(other.executions)
    assert java_calls(values["tree"]) == other.calls


@pytest.mark.parametrize("device", DEVICES)
def test_every_partition_gives_the_cipher_text(device: str) -> None:
    compiler_of(device)
    on = study(device)
    result = explore(on, on.workload(), jobs=1)
    assert {row.measurement.output.got.hex() for row in result.rows} == {CIPHER}
    assert len(result.rows) == PARTITIONS


@pytest.mark.parametrize(
    ("device", "gcc"), [("sa1110", "arm-none-eabi-gcc"), ("picorv32", "riscv64-unknown-elf-gcc")]
)
def test_gcc_compiles_every_partition_too(
    device: str, gcc: str, need_tool: Callable[[str], str]
) -> None:
    on = replace(study(device), tools=Tools(compiler=need_tool(gcc)))
    result = explore(on, on.workload(), jobs=1)
    assert {row.measurement.output.got.hex() for row in result.rows} == {CIPHER}
    assert len(result.rows) == PARTITIONS


def record() -> None:
    """Writes the images."""
    on = study(called.RECORDED)
    every = [named(on, each.partition) for each in RECORDED]
    hashes = {called.image_of(chosen).name: made_of(on, chosen) for chosen in every}
    for chosen, built in zip(every, called.built(on, every), strict=True):
        path = called.image_of(chosen)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(lzma.compress(built.image, preset=9))
    text = json.dumps(hashes, indent=2, sort_keys=True)
    (path.parent / "record.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    record()
