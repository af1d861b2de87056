"""Designs around the coprocessors of the library, in FDL, that keep them at work.

Each repeats transfers on the bus: the operands and the command of official vectors, and then reads
of the status for as long as the operation takes.
"""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

from cocrypt import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

WORD = 4
"""Bytes of a word on the bus."""
READ_FOR = 4
"""Cycles in which the result is read."""

LONG = 10_000
"""Lines of the design by which the time to the first cycle is measured."""

Transfer = tuple[int, int, int]
"""Offset and word that are written, and the cycles of reading behind that."""

DESIGN = """$include "{design}";

dp {name}(out done : ns(32)) {{
  lookup where : ns(12) = {{ {offsets} }};
  lookup what : ns(32) = {{ {words} }};
  lookup pause : ns(16) = {{ {pauses} }};
  reg step, left : ns(16);
  reg seen : ns(32);
  sig address : ns(12);
  sig wdata, rdata : ns(32);
  sig write, read : ns(1);
  use {top}(address, wdata, write, read, rdata);
  always {{ done = seen; }}
  sfg give {{
    address = where(step); wdata = what(step); write = 1; read = 0;
    left = pause(step); step = (step == {last}) ? 0 : step + 1;
  }}
  sfg poll {{
    address = (left == 1) ? {result} : {status}; wdata = 0; write = 0; read = 1;
    left = left - 1; seen = seen ^ rdata;
  }}
}}
fsm {name}_control({name}) {{
  initial run;
  @run if (left == 0) then (give) -> run; else (poll) -> run;
}}
"""


PART = """dp part{number}(out value : ns(32)) {{
  reg a, b : ns(32);
  reg turn : ns(6);
  always {{ value = a; }}
  sfg mix {{ a = a + (b ^ {number}); b = (a << 3) ^ b; turn = turn + 1; }}
  sfg stir {{ a = (a[6:0] # a[31:7]) + {number}; b = b - a; turn = 0; }}
}}
fsm control{number}(part{number}) {{
  initial run;
  @run if (turn == 9) then (stir) -> run; else (mix) -> run;
}}
"""


def coprocessors() -> list[Path]:
    """The folders of the library's designs in FDL."""
    maps = (paths.root() / "coprocessors").glob("*/registers.toml")
    return sorted(path.parent for path in maps)


def driven(folder: Path, into: Path) -> Path:
    """Writes the design that drives a coprocessor to a folder."""
    registers = tomllib.loads((folder / "registers.toml").read_text(encoding="utf-8"))
    vectors = tomllib.loads((folder / "vectors.toml").read_text(encoding="utf-8"))["vector"]
    transfers = [
        transfer for vector in _chosen(vectors) for transfer in _transfers(registers, vector)
    ]
    offsets, words, pauses = zip(*transfers, strict=True)
    name = f"drive_{folder.name.replace('-', '_')}"
    path = into / f"{name}.fdl"
    text = DESIGN.format(
        name=name,
        design=os.path.relpath(folder / registers["coprocessor"]["design"], into),
        top=registers["coprocessor"]["top"],
        offsets=", ".join(map(str, offsets)),
        words=", ".join(f"{word:#010x}" for word in words),
        pauses=", ".join(map(str, pauses)),
        last=len(transfers) - 1,
        status=_offset(registers, "status"),
        result=_offset(registers, "output"),
    )
    path.write_text(text, encoding="utf-8")
    return path


def long(into: Path) -> Path:
    """Writes a design of many lines: datapaths with controllers, all of which run."""
    count = LONG // (PART.count("\n") + 3)
    parts = "".join(PART.format(number=number) for number in range(count))
    uses = "".join(
        f"  sig value{number}, sum{number + 1} : ns(32);\n  use part{number}(value{number});\n"
        f"  always {{ sum{number + 1} = sum{number} ^ value{number}; }}\n"
        for number in range(count)
    )
    path = into / "long.fdl"
    shown = f"  sig sum0 : ns(32); always {{ sum0 = 0; done = sum{count}; }}\n"
    top = f"dp long(out done : ns(32)) {{\n{uses}{shown}}}\n"
    path.write_text(parts + top, encoding="utf-8")
    return path


def _chosen(vectors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first two vectors, which may set up the others, and the one that takes longest."""
    return [*vectors[:2], max(vectors, key=lambda vector: vector.get("cycles", 0))]


def _offset(registers: Mapping[str, Any], role: str) -> int:
    """The offset of the first register with a role, or of the result."""
    roles = {register["role"]: register["offset"] for register in registers["register"][::-1]}
    return int(roles.get(role, roles["output"]))


def _transfers(registers: Mapping[str, Any], vector: Mapping[str, Any]) -> Iterator[Transfer]:
    known = {register["name"]: register for register in registers["register"]}
    for name, value in vector.get("inputs", {}).items():
        for number, word in enumerate(_words(value)):
            yield known[name]["offset"] + WORD * number, word, 0
    command = vector.get("command", {})
    if command:
        control = next(
            register for register in registers["register"] if register["role"] == "control"
        )
        places = {field["name"]: min(field["bits"]) for field in control["field"]}
        word = sum(value << places[name] for name, value in command.items())
        yield control["offset"], word, vector["cycles"] + READ_FOR
    else:
        yield registers["register"][0]["offset"], 0, READ_FOR


def _words(value: str) -> list[int]:
    """A vector's bytes as they lie in memory, or a number, as words with the lowest first."""
    if value.startswith("0x"):
        content = bytes.fromhex(value[2:].rjust(len(value[2:]) + len(value[2:]) % 2, "0"))[::-1]
    else:
        content = bytes.fromhex(value)
    padded = content.ljust(-(-len(content) // WORD) * WORD, b"\0")
    return [int.from_bytes(padded[at : at + WORD], "little") for at in range(0, len(padded), WORD)]
