"""Runs C programs on both engines and says where these, or the host, differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cocrypt._native import Machine

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.fuzz.c.generate import Program
    from cocrypt.fuzz.c.levels import Bench, Level

MAX_CYCLES = 200_000_000
"""Far more than nearly all programs take that end on the host in time."""

Verdict = Literal["agrees", "differs from the host", "engines differ", "not ended"]


@dataclass(frozen=True)
class Outcome:
    """What running a program showed; `built` names compiler and option.

    `instructions` are those that each engine executed.
    """

    program: Program
    level: Level
    built: str
    verdict: Verdict
    instructions: int
    image: bytes
    detail: str = ""

    def __str__(self) -> str:
        about = f"seed {self.program.seed}, {self.level}, {self.built}"
        return f"{about}: {self.verdict}{self.detail}"


def check(bench: Bench, level: Level, program: Program, built: str) -> Outcome:
    """Builds a program and runs it; raises `InputError` if it cannot be built."""
    device = bench.device(level)
    image = bench.image(device, level, program, built).read_bytes()
    name = f"{program.source.name}, {built}"
    here = _run(device, image, name, "interpreter")
    verdict, detail, result = _judge(device, image, name, program, here)
    return Outcome(program, level, built, verdict, result["instructions"], image, detail)


Seen = tuple[dict[str, Any], list[int]]


def _judge(
    device: Device, image: bytes, name: str, program: Program, here: Seen
) -> tuple[Verdict, str, dict[str, Any]]:
    """The verdict, what it rests on, and the interpreter's result."""
    result = here[0]
    if result["stop"]["kind"] == "cycle_limit":
        return "not ended", "", result
    there = _run(device, image, name, "compiled")
    if here != there:
        return "engines differ", f"\n  {here}\n  {there}", result
    said = result["console"].decode(errors="replace")
    ended = result["stop"]["kind"] == "exit" and result["stop"]["exit_code"] == 0
    if ended and said == program.said:
        return "agrees", "", result
    return "differs from the host", f"\n  {said!r}, {result['stop']}\n  {program.said!r}", result


def _run(device: Device, image: bytes, name: str, engine: Any) -> Seen:  # noqa: ANN401
    """All that the engines must agree about, registers last."""
    machine = Machine(device.path, image, name, engine=engine)
    result = machine.run(MAX_CYCLES)
    del result["seconds"]
    return result, machine.registers()
