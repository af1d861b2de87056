"""Methods in Java that are compiled ahead of time, against the host's `java`."""

from __future__ import annotations

import json
import subprocess
import zipfile
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import java_programs
from cocrypt import _native, measurement
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.java import classfile, jars
from cocrypt.java.emit import image
from cocrypt.java.program import JavaProgram, Settings, library_path
from cocrypt.java.reach import entry, reach
from cocrypt.java.world import World
from cocrypt.paths import device
from java_classes import Pool, made
from java_interpreter import Interpreter
from test_java import (
    CASES,
    DEVICES,
    EXAMPLES,
    IN_C,
    MAIN_CYCLES,
    NATIVES,
    PRINTED,
    PROGRAMS,
    ROOT,
    _subroutine,
    compiled,
    loaded_library,
    on_device,
    on_host,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

__all__ = ["loaded_library"]
ALL = ("all",)
JAVA_STACK = 48 << 10
SHARE = {
    "Checks": "sa1110", "Corners": "stm32f4-168mhz", "Initial": "sa1110", "Numbers": "picorv32",
}  # fmt: skip
GENERATED = max(1, PROGRAMS // 2)
SPEED = ROOT / "tests" / "cases" / "java_aot" / "AesTable.java"
# What a program may have compiled when the rest stays bytecode, so that calls go both ways.
PARTS = (
    "java.lang.StringBuilder",
    "java.lang.String",
    "java.io.PrintStream",
    "java.lang.Throwable",
)


@pytest.mark.parametrize("source", sorted(CASES.glob("*.java")), ids=lambda path: path.stem)
def test_a_compiled_program_prints_the_same_as_on_the_host(
    source: Path, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    folder = compiled(need_tool("javac"), tmp_path, source)
    program = JavaProgram.load([folder], source.stem, ALL)
    expected = on_host(need_tool("java"), folder, source.stem)
    # A share in CI, as the generated programs run on all devices.
    for name in DEVICES if PROGRAMS > 3 else (SHARE[source.stem],):
        run = on_device(program, name, Settings(heap=12 << 10))
        assert run.values["console"] == expected, name


def test_generated_programs_print_the_same_whatever_is_compiled(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """All methods, then a part of them: compiled code calls bytecode, and bytecode calls it."""
    names = [f"G{seed}" for seed in range(1, 1 + GENERATED)]
    for seed, name in enumerate(names, 1):
        (tmp_path / f"{name}.java").write_text(java_programs.program(name, seed), encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    for seed, name in enumerate(names, 1):
        expected = on_host(need_tool("java"), folder, name)
        parts = Random(seed).sample((f"{name}.main", f"{name}$A", f"{name}$B", *PARTS), 4)
        for aot in (ALL, parts):
            program = JavaProgram.load([folder], name, aot)
            run = on_device(program, DEVICES[seed % 3], Settings(heap=2048))
            assert run.values["console"] == expected, (name, aot)


@pytest.mark.parametrize("name", PRINTED)
def test_errors_of_a_full_heap_and_stack_leave_compiled_code_whole(
    name: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    text, expected = PRINTED[name]
    source = tmp_path / f"{name}.java"
    source.write_text(text, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", source)
    program = JavaProgram.load([folder], name, ALL)
    run = on_device(program, settings=Settings(heap=4 << 10))
    assert run.values["console"] == expected


DEEP = """
class Deep {
  static int deepest;
  static int down(int n) { deepest = n; return down(n + 1) + 1; }
  public static void main(String[] args) {
    for (int i = 0; i < 3; i++) {
      try { down(0); } catch (StackOverflowError e) { System.out.println(deepest > 50); }
    }
  }
}
"""


def test_the_stack_of_c_may_overflow_before_that_of_java(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "Deep.java").write_text(DEEP, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Deep.java")
    chosen = Device.load(device("picorv32"))
    for aot in (ALL, ("Deep.down",)):
        # Java's stack takes nearly all memory, so that little is left for C's.
        settings = Settings(heap=4096, stack=JAVA_STACK)
        path = JavaProgram.load([folder], "Deep", aot).build(chosen, settings)
        run = measurement.run(chosen, path.read_bytes(), path.name, max_cycles=MAIN_CYCLES)
        assert run.values["console"] == b"true\n" * 3, aot


def test_compiled_subroutines_of_old_compilers_run(
    loaded_library: list[classfile.ClassFile],
) -> None:
    code, pool = _subroutine()
    data = made("Old", code, pool, version=45)
    world = World([classfile.read(data, "Old")], loaded_library)
    names = [each.name for each in loaded_library]
    found = image(reach(world, entry(world, "Old")), names, ALL)
    assert on_device(JavaProgram(found)).values["console"] == b"3\n10\n"


def test_methods_with_subroutines_on_different_stacks_stay_bytecode(
    loaded_library: list[classfile.ClassFile],
) -> None:
    """One is called with an int below its return address, then with an object."""
    pool = Pool()
    out = pool.static("java/lang/System", "out", "Ljava/io/PrintStream;").to_bytes(2)
    show = pool.method("java/io/PrintStream", "println", "(I)V").to_bytes(2)
    # 0: iconst_3, jsr 12, pop, aconst_null, jsr 12, pop, return; 12: astore_0, print of 7, ret 0
    code = b"\x06\xa8\x00\x0b\x57\x01\xa8\x00\x06\x57\xb1\x00"
    code += b"\x4b\xb2" + out + b"\x10\x07\xb6" + show + b"\xa9\x00"
    world = World([classfile.read(made("Old", code, pool, version=45), "Old")], loaded_library)
    names = [each.name for each in loaded_library]
    reached = reach(world, entry(world, "Old"))
    with pytest.raises(InputError, match=r"Old\.main cannot be compiled: its subroutines"):
        image(reached, names, ["Old.main"])
    found = image(reached, names, ALL)
    kept = [each.method for each in found.methods if not each.functions]
    assert kept == ["main()V"]
    assert on_device(JavaProgram(found)).values["console"] == b"7\n7\n"


LARGE = "\n".join(
    (
        "class Large { static long[] a = new long[200]; static long f(long[] q) {",
        *(f"long v{number} = q[{number}] * q[{number + 1}];" for number in range(120)),
        "for (int k = 0; k < q.length; k++) q[k] ^= k; long s = 0;",
        *(f"s = s * 31 + (v{number} ^ q[{number}]);" for number in range(120)),
        "return s; } public static void main(String[] x) { System.out.println(f(a)); } }",
    )
)


@pytest.mark.long
def test_methods_with_too_many_variables_on_the_stack_of_c_are_named(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Their frames would end below the stack before its check; as bytecode they run."""
    (tmp_path / "Large.java").write_text(LARGE, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Large.java")
    chosen = Device.load(device("picorv32"))
    with pytest.raises(InputError, match=r"aot_Large_f_[0-9]* has more than 512 bytes"):
        JavaProgram.load([folder], "Large", ALL).build(chosen, Settings())
    run = on_device(JavaProgram.load([folder], "Large", ["Large.main"]))
    assert run.values["console"] == on_host(need_tool("java"), folder, "Large")


# Compiled code runs the initialisers of a chain of classes, whose bytecode calls it again.
CHAIN = 90
INITIALISERS = "\n".join(
    (
        "class Chain {",
        *(f"static int get{at}() {{ return L{at}.value; }}" for at in range(CHAIN)),
        "public static void main(String[] args) {",
        "try { System.out.println(get0()); } catch (StackOverflowError e) { print(e); }",
        "catch (NoClassDefFoundError e) { print(e); }",
        "try { System.out.println(get0()); } catch (NoClassDefFoundError e) { print(e); } }",
        "static void print(Error e) { System.out.println(e.getClass().getName()); } }",
        *(
            f"class L{at} {{ static int value; static {{ value = Chain.get{at + 1}() + 1; }} }}"
            for at in range(CHAIN - 1)
        ),
        f'class L{CHAIN - 1} {{ static int value = Integer.parseInt("10"); }}',
    )
)


@pytest.mark.long
@pytest.mark.parametrize("room", [3000, 20_000])
def test_initialisers_that_compiled_code_runs_stay_within_the_stack_of_c(
    room: int, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """With little room for C the chain overflows, and its first class is not usable (5.5)."""
    (tmp_path / "Chain.java").write_text(INITIALISERS, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Chain.java")
    chosen, program = (
        Device.load(device("picorv32")),
        JavaProgram.load([folder], "Chain", ["Chain"]),
    )
    content = program.build(chosen, Settings(heap=4096)).read_bytes()
    left = _stack(content) - room
    path = program.build(chosen, Settings(heap=4096 + left // 8 * 8))
    run = measurement.run(chosen, path.read_bytes(), path.name, max_cycles=MAIN_CYCLES)
    error = b"java.lang.StackOverflowError\njava.lang.NoClassDefFoundError\n"
    assert run.values["console"] == (error if room < 4000 else b"99\n99\n")
    assert run.values["stack"] <= _stack(path.read_bytes())


def _stack(content: bytes) -> int:
    """The bytes that an image has for the stack of C."""
    symbols = _native.image_info(content, "image")["symbols"]
    at = {each["name"]: each["address"] for each in symbols}
    return int(at["_stack_top"] - at["_stack_limit"])


def test_compiled_code_calls_native_methods(
    need_tool: Callable[[str], str], tmp_path: Path, verb: Verb
) -> None:
    (tmp_path / "Natives.java").write_text(NATIVES, encoding="utf-8")
    (tmp_path / "natives.c").write_text(IN_C, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Natives.java")
    assert verb("java", folder, "--main", "Natives", "--header", "natives.h").code == 0
    words = ("--aot", "all", "--native", "natives.c", "-o", "natives.elf")
    built = verb("java", folder, "--main", "Natives", *words)
    assert built.code == 0, built.text
    ran = verb("run", "natives.elf", "-d", "picorv32")
    printed = "7 8\n-2199023255552!\ncaught\nexception in Java: java.lang.ArithmeticException\n"
    assert ran.out.startswith(printed)


def test_the_verb_names_what_it_compiles(
    need_tool: Callable[[str], str], tmp_path: Path, verb: Verb
) -> None:
    folder = compiled(need_tool("javac"), tmp_path / "classes", EXAMPLES / "Aes.java")
    words = ("java", folder, "--main", "Aes", "-o", "aes.elf", "--json")
    result = verb(*words, "--aot", "Aes.encrypt", "--aot", "Aes.addKey([BI)V")
    assert result.code == 0, result.text
    classes = json.loads(result.out)["classes"]
    methods = {each["name"]: each for own in classes for each in own["methods"]}
    compiled_names = {name for name, each in methods.items() if each["compiled"]}
    assert compiled_names == {"encrypt([B)V", "addKey([BI)V"}
    assert methods["encrypt([B)V"]["rom"] > methods["encrypt([B)V"]["bytecode"]
    assert verb("run", "aes.elf", "-d", "picorv32").out.startswith(
        "69c4e0d86a7b0430d8cdb78070b4c55a\n"
    )
    for name, message in (("Aes.nothing", "no method Aes.nothing"), ("Nothing", "no method")):
        refused = verb(*words, "--aot", name)
        assert refused.code == 1
        assert message in refused.err
    with pytest.raises(InputError, match="is native"):
        JavaProgram.load([folder], "Aes", ["java.lang.System.arraycopy"])


class Counter(Interpreter):
    """Counts bytecodes where the device counts cycles."""

    def native(self, method: classfile.Method, given: list[Any]) -> Any:  # noqa: ANN401
        return self.executed if method.name == "cycles" else super().native(method, given)


@pytest.mark.long
def test_aes_takes_few_cycles_per_bytecode_and_compiled_at_most_four_times_those_of_c(
    need_tool: Callable[[str], str],
    tmp_path: Path,
    verb: Verb,
    loaded_library: list[classfile.ClassFile],
) -> None:
    """A block on the SA-1110 without the key schedule, with one table of words that is rotated."""
    with zipfile.ZipFile(library_path()) as jar:
        jar.extract("cocrypt/Device.class", tmp_path / "library")
    arguments = ["-cp", str(tmp_path / "library"), "-d", str(tmp_path), str(SPEED)]
    subprocess.run([need_tool("javac"), "--release", "8", "-nowarn", *arguments], check=True)
    chosen, file = Device.load(device("sa1110")), tmp_path / "AesTable.class"
    cycles = []
    for aot, level in ((), "-Os"), (ALL, "-O2"):
        path = JavaProgram.load([file], "AesTable", aot).build(chosen, Settings(), flags=(level,))
        run = measurement.run(chosen, path.read_bytes(), path.name)
        text, taken = run.values["console"].split()
        assert text == b"69c4e0d86a7b0430d8cdb78070b4c55a"
        cycles.append(int(taken))
    other = Counter([*jars.classes([file]), *loaded_library])
    other.main("AesTable")
    assert cycles[0] <= 25 * int(other.printed.split()[1])
    measured = verb("measure", "aes128/turned", "-d", "sa1110", "-O", "2", "--json")
    rows = json.loads(measured.out)["rows"]
    (in_c,) = (each["cycles"] for each in rows if each["operation"] == "encrypt")
    assert cycles[1] <= 4 * in_c
