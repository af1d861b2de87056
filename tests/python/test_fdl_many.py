"""Designs with many controllers or wide words run in bounded memory and time, with true results."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native

if TYPE_CHECKING:
    from pathlib import Path

CYCLES = 20_000
WORD = 0xFFFF
MEGABYTES = 1000
# Seconds of processor time, start-up included.
SECONDS = 5

# Runs the command and prints the peak of its memory in MB and its processor time in seconds.
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stdout.write(done.stdout)
sys.stderr.write(f"{used.ru_maxrss // 1024} {used.ru_utime + used.ru_stime}")
sys.exit(done.returncode)
"""


def _mix(names: list[str]) -> str:
    return " ^ ".join(names)


def machines(count: int) -> str:
    """Independent two-state machines, each of which asks a shift register of its own."""
    text = ""
    for at in range(count):
        text += f"""
dp d{at}(out o : ns(16)) {{
  reg s, n : ns(16); reg on : ns(1);
  always {{ o = n; on = 1; s = on ? (s >> (ns(1)) 1) ^ (s[0] ? 0xb400 : 0) : {1 + 37 * at}; }}
  sfg up {{ n = n + 1; }}
  sfg down {{ n = n - 3; }}
}}
fsm f{at}(d{at}) {{
  initial a; state b;
  @a if (s[0]) then up -> b; else down -> a;
  @b if (s[1]) then up -> a; else down -> b;
}}"""
    names = [f"o{at}" for at in range(count)]
    uses = " ".join(f"use d{at}(o{at});" for at in range(count))
    return f"""{text}
dp top {{
  sig {", ".join(names)}, o : ns(16); reg c : ns(16); {uses}
  always {{ o = {_mix(names)}; c = c + 1; }}
  sfg show {{ $display($dec, o); }}
  sfg quiet {{ }}
}}
fsm f(top) {{ initial s; @s if (c[9:0] == 0) then show -> s; else quiet -> s; }}
system s {{ top; }}
"""


def expected_machines(count: int) -> list[int]:
    """What these machines print, computed here."""
    shift, value, state = [0] * count, [0] * count, [0] * count
    lines = []
    for cycle in range(CYCLES):
        total = 0
        for at in range(count):
            total ^= value[at]
            up = shift[at] >> state[at] & 1
            value[at] = (value[at] + (1 if up else -3)) & WORD
            state[at] ^= up
            feedback = 0xB400 if shift[at] & 1 else 0
            shift[at] = 1 + 37 * at if cycle == 0 else shift[at] >> 1 ^ feedback
        if cycle % 1024 == 0:
            lines.append(total)
    return lines


def pipeline(stages: int, lanes: int) -> str:
    """Stages that hand blocks on by ready and valid, as in an encoder of images; prints a sum."""
    word = range(lanes)
    text = """
dp source(in ready : ns(1); out valid : ns(1); out data : ns(16)) {
  reg n : ns(16); reg r : ns(1);
  sfg give { valid = 1; data = n; n = n * 5 + 1; }
  sfg hold { valid = 0; data = 0; }
  always { r = ready; }
}
fsm fsource(source) { initial a; state b; @a if (r) then give -> b; else hold -> a; @b hold -> a; }
"""
    for at in range(stages):
        load = " ".join(f"x{n} = {'last' if n == 0 else f'x{n - 1}'};" for n in word)
        rows = " ".join(
            f"x{n} = x{n} + x{(n + lanes // 2) % lanes} * {3 + 2 * n + at};" for n in word
        )
        columns = " ".join(
            f"x{n} = x{n} ^ x{(n + 1) % lanes} >> (ns(3)) {1 + n % 7};" for n in word
        )
        table = ", ".join(str((16 + 7 * n) % 256) for n in range(64))
        text += f"""
dp stage{at}(in vin : ns(1); in data : ns(16); in rout : ns(1);
             out rin : ns(1); out vout : ns(1); out q : ns(16)) {{
  reg {", ".join(f"x{n}" for n in word)}, last : ns(16); reg n : ns(8); reg got, down : ns(1);
  lookup table : ns(8) = {{ {table} }};
  always {{ down = rout; }}
  sfg accept {{ rin = 1; n = n + vin; got = vin; last = data; }}
  sfg take {{ {load} }}
  sfg rest {{ rin = 0; got = 0; }}
  sfg clear {{ n = 0; }}
  sfg rows {{ {rows} }}
  sfg columns {{ {columns} }}
  sfg give {{
    vout = 1; q = x{lanes - 1} + table(x0[5:0]); x{lanes - 1} = x{lanes - 2}; n = n + 1;
  }}
  sfg mute {{ vout = 0; q = 0; }}
}}
fsm fstage{at}(stage{at}) {{
  initial fill; state row, column, second, drain;
  @fill if (n == {lanes}) then (rest, mute, clear) -> row;
        else if (got) then (accept, mute, take) -> fill; else (accept, mute) -> fill;
  @row (rest, mute, rows) -> column;
  @column if (x0[0]) then (rest, mute, rows) -> second; else (rest, mute, columns) -> drain;
  @second (rest, mute, columns) -> drain;
  @drain if (n == {lanes}) then (rest, mute, clear) -> fill;
         else if (down) then (rest, give) -> drain; else (rest, mute) -> drain;
}}
"""
    ends = range(stages + 1)
    uses = "".join(
        f"  use stage{at}(v{at}, d{at}, r{at + 1}, r{at}, v{at + 1}, d{at + 1});\n"
        for at in range(stages)
    )
    return f"""{text}
dp sink(in valid : ns(1); in data : ns(16); out ready : ns(1)) {{
  reg s : ns(32); reg c : ns(16);
  always {{ ready = 1; s = valid ? s * 3 + data : s; c = c + 1; }}
  sfg show {{ $display($dec, "sum ", s); }}
  sfg quiet {{ }}
}}
fsm fsink(sink) {{ initial s; @s if (c[11:0] == 0) then show -> s; else quiet -> s; }}
dp top {{
  sig {", ".join(f"v{at}, r{at}" for at in ends)} : ns(1);
  sig {", ".join(f"d{at}" for at in ends)} : ns(16);
  use source(r0, v0, d0);
{uses}  use sink(v{stages}, d{stages}, r{stages});
}}
system s {{ top; }}
"""


def permutation(width: int, rounds: int) -> str:
    """Rounds over a state of so many bits, with a table for each byte, as in hash functions."""
    count = width // 8
    byte = [f"[{8 * at + 7}:{8 * at}]" for at in range(count)]
    box = ", ".join(str((167 * at + 13) % 256) for at in range(256))
    substituted = " # ".join(f"T(st{bits})" for bits in byte)
    mixed = " # ".join(
        f"(sub{byte[5 * at % count]} ^ sub{byte[(3 * at + 1) % count]} ^ k{byte[at]})"
        for at in range(count)
    )
    bodies = "".join(
        f"  sfg round{at} {{ st = mix + (k << (ns(4)) {at + 1}) ^ count;"
        f" k = k << (ns(4)) {at + 2} ^ st; }}\n"
        for at in range(rounds)
    )
    moves = "".join(
        f"  @q{at} (both, round{at}) -> {f'q{at + 1}' if at + 1 < rounds else 's'};\n"
        for at in range(rounds)
    )
    states = ", ".join(f"q{at}" for at in range(rounds))
    return f"""
dp top {{
  reg st, k, count : ns({width}); sig sub, mix : ns({width});
  lookup T : ns(8) = {{ {box} }};
  sfg load {{ st = st ^ count; k = count + 1; count = count * 3 + 1; $display("h ", st[63:0]); }}
  sfg both {{ sub = {substituted}; mix = {mixed}; }}
{bodies}}}
fsm f(top) {{
  initial s; state {states};
  @s load -> q0;
{moves}}}
system s {{ top; }}
"""


def run(text: str, folder: Path, *options: str) -> tuple[list[str], float, float]:
    """The printed lines, the peak of memory in MB and the processor time in seconds."""
    path = folder / "design.fdl"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "cocrypt", "fdl", "sim", str(path), "--cycles", str(CYCLES)]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command, *options],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    memory, seconds = done.stderr.split()
    return done.stdout.splitlines(), float(memory), float(seconds)


@pytest.mark.parametrize("count", [13, 32])
def test_machines_that_are_independent_need_no_plan_for_each_combination(
    count: int, tmp_path: Path
) -> None:
    lines, memory, seconds = run(machines(count), tmp_path)
    assert [int(line.split("/")[0]) for line in lines] == expected_machines(count)
    assert memory < MEGABYTES
    assert seconds < SECONDS


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(pipeline(12, 16), id="pipeline"),
        pytest.param(pipeline(20, 64), id="long-pipeline"),
        pytest.param(permutation(512, 10), id="512-bits"),
        pytest.param(permutation(1024, 14), id="1024-bits"),
    ],
)
@pytest.mark.long
def test_large_designs_compile_within_their_budget(text: str, tmp_path: Path) -> None:
    lines, memory, seconds = run(text, tmp_path)
    assert memory < MEGABYTES
    assert seconds < SECONDS
    # Where toggles are counted a design is interpreted as a whole, which takes longer.
    counted, _, _ = run(text, tmp_path, "--cycles", "5000", "--activity", "toggles.npz")
    assert lines[: len(counted)] == counted
    assert len(set(lines)) > 3


SHIFTS = (0, 1, 7, 39, 40, 63, 64, 65, 127, 128, 149, 150, 200)


@pytest.mark.parametrize("width", [40, 64, 65, 128, 150])
@pytest.mark.parametrize("kind", ["ns", "tc"])
@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_shifts_by_constants_are_those_of_integers(
    width: int, kind: str, operator: str, tmp_path: Path
) -> None:
    """Machine code moves whole limbs of constant shifts without looking at the amount."""
    ports = "".join(f"; out o{amount} : {kind}({width})" for amount in SHIFTS)
    takes = "".join(
        f"  reg r{amount} : {kind}({width});\n"
        f"  always {{ r{amount} = i {operator} {amount}; o{amount} = r{amount}; }}\n"
        for amount in SHIFTS
    )
    path = tmp_path / "design.fdl"
    path.write_text(f"dp top(in i : {kind}({width}){ports}) {{\n{takes}}}\n")
    inputs = [Random(width + cycle).getrandbits(width) for cycle in range(20)]
    outputs = _native.fdl_simulate(path, None, [{"i": value} for value in inputs], True)
    mask = (1 << width) - 1
    for value, row in zip(inputs, outputs[1:], strict=False):
        number = value - (1 << width if kind == "tc" and value >> (width - 1) else 0)
        for amount in SHIFTS:
            shifted = number << amount if operator == "<<" else number >> amount
            assert row[f"o{amount}"] & mask == shifted & mask
