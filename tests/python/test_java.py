"""Java on the device against the host's `java`, and what the machine lacks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import java_programs
import output_schemas
import pages
from cocrypt import measurement
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.java import classfile, debug, jars, library
from cocrypt.java.emit import image
from cocrypt.java.encode import opcodes
from cocrypt.java.program import JavaProgram, Settings, library_path
from cocrypt.java.reach import entry, reach
from cocrypt.java.world import World
from cocrypt.paths import device
from java_classes import Pool, made
from java_interpreter import Interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Verb

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases" / "java"
EXAMPLES = ROOT / "docs" / "examples" / "java"
DEVICES = ("picorv32", "sa1110", "stm32f4-168mhz")
# A share runs in CI; COCRYPT_JAVA_PROGRAMS names a larger campaign.
PROGRAMS = int(os.environ.get("COCRYPT_JAVA_PROGRAMS", "3"))
MAIN_CYCLES = 2_000_000_000


# It runs for half a second, in which optimising itself takes longer than it gains.
QUICK = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")


def compiled(javac: str, folder: Path, *sources: Path) -> Path:
    """Compiles sources to a folder of class files of version 52."""
    options = (*QUICK, "--release", "8", "-nowarn", "-Xlint:-options")
    command = [javac, *options, "-d", folder, *sources]
    subprocess.run(list(map(str, command)), check=True)
    return folder


def on_device(
    program: JavaProgram, name: str = "picorv32", settings: Settings | None = None
) -> measurement.Run:
    """The run of a program on a device."""
    chosen = Device.load(device(name))
    path = program.build(chosen, settings or Settings())
    return measurement.run(chosen, path.read_bytes(), path.name, max_cycles=MAIN_CYCLES)


def on_host(java: str, folder: Path, main: str) -> bytes:
    """The output of a program under the host's `java`."""
    command = [java, "-Xmx64m", "-Xss400k", "-XX:TieredStopAtLevel=1", "-cp", str(folder), main]
    return subprocess.run(command, capture_output=True, check=True).stdout


@pytest.fixture(scope="session")
def loaded_library() -> list[classfile.ClassFile]:
    return jars.classes([library_path()])


@pytest.mark.long
@pytest.mark.parametrize("source", sorted(CASES.glob("*.java")), ids=lambda path: path.stem)
def test_a_program_prints_the_same_as_on_the_host(
    source: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    folder = compiled(need_tool("javac"), tmp_path, source)
    program = JavaProgram.load([folder], source.stem)
    expected = on_host(need_tool("java"), folder, source.stem)
    for name in DEVICES:
        run = on_device(program, name, Settings(heap=12 << 10))
        assert run.values["console"] == expected, name


FORMER = """
interface I { int run(); }
interface Nobodys { int go(); }
class A implements I, Nobodys {
  int n = 1;
  public int run() { return n; }
  public int go() { return n; }
}
class B implements I { long x = 5; public int run() { return (int) x; } }
class C implements I { public int run() { return 3; } }
abstract class Base { abstract int value(); }
class Full extends Base { int n = 7; int value() { return n; } }
class Part extends Base { int value() { return 8; } }
class Changed {
  static int number = 1;
  static void call(I i) {
    try { System.out.println(i.run()); } catch (IncompatibleClassChangeError e) { print("no I"); }
  }
  static void go(Nobodys i) {
    try { System.out.println(i.go()); }
    catch (IncompatibleClassChangeError e) { print("nobody's"); }
    catch (NullPointerException e) { print("null"); }
  }
  static void value(Base base) {
    try { System.out.println(base.value()); }
    catch (IncompatibleClassChangeError e) { print("no value"); }
  }
  static void print(String text) { System.out.println(text + number++); }
  public static void main(String[] args) {
    call(new A()); call(new B()); call(new C()); call(new A()); go(new A()); go(null);
    value(new Full()); value(new Part()); value(new Full());
    Object[] others = new Object[2];
    others[0] = new int[1]; others[1] = "text";
    System.out.println(others[0].hashCode() == others[0].hashCode());
  }
}
"""
LATER = """
class A { int n = 1; public int run() { return n; } }
class Part extends Base { }
abstract class Base { }
"""


@pytest.mark.long
@pytest.mark.parametrize("aot", [(), ("all",), ("Changed",)], ids="".join)
def test_classes_that_changed_after_their_users_were_compiled(
    aot: tuple[str, ...], need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Objects that have no method of an interface, and classes without a method of their parent.

    `javac` compiles the users with other versions of these classes than those that run.
    """
    javac, folder = need_tool("javac"), tmp_path / "classes"
    for name, text in (("Changed", FORMER), ("A", LATER)):
        (tmp_path / f"{name}.java").write_text(text, encoding="utf-8")
    compiled(javac, folder, tmp_path / "Changed.java")
    later = compiled(javac, tmp_path / "later", tmp_path / "A.java")
    for name in ("A", "Part"):
        (later / f"{name}.class").replace(folder / f"{name}.class")
    expected = on_host(need_tool("java"), folder, "Changed")
    assert expected.count(b"no I") == 2
    for name in DEVICES[:2]:
        run = on_device(JavaProgram.load([folder], "Changed", aot), name)
        assert run.values["console"] == expected, name


@pytest.mark.parametrize("name", ["atmega328p", "rl78-g14", "i8051"])
def test_devices_on_which_the_machine_does_not_run_are_named(
    name: str, loaded_library: list[classfile.ClassFile]
) -> None:
    world = World([classfile.read(made("A", b"\xb1"), "A")], loaded_library)
    program = JavaProgram(image(reach(world, entry(world, "A")), ()))
    with pytest.raises(InputError, match=f"{name} has a core of .*, which runs no Java"):
        program.build(Device.load(device(name)), Settings())


EXHAUSTED = """
class Exhausted {
  public static void main(String[] args) {
    Throwable kept = null;
    try { args = new String[1 << 27]; } catch (OutOfMemoryError e) { kept = e; }
    kept.initCause(new RuntimeException("cause " + args.length));
    for (int i = 0; i < 300; i++) {
      int[] filled = new int[100];
      for (int k = 0; k < filled.length; k++) filled[k] = 0x5a5a5a5a;
    }
    System.out.println(kept.getCause().getMessage());
  }
}
"""
# The frame of the initialiser needs far more room than that of `down`, so it fails at first. It
# reads a field of another class, so that the host does not run it.
VARIABLES = " ".join(f"long v{number} = value + {number};" for number in range(20))
OVERFLOWN = (
    """
class Overflown {
  static int zero;
  static int down(int n) {
    try { return down(n + 1); } catch (StackOverflowError e) { return Wide.value; }
  }
  public static void main(String[] args) {
    try { System.out.println(down(0)); } catch (NoClassDefFoundError e) { System.out.println(e); }
    try { System.out.println(Wide.value); }
    catch (NoClassDefFoundError e) { System.out.println("again"); }
  }
}
class Wide {
  static int value;
"""
    f"  static {{ {VARIABLES} value = (int) (v0 + v19) + Overflown.zero; }}\n}}\n"
)
# Programs that depend on the sizes of heap and stack, and what the specification says they print:
# a class is not usable after its initialiser failed, whatever error that was (5.5).
PRINTED = {
    "Exhausted": (EXHAUSTED, b"cause 0\n"),
    "Overflown": (OVERFLOWN, b"java.lang.NoClassDefFoundError\nagain\n"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_errors_of_a_full_heap_and_stack_leave_the_machine_whole(
    name: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    text, expected = PRINTED[name]
    source = tmp_path / f"{name}.java"
    source.write_text(text, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", source)
    run = on_device(JavaProgram.load([folder], name), settings=Settings(heap=4 << 10))
    assert run.values["console"] == expected


@pytest.mark.long
def test_generated_programs_print_the_same_as_on_the_host(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """With a heap so small that the collector has work."""
    names = [f"G{seed}" for seed in range(PROGRAMS)]
    for seed, name in enumerate(names):
        (tmp_path / f"{name}.java").write_text(java_programs.program(name, seed), encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    for seed, name in enumerate(names):
        run = on_device(JavaProgram.load([folder], name), DEVICES[seed % 3], Settings(heap=2048))
        assert run.values["console"] == on_host(need_tool("java"), folder, name), name


def test_the_library_is_what_its_sources_compile_to(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    javac = need_tool("javac")
    version = subprocess.run([javac, "-version"], capture_output=True, text=True, check=True)
    library.write(tmp_path / "library.jar")
    now, kept = ({each.name: each for each in jars.classes([jar])} for jar in (
        tmp_path / "library.jar", library_path()
    ))  # fmt: skip
    assert list(now) == list(kept)
    for name, each in now.items():
        of_kept = [method.key for method in kept[name].methods]
        assert [method.key for method in each.methods] == of_kept, name
    if version.stdout.startswith("javac 17."):
        # Other versions may choose other instructions for the same source.
        assert _unpacked(tmp_path / "library.jar") == _unpacked(library_path())


def _unpacked(jar: Path) -> dict[str, bytes]:
    """The files in a jar, whatever compressed them."""
    with zipfile.ZipFile(jar) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_smallest_machine_takes_less_than_16_kib(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Interpreter, core classes and start-up code, of a program that prints a line."""
    source = tmp_path / "Small.java"
    source.write_text(
        'class Small { public static void main(String[] a) { System.out.println("hello"); } }',
        encoding="utf-8",
    )
    folder = compiled(need_tool("javac"), tmp_path / "classes", source)
    program = JavaProgram.load([folder], "Small")
    chosen = Device.load(device("picorv32"))
    settings = Settings(heap=512, stack=512, collector=False)
    path = program.build(chosen, settings, flags=("-Oz",))
    run = measurement.run(chosen, path.read_bytes(), "small")
    assert run.values["console"] == b"hello\n"
    assert run.rom < 16 << 10
    assert run.ram < 2 << 10


def test_the_verb_writes_an_image_that_runs(
    need_tool: Callable[[str], str], tmp_path: Path, verb: Verb
) -> None:
    folder = compiled(need_tool("javac"), tmp_path / "classes", EXAMPLES / "Aes.java")
    words = ("java", folder, "--main", "Aes", "-d", "picorv32", "-o", "aes.elf")
    result = verb(*words, "--json")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("java", values)
    own = next(each for each in values["classes"] if each["name"] == "Aes")
    # The S-box, 256 bytes behind its class and its length, is only read.
    assert own["initializer"] == {"runs_on": "host", "reason": None, "rom": 264, "ram": 0}
    assert own["rom"] == own["description"] + 264 + sum(each["rom"] for each in own["methods"])
    assert {each["name"] for each in own["methods"]} >= {"encrypt([B)V", "<init>([B)V"}
    ran = verb("run", "aes.elf", "-d", "picorv32")
    # FIPS 197, appendix C.1.
    assert ran.out.startswith("69c4e0d86a7b0430d8cdb78070b4c55a\n")
    table = verb(*words, "--no-host-initializers")
    assert "java.lang.String" in table.out
    assert re.search(r"\bAes\b.*\bdevice\b", table.out)
    assert "for the heap" in " ".join(table.out.split())


def test_the_page_holds(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    page = ROOT / "docs" / "java.md"
    pages.checkout(tmp_path)
    (step,) = pages.steps(page)
    for tool in step.needs:
        need_tool(tool)
    process = pages.run(step.commands, tmp_path)
    assert process.returncode == 0, process.stderr
    (printed,) = re.findall(r"^```\n([0-9a-f]{32}\n)```$", page.read_text("utf-8"), re.MULTILINE)
    assert printed in process.stdout


NATIVES = """
class Natives {
  static native int sum(byte[] data, long more, int last);
  native long twice(long value);
  static native void fail();
  static native String same(String text);
  static native int sum(int one);
  public static void main(String[] args) {
    System.out.println(sum(new byte[] {1, 2, -3}, 1L << 33, 5) + " " + sum(7));
    System.out.println(new Natives().twice(-(1L << 40)) + same("!"));
    try { fail(); } catch (ArithmeticException e) { System.out.println("caught"); }
    fail();
  }
}
"""
IN_C = """
#include "natives.h"

jint Java_Natives_sum___3BJI(jobject p0, jlong p1, jint p2)
{
    jint total = (jint)(p1 >> 32) + p2;
    for (jint i = 0; i < java_length(p0); i++) {
        total += java_bytes(p0)[i];
    }
    return total;
}

jint Java_Natives_sum__I(jint p0)
{
    return p0 + 1;
}

jlong Java_Natives_twice(jobject self, jlong p0)
{
    return self ? 2 * p0 : 0;
}

void Java_Natives_fail(void)
{
    java_throw(JAVA_ARITHMETIC);
}

jobject Java_Natives_same(jobject p0)
{
    return p0;
}
"""


def test_native_methods_in_c(need_tool: Callable[[str], str], tmp_path: Path, verb: Verb) -> None:
    (tmp_path / "Natives.java").write_text(NATIVES, encoding="utf-8")
    (tmp_path / "natives.c").write_text(IN_C, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Natives.java")
    header = verb("java", folder, "--main", "Natives", "--header", "natives.h")
    assert header.code == 0, header.text
    missing = verb("java", folder, "--main", "Natives")
    assert missing.code == 1
    assert "`Java_Natives_fail`: a native method of Java" in missing.err
    assert "--native" in missing.err
    words = ("--main", "Natives", "--native", "natives.c", "-o", "natives.elf")
    assert verb("java", folder, *words).code == 0
    ran = verb("run", "natives.elf", "-d", "picorv32")
    assert ran.code == 3
    printed = "7 8\n-2199023255552!\ncaught\nexception in Java: java.lang.ArithmeticException\n"
    assert ran.out.startswith(printed)


# What javac takes and the machine refuses, with what the message says.
REFUSED = {
    "float x = args.length; args[0] = x + args[0];": "floating point",
    "new Thread().start();": "threads",
    "args[0] = args.getClass().getMethods() + args[0];": "getMethods",
    'try { Class.forName("A"); } catch (Exception e) { }': "reflection",
    "Comparable<String> c = x -> 1;": "lambda",
    "try { args.wait(); } catch (Exception e) { }": "threads",
    "System.out.printf(args[0]);": "printf",
    "new java.util.ArrayList<String>();": "java.util.ArrayList",
}


def test_what_the_machine_lacks_is_refused_by_name(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    for number, body in enumerate(REFUSED):
        text = f"class Main{number} {{ public static void main(String[] args) {{ {body} }} }}"
        (tmp_path / f"Main{number}.java").write_text(text, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    for number, named in enumerate(REFUSED.values()):
        with pytest.raises(InputError, match=named):
            JavaProgram.load([folder], f"Main{number}")


def _subroutine() -> tuple[bytes, Pool]:
    """Code that calls a subroutine twice, as old compilers wrote `finally`."""
    pool = Pool()
    out = pool.static("java/lang/System", "out", "Ljava/io/PrintStream;").to_bytes(2)
    show = pool.method("java/io/PrintStream", "println", "(I)V").to_bytes(2)
    # 0: iconst_3, istore_0, jsr 11, jsr 11, return; 11: astore_1, print of local 0, iinc, ret 1
    code = b"\x06\x3b\xa8\x00\x09\xa8\x00\x06\xb1\x00\x00"
    code += b"\x4c\xb2" + out + b"\x1a\xb6" + show + b"\x84\x00\x07\xa9\x01"
    return code, pool


def test_subroutines_of_old_compilers_run(loaded_library: list[classfile.ClassFile]) -> None:
    code, pool = _subroutine()
    data = made("Old", code, pool, version=45)
    world = World([classfile.read(data, "Old")], loaded_library)
    found = image(reach(world, entry(world, "Old")), [each.name for each in loaded_library])
    assert on_device(JavaProgram(found)).values["console"] == b"3\n10\n"


def test_executed_bytecodes_are_counted(loaded_library: list[classfile.ClassFile]) -> None:
    """Two instructions, a hundred rounds of four, and the return."""
    # 0: iconst_0, istore_0; 2: iinc 0 1, iload_0, bipush 100, if_icmplt 2; return
    data = made("Loop", b"\x03\x3b\x84\x00\x01\x1a\x10\x64\xa1\xff\xfa\xb1")
    world = World([classfile.read(data, "Loop")], loaded_library)
    found = image(reach(world, entry(world, "Loop")), [each.name for each in loaded_library])
    run = on_device(JavaProgram(found), settings=Settings(count=True))
    assert run.values["console"] == b"executed 403\n"


def test_executed_bytecodes_are_as_many_as_another_interpreter_executes(
    need_tool: Callable[[str], str], tmp_path: Path, loaded_library: list[classfile.ClassFile]
) -> None:
    """Two generated programs, as many as COCRYPT_JAVA_PROGRAMS says in a larger campaign."""
    names = [f"G{seed}" for seed in range(PROGRAMS if PROGRAMS > 3 else 2)]
    for seed, name in enumerate(names):
        (tmp_path / f"{name}.java").write_text(java_programs.program(name, seed), encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    joined = set(list(opcodes())[list(opcodes()).index("leave") + 1 :]) - {"floating"}
    assert joined
    missing = joined.copy()
    for name in names:
        other = Interpreter([*jars.classes([folder]), *loaded_library])
        other.main(name)
        program = JavaProgram.load([folder], name, host_initializers=False)
        run = on_device(program, settings=Settings(count=True))
        expected = bytes(other.printed) + f"executed {other.executed}\n".encode()
        assert run.values["console"] == expected, name
        content = program.build(Device.load(device("picorv32")), Settings(count=True)).read_bytes()
        methods = debug.read(content)
        missing -= {each.opcode for method in methods for each in method.instructions}
    assert not missing, "instructions for several of bytecode that no program has"
