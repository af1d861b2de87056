"""Runs programs on the cycle model and on the core's RTL and reports where the two differ."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt._native import Machine
from cocrypt.fuzz.devices import DeviceFolder
from cocrypt.fuzz.encoder import Insn, Label
from cocrypt.fuzz.generate import DATA_BASE, DATA_SIZE, Program, generate
from cocrypt.fuzz.shrink import listing, shrink
from cocrypt.rtl import Configuration, Job, Waits, run_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.fuzz.cores import Core
    from cocrypt.fuzz.straight import Features

MAX_CYCLES = 2_000_000
"""Far more than any generated program takes."""

DUMP = (DATA_BASE, DATA_SIZE)

# The model's names of stops that the RTL shows as `trap`: the core stops without a reason.
_TRAPS = frozenset({"illegal_instruction", "unaligned", "trap", "breakpoint"})


@dataclass(frozen=True, slots=True)
class Run:
    """A program on a configuration with certain waits."""

    program: Program
    configuration: Configuration
    waits: Waits

    def __str__(self) -> str:
        program = self.program
        return (
            f"seed {program.seed} index {program.index} ({program.ending}) on "
            f"{self.configuration}, {self.waits}"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results on which model and RTL must agree. `cycles` is T, `memory` the data area."""

    stop: str
    exit_code: int | None
    cycles: int
    instructions: int
    registers: tuple[int, ...]
    console: bytes
    memory: bytes


@dataclass(frozen=True, slots=True)
class Difference:
    """A run on which model and RTL disagree: the fields, and the first instruction that differs."""

    run: Run
    fields: tuple[str, ...]
    diverges: str

    def __str__(self) -> str:
        return "\n  ".join([str(self.run), *self.fields, self.diverges])

    def assembly(self) -> list[str]:
        """The program with one line for each item."""
        return listing(self.run.program.items)


def schedule(core: Core, seed: int, programs: int, each: int = 4, first: int = 0) -> list[Run]:
    """Spread a seed's programs over all configurations, each with `each` of the waits.

    It takes `programs` of them, from number `first` on.

    The waits go round among a configuration's programs, so that every pair of the two comes about
    after `len(waits) / each` programs for each configuration.
    """
    runs = []
    for index in range(first, first + programs):
        turn, position = divmod(index, len(core.configurations))
        configuration = core.configurations[position]
        program = generate(seed, index, core.features(configuration))
        waits = core.waits(configuration)
        # Where there are few, no program is run twice with the same.
        chosen = {waits[(turn * each + step) % len(waits)]: None for step in range(each)}
        runs += [Run(program, configuration, waits) for waits in chosen]
    return runs


def compare(runs: Sequence[Run], simulator: Path) -> list[Difference]:
    """Run all programs on the model and on a simulator that has the runs' configurations.

    The result is empty if they agree on each run in all of its Outcome, or in every instruction
    that is issued before the model stops at an unmodelled one.
    """
    rtl = rtl_outcomes(runs, simulator)
    with tempfile.TemporaryDirectory(prefix="cocrypt-fuzz-") as folder:
        devices = DeviceFolder(Path(folder))
        pairs = (
            (run, model_outcome(run, devices), rtl_run)
            for run, rtl_run in zip(runs, rtl, strict=True)
        )
        return [
            Difference(
                run, _disagreements(model_run, rtl_run), _divergence(run, devices, simulator)
            )
            for run, model_run, rtl_run in pairs
            if model_run != rtl_run
            and not _agrees_until_stop(run, (model_run, rtl_run), devices, simulator)
        ]


def _agrees_until_stop(
    run: Run, outcomes: tuple[Outcome, Outcome], devices: DeviceFolder, simulator: Path
) -> bool:
    """Returns whether both agree until the model gives up, or as long as neither ends."""
    model_run, rtl_run = outcomes
    if model_run.stop != "unmodelled" and {model_run.stop, rtl_run.stop} != {"cycle_limit"}:
        return False
    model = _machine(run, devices).trace(MAX_CYCLES)
    rtl = run_batch(simulator, [_job(run, trace=True)])[0].issues or ()
    count = min(len(model), len(rtl)) if model_run.stop == "cycle_limit" else len(model)
    return tuple(model[:count]) == tuple(rtl[:count])


def smallest(difference: Difference, simulator: Path) -> Difference:
    """A difference on the smallest program found that stops in the same way."""
    run = difference.run
    stop = rtl_outcomes([run], simulator)[0].stop
    with tempfile.TemporaryDirectory(prefix="cocrypt-fuzz-") as folder:
        devices = DeviceFolder(Path(folder))

        def outcomes(program: Program) -> tuple[Run, Outcome, Outcome]:
            smaller = replace(run, program=program)
            rtl_run = rtl_outcomes([smaller], simulator)[0]
            return smaller, model_outcome(smaller, devices), rtl_run

        def differs(program: Program) -> bool:
            _, model_run, rtl_run = outcomes(program)
            return rtl_run.stop == stop and model_run != rtl_run

        shrunk, model_run, rtl_run = outcomes(shrink(run.program, differs))
        diverges = _divergence(shrunk, devices, simulator)
        return Difference(shrunk, _disagreements(model_run, rtl_run), diverges)


def rtl_outcomes(runs: Sequence[Run], simulator: Path) -> list[Outcome]:
    """Run all programs at register-transfer level."""
    results = run_batch(simulator, [_job(run) for run in runs])
    return [
        Outcome(
            stop=result.stop,
            exit_code=result.exit_code,
            cycles=result.cycles,
            instructions=result.instructions,
            registers=result.registers,
            console=result.console,
            memory=_settled(run, result.dumps[0]),
        )
        for run, result in zip(runs, results, strict=True)
    ]


def model_outcome(run: Run, devices: DeviceFolder) -> Outcome:
    """Run one program on the model."""
    machine = _machine(run, devices)
    result = machine.run(MAX_CYCLES)
    stop = result["stop"]
    # The RTL goes on in a wait, or in a loop, that the model knows to be endless.
    endless = stop["kind"] == "deadlock"
    return Outcome(
        stop="cycle_limit" if endless else _stop(run.program.features, stop["kind"]),
        exit_code=stop["exit_code"],
        cycles=MAX_CYCLES if endless else result["cycles"],
        instructions=result["instructions"],
        registers=tuple(machine.registers()),
        console=result["console"],
        memory=_settled(run, machine.read(*DUMP)),
    )


def _stop(features: Features, kind: str) -> str:
    """The model's stop in the RTL's words."""
    own = features.privileged
    if own and kind == "illegal_instruction" and "illegal" not in own.exceptions:
        # The core executes such a word in a way of its own.
        return "unmodelled"
    if own and kind in {"unaligned", "bus_fault"}:
        # A program that left its code: a jump or an access beyond memory that no handler takes, and
        # fetches that the RTL systems do not check.
        return "unmodelled"
    return "trap" if kind in _TRAPS else kind


def _job(run: Run, trace: bool = False) -> Job:
    return Job(run.program.image, run.configuration, run.waits, MAX_CYCLES, (DUMP,), trace)


def _machine(run: Run, devices: DeviceFolder) -> Machine:
    device = devices.device(run.configuration, run.waits)
    return Machine(device, run.program.image, str(run), load_address=0)


def _settled(run: Run, memory: bytes) -> bytes:
    """Leave out the bytes that a misaligned store may have changed.

    The core traps on it, but its request is already on the bus; whether memory still takes it
    depends on the memory, and no program can see it. A program with PicoRV32's own interrupts
    may end that way wherever it masks one.
    """
    if run.program.ending != "unaligned_store" and not run.program.features.irq:
        return memory
    return memory[:64] + memory[68:]


def _disagreements(model_run: Outcome, rtl_run: Outcome) -> tuple[str, ...]:
    texts = []
    for field in fields(Outcome):
        model, rtl = getattr(model_run, field.name), getattr(rtl_run, field.name)
        if model == rtl:
            continue
        if isinstance(model, tuple):
            pairs = enumerate(zip(model, rtl, strict=True))
            texts += [f"x{i}: model {a:#x}, RTL {b:#x}" for i, (a, b) in pairs if a != b]
        elif isinstance(model, bytes):
            texts.append(f"{field.name}: {_first_byte(model, rtl)}")
        else:
            texts.append(f"{field.name}: model {model}, RTL {rtl}")
    return tuple(texts)


def _first_byte(model: bytes, rtl: bytes) -> str:
    length = min(len(model), len(rtl))
    at = next((i for i in range(length) if model[i] != rtl[i]), length)
    return f"from byte {at:#x} on, model {model[at : at + 8].hex()}, RTL {rtl[at : at + 8].hex()}"


def _divergence(run: Run, devices: DeviceFolder, simulator: Path) -> str:
    """Name the first issued instruction that differs, on either side, and the one before it."""
    model = _machine(run, devices).trace(MAX_CYCLES)
    rtl = run_batch(simulator, [_job(run, trace=True)])[0].issues or ()
    names = _names(run.program)
    for number, (model_issue, rtl_issue) in enumerate(zip(model, rtl, strict=False)):
        if model_issue != rtl_issue:
            before = f", after {_issue(rtl[number - 1], names)}" if number else ""
            sides = f"model {_issue(model_issue, names)}, RTL {_issue(rtl_issue, names)}"
            return f"instruction {number}: {sides}{before}"
    if len(model) != len(rtl):
        return f"the model issues {len(model)} instructions, the RTL {len(rtl)}"
    if not rtl:
        return "no instruction is issued"
    return f"all instructions agree, the last is {_issue(rtl[-1], names)}"


def _names(program: Program) -> dict[int, str]:
    """The names of a program's instructions, by address."""
    names, address = {}, 0
    for item in program.items:
        if isinstance(item, Insn):
            names[address] = item.name
        address += 0 if isinstance(item, Label) else item.size
    return names


def _issue(issued: tuple[int, int], names: dict[int, str]) -> str:
    cycle, pc = issued
    return f"{pc:#x} ({names.get(pc, 'no instruction')}) in cycle {cycle}"
