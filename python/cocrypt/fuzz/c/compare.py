"""Runs C programs on both engines and reports where these, or the host, differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cocrypt._native import Machine

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.fuzz.c.generate import Program
    from cocrypt.fuzz.c.levels import Bench, Level

MAX_CYCLES = 200_000_000
"""Far more than nearly all programs take that end on the host within the limit."""

Verdict = Literal["agrees", "differs from the host", "engines differ", "not ended"]


@dataclass(frozen=True)
class Outcome:
    """The result of a program's runs; `built` names compiler and option.

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
    interpreted = _run(device, image, name, "interpreter")
    verdict, detail, result = _judge(device, image, name, program, interpreted)
    return Outcome(program, level, built, verdict, result["instructions"], image, detail)


State = tuple[dict[str, Any], list[int]]


def _judge(
    device: Device, image: bytes, name: str, program: Program, interpreted: State
) -> tuple[Verdict, str, dict[str, Any]]:
    """The verdict, its details, and the interpreter's result."""
    result = interpreted[0]
    if result["stop"]["kind"] == "cycle_limit":
        return "not ended", "", result
    compiled = _run(device, image, name, "compiled")
    if interpreted != compiled:
        return "engines differ", f"\n  {interpreted}\n  {compiled}", result
    console = result["console"].decode(errors="replace")
    ended = result["stop"]["kind"] == "exit" and result["stop"]["exit_code"] == 0
    if ended and console == program.said:
        return "agrees", "", result
    return "differs from the host", f"\n  {console!r}, {result['stop']}\n  {program.said!r}", result


def _run(device: Device, image: bytes, name: str, engine: Any) -> State:  # noqa: ANN401
    """The state on which the engines must agree, registers last."""
    machine = Machine(device.path, image, name, engine=engine)
    result = machine.run(MAX_CYCLES)
    del result["seconds"]
    return result, machine.registers()
