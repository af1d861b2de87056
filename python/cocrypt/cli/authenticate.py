"""`cocrypt authenticate`: nodes that authenticate each other, attackers on the line, crowds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import house
from cocrypt.authenticate import attacks, crowd, pairs, records
from cocrypt.authenticate.handshake import NAMES, Handshake, handshake
from cocrypt.authenticate.layout import Role
from cocrypt.authenticate.scenario import Scenario
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption, StudyArgument
from cocrypt.cli.tables import figure, key, text
from cocrypt.errors import InputError, ProgramError
from cocrypt.report import authentication as pages
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cocrypt.authenticate.steps import Step

HardwareOption = Annotated[
    list[str] | None,
    typer.Option(
        "--hw",
        metavar="[NODE=]PARTITION",
        help="What is in hardware: a partition's name, functions with commas, `all` or `none`; "
        "for one node (ca, server, terminal) or for all machines. May be repeated.",
    ),
]


def command(
    study: StudyArgument,
    hw: HardwareOption = None,
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="NAME", help="Encryption of data: xor, aes or ascon."),
    ] = None,
    terminals: Annotated[
        int | None,
        typer.Option("--terminals", min=1, max=1000, metavar="N", help="So many at one server."),
    ] = None,
    arrivals: Annotated[
        float | None,
        typer.Option(
            "--arrivals", min=0.001, metavar="N", help="Terminals a second that come; else at once."
        ),
    ] = None,
    every_pair: Annotated[
        bool, typer.Option("--pairs", help="Try every partition of the server with every other.")
    ] = False,
    attack: Annotated[
        bool, typer.Option("--attacks", help="Try every attack at every message.")
    ] = False,
    runs: Annotated[
        int | None,
        typer.Option("--runs", min=1, metavar="N", help="Of all attacks, so many by lot."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, metavar="N", help="Workers; else one a core."),
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Where the report goes.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a network of CA, server and terminal: each step with its cycles, time and energy.

    With --terminals many terminals authenticate at one server; with --attacks somebody sits on the
    line; with --pairs server and terminal have every partition in turn.
    """
    if attack + every_pair + (terminals is not None) > 1:
        words = "--attacks, --pairs and --terminals do not go together"
        raise InputError(words, "run one, then the other")
    loaded = chosen(Study.load(study), hw or [])
    with output.progress() as step:
        scenario = Scenario.of(loaded, step)
        if suite is not None:
            scenario = scenario.with_suite(suite)
        if attack:
            tried = attacks.campaign(scenario, runs, jobs, step)
        elif every_pair:
            joined = pairs.pairs(scenario, jobs=jobs, step=step)
        elif terminals:
            met = crowd.crowd(scenario, terminals, arrivals, jobs, step)
        else:
            done = handshake(scenario)
    if attack:
        _attacks(tried, as_json)
    elif every_pair:
        _pairs(scenario, joined, as_json)
    elif terminals:
        _crowd(met, page, as_json)
    else:
        _handshake(done, page, as_json)


def chosen(study: Study, words: Sequence[str]) -> Study:
    """The study with other functions in hardware than it says."""
    network = study.authentication
    if network is None:
        return study
    for word in words:
        node, named, which = word.partition("=")
        roles = [Role[node.upper()]] if named and node.upper() in Role.__members__ else list(Role)
        if named and len(roles) != 1:
            raise InputError(f"there is no node `{node}`", "known: ca, server, terminal")
        functions = hardware(study, which if named else word)
        for role in roles:
            network = network.having(role.name.lower(), functions)
    return replace(study, authentication=network)


def hardware(study: Study, words: str) -> tuple[str, ...]:
    """The functions that a partition's name, or a list of them, stands for."""
    known = [one.function for one in study.candidates]
    by_name = {name.lower(): functions for functions, name in study.names.items()}
    if words.lower() in by_name:
        return by_name[words.lower()]
    if words in ("all", "none", ""):
        return tuple(known) if words == "all" else ()
    functions = [one.strip() for one in words.split(",")]
    for one in functions:
        if one not in known:
            names = [*study.names.values(), *known, "all", "none"]
            raise InputError(f"there is no partition `{one}`", house.suggestion(one, names))
    return tuple(one for one in known if one in functions)


def _handshake(done: Handshake, page: Path | None, as_json: bool) -> None:
    written = page or house.build() / "reports" / done.scenario.study.name / "handshake.html"
    if as_json:
        output.print_json(records.handshake(done))
    else:
        output.print_table(_steps(done))
        output.print_table(_spent(done))
        for line in records.sentences(done):
            output.stdout().print(line)
    output.report(written, pages.handshake(done), as_json)
    if done.differences or not done.is_open:
        raise ProgramError("; ".join(done.differences) or "the session was not opened")


def _steps(done: Handshake) -> Table:
    network = done.scenario.network
    title = (
        f"{done.scenario.study.title}: {network.suite}, {network.line} of {network.rate:,} bit/s, "
        f"{network.latency_us} us"
    )
    figures = ("at ms", figure("bytes", spare=1), "cycles", "ms", figure("mJ", spare=2))
    made = output.table(title, key("node"), key("step"), *figures)
    for step in done.steps:
        made.add_row(*_step(step))
    made.caption = (
        "ms of a message: until it has come in; steps of one node that follow one another"
    )
    return made


def _step(step: Step) -> tuple[str, ...]:
    what = step.what if step.to is None else f"-> {NAMES[step.to]}: {step.what}"
    energy = "-" if step.energy_J is None else f"{1000 * step.energy_J:.4f}"
    return (
        NAMES[step.node],
        what,
        f"{1000 * step.at:,.3f}",
        "" if step.bytes is None else f"{step.bytes}",
        "" if step.cycles is None else f"{step.cycles:,}",
        f"{1000 * step.seconds:,.3f}",
        "" if step.is_message else energy,
    )


def _spent(done: Handshake) -> Table:
    names = (key("node"), text("device", spare=1), text("in hardware"))
    figures = ("busy", "waited", "s", "mJ")
    made = output.table("What each node spent", *names, *figures)
    for one in done.spent:
        seat = done.scenario.seats[Role(one.node)]
        energy = "-" if one.energy_J is None else f"{1000 * one.energy_J:.3f}"
        figures = (f"{one.busy:,}", f"{one.waited:,}", f"{one.seconds:.3f}", energy)
        made.add_row(NAMES[one.node], seat.device.name, seat.partition, *figures)
    made.caption = "busy, waited: cycles; -: the device's file gives no power"
    return made


def _attacks(tried: attacks.Campaign, as_json: bool) -> None:
    if as_json:
        output.print_json(records.campaign(tried))
    else:
        columns = (key("attack"), "runs", "refused", text("for"), "wrong")
        made = output.table(f"{tried.runs:,} attacks", *columns)
        for kind in tried.lines:
            reasons = ", ".join(f"{name} {count:,}" for name, count in kind.reasons.items())
            made.add_row(
                kind.attack, f"{kind.runs:,}", f"{kind.refused:,}", reasons, f"{len(kind.wrong)}"
            )
        output.print_table(made)
        for line in tried.wrong[:20]:
            output.stdout().print(line)
    if tried.wrong:
        raise ProgramError(f"{len(tried.wrong)} attacks did not end as they should")


def _pairs(scenario: Scenario, joined: Sequence[pairs.Pair], as_json: bool) -> None:
    if as_json:
        output.print_json(records.pairs(scenario, joined))
    else:
        names = list(dict.fromkeys(one.server.name for one in joined))
        title = "Seconds of a handshake: the server's partition down, the terminal's across"
        numbers = [str(place) for place in range(1, len(names) + 1)]
        made = output.table(title, key("", right=True), key("server"), *numbers)
        for number, server in zip(numbers, names, strict=True):
            row = [one for one in joined if one.server.name == server]
            cells = (f"{one.seconds:.2f}" if one.is_good else "NO" for one in row)
            made.add_row(number, server, *cells)
        output.print_table(made)
    wrong = [one for one in joined if not one.is_good]
    if wrong:
        raise ProgramError(f"{len(wrong)} of {len(joined)} pairs have no session")


def _crowd(met: crowd.Crowd, page: Path | None, as_json: bool) -> None:
    written = page or house.build() / "reports" / met.scenario.study.name / "crowd.html"
    if as_json:
        output.print_json(records.crowd(met))
    else:
        made = output.table(
            f"{len(met.terminals):,} terminals at one server ({met.scenario.study.title})",
            "figure",
            "value",
        )
        for name, value in records.figures(met):
            made.add_row(name, value)
        output.print_table(made)
    output.report(written, pages.crowd(met), as_json)
    if met.failed:
        raise ProgramError(f"{met.failed} of {len(met.terminals)} terminals have no session")
