"""Designs with processors: programs on devices reach the design in the right cycles."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.device import Device
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

DEVICES = ("picorv32", "serv", "ibex-small", "ibex-maxperf", "vexriscv", "vexriscv-lite")
EXAMPLE = ROOT / "docs/examples/processors/gcd.fdl"

CORE = 'ipblock {0} {{ iptype "armsystem"; ipparm "exec={1}"; }}\n'
SOURCE = """ipblock {0}(out data : ns(32)) {{
  iptype "armsystemsource"; ipparm "core={1}"; ipparm "address={2:#x}";
}}
"""
SINK = """ipblock {0}(in data : ns(32)) {{
  iptype "armsystemsink"; ipparm "core={1}"; ipparm "address={2:#x}";
}}
"""
FIFO = """ipblock {0} {{
  iptype "armfifo"; ipparm "sendcore={1}"; ipparm "receivecore={2}"; ipparm "size=2";
  ipparm "sendbase={3:#x}"; ipparm "receivebase={4:#x}";
}}
"""
HEADER = """#include <cocrypt/device.h>
#include <stdint.h>
#define WORD(address) (*(volatile uint32_t *)(address))
"""


def simulate(cocrypt: Cocrypt, design: Path, *words: str) -> dict[str, Any]:
    """Runs a design to its end, which must be without errors."""
    result = cocrypt("fdl", "sim", design, "--json", *words)
    assert result.returncode == 0, result.stderr
    values: dict[str, Any] = json.loads(result.stdout)
    return values


@pytest.mark.parametrize("device", DEVICES)
def test_a_program_computes_with_a_design_on_every_core(cocrypt: Cocrypt, device: str) -> None:
    values = simulate(cocrypt, EXAMPLE, "--device", device)
    assert [line.split(": ")[1] for line in values["output"]] == [
        "the divisor is 6",
        "the divisor is 21",
        "the divisor is 7",
    ]
    (core,) = values["cores"]
    assert (values["end"], core["stop"]["exit_code"]) == ("programs_ended", 0)
    assert core["cycles"] == values["cycles"]


@pytest.mark.parametrize("device", DEVICES)
def test_both_sides_count_the_same_cycles(cocrypt: Cocrypt, tmp_path: Path, device: str) -> None:
    """A load is answered in the cycle that the design's counter shows, as the device's does.

    A store is seen a cycle after that in which it is answered.
    """
    (tmp_path / "count.fdl").write_text(
        CORE.format("cpu", "count")
        + SINK.format("clock", "cpu", 0x9000_0000)
        + SOURCE.format("mark", "cpu", 0x9000_0004)
        + SINK.format("since", "cpu", 0x9000_0008)
        + """dp counter {
          reg n, last, stamp : ns(32); sig v : ns(32);
          use clock(n); use mark(v); use since(stamp);
          always { n = n + 1; last = v; stamp = (v != last) ? n : stamp; }
        }
        system s { counter; }
        """
    )
    (tmp_path / "count.c").write_text(
        HEADER
        + """
        static void number(uint32_t value)
        {
            for (int shift = 28; shift >= 0; shift -= 4)
                device_write(COCRYPT_CONSOLE, "0123456789abcdef"[value >> shift & 15]);
            device_write(COCRYPT_CONSOLE, '\\n');
        }
        int main(void)
        {
            for (int turn = 0; turn < 3; turn++) { /* Caches hold the code from the second on. */
                uint32_t a, b, c;
                __asm__ volatile(
                    ".option push\\n.option norvc\\n.balign 32\\n"
                    "lw %0, 0(%3)\\nnop\\nnop\\nlw %1, 0(%4)\\nnop\\nnop\\nlw %2, 0(%3)\\n"
                    ".option pop"
                    : "=&r"(a), "=&r"(b), "=&r"(c)
                    : "r"(COCRYPT_COUNTER), "r"(0x90000000u) : "memory");
                uint32_t before = WORD(COCRYPT_COUNTER);
                WORD(0x90000004) = turn + 1;
                uint32_t after = WORD(COCRYPT_COUNTER), seen = WORD(0x90000008);
                number(a); number(b); number(c); number(before); number(seen); number(after);
            }
            return 0;
        }
        """
    )
    (core,) = simulate(cocrypt, tmp_path / "count.fdl", "--device", device)["cores"]
    words = [int(word, 16) for word in core["console"].split()]
    a, b, c, before, polled, after = words[12:]
    assert b - a == c - b > 0
    assert before < polled - 1 < after


def relay(tmp_path: Path) -> Path:
    """Three programs in a ring pass numbers on, and each adds a value."""
    names = ("one", "two", "three")
    text = "".join(CORE.format(name, "relay_" + name) for name in names)
    for at, name in enumerate(names):
        after = names[(at + 1) % 3]
        text += FIFO.format(f"{name}_{after}", name, after, 0x9000_0000, 0x9000_1000)
    text += SINK.format("clock", "one", 0x9000_2000)
    text += "dp counter { reg n : ns(32); use clock(n); always { n = n + 1; } }\n"
    path = tmp_path / "relay.fdl"
    path.write_text(text + "system s { counter; }\n")
    body = """
    static void put(uint32_t value) { while (WORD(0x90000004) == 0) { } WORD(0x90000000) = value; }
    static uint32_t get(void) { while (WORD(0x90001004) == 0) { } return WORD(0x90001000); }
    static void say(const char *text) { while (*text) device_write(COCRYPT_CONSOLE, *text++); }
    """
    (tmp_path / "relay_one.c").write_text(
        HEADER
        + body
        + """int main(void) {
            uint32_t value = 1, last = 0;
            for (int turn = 0; turn < 50; turn++) {
                put(value);
                value = get();
                uint32_t now = WORD(0x90002000);
                if (now <= last) return 2;
                last = now;
            }
            say(value == 1 + 50 * 1100 ? "right\\n" : "wrong\\n");
            return 0;
        }"""
    )
    for name, step in (("two", 100), ("three", 1000)):
        (tmp_path / f"relay_{name}.c").write_text(
            HEADER
            + body
            + f"""int main(void) {{
                for (int turn = 0; turn < 50; turn++) {{
                    uint32_t value = get();
                    for (volatile int wait = value & 31; wait; wait--) {{ }}
                    put(value + {step});
                }}
                say("done");
                return 0;
            }}"""
        )
    return path


@pytest.mark.long
def test_several_processors_share_one_time(cocrypt: Cocrypt, tmp_path: Path) -> None:
    design = relay(tmp_path)
    devices = ("--device", "picorv32", "--device", "two=ibex-maxperf", "--device", "three=serv")
    first = simulate(cocrypt, design, *devices)
    assert [core["device"] for core in first["cores"]] == ["picorv32", "ibex-maxperf", "serv"]
    assert first["cores"][0]["console"] == "right\n"
    assert sorted(first["output"]) == ["one: right", "three: done", "two: done"]
    # The order of threads is arbitrary, and no result depends on it.
    for _ in range(5):
        assert simulate(cocrypt, design, *devices) == first


def test_a_slower_clock_takes_longer(cocrypt: Cocrypt, tmp_path: Path) -> None:
    design = tmp_path / "clock.fdl"
    text = """ipblock cpu { iptype "armsystem"; ipparm "exec=main"; ipparm "period=%d"; }
    """
    times = {}
    for period in (1, 4):
        (tmp_path / "main.c").write_text(
            HEADER
            + """int main(void) {
                uint32_t there = WORD(0x90000000), here = WORD(COCRYPT_COUNTER);
                uint32_t later = PERIOD * here - there;
                return there % PERIOD != 0 || later == 0 || later > 20 * PERIOD;
            }""".replace("PERIOD", str(period))
        )
        design.write_text(
            text % period
            + SINK.format("clock", "cpu", 0x9000_0000)
            + "dp counter { reg n : ns(32); use clock(n); always { n = n + 1; } }\n"
        )
        values = simulate(cocrypt, design, "--device", "picorv32")
        times[period] = (values["cycles"], values["cores"][0]["cycles"])
    (fast, again), (slow, _) = times[1], times[4]
    assert fast == again
    assert slow == 4 * times[4][1]


def test_the_design_may_end_before_the_programs(cocrypt: Cocrypt, tmp_path: Path) -> None:
    design = tmp_path / "end.fdl"
    design.write_text(
        CORE.format("cpu", "main")
        + SOURCE.format("stop", "cpu", 0x9000_0000)
        + """dp watch { sig v : ns(32); use stop(v); reg r : ns(1); always { r = v[0]; }
               sfg quiet { } sfg end { $display($cycle, " stop"); $finish; } }
             fsm f(watch) { initial s; @s if (r) then (end) -> s; else (quiet) -> s; }
             system top { watch; }
        """
    )
    (tmp_path / "main.c").write_text(
        HEADER + "int main(void) { WORD(0x90000000) = 1; for (;;) { WORD(0x90000000); } }"
    )
    values = simulate(cocrypt, design, "--device", "picorv32")
    assert values["end"] == "finished"
    assert values["output"] == [f"{values['cycles']} stop", "finish reached !"]
    assert values["cores"][0]["stop"]["kind"] == "cycle_limit"


@pytest.mark.parametrize("body", ["", "number++;"])
def test_a_program_without_end_stops_at_the_limit(
    cocrypt: Cocrypt, tmp_path: Path, body: str
) -> None:
    design = tmp_path / "endless.fdl"
    design.write_text(CORE.format("cpu", "main") + "dp nothing { }\n")
    text = f"int main(void) {{ volatile int number = 0; for (;;) {{ {body} }} }}"
    (tmp_path / "main.c").write_text(text)
    values = simulate(cocrypt, design, "--device", "picorv32", "--cycles", "30000000")
    assert (values["end"], values["cycles"]) == ("cycle_limit", 30_000_000)


def test_a_design_goes_on_beside_a_program_that_waits_for_ever(
    cocrypt: Cocrypt, tmp_path: Path
) -> None:
    design = tmp_path / "on.fdl"
    design.write_text(
        CORE.format("cpu", "main")
        + """dp late { reg n : ns(20); always { n = n + 1; } sfg quiet { } sfg end { $finish; } }
             fsm f(late) { initial s; @s if (n == 700000) then (end) -> s; else (quiet) -> s; }
             system top { late; }
        """
    )
    (tmp_path / "main.c").write_text("int main(void) { for (;;) { } }")
    values = simulate(cocrypt, design, "--device", "picorv32")
    assert (values["end"], values["cycles"]) == ("finished", 700_000)


def test_the_console_is_where_the_design_is_not(cocrypt: Cocrypt, tmp_path: Path) -> None:
    """GEZEL's designs begin at 0x80000000, the address of devices' consoles, which gets moved."""
    design = tmp_path / "room.fdl"
    (tmp_path / "main.c").write_text(
        HEADER
        + """int main(void) {
            WORD(0x80000000) = 65;
            device_write(COCRYPT_CONSOLE, WORD(0x80000004));
            return 0;
        }"""
    )
    design.write_text(
        CORE.format("cpu", "main")
        + SOURCE.format("a", "cpu", 0x8000_0000)
        + SINK.format("b", "cpu", 0x8000_0004)
        + "dp pass { sig v : ns(32); use a(v); use b(v + 1); }\nsystem s { pass; }\n"
    )
    result = cocrypt("fdl", "sim", design, "--device", "picorv32")
    assert result.stdout.startswith("B"), result.stderr


MISTAKES = {
    "no device": ((), "", "may be any device", 1),
    "unknown device": (("-d", "picorv23"), "", "did you mean `picorv32`?", 1),
    "unknown processor": (("-d", "gpu=serv"), "", "no processor `gpu`", 1),
    "no program": (("-d", "serv"), None, "is not there", 1),
    "wrong C": (("-d", "serv"), "int main(void) { return x; }", "cannot be compiled", 1),
    "failure": (("-d", "serv"), "int main(void) { return 3; }", "ended with code 3", 3),
    "trap": (("-d", "serv"), "int main(void) { return *(volatile int *)0x70000000; }", "cpu,", 3),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_get_one_clear_message(cocrypt: Cocrypt, tmp_path: Path, mistake: str) -> None:
    words, program, message, code = MISTAKES[mistake]
    design = tmp_path / "design.fdl"
    design.write_text(CORE.format("cpu", "main") + "dp nothing { }\n")
    if program is not None:
        (tmp_path / "main.c").write_text(program or "int main(void) { return 0; }")
    result = cocrypt("fdl", "sim", design, *words)
    assert result.returncode == code, result.stderr
    assert message in result.stderr


def test_an_image_is_run_as_it_is(cocrypt: Cocrypt, tmp_path: Path) -> None:
    """An image for the device is preferred to a source; one for another processor is not taken."""
    (tmp_path / "other.c").write_text("int main(void) { return 0; }")
    chain = Toolchain(Device.load("picorv32"))
    units = [*chain.runtime(()), Unit(tmp_path / "other.c")]
    image = chain.link([*chain.compile_needed(units).values()], "other")
    design = tmp_path / "design.fdl"
    design.write_text(CORE.format("cpu", "main --words") + "dp nothing { }\n")
    (tmp_path / "main.c").write_text("int main(void) { return 9; }")
    (tmp_path / "main").write_bytes(image.read_bytes())
    assert simulate(cocrypt, design, "-d", "picorv32")["end"] == "programs_ended"
    arm = bytearray(image.read_bytes())
    arm[18] = 40  # EM_ARM
    (tmp_path / "main").write_bytes(arm)
    assert cocrypt("fdl", "sim", design, "-d", "picorv32").returncode == 3
    (tmp_path / "main.c").unlink()
    refused = cocrypt("fdl", "sim", design, "-d", "picorv32")
    assert (refused.returncode, "cannot be run" in refused.stderr) == (1, True)


def test_what_belongs_to_a_program_is_not_exported(cocrypt: Cocrypt, tmp_path: Path) -> None:
    result = cocrypt("fdl", "export", EXAMPLE, tmp_path)
    assert result.returncode == 1
    assert "cannot leave the simulator" in result.stderr


def test_a_rom_is_read_from_a_file(cocrypt: Cocrypt, tmp_path: Path) -> None:
    (tmp_path / "words.bin").write_bytes(bytes.fromhex("1deadfad 0102 0304 0506"))
    design = tmp_path / "rom.fdl"
    design.write_text(
        """ipblock r(in address : ns(2); in rd : ns(1); out odata : ns(16)) {
             iptype "rom"; ipparm "size=4"; ipparm "wl=16"; ipparm "file=words.bin"; }
        dp top { reg n : ns(3); sig o : ns(16); use r(n[1:0], ~n[2], o);
          always { n = n + 1; $display($hex, o); } }
        system s { top; }
        """
    )
    result = cocrypt("fdl", "sim", design, "--cycles", "6")
    assert result.stdout.split() == ["102", "304", "506", "0", "0", "0"]


LIBRARY = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char *word = "sesame";
/* The result of a call is where a result of `main` would be. */
__attribute__((noinline)) int spoil(void) { return printf("%s\\n", word); }
"""
ENDS = {
    "int main() { spoil(); }": 0,
    "void main(void) { spoil(); }": 0,
    "main() { spoil(); }": 0,
    "/* void main() */ int main(void) { return 3; }": 3,
    "int main(void) { char *copy = malloc(7); strcpy(copy, word); return strlen(copy) - 6; }": 0,
}


@pytest.mark.parametrize("body", ENDS, ids=range(len(ENDS)))
def test_programs_of_c_end_as_c_says(cocrypt: Cocrypt, tmp_path: Path, body: str) -> None:
    """A `main` without `return` ends with 0, of any type; headers of the library are there."""
    design = tmp_path / "design.fdl"
    design.write_text(CORE.format("cpu", "main") + "dp nothing { }\n")
    (tmp_path / "main.c").write_text(LIBRARY + body)
    result = cocrypt("fdl", "sim", design, "-d", "picorv32")
    code = ENDS[body]
    assert result.returncode == (3 if code else 0), result.stderr
    assert f"exit {code}" in result.stdout or f"code {code}" in result.stderr


def test_a_hex_image_is_run_as_it_is(cocrypt: Cocrypt, tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text(HEADER + "int main(void) { return 0; }")
    chain = Toolchain(Device.load("picorv32"))
    units = [*chain.runtime(()), Unit(tmp_path / "other.c")]
    image = chain.link([*chain.compile_needed(units).values()], "other")
    design = tmp_path / "design.fdl"
    design.write_text(CORE.format("cpu", "main.hex") + "dp nothing { }\n")
    files = (str(image), str(tmp_path / "main.hex"))
    command = [sys.executable, "-m", "ziglang", "objcopy", "-O", "hex", *files]
    subprocess.run(command, check=True)
    assert (tmp_path / "main.hex").read_text().startswith(":")
    assert simulate(cocrypt, design, "-d", "picorv32")["end"] == "programs_ended"
