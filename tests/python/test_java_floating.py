"""Floating point in Java: every instruction against the host's `java`, and what is refused."""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt import measurement
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.java import classfile, jars
from cocrypt.java.emit import image
from cocrypt.java.floating import NAMES, OPERATIONS
from cocrypt.java.program import JavaProgram, Settings, library_path
from cocrypt.java.reach import entry, reach
from cocrypt.java.verify import verify
from cocrypt.java.world import World
from cocrypt.paths import device
from conftest import ROOT
from java_classes import made
from java_interpreter import Interpreter
from test_java import compiled, on_host
from test_java_refused import mutated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

SOURCE = ROOT / "tests" / "cases" / "java_floating" / "Floats.java"
# A share runs in CI; COCRYPT_JAVA_FLOATS names a larger campaign, on one more device.
FLOATS = int(os.environ.get("COCRYPT_JAVA_FLOATS", "0"))
WAYS = [("picorv32", ()), ("sa1110", ("all",))]
FURTHER = [
    ("picorv32", ("all",)),
    ("sa1110", ()),
    ("stm32f4-168mhz", ()),
    ("stm32f4-168mhz", ("all",)),
]
CYCLES = 1 << 40
# A share runs in CI; COCRYPT_JAVA_MUTANTS names a larger campaign.
MUTANTS = int(os.environ.get("COCRYPT_JAVA_MUTANTS", "60"))


def on_device(
    program: JavaProgram,
    name: str,
    natives: tuple[Path, ...] = (),
    settings: Settings | None = None,
) -> bytes:
    """What a program prints."""
    chosen = Device.load(device(name))
    path = program.build(chosen, settings or Settings(heap=12 << 10), natives)
    printed: bytes = measurement.run(
        chosen, path.read_bytes(), path.name, max_cycles=CYCLES
    ).values["console"]
    return printed


@cache
def classes_of(javac: str, folder: Path) -> Path:
    """The program's classes, with as many random values as the campaign has."""
    text = SOURCE.read_text("utf-8")
    assert "COUNT = 16;" in text
    folder.mkdir()
    (folder / "Floats.java").write_text(text.replace("COUNT = 16;", f"COUNT = {FLOATS or 16};"))
    return compiled(javac, folder / "classes", folder / "Floats.java")


@pytest.fixture
def folder(need_tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return classes_of(need_tool("javac"), tmp_path_factory.getbasetemp() / "floats")


@pytest.mark.long
@pytest.mark.parametrize(("name", "aot"), WAYS + (FURTHER if FLOATS else []))
def test_values_are_those_of_the_host(
    name: str, aot: tuple[str, ...], folder: Path, need_tool: Callable[[str], str]
) -> None:
    """NaN, infinities, zeros with signs, subnormal numbers, borders of integers, random numbers."""
    expected = on_host(need_tool("java"), folder, "Floats")
    program = JavaProgram.load([folder], "Floats", aot, floating_point=True)
    assert on_device(program, name) == expected


@pytest.mark.skipif(not FLOATS, reason="COCRYPT_JAVA_FLOATS is not set: it takes seconds")
def test_executed_bytecodes_are_as_many_as_another_interpreter_executes(folder: Path) -> None:
    other = Interpreter([*jars.classes([folder]), *jars.classes([library_path()])])
    other.main("Floats")
    program = JavaProgram.load([folder], "Floats", host_initializers=False, floating_point=True)
    printed = on_device(program, "picorv32", settings=Settings(heap=12 << 10, count=True))
    assert printed == bytes(other.printed) + f"executed {other.executed}\n".encode()


def test_the_program_has_every_instruction(folder: Path) -> None:
    world = World(jars.classes([folder]), jars.classes([library_path()]), floating_point=True)
    reached = reach(world, entry(world, "Floats"))
    names = {
        each.shown
        for verified in reached.methods.values()
        if verified is not None
        for each in verified.instructions.values()
    }
    assert names >= NAMES
    source = image(reached, ()).source
    assert all(f"floating_{name}(int32_t *sp)" in source for name in OPERATIONS)


def test_a_program_without_floating_point_has_nothing_of_it(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    text = "class Plain { public static void main(String[] args) { System.out.println(1); } }"
    (tmp_path / "Plain.java").write_text(text, encoding="utf-8")
    classes = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Plain.java")
    chosen = Device.load(device("picorv32"))
    without, allowed = (
        JavaProgram.load([classes], "Plain", floating_point=floating).build(chosen, Settings())
        for floating in (False, True)
    )
    assert without.stat().st_size == allowed.stat().st_size


NATIVES = """
class Natives {
  int one = 1;
  native double scaled(float by, double value, int more);
  static native float half(float value);
  public static void main(String[] args) {
    System.out.println(Double.doubleToLongBits(new Natives().scaled(1.5f, -2.25, 3)));
    System.out.println(Float.floatToIntBits(half(-3f)));
  }
}
"""
SCALED = int.from_bytes(struct.pack("<d", 1.5 * -2.25 + 3), "little", signed=True)
HALF = int.from_bytes(struct.pack("<f", -3 / 2), "little", signed=True)
PRINTED = f"{SCALED}\n{HALF}\n".encode()
BY_JNI = """
#include "java.h"
jdouble Java_Natives_scaled(jobject self, jfloat by, jdouble value, jint more);
jdouble Java_Natives_scaled(jobject self, jfloat by, jdouble value, jint more)
{
    return self ? by * value + more : 0;
}
jfloat Java_Natives_half(jfloat value);
jfloat Java_Natives_half(jfloat value) { return value / 2; }
"""
BY_KNI = """
#include "kni.h"
KNIEXPORT KNI_RETURNTYPE_DOUBLE Java_Natives_scaled(void)
{
    KNI_ReturnDouble(KNI_GetParameterAsFloat(1) * KNI_GetParameterAsDouble(2)
                     + KNI_GetParameterAsInt(4));
}
KNIEXPORT KNI_RETURNTYPE_FLOAT Java_Natives_half(void)
{
    KNI_ReturnFloat(KNI_GetParameterAsFloat(1) / 2);
}
"""


@pytest.mark.parametrize(("kni", "text"), [(False, BY_JNI), (True, BY_KNI)], ids=["jni", "kni"])
def test_native_methods_take_and_give_floating_point(
    kni: bool, text: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "Natives.java").write_text(NATIVES, encoding="utf-8")
    (tmp_path / "natives.c").write_text(text, encoding="utf-8")
    classes = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Natives.java")
    program = JavaProgram.load([classes], "Natives", kni=kni, floating_point=True)
    assert on_device(program, "picorv32", (tmp_path / "natives.c",)) == PRINTED


# Code that a verifier refuses, with what the message says.
BROKEN = {
    "float as int": (b"\x0b\x04\x60\x57\xb1", "wrong type"),
    "int as float": (b"\x04\x0b\x62\x57\xb1", "wrong type"),
    "long as double": (b"\x09\x77\x58\xb1", "a double is not on the stack"),
    "double as long": (b"\x0e\x75\x58\xb1", "a long is not on the stack"),
    "half a double": (b"\x0e\x57\xb1", "cut a long or a double"),
    "float of an int's variable": (b"\x03\x3b\x22\x57\xb1", "wrong type"),
    "half of a double's variable": (b"\x0e\x47\x03\x3b\x26\x58\xb1", "wrong type"),
    "overwritten half": (b"\x0e\x48\x03\x3d\x27\x58\xb1", "wrong type"),
    "double in an array of longs": (b"\x04\xbc\x0b\x03\x0e\x52\xb1", "another array"),
    "floats as ints": (b"\x04\xbc\x06\x03\x2e\x57\xb1", "another array"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_verifier_tells_the_types_apart(name: str) -> None:
    code, message = BROKEN[name]
    world = World(
        [classfile.read(made("Main", code), "Main")],
        jars.classes([library_path()]),
        floating_point=True,
    )
    method = entry(world, "Main")
    with pytest.raises(InputError, match=message):
        verify(method, world)


def test_changed_class_files_end_in_one_message(folder: Path) -> None:
    """Whatever bytes change, the image is made, or an error with a message says why not."""
    random, made_images = Random(31), 0
    data = (folder / "Floats.class").read_bytes()
    given = jars.classes([library_path()])
    for _ in range(MUTANTS):
        with suppress(InputError):
            changed = classfile.read(mutated(data, random), "Floats")
            world = World([changed], given, floating_point=True)
            image(reach(world, entry(world, "Floats")), [each.name for each in given])
            made_images += 1
    assert MUTANTS // 20 < made_images < MUTANTS - MUTANTS // 20


def test_the_verb_takes_floating_point(folder: Path, verb: Verb) -> None:
    words = ("java", folder, "--main", "Floats", "-d", "picorv32", "-o", "floats.elf")
    refused = verb(*words)
    assert refused.code == 1
    assert "uses floating point" in refused.err
    assert "--floating-point" in refused.err
    made_image = verb(*words, "--floating-point", "--heap", "12288")
    assert made_image.code == 0, made_image.err
    assert verb("run", "floats.elf", "-d", "picorv32").out.startswith("[D\n")
