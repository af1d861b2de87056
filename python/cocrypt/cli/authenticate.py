"""`cocrypt authenticate`: nodes that authenticate each other, attackers on the line, crowds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import paths
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
            campaign = attacks.campaign(scenario, runs, jobs, step)
        elif every_pair:
            pair_runs = pairs.pairs(scenario, jobs=jobs, step=step)
        elif terminals:
            crowd_run = crowd.crowd(scenario, terminals, arrivals, jobs, step)
        else:
            session = handshake(scenario)
    if attack:
        _attacks(campaign, as_json)
    elif every_pair:
        _pairs(scenario, pair_runs, as_json)
    elif terminals:
        _crowd(crowd_run, page, as_json)
    else:
        _handshake(session, page, as_json)


def chosen(study: Study, words: Sequence[str]) -> Study:
    """The study with other functions in hardware than it says."""
    network = study.authentication
    if network is None:
        return study
    for word in words:
        node, equals, partition = word.partition("=")
        roles = [Role[node.upper()]] if equals and node.upper() in Role.__members__ else list(Role)
        if equals and len(roles) != 1:
            raise InputError(f"there is no node `{node}`", "known: ca, server, terminal")
        functions = hardware(study, partition if equals else word)
        for role in roles:
            network = network.having(role.name.lower(), functions)
    return replace(study, authentication=network)


def hardware(study: Study, words: str) -> tuple[str, ...]:
    """The functions that a partition's name, or a list of them, stands for."""
    candidates = [candidate.function for candidate in study.candidates]
    by_name = {name.lower(): functions for functions, name in study.names.items()}
    if words.lower() in by_name:
        return by_name[words.lower()]
    if words in ("all", "none", ""):
        return tuple(candidates) if words == "all" else ()
    functions = [function.strip() for function in words.split(",")]
    for function in functions:
        if function not in candidates:
            names = [*study.names.values(), *candidates, "all", "none"]
            raise InputError(
                f"there is no partition `{function}`", paths.suggestion(function, names)
            )
    return tuple(function for function in candidates if function in functions)


def _handshake(session: Handshake, page: Path | None, as_json: bool) -> None:
    path = page or paths.build() / "reports" / session.scenario.study.name / "handshake.html"
    if as_json:
        output.print_json(records.handshake(session))
    else:
        output.print_table(_steps(session))
        output.print_table(_spent(session))
        for line in records.sentences(session):
            output.stdout().print(line)
    output.report(path, pages.handshake(session), as_json)
    if session.differences or not session.is_open:
        raise ProgramError("; ".join(session.differences) or "the session was not opened")


def _steps(session: Handshake) -> Table:
    network = session.scenario.network
    title = (
        f"{session.scenario.study.title}: {network.suite}, {network.line} of "
        f"{network.rate:,} bit/s, {network.latency_us} us"
    )
    figures = ("at ms", figure("bytes", spare=1), "cycles", "ms", figure("mJ", spare=2))
    table = output.table(title, key("node"), key("step"), *figures)
    for step in session.steps:
        table.add_row(*_step(step))
    table.caption = (
        "ms of a message: until it has come in; steps of one node that follow one another"
    )
    return table


def _step(step: Step) -> tuple[str, ...]:
    label = step.what if step.to is None else f"-> {NAMES[step.to]}: {step.what}"
    energy = "-" if step.energy_J is None else f"{1000 * step.energy_J:.4f}"
    return (
        NAMES[step.node],
        label,
        f"{1000 * step.at:,.3f}",
        "" if step.bytes is None else f"{step.bytes}",
        "" if step.cycles is None else f"{step.cycles:,}",
        f"{1000 * step.seconds:,.3f}",
        "" if step.is_message else energy,
    )


def _spent(session: Handshake) -> Table:
    names = (key("node"), text("device", spare=1), text("in hardware"))
    figures = ("busy", "waited", "s", "mJ")
    table = output.table("What each node spent", *names, *figures)
    for spent in session.spent:
        seat = session.scenario.seats[Role(spent.node)]
        energy = "-" if spent.energy_J is None else f"{1000 * spent.energy_J:.3f}"
        figures = (f"{spent.busy:,}", f"{spent.waited:,}", f"{spent.seconds:.3f}", energy)
        table.add_row(NAMES[spent.node], seat.device.name, seat.partition, *figures)
    table.caption = "busy, waited: cycles; -: the device's file gives no power"
    return table


def _attacks(campaign: attacks.Campaign, as_json: bool) -> None:
    if as_json:
        output.print_json(records.campaign(campaign))
    else:
        columns = (key("attack"), "runs", "refused", text("for"), "wrong")
        table = output.table(f"{campaign.runs:,} attacks", *columns)
        for kind in campaign.lines:
            reasons = ", ".join(f"{name} {count:,}" for name, count in kind.reasons.items())
            table.add_row(
                kind.attack, f"{kind.runs:,}", f"{kind.refused:,}", reasons, f"{len(kind.wrong)}"
            )
        output.print_table(table)
        for line in campaign.wrong[:20]:
            output.stdout().print(line)
    if campaign.wrong:
        raise ProgramError(f"{len(campaign.wrong)} attacks did not end as they should")


def _pairs(scenario: Scenario, pair_runs: Sequence[pairs.Pair], as_json: bool) -> None:
    if as_json:
        output.print_json(records.pairs(scenario, pair_runs))
    else:
        names = list(dict.fromkeys(pair.server.name for pair in pair_runs))
        title = "Seconds of a handshake: the server's partition down, the terminal's across"
        numbers = [str(number) for number in range(1, len(names) + 1)]
        table = output.table(title, key("", right=True), key("server"), *numbers)
        for number, server in zip(numbers, names, strict=True):
            row = [pair for pair in pair_runs if pair.server.name == server]
            cells = (f"{pair.seconds:.2f}" if pair.is_good else "NO" for pair in row)
            table.add_row(number, server, *cells)
        output.print_table(table)
    wrong = [pair for pair in pair_runs if not pair.is_good]
    if wrong:
        raise ProgramError(f"{len(wrong)} of {len(pair_runs)} pairs have no session")


def _crowd(crowd_run: crowd.Crowd, page: Path | None, as_json: bool) -> None:
    path = page or paths.build() / "reports" / crowd_run.scenario.study.name / "crowd.html"
    if as_json:
        output.print_json(records.crowd(crowd_run))
    else:
        table = output.table(
            f"{len(crowd_run.terminals):,} terminals at one server "
            f"({crowd_run.scenario.study.title})",
            "figure",
            "value",
        )
        for name, value in records.figures(crowd_run):
            table.add_row(name, value)
        output.print_table(table)
    output.report(path, pages.crowd(crowd_run), as_json)
    if crowd_run.failed:
        raise ProgramError(
            f"{crowd_run.failed} of {len(crowd_run.terminals)} terminals have no session"
        )
