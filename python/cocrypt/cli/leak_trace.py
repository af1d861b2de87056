"""`cocrypt leak trace PRIMITIVE|IMAGE|STUDY`: simulated power traces of a function."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cocrypt import following, log
from cocrypt.cli import choosing, leak_program, output, programs, simulation
from cocrypt.cli.choosing import JobsOption
from cocrypt.cli.output import JsonOption
from cocrypt.cli.programs import PartitionOption, WorkloadOption
from cocrypt.cli.simulation import NO_HOST, HostCallsOption, HostOptions, InputOption, StubOption
from cocrypt.errors import InputError
from cocrypt.paths import USUAL_DEVICE, suggestion
from cocrypt.primitives.measuring import read_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.cli.programs import Program
    from cocrypt.explore.added import Gates
    from cocrypt.gates.glitches import Delays
    from cocrypt.leakage.sampling import Campaign, Input, Output, Sampled
    from cocrypt.machine import Machine
    from cocrypt.primitives.script import Buffer, Step, Timing
    from cocrypt.primitives.subject import Subject

FEMTO = 1e-15
Kind = Literal["fixed", "random", "fixed-vs-random"]
PLACE = "ROLE|SYMBOL|@ARGUMENT|ADDRESS[:LENGTH]"
RandomOption = Annotated[
    list[str] | None,
    typer.Option("--random", metavar=PLACE, help="Bytes that are random; may be repeated."),
]
FixedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fixed", metavar=f"{PLACE}=HEX", help="Bytes that are the same in every run; repeatable."
    ),
]
GroupsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fixed-vs-random",
        metavar=f"{PLACE}=HEX",
        help="Bytes that are fixed in half of the runs and random in the others; repeatable.",
    ),
]
ReadOption = Annotated[
    list[str] | None,
    typer.Option("--read", metavar=PLACE, help="Bytes to keep from the end of a run; repeatable."),
]
MaxCyclesOption = Annotated[
    int,
    typer.Option(
        "--max-cycles",
        min=1,
        max=output.LAST_CYCLE,
        metavar="N",
        help="Stop a run after so many cycles, which take 8 bytes of memory each.",
    ),
]
GatesOption = Annotated[
    str | None,
    typer.Option(
        "--gates",
        metavar="LIBRARY",
        help="Add a study's coprocessors as gates of this library, a name or a file.",
    ),
]
DelaysOption = Annotated[
    str | None,
    typer.Option(
        "--delays",
        metavar="none|unit|TICK",
        help="With --gates: glitches of equal delays, or of the library's in steps such as 10ps.",
    ),
]
UnitOption = Annotated[
    float | None,
    typer.Option(
        "--unit",
        min=1e-6,
        metavar="FJ",
        help="With --gates: the femtojoules of a unit of the model; 100 unless given.",
    ),
]
UNIT = 100.0
"""Femtojoules of a unit of the model: about those of a net of 60 fF that changes at 1.8 V."""
_ROLE = re.compile(r"(?P<role>\w+)(\+(?P<offset>\w+))?(:(?P<length>\w+))?\Z")


@dataclass(frozen=True)
class MemoryRange:
    """Memory of the program, with the name of its column."""

    name: str
    address: int
    size: int


@dataclass(frozen=True)
class Target:
    """A machine at the first instruction of the sampled function; `title` is for people.

    `gates` are coprocessors whose energies are added.
    """

    machine: Machine
    title: str
    function: str
    ranges: dict[str, MemoryRange]
    constants: tuple[tuple[str, bytes], ...] = ()
    results: tuple[str, ...] = ()
    gates: Gates | None = None

    def range(self, text: str) -> MemoryRange:
        """The memory that a text names: of a primitive a role, else a symbol or so."""
        if not self.ranges:
            return _program_range(self.machine, text)
        match = _ROLE.match(text)
        whole = self.ranges.get(match["role"]) if match else None
        if match is None or whole is None:
            return self._beside_roles(text)
        offset = _number(text, match["offset"] or "0")
        size = _number(text, match["length"]) if match["length"] else whole.size - offset
        if size < 1 or offset + size > whole.size:
            raise InputError(
                f"`{text}` does not lie within the {whole.size} bytes of `{whole.name}`",
                "write ROLE+OFFSET:LENGTH, in bytes",
            )
        return MemoryRange(whole.name, whole.address + offset, size)

    def _beside_roles(self, text: str) -> MemoryRange:
        """Static memory of a primitive, such as random bytes that a function does not get."""
        try:
            return _program_range(self.machine, text)
        except InputError as error:
            raise InputError(
                f"`{text}` is no memory that {self.function} gets, and no symbol of its code",
                suggestion(text, list(self.ranges)),
            ) from error


def trace(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="PRIMITIVE|IMAGE|STUDY", help="A primitive as `aes128/ref`; or a program."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The new trace set.")
    ],
    device: Annotated[
        str | None,
        typer.Option("--device", "-d", metavar="NAME|FILE", help="The device; see `devices`."),
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", "-n", min=1, metavar="N", help="The number of traces.")
    ] = 1000,
    random: RandomOption = None,
    fixed: FixedOption = None,
    fixed_vs_random: GroupsOption = None,
    read: ReadOption = None,
    function: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FUNCTION|OPERATION",
            help="What is sampled, from its first call to its return; else main, or encrypt.",
        ),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME|FILE", help="The leakage model.")
    ] = "hamming",
    noise: Annotated[
        float,
        typer.Option("--noise", min=0, metavar="SIGMA", help="Standard deviation of the noise."),
    ] = 0.0,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="The seed of bytes and noise.")
    ] = 0,
    max_cycles: MaxCyclesOption = 20_000_000,
    optimise: Annotated[
        str | None,
        typer.Option("--optimise", "-O", metavar="s|2|3", help="The compiler's level."),
    ] = None,
    compiler: Annotated[
        str | None, typer.Option("--compiler", metavar="NAME", help="zig, or a GCC or clang.")
    ] = None,
    jobs: JobsOption = None,
    workload: WorkloadOption = None,
    partition: PartitionOption = None,
    console_input: InputOption = None,
    stub: StubOption = None,
    semihosting: HostCallsOption = False,
    gates: GatesOption = None,
    delays: DelaysOption = None,
    unit: UnitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write simulated power traces of a function: a trace set, with a sample for each cycle.

    A leakage model gives each instruction's contribution to the cycle in which it is issued. The
    set's table samples.csv has the instruction and source line of each sample. With --gates, a
    partition's coprocessors add the energies of their netlists, each in the cycle of the core in
    which it is spent.
    """
    # NumPy and Polars are loaded only where they are used.
    from cocrypt.leakage import models, sampling

    chosen = models.model(model)
    as_gates = _gates(gates, delays, unit)
    if leak_program.is_program(subject):
        if optimise or compiler:
            raise InputError(
                "--optimise and --compiler are for primitives", "leave them out for a program"
            )
        host = HostOptions(asked=True) if semihosting else NO_HOST
        program = programs.program(Path(subject), device, workload, partition)
        machine = simulation.machine(
            program, console_input=console_input, stubs=list(stub or ()), host=host
        )
        target = _program(machine, program, function, as_gates)
    elif as_gates is not None:
        raise InputError(
            "a primitive drives no coprocessor whose gates could be simulated",
            "name a study, and a partition with a coprocessor by --partition",
        )
    else:
        target = primitive_target(subject, device or USUAL_DEVICE, function, optimise, compiler)
    campaign = sampling.Campaign(
        machine=target.machine,
        model=chosen,
        inputs=tuple(_inputs(target, random, fixed, fixed_vs_random)),
        outputs=tuple(_outputs(target, read)),
        constants=target.constants,
        runs=runs,
        noise=noise,
        seed=seed,
        jobs=jobs,
        max_cycles=max_cycles,
    )
    campaign = _without_doubles(campaign)
    source = f"{target.title} {target.function} on {target.machine.device.name}, {chosen.title}"
    started = time.monotonic()
    with output.progress("chunks that are whole are kept") as step:
        added = None if target.gates is None else target.gates.added
        sampled = sampling.sample(campaign, out, source, step, added)
    seconds = time.monotonic() - started
    if as_json:
        output.print_json(_record(target, campaign, sampled, seconds))
    else:
        _show(target, campaign, sampled, seconds)
    if not sampled.constant_flow:
        log.say(
            f"note: {sampled.different:,} of {runs:,} runs took another path or other cycles than "
            "the first: their samples are not aligned with samples.csv, and `flow` is 0"
        )


def _gates(
    library: str | None, delays: str | None, unit: float | None
) -> tuple[str, Delays, float] | None:
    """A library's name, the delays of gates, and the joules of a unit; None without gates."""
    from cocrypt.gates.glitches import SETTLED, Delays

    if library is None:
        if delays is not None or unit is not None:
            raise InputError(
                "--delays and --unit are for coprocessors as gates", "add --gates LIBRARY"
            )
        return None
    chosen = SETTLED if delays is None else Delays.parse(delays)
    return library, chosen, (UNIT if unit is None else unit) * FEMTO


def _program(
    machine: Machine,
    program: Program,
    function: str | None,
    as_gates: tuple[str, Delays, float] | None,
) -> Target:
    """A program's machine, run to the function."""
    start = following.Start(function or following.USUAL_START)
    begun = following.reach(machine, start)
    gates = None
    if as_gates is not None:
        from cocrypt.explore.added import Gates

        gates = Gates.of(program.device, program.coprocessors, program.dual_rails, as_gates, begun)
    return Target(machine, program.name, start.function or "", {}, gates=gates)


def primitive_target(
    word: str, device: str, operation: str | None, level: str | None, compiler: str | None
) -> Target:
    """A primitive's machine, run to the function of an operation.

    Raises `InputError` where the words name no implementation, or several.
    """
    from cocrypt.primitives.kinds import kind
    from cocrypt.primitives.measuring import Build, Task
    from cocrypt.primitives.secrecy import LENGTH

    subjects = choosing.subjects([word], everything=False)
    if len(subjects) != 1:
        named = ", ".join(subject.name for subject in subjects)
        raise InputError(f"`{word}` has several implementations", f"name one of {named}")
    build = choosing.builds([level] if level else None, [compiler] if compiler else None)[0]
    task = Task(
        subjects[0],
        choosing.devices([device])[0],
        Build((*build.flags, "-g"), build.compiler),
    )
    calling = task.calling()
    vectors = read_vectors(task.subject)
    plan = kind(task.subject).timings(task.subject, vectors, (LENGTH,), calling.context_size)
    steps = _steps(task.subject, plan, operation)
    machine, addresses = calling.before(steps)
    return _called(machine, task.subject, steps, addresses)


def _steps(subject: Subject, plan: list[Timing], operation: str | None) -> list[Step]:
    """The calls up to the one that is sampled."""
    known = {timing.operation: timing for timing in plan}
    wanted = operation or next((name for name in ("encrypt", "seal") if name in known), None)
    timing = known.get(wanted or next(iter(known)))
    if timing is not None:
        return list(timing.steps[: timing.counted[-1] + 1])
    # A function within an operation, such as the first `update` of a hash.
    functions = {
        step.operation: list(timing.steps[: number + 1])
        for timing in reversed(plan)
        for number, step in reversed(list(enumerate(timing.steps)))
    }
    if wanted not in functions:
        raise InputError(
            f"{subject.name} has no operation `{operation}`",
            suggestion(operation or "", [*known, *functions]),
        )
    return functions[wanted]


def _called(
    machine: Machine, subject: Subject, steps: list[Step], addresses: dict[Buffer, int]
) -> Target:
    last = steps[-1]
    ranges = {
        role: MemoryRange(role, addresses[buffer], buffer.size)
        for role, buffer in last.buffers
        if buffer.size
    }
    inputs = [buffer for _, buffer in last.buffers]
    # What earlier calls got, such as the key, is the same for every trace.
    constants = {
        role: buffer.content
        for step in steps[:-1]
        for role, buffer in step.buffers
        if buffer.content and buffer not in inputs
    }
    contents = {role: buffer.content for role, buffer in last.buffers if buffer.content}
    constants |= {role: content for role, content in contents.items() if role != "result"}
    results = tuple(role for role in ranges if role in ("result", "digest", "tag", "signature"))
    return Target(
        machine,
        subject.name,
        subject.function(last.operation).name,
        ranges,
        tuple(constants.items()),
        results,
    )


def _program_range(machine: Machine, text: str) -> MemoryRange:
    """Memory of a program, by symbol, address or argument."""
    secret = following.secret(machine, text)
    if isinstance(secret, following.PointedSecret):
        name = f"argument{secret.number}"
        secret = secret.at(machine)
    else:
        base = text.partition(":")[0]
        name = re.sub(r"\W", "_", base if base[:1].isalpha() else f"at_{base}")
    return MemoryRange(name, secret.address, secret.length)


def _number(text: str, digits: str) -> int:
    try:
        return int(digits, 0)
    except ValueError as error:
        raise InputError(
            f"`{text}`: `{digits}` is no number", "write ROLE+OFFSET:LENGTH, in bytes"
        ) from error


def _inputs(
    target: Target,
    random: list[str] | None,
    fixed: list[str] | None,
    groups: list[str] | None,
) -> Iterator[Input]:
    from cocrypt.leakage.sampling import Input

    for text in random or ():
        memory = target.range(text)
        yield Input(memory.name, memory.address, memory.size, "random")
    kinds: tuple[tuple[Kind, list[str] | None], ...] = (
        ("fixed", fixed),
        ("fixed-vs-random", groups),
    )
    for kind, texts in kinds:
        for text in texts or ():
            base, equals, digits = text.partition("=")
            if not equals:
                raise InputError(f"`{text}` has no bytes", f"write --{kind} {text}=HEX")
            value = _bytes(text, digits)
            memory = target.range(base)
            yield Input(memory.name, memory.address, memory.size, kind, value)


def _bytes(text: str, digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise InputError(
            f"`{text}`: `{digits}` is no bytes", "write two hexadecimal digits for each byte"
        ) from error


def _outputs(target: Target, read: list[str] | None) -> Iterator[Output]:
    from cocrypt.leakage.sampling import Output

    for text in read if read is not None else target.results:
        memory = target.range(text)
        yield Output(memory.name, memory.address, memory.size)


def _without_doubles(campaign: Campaign) -> Campaign:
    """A campaign without constants that are given to the runs or read from them."""
    named = {column.name for column in campaign.memory}
    constants = tuple((name, value) for name, value in campaign.constants if name not in named)
    return replace(campaign, constants=constants)


def _show(target: Target, campaign: Campaign, sampled: Sampled, seconds: float) -> None:
    table = output.table(f"Traces: {target.title} on {target.machine.device.name}", "", "", left=2)
    table.show_header = False
    table.add_row("function", target.function)
    table.add_row("model", campaign.model.title)
    if target.gates is not None:
        table.add_row("gates", target.gates.title)
    table.add_row("traces", f"{campaign.runs:,} of {sampled.samples:,} samples")
    table.add_row("instructions", f"{sampled.instructions:,} in the first run")
    flow = "the same in every run" if sampled.constant_flow else f"{sampled.different:,} differ"
    table.add_row("path and cycles", flow)
    table.add_row("columns", ", ".join(sampled.columns))
    table.add_row("set", str(sampled.path))
    table.add_row("rate", f"{campaign.runs / max(seconds, 1e-9):,.0f} traces/s")
    output.print_table(table)


def _record(target: Target, campaign: Campaign, sampled: Sampled, seconds: float) -> dict[str, Any]:
    return {
        "program": target.title,
        "function": target.function,
        "device": target.machine.device.name,
        "image": target.machine.info["hash"],
        "model": campaign.model.name,
        "gates": None if target.gates is None else target.gates.record,
        "noise": campaign.noise,
        "seed": campaign.seed,
        "traces": campaign.runs,
        "samples": sampled.samples,
        "instructions": sampled.instructions,
        "constant_flow": sampled.constant_flow,
        "different": sampled.different,
        "columns": list(sampled.columns),
        "host": {"seconds": seconds, "path": str(sampled.path)},
    }
