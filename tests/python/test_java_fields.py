"""Methods of objects in C that read and write fields: the same results as in Java on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.java import classfile, fields, jars
from cocrypt.java.program import JavaProgram, Settings, library_path
from cocrypt.java.world import World
from cocrypt.machine import Machine
from cocrypt.paths import device
from java_classes import made
from test_java import compiled, on_host

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

# Objects that are made between the calls let the collector work: what only a field that C has set
# refers to must stay. The fields of `Base` lie before those of `Engine`.
SOURCE = """
package p;
class Base { byte kept = -2; Object other = "first"; }
public final class Engine extends Base {
  static int calls;
  boolean on; byte small = -100; char letter = 'a'; short medium = -3; int number_1 = 40;
  float single = 1.5f; long wide = -(1L << 40); double twice = 0.25; byte[] data; Engine next;
  void step(Engine from) {
    data[0] += kept;
    kept += small;
    on = !on;
    small = (byte) (small - 100);
    letter++;
    medium = (short) (medium * 20000);
    number_1 -= from.number_1 / 3;
    single *= -3;
    wide = wide * 5 + medium;
    twice += single;
    other = from.data;
    next = from.next;
    from.next = null;
  }
  String text() {
    return kept + " " + on + small + (int) letter + medium + " " + number_1 + " "
      + (int) (100 * single) + " " + wide + " " + (int) (100 * twice) + " " + ((byte[]) other)[0]
      + " " + data[0];
  }
  public static void main(String[] args) {
    Engine one = new Engine(), two = new Engine();
    for (int i = 0; i < 40; i++) {
      one.data = new byte[] {(byte) i};
      two.data = new byte[] {(byte) (i * 7)};
      two.next = new Engine();
      two.next.number_1 = i;
      one.step(two);
      two.data = null;
      for (int k = 0; k < 8; k++) { byte[] filled = new byte[100]; filled[k] = 0x5a; }
      System.out.println(one.text() + " " + one.next.number_1 + (two.next == null));
    }
  }
}
"""
# What both do, since fields that are no objects have the same functions by KNI.
SIMPLE_FIELDS = """
    java_set_p_Base_kept(self, (jbyte)(java_get_p_Base_kept(self) + java_get_p_Engine_small(self)));
    java_set_p_Engine_on(self, !java_get_p_Engine_on(self));
    java_set_p_Engine_small(self, (jbyte)(java_get_p_Engine_small(self) - 100));
    java_set_p_Engine_letter(self, (jchar)(java_get_p_Engine_letter(self) + 1));
    java_set_p_Engine_medium(self, (jshort)(java_get_p_Engine_medium(self) * 20000));
    java_set_p_Engine_number_11(
        self, java_get_p_Engine_number_11(self) - java_get_p_Engine_number_11(from) / 3);
    java_set_p_Engine_single(self, java_get_p_Engine_single(self) * -3);
    java_set_p_Engine_wide(
        self, (jlong)((uint64_t)java_get_p_Engine_wide(self) * 5) + java_get_p_Engine_medium(self));
    java_set_p_Engine_twice(self, java_get_p_Engine_twice(self) + java_get_p_Engine_single(self));
"""
IN_C = f"""
#include "java_fields.h"

void Java_p_Engine_step(jobject self, jobject from)
{{
    java_bytes(java_get_p_Engine_data(self))[0] += java_get_p_Base_kept(self);
{SIMPLE_FIELDS}
    java_set_p_Base_other(self, java_get_p_Engine_data(from));
    java_set_p_Engine_next(self, java_get_p_Engine_next(from));
    java_set_p_Engine_next(from, 0);
}}
"""
BY_KNI = f"""
#include "kni.h"

#include "java_fields.h"

KNIEXPORT KNI_RETURNTYPE_VOID Java_p_Engine_step(void)
{{
    KNI_StartHandles(3);
    KNI_DeclareHandle(self);
    KNI_DeclareHandle(from);
    KNI_DeclareHandle(held);
    KNI_GetThisPointer(self);
    KNI_GetParameterAsObject(1, from);
    java_get_p_Engine_data(self, held);
    KNI_SetByteArrayElement(
        held, 0, (jbyte)(KNI_GetByteArrayElement(held, 0) + java_get_p_Base_kept(self)));
{SIMPLE_FIELDS}
    java_get_p_Engine_data(from, held);
    java_set_p_Base_other(self, held);
    java_get_p_Engine_next(from, held);
    java_set_p_Engine_next(self, held);
    KNI_ReleaseHandle(held);
    java_set_p_Engine_next(from, held);
    KNI_EndHandles();
    KNI_ReturnVoid();
}}
"""
INTERFACES = {"jni": IN_C, "kni": BY_KNI}


@pytest.fixture
def classes(need_tool: Callable[[str], str], tmp_path: Path) -> Path:
    """The folder with the classes."""
    (tmp_path / "Engine.java").write_text(SOURCE, encoding="utf-8")
    return compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Engine.java")


@pytest.mark.parametrize("interface", INTERFACES)
def test_a_method_in_c_reads_and_writes_fields_as_its_java_does(
    interface: str, classes: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    expected = on_host(need_tool("java"), classes, "p.Engine")
    assert len(expected.splitlines()) == 40
    (tmp_path / "step.c").write_text(INTERFACES[interface], encoding="utf-8")
    replaced = {"p.Engine.step": interface == "kni"}
    for aot in ((), ("all",)):
        program = JavaProgram.load([classes], "p.Engine", aot, replaced, floating_point=True)
        for name in ("picorv32", "sa1110"):
            chosen = Device.load(device(name))
            built = program.build(chosen, Settings(heap=2 << 10), [tmp_path / "step.c"])
            assert Machine(chosen, built).run().values["console"] == expected, (name, aot)


STUDY = """
[study]
name   = "fields"
title  = "A method of an object in C"
device = "picorv32"

[toolchain]
flags = ["-O2"]

[java]
classes        = ["classes"]
floating_point = true

[[workload]]
name   = "steps"
main   = "p.Main.run"
title  = "Steps"
output = "p.Main.output"
expect = "d2"

[[candidate]]
function = "p.Engine.step"

[[candidate.option]]
name   = "c"
source = "step.c"

[[candidate.option]]
name      = "by-kni"
source    = "step_kni.c"
interface = "kni"
"""
MAIN = """
package p;
class Main {
  static final byte[] output = new byte[1];
  static void run() {
    Engine one = new Engine();
    one.data = new byte[1];
    one.step(one);
    one.step(one);
    output[0] = one.kept;
  }
}
"""


def test_a_study_has_the_header_of_fields(
    need_tool: Callable[[str], str], tmp_path: Path, verb: Verb
) -> None:
    """A byte of -2 less 100 and 200 of the other field: -2 - 100 + 56 = -46, which is 0xd2."""
    for name, text in (("Engine", SOURCE), ("Main", MAIN)):
        (tmp_path / f"{name}.java").write_text(text, encoding="utf-8")
    compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    (tmp_path / "step.c").write_text(IN_C, encoding="utf-8")
    (tmp_path / "step_kni.c").write_text(BY_KNI, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    explored = verb("explore", "study.toml", "--jobs", "1")
    assert explored.code == 0, explored.text
    for option in ("c", "by-kni"):
        assert f"p.Engine.step: {option}" in explored.text


def test_the_header_of_native_methods_has_the_fields(
    classes: Path, tmp_path: Path, verb: Verb
) -> None:
    words = ("java", classes, "--main", "p.Engine", "--floating-point", "--header")
    written = verb(*words, tmp_path / "natives.h")
    assert written.code == 0, written.text
    text = (tmp_path / "natives.h").read_text("utf-8")
    # The first word of an object is its class; then come the fields of its parent.
    assert "JAVA_FIELD(p_Base_kept, jbyte, 1) /* p.Base.kept: B */" in text
    assert "JAVA_OBJECT_FIELD(p_Engine_next, 14)" in text
    assert "calls" not in text, "a static field is in no object"


def test_names_and_parents_of_foreign_classes_do_no_harm() -> None:
    """Two fields of one name, names that are no words of C, and a class above that is missing."""
    found = [("own", "I"), ("own", "J"), ("*/ }", "B")]
    data = made("Odd", b"\xb1", fields=[(1, name, kind) for name, kind in found])
    lost = made("Lost", b"\xb1", above="p/Nowhere", fields=[(1, "own", "I")])
    own = [classfile.read(each, name) for name, each in (("Odd", data), ("Lost", lost))]
    text = fields.header(World(own, jars.classes([library_path()])), own)
    assert text.count("Odd_own") == 1
    assert "JAVA_FIELD(Odd_own, jint, 1)" in text
    assert "JAVA_FIELD(Odd__0002a__00020_0007d, jbyte, 4) /* Odd.* / }: B */" in text
    assert "Lost" not in text
