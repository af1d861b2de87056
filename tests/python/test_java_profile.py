"""Profiles through Java: methods, lines and call trees against another interpreter and `javap`."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import java_programs
import output_schemas
from cocrypt import _native, annotation
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.explore.exploring import explore
from cocrypt.java import application, debug, emit, frames, jars
from cocrypt.java.program import JavaProgram, Settings, library_path
from cocrypt.machine import Machine
from cocrypt.partition import named
from cocrypt.paths import device
from cocrypt.study import Study
from conftest import ROOT
from java_interpreter import Interpreter
from test_java import compiled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import ClassFile, Method
    from conftest import Verb

# Recursion that exceptions leave, handlers in an outer frame of the same method, initialisers
# with parents and calls of their own, calls that select, and a native method.
TREE = """
class Above { static int above = Tree.leaf(1); }
class Below extends Above { static int below = above + Tree.leaf(2); }
interface Shape { int area(); }
class Square implements Shape { public int area() { return Tree.leaf(3); } }
class Line implements Shape { public int area() { return 0; } }
class Tree {
  static int leaf(int n) { return n * 2; }
  static int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }
  static int fall(int n) {
    if (n == 0) { throw new IllegalStateException(); }
    try { return fall(n - 1) + leaf(n); }
    catch (IllegalStateException e) { if (n < 3) { throw e; } return leaf(n); }
    finally { leaf(n); }
  }
  static int divide(int n) {
    try { return 10 / n; } catch (ArithmeticException e) { return leaf(n); }
  }
  static int deep(int n) { return n == 0 ? divide(0) : deep(n - 1); }
  public static void main(String[] args) {
    int sum = fib(6) + leaf(7) + fall(5) + leaf(8) + deep(4) + Below.below;
    Shape[] shapes = {new Square(), new Line()};
    for (Shape each : shapes) { sum += each.area(); }
    int[] from = {1, 2, 3}, to = new int[3];
    System.arraycopy(from, 0, to, 0, 3);
    System.out.println(sum + leaf(to[2]));
  }
}
"""


@pytest.fixture(scope="module")
def loaded_library() -> list[ClassFile]:
    return jars.classes([library_path()])


Frames = tuple[str, ...]


class Traced(Interpreter):
    """Counts the executions of each instruction, and the calls of each path of methods."""

    def __init__(self, classes: list[ClassFile]) -> None:
        super().__init__(classes)
        self.path: Frames = ()
        self.calls: Counter[Frames] = Counter()
        self.executions: Counter[tuple[str, int]] = Counter()

    def invoke(self, method: Method, given: list[Any]) -> Any:  # noqa: ANN401
        if method.is_native:
            return super().invoke(method, given)
        before = self.path
        self.path = (*before, str(method))
        self.calls[self.path] += 1
        try:
            return super().invoke(method, given)
        finally:
            self.path = before

    def step(
        self, method: Method, each: Instruction, own: list[Any], stack: list[Any]
    ) -> int | None:
        self.executions[str(method), each.at] += 1
        return super().step(method, each, own, stack)


def followed(content: bytes, name: str) -> Machine:
    """A machine that follows a program in Java, after the run, which took no cycle more."""
    plain = Machine(Device.load(device(name)), content, contexts=True)
    expected = plain.run()
    machine = Machine(Device.load(device(name)), content, contexts=True)
    frames.follow(machine)
    run = machine.run()
    assert (run.cycles, run.values["console"]) == (expected.cycles, expected.values["console"])
    values, others = machine.profile().values, plain.profile().values
    assert values["instructions"] == others["instructions"]
    spent = [sum(each["self_cycles"] for each in of["functions"]) for of in (values, others)]
    assert spent[0] == spent[1]
    assert spent[0] == sum(node["self_cycles"] for node in values["tree"])
    return machine


def java_calls(tree: list[dict[str, Any]]) -> Counter[Frames]:
    """The calls of each path of methods in a profile, without what lies between in C."""
    paths: list[Frames] = []
    calls: Counter[Frames] = Counter()
    for node in tree:
        above = paths[node["parent"]] if node["parent"] is not None else ()
        is_java = "(" in node["name"]
        paths.append((*above, node["name"]) if is_java else above)
        if is_java:
            calls[paths[-1]] += node["calls"]
    return calls


def executions(rows: list[dict[str, Any]]) -> dict[tuple[str, int], int]:
    """The executions of bytecode: of the instructions that are made of one, those of the first.

    An instruction of the machine that is made of several of bytecode has them all in its text.
    """
    found: dict[tuple[str, int], int] = {}
    for row in rows:
        for text in row["text"].split(" + "):
            found.setdefault((row["function"], int(text.partition(":")[0])), row["executions"])
    return found


@pytest.mark.parametrize("name", ["picorv32", "sa1110", "stm32f4-168mhz"])
def test_calls_and_executions_are_those_of_another_interpreter(
    name: str, need_tool: Callable[[str], str], tmp_path: Path, loaded_library: list[ClassFile]
) -> None:
    sources = {"Tree": TREE, "Drawn": java_programs.program("Drawn", 11)}
    for main, text in sources.items():
        (tmp_path / f"{main}.java").write_text(text, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", *sorted(tmp_path.glob("*.java")))
    for main in sources:
        other = Traced([*jars.classes([folder]), *loaded_library])
        other.main(main)
        program = JavaProgram.load([folder], main, host_initializers=False)
        content = program.build(Device.load(device(name)), Settings(heap=64 << 10)).read_bytes()
        values = followed(content, name).profile().values
        assert executions(values["bytecodes"]) == dict(other.executions), main
        # An initialiser has another caller here: what runs it is an instruction of the machine.
        assert java_calls(values["tree"]) == other.calls, main


def line_tables(javap: str, folder: Path, name: str) -> dict[str, dict[int, int]]:
    """The line of each instruction that begins one, by method, as `javap` prints them."""
    command = [javap, "-l", "-p", "-s", "-cp", str(folder), name]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    tables: dict[str, dict[int, int]] = {}
    for part in text.split("\n\n"):
        descriptor = re.search(r"descriptor: (\(\S+)", part)
        method = re.search(r"(\w+)\(|static \{\}", part)
        if descriptor and method:
            own = {"None": "<clinit>", name: "<init>"}.get(str(method[1]), method[1])
            rows = re.findall(r"line (\d+): (\d+)", part)
            tables[f"{name}.{own}{descriptor[1]}"] = {int(at): int(line) for line, at in rows}
    return tables


def test_lines_are_those_of_javap(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "Tree.java").write_text(TREE, encoding="utf-8")
    folder = compiled(need_tool("javac"), tmp_path / "classes", tmp_path / "Tree.java")
    program = JavaProgram.load([folder], "Tree")
    content = program.build(Device.load(device("picorv32")), Settings()).read_bytes()
    methods = {each.name: each for each in debug.read(content)}
    tables = line_tables(need_tool("javap"), folder, "Tree")
    assert tables.keys() - {"Tree.<init>()V"} == {each for each in methods if "Tree." in each}
    for name in tables.keys() & methods.keys():
        assert methods[name].file == "Tree.java"
        for instruction in methods[name].instructions:
            at = int(instruction.text.partition(":")[0])
            begun = [line for start, line in sorted(tables[name].items()) if start <= at]
            assert instruction.line == begun[-1], (name, instruction)


def test_debug_data_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    jar = application.folder() / "application.jar"
    hashes = []
    for directives in (debug.directives, lambda _methods: ""):
        monkeypatch.setattr(emit, "directives", directives)
        built = JavaProgram.load([jar], "Application").build(
            Device.load(device("picorv32")), Settings()
        )
        hashes.append(_native.image_info(built.read_bytes(), "built")["hash"])
    assert hashes[0] == hashes[1]
    assert debug.read(built.read_bytes()) == []


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.load(ROOT / "studies" / "java-aes.toml")


def study_machine(study: Study, partition: str) -> Machine:
    """A machine of a partition of the study that follows Java, after the run."""
    (built,) = Builder(study).build([(study.workload(), named(study, partition))])
    machine = Machine(
        study.device, built.image, name=built.name, coprocessors=built.coprocessors, contexts=True
    )
    frames.follow(machine)
    machine.run()
    return machine


def test_java_c_and_driver_are_in_one_stack(study: Study) -> None:
    """In the files for other tools too, whose sums are those of the run."""
    machine = study_machine(study, "Coprocessor")
    profile = machine.profile()
    stacks = [line.rpartition(" ") for line in profile.folded().splitlines()]
    driver = "Application.main([Ljava/lang/String_)V;Vault.encrypt(I[B[B)V;"
    assert any(f"{driver}Java_Aes_encrypt" in stack for stack, _, _ in stacks)
    spent = sum(each["self_cycles"] for each in profile.values["functions"])
    assert sum(int(cycles) for _, _, cycles in stacks) == spent
    assert sum(json.loads(profile.speedscope())["profiles"][0]["weights"]) == spent
    text = profile.callgrind()
    (summary,) = re.findall(r"^summary: (\d+)", text, re.MULTILINE)
    assert int(summary) == spent
    assert "Vault.java" in text


@pytest.mark.parametrize("partition", ["Aes.encrypt=native", "Coprocessor"])
def test_the_interface_is_what_lies_between_bytecode_and_c(study: Study, partition: str) -> None:
    """Java's own clock around the calls has bytecode, interface and C, and nothing else."""
    machine = study_machine(study, partition)
    values = machine.profile().values
    found = {each.name: each for each in frames.methods(values)}
    caller, function = found["Vault.encrypt(I[B[B)V"], found["Java_Aes_encrypt"]
    assert (function.is_native, function.calls) == (True, 2)
    assert 0 < caller.interface_cycles < caller.total_cycles - function.total_cycles
    (call,) = [row for row in values["bytecodes"] if "Aes.encrypt" in row["text"]
               and row["interface_cycles"]]  # fmt: skip
    assert call["interface_cycles"] == call["cycles"]
    assert call["function"] == "Vault.encrypt(I[B[B)V"


def test_annotated_bytecode_has_the_lines_of_java(study: Study) -> None:
    machine = study_machine(study, "Java")
    near = annotation.Near(folders=(application.folder() / "java",))
    annotated = annotation.annotate(machine, "Aes.addKey", near)
    assert annotated.function == "Aes.addKey([B[BI)V"
    (file,) = annotated.sources
    source = (application.folder() / "java" / "Aes.java").read_text("utf-8").splitlines()
    assert annotated.sources[file].lines == tuple(source)
    hottest = max(annotated.lines().items(), key=lambda item: item[1].cycles)[0]
    assert "^=" in annotated.text(hottest)
    rows = {each["name"]: each for each in machine.profile().values["functions"]}
    assert annotated.spent.cycles == rows["Aes.addKey([B[BI)V"]["self_cycles"]
    assert annotated.record()["stalls"] is None
    with pytest.raises(InputError, match=r"no function `Aes\.addKy`"):
        annotation.annotate(machine, "Aes.addKy")


def test_the_verb_shows_java(verb: Verb, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    words = ("profile", study.path, "--lines", "--annotate", "Aes.addKey")
    shown = verb(*words, "--sources", application.folder() / "java")
    assert shown.code == 0, shown.err
    for words_shown in ("methods in Java", "interface:", "Aes.java:", "baload", "^="):
        assert words_shown in shown.out
    values = json.loads(verb("profile", study.path, "--json").out)
    output_schemas.check("profile", values)
    plain = json.loads(verb("profile", study.path, "--no-java", "--json").out)
    assert plain["java"] is None
    (interpreter,) = [each for each in plain["functions"] if each["name"] == "interpret"]
    bytecodes = sum(row["cycles"] for row in values["java"]["bytecodes"])
    left = [each for each in values["functions"] if each["name"] == "interpret"]
    assert bytecodes + sum(each["self_cycles"] for each in left) == interpreter["self_cycles"]


STUDY = """
[study]
name   = "hot"
title  = "AES in Java"
device = "picorv32"

[toolchain]
flags = ["-O2"]

[java]
classes = ["application.jar"]
heap    = "4 KiB"

[[workload]]
name   = "block"
title  = "two blocks"
main   = "Application"
output = "Application.output"
"""


def test_hot_spots_name_methods(tmp_path: Path) -> None:
    jar = (application.folder() / "application.jar").read_bytes()
    (tmp_path / "application.jar").write_bytes(jar)
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    hot_study = Study.load(tmp_path / "study.toml")
    result = explore(hot_study, hot_study.workload(), jobs=1)
    assert result.hot is not None
    names = [spot.name for spot in result.hot.spots]
    assert names[0] == "Vault.encrypt(I[B[B)V"
    assert "Aes.mixColumns([B)V" in names
    assert all("(" in name for name in names)
    first = result.hot.spots[0]
    assert first.bound == pytest.approx(
        result.hot.cycles / (result.hot.cycles - first.total_cycles)
    )
    assert result.hot.sets


def test_an_image_without_debug_data_is_profiled_by_its_functions(study: Study) -> None:
    (built,) = Builder(study).build([(study.workload(), named(study, "Java"))])
    content = built.image.replace(debug.SECTION.encode(), b".other_secti\0")
    with pytest.raises(InputError, match="no debug data of Java"):
        frames.follow(Machine(study.device, content, contexts=True))
    data = _native.image_section(built.image, debug.SECTION)
    assert data is not None
    broken = built.image.replace(data, bytes(len(data)))
    with pytest.raises(InputError, match="is broken"):
        frames.follow(Machine(study.device, broken, contexts=True))


@pytest.mark.parametrize(
    "instruction",
    [
        debug.MappedInstruction(1 << 70, "nop", "0: nop", 1),
        debug.MappedInstruction(0, "nop", "0: nop", -1),
        debug.MappedInstruction("0", "nop", "0: nop", 1),  # type: ignore[arg-type]
        debug.MappedInstruction(0, "nop", None, 1),  # type: ignore[arg-type]
    ],
)
def test_wrong_debug_data_is_the_images_fault(
    study: Study, instruction: debug.MappedInstruction, monkeypatch: pytest.MonkeyPatch
) -> None:
    (built,) = Builder(study).build([(study.workload(), named(study, "Java"))])
    known = debug.read(built.image)
    wrong = replace(known[0], instructions=(instruction, *known[0].instructions))
    monkeypatch.setattr(debug, "read", lambda _content: [*known[1:], wrong])
    with pytest.raises(InputError, match="is broken"):
        frames.follow(Machine(study.device, built.image, contexts=True))
