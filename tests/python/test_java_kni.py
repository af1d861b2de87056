"""Native methods by KNI: the same results as by the other interface, and what each one costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.java import frames
from cocrypt.java.program import JavaProgram, Settings
from cocrypt.machine import Machine
from cocrypt.paths import device
from conftest import ROOT
from test_java import compiled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.java.frames import Method
    from conftest import Verb

NATIVES = """
class Kni {
  int seven = 7;
  static native int sum(byte[] data, long more, int last);
  native long twice(long value);
  static native void fail(String name, int kind);
  static native String same(String[] texts, int at);
  static native boolean is(Object one, Object other);
  static native char letter(char[] letters, short at, byte more, boolean up, char value);
  static void caught(int kind) {
    try { fail("x", kind); System.out.println("none"); }
    catch (RuntimeException e) { System.out.println(e.getClass().getName()); }
    catch (Error e) { System.out.println(e.getClass().getName()); }
  }
  public static void main(String[] args) {
    System.out.println(sum(new byte[] {1, 2, -3}, 1L << 33, 5));
    System.out.println(new Kni().twice(-(1L << 40)));
    System.out.println(same(new String[] {"a", "b"}, 1));
    System.out.println(is(args, args) + " " + is(args, "") + " " + is(null, null));
    char[] letters = {'a', 'b'};
    System.out.println(letter(letters, (short) -1, (byte) 2, true, 'z') + "" + letters[1]);
    caught(0); caught(1); caught(2);
  }
}
"""
IN_C = """
#include "kni.h"

KNIEXPORT KNI_RETURNTYPE_INT Java_Kni_sum()
{
    jbyte copied[3];
    jint  total = (jint)(KNI_GetParameterAsLong(2) >> 32) + KNI_GetParameterAsInt(4);
    KNI_StartHandles(1);
    KNI_DeclareHandle(data);
    KNI_GetParameterAsObject(1, data);
    KNI_GetRawArrayRegion(data, 0, KNI_GetArrayLength(data), copied);
    total += copied[0] + copied[1] + KNI_GetByteArrayElement(data, 2);
    KNI_EndHandles();
    KNI_ReturnInt(total);
}

KNIEXPORT KNI_RETURNTYPE_LONG Java_Kni_twice()
{
    jlong value = 0;
    KNI_StartHandles(1);
    KNI_DeclareHandle(self);
    KNI_GetThisPointer(self);
    value = KNI_IsNullHandle(self) ? 0 : 2 * KNI_GetParameterAsLong(1);
    KNI_EndHandles();
    KNI_ReturnLong(value);
}

KNIEXPORT KNI_RETURNTYPE_VOID Java_Kni_fail()
{
    switch (KNI_GetParameterAsInt(2)) {
    case 0: KNI_ThrowNew("java/lang/ArithmeticException", "of KNI"); break;
    case 1: KNI_ThrowNew("java/lang/Nowhere", "of KNI"); break;
    default: KNI_ThrowNew("java/lang/String", "no exception"); break;
    }
    KNI_ReturnVoid();
}

KNIEXPORT KNI_RETURNTYPE_OBJECT Java_Kni_same()
{
    KNI_StartHandles(2);
    KNI_DeclareHandle(texts);
    KNI_DeclareHandle(text);
    KNI_GetParameterAsObject(1, texts);
    KNI_GetObjectArrayElement(texts, KNI_GetParameterAsInt(2), text);
    KNI_EndHandlesAndReturnObject(text);
}

KNIEXPORT KNI_RETURNTYPE_BOOLEAN Java_Kni_is()
{
    jboolean same = KNI_FALSE;
    KNI_StartHandles(2);
    KNI_DeclareHandle(one);
    KNI_DeclareHandle(other);
    KNI_GetParameterAsObject(1, one);
    KNI_GetParameterAsObject(2, other);
    same = KNI_IsSameObject(one, other);
    KNI_EndHandles();
    KNI_ReturnBoolean(same);
}

KNIEXPORT KNI_RETURNTYPE_CHAR Java_Kni_letter()
{
    jchar found = 0;
    KNI_StartHandles(1);
    KNI_DeclareHandle(letters);
    KNI_GetParameterAsObject(1, letters);
    jint at = KNI_GetParameterAsShort(2) + KNI_GetParameterAsByte(3);
    if (KNI_GetParameterAsBoolean(4)) {
        found = KNI_GetCharArrayElement(letters, at);
        KNI_SetCharArrayElement(letters, at, KNI_GetParameterAsChar(5));
    }
    KNI_EndHandles();
    KNI_ReturnChar(found);
}
"""
# The first is 0 of the bytes, 2 of the upper half and 5.
PRINTED = (
    b"7\n-2199023255552\nb\ntrue false true\nbz\n"
    b"java.lang.ArithmeticException\njava.lang.Error\njava.lang.Error\n"
)


@pytest.mark.parametrize("name", ["picorv32", "sa1110"])
@pytest.mark.parametrize("aot", [(), ("all",)])
def test_kni_gives_arguments_and_takes_results(
    name: str, aot: tuple[str, ...], need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "Kni.java").write_text(NATIVES, encoding="utf-8")
    (tmp_path / "kni_methods.c").write_text(IN_C, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Kni.java")
    program = JavaProgram.load([folder], "Kni", aot, kni=True)
    chosen = Device.load(device(name))
    built = program.build(chosen, Settings(), [tmp_path / "kni_methods.c"])
    run = Machine(chosen, built).run()
    assert run.values["console"] == PRINTED


def test_the_verb_takes_kni(need_tool: Callable[[str], str], tmp_path: Path, verb: Verb) -> None:
    (tmp_path / "Kni.java").write_text(NATIVES, encoding="utf-8")
    (tmp_path / "own.c").write_text(f'#include "own.h"\n{IN_C}', encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Kni.java")
    words = ("java", folder, "--main", "Kni", "--interface", "kni", "-d", "picorv32")
    assert verb(*words, "--header", "own.h").code == 0
    text = (tmp_path / "own.h").read_text("utf-8")
    assert '#include "kni.h"' in text
    assert "struct java_object *Java_Kni_same(void);" in text
    made = verb(*words, "--native", "own.c", "-o", "kni.elf")
    assert made.code == 0, made.err
    assert verb("run", "kni.elf", "-d", "picorv32").out.encode().startswith(PRINTED)


COSTS = ROOT / "docs" / "examples" / "java"


def costs(folder: Path, name: str, interface: str) -> tuple[Method, Method]:
    """The caller and the native method of `Sum`, which has its bytes from Java."""
    program = JavaProgram.load([folder], "Sum", kni=interface == "kni")
    chosen = Device.load(device(name))
    built = program.build(chosen, Settings(), [COSTS / f"sum_{interface}.c"], ("-O2",))
    machine = Machine(chosen, built, contexts=True)
    frames.follow(machine)
    assert machine.run().values["console"] == b"120\n"
    found = {each.name: each for each in frames.methods(machine.profile().values)}
    return found["Sum.main([Ljava/lang/String;)V"], found["Java_Sum_sum"]


@pytest.mark.parametrize("name", ["picorv32", "sa1110"])
def test_kni_costs_more(name: str, need_tool: Callable[[str], str], tmp_path: Path) -> None:
    """The figures of docs/java.md."""
    folder = compiled(need_tool("javac"), tmp_path / "classes", COSTS / "Sum.java")
    page = (ROOT / "docs" / "java.md").read_text("utf-8")
    pairs = [costs(folder, name, interface) for interface in ("jni", "kni")]
    totals = [function.total_cycles for _, function in pairs]
    ways = [caller.interface_cycles for caller, _ in pairs]
    assert totals[0] < totals[1]
    device_name = {"picorv32": "PicoRV32", "sa1110": "SA-1110"}[name]
    assert f"| {device_name} | {totals[0]} | {totals[1]} | {ways[0]} | {ways[1]} |" in page
