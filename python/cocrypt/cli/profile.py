"""`cocrypt profile`: the cycles of a run by function, source line and instruction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.tree import Tree

from cocrypt import annotation, log, measurement, paths, records, visible
from cocrypt.cli import annotate as _annotate
from cocrypt.cli import output, programs, simulation
from cocrypt.cli.output import JsonOption, MaxCyclesOption
from cocrypt.cli.programs import (
    OptionalDeviceOption,
    PartitionOption,
    ProgramArgument,
    WorkloadOption,
)
from cocrypt.cli.simulation import (
    ArgumentOption,
    CoprocessorOption,
    EntryOption,
    HostCallsOption,
    HostFilesOption,
    HostOptions,
    InputOption,
    LoadAddressOption,
    StubOption,
)
from cocrypt.cli.tables import figure, key, text
from cocrypt.errors import InputError
from cocrypt.java import frames
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from rich.table import Table

    from cocrypt.machine import Machine

# A branch of the tree that spent less than this share is not shown.
LEAST_SHARE = 0.005


def command(
    image: ProgramArgument,
    device: OptionalDeviceOption = None,
    workload: WorkloadOption = None,
    partition: PartitionOption = None,
    coprocessor: CoprocessorOption = None,
    load_address: LoadAddressOption = None,
    entry: EntryOption = None,
    console_input: InputOption = None,
    semihosting: HostCallsOption = False,
    semihosting_files: HostFilesOption = None,
    argument: ArgumentOption = None,
    stub: StubOption = None,
    tree: Annotated[bool, typer.Option("--tree", help="Show the call tree too.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="Show source lines too.")] = False,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="Show the hottest function's instructions too.")
    ] = False,
    annotate: Annotated[
        str | None,
        typer.Option(
            metavar="FUNCTION|hottest", help="Show a function's source and assembly side by side."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page of that function; else of the hottest."),
    ] = None,
    java: Annotated[
        bool,
        typer.Option(
            "--java/--no-java", help="Show methods in Java, or the interpreter that runs them."
        ),
    ] = True,
    sources: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Look for sources in this folder too; may be repeated."
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Rows of a table at most.")] = 30,
    callgrind: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a file for KCachegrind.")
    ] = None,
    speedscope: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a file for speedscope.")
    ] = None,
    folded: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write folded stacks, for flame graphs.")
    ] = None,
    max_cycles: MaxCyclesOption = MAX_CYCLES,
    as_json: JsonOption = False,
) -> None:
    """Run an image or a study's workload; print what its cycles go to."""
    program = programs.program(image, device, workload, partition, coprocessor)
    machine = simulation.machine(
        program,
        load_address=load_address,
        entry=entry,
        console_input=console_input,
        host=HostOptions.of(semihosting, semihosting_files, argument),
        stubs=stub,
        contexts=True,
    )
    if java and frames.is_java(machine):
        _follow(machine)
    result = simulation.simulate(machine, max_cycles)
    profile = machine.profile()
    values = records.profile(machine.device, program.name, result, profile)
    values["java"] = frames.record(profile.values)
    annotated = None
    if annotate is not None or report is not None:
        name, near = annotate or annotation.HOTTEST, annotation.Near(program.path, sources or ())
        annotated = annotation.annotate(machine, name, near)
        values["annotation"] = annotated.record()
    if as_json:
        output.print_json(values)
    else:
        _show(values, top=top, tree=tree, lines=lines, instructions=instructions)
    if annotated is not None and annotate is not None and not as_json:
        _annotate.show(annotated)
    if annotated is not None and report is not None:
        # The drawing of pages is loaded only where a page is asked for.
        from cocrypt.report import annotated as pages

        page = pages.annotated(annotated, machine.device.title, program.name)
        output.report(report, page, as_json)
    writers = {callgrind: profile.callgrind, speedscope: profile.speedscope, folded: profile.folded}
    for path, write in writers.items():
        if path is not None:
            paths.write_text(path, write())
            log.say(f"wrote {path}")
    simulation.report_notes(result)
    measurement.require_clean(result)
    programs.require_expected(program, program.output(result))


def _follow(machine: Machine) -> None:
    """Follows a program in Java by its methods; says so if that is not possible."""
    try:
        frames.follow(machine)
    except InputError as error:
        log.say(f"no cycles by method in Java: {error.message}")


def _show(values: dict[str, Any], *, top: int, tree: bool, lines: bool, instructions: bool) -> None:
    output.print_table(_functions(values, top))
    if values["java"] is not None:
        output.print_table(_java(values, top))
    if tree:
        output.stdout().print(_tree(values))
    if lines and not values["lines"]:
        log.say("no source lines are known: build the program with -g")
    elif lines:
        output.print_table(_lines(values, top))
    if instructions:
        output.print_table(_instructions(values))


def _share(cycles: int, values: dict[str, Any]) -> str:
    return f"{100 * cycles / max(1, values['total_cycles']):.2f}"


def _functions(values: dict[str, Any], top: int) -> Table:
    title = f"{values['image']['name']} on {values['device']}: {values['total_cycles']:,} cycles"
    columns = ("calls", "own cycles", "%", "with callees", "%", figure("instructions", spare=1))
    table = output.table(title, key("function"), *columns)
    for function in values["functions"][:top]:
        own, total = function["self_cycles"], function["total_cycles"]
        table.add_row(
            function["name"],
            f"{function['calls']:,}",
            f"{own:,}",
            _share(own, values),
            f"{total:,}",
            _share(total, values),
            f"{function['self_instructions']:,}",
        )
    omitted = len(values["functions"]) - top
    if omitted > 0:
        table.add_row(f"({omitted} more; --top)", "", "", "", "", "", "")
    return table


def _java(values: dict[str, Any], top: int) -> Table:
    """The methods in Java with the share of the native interface, and the functions in C."""
    columns = ("calls", "own cycles", "%", "interface", "with callees", "%")
    table = output.table("methods in Java", key("method"), text("runs in"), *columns)
    for method in values["java"]["methods"][:top]:
        own, total = method["self_cycles"], method["total_cycles"]
        kind = "C" if method["native"] else "bytecode"
        cells = (f"{own:,}", _share(own, values), f"{method['interface_cycles']:,}")
        callees = (f"{total:,}", _share(total, values))
        table.add_row(method["name"], kind, f"{method['calls']:,}", *cells, *callees)
    spent, interface = values["java"]["interpreter_cycles"], values["java"]["interface_cycles"]
    table.caption = (
        f"bytecode: {spent:,} cycles of the interpreter, {_share(spent, values)} %; "
        f"interface: {interface:,} cycles of calls of C, {_share(interface, values)} %"
    )
    table.caption_justify = "left"
    return table


def _tree(values: dict[str, Any]) -> Tree:
    """The call tree, the most expensive branches first, without negligible ones."""
    below: dict[int | None, list[int]] = {}
    for number, node in enumerate(values["tree"]):
        below.setdefault(node["parent"], []).append(number)
    least = LEAST_SHARE * values["total_cycles"]
    shown = Tree("call tree: share with callees, cycles with callees, calls")

    def grow(branch: Tree, numbers: list[int]) -> None:
        for number in sorted(numbers, key=lambda index: -values["tree"][index]["total_cycles"]):
            node = values["tree"][number]
            if node["total_cycles"] >= least:
                grow(branch.add(_node(node, values)), below.get(number, []))

    grow(shown, below.get(None, []))
    return shown


def _node(node: dict[str, Any], values: dict[str, Any]) -> str:
    kind = "inlined" if node["inlined"] else f"{node['calls']:,} x"
    share = _share(node["total_cycles"], values)
    return f"{share:>6} %  {node['total_cycles']:,}  {visible.name(node['name'])}  ({kind})"


def _lines(values: dict[str, Any], top: int) -> Table:
    table = output.table(
        "source lines",
        key("line"),
        key("function"),
        *("cycles", "%", figure("instructions", spare=1)),
    )
    for line in values["lines"][:top]:
        location = f"{line['file']}:{line['line']}"
        spent = (f"{line['cycles']:,}", _share(line["cycles"], values), f"{line['instructions']:,}")
        table.add_row(location, line["function"], *spent)
    return table


def _instructions(values: dict[str, Any]) -> Table:
    """The instructions of the function that spent most, in order."""
    name = values["functions"][0]["name"]
    table = output.table(
        f"instructions of {name}", "address", "instruction", "executions", "cycles", "%", left=2
    )
    for instruction in _hottest(values, name):
        spent = (
            f"{instruction['executions']:,}",
            f"{instruction['cycles']:,}",
            _share(instruction["cycles"], values),
        )
        table.add_row(f"{instruction['address']:#010x}", instruction["text"] or "?", *spent)
    return table


def _hottest(values: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The instructions of the function that spent most; of a method in Java, its bytecode."""
    bytecodes = values["java"]["bytecodes"] if values["java"] else []
    own = [row for row in bytecodes if row["function"] == name]
    start, end = _range(values)
    return own or [row for row in values["instructions"] if start <= row["address"] < end]


def _range(values: dict[str, Any]) -> tuple[int, int]:
    """The addresses of the function that spent most, up to the next function that ran."""
    start = values["functions"][0]["address"] or 0
    others = [
        function["address"]
        for function in values["functions"]
        if (function["address"] or 0) > start
    ]
    return start, min(others, default=1 << 32)
