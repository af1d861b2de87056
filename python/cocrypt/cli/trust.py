"""`cocrypt trust`: the projects whose compilers and Verilog run without a sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cocrypt import log
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.errors import InputError
from cocrypt.trust import sandbox, store

SHOWN = 20


def command(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The project's folder; else this one.")
    ] = None,
    own: Annotated[
        bool, typer.Option("--own", help="It is your own: trust it whatever becomes of it.")
    ] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Trust it no longer.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="Print what is trusted.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Trust a project: compilers and Verilog that it names run as you, without a sandbox.

    Without --own it is trusted as it is now: when a study, a description or Verilog changes, it is
    asked for again. What comes with cocrypt is trusted, and what `cocrypt new` writes.
    """
    if listing:
        if folder is not None or own or revoke:
            raise InputError("--list prints all of the list", "leave the rest out")
        _print(as_json)
        return
    if as_json or (own and revoke):
        raise InputError("these options do not go together", "`cocrypt trust --help` says more")
    project = (folder or Path()).resolve()
    if revoke:
        store.revoke(project)
        log.say(f"not trusted any more: {project}")
        return
    files = store.trust(project, own)
    log.say(f"trusted: {project}{', whatever becomes of it' if own else ''}")
    for path in files[:SHOWN]:
        log.say(f"  {path}")
    if files[SHOWN:]:
        log.say(f"  and {len(files) - SHOWN:,} files more that decide what runs")


def _print(as_json: bool) -> None:
    entries = store.listed()
    if as_json:
        folders = [
            {"folder": name, "own": bool(entry.get("own")), "trusted": store.is_trusted(Path(name))}
            for name, entry in entries.items()
        ]
        output.print_json({"folders": folders, "sandbox": sandbox.works()})
        return
    for name, entry in entries.items():
        changed = not store.is_trusted(Path(name))
        print(name, "own" if entry.get("own") else "changed since" if changed else "as it is")
