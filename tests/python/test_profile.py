"""Profiles: calls that are known beforehand, sums that must agree, and other people's readers."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import Machine
from cocrypt.device import Device
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine
    from conftest import Cocrypt

# Recursion, an inlined function, two callers of one function, a function pointer, and a switch.
PROGRAM = """
#include <cocrypt/device.h>
static inline __attribute__((always_inline)) uint32_t scramble(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}
__attribute__((noinline)) uint32_t shared(uint32_t x)
{
    return scramble(x) + device_read(COCRYPT_COUNTER);
}
__attribute__((noinline)) uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) - (fibonacci(n - 2) ^ 1);
}
__attribute__((noinline)) uint32_t left(uint32_t x) { return shared(x) + 1; }
__attribute__((noinline)) uint32_t right(uint32_t x) { return shared(shared(x)) ^ 3; }
uint32_t (*volatile choice[2])(uint32_t) = {left, right};
volatile uint32_t sink;
int main(void)
{
    for (uint32_t i = 0; i < 40; i++) sink = choice[i & 1](i);
    sink = fibonacci(10);
    return 0;
}
"""
# Each is called 20 times, and right calls shared twice. Recursion as fibonacci's calls itself
# 2 F(n + 1) - 1 times in all, F the Fibonacci numbers.
CALLS = {"main": 1, "left": 20, "right": 20, "shared": 60, "fibonacci": 177}


@pytest.fixture(scope="module")
def image(firmware: Callable[[str], Path]) -> Path:
    return firmware(PROGRAM)


@pytest.fixture(scope="module", params=["interpreter", "compiled"])
def machine(request: pytest.FixtureRequest, image: Path) -> Machine:
    profiled = Machine("picorv32", image, engine=request.param, contexts=True)
    assert profiled.run().values["stop"]["kind"] == "exit"
    return profiled


def test_functions_are_called_as_often_as_the_program_says(machine: Machine) -> None:
    functions = {function["name"]: function for function in machine.profile().values["functions"]}
    assert {name: functions[name]["calls"] for name in CALLS} == CALLS
    shares = [function["self_cycles"] for function in functions.values()]
    assert functions["_start"]["total_cycles"] == sum(shares)
    main = functions["main"]
    below = sum(functions[name]["total_cycles"] for name in ("left", "right", "fibonacci"))
    assert main["total_cycles"] == main["self_cycles"] + below


def test_every_view_has_the_same_cycles(machine: Machine) -> None:
    values = machine.profile().values
    total = sum(function["self_cycles"] for function in values["functions"])
    assert sum(node["self_cycles"] for node in values["tree"]) == total
    assert sum(row["cycles"] for row in values["instructions"]) == total
    executed = sum(row["executions"] for row in values["instructions"])
    assert executed == machine.run().values["instructions"]
    roots = [node for node in values["tree"] if node["parent"] is None]
    assert sum(node["total_cycles"] for node in roots) == total


def test_instructions_agree_with_a_trace_of_every_issue(image: Path, machine: Machine) -> None:
    """The trace runs one instruction at a time, and so cannot attribute cycles to a wrong one."""
    traced = Machine("picorv32", image)
    issues = traced.native.trace(100_000_000)
    ends = [cycle for cycle, _ in issues[1:]] + [machine.run().cycles]
    spent: dict[int, int] = {}
    for (cycle, pc), end in zip(issues, ends, strict=True):
        spent[pc] = spent.get(pc, 0) + end - cycle
    rows = machine.profile().values["instructions"]
    assert {row["address"]: row["cycles"] for row in rows} == spent


def test_the_tree_tells_callers_apart_and_shows_what_was_inlined(machine: Machine) -> None:
    tree = machine.profile().values["tree"]

    def path(node: dict[str, Any]) -> list[str]:
        above = [] if node["parent"] is None else path(tree[node["parent"]])
        return [*above, node["name"]]

    paths = {"/".join(path(node)): node for node in tree}
    assert paths["_start/main/left/shared"]["calls"] == 20
    assert paths["_start/main/right/shared"]["calls"] == 40
    assert paths["_start/main/right/shared/scramble"]["inlined"]
    assert paths["_start/main/fibonacci/fibonacci"]["calls"] == 2


def test_lines_are_those_of_the_source(machine: Machine) -> None:
    lines = machine.profile().lines()
    text = PROGRAM.splitlines()
    scrambled = lines.filter(lines["function"] == "scramble")
    assert {text[number - 1].strip() for number in scrambled["line"]} == {
        "x ^= x << 13;",
        "x ^= x >> 17;",
        "return x ^ x << 5;",
    }
    # Two of the lines are a shift and an exclusive or, the third one more; 60 times each.
    assert all(count % 60 == 0 and count >= 120 for count in scrambled["instructions"])


def test_callgrind_annotate_reads_the_file(
    cocrypt: Cocrypt, image: Path, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    tool = need_tool("callgrind_annotate")
    words = ("--device", "picorv32", "--json", "--callgrind", "out")
    values = json.loads(cocrypt("profile", image, *words).stdout)
    command = [tool, "--inclusive=yes", "--threshold=100", "--auto=no", str(tmp_path / "out")]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    read: Counter[str] = Counter()
    # Code that was inlined from other files has rows of its own besides the function's.
    for cycles, name in re.findall(r"^ *([\d,]+) \([^)]*\) .*:(\w+)$", shown, re.MULTILINE):
        read[name] = max(read[name], int(cycles.replace(",", "")))
    expected = {function["name"]: function["total_cycles"] for function in values["functions"]}
    # The reader counts the cycles of a recursive function at each level.
    for name in ("_start", "main", "left", "right", "shared"):
        assert read[name] == expected[name]


def test_speedscope_and_folded_stacks_hold_every_cycle(machine: Machine) -> None:
    profile = machine.profile()
    total = sum(function["self_cycles"] for function in profile.values["functions"])
    folded = [line.rsplit(" ", 1) for line in profile.folded().splitlines()]
    assert sum(int(cycles) for _, cycles in folded) == total
    assert any(stack.endswith("main;left;shared;scramble_[i]") for stack, _ in folded)
    page = json.loads(profile.speedscope())
    shown = page["profiles"][0]
    assert sum(shown["weights"]) == shown["endValue"] == total
    assert max(number for stack in shown["samples"] for number in stack) < len(
        page["shared"]["frames"]
    )


def test_the_terminal_shows_tree_lines_and_instructions(cocrypt: Cocrypt, image: Path) -> None:
    words = ("--device", "picorv32", "--tree", "--lines", "--instructions", "--top", "4")
    done = cocrypt("profile", image, *words)
    assert done.returncode == 0, done.stderr
    for expected in (
        "with callees",
        "scramble  (inlined)",
        "main.c:",
        "instructions of",
        "more; --top",
    ):
        assert expected in done.stdout


# A function of assembly with subroutines of its own: one that is called, one that calls another
# function, and one that calls the function itself, until a0 is 0.
LOCAL = {
    "picorv32": """
    .globl outer
    .type outer, @function
outer:
    addi sp, sp, -16
    sw ra, 12(sp)
    jal .Lsub
    jal .Lsub
    la t0, .Lsub
    jalr t0
    jal .Lcalls
    lw ra, 12(sp)
    addi sp, sp, 16
    ret
.Lsub:
    addi a1, a1, 1
    ret
.Lcalls:
    addi sp, sp, -16
    sw ra, 12(sp)
    jal helper
    beqz a0, .Ldone
    addi a0, a0, -1
    jal outer
.Ldone:
    lw ra, 12(sp)
    addi sp, sp, 16
    ret
    .size outer, .-outer
    .globl helper
    .type helper, @function
helper:
    ret
    .size helper, .-helper
""",
    "stm32f0": """
    .syntax unified
    .thumb
    .globl outer
    .type outer, %function
    .thumb_func
outer:
    push {r4, lr}
    bl .Lsub
    bl .Lsub
    adr r3, .Lsub
    adds r3, #1
    blx r3
    bl .Lcalls
    pop {r4, pc}
    .balign 4
.Lsub:
    adds r1, #1
    bx lr
.Lcalls:
    push {r4, lr}
    bl helper
    cmp r0, #0
    beq .Ldone
    subs r0, #1
    bl outer
.Ldone:
    pop {r4, pc}
    .size outer, .-outer
    .globl helper
    .type helper, %function
    .thumb_func
helper:
    bx lr
    .size helper, .-helper
""",
}
LOCAL_MAIN = """
void outer(int deeper, int count);
int main(void) { for (int i = 0; i < 5; i++) outer(2, 0); return 0; }
"""


@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
@pytest.mark.parametrize("name", sorted(LOCAL))
def test_subroutines_within_a_function_are_no_calls_of_it(
    name: str, engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "outer.S").write_text(LOCAL[name], encoding="utf-8")
    (tmp_path / "main.c").write_text(LOCAL_MAIN, encoding="utf-8")
    toolchain = Toolchain(Device.load(name))
    units = [Unit(tmp_path / source, ("-O1",)) for source in ("main.c", "outer.S")]
    objects = toolchain.compile_needed([*toolchain.runtime(("-O1",)), *units])
    image = toolchain.link(list(objects.values()), "local")
    machine = Machine(name, image, contexts=True, engine=engine)
    run = machine.run()
    profile = machine.profile()
    called = {function["name"]: function for function in profile.values["functions"]}
    # Three levels of the function in each of five calls, and its helper once in each.
    assert (called["outer"]["calls"], called["helper"]["calls"]) == (15, 15)
    tree = profile.values["tree"]
    depths = [node for node in tree if node["name"] == "outer"]
    assert [node["calls"] for node in depths] == [5, 5, 5]
    assert sum(node["self_cycles"] for node in depths) == called["outer"]["self_cycles"]
    spent = {function["name"]: function["self_cycles"] for function in run.values["functions"]}
    assert called["outer"]["self_cycles"] == spent["outer"]
    written = profile.callgrind()
    (number,) = set(re.findall(r"fn=\((\d+)\) outer$", written, re.MULTILINE))
    calls = re.findall(rf"^cfn=\({number}\).*\ncalls=(\d+)", written, re.MULTILINE)
    assert sum(map(int, calls)) == 15
