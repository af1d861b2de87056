"""`cocrypt toolchain`: builds a GCC that no distribution has ready, and lists what is there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import log, paths
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import key, text
from cocrypt.crosstools import building, kept, targets
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cocrypt.crosstools.targets import CrossTarget, Part

USUAL = ("binutils", "compiler")
"""The parts that are built where none is named: those that programs are built with."""
COLUMNS = (key("target"), text("part"), text("version"), text("where"))
KEPT = "parts that were finished are kept, and the same command builds the others"


def command(
    target: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help=f"{', '.join(targets.TARGETS)}; else list."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="PART",
            help="binutils, compiler, simulator or debugger, with what it needs; may be repeated.",
        ),
    ] = None,
    sources: Annotated[
        Path | None,
        typer.Option("--sources", metavar="DIR", help="Take Debian's packages from this folder."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes at once.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Build binutils and GCC for a target that no distribution has ready, or list what is there.

    The sources are packages of Debian of known hashes, and the result is kept in the cache. It
    takes about six minutes on two idle cores. What is on the PATH is used as it is, not built.
    """
    if target is None:
        if only or sources or jobs:
            raise InputError("there is nothing to build without a target", "name one")
        _print(targets.TARGETS.values(), as_json)
        return
    chosen = targets.target(target)
    wanted = [part.name for part in targets.with_needed(only)] if only else USUAL
    _build(chosen, wanted, sources, jobs or _cores())
    _print([chosen], as_json)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _build(target: CrossTarget, wanted: Sequence[str], sources: Path | None, jobs: int) -> None:
    """Builds what is not there, and says what is there already."""
    found = {name: kept.find(target, targets.PARTS[name]) for name in wanted}
    for name, there in found.items():
        if there is not None:
            log.say(f"{name} is there: {there.program}")
    parts = targets.with_needed(name for name, there in found.items() if there is None)
    if not parts:
        return
    minutes = _minutes(target.seconds(parts), jobs)
    log.say(
        f"building {_listed(parts)} for {target.name}: about {minutes} min on "
        f"{jobs} idle {'cores' if jobs > 1 else 'core'}"
    )
    with output.progress(KEPT) as step:
        building.build(building.Request(target, parts, jobs, sources), step)


def _listed(parts: Iterable[Part]) -> str:
    return " and ".join(part.name for part in parts)


def _minutes(seconds: int, jobs: int) -> int:
    return max(1, round(seconds / jobs / 60))


def _print(shown: Iterable[CrossTarget], as_json: bool) -> None:
    """Prints the parts of some targets."""
    if as_json:
        records = [_record(target) for target in shown]
        output.print_json({"folder": str(paths.cache() / kept.KIND), "toolchains": records})
        return
    table = output.table("Toolchains", *COLUMNS)
    for target in shown:
        for part in targets.PARTS.values():
            found = kept.find(target, part)
            cells = (
                (found.version, str(found.program)) if found else ("not there", _how(target, part))
            )
            table.add_row(target.name, part.name, *cells)
    output.print_table(table)


def _how(target: CrossTarget, part: Part) -> str:
    """The command that builds a part."""
    option = "" if part.name in USUAL else f" --only {part.name}"
    return f"cocrypt toolchain {target.name}{option}"


def _record(target: CrossTarget) -> dict[str, Any]:
    parts = [_part(target, part) for part in targets.PARTS.values()]
    return {"target": target.name, "title": target.title, "parts": parts}


def _part(target: CrossTarget, part: Part) -> dict[str, Any]:
    found = kept.find(target, part)
    built = kept.record(target, part) if found and found.origin == "cocrypt" else {}
    return {
        "part": part.name,
        "title": part.title,
        "origin": found.origin if found else None,
        "program": str(found.program) if found else None,
        "version": found.version if found else None,
        "source": built.get("source"),
        "seconds": built.get("seconds"),
        "about_seconds": target.seconds([part]),
    }
